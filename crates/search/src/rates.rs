//! Who did how well in its last turn: path search, or those who look at the model.

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    Paths,
    Model,
}

/// How the sides did in their last turns: objectives decided, for how much work.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Rates([Option<(u64, u64)>; 2]);

impl Rates {
    pub(crate) fn set(&mut self, side: Side, gain: u64, work: u64) {
        self.0[side as usize] = Some((gain, work));
    }

    /// Who goes on after a turn of `side`.
    pub(crate) fn next(&self, side: Side) -> Side {
        let other = if side == Side::Paths { Side::Model } else { Side::Paths };
        match (self.0[side as usize], self.0[other as usize]) {
            (Some((gain, work)), Some((others, theirs)))
                if gain > 0 && u128::from(gain) * u128::from(theirs) >= u128::from(others) * u128::from(work) =>
            {
                side
            }
            _ => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_decides_more_for_its_work_goes_on() {
        let mut rates = Rates::default();
        rates.set(Side::Paths, 10, 100);
        assert_eq!(rates.next(Side::Paths), Side::Model, "the other was never tried");
        rates.set(Side::Model, 30, 100);
        assert_eq!(rates.next(Side::Model), Side::Model);
        rates.set(Side::Model, 5, 100);
        assert_eq!(rates.next(Side::Model), Side::Paths);
        rates.set(Side::Paths, 0, 100);
        assert_eq!(rates.next(Side::Paths), Side::Model, "in vain");
        rates.set(Side::Model, 0, 100);
        assert_eq!(rates.next(Side::Model), Side::Paths);
    }
}
