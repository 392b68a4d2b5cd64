//! What makes the results of a function invalid, and what does not.

use std::collections::BTreeMap;

use clap::Parser;

use super::*;

const LOW: &str = "int limit = 10;\nint low(int x) { return x < limit ? 1 : 0; }\n";
const HIGH: &str = "\
#define MOST 64
int low(int x);
extern const int border;
static int half(int x) { return x / 2; }
static const char *const words[] = { \"one\", \"two\" };
int high(int x) { if (low(x)) return 0; return half(x) > 50; }
const char *word(int i) { return i < 2 ? words[i] : \"none\"; }
int beyond(int x) { return x > border; }
int call(int (*f)(int), int x) { return f(x) > 0; }
int valid(int x) { return x > 3; }
";
const BORDER: &str = "const int border = 5;\n";

/// The keys of all functions, by name. `options` are words of the command line, `config` is a covenant.toml.
fn keys(files: [&str; 3], options: &[&str], config: &str, build: &str) -> BTreeMap<String, String> {
    // Paths are part of keys.
    let home = std::env::temp_dir().join(format!("covenant-keys-{}", std::process::id()));
    let home = home.join(std::thread::current().name().unwrap_or_default().replace(':', "-"));
    std::fs::create_dir_all(&home).unwrap();
    let names = ["low.c", "high.c", "border.c"].map(|name| home.join(name));
    for (name, text) in names.iter().zip(files) {
        std::fs::write(name, text).unwrap();
    }
    std::fs::write(home.join("covenant.toml"), config).unwrap();
    let words: Vec<String> = ["gen", "--all"].iter().chain(options).map(|word| (*word).to_owned()).collect();
    let config_option = format!("--config={}", home.join("covenant.toml").display());
    let given = std::iter::once("covenant".to_owned()).chain(words.clone()).chain([config_option]);
    let Command::Gen(args) = Arguments::try_parse_from(given).unwrap().command else { panic!("not gen") };
    let config = Config::find(&args).unwrap();
    let catalogue = Catalogue::new(&args, &names).unwrap();
    assert!(catalogue.rejected.is_empty(), "{:?}", catalogue.rejected);
    let own = own_words(&args, &words);
    let jobs = jobs(&catalogue, config.as_ref(), &own, &config::given(&words), (build, &home));
    let keys = jobs.iter().map(|job| (job.entry.name.clone(), job.key.clone())).collect();
    std::fs::remove_dir_all(&home).unwrap();
    keys
}

/// Results move with their project, and so do their keys.
#[test]
fn another_place() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path().canonicalize().unwrap();
    let key_in = |folder: &str| {
        let folder = home.join(folder);
        std::fs::create_dir_all(folder.join("include")).unwrap();
        std::fs::write(folder.join("covenant.toml"), "").unwrap();
        std::fs::write(folder.join("include/a.h"), "#define MOST 3\n").unwrap();
        std::fs::write(folder.join("a.c"), "#include \"a.h\"\nint a(int x) { return x < MOST; }\n").unwrap();
        let flag = format!("-I{}", folder.join("include").display());
        let words = ["covenant", "gen", "--all", &flag];
        let Command::Gen(args) = Arguments::try_parse_from(words).unwrap().command else { panic!("not gen") };
        let catalogue = Catalogue::new(&args, &[folder.join("a.c")]).unwrap();
        let own = own_words(&args, &words[1..].iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        let jobs = jobs(&catalogue, None, &own, &BTreeSet::new(), (identity::BUILD, &folder));
        jobs.iter().map(|job| job.key.clone()).collect::<Vec<_>>()
    };
    let (one, other) = (key_in("one"), key_in("some/other"));
    assert_eq!((one.len(), &one), (1, &other));
}

/// The functions whose results are no longer right after a change.
fn changed(files: [&str; 3], config: &str, after: ([&str; 3], &[&str], &str)) -> Vec<String> {
    let before = keys(files, &[], config, identity::BUILD);
    let after = keys(after.0, after.1, after.2, identity::BUILD);
    before.into_iter().filter(|(name, key)| after.get(name) != Some(key)).map(|(name, _)| name).collect()
}

const FILES: [&str; 3] = [LOW, HIGH, BORDER];
const ALL: [&str; 7] = ["beyond", "call", "half", "high", "low", "valid", "word"];

#[test]
fn nothing_has_changed() {
    assert!(changed(FILES, "", (FILES, &[], "")).is_empty());
}

#[test]
fn another_covenant() {
    let (before, after) = (keys(FILES, &[], "", identity::BUILD), keys(FILES, &[], "", "0.1.0 of other sources"));
    assert_eq!(before.len(), ALL.len());
    assert!(before.iter().all(|(name, key)| after[name] != *key));
    assert!(identity::BUILD.len() > "0.1.0 ".len(), "{}", identity::BUILD);
}

#[test]
fn a_callee_in_another_file() {
    let low = LOW.replace("? 1", "? 2");
    assert_eq!(changed(FILES, "", ([&low, HIGH, BORDER], &[], "")), ["high", "low"]);
}

#[test]
fn initial_values() {
    let low = LOW.replace("10", "11");
    assert_eq!(changed(FILES, "", ([&low, HIGH, BORDER], &[], "")), ["high", "low"]);
    let border = BORDER.replace('5', "6");
    assert_eq!(changed(FILES, "", ([LOW, HIGH, &border], &[], "")), ["beyond"]);
    // Behind a pointer in a table. Any function of the file may be called through a pointer.
    let high = HIGH.replace("\"two\"", "\"twu\"");
    assert_eq!(changed(FILES, "", ([LOW, &high, BORDER], &[], "")), ["call", "word"]);
}

#[test]
fn options_of_all_and_of_one() {
    assert_eq!(changed(FILES, "", (FILES, &["--array-len", "3"], "")), ALL);
    assert_eq!(changed(FILES, "", (FILES, &[], "array-len = 3\n")), ALL);
    assert_eq!(changed(FILES, "", (FILES, &[], "[function.low]\narray-len = 3\n")), ["low"]);
    assert_eq!(changed(FILES, "", (FILES, &["-DMORE"], "")), ALL);
}

#[test]
fn what_assumptions_speak_of() {
    let config = "[function.half]\nassume = [\"x < MOST\"]\n[function.high]\nprecondition = \"valid\"\n";
    let high = HIGH.replace("64", "65");
    assert_eq!(changed(FILES, config, ([LOW, &high, BORDER], &[], config)), ["half"]);
    let high = HIGH.replace("x > 3", "x > 4");
    assert_eq!(changed(FILES, config, ([LOW, &high, BORDER], &[], config)), ["call", "high", "valid"]);
}

#[test]
fn what_has_nothing_to_do_with_it() {
    // Numbers of functions, variables and literals move, names do not.
    let more = "int more(int x) { static int n; n += x; return n > 3 && \"text\"[n & 3] ? low(n) : 0; }\n";
    let high = format!("{}{more}", HIGH.replace("x / 2; }", "x / 2 + 0 * low(1); }"));
    assert_eq!(changed(FILES, "", ([LOW, &high, BORDER], &[], "")), ["call", "half", "high"]);
    let border = format!("{BORDER}int unused(void) {{ return 1; }}\n");
    assert!(changed(FILES, "", ([LOW, HIGH, &border], &[], "")).is_empty());
    // Comments behind the code.
    let low = format!("{}/* the end */\n", LOW.replace("0; }\n", "0; } // small\n"));
    assert_ne!(low.len(), LOW.len() + 14);
    assert!(changed(FILES, "", ([&low, HIGH, BORDER], &[], "")).is_empty());
}

#[test]
fn a_function_of_the_projects_header_is_listed_once() {
    let home = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = home.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    write("part.h", "#include <stdlib.h>\nstatic inline int part(int x) { return x > abs(7) ? 1 : 0; }\n");
    let files = [
        write("one.c", "#include \"part.h\"\nint one(int x) { return part(x); }\n"),
        write("two.c", "#include \"part.h\"\nint two(int x) { return part(x + 1); }\n"),
    ];
    let Command::Gen(args) = Arguments::try_parse_from(["covenant", "gen", "--all"]).unwrap().command else {
        panic!("not gen")
    };
    let catalogue = Catalogue::new(&args, &files).unwrap();
    let mut found: Vec<(&str, bool)> =
        catalogue.entries.iter().map(|entry| (entry.name.as_str(), entry.shown.ends_with("part.h"))).collect();
    found.sort_unstable();
    assert_eq!(found, [("one", false), ("part", true), ("two", false)]);
}
