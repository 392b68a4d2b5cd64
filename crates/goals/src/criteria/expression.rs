//! Boolean expressions of conditions: laid out as C evaluates them, and with an operator changed.

use crate::criteria::mcdc::{Diagram, Next};

/// A Boolean expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Tree {
    Condition(usize),
    Not(Box<Tree>),
    Both(Box<[Tree; 2]>),
    Either(Box<[Tree; 2]>),
}

/// How a tree is evaluated.
pub(crate) fn layout(tree: &Tree) -> Diagram {
    let mut next = vec![[Next::End(true), Next::End(false)]; leaves(tree)];
    let first = lay_out(tree, Next::End(true), Next::End(false), &mut next);
    Diagram { first, next }
}

/// Says what comes after each condition of a tree; what comes first in it.
fn lay_out(tree: &Tree, on_true: Next, on_false: Next, next: &mut [[Next; 2]]) -> Next {
    match tree {
        Tree::Condition(i) => {
            next[*i] = [on_true, on_false];
            Next::Condition(*i)
        }
        Tree::Not(inner) => lay_out(inner, on_false, on_true, next),
        Tree::Both(sides) => {
            let right = lay_out(&sides[1], on_true, on_false, next);
            lay_out(&sides[0], right, on_false, next)
        }
        Tree::Either(sides) => {
            let right = lay_out(&sides[1], on_true, on_false, next);
            lay_out(&sides[0], on_true, right, next)
        }
    }
}

fn leaves(tree: &Tree) -> usize {
    match tree {
        Tree::Condition(_) => 1,
        Tree::Not(inner) => leaves(inner),
        Tree::Both(sides) | Tree::Either(sides) => sides.iter().map(leaves).sum(),
    }
}

/// The expression with each of its operators as the other one, in the order of the text, and what was changed in words.
pub(crate) fn flipped(tree: &Tree) -> Vec<(&'static str, Tree)> {
    (0..leaves(tree).saturating_sub(1))
        .filter_map(|number| {
            let (changed, words) = flip(tree, &mut { number });
            Some((words?, changed))
        })
        .collect()
}

impl Tree {
    /// The same with other numbers for the conditions.
    pub(crate) fn renumbered(&self, number: &impl Fn(usize) -> usize) -> Tree {
        let both = |sides: &[Tree; 2]| Box::new([sides[0].renumbered(number), sides[1].renumbered(number)]);
        match self {
            Tree::Condition(i) => Tree::Condition(number(*i)),
            Tree::Not(inner) => Tree::Not(Box::new(inner.renumbered(number))),
            Tree::Both(sides) => Tree::Both(both(sides)),
            Tree::Either(sides) => Tree::Either(both(sides)),
        }
    }
}

/// The tree with the operator of this number, in the order of the text, changed; and what it becomes.
fn flip(tree: &Tree, left: &mut usize) -> (Tree, Option<&'static str>) {
    let (sides, both) = match tree {
        Tree::Condition(i) => return (Tree::Condition(*i), None),
        Tree::Not(inner) => {
            let (inner, words) = flip(inner, left);
            return (Tree::Not(Box::new(inner)), words);
        }
        Tree::Both(sides) => (sides, true),
        Tree::Either(sides) => (sides, false),
    };
    let (first, before) = flip(&sides[0], left);
    let here = before.is_none() && *left == 0;
    if before.is_none() {
        *left = left.wrapping_sub(1);
    }
    let (second, behind) = if before.is_none() && !here { flip(&sides[1], left) } else { (sides[1].clone(), None) };
    let pair = Box::new([first, second]);
    let words = here.then_some(if both { "&& becomes ||" } else { "|| becomes &&" });
    let tree = if both != here { Tree::Both(pair) } else { Tree::Either(pair) };
    (tree, before.or(words).or(behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An expression in words of one letter: `&` and `|` before their operands, `!` before its own, conditions by number.
    fn read(text: &mut std::str::Chars<'_>) -> Tree {
        match text.next().unwrap() {
            '&' => Tree::Both(Box::new([read(text), read(text)])),
            '|' => Tree::Either(Box::new([read(text), read(text)])),
            '!' => Tree::Not(Box::new(read(text))),
            digit => Tree::Condition(digit.to_digit(10).unwrap() as usize),
        }
    }

    fn vectors(tree: &Tree) -> Vec<String> {
        let vectors = layout(tree).vectors().unwrap();
        vectors.iter().map(|v| format!("{}{}", v.text(), if v.outcome { '+' } else { '-' })).collect()
    }

    #[test]
    fn expressions_are_evaluated_as_c_does() {
        let shown = |text: &str| vectors(&read(&mut text.chars()));
        assert_eq!(shown("&0!|12"), ["F---", "TFF+", "TFT-", "TT--"]);
        assert_eq!(shown("!&01"), ["F-+", "TF+", "TT-"]);
        assert_eq!(shown("|0&12"), ["FF--", "FTF-", "FTT+", "T--+"]);
    }

    #[test]
    fn each_operator_is_changed_once() {
        let shown = |text: &str| -> Vec<String> {
            let all = flipped(&read(&mut text.chars()));
            all.iter().map(|(words, tree)| format!("{words}: {}", vectors(tree).join(" "))).collect()
        };
        assert_eq!(shown("&0|12"), ["&& becomes ||: FFF- FFT+ FT-+ T--+", "|| becomes &&: F--- TF-- TTF- TTT+"]);
        assert_eq!(shown("!&01"), ["&& becomes ||: FF+ FT- T--"]);
        assert_eq!(shown("||01&23").len(), 3);
        // Parentheses say which operator is changed.
        assert_eq!(shown("||012")[0], "|| becomes &&: F-F- F-T+ TFF- TFT+ TT-+");
        assert_eq!(shown("|0|12")[0], "|| becomes &&: F--- TFF- TFT+ TT-+");
    }
}
