//! Which vectors and pairs there are.

use super::*;

/// By what comes next; where that is nothing, the condition is the outcome.
fn diagram(next: &[[Option<usize>; 2]]) -> Diagram {
    let to = |next: Option<usize>, outcome: bool| next.map_or(Next::End(outcome), Next::Condition);
    Diagram { first: Next::Condition(0), next: next.iter().map(|[t, f]| [to(*t, true), to(*f, false)]).collect() }
}

fn texts(diagram: &Diagram, vectors: &[Vector], condition: usize, rule: Rule, names: &str) -> Vec<String> {
    let names: Vec<String> = names.chars().map(String::from).collect();
    let pairs = diagram.pairs(vectors, condition, rule, &names);
    pairs.iter().map(|[i, j]| format!("{} {}", vectors[*i].text(), vectors[*j].text())).collect()
}

#[test]
fn vectors_are_the_ways_through_the_decision() {
    // a && (b || c)
    let d = diagram(&[[Some(1), None], [None, Some(2)], [None, None]]);
    let vectors = d.vectors().unwrap();
    let shown: Vec<String> = vectors.iter().map(|v| format!("{}={}", v.text(), v.outcome)).collect();
    assert_eq!(shown, ["F--=false", "TFF=false", "TFT=true", "TT-=true"]);
    assert_eq!(texts(&d, &vectors, 0, Rule::Masking, "abc"), ["TFT F--", "TT- F--"]);
    assert_eq!(texts(&d, &vectors, 1, Rule::Masking, "abc"), ["TT- TFF"]);
    assert_eq!(texts(&d, &vectors, 2, Rule::Masking, "abc"), ["TFT TFF"]);
}

#[test]
fn rules_differ_where_conditions_are_coupled_or_masked() {
    // (a && b) || (a && c)
    let d = diagram(&[[Some(1), Some(2)], [None, Some(2)], [Some(3), None], [None, None]]);
    let vectors = d.vectors().unwrap();
    // The second a: the first one is the same in both evaluations, or it is not evaluated, which never happens.
    assert!(texts(&d, &vectors, 2, Rule::UniqueCause, "abac").is_empty());
    assert!(!texts(&d, &vectors, 2, Rule::Masking, "abac").is_empty());
    let racc = texts(&d, &vectors, 2, Rule::Racc, "abac");
    assert!(racc.contains(&"TFTT F-F-".to_owned()), "{racc:?}");
    assert!(!texts(&d, &vectors, 2, Rule::Masking, "abac").contains(&"TFTT F-F-".to_owned()));
    // (a && b) || (c && d): c decides in both, though a changes.
    let cacc = texts(&d, &vectors, 2, Rule::Cacc, "abcd");
    assert!(cacc.contains(&"TFTT F-F-".to_owned()), "{cacc:?}");
}

#[test]
fn a_decision_with_too_many_vectors_is_left() {
    // (c0 || c1) && (c2 || c3) && ...
    let mut next = Vec::new();
    for i in 0..24 {
        let after = if i + 2 < 24 { Some(i / 2 * 2 + 2) } else { None };
        next.push(if i % 2 == 0 { [after, Some(i + 1)] } else { [after, None] });
    }
    assert_eq!(diagram(&next).vectors(), None);
}
