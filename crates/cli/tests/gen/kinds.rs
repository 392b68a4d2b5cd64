//! The kinds of reasons: what is a limit of ours is `model`, and `unsupported` names a construct with its line.

use super::notes::Notes;
use super::{generate, objectives, report};
use anyhow::{Context, Result, ensure};

/// A name, the code of `f`, options, a kind, and what the words must have.
pub(crate) type Case = (&'static str, &'static str, &'static [&'static str], &'static str, &'static str);

pub(crate) const CASES: &[Case] = &[
    (
        "computed_goto",
        "int f(int x)\n{\n    static void *const ways[] = {&&a, &&b};\n    goto *ways[x & 1];\na:\n    return 1;\nb:\n    return 2;\n}\n",
        &["-c", "local-path"],
        "unsupported",
        "a computed goto in line 4",
    ),
    (
        "step_limit",
        "int f(int x)\n{\n    for (int i = 0; i < 100000; i++)\n        x = x * 3 + 1;\n    return x;\n}\n",
        &["-s", "dfs", "--max-steps", "2000", "--no-replay"],
        "model",
        "the step limit; see --max-steps",
    ),
    (
        "device_without_a_word",
        "int f(void)\n{\n    return *(volatile unsigned *)0x40021004u == 7 ? 1 : 0;\n}\n",
        &[],
        "model",
        "--device 0x40021004:4 says that a device is there",
    ),
    (
        "device_without_volatile",
        "int f(void)\n{\n    return *(unsigned *)0x40021004u == 7 ? 1 : 0;\n}\n",
        &["--device", "0x40021000:8"],
        "model",
        "without `volatile`",
    ),
    (
        "device_on_no_host",
        "int f(void)\n{\n    return *(volatile unsigned char *)0x25u == 7 ? 1 : 0;\n}\n",
        &[],
        "model",
        "no host maps anything there",
    ),
    (
        "memory_limit",
        "#include <stdlib.h>\nint f(int x)\n{\n    for (;;) {\n        char *p = malloc(1 << 20);\n        if (p == NULL)\n            \
         return 1;\n        p[0] = 1;\n        if (x == 4)\n            return 2;\n    }\n}\n",
        &["-s", "dfs", "--memory", "4M", "--no-replay", "--failures", "none"],
        "model",
        "memory",
    ),
];

pub(crate) fn check((_, code, options, kind, words): &Case) -> Result<()> {
    let home = tempfile::tempdir()?;
    let file = home.path().join("f.c");
    std::fs::write(&file, code)?;
    let notes = Notes {
        function: "f".to_owned(),
        options: options.iter().map(|&option| option.to_owned()).collect(),
        ..Notes::default()
    };
    let report = report(&generate(&file, &notes, home.path(), "60s", &[])?)?;
    let open: Vec<_> = objectives(&report).iter().filter(|o| o["verdict"] == "unknown").collect();
    let first = open.first().context("nothing is open")?;
    let reason = first["reason"].as_str().unwrap_or_default();
    ensure!(first["kind"] == *kind, "{}, expected {kind}: {reason}", first["kind"]);
    ensure!(reason.contains(words), "no `{words}`: {reason}");
    Ok(())
}
