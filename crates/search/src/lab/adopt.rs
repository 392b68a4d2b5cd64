//! What another search of the same subject found, with other inputs than this one has.

use std::collections::{BTreeMap, BTreeSet};

use covenant_goals::report::{Defect, Stats};
use covenant_goals::{Contradiction, Ledger, TestCase, Verdict};

use super::Lab;
use super::decide::{says_as_much, test_name};

/// What another search found.
pub(crate) struct Found<'f> {
    /// Its verdicts.
    pub(crate) ledger: &'f Ledger,
    /// Its tests, with what is expected of them.
    pub(crate) tests: &'f [TestCase],
    /// Its defects.
    pub(crate) defects: &'f [Defect],
    /// What it left out, in words.
    pub(crate) limits: &'f BTreeSet<String>,
    /// What it took.
    pub(crate) stats: &'f Stats,
}

/// What a search has, to which another one's is added.
pub(crate) struct Kept<'k> {
    pub(crate) ledger: &'k mut Ledger,
    pub(crate) tests: &'k mut Vec<TestCase>,
    pub(crate) defects: &'k mut Vec<Defect>,
}

impl Kept<'_> {
    /// Takes the tests of another search of the same subject that reach what is open here, or show another defect.
    pub(crate) fn adopt(&mut self, found: &Found<'_>) -> Result<(), Contradiction> {
        let mut numbers: BTreeMap<usize, u32> = BTreeMap::new();
        for (id, _, verdict) in found.ledger.iter() {
            let Verdict::Covered(tests) = verdict else { continue };
            let is_new = !matches!(self.ledger.verdict(id), Verdict::Covered(_));
            if let Some(&test) = tests.first().filter(|_| is_new)
                && let Some(number) = self.take_test(found, test as usize, &mut numbers)
            {
                self.ledger.cover(id, number)?;
            }
        }
        for defect in found.defects {
            let at = found.tests.iter().position(|case| case.name == defect.test);
            let at = at.filter(|_| !self.defects.iter().any(|known| says_as_much(known, defect)));
            if let Some(number) = at.and_then(|at| self.take_test(found, at, &mut numbers)) {
                self.defects.push(Defect { test: test_name(number as usize), ..defect.clone() });
            }
        }
        Ok(())
    }

    fn take_test(&mut self, found: &Found<'_>, at: usize, numbers: &mut BTreeMap<usize, u32>) -> Option<u32> {
        if let Some(&number) = numbers.get(&at) {
            return Some(number);
        }
        let number = self.tests.len();
        self.tests.push(TestCase { name: test_name(number), ..found.tests.get(at)?.clone() });
        numbers.insert(at, number as u32);
        Some(number as u32)
    }
}

impl Lab<'_> {
    /// Takes what another search found. How many tests these are.
    pub(crate) fn adopt(&mut self, found: &Found<'_>) -> Result<usize, Contradiction> {
        let before = self.tests.len();
        Kept { ledger: &mut self.ledger, tests: &mut self.tests, defects: &mut self.defects }.adopt(found)?;
        // Inputs of another search are nothing that this one can run: that has seen what comes of them.
        self.inputs.resize(self.tests.len(), None);
        self.cx.limits.extend(found.limits.iter().cloned());
        self.aside.add(found.stats);
        Ok(self.tests.len() - before)
    }
}
