//! What the crates share of certificates: where one lies, and what a solver is asked to confirm it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The folder of certificates, below the output directory.
pub const FOLDER: &str = "proofs";
/// The certificate of all objectives that were decided because every path is known.
pub const PATHS: &str = "proofs/paths.json";
/// The certificate of all local paths whose conditions exclude each other.
pub const GUARDS: &str = "proofs/guards.json";
/// Longer names are cut: file systems take 255 bytes.
const LONGEST: usize = 120; // not tuning: names of files

/// Questions to an SMT solver, each of which must be answered `unsat`. A question is the text between `push` and `pop`
/// behind the prelude, without `check-sat`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Script {
    /// The logic, declarations and definitions.
    pub prelude: String,
    /// Each must be unsatisfiable.
    pub questions: Vec<Question>,
}

/// One question of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// SMT-LIB, without `check-sat`.
    pub text: String,
    /// What is asked, to be read behind "it does not hold that".
    pub words: String,
    /// What the question leaves open that the program does not, in words: an answer `sat` refutes nothing then.
    pub free: Vec<String>,
}

/// The inputs of runs that took all paths which can lead to the objectives. Who checks it runs the program with them and
/// asks a solver about each way that none of them took.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Paths {
    /// The version of this form.
    pub schema: u32,
    /// For people who open the file.
    pub about: String,
    /// For each run the inputs that it read: a sort and bits, by name.
    pub runs: Vec<BTreeMap<String, String>>,
}

/// Local paths whose conditions exclude each other. Who checks it collects these conditions from the program once more and
/// asks a solver about them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Guards {
    /// The version of this form.
    pub schema: u32,
    /// For people who open the file.
    pub about: String,
    /// The ids of the objectives.
    pub paths: Vec<String>,
}

/// Where the certificate of an objective lies, below the output directory. Different ids give different names.
pub fn file(objective: &str) -> PathBuf {
    let mut name = String::new();
    for c in objective.chars() {
        match c {
            c if c.is_ascii_alphanumeric() || c == '_' || c == '-' => name.push(c),
            ':' => name.push('.'),
            c => {
                let mut buffer = [0; 4];
                c.encode_utf8(&mut buffer).bytes().for_each(|byte| name.push_str(&format!("~{byte:02x}")));
            }
        }
    }
    if name.len() > LONGEST {
        name = format!("{}~~{:016x}", &name[..LONGEST], fnv(objective));
    }
    PathBuf::from(FOLDER).join(format!("{name}.smt2"))
}

/// Fowler, Noll and Vo's hash, which is the same everywhere.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_plain_and_distinct() {
        assert_eq!(file("f:12:5:true"), PathBuf::from("proofs/f.12.5.true.smt2"));
        assert_eq!(file("f:1:2:case-'+'"), PathBuf::from("proofs/f.1.2.case-~27~2b~27.smt2"));
        assert_ne!(file("f:1:2:case-'+'"), file("f:1:2:case-'-'"));
        let long = format!("f:1:2:case-{}", "(A".repeat(200));
        assert!(file(&long).as_os_str().len() < 200);
        assert_ne!(file(&long), file(&format!("{long}B")));
    }
}
