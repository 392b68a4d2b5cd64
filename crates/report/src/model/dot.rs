//! A step of a model for Graphviz.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use covenant_goals::{ModelStep, PictureNode};

use super::{label, short};

/// Frontiers are bold, covered nodes grey, unreachable ones red and dashed, targets have two borders.
pub(super) fn text(step: &ModelStep) -> String {
    let mut text = format!(
        "digraph model {{\n  graph [label=\"{}\", labelloc=t, fontname=\"sans-serif\"];\n  \
         node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"monospace\", fontsize=10];\n  \
         edge [fontname=\"monospace\", fontsize=9];\n",
        escape(&step.caption)
    );
    let frontier: BTreeSet<u32> = step.edges.iter().filter(|e| e.frontier).flat_map(|e| [e.from, e.to]).collect();
    for node in &step.nodes {
        let lines: Vec<String> = label(node).iter().map(|line| escape(line)).collect();
        let more = attributes(node, frontier.contains(&node.id));
        let _ = writeln!(text, "  n{} [label=\"{}\"{more}];", node.id, lines.join("\\n"));
    }
    for edge in &step.edges {
        let bold = if edge.frontier { ", penwidth=3" } else { "" };
        let guard = escape(&short(&edge.guard, 30));
        let _ = writeln!(text, "  n{} -> n{} [label=\"{guard}\"{bold}];", edge.from, edge.to);
    }
    text.push_str("}\n");
    text
}

fn attributes(node: &PictureNode, frontier: bool) -> String {
    let mut more = String::new();
    if node.dead {
        more.push_str(", style=\"rounded,dashed\", color=red, fontcolor=red");
    } else if node.covered {
        more.push_str(", fillcolor=lightgrey");
    }
    if node.target {
        more.push_str(", peripheries=2");
    }
    if frontier {
        more.push_str(", penwidth=3");
    }
    more
}

/// Inside double quotes. Backslashes too: Graphviz reads `\N` and the like in labels.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push('?'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tests::small;

    #[test]
    fn quotes_and_backslashes_are_escaped() {
        assert_eq!(escape("c == '\\N' && s == \"\"\n\t"), "c == '\\\\N' && s == \\\"\\\"\\n?");
    }

    #[test]
    fn a_small_model() {
        expect_test::expect_file!["golden.dot"].assert_eq(&text(&small()));
    }
}
