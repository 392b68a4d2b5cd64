//! `covenant.toml`: options of `gen` for a project, and for single functions.
//!
//! ```toml
//! timeout = "30s"                 # for every function
//! suite = ["cmocka"]
//! exclude = ["tests", "third_party"]   # folders and files that --all leaves out
//!
//! [function.parse]                # for this one
//! assume = ["n <= 64", "text != 0"]
//! length = { text = "n + 1" }
//! stub = { read_byte = "any" }
//!
//! [function.usage]
//! skip = true                     # not with --all
//! ```
//! The keys are the long options of `covenant gen`, so the file knows what the command line knows. Options on the command
//! line win over the file, those of a function over those of all. A mistake is told with its line.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use clap::{ArgAction, CommandFactory, Parser};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::args::{Arguments, GenArgs};
use crate::places;

pub(crate) const NAME: &str = "covenant.toml";
/// Options that say where and what, which a file about many functions cannot.
const NOT_IN_FILES: &[&str] = &[
    "help",
    "version",
    "out",
    "function",
    "config",
    "no-config",
    "all",
    "existing",
    "since",
    "json",
    "color",
    "fresh",
    "partition",
    "on",
    "creds",
    "tlsca",
    "tlscert",
    "tlskey",
    "tied",
    "within",
    "part",
    "write-contracts",
];

#[derive(Debug)]
pub(crate) struct Config {
    path: PathBuf,
    text: String,
    general: Vec<Entry>,
    functions: Vec<(String, Section)>,
    /// Relative to the file's own folder.
    exclude: Vec<String>,
}

#[derive(Debug, Default)]
struct Section {
    /// Of its name.
    span: Range<usize>,
    entries: Vec<Entry>,
    skip: bool,
}

/// An option and its values as the command line has them, with their places.
#[derive(Debug)]
struct Entry {
    key: String,
    values: Vec<(String, Range<usize>)>,
}

impl Config {
    /// The file that is named, or the nearest `covenant.toml` from here upwards.
    pub(crate) fn find(args: &GenArgs) -> Result<Option<Config>> {
        if args.project_wide.no_config {
            return Ok(None);
        }
        let Some(path) = place(args) else { return Ok(None) };
        let text = std::fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
        Config::read(&path, text).map(Some)
    }

