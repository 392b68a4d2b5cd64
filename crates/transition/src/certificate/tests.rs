//! `for (i = 0; i < n; i++) { } if (i < 0) objective`, as a flow by hand, and certificates for it: good, reduced, damaged.

use covenant_constraints::solver::Steps;
use std::io::Write as _;
use std::process::{Command, Stdio};

use covenant_constraints::solver::{self, Solver};
use covenant_constraints::{FloatKind, Sort, TermId, Terms, VarId};
use covenant_goals::{Criterion, Objective, ObjectiveId, Outcome};
use covenant_program::ir::{
    Block, Body, Def, Function, FunctionSource, Loc, Origin, Program, SourceFile, Type, Value, ValueData, Variable,
};

use super::keys::Keys;
use super::*;
use crate::flow::{Source, Spot};

const OBJECTIVE: ObjectiveId = ObjectiveId(0);
const SECOND: Steps = Steps::like_secs(10);

struct Counter {
    terms: Terms,
    flow: Flow,
    program: Program,
    i: VarId,
    n: VarId,
    head: LocationId,
    exit: LocationId,
    target: LocationId,
}

fn program() -> Program {
    let mut program = Program::default();
    let file = program.files.push(SourceFile { directory: "/src".into(), name: "count.c".into() });
    let mut body = Body::new();
    for name in ["i", "n"] {
        let var = body.variables.push(Variable { name: name.into(), line: 1, ty: None, elsewhere: Vec::new() });
        let def = Def::Param { block: Block::ENTRY, index: 0 };
        body.values.push(ValueData { ty: Type::I32, def, var: Some(var).into() });
    }
    program.functions.push(Function {
        name: "count".into(),
        origin: Origin::Subject,
        params: vec![],
        returns: vec![],
        variadic: false,
        loc: Loc::new(file, 1, 1),
        body: Some(body),
        source: FunctionSource::default(),
    });
    program
}

impl Counter {
    fn new() -> Counter {
        let mut terms = Terms::new();
        let mut flow = Flow::by_hand(1);
        let program = program();
        let (i, n) = (terms.var("i", Sort::Bv(32)), terms.var("n", Sort::Bv(32)));
        let context = flow.outer_context();
        for (var, value) in [(i, 0), (n, 1)] {
            flow.variables.insert(var, Source::Register { context, value: Value::from_u32(value), ty: Type::I32 });
        }
        let file = program.functions.values().next().unwrap().loc.file().unwrap();
        let mut location = |block: u32, line: u32| {
            let id = flow.add_location();
            flow.locations[id].spot = Spot::Block(Block::from_u32(block));
            flow.locations[id].loc = Loc::new(file, line, 3);
            id
        };
        let (head, body, exit, target) = (location(1, 3), location(2, 4), location(3, 5), location(4, 6));
        let (it, nt, zero) = (terms.var_term(i), terms.var_term(n), terms.bv(0, 32));
        let one = terms.bv(1, 32);
        let (less, next) = (terms.slt(it, nt), terms.add(it, one));
        let (done, negative) = (terms.not(less), terms.slt(it, zero));
        flow.add_edge(flow.root, head, vec![], vec![(i, zero)]);
        flow.add_edge(head, body, vec![less], vec![]);
        flow.add_edge(body, head, vec![], vec![(i, next)]);
        flow.add_edge(head, exit, vec![done], vec![]);
        flow.add_edge(exit, target, vec![negative], vec![]);
        flow.set_target(OBJECTIVE, vec![target]);
        Counter { terms, flow, program, i, n, head, exit, target }
    }

    fn body(&self) -> LocationId {
        self.flow.edges[self.flow.locations[self.head].out[0]].to
    }

    /// `i >= 0`
    fn not_negative(&mut self) -> TermId {
        let (i, zero) = (self.terms.var_term(self.i), self.terms.bv(0, 32));
        self.terms.sge(i, zero)
    }

    /// `i < n`
    fn less(&mut self) -> TermId {
        let (i, n) = (self.terms.var_term(self.i), self.terms.var_term(self.n));
        self.terms.slt(i, n)
    }

