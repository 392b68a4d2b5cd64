//! Proofs that no input reaches an objective: those who look for them.
//!
//! * [`arc`] is a model of the flow that is refined where tests do not get through.
//! * [`invariants`] finds conditions that hold whenever a location is reached, without looking at runs; [`inductive`] makes a
//!   prover of it, and [`samples`] guesses equations from states that runs were seen in.
//! * [`backward`] goes from a target to what must hold before it, as long as anything can.
//! * [`spacer`] has Z3 look for them, for one objective at a time.
//! * [`order`] puts locations and loops of the flow in order.
//! * [`question`] is what provers have in common; [`provers`] are those that are asked one after the other.
//!
//! None of them is trusted: what they find has to pass the [lemma check](mod@covenant_transition::lemma_check).

pub mod arc;
pub mod backward;
pub mod invariants;
pub mod order;
pub mod question;
pub mod samples;

/// The registry: a file of this folder, and the prover in it.
macro_rules! provers {
    ($($module:ident: $name:ident,)*) => {
        $(pub mod $module;)*

        /// The provers that are asked one after the other, the cheapest first.
        pub fn provers() -> Vec<Box<dyn question::Prover>> {
            vec![$(Box::new($module::$name::default()),)*]
        }
    };
}

// In the order of their cost. The first is asked early and often, the others once it has had its chance.
provers! {
    inductive: Inductive,
    spacer: Spacer,
}