    fn read(path: &Path, text: String) -> Result<Config> {
        let mut config =
            Config { path: path.to_path_buf(), text, general: Vec::new(), functions: Vec::new(), exclude: Vec::new() };
        let text = config.text.clone();
        let table =
            DeTable::parse(&text).map_err(|error| config.mistake(error.span().unwrap_or(0..0), error.message()))?;
        for (key, value) in table.get_ref() {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("function", DeValue::Table(functions)) => {
                    for (name, section) in functions {
                        let section = Section { span: name.span(), ..config.section(section)? };
                        config.functions.push((name.get_ref().to_string(), section));
                    }
                }
                ("exclude", _) => {
                    let values = config.values("exclude", value, false)?;
                    config.exclude = values.into_iter().map(|(path, _)| path).collect();
                }
                ("function", _) => {
                    return Err(config.mistake(key.span(), "functions have tables: `[function.NAME]`"));
                }
                (name, _) => {
                    let entry = config.entry(name, key.span(), value)?;
                    config.general.push(entry);
                }
            }
        }
        Ok(config)
    }

    fn section(&self, section: &Spanned<DeValue<'_>>) -> Result<Section> {
        let DeValue::Table(table) = section.get_ref() else {
            return Err(self.mistake(section.span(), "a function has a table: `[function.NAME]`"));
        };
        let mut found = Section::default();
        for (key, value) in table {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("skip", DeValue::Boolean(skip)) => found.skip = *skip,
                ("skip", _) => return Err(self.mistake(value.span(), "`skip` is true or false")),
                (name, _) => found.entries.push(self.entry(name, key.span(), value)?),
            }
        }
        Ok(found)
    }

    /// Checks one key with the parser of the command line itself.
    fn entry(&self, key: &str, at: Range<usize>, value: &Spanned<DeValue<'_>>) -> Result<Entry> {
        let command = GenCommand::command();
        let known = |name: &str| command.get_arguments().find(|arg| arg.get_long() == Some(name));
        let Some(arg) = known(key).filter(|_| !NOT_IN_FILES.contains(&key)) else {
            let names = command.get_arguments().filter_map(|arg| arg.get_long());
            let close =
                names.filter(|name| !NOT_IN_FILES.contains(name)).min_by_key(|name| strsim::levenshtein(name, key));
            let hint =
                close.filter(|name| strsim::levenshtein(name, key) <= 3).map(|name| format!("; is it `{name}`?"));
            return Err(self.mistake(at, &format!("there is no option `{key}`{}", hint.unwrap_or_default())));
        };
        let is_flag = matches!(arg.get_action(), ArgAction::SetTrue);
        let values = self.values(key, value, is_flag)?;
        let mut words = vec!["gen".to_owned(), "x.c".to_owned()];
        let entry = Entry { key: key.to_owned(), values };
        words.extend(entry.words());
        match GenCommand::try_parse_from(words) {
            Ok(_) => Ok(entry),
            Err(error) => {
                let message = error.to_string();
                let first = message.lines().next().unwrap_or_default().trim_start_matches("error: ");
                Err(self.mistake(value.span(), first))
            }
        }
    }

    fn values(&self, key: &str, value: &Spanned<DeValue<'_>>, is_flag: bool) -> Result<Vec<(String, Range<usize>)>> {
        let at = value.span();
        match (value.get_ref(), is_flag) {
            (DeValue::Boolean(true), true) => Ok(vec![(String::new(), at)]),
            (DeValue::Boolean(false), true) => Ok(Vec::new()),
            (_, true) => Err(self.mistake(at, &format!("`{key}` is true or false"))),
            (DeValue::String(text), false) => Ok(vec![(text.to_string(), at)]),
            (DeValue::Integer(number), false) => Ok(vec![(number.as_str().to_owned(), at)]),
            (DeValue::Array(list), false) => {
                let mut all = Vec::new();
                for item in list {
                    all.extend(self.values(key, item, false)?);
                }
                Ok(all)
            }
            // `length = { text = "n" }` is --length text=n.
            (DeValue::Table(pairs), false) => {
                let mut all = Vec::new();
                for (name, value) in pairs {
                    for (text, at) in self.values(key, value, false)? {
                        all.push((format!("{}={text}", name.get_ref()), at));
                    }
                }
                Ok(all)
            }
            _ => Err(self.mistake(at, &format!("`{key}` cannot have a value of this kind"))),
        }
    }

    fn entries(&self, function: &str, given: &BTreeSet<String>) -> impl Iterator<Item = &Entry> {
        let own = self.functions.iter().find(|(name, _)| name == function).map(|(_, section)| section);
        let own = own.map(|section| section.entries.as_slice()).unwrap_or_default();
        let general = self.general.iter().filter(|entry| !own.iter().any(|o| o.key == entry.key));
        general.chain(own).filter(|entry| !given.contains(&entry.key))
    }

    /// What stands in the file for a function, as words of the command line; `given` are options that are there already.
    pub(crate) fn words(&self, function: &str, given: &BTreeSet<String>) -> Vec<String> {
        self.entries(function, given).flat_map(Entry::words).collect()
    }

    /// What a function's own table says of an option, unless it is given already.
    pub(crate) fn own(&self, function: &str, key: &str, given: &BTreeSet<String>) -> Option<&str> {
        let (_, section) = self.functions.iter().find(|(name, _)| name == function)?;
        let entry = section.entries.iter().find(|entry| entry.key == key && !given.contains(key))?;
        entry.values.first().map(|(value, _)| value.as_str())
    }

    /// The functions that have tables, with the place of each.
    pub(crate) fn sections(&self) -> impl Iterator<Item = (String, &str)> {
        self.functions.iter().map(|(name, section)| {
            let (line, column) = self.place(section.span.start);
            (format!("{}:{line}:{column}", self.path.display()), name.as_str())
        })
    }

    /// An error that is about a C expression of this file points at its line.
    pub(crate) fn explain(&self, error: anyhow::Error, function: &str, given: &BTreeSet<String>) -> anyhow::Error {
        let message = format!("{error:#}");
        let in_c = |entry: &&Entry| ["assume", "length", "precondition"].contains(&entry.key.as_str());
        let guilty = self.entries(function, given).filter(in_c).find_map(|entry| {
            let is_meant = |value: &str| match value.split_once('=').filter(|_| entry.key == "length") {
                Some((pointer, text)) => message.contains(text) || message.contains(&format!("--length {pointer}:")),
                None => message.contains(value),
            };
            entry.values.iter().find(|(value, _)| is_meant(value)).map(|(_, at)| (entry, at))
        });
        match guilty {
            Some((entry, at)) => self.mistake(at.clone(), &format!("`{}` is not right here\n{message}", entry.key)),
            None => error,
        }
    }

    /// Whether `--all` leaves a file out.
    pub(crate) fn excludes(&self, file: &Path) -> bool {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let (Ok(folder), Ok(file)) = (folder.canonicalize(), file.canonicalize()) else { return false };
        self.exclude.iter().any(|path| file.starts_with(folder.join(path)))
    }

    pub(crate) fn skips(&self, function: &str) -> bool {
        self.functions.iter().any(|(name, section)| name == function && section.skip)
    }

    /// Line and column, from 1.
    fn place(&self, at: usize) -> (usize, usize) {
        let before = &self.text[..at.min(self.text.len())];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        (before.matches('\n').count() + 1, before.len() - start + 1)
    }

    /// `covenant.toml:3:11: ...` with the line and a mark below it.
    fn mistake(&self, span: Range<usize>, message: &str) -> anyhow::Error {
        let (line, column) = self.place(span.start);
        let source = self.text.lines().nth(line - 1).unwrap_or_default();
        let width = span.len().min((source.len() + 1).saturating_sub(column)).max(1);
        let (first, more) = message.split_once('\n').unwrap_or((message, ""));
        let more = if more.is_empty() { String::new() } else { format!("\n{more}") };
        anyhow!(
            "{}:{line}:{column}: {first}\n{line:>5} | {source}\n      | {}{}{more}",
            self.path.display(),
            " ".repeat(column - 1),
            "^".repeat(width)
        )
    }
}

