//! The annotations in the leading `//` comment of a C program.
//!
//! ```c
//! // args: one "two words"          arguments of the program, quoted as in a shell
//! // stdin: text\nwith escapes      standard input (or a sibling NAME.stdin)
//! // env: A=1 B="two words"         environment, for the native run and ours
//! // flags: -std=gnu11              for clang, in every build and for covenant
//! // libs: -lpthread                for the native link (-lm is always there)
//! // sanitize: -fno-sanitize=x      further flags of the sanitizer build only
//! // expect: trap KIND[|KIND] LINE  the trap that ends the program
//! // check: signed-overflow,shift   optional checks to switch on (of a program without a trap: those that stay silent)
//! // limit: --max-steps 1000        further options of `covenant run`
//! // machines: x86_64 i386          the program means something on these alone (types, assembly, what is defined there)
//! // native: address                the sanitizer that sees the trap at the same line, or `signal`
//! ```

use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;

#[derive(Debug, Default, Clone)]
pub(crate) struct Annotations {
    pub(crate) args: Vec<String>,
    pub(crate) stdin: Vec<u8>,
    pub(crate) env: Vec<(String, String)>,
    pub(crate) flags: Vec<String>,
    pub(crate) libs: Vec<String>,
    pub(crate) sanitize: Vec<String>,
    pub(crate) expect: Option<Expect>,
    pub(crate) check: Option<String>,
    pub(crate) limit: Vec<String>,
    pub(crate) native: Option<String>,
    pub(crate) machines: Option<Vec<String>>,
}

/// `trap KIND LINE`; several kinds mean that any one of them is right.
#[derive(Debug, Clone)]
pub(crate) struct Expect {
    pub(crate) kinds: Vec<String>,
    pub(crate) line: usize,
}

impl Annotations {
    /// Reads the annotations of one C file. Its bytes may be any encoding.
    pub(crate) fn read(file: &Path) -> Result<Annotations> {
        let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        let text = String::from_utf8_lossy(&bytes);
        let mut found = Annotations::default();
        for line in text.lines().take_while(|line| line.starts_with("//")) {
            if let Some((key, value)) = split(line) {
                found.set(key, value).with_context(|| format!("{}: {line}", file.display()))?;
            }
        }
        let sibling = file.with_extension("stdin");
        if sibling.exists() {
            found.stdin = fs::read(&sibling)?;
        }
        Ok(found)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<()> {
        match key {
            "args" => self.args = words(value)?,
            "stdin" => self.stdin.extend(unescape(value)?),
            "env" => {
                for word in words(value)? {
                    let (name, v) = word.split_once('=').context("expected NAME=VALUE")?;
                    self.env.push((name.to_owned(), v.to_owned()));
                }
            }
            "flags" => self.flags = words(value)?,
            "libs" => self.libs = words(value)?,
            "sanitize" => self.sanitize = words(value)?,
            "expect" => self.expect = Some(expect(value)?),
            "check" => self.check = Some(value.to_owned()),
            "limit" => self.limit = words(value)?,
            "machines" => self.machines = Some(words(value)?),
            "native" => self.native = Some(value.to_owned()),
            _ => bail!("unknown annotation `{key}`"),
        }
        Ok(())
    }
}

/// `// key: value` with one lower-case word as key; other comment lines are prose.
fn split(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.strip_prefix("// ")?.split_once(": ")?;
    key.chars().all(|c| c.is_ascii_lowercase()).then_some((key, value.trim_end()))
}

fn expect(value: &str) -> Result<Expect> {
    let [what, kinds, line] = value.split(' ').collect::<Vec<_>>()[..] else {
        bail!("expected `trap KIND LINE`");
    };
    if what != "trap" {
        bail!("expected `trap KIND LINE`");
    }
    Ok(Expect { kinds: kinds.split('|').map(str::to_owned).collect(), line: line.parse().context("bad line number")? })
}

/// Splits as a shell does: blanks separate, quotes group, a backslash outside single quotes takes the next character.
fn words(text: &str) -> Result<Vec<String>> {
    let mut all = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    let mut quote = None;
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\\', None | Some('"')) => {
                word.get_or_insert_default().push(chars.next().context("backslash at the end")?);
            }
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, Some(q)) if c == q => quote = None,
            (c, None) if c.is_whitespace() => all.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        bail!("open quote");
    }
    all.extend(word);
    Ok(all)
}

/// `\n`, `\t`, `\r`, `\0`, `\\` and `\xHH` in a text become bytes.
fn unescape(text: &str) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.extend(&rest.as_bytes()[..at]);
        let escape = rest[at + 1..].chars().next().context("backslash at the end")?;
        let mut used = 2;
        match escape {
            'n' => out.push(b'\n'),
            't' => out.push(b'\t'),
            'r' => out.push(b'\r'),
            '0' => out.push(0),
            '\\' => out.push(b'\\'),
            'x' => {
                let digits = rest.get(at + 2..at + 4).context("\\x wants two digits")?;
                out.push(u8::from_str_radix(digits, 16)?);
                used = 4;
            }
            other => bail!("unknown escape \\{other}"),
        }
        rest = &rest[at + used..];
    }
    out.extend(rest.as_bytes());
    Ok(out)
}
