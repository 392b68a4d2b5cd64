//! `covenant check`

use anstyle::{AnsiColor, Style};
use anyhow::Result;
use covenant::{CheckOptions, Checked, Opinion, Session};
use serde_json::json;

use crate::COULD_NOT_RUN;
use crate::args::CheckArgs;
use crate::diagnose::shown_from;
use crate::replay::CONTRADICTION;

const BOLD: Style = Style::new().bold();
const GREEN: Style = AnsiColor::Green.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
const RED: Style = AnsiColor::Red.on_default().bold();

pub(crate) fn run(args: &CheckArgs) -> Result<u8> {
    let options =
        CheckOptions { timeout: args.timeout, jobs: args.jobs.unwrap_or_default(), ..CheckOptions::default() };
    let checked = Session::check(&args.dir, &options)?;
    if args.json {
        anstream::println!("{}", serde_json::to_string_pretty(&as_json(&checked))?);
    } else {
        print(args, &checked);
    }
    Ok(exit_code(&checked))
}

fn count(checked: &Checked, is: fn(&Opinion) -> bool) -> usize {
    checked.verdicts.iter().filter(|(_, verdict)| is(verdict)).count()
}

fn exit_code(checked: &Checked) -> u8 {
    if checked.changed.is_some() {
        COULD_NOT_RUN
    } else if count(checked, |v| matches!(v, Opinion::Refused(_))) > 0 {
        CONTRADICTION
    } else {
        u8::from(count(checked, |v| matches!(v, Opinion::NotChecked(_))) > 0)
    }
}

/// The word and the reason of a verdict.
fn spelled(verdict: &Opinion) -> (&'static str, Style, Option<&str>) {
    match verdict {
        Opinion::Confirmed => ("confirmed", GREEN, None),
        Opinion::Refused(why) => ("refused", RED, Some(why)),
        Opinion::NotChecked(why) => ("not checked", YELLOW, Some(why)),
        Opinion::InWords(why) => ("in words", Style::new(), Some(why)),
    }
}

fn print(args: &CheckArgs, checked: &Checked) {
    let refused = count(checked, |v| matches!(v, Opinion::Refused(_)));
    if !args.quiet {
        anstream::println!(
            "{BOLD}{}{BOLD:#}: {} infeasible, {GREEN}{} confirmed{GREEN:#} by cvc5, {} refused, {} not checked, {} in words",
            checked.report.subject.function,
            checked.verdicts.len(),
            count(checked, |v| *v == Opinion::Confirmed),
            refused,
            count(checked, |v| matches!(v, Opinion::NotChecked(_))),
            count(checked, |v| matches!(v, Opinion::InWords(_))),
        );
    }
    for (o, verdict) in &checked.verdicts {
        let (word, style, why) = spelled(verdict);
        let place = format!("{}:{}:{}", shown_from(&checked.root, &o.file), o.line, o.column);
        let why = why.map_or(String::new(), |why| format!(": {why}"));
        let line = format!("  {style}{word}{style:#} {place}: {} is {}{why}", o.text, o.outcome);
        match verdict {
            Opinion::Refused(_) => anstream::eprintln!("{line}"),
            _ if args.quiet => {}
            _ => anstream::println!("{line}"),
        }
    }
    if let Some(why) = &checked.changed {
        anstream::eprintln!("{RED}error:{RED:#} {why}: the proofs are of another program. Run `covenant gen` again.");
    } else if refused > 0 {
        anstream::eprintln!(
            "{RED}error:{RED:#} {refused} certificates do not prove what they should. If nobody changed {}, covenant was \
             wrong: please send us the files and the lines above.",
            args.dir.display()
        );
    }
}

fn as_json(checked: &Checked) -> serde_json::Value {
    let objectives: Vec<_> = checked
        .verdicts
        .iter()
        .map(|(o, verdict)| {
            let (word, _, reason) = spelled(verdict);
            json!({ "id": o.id, "verdict": word.replace(' ', "-"), "reason": reason, "proof": o.proof })
        })
        .collect();
    json!({
        "schema": 1,
        "function": checked.report.subject.function,
        "changed": checked.changed,
        "objectives": objectives,
        "totals": {
            "infeasible": checked.verdicts.len(),
            "confirmed": count(checked, |v| *v == Opinion::Confirmed),
            "refused": count(checked, |v| matches!(v, Opinion::Refused(_))),
            "not_checked": count(checked, |v| matches!(v, Opinion::NotChecked(_))),
            "in_words": count(checked, |v| matches!(v, Opinion::InWords(_))),
        },
    })
}