impl Entry {
    fn words(&self) -> Vec<String> {
        let word = |(value, _): &(String, _)| {
            if value.is_empty() { format!("--{}", self.key) } else { format!("--{}={value}", self.key) }
        };
        self.values.iter().map(word).collect()
    }
}

/// The file that is named, or the nearest one from here upwards.
pub(crate) fn place(args: &GenArgs) -> Option<PathBuf> {
    let here = std::env::current_dir().unwrap_or_default();
    let near = || here.ancestors().map(|folder| folder.join(NAME)).find(|path| path.is_file());
    args.project_wide.config.clone().or_else(near)
}

/// `gen` alone, to judge single options.
#[derive(Parser)]
struct GenCommand {
    #[command(flatten)]
    _gen: GenArgs,
}

/// The command line of `gen` with what covenant.toml adds, and its words.
pub(crate) fn expand(args: &GenArgs, words: Vec<String>) -> Result<(Box<GenArgs>, Vec<String>, Option<Config>)> {
    let config = Config::find(args)?;
    let name = places::function(args.function.as_deref()).map_or("main", |(_, name)| name);
    let added = config.as_ref().map(|config| config.words(name, &given(&words))).unwrap_or_default();
    // Behind `gen`, so that what the user wrote comes later and wins.
    let at = words.iter().position(|word| word == "gen").map_or(words.len(), |at| at + 1);
    let mut all = words;
    all.splice(at..at, added);
    Ok((parse(&all)?, all, config))
}

