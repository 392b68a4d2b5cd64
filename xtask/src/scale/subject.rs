//! A project of many functions: small ones of a few kinds, with numbers of their own, that call each other across files.

use anyhow::Result;
use std::fmt::Write;
use std::fs;
use std::path::Path;

const HEADER: &str = "\
#ifndef PARTS_H
#define PARTS_H
struct item { int kind; int weight; unsigned char tags[4]; };
struct queue { struct item items[4]; unsigned count; int limit; };
";

/// Numbers that look like chance and are the same each time.
struct Lots(u64);

impl Lots {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most.max(1)
    }
}

/// So many functions in so many files below `root/src`, with `compile_commands.json`.
pub(crate) fn write(root: &Path, functions: usize, files: usize) -> Result<()> {
    let files = files.clamp(1, functions.max(1));
    fs::create_dir_all(root.join("src"))?;
    let mut header = HEADER.to_owned();
    for number in 0..functions {
        let _ = writeln!(header, "{};", head(number));
    }
    header.push_str("#endif\n");
    fs::write(root.join("src/parts.h"), header)?;
    let mut commands = Vec::new();
    for file in 0..files {
        let name = format!("src/part_{file:03}.c");
        let mut text = String::from("#include \"parts.h\"\n#include <stddef.h>\n");
        // Each file has functions from all over, so that calls go across files.
        for number in (file..functions).step_by(files) {
            let _ = write!(text, "\n{}\n{{\n{}}}\n", head(number), body(number));
        }
        fs::write(root.join(&name), text)?;
        commands.push(serde_json::json!({ "directory": root, "file": name, "arguments": ["cc", "-c", name] }));
    }
    fs::write(root.join("compile_commands.json"), serde_json::to_string(&commands)?)?;
    Ok(())
}

fn head(number: usize) -> String {
    match number % 5 {
        0 => format!("int rate_{number}(int price, int amount)"),
        1 => format!("int sum_{number}(const int *values, unsigned count)"),
        2 => format!("int step_{number}(int state, unsigned char input)"),
        3 => format!("int admit_{number}(struct queue *queue, int kind, int weight)"),
        _ => format!("int decide_{number}(int left, int right)"),
    }
}

fn body(number: usize) -> String {
    let mut lots = Lots(number as u64 + 1);
    let (a, b, c) = (lots.below(1000), 1000 + lots.below(1000), lots.below(90) + 5);
    match number % 5 {
        0 => format!(
            "    if (price < 0 || amount <= 0)\n        return -1;\n    if (price > {b} && amount > {c})\n        return price - {a};\n    \
             return price == {a} ? amount : price;\n"
        ),
        1 => format!(
            "    int sum = 0;\n    if (values == NULL || count > 8)\n        return -1;\n    for (unsigned i = 0; i < count; i++) {{\n        \
             if (values[i] < 0 || values[i] > {b})\n            return -2;\n        sum += values[i];\n    }}\n    return sum > {a};\n"
        ),
        2 => format!(
            "    switch (state) {{\n    case 0:\n        return input == {c} ? 1 : 0;\n    case 1:\n        return input < {c} ? 2 : 1;\n    \
             case 2:\n        return input % 2 == 0 && input > {c} ? 3 : 0;\n    default:\n        return -1;\n    }}\n"
        ),
        3 => format!(
            "    if (queue == NULL || queue->count >= 4)\n        return 0;\n    if (weight < 0 || weight > queue->limit)\n        \
             return 0;\n    if (kind == {c} && queue->count > 2)\n        return 0;\n    queue->items[queue->count].kind = kind;\n    \
             queue->items[queue->count].weight = weight;\n    queue->count++;\n    return 1;\n"
        ),
        // Of one before, in another file.
        _ => {
            let (rate, step) = (number - 4, number - 2);
            format!(
                "    if (left > right && rate_{rate}(left & 1023, {c}) > 0)\n        return step_{step}(left % 4, (unsigned char)right);\n    \
                 return left + {a} < right / 2;\n"
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_is_written_once() {
        let home = tempfile::tempdir().unwrap();
        write(home.path(), 23, 4).unwrap();
        let texts: String =
            (0..4).map(|file| fs::read_to_string(home.path().join(format!("src/part_{file:03}.c"))).unwrap()).collect();
        for number in 0..23 {
            assert_eq!(texts.matches(&format!("{}\n{{", head(number))).count(), 1, "{number}");
        }
    }
}
