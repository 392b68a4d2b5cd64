//! `covenant man` and `covenant completions`: both are made from the options themselves.

use std::io::Write;

use anyhow::{Context, Result, bail};
use clap::CommandFactory;

use crate::args::{Arguments, CompletionArgs, ManArgs};

pub(crate) fn man(args: &ManArgs) -> Result<u8> {
    let mut command = Arguments::command();
    command.build();
    if args.markdown {
        std::io::stdout().write_all(markdown(&command).as_bytes())?;
        return Ok(0);
    }
    let page = match &args.command {
        None => command,
        Some(name) => match command.find_subcommand(name) {
            // The page is found as `man covenant-gen`.
            Some(found) => found.clone().name(format!("covenant-{name}").leak() as &'static str),
            None => bail!("there is no command `{name}`"),
        },
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text).context("the page cannot be made")?;
    std::io::stdout().write_all(&text)?;
    Ok(0)
}

/// Every command with its options, as the book shows them.
fn markdown(command: &clap::Command) -> String {
    let mut text = String::from("# Every option\n\nMade from the options themselves: `covenant man --markdown`.\n");
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        let about = sub.get_long_about().or(sub.get_about()).map(ToString::to_string).unwrap_or_default();
        let (first, rest) = about.split_once("\n\n").unwrap_or((&about, ""));
        text.push_str(&format!("\n## covenant {}\n\n{}.\n", sub.get_name(), first.trim_end_matches('.')));
        if !rest.is_empty() {
            text.push_str(&format!("\n{}\n", paragraphs(rest)));
        }
        text.push_str("\n| option | meaning |\n|---|---|\n");
        for arg in sub.get_arguments().filter(|arg| arg.get_id() != "help" && !arg.is_hide_set()) {
            text.push_str(&format!("| {} | {} |\n", spelled(arg), meaning(arg)));
        }
    }
    text
}

/// Indented lines are code.
fn paragraphs(text: &str) -> String {
    let mut out = String::new();
    for part in text.split("\n\n") {
        let code = part.lines().all(|line| line.starts_with("  "));
        if !out.is_empty() {
            out.push_str("\n\n");
        }
        out.push_str(&if code { format!("```text\n{part}\n```") } else { part.replace('<', "&lt;") });
    }
    out
}

/// `-f`, `--function NAME`
fn spelled(arg: &clap::Arg) -> String {
    let takes = arg.get_action().takes_values();
    let names = arg.get_value_names().unwrap_or_default();
    let value = names.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(" ");
    let value = if value.is_empty() { arg.get_id().as_str().to_uppercase() } else { value };
    let value = if takes { format!(" {value}") } else { String::new() };
    let short = arg.get_short().map(|short| format!("-{short}"));
    let long = arg.get_long().map(|long| format!("--{long}"));
    let forms: Vec<String> = short.into_iter().chain(long).collect();
    let text = if forms.is_empty() { value.trim().to_owned() } else { forms.join(", ") + &value };
    format!("`{}`", text.replace('|', "\\|"))
}

fn meaning(arg: &clap::Arg) -> String {
    let mut text = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let values: Vec<String> = arg
        .get_possible_values()
        .iter()
        .filter(|value| !value.is_hide_set() && arg.get_action().takes_values())
        .map(|value| match value.get_help() {
            Some(help) => format!("`{}` ({help})", value.get_name()),
            None => format!("`{}`", value.get_name()),
        })
        .collect();
    if !values.is_empty() {
        text.push_str(&format!(": {}", values.join(", ")));
    }
    let defaults: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if !defaults.is_empty() && arg.get_action().takes_values() {
        text.push_str(&format!(" [{}]", defaults.join(",")));
    }
    text.replace('\n', " ").replace('|', "\\|").replace('<', "&lt;")
}

pub(crate) fn completions(args: &CompletionArgs) -> Result<u8> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Arguments::command(), "covenant", &mut text);
    std::io::stdout().write_all(&text)?;
    Ok(0)
}
