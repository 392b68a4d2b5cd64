//! `report.sarif`: defects as errors, open objectives as notes and infeasible ones as information, for code scanning. Static Analysis Results Interchange
//! Format 2.1.0.
//!
//! We write nine kinds of objects, as plain JSON. The types of `serde-sarif` would bring sixteen more packages into the build (a
//! generator of types from schemas, `regex`, a second `strum`, the first `syn`) to check names; `crates/cli/tests/report` holds
//! what we write against the schema itself.

use std::collections::BTreeMap;

use covenant_goals::VerdictKind;
use covenant_goals::report::{Defect, ObjectiveEntry};
use serde_json::{Value, json};

use crate::run_dir::{RunDir, says};
use crate::{advice, readable};

pub(super) fn write(run: &RunDir) -> String {
    let mut rules: BTreeMap<String, Value> = BTreeMap::new();
    let mut results = Vec::new();
    for defect in &run.report.defects {
        results.push(defect_result(run, defect, &mut rules));
    }
    for objective in run.shown_objectives().filter(|o| o.verdict == VerdictKind::Unknown) {
        results.push(open_result(run, objective, &mut rules));
    }
    for objective in run.shown_objectives().filter(|o| o.verdict == VerdictKind::Infeasible) {
        results.push(infeasible_result(run, objective, &mut rules));
    }
    // Results name rules by their place in the list.
    let order: BTreeMap<&String, usize> = rules.keys().zip(0..).collect();
    for result in &mut results {
        let index = result["ruleId"].as_str().and_then(|id| order.get(&id.to_owned())).copied();
        result["ruleIndex"] = json!(index);
    }
    let document = json!({
        "version": "2.1.0",
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "runs": [{
            "tool": {"driver": {
                "name": "covenant",
                "version": run.report.tool.version,
                "semanticVersion": run.report.tool.version,
                "rules": rules.into_values().collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": [{"executionSuccessful": true}],
            "results": results,
        }],
    });
    // A tree of plain values always has a form in JSON.
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

fn rule(rules: &mut BTreeMap<String, Value>, id: &str, level: &str, words: &str) {
    rules.entry(id.to_owned()).or_insert_with(
        || json!({"id": id, "shortDescription": {"text": words}, "defaultConfiguration": {"level": level}}),
    );
}

fn defect_result(run: &RunDir, defect: &Defect, rules: &mut BTreeMap<String, Value>) -> Value {
    let (group, level, unless) = match &defect.contract {
        Some(contract) => ("contract", "note", format!(" unless {contract}")),
        None => ("defect", "error", String::new()),
    };
    let id = format!("{group}/{}", defect.kind);
    rule(rules, &id, level, &format!("A test ends in a run-time error: {}", defect.kind));
    let inputs = run.case(&defect.test).map(readable::brief).filter(|b| !b.is_empty());
    let inputs = inputs.map(|b| format!(" Inputs: {b}.")).unwrap_or_default();
    json!({
        "ruleId": id,
        "level": level,
        "message": {"text": format!("{}{unless}, shown by {}.{inputs}", defect.message, defect.test)},
        "locations": location(run, &defect.file, defect.line, defect.column),
        "partialFingerprints": {"covenant/v1": format!("{}:{}:{}:{}", defect.kind, run.shown(&defect.file), defect.line, defect.column)},
    })
}

fn open_result(run: &RunDir, o: &ObjectiveEntry, rules: &mut BTreeMap<String, Value>) -> Value {
    let id = format!("open/{}", o.criterion);
    rule(rules, &id, "note", &format!("A {} objective has neither a test nor a proof", o.criterion));
    let reason = o.reason.as_deref().unwrap_or("no reason given");
    let tips = advice::for_reason(reason, o.kind).join(" ");
    json!({
        "ruleId": id,
        "level": "note",
        "message": {"text": format!("`{}` in {} is open: {reason}. {tips}", says(o), o.function)},
        "locations": location(run, &o.file, o.line, o.column),
        "partialFingerprints": {"covenant/v1": o.id},
    })
}

fn infeasible_result(run: &RunDir, o: &ObjectiveEntry, rules: &mut BTreeMap<String, Value>) -> Value {
    let id = format!("infeasible/{}", o.criterion);
    rule(rules, &id, "none", &format!("No input reaches a {} objective: it is proved", o.criterion));
    let reason = o.reason.as_deref().unwrap_or("no reason given");
    json!({
        "ruleId": id,
        "kind": "informational",
        "level": "none",
        "message": {"text": format!("`{}` in {} is infeasible: {reason}.", says(o), o.function)},
        "locations": location(run, &o.file, o.line, o.column),
        "partialFingerprints": {"covenant/v1": o.id},
    })
}

fn location(run: &RunDir, file: &str, line: u32, column: u32) -> Value {
    // Regions count from 1; something without a place has none.
    if line == 0 || file.is_empty() {
        return json!([]);
    }
    let uri: String = run.shown(file).split('/').map(encode).collect::<Vec<_>>().join("/");
    json!([{"physicalLocation": {
        "artifactLocation": {"uri": uri},
        "region": {"startLine": line, "startColumn": column.max(1)},
    }}])
}

/// A part of a path in an address.
fn encode(part: &str) -> String {
    let mut text = String::new();
    for byte in part.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => text.push(byte as char),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::facts::tests::small;
    use super::*;

    /// What the standard requires of the properties that we write (sections 3.13, 3.14, 3.19, 3.27, 3.29, 3.30).
    #[test]
    fn the_standard_is_kept() {
        let document: Value = serde_json::from_str(&write(&small())).unwrap();
        assert_eq!(document["version"], "2.1.0");
        let run = &document["runs"][0];
        assert_eq!(run["tool"]["driver"]["name"], "covenant");
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        let results = run["results"].as_array().unwrap();
        assert_eq!(results.len(), 4);
        let proved = results.iter().find(|result| result["kind"] == "informational").unwrap();
        assert!(proved["message"]["text"].as_str().unwrap().ends_with("is infeasible: because of <this> & that."));
        assert_eq!(proved["level"], "none");
        for result in results {
            let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
            assert_eq!(rule["id"], result["ruleId"]);
            assert!(["error", "warning", "note", "none"].contains(&result["level"].as_str().unwrap()));
            assert!(!result["message"]["text"].as_str().unwrap().is_empty());
            let place = &result["locations"][0]["physicalLocation"];
            assert_eq!(place["artifactLocation"]["uri"], "a.c");
            assert!(place["region"]["startLine"].as_u64().unwrap() >= 1);
        }
        assert_eq!(results[0]["level"], "error");
    }

    #[test]
    fn addresses_are_encoded() {
        assert_eq!(encode("a b%é.c"), "a%20b%25%C3%A9.c");
    }
}
