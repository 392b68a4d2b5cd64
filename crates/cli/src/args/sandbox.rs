//! Options about native runs, of all commands that start some.

use clap::{Args, ValueEnum};
use covenant_report::{Fencing, Layer};

#[derive(Args, Clone, Debug)]
pub(crate) struct SandboxArgs {
    /// Fence native runs of the code under test: auto is as strong as this machine allows, and runs nothing where it
    /// allows nothing; off runs it with your rights
    #[arg(long, value_enum, default_value_t = Sandbox::Auto)]
    pub(crate) sandbox: Sandbox,
    /// Leave a layer of the sandbox out, to see that the others hold
    #[arg(long, value_enum, value_delimiter = ',', value_name = "LIST", hide = true)]
    pub(crate) sandbox_without: Vec<LayerName>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Sandbox {
    Auto,
    Off,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum LayerName {
    Namespaces,
    Landlock,
    Seccomp,
}

impl SandboxArgs {
    pub(crate) fn fencing(&self) -> Fencing {
        let layer = |name: &LayerName| match name {
            LayerName::Namespaces => Layer::Namespaces,
            LayerName::Landlock => Layer::Landlock,
            LayerName::Seccomp => Layer::Seccomp,
        };
        match self.sandbox {
            Sandbox::Auto => Fencing::Auto { without: self.sandbox_without.iter().map(layer).collect() },
            Sandbox::Off => Fencing::Off,
        }
    }
}
