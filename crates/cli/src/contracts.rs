//! Contracts in `covenant.toml`: what a function seems to expect of its callers becomes options of that function.
//!
//! Only a section that is not there yet is written. Where the file has one for the function, it is the user's: what it lacks is told.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use covenant_goals::report::Defect;

use crate::args::GenArgs;
use crate::config::{self, NAME};

/// Writes the contracts that runs broke; what was done, in words.
pub(crate) fn write(args: &GenArgs, function: &str, defects: &[Defect]) -> Result<Vec<String>> {
    let section = section(function, defects);
    if section.is_empty() {
        return Ok(vec!["no contract to write".to_owned()]);
    }
    let path = config::place(args).unwrap_or_else(|| PathBuf::from(NAME));
    let before = match path.exists() {
        true => fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?,
        false => String::new(),
    };
    let head = format!("[function.{}]", key(function));
    if before.lines().any(|line| line.trim().starts_with(&head)) {
        let mut told = vec![format!("{} has options of {function} already; not written:", path.display())];
        told.extend(section.lines().skip(1).map(|line| format!("  {line}")));
        return Ok(told);
    }
    let space = if before.is_empty() || before.ends_with("\n\n") { "" } else { "\n" };
    fs::write(&path, format!("{before}{space}{section}"))
        .with_context(|| format!("{} cannot be written", path.display()))?;
    Ok(vec![format!("contracts of {function} are in {}", path.display())])
}

/// The section of a function; nothing if there is nothing to say.
fn section(function: &str, defects: &[Defect]) -> String {
    let (mut assume, mut devices): (BTreeSet<&str>, BTreeSet<&str>) = Default::default();
    let mut lengths: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let no_aliases = defects.iter().any(|defect| defect.option.as_deref() == Some("--no-aliases"));
    for option in defects.iter().filter_map(|defect| defect.option.as_deref()) {
        match option.split_once(' ') {
            Some(("--assume", expression)) => {
                assume.insert(expression);
            }
            Some(("--device", region)) => {
                devices.insert(region);
            }
            Some(("--length", pair)) => {
                if let Some((pointer, length)) = pair.split_once('=') {
                    lengths.entry(pointer).or_default().insert(length);
                }
            }
            _ => {}
        }
    }
    // Where there are two, the object has as many elements as the larger says.
    let lengths: Vec<String> = lengths
        .into_iter()
        .map(|(pointer, all)| {
            let all: Vec<&str> = all.into_iter().collect();
            let most = all
                .iter()
                .skip(1)
                .fold(all[0].to_owned(), |most, next| format!("({most}) > ({next}) ? ({most}) : ({next})"));
            format!("{} = {}", key(pointer), quoted(&most))
        })
        .collect();
    let mut text = String::new();
    if !assume.is_empty() || !devices.is_empty() || !lengths.is_empty() || no_aliases {
        text.push_str(&format!("[function.{}]\n", key(function)));
    }
    if !assume.is_empty() {
        let assume: Vec<String> = assume.into_iter().map(quoted).collect();
        text.push_str(&format!("assume = [{}]\n", assume.join(", ")));
    }
    if !devices.is_empty() {
        let devices: Vec<String> = devices.into_iter().map(quoted).collect();
        text.push_str(&format!("device = [{}]\n", devices.join(", ")));
    }
    if !lengths.is_empty() {
        text.push_str(&format!("length = {{ {} }}\n", lengths.join(", ")));
    }
    if no_aliases {
        text.push_str("no-aliases = true\n");
    }
    text
}

/// Names of C are bare keys.
fn key(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !name.is_empty() && name.chars().all(plain) { name.to_owned() } else { quoted(name) }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_has_each_contract_once() {
        let defect = |option: &str| Defect { option: Some(option.to_owned()), ..Defect::default() };
        let defects = [
            defect("--length buf=len"),
            defect("--assume buf != 0"),
            defect("--length buf=len"),
            defect("--length out=2 * n"),
            defect("--no-aliases"),
            Defect::default(),
        ];
        assert_eq!(
            section("fill", &defects),
            "[function.fill]\nassume = [\"buf != 0\"]\nlength = { buf = \"len\", out = \"2 * n\" }\nno-aliases = true\n"
        );
        assert_eq!(section("fill", &[Defect::default()]), "");
    }
}
