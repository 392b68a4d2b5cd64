//! The programs of the first table, in as many copies as asked for.
//!
//! Each copy has an array of eight and scalars of its own, all globals, so that a thousand copies are a thousand small
//! objects and no parameter list gets out of hand. The scalars are read into locals once where the loop changes them,
//! as a parameter would be. That a size stays within its array is stated by `--assume`, not by code, because code
//! would add branches.

use std::fmt::Write;

/// What the copies do and how they are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    /// One loop after the other, each with a helper that checks the index once more.
    Scan,
    /// Zeros are counted, one loop after the other.
    ValvesRep,
    /// As before, but each further copy stands where the count of the one before is too high.
    ValvesNest,
}

#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) function: &'static str,
    pub(crate) text: String,
    pub(crate) options: Vec<String>,
}

/// The elements of an array, and so the most that its size may say.
const LENGTH: usize = 8;
/// Of the valves so many may fail.
const TOLERANCE: usize = 3;
/// clang takes 256 nested braces without being told.
const MOST_BRACES: usize = 200;

impl Family {
    pub(crate) const ALL: [Self; 3] = [Self::Scan, Self::ValvesRep, Self::ValvesNest];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Scan => "scan",
            Self::ValvesRep => "valves_rep",
            Self::ValvesNest => "valves_nest",
        }
    }

    /// Of one copy: branches that can be covered, and branches that cannot.
    pub(crate) fn branches(self) -> (u64, u64) {
        match self {
            Self::Scan => (6, 2),
            Self::ValvesRep | Self::ValvesNest => (6, 0),
        }
    }

    pub(crate) fn program(self, copies: usize) -> Program {
        let mut text = String::new();
        let mut options: Vec<String> =
            (1..=copies).flat_map(|n| ["--assume".to_owned(), format!("size{n}<={LENGTH}")]).collect();
        if self == Self::ValvesNest && copies > MOST_BRACES {
            options.push(format!("--cflag=-fbracket-depth={}", copies + 100));
        }
        let function = if self == Self::Scan { "scan" } else { "valves" };
        // Writing to a string cannot fail.
        let _ = match self {
            Self::Scan => scan(&mut text, copies),
            Self::ValvesRep => valves(&mut text, copies, false),
            Self::ValvesNest => valves(&mut text, copies, true),
        };
        Program { name: format!("{}{copies}", self.name()), function, text, options }
    }
}

fn scan(out: &mut String, copies: usize) -> std::fmt::Result {
    writeln!(out, "#include <stdlib.h>\n")?;
    for n in 1..=copies {
        writeln!(
            out,
            "int values{n}[{LENGTH}];\nint size{n};\nint start{n};\n\n\
             static int inspect{n}(const int *values, int size, int at)\n{{\n    if (at < 0 || at >= size)\n        \
             exit(1);\n    return values[at];\n}}\n"
        )?;
    }
    writeln!(out, "unsigned scan(void);\nunsigned scan(void)\n{{\n    unsigned sum = 0;\n    int at;")?;
    for n in 1..=copies {
        writeln!(
            out,
            "\n    at = start{n};\n    while (at >= 0 && at < size{n}) {{\n        \
             sum += (unsigned)inspect{n}(values{n}, size{n}, at);\n        at = at + 1;\n    }}"
        )?;
    }
    writeln!(out, "    return sum;\n}}")
}

fn valves(out: &mut String, copies: usize, nested: bool) -> std::fmt::Result {
    for n in 1..=copies {
        writeln!(out, "int values{n}[{LENGTH}];\nunsigned size{n};\n")?;
    }
    writeln!(out, "int valves(void);\nint valves(void)\n{{\n    int alarms = 0;\n    int failed;\n    unsigned left;")?;
    for n in 1..=copies {
        writeln!(
            out,
            "\n    failed = 0;\n    left = size{n};\n    while (left != 0) {{\n        left--;\n        \
             if (values{n}[left] == 0)\n            failed++;\n    }}\n    if (failed > {TOLERANCE}) {{\n        \
             alarms++;"
        )?;
        if !nested {
            writeln!(out, "    }}")?;
        }
    }
    if nested {
        writeln!(out, "{}", "}".repeat(copies))?;
    }
    writeln!(out, "    return alarms;\n}}")
}

impl Program {
    /// The text with a head that says how to run it.
    pub(crate) fn file(&self) -> String {
        format!("// function: {}\n// options: {}\n{}", self.function, self.options.join(" "), self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_in_sequence_or_nested() {
        let deepest = |family: Family| {
            let (mut depth, mut most) = (0, 0);
            for c in family.program(5).text.chars() {
                depth += i32::from(c == '{') - i32::from(c == '}');
                most = most.max(depth);
            }
            assert_eq!(depth, 0, "{family:?}");
            most
        };
        assert_eq!(Family::ALL.map(deepest), [2, 2, 6]);
    }

    #[test]
    fn each_copy_has_its_conditions_and_its_assumption() {
        for family in Family::ALL {
            let program = family.program(7);
            let conditions = program.text.matches("if (").count()
                + program.text.matches("while (").count()
                + program.text.matches(" && ").count()
                + program.text.matches(" || ").count();
            let (covered, infeasible) = family.branches();
            assert_eq!(2 * conditions as u64, 7 * (covered + infeasible), "{family:?}");
            assert_eq!(program.options.iter().filter(|o| *o == "--assume").count(), 7);
        }
    }

    #[test]
    fn clang_is_told_of_many_braces() {
        let told = |copies| Family::ValvesNest.program(copies).options.iter().any(|o| o.contains("bracket-depth"));
        assert!(!told(100));
        assert!(told(1000));
    }
}