/// The arguments of `gen` that these words are.
pub(crate) fn parse(words: &[String]) -> Result<Box<GenArgs>> {
    let parsed = Arguments::try_parse_from(std::iter::once("covenant").chain(words.iter().map(String::as_str)))?;
    match parsed.command {
        crate::args::Command::Gen(args) => Ok(args),
        _ => Err(anyhow!("these are not the words of `covenant gen`")),
    }
}

/// The long names of the options that the command line has.
pub(crate) fn given(words: &[String]) -> BTreeSet<String> {
    let words = std::iter::once("covenant").chain(words.iter().map(String::as_str));
    let Ok(matches) = Arguments::command().try_get_matches_from(words) else { return BTreeSet::new() };
    let Some(("gen", matches)) = matches.subcommand() else { return BTreeSet::new() };
    let command = GenCommand::command();
    let from_user = |id: &str| matches.value_source(id) == Some(clap::parser::ValueSource::CommandLine);
    let ids = command.get_arguments().filter(|arg| from_user(arg.get_id().as_str()));
    ids.filter_map(|arg| arg.get_long().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Config> {
        Config::read(Path::new("covenant.toml"), text.to_owned())
    }

    #[track_caller]
    fn wrong(text: &str, expected: &str) {
        let message = read(text).unwrap_err().to_string();
        assert!(message.starts_with(expected), "{message}");
    }

    const GOOD: &str = "timeout = \"30s\"\nsuite = [\"cmocka\", \"c\"]\nno-replay = true\narray-len = 8\n\n\
        [function.parse]\nassume = [\"n <= 64\", \"s != 0\"]\nlength = { s = \"n + 1\" }\nstub = { get = \"any\" }\n\
        timeout = \"2m\"\n\n[function.usage]\nskip = true\n";

    #[test]
    fn options_of_all_and_of_one() {
        let config = read(GOOD).unwrap();
        let none = BTreeSet::new();
        let expected = ["--array-len=8", "--no-replay", "--suite=c", "--suite=cmocka", "--timeout=30s"];
        let found: BTreeSet<String> = config.words("other", &none).into_iter().collect();
        assert_eq!(found, expected.map(str::to_owned).into());
        let words = config.words("parse", &none);
        assert!(
            words.contains(&"--timeout=2m".to_owned()) && !words.contains(&"--timeout=30s".to_owned()),
            "{words:?}"
        );
        assert!(words.contains(&"--length=s=n + 1".to_owned()) && words.contains(&"--assume=s != 0".to_owned()));
        let given = BTreeSet::from(["timeout".to_owned()]);
        assert!(!config.words("parse", &given).iter().any(|word| word.starts_with("--timeout")));
        assert!(config.skips("usage") && !config.skips("parse"));
    }

    #[test]
    fn mistakes_point_at_their_line() {
        wrong(
            "timeout = \"30s\"\ntimout = \"1s\"\n",
            "covenant.toml:2:1: there is no option `timout`; is it `timeout`?\n    2 | timout = \"1s\"\n      | ^^^^^^",
        );
        wrong("[function.f]\ntimeout = \"soon\"\n", "covenant.toml:2:11: invalid value 'soon' for '--timeout <DUR>'");
        wrong("x = \n", "covenant.toml:1:");
        wrong("function = 3\n", "covenant.toml:1:1: functions have tables");
        wrong("[function.f]\nskip = \"yes\"\n", "covenant.toml:2:8: `skip` is true or false");
        wrong("no-replay = 3\n", "covenant.toml:1:13: `no-replay` is true or false");
        wrong("out = \"x\"\n", "covenant.toml:1:1: there is no option `out`");
    }

    #[test]
    fn the_command_line_is_seen() {
        let words = ["gen", "a.c", "-f", "g", "--timeout", "5s"].map(str::to_owned);
        let given = given(&words);
        assert!(given.contains("timeout") && given.contains("function") && !given.contains("suite"), "{given:?}");
    }
}
