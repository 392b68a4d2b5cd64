//! Pointers into the middle of objects, and several into one, where the code asks for that.
//!
//! Runs begin with pointers to the first byte of an object of their own. Where one looks at what is before such an object, or puts
//! pointers to different objects in an order, the search ends, and another begins from its tests with pointers that point
//! elsewhere ([`Shapes`](covenant_concolic::symbolic::Shapes)). Pointers that are only compared for equality are tried as parts of
//! one object when nothing else is left. What earlier searches covered stays covered, and their errors are told: so the error
//! that an object has nothing before it is a contract of the function.

use covenant_concolic::symbolic::Want;
use covenant_goals::{Contradiction, Status, TestCase, TestOutcome};
use covenant_program::syntax::{Trees, uses};
use covenant_program::types::{CType, TypeId, Types};
use covenant_search::Settings;
use covenant_search::campaign::{self, Findings, Observer};

use crate::subject::Loaded;
use crate::voids;

/// Searches that are begun anew.
const MOST_SEARCHES: usize = 12; // not tuning: where a search ends that would find pointers without end

/// Searches until no run asks for other pointers; what was found, and the settings of the last search.
pub(crate) fn search(
    loaded: &Loaded,
    mut settings: Settings,
    (seeds, beside): (&[TestCase], Option<&Findings>),
    observer: &mut dyn Observer,
) -> Result<(Findings, Settings), Contradiction> {
    let mut earlier: Vec<Findings> = Vec::new();
    let mut tests = seeds.to_vec();
    let findings = loop {
        settings.reshapes = earlier.len() < MOST_SEARCHES && !loaded.subject.is_main;
        let beside = beside.filter(|_| earlier.is_empty());
        let mut findings = campaign::run_beside(&loaded.subject, &settings, &tests, beside, observer)?;
        findings.seeded.truncate(seeds.len());
        if !settings.inputs.shapes.is_empty() {
            // These runs had other pointers than the tests, of which they would say too much.
            findings.seeded.iter_mut().for_each(Vec::clear);
        }
        let granted = if settings.reshapes { granted(&findings) } else { Vec::new() };
        if granted.is_empty() {
            break findings;
        }
        // A run that ended because two objects were not one would only end so again.
        let goes_on = granted.iter().any(|want| matches!(want, Want::Room { .. }));
        for want in granted {
            let part = part(want, &loaded.subject.image.program().types, &loaded.trees);
            settings.inputs.shapes.grant(want, part);
        }
        settings.max_iterations = settings.max_iterations.map(|most| most.saturating_sub(findings.stats.iterations));
        let is_of_use = |test: &&TestCase| goes_on || test.outcome != TestOutcome::Trapped;
        settings.own_tests = false;
        tests.extend(findings.tests.iter().filter(is_of_use).cloned());
        earlier.push(findings);
    };
    let mut findings = findings;
    for before in &earlier {
        findings.take_tests(before)?;
    }
    settings.reshapes = false;
    Ok((findings, settings))
}

/// What the next search does otherwise; nothing: there is none.
fn granted(findings: &Findings) -> Vec<&Want> {
    let urgent: Vec<&Want> = findings.wants.iter().filter(|want| want.is_urgent()).collect();
    match findings.status {
        Status::Limit if !urgent.is_empty() => urgent,
        Status::Complete if findings.ledger.iter().any(|(_, _, verdict)| verdict.is_limited()) => {
            findings.wants.iter().collect()
        }
        _ => Vec::new(),
    }
}

/// What the object of a pointer is a part of, as far as the code says: a struct that it comes to by going back from an address,
/// and that has a member of the pointer's type.
fn part(want: &Want, types: &Types, trees: &Trees) -> Option<(TypeId, u64)> {
    let Want::Room { element, bytes, .. } = want else { return None };
    if !matches!(types.stripped(*element), CType::Struct(_) | CType::Union(_)) {
        return None;
    }
    let files = trees.all();
    let wholes = files.iter().flat_map(|file| uses::reached_backwards(file));
    wholes.filter_map(|spelled| voids::pointed_to(types, spelled)).find_map(|whole| {
        let at = member(types, whole, *element, *bytes)?;
        Some((types.definition(whole).unwrap_or(whole), at))
    })
}

/// Where a struct has a member of a type, so many bytes from its start or more.
fn member(types: &Types, whole: TypeId, wanted: TypeId, least: u64) -> Option<u64> {
    let CType::Struct(record) = types.stripped(types.definition(whole).unwrap_or(whole)) else { return None };
    record.fields.iter().find_map(|field| {
        let own = types.definition(field.ty).unwrap_or(field.ty);
        if types.strip(own) == types.strip(wanted) && field.offset >= least {
            return Some(field.offset);
        }
        let inside = member(types, own, wanted, least.saturating_sub(field.offset))?;
        Some(field.offset + inside)
    })
}
