//! The operators of a function, by where they stand.
//!
//! An instruction has the place of the operator that it was made for. The syntax tree does not say where operators are, but
//! nothing else stands between two operands, and what has one operand begins or ends with its operator. What comes from a macro
//! has the place of the macro's use, where nobody can tell one operator from another; it is not listed here. Nor are the lengths of
//! arrays, which clang's tree leaves out: [`Operators::is_length`] says where they are.

use std::collections::HashMap;

use covenant_program::ir::{Body, FileId, Loc};
use covenant_program::syntax::{Definition, Kind, Node, Place, Syntax};

use crate::criteria::Site;

/// An operator of the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Operator {
    /// As C spells it; for `+=` and the like that is `+`.
    pub(crate) symbol: &'static str,
}

/// The operators of one function.
#[derive(Debug, Default)]
pub(crate) struct Operators {
    /// By the file, and where the text begins that has nothing but the operator in it; where that ends. In order, and apart.
    found: Vec<((u32, Position), Position, Operator)>,
    /// Declarations of arrays whose length is computed: the file, where they begin, and where they end.
    lengths: Vec<(u32, Position, Position)>,
    /// The files of the program as the tree counts them.
    files: HashMap<FileId, u32>,
}

/// Line and column.
type Position = (u32, u32);

impl Operators {
    /// The operators of the function whose body this is; none where clang gives no tree.
    pub(crate) fn of(site: &Site<'_>, body: &Body) -> Operators {
        let Some(definition) = site.definition() else { return Operators::default() };
        let mut operators = Operators::default();
        operators.visit(definition.body, definition.syntax);
        operators.found.sort_unstable_by_key(|(start, ..)| *start);
        operators.files = files(site, body, &definition);
        operators
    }

    fn visit(&mut self, node: &Node, syntax: &Syntax) {
        match (&node.kind, &node.inner[..], node.range) {
            (Kind::Binary { operator, assigns }, [left, right], _) => {
                if let (Some([_, before]), Some([behind, _])) = (left.range, right.range) {
                    let symbol = if *assigns { without_assignment(operator) } else { operator };
                    self.add(symbol, before, before.shown.behind(), behind.shown.position());
                }
            }
            (Kind::Unary { operator, postfix }, _, Some([first, last])) => {
                let at = if *postfix { last } else { first };
                if at.spelled.is_none() {
                    self.add(operator, at, at.shown.position(), at.shown.behind());
                }
            }
            (Kind::Variable { .. }, _, Some([first, last])) if has_length(syntax.type_of(node)) => {
                self.lengths.push((first.shown.file, first.shown.behind(), last.shown.position()));
            }
            _ => {}
        }
        // What is not evaluated has no code.
        if node.kind != Kind::Unevaluated {
            node.inner.iter().for_each(|inner| self.visit(inner, syntax));
        }
    }

    fn add(&mut self, symbol: &'static str, near: Place, start: Position, end: Position) {
        if start < end {
            self.found.push(((near.shown.file, start), end, Operator { symbol }));
        }
    }

    /// The operator at a place.
    pub(crate) fn at(&self, loc: Loc) -> Option<Operator> {
        let (file, at) = (*self.files.get(&loc.file()?)?, (loc.line, loc.column));
        let behind = self.found.partition_point(|(start, ..)| *start <= (file, at));
        let ((other, _), end, operator) = self.found.get(behind.checked_sub(1)?)?;
        (*other == file && at < *end).then_some(*operator)
    }

    /// Whether the place is in the declaration of an array whose length is computed.
    pub(crate) fn is_length(&self, loc: Loc) -> bool {
        let Some(file) = loc.file().and_then(|file| self.files.get(&file)) else { return false };
        let at = (loc.line, loc.column);
        self.lengths.iter().any(|(other, start, end)| other == file && *start <= at && at < *end)
    }
}

/// Whether an array of this type has a length that is computed: clang writes all others as numbers.
fn has_length(ty: &str) -> bool {
    let mut lengths = ty.split('[').skip(1).filter_map(|rest| rest.split(']').next());
    lengths.any(|length| !length.is_empty() && !length.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The number that the tree has for each file from which a body has instructions.
fn files(site: &Site<'_>, body: &Body, definition: &Definition<'_>) -> HashMap<FileId, u32> {
    let mut known = HashMap::new();
    for file in body.insts.values().filter_map(|inst| inst.loc.file()) {
        known.entry(file).or_insert_with(|| {
            let named = &site.program.files[file];
            let path = std::path::Path::new(&named.directory).join(&named.name);
            let path = definition.resolved(&path.to_string_lossy());
            definition.syntax.files.iter().position(|name| definition.resolved(name) == path)
        });
    }
    known.into_iter().filter_map(|(file, number)| Some((file, u32::try_from(number?).ok()?))).collect()
}

/// What an assignment computes before it assigns.
fn without_assignment(operator: &'static str) -> &'static str {
    operator.strip_suffix('=').unwrap_or(operator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_that_are_computed_are_told_from_numbers() {
        assert!(has_length("int[(x & 3) + 1]") && has_length("int (*)[4][n]"));
        assert!(!has_length("int[4]") && !has_length("char[]") && !has_length("int *"));
    }
}
