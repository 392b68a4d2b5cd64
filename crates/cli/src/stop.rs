//! What ends work before it is done: time, and people.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Sets the flag after this long.
pub(crate) fn after(time: Duration, cancel: Arc<AtomicBool>) {
    std::thread::spawn(move || {
        std::thread::sleep(time);
        cancel.store(true, Ordering::Relaxed);
    });
}

/// Ends this process when nobody holds the other end of standard input any more: whoever started it was killed.
pub(crate) fn with_stdin() {
    std::thread::spawn(|| {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        std::process::exit(130);
    });
}

/// Sets the flag at Ctrl-C, and the one that is returned. Without a handler Ctrl-C ends the process at once, which loses results but
/// harms nothing. So does a second one.
pub(crate) fn at_interrupt(cancel: Arc<AtomicBool>) -> Arc<AtomicBool> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        cancel.store(true, Ordering::Relaxed);
    });
    interrupted
}
