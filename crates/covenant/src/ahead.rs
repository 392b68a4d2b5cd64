//! Branches first, where mutants are asked for, too.
//!
//! The program of a search for mutants asks for a state at every second instruction, so that questions about it are large and many
//! are open. What only a long way through loops or a larger object leads to is found sooner in the program that asks for branches
//! only. The search for all begins from these tests, and where they have larger objects than usual, another one has such objects, too.

use covenant_goals::TestCase;
use covenant_goals::report::Stats;
use covenant_search::Settings;
use covenant_search::campaign::{self, Findings, Observer};

use crate::error::Error;
use crate::guided;
use crate::request::Request;
use crate::shaping;
use crate::strong::{self, Hurried};
use crate::subject::{self, Loaded};

/// Of the time that there is, each of these searches may take so many hundredths.
const SHARE: u64 = 25; // not tuning: how the time of a user is shared out

/// What was found before the search for all.
#[derive(Default)]
pub(crate) struct Ahead {
    /// They cover branches.
    pub(crate) tests: Vec<TestCase>,
    /// What a search for all found with larger objects, if these tests have such.
    pub(crate) wide: Option<Findings>,
    pub(crate) stats: Stats,
}

/// Searches for branches, where that is of use. Plain strategies are what their authors say they are.
pub(crate) fn search(
    request: &Request,
    loaded: &Loaded,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<Ahead, Error> {
    let plain = !settings.strategy.model || settings.max_iterations.is_some();
    if plain || !strong::is_asked(&loaded.subject, settings) {
        return Ok(Ahead::default());
    }
    let branches = branches(&request.for_branches(), settings, observer)?;
    let mut wide = None;
    if let Some(mut settings) = strong::larger(&branches, settings) {
        // Proofs are those of objects as large as usual, which is what is told of them.
        (settings.proves, settings.reshapes) = (false, false);
        let mut hurried = Hurried::new(observer, Some(SHARE), &mut settings);
        wide = Some(campaign::run_from(&loaded.subject, &settings, &branches.tests, &mut hurried)?);
    }
    Ok(Ahead { tests: branches.tests, wide, stats: branches.stats })
}

fn branches(request: &Request, settings: &Settings, observer: &mut dyn Observer) -> Result<Findings, Error> {
    let loaded = subject::load(request, &mut |_| {})?;
    let mut settings = guided::adapted(settings.clone(), request, &loaded);
    let mut hurried = Hurried::new(observer, Some(SHARE), &mut settings);
    let (findings, _) = shaping::search(&loaded, settings, (&[], None), &mut hurried)?;
    Ok(findings)
}
