//! Options about work queues.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::values::duration;

/// Who we are to a NATS server, as its own tools are told.
#[derive(Args, Clone, Debug)]
pub(crate) struct QueueArgs {
    /// Credentials for the NATS server, as `nsc` writes them
    #[arg(long, value_name = "FILE", help_heading = super::PROJECT)]
    pub(crate) creds: Option<PathBuf>,
    /// Speak TLS with the NATS server, and trust the certificates in FILE, too
    #[arg(long, value_name = "FILE", help_heading = super::PROJECT)]
    pub(crate) tlsca: Option<PathBuf>,
    /// A certificate of ours for the NATS server
    #[arg(long, value_name = "FILE", requires = "tlskey", help_heading = super::PROJECT)]
    pub(crate) tlscert: Option<PathBuf>,
    /// The key of --tlscert
    #[arg(long, value_name = "FILE", requires = "tlscert", help_heading = super::PROJECT)]
    pub(crate) tlskey: Option<PathBuf>,
}

/// Take functions from a queue
///
/// Analyses what `covenant gen --all --on URL` asks for, on any machine with the same covenant, clang and headers of the system, until
/// Ctrl-C. Results go to the store of the NATS server under the key of what they depend on, so that whoever asks for the same
/// again, wherever, has them at once. A worker that dies loses nothing: another one gets its functions.
///
///   nats-server -js                                     on one machine
///   covenant worker nats://HOST                         on many
///   covenant gen --all -p build --on nats://HOST        on any
///
/// All need the program covenant-worker, beside covenant or on the PATH: `cargo install --path crates/worker`.
///
/// Exit code 0: it was ended, or there was nothing to do for as long as --idle says. 2: it could not run.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct WorkerArgs {
    /// The NATS server, as in nats://HOST, nats://USER:PASSWORD@HOST:PORT or tls://HOST; several with commas
    #[arg(value_name = "URL")]
    pub(crate) server: String,
    /// Functions at the same time [all cores]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<usize>,
    /// End when there was nothing to do for this long
    #[arg(long, value_name = "DUR", value_parser = duration)]
    pub(crate) idle: Option<Duration>,
    /// Give a function to another worker when nothing was heard of this one for so long; the same for all of them
    #[arg(long, default_value = "30s", value_name = "DUR", value_parser = duration)]
    pub(crate) ack_time: Duration,
    #[command(flatten)]
    pub(crate) queue: QueueArgs,
    /// Print nothing but errors
    #[arg(long)]
    pub(crate) quiet: bool,
}
