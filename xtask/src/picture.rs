//! The picture of the README: what `covenant` prints on the examples, as SVG. Nothing in it is written by hand.

use anyhow::{Context, Result};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

const FILE: &str = "docs/covenant.svg";
const EXAMPLES: &[&[&str]] = &[
    &["gen", "examples/parking.c", "-f", "fee", "-o", "target/picture"],
    &["run", "examples/thermostat.c", "--", "18", "21", "25", "-3", "7", "30", "12", "19", "22"],
];

/// Sizes in pixels; a character of the fonts below is 0.6 of their size wide.
const FONT: f64 = 13.0;
const WIDE: f64 = FONT * 0.6;
const HIGH: f64 = 18.0;
const MARGIN: f64 = 18.0;

pub(crate) fn run(root: &Path) -> Result<bool> {
    let covenant = crate::covenant(root, None)?;
    let mut text = String::new();
    for arguments in EXAMPLES {
        let mut command = Command::new(&covenant);
        let done = command.args(["--color", "always"]).args(*arguments).current_dir(root).output();
        let done = done.context("cannot start covenant")?;
        let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
        let status = done.status.code().context("covenant was killed")?;
        write!(text, "$ covenant {}\n{out}{err}$ echo $?\n{status}\n\n", arguments.join(" "))?;
    }
    let file = root.join(FILE);
    fs::create_dir_all(file.parent().context("no directory")?)?;
    fs::write(&file, draw(text.trim_end()))?;
    println!("saved as {FILE}");
    Ok(true)
}

/// Text in one look.
#[derive(Debug, PartialEq)]
struct Span<'t> {
    /// The column that it starts at.
    column: usize,
    text: &'t str,
    class: &'static str,
}

/// Takes a line with the escape sequences of a terminal apart. Bold, dimmed and red are all that covenant uses.
fn spans(line: &str) -> Vec<Span<'_>> {
    let mut spans = Vec::new();
    let (mut bold, mut dim, mut red) = (false, false, false);
    let mut column = 0;
    for (index, part) in line.split("\x1b[").enumerate() {
        let text = match part.split_once('m') {
            Some((codes, text)) if index > 0 => {
                for code in codes.split(';') {
                    match code {
                        "1" => bold = true,
                        "2" => dim = true,
                        "31" => red = true,
                        _ => (bold, dim, red) = (false, false, false),
                    }
                }
                text
            }
            _ => part,
        };
        let prompt = index == 0 && line.starts_with("$ ");
        let class = match (red, bold, dim) {
            _ if prompt => "b",
            (true, ..) => "r",
            (_, true, _) => "b",
            (.., true) => "d",
            _ => "",
        };
        if !text.trim().is_empty() {
            let blanks = text.chars().take_while(|c| *c == ' ').count();
            spans.push(Span { column: column + blanks, text: text.trim(), class });
        }
        column += text.chars().count();
    }
    spans
}

/// Each span has its own place, so that columns stay true whatever font the reader has.
fn draw(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(spans).collect();
    let columns = lines.iter().flatten().map(|span| span.column + span.text.chars().count()).max().unwrap_or(0);
    let (width, height) = (columns as f64 * WIDE + 2.0 * MARGIN, lines.len() as f64 * HIGH + 2.0 * MARGIN);
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}">
<title>covenant run on examples/thermostat.c</title>
<style>
text {{ font: {FONT}px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #d8dee9 }}
.b {{ font-weight: bold; fill: #ffffff }} .r {{ font-weight: bold; fill: #ff6b6b }} .d {{ fill: #7b8799 }}
</style>
<rect width="100%" height="100%" rx="8" fill="#1d2330"/>
"##
    );
    for (row, line) in lines.iter().enumerate() {
        let y = MARGIN + row as f64 * HIGH + FONT;
        for span in line {
            let (x, long) = (MARGIN + span.column as f64 * WIDE, span.text.chars().count() as f64 * WIDE);
            let class = if span.class.is_empty() { String::new() } else { format!(r#" class="{}""#, span.class) };
            let text = span.text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            let _ = writeln!(svg, r#"<text x="{x:.1}" y="{y:.1}" textLength="{long:.1}"{class}>{text}</text>"#);
        }
    }
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::{Span, draw, spans};

    #[test]
    fn looks_and_columns_are_kept() {
        let line = "\x1b[1mf.c:\x1b[0m \x1b[1m\x1b[31merror:\x1b[0m   a mess";
        let expected = [
            Span { column: 0, text: "f.c:", class: "b" },
            Span { column: 5, text: "error:", class: "r" },
            Span { column: 14, text: "a mess", class: "" },
        ];
        assert_eq!(spans(line), expected);
        assert_eq!(spans("$ covenant run"), [Span { column: 0, text: "$ covenant run", class: "b" }]);
    }

    #[test]
    fn text_is_escaped() {
        assert!(draw("a < b && c").contains(">a &lt; b &amp;&amp; c</text>"));
    }
}