    fn proof(&mut self) -> Invariant {
        let (holds, less) = (self.not_negative(), self.less());
        let mut invariant = Invariant::new();
        invariant.set(self.head, holds);
        let inside = self.terms.and(holds, less);
        invariant.set(self.body(), inside);
        invariant.set(self.exit, holds);
        invariant.set(self.target, self.terms.ff());
        invariant
    }

    fn verify(&mut self, invariant: &Invariant) -> Result<(), Refusal> {
        verify(&mut self.terms, &mut *solver(), &self.flow, invariant, OBJECTIVE, SECOND)
    }

    fn index(&mut self) -> Index {
        Index::new(&mut self.terms, &self.program, &self.flow)
    }

    fn write(&mut self, invariant: &Invariant) -> String {
        let (index, objective) = (self.index(), objective());
        let story = Story {
            program: &self.program,
            objective: &objective,
            prover: "hand",
            assumptions: &["nothing".to_owned()],
            lines: &|file, line| (file == "count.c").then(|| format!("line {line} of the source")),
        };
        write(&self.terms, &self.flow, &index, invariant, &story)
    }

    fn read(&mut self, text: &str) -> Result<Invariant, Unreadable> {
        let index = self.index();
        read(text, &mut self.terms, &index, "count:5:7:true")
    }

    fn script(&mut self, invariant: &Invariant) -> String {
        let index = self.index();
        let script = script(&self.terms, &self.program, &self.flow, &index, invariant);
        let questions = script.questions.iter().map(|q| format!("(push 1)\n{}(check-sat)\n(pop 1)\n", q.text));
        script.prelude.clone() + &questions.collect::<String>()
    }
}

fn solver() -> Box<dyn Solver> {
    solver::stack(&solver::Options::default())
}

fn objective() -> Objective {
    Objective {
        id: "count:5:7:true".into(),
        criterion: Criterion::Branch,
        function: "count".into(),
        file: "count.c".into(),
        line: 5,
        column: 7,
        text: "i < 0".into(),
        outcome: Outcome::True,
        ..Objective::default()
    }
}

