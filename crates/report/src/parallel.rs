//! Work on many items, several at a time.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::Error;

/// Works on all items, several at a time; the results are in the order of the items.
pub(crate) fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T, usize) -> Result<R, Error> + Sync,
) -> Result<Vec<R>, Error> {
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<Result<R, Error>>>> = items.iter().map(|_| Mutex::new(None)).collect();
    let worker = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { break };
            let result = work(item, index);
            if let Ok(mut place) = results[index].lock() {
                *place = Some(result);
            }
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let jobs = if jobs == 0 { cores } else { jobs }.min(items.len());
    std::thread::scope(|scope| {
        for _ in 1..jobs {
            scope.spawn(worker);
        }
        worker();
    });
    // Every index was taken by a worker, and all workers have ended.
    results.into_iter().filter_map(|result| result.into_inner().ok().flatten()).collect()
}
