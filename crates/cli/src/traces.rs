//! `covenant traces`

use covenant_constraints::solver::Steps;

use anyhow::{Result, bail};
use covenant_constraints::Terms;
use covenant_constraints::solver;
use covenant_constraints::tuning::Tuning;
use covenant_goals::traces::Abstraction;
use covenant_search::guided::{self, Found, Tools};

use crate::args::traces::TracesArgs;
use crate::diagnose;
use crate::request::sources;

pub(crate) fn print(args: &TracesArgs) -> Result<u8> {
    let program = sources(&args.source, &[]).program(true, &mut diagnose::warning)?;
    let name = &args.function;
    let Some(id) = program.definitions(name).next() else { bail!("there is no function `{name}` with a body") };
    let whole = Abstraction::new(&program, id);
    let slice = if args.local { whole.local() } else { whole.clone() };
    let (bound, most) = (args.loop_bound, args.limit);
    let plain = guided::traces(&slice, bound, most);
    let (mut terms, mut solver) = (Terms::new(), solver::stack(&solver::Options::default()));
    let tuning = Tuning::default();
    let (steps, questions) = (Steps(tuning.traces_question), tuning.traces_most_questions);
    let tools = Tools { terms: &mut terms, solver: &mut *solver, steps, questions };
    let refined = guided::refined(&program, (&whole, &slice), (bound, most), tools);
    let words = |found: &Found| format!("{}{}", if found.more { "more than " } else { "" }, found.traces.len());
    anstream::println!("{name}: {} traces within loop bound {bound}, {} refined", words(&plain), words(&refined));
    if refined.is_cut {
        anstream::println!(
            "  after {questions} questions no solver was asked about guards: some of these traces may be excluded"
        );
    }
    for trace in refined.traces.iter().filter(|_| !args.count) {
        anstream::println!("  {}", trace.term());
    }
    Ok(0)
}
