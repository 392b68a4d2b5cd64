//! Assertions: each `assert`, and each call that says "here must be no way": an input that fails it, or a proof that none
//! does.

use covenant_program::ir::{Callee, Op, Type};

use crate::Criterion;
use crate::criteria::{Maker, Profile};
use crate::objective::Outcome;

pub(super) const PROFILE: Profile = Profile {
    about: "Each assert and each call of reach_error: an input that fails it, or a proof that none does",
    nouns: ("assertion", "assertions"),
    is_defect: true,
    ..Profile::new(make)
};

/// What a failed assertion calls.
const FAILURES: &[&str] = &["__assert_fail", "__assert", "reach_error", "__VERIFIER_error"];

fn make(maker: &mut Maker<'_>) {
    let wanted = maker.wanted;
    let is_failure = |name: &str| match &wanted.failing[..] {
        [] => FAILURES.contains(&name),
        named => named.iter().any(|known| known == name),
    };
    maker.each(|site, inserter, labels| {
        // The call of `reach_error` is what is asked about, not how it ends the program.
        if is_failure(site.program.functions[site.function].source_name()) {
            return;
        }
        let blocks: Vec<_> = inserter.body().blocks.keys().collect();
        for block in blocks {
            for inst in site.insts(inserter.body(), block) {
                let data = &inserter.body().insts[inst];
                let loc = data.loc;
                let Op::Call(call) = &data.op else { continue };
                let Callee::Direct(callee) = call.callee else { continue };
                if !is_failure(site.program.functions[callee].source_name()) {
                    continue;
                }
                let text = site.text_at(loc).trim().trim_end_matches(';').to_owned();
                let objective = site.objective(Criterion::Assertion, loc, text, Outcome::Holds("assertion".to_owned()));
                inserter.at(loc);
                let always = inserter.constant(Type::BOOL, 1);
                labels.add(site, inserter, always, objective);
                inserter.finish_group((block, Some(inst)));
            }
        }
    });
}
