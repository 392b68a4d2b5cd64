//! Certificates of small C functions without loops, where weakest preconditions are a proof, and what becomes of them when
//! somebody touches them.

use covenant_goals::VerdictKind;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use covenant_constraints::solver::{self, Query};
use covenant_constraints::{TermId, Terms};
use covenant_goals::{Objective, ObjectiveId};
use covenant_report::{SourceLines, write_proofs};
use covenant_transition::certificate::{self, Invariant, Story};
use covenant_transition::flow::{self, Flow, FlowOptions, LocationId};

use super::*;

const COULD_NOT_RUN: u8 = 2;
const CONTRADICTION: u8 = 3;
const SECOND: Duration = Duration::from_secs(10);

const NESTED: &str = "
#include \"limit.h\"
static int low(int x) { return x < LOW; }
int f(int x) {
  if (x > 5) {
    if (low(x))
      return 1;
    return 2;
  }
  return 3;
}
";

/// A directory as `gen` leaves it, with a certificate for each objective that the function `which` chooses.
struct Results {
    home: tempfile::TempDir,
    report: Report,
}

impl Results {
    fn new(assume: &[&str], which: fn(&Objective) -> bool) -> Results {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join("f.c"), NESTED).unwrap();
        std::fs::write(home.path().join("limit.h"), "#define LOW 3\n").unwrap();
        let mut request = Request { function: Some("f".to_owned()), ..Request::default() };
        request.sources.files.push("f.c".into());
        request.sources.directory = home.path().to_path_buf();
        request.assume = assume.iter().map(|expression| (*expression).to_owned()).collect();
        let loaded = subject::load(&request, &mut |_| {}).unwrap();
        let info = SubjectInfo {
            request: serde_json::to_value(&request).unwrap(),
            working_directory: home.path().to_path_buf(),
            ..loaded.info.clone()
        };
        let mut report = Report { assumptions: loaded.assumptions.clone(), ..Report::default() };
        report.subject.function.clone_from(&loaded.subject.function);
        let mut terms = Terms::new();
        let subject = &loaded.subject;
        let options = FlowOptions::of(subject, &loaded.inputs);
        let flow = flow::build(&mut terms, &subject.image, subject.entry, &subject.objectives, &options).unwrap();
        let mut proofs = Vec::new();
        for (index, objective) in loaded.subject.objectives.iter().enumerate().filter(|(_, o)| which(o)) {
            let id = ObjectiveId(index as u32);
            let text = prove(&mut terms, &flow, &loaded, objective, id);
            proofs.push((objective.id.clone(), text));
            report.objectives.push(ObjectiveEntry {
                id: objective.id.clone(),
                verdict: VerdictKind::Infeasible,
                proof: Some(covenant_goals::certificate::file(&objective.id).display().to_string()),
                ..ObjectiveEntry::default()
            });
        }
        write_proofs(home.path(), proofs.iter().map(|(id, text)| (id.as_str(), text.as_str()))).unwrap();
        files::write_subject(home.path(), &info).unwrap();
        Results { home, report }
    }

    /// The opinions, and the exit code that they mean.
    fn check(&self) -> Result<(Vec<Verdict>, u8)> {
        let options = CheckOptions { timeout: SECOND, ..CheckOptions::default() };
        let Outcome { verdicts, changed } = outcome(self.home.path(), &options, &self.report)?;
        let verdicts: Vec<Verdict> = verdicts.into_iter().map(|(_, verdict)| verdict).collect();
        let code = match changed {
            Some(_) => COULD_NOT_RUN,
            None if verdicts.iter().any(|v| matches!(v, Verdict::Refused(_))) => CONTRADICTION,
            None => u8::from(verdicts.iter().any(|v| matches!(v, Verdict::NotChecked(_)))),
        };
        Ok((verdicts, code))
    }

    fn proof(&self) -> PathBuf {
        self.home.path().join(self.report.objectives[0].proof.as_ref().unwrap())
    }

    /// The only verdict, after a change of the certificate.
    fn after(&self, from: &str, to: &str) -> Verdict {
        let text = std::fs::read_to_string(self.proof()).unwrap();
        assert!(text.contains(from), "{text}");
        std::fs::write(self.proof(), text.replace(from, to)).unwrap();
        let (mut verdicts, code) = self.check().unwrap();
        std::fs::write(self.proof(), text).unwrap();
        assert_eq!((verdicts.len(), code), (1, CONTRADICTION), "{verdicts:?}");
        verdicts.remove(0)
    }
}

/// What `x > 5` excludes.
fn infeasible(objective: &Objective) -> bool {
    objective.text == "low(x)" && objective.outcome.to_string() == "true"
}

fn prove(terms: &mut Terms, flow: &Flow, loaded: &Loaded, objective: &Objective, id: ObjectiveId) -> String {
    let mut invariant = Invariant::new();
    let targets: BTreeMap<LocationId, TermId> =
        flow.target(id).locations.iter().map(|&location| (location, terms.ff())).collect();
    assert!(!targets.is_empty());
    precondition(terms, flow, flow.root, &targets, &mut invariant);
    invariant.0.retain(|_, formula| *formula != terms.tt());
    let lines = SourceLines::new(loaded.info.files.iter().map(|file| file.absolute_directory()).collect());
    let story = Story {
        program: loaded.subject.image.program(),
        objective,
        prover: "weakest preconditions",
        assumptions: &loaded.assumptions,
        lines: &|file, line| lines.line(file, line),
    };
    let index = certificate::Index::new(terms, story.program, flow);
    certificate::write(terms, flow, &index, &invariant, &story)
}

