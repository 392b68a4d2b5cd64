//! Branches first, where mutants are asked for, too.
//!
//! The program of a search for mutants asks for a state at every second instruction, so that questions about it are large and many
//! are open. What only a long way through loops or a larger object leads to is found sooner in the program that asks for branches
//! only. The search for all begins from these tests.

use covenant_search::Settings;
use covenant_search::campaign::{Findings, Observer};

use crate::error::Error;
use crate::guided;
use crate::request::Request;
use crate::shaping;
use crate::strong::{self, Hurried};
use crate::subject::{self, Loaded};

/// Of the time that there is, such a search may take so many hundredths.
const SHARE: u64 = 25; // not tuning: how the time of a user is shared out

/// What a search for branches found, where one is of use. Plain strategies are what their authors say they are.
pub(crate) fn branches(
    request: &Request,
    loaded: &Loaded,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<Option<Findings>, Error> {
    let plain = !settings.strategy.model || settings.max_iterations.is_some();
    if plain || !strong::is_asked(&loaded.subject, settings) {
        return Ok(None);
    }
    let request = request.for_branches();
    let loaded = subject::load(&request, &mut |_| {})?;
    let mut settings = guided::adapted(settings.clone(), &request, &loaded);
    let mut hurried = Hurried::new(observer, Some(SHARE), &mut settings);
    let (findings, _) = shaping::search(&loaded, settings, &[], &mut hurried)?;
    Ok(Some(findings))
}
