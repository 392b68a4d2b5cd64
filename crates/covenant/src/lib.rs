//! Covenant as a library: a test or a proof for every branch of your C code.
//!
//! A [`Session`] is one [`Request`] with its program loaded. It [generates](Session::generate) tests and proofs; the
//! [`Results`] can be looked at and [written](Results::write) to a directory, which can then be
//! [replayed](Session::replay) natively and [checked](Session::check) with a second solver. The command line is made of
//! nothing else.
//!
//! ```
//! use covenant::{Request, Session, Silent, VerdictKind};
//!
//! let code = "int sign(int x) { if (x < 0) return -1; if (x > 0) return x > 5 && x < 3 ? 2 : 1; return 0; }";
//! let session = Session::from_text(code, Request { function: Some("sign".into()), ..Request::default() })?;
//! let results = session.generate(&mut Silent)?;
//! let infeasible = |o: &&covenant::ObjectiveEntry| o.verdict == VerdictKind::Infeasible;
//! // No number is above 5 and below 3; for every other branch there is a test.
//! let never: Vec<_> = results.report.objectives.iter().filter(infeasible).collect();
//! assert_eq!((never[0].text.as_str(), never[0].outcome.to_string().as_str()), ("x < 3", "true"));
//! assert!(results.report.objectives.iter().all(|o| o.verdict != VerdictKind::Unknown) && never.len() == 1);
//! assert!(!results.tests().is_empty());
//! # Ok::<(), covenant::Error>(())
//! ```
//!
//! Nothing here prints, reads the clock or looks at the environment: an [`Observer`] does, if somebody wants it.

mod ahead;
mod assumed;
mod callbacks;
mod cases;
mod check;
mod context;
mod contracts;
mod crossing;
#[cfg(test)]
mod damaged;
mod driver;
mod error;
mod existing;
mod expected;
mod given;
mod growth;
mod guided;
mod hidden;
mod looked_for;
#[cfg(test)]
mod misread;
mod mutate;
mod notes;
mod outside;
mod proofs;
mod replay;
mod request;
mod results;
mod rounds;
mod satisfiable;
mod scope;
mod session;
mod shaping;
mod shared;
mod sources;
mod spaces;
mod strong;
mod stubs;
mod subject;
mod twin;
mod uses;
mod variadic;
mod voids;
mod volatile;
mod world;

pub use cases::{Cases, places as places_of_cases};
pub use check::Checked;
pub use covenant_check::{CheckOptions, Verdict as Opinion};
pub use covenant_constraints::solver::Backend;
pub use covenant_goals::criteria::mcdc::Rule as McdcRule;
pub use covenant_goals::report::{ObjectiveEntry, Report};
pub use covenant_goals::{Criterion, Status, TestCase, VerdictKind};
pub use covenant_interpreter::given::{FIRST_MAPPED, LAST_MAPPED, MOST_ENTRIES};
pub use covenant_report::{Fencing, MutateOptions, ReplayOptions, ReplayResult, StubKind, SuiteFormat};
pub use covenant_search::campaign::{Observer, Progress};
pub use covenant_search::strategy::StrategyConfig as Strategy;
pub use error::Error;
pub use existing::Earlier;
pub use mutate::{Mutate, Mutated};
pub use replay::Replayed;
pub use request::{Context, Failures, Globals, Others, Pointers, Request};
pub use results::Results;
pub use rounds::Rounds;
pub use scope::Scope;
pub use session::{Session, Silent};
pub use sources::Sources;
pub use uses::{Lacking, lacking};