/// What must hold at a location so that no target is reached from there, and at all locations behind it.
fn precondition(
    terms: &mut Terms,
    flow: &Flow,
    at: LocationId,
    targets: &BTreeMap<LocationId, TermId>,
    invariant: &mut Invariant,
) -> TermId {
    if let Some(&known) = invariant.0.get(&at).or(targets.get(&at)) {
        invariant.set(at, known);
        return known;
    }
    let mut all = terms.tt();
    for &id in &flow.locations[at].out {
        let edge = &flow.edges[id];
        let after = precondition(terms, flow, edge.to, targets, invariant);
        let map = edge.assign.iter().map(|&(var, term)| (terms.var_term(var), term)).collect();
        let after = terms.substitute(after, &map);
        let guard = terms.and_all(edge.guard.iter().copied());
        let holds = terms.implies(guard, after);
        // Choices may have any value, so what is said about them must be true.
        let chosen = terms.variables(&[holds]).into_iter().any(|var| !flow.is_state(var));
        let holds = if chosen && is_valid(terms, holds) { terms.tt() } else { holds };
        all = terms.and(all, holds);
    }
    invariant.set(at, all);
    all
}

fn is_valid(terms: &mut Terms, formula: TermId) -> bool {
    let goal = terms.not(formula);
    let query = Query { path: &[], goal, steps: covenant_constraints::solver::Steps::like(SECOND), hint: None };
    solver::stack(&solver::Options::default()).solve(terms, &query).is_unsat()
}

#[test]
fn a_proof_is_confirmed_and_what_was_touched_is_refused() {
    let results = Results::new(&[], infeasible);
    let text = std::fs::read_to_string(results.proof()).unwrap();
    assert!(text.contains("; f.c:6 in f: if (low(x))\n"), "{text}");
    assert!(text.contains(" ; x on entry\n"), "{text}");
    assert_eq!(results.check().unwrap(), (vec![Verdict::Confirmed], 0));
    let refused = |verdict: Verdict, words: &str| match verdict {
        Verdict::Refused(why) => assert!(why.contains(words), "{why}"),
        other => panic!("{other:?}"),
    };
    refused(results.after("#x00000002", "#x00000001"), "it does not hold that the step");
    refused(results.after("Bool false)", "Bool true)"), "is not `false`");
    refused(results.after(":bb", ":cc"), "of the program");
    refused(
        results.after("covenant-objective \"f", "covenant-objective \"g"),
        "it is the certificate of another objective",
    );
    refused(results.after("(set-info :covenant-at \"inv_2 ", "(set-info :other \""), "");
    std::fs::remove_file(results.proof()).unwrap();
    assert_eq!(results.check().unwrap().1, CONTRADICTION);
}

#[test]
fn a_branch_that_is_taken_has_no_certificate() {
    let results = Results::new(&[], |o| o.text == "x > 5");
    let (verdicts, code) = results.check().unwrap();
    assert_eq!(code, CONTRADICTION);
    assert!(verdicts.len() == 2 && verdicts.iter().all(|v| matches!(v, Verdict::Refused(_))), "{verdicts:?}");
}

#[test]
fn a_changed_program_is_not_checked() {
    for (file, text) in [("f.c", &*format!("{NESTED}\n")), ("limit.h", "#define LOW 4\n")] {
        let results = Results::new(&[], infeasible);
        std::fs::write(results.home.path().join(file), text).unwrap();
        let (verdicts, code) = results.check().unwrap();
        assert_eq!(code, COULD_NOT_RUN);
        assert!(matches!(&verdicts[..], [Verdict::NotChecked(why)] if why.contains("changed")), "{verdicts:?}");
    }
    let results = Results::new(&[], infeasible);
    std::fs::remove_file(results.home.path().join("f.c")).unwrap();
    assert!(results.check().is_err());
}

#[test]
fn inputs_are_not_left_out_in_secret() {
    let mut results = Results::new(&["x <= 5"], |o| o.text == "x > 5" && o.outcome.to_string() == "true");
    assert_eq!(results.check().unwrap(), (vec![Verdict::Confirmed], 0));
    results.report.assumptions.retain(|a| !a.contains("x <= 5"));
    let (verdicts, code) = results.check().unwrap();
    assert_eq!(code, CONTRADICTION);
    assert!(matches!(&verdicts[..], [Verdict::Refused(why)] if why.contains("x <= 5")), "{verdicts:?}");
}

#[test]
fn words_are_no_certificates() {
    let mut results = Results::new(&[], infeasible);
    results.report.objectives[0].proof = None;
    results.report.objectives[0].prover = Some("exhaustion".into());
    let (verdicts, code) = results.check().unwrap();
    assert!(matches!(&verdicts[..], [Verdict::InWords(_)]) && code == 0, "{verdicts:?}");
}
