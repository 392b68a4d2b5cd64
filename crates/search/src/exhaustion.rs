//! Certificates of "all paths are known": the inputs of runs that took them. The inputs themselves prove nothing: who checks such
//! a proof follows all paths of the program anew.

use std::collections::BTreeMap;
use std::rc::Rc;

use covenant_constraints::{Model, Sort, Terms, Value};
use covenant_goals::certificate::Paths;
use covenant_goals::{Ledger, Verdict};

/// Who says that all paths are known.
pub const EXHAUSTION: &str = "exhaustion";
const SCHEMA: u32 = 1; // not tuning: a format
/// Of more runs there is no certificate: nobody wants to check it.
const MOST_RUNS: usize = 5_000; // not tuning: the size of a certificate
const ABOUT: &str = "Runs with these inputs take all paths that can lead to what `exhaustion` decided. `covenant check` follows \
                     all paths anew, by its own reading of the program, and has cvc5 confirm that none leads there.";

/// Whether runs with these inputs can be written down.
pub(crate) fn can_tell(taken: &[Rc<Model>]) -> bool {
    let has_bits = |inputs: &Rc<Model>| inputs.iter().all(|(_, value)| value.bits().is_some());
    taken.len() <= MOST_RUNS && taken.iter().all(has_bits)
}

/// The certificate of what was decided because these runs took all paths.
pub(crate) fn certificate(ledger: &Ledger, terms: &Terms, taken: &[Rc<Model>]) -> Option<Paths> {
    let decides =
        |verdict: &Verdict| matches!(verdict, Verdict::Infeasible(p) if p.by == EXHAUSTION && p.file.is_some());
    if !ledger.iter().any(|(_, _, verdict)| decides(verdict)) {
        return None;
    }
    let runs = taken.iter().map(|inputs| names(terms, inputs)).collect::<Option<Vec<_>>>()?;
    Some(Paths { schema: SCHEMA, about: ABOUT.to_owned(), runs })
}

fn names(terms: &Terms, inputs: &Model) -> Option<BTreeMap<String, String>> {
    let named = |(var, value): (_, &Value)| Some((terms.var_name(var).to_owned(), spell(terms.var_sort(var), value)?));
    inputs.iter().map(named).collect()
}

/// `bv32 1f`
fn spell(sort: Sort, value: &Value) -> Option<String> {
    let bits = value.bits()?;
    match sort {
        Sort::Bool => Some(format!("bool {bits:x}")),
        Sort::Bv(width) => Some(format!("bv{width} {bits:x}")),
        Sort::Float(kind) => Some(format!("float{} {bits:x}", kind.bits())),
        Sort::Array => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use covenant_constraints::FloatKind;

    #[test]
    fn values_are_written_with_their_sorts() {
        let cases = [
            (Sort::Bool, Value::Bool(true), "bool 1"),
            (Sort::Bv(32), Value::Bv(0xfffe), "bv32 fffe"),
            (Sort::Float(FloatKind::F64), Value::f64(1.5), "float64 3ff8000000000000"),
        ];
        for (sort, value, text) in cases {
            assert_eq!(spell(sort, &value).as_deref(), Some(text));
        }
    }
}