/// The answers of a solver, line by line. `None` where it is not installed.
fn answers(program: &str, options: &[&str], text: &str) -> Option<Vec<String>> {
    let mut command = Command::new(program);
    command.args(options).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().ok()?;
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    Some(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

/// Any solver that is there must answer so.
fn expect(text: &str, expected: &[&str]) {
    let cvc5 =
        answers("cvc5", &["--lang", "smt2", "--incremental"], text).expect("cvc5 is installed by the set-up script");
    assert_eq!(cvc5, expected, "{text}");
    if let Some(z3) = answers("z3", &["-in"], text) {
        assert_eq!(z3, expected, "{text}");
    }
}

#[test]
fn a_proof_is_verified_and_what_is_none_is_not() {
    let mut counter = Counter::new();
    let proof = counter.proof();
    assert_eq!(counter.verify(&proof), Ok(()));
    let (head, body, exit, target, root) =
        (counter.head, counter.body(), counter.exit, counter.target, counter.flow.root);

    let mut missing = proof.clone();
    missing.0.remove(&head);
    assert!(matches!(counter.verify(&missing), Err(Refusal::Broken(_))));

    let mut weaker = proof.clone();
    let holds = counter.not_negative();
    weaker.set(body, holds);
    // Without i < n the step i + 1 may overflow.
    assert_eq!(counter.verify(&weaker), Err(Refusal::Broken(counter.flow.locations[body].out[0])));

    let mut open = proof.clone();
    open.0.remove(&target);
    assert_eq!(counter.verify(&open), Err(Refusal::Target(target)));
    let mut rooted = proof.clone();
    rooted.set(root, holds);
    assert_eq!(counter.verify(&rooted), Err(Refusal::Root));

    let choice = counter.terms.var("choice", Sort::Bool);
    let mut guessed = proof.clone();
    guessed.set(exit, counter.terms.var_term(choice));
    assert_eq!(counter.verify(&guessed), Err(Refusal::NotState { location: exit, var: choice }));
}

#[test]
fn everything_unreachable_is_no_proof() {
    let mut counter = Counter::new();
    let ff = counter.terms.ff();
    let all: BTreeMap<LocationId, TermId> =
        counter.flow.locations.keys().filter(|l| *l != counter.flow.root).map(|l| (l, ff)).collect();
    assert!(matches!(counter.verify(&Invariant(all)), Err(Refusal::Broken(_))));
}

#[test]
fn choices_may_have_any_value_in_each_step() {
    let mut counter = Counter::new();
    let choice = counter.terms.var("choice", Sort::Bv(32));
    let choice = counter.terms.var_term(choice);
    let edge = counter.flow.locations[counter.body()].out[0];
    counter.flow.edges[edge].assign[0].1 = choice;
    let proof = counter.proof();
    assert_eq!(counter.verify(&proof), Err(Refusal::Broken(edge)));
    let script = counter.script(&proof);
    expect(&script, &["unsat", "unsat", "sat", "unsat"]);
    // Where the choice is not negative, all is well.
    let zero = counter.terms.bv(0, 32);
    let guard = counter.terms.sge(choice, zero);
    counter.flow.edges[edge].guard.push(guard);
    assert_eq!(counter.verify(&proof), Ok(()));
}

#[test]
fn what_the_proof_does_not_need_is_dropped() {
    let mut counter = Counter::new();
    let mut proof = counter.proof();
    let needed = proof.clone();
    let n = counter.terms.var_term(counter.n);
    let more = counter.terms.ule(n, n);
    assert_eq!(more, counter.terms.tt());
    // Holds behind the loop, and nobody asks for it.
    let less = counter.less();
    let done = counter.terms.not(less);
    let holds = proof.at(&counter.terms, counter.exit);
    let exit = counter.terms.and(holds, done);
    proof.set(counter.exit, exit);
    assert_eq!(counter.verify(&proof), Ok(()));
    let reduced = reduce(&mut counter.terms, &mut *solver(), &counter.flow, &proof, OBJECTIVE, SECOND, 100);
    assert_eq!(reduced, needed);
    let untouched = reduce(&mut counter.terms, &mut *solver(), &counter.flow, &proof, OBJECTIVE, SECOND, 1);
    assert_eq!(untouched, proof);
    // No proof stays no proof.
    let mut wrong = proof.clone();
    wrong.0.remove(&counter.head);
    let same = reduce(&mut counter.terms, &mut *solver(), &counter.flow, &wrong, OBJECTIVE, SECOND, 100);
    assert_eq!(same, wrong);
}

#[test]
fn the_file_is_as_documented() {
    let mut counter = Counter::new();
    let proof = counter.proof();
    let text = counter.write(&proof);
    expect_test::expect_file!["golden.smt2"].assert_eq(&text);
    expect(&text, &["unsat"; 4]);
    expect(&counter.script(&proof), &["unsat"; 4]);
}

#[test]
fn a_file_is_read_over_a_flow_built_anew() {
    let mut first = Counter::new();
    let proof = first.proof();
    let text = first.write(&proof);
    let mut second = Counter::new();
    let again = second.read(&text).unwrap();
    assert_eq!(second.verify(&again), Ok(()));
    assert_eq!(second.write(&again), text);
}

#[test]
fn damaged_files_are_refused() {
    let mut counter = Counter::new();
    let proof = counter.proof();
    let text = counter.write(&proof);
    let mut read = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        counter.read(&text.replace(from, to)).map_err(|e| e.0)
    };
    let refused = |result: Result<Invariant, String>, words: &str| {
        let error = result.unwrap_err();
        assert!(error.contains(words), "{error}");
    };
    refused(read("count:bb3", "count:bb9"), "the program has no place count:bb9");
    refused(read("count:bb3", "count:bb1"), "the place count:bb1 has two formulas");
    refused(read("((|i| (_ BitVec 32)))", "((|k| (_ BitVec 32)))"), "no variable `k`");
    refused(read("((|i| (_ BitVec 32)))", "((|i| (_ BitVec 16)))"), "");
    refused(read("(define-fun inv_1 ", "(define-fun inv_9 "), "the formula inv_1 of count:bb1 is missing");
    refused(read("(define-fun inv_2 ", "(define-fun inv_1 "), "defined twice");
    refused(read("count:5:7:true\"", "count:5:7:false\""), "the certificate of count:5:7:false");
    refused(read("covenant-certificate \"2\"", "covenant-certificate \"1\""), "covenant-certificate");
    refused(read("(pop 1)", "(pop 1)(pop 1)"), "a pop without a push");
    refused(read("(set-logic QF_BV)", "(set-logic QF_BV) (assert false)"), "no command of a certificate");
    refused(read("(pop 1)", "(pop 1"), "parenthesis");
    // What is well formed but says something else is for the solver to refuse.
    let changed = read("(bvslt #xffffffff |i|))", "(bvslt #x00000000 |i|))").unwrap();
    let moved = read("inv_1 count:bb3", "inv_2 count:bb3").unwrap();
    let removed = read("(set-info :covenant-at \"inv_1 count:bb1\")", "").unwrap();
    let reached = read("(set-info :covenant-at \"inv_3 count:bb4\")", "").unwrap();
    assert!(matches!(counter.verify(&changed), Err(Refusal::Broken(_))));
    assert!(matches!(counter.verify(&moved), Err(Refusal::Broken(_))));
    assert!(matches!(counter.verify(&removed), Err(Refusal::Broken(_))));
    assert_eq!(counter.verify(&reached), Err(Refusal::Target(counter.target)));
}

#[test]
fn keys_tell_all_locations_apart() {
    let mut counter = Counter::new();
    let twin = counter.flow.add_location();
    let keys = Keys::new(&counter.program, &counter.flow);
    assert_eq!(keys.key(counter.flow.root), "count:root");
    assert_eq!(keys.key(twin), "count:root#2");
    for location in counter.flow.locations.keys() {
        assert_eq!(keys.location(keys.key(location)), Some(location));
    }
}

/// The bits of a float that is not below zero have no sign, but for −0.
#[test]
fn bits_of_floats_are_asked_about() {
    let mut counter = Counter::new();
    let terms = &mut counter.terms;
    let f = terms.var("f", Sort::Float(FloatKind::F32));
    let (ft, zero, word) = (terms.var_term(f), terms.f32(0.0), terms.bv(0, 32));
    let (head, root) = (counter.head, counter.flow.root);
    let context = counter.flow.outer_context();
    let source = Source::Register { context, value: Value::from_u32(0), ty: Type::F32 };
    counter.flow.variables.insert(f, source);
    let entry = counter.flow.locations[root].out[0];
    let positive = terms.f_lt(zero, ft);
    let bits = terms.f_to_bits(ft);
    counter.flow.edges[entry].guard.push(positive);
    counter.flow.edges[entry].assign[0].1 = bits;
    let negative_bits = terms.slt(bits, word);
    let no_sign = terms.not(negative_bits);
    let mut invariant = Invariant::new();
    invariant.set(head, no_sign);
    invariant.set(counter.body(), no_sign);
    let script = counter.script(&invariant);
    assert!(script.starts_with("(set-logic ALL)\n(declare-fun ieee_bits_32 "), "{script}");
    expect(&script, &["unsat"]);
    let text = counter.write(&invariant);
    expect(&text, &["unsat"]);
    assert_eq!(counter.read(&text), Ok(invariant.clone()));
    let still = counter.terms.tt();
    counter.flow.edges[entry].guard = vec![still];
    expect(&counter.script(&invariant), &["sat"]);
}

/// Shared terms keep texts small, and neither reader nor solver minds the depth.
#[test]
fn large_formulas() {
    let mut counter = Counter::new();
    let (i, n) = (counter.terms.var_term(counter.i), counter.terms.var_term(counter.n));
    let mut sum = i;
    for _ in 0..500 {
        let square = counter.terms.mul(sum, sum);
        sum = counter.terms.bv_xor(square, n);
    }
    let formula = counter.terms.ult(i, sum);
    let mut invariant = Invariant::new();
    invariant.set(counter.exit, formula);
    let edge = counter.flow.locations[counter.exit].into[0];
    counter.flow.edges[edge].guard = vec![formula];
    let text = counter.write(&invariant);
    assert_eq!(counter.read(&text), Ok(invariant.clone()));
    let cvc5 = answers("cvc5", &["--lang", "smt2", "--incremental", "--tlimit-per=100"], &text).unwrap();
    assert!(cvc5 == ["unsat"] || cvc5 == ["unknown"], "{cvc5:?}");
}
