//! Work on many items, several at a time.

use rayon::prelude::*;

use crate::Error;

/// Works on all items, `jobs` at a time (0: as many as there are cores); the results are in the order of the items, and of
/// several failures the first in that order is told.
pub(crate) fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T, usize) -> Result<R, Error> + Sync,
) -> Result<Vec<R>, Error> {
    let one = |(index, item): (usize, &T)| work(item, index);
    let results: Vec<Result<R, Error>> = match rayon::ThreadPoolBuilder::new().num_threads(jobs).build() {
        Ok(pool) => pool.install(|| items.par_iter().enumerate().with_max_len(1).map(one).collect()),
        // Where no thread can be started, this one does the work.
        Err(_) => items.iter().enumerate().map(one).collect(),
    };
    results.into_iter().collect()
}
