//! Options of the command line as the library is told them.

use covenant::{Context, Failures, Globals, McdcRule, Others, Pointers, ReplayOptions, Request, Scope, Sources};

use crate::args::{self, GenArgs, Source};
use crate::places;

/// The files; `more` are the flags behind `--`.
pub(crate) fn sources(source: &Source, more: &[String]) -> Sources {
    let mut flags = Vec::new();
    flags.extend(source.include.iter().map(|dir| format!("-I{dir}")));
    flags.extend(source.define.iter().map(|name| format!("-D{name}")));
    flags.extend(source.target.map(|machine| machine.flag().to_owned()));
    flags.extend(source.cflag.iter().cloned());
    flags.extend(more.iter().cloned());
    Sources { files: source.files.clone(), flags, project: source.project.clone(), ..Sources::default() }
}

/// What `gen` is asked for; `command` are the words that ask for it.
pub(crate) fn request(args: &GenArgs, command: Vec<String>) -> Request {
    let (file, function) = places::function(args.function.as_deref()).unzip();
    let mut sources = sources(&args.source, &args.flags);
    sources.files = places::in_order(&sources.files, file.unwrap_or_default());
    Request {
        sources,
        function: function.map(str::to_owned),
        criteria: args.criterion.clone(),
        level: args.level,
        scope: match args.scope {
            Some(args::Scope::Own) => Scope::Own,
            Some(args::Scope::File) => Scope::File,
            Some(args::Scope::Reachable) | None => Scope::Reachable,
        },
        context: match args.context {
            args::Context::Any => Context::Any,
            args::Context::Callers => Context::Callers,
        },
        measured: args.measure.clone(),
        failing: Vec::new(),
        mcdc: match args.mcdc {
            args::McdcRule::Masking => McdcRule::Masking,
            args::McdcRule::UniqueCause => McdcRule::UniqueCause,
            args::McdcRule::Racc => McdcRule::Racc,
            args::McdcRule::Cacc => McdcRule::Cacc,
        },
        points: args.point.clone(),
        strategy: args.strategy,
        loop_bound: args.loop_bound,
        max_depth: args.max_depth,
        fuzz: !args.no_fuzz,
        coarsening: !args.no_coarsening,
        assume: args.assume.clone(),
        precondition: args.precondition.clone(),
        expect: args.expect.clone(),
        globals: match args.globals {
            args::Globals::Inputs => Globals::Inputs,
            args::Globals::Initial => Globals::Initial,
        },
        pointers: match args.pointers {
            args::Pointers::Nullable => Pointers::Nullable,
            args::Pointers::Valid => Pointers::Valid,
        },
        distinct: args.no_aliases,
        array_len: args.array_len,
        lengths: args.length.clone(),
        stubs: args.stub.clone(),
        stub_files: args.stub_file.clone(),
        failures: match args.failures {
            args::Failures::None => Failures::None,
            args::Failures::Alloc => Failures::Alloc,
            args::Failures::All => Failures::All,
        },
        devices: args.device.clone(),
        volatile: match args.volatile {
            args::Volatile::Any => Others::Any,
            args::Volatile::Never => Others::Never,
        },
        args: args.args,
        stdin: args.stdin,
        files: args.file.clone(),
        dirs: args.dir.clone(),
        files_grow: false,
        env: args.env.clone(),
        solver_timeout: args.solver_timeout,
        tuning: args.tune.clone(),
        max_tests: args.max_tests,
        max_iterations: args.max_iterations,
        max_steps: args.max_steps,
        memory: args.memory,
        solver: args.solver,
        seed: args.seed,
        suites: args.suite.clone(),
        oracle: !args.no_oracle,
        command,
    }
}

/// How native runs go.
pub(crate) fn native(args: &GenArgs) -> ReplayOptions {
    ReplayOptions { jobs: args.jobs.unwrap_or(0), fencing: args.native.fencing(), ..ReplayOptions::default() }
}

#[cfg(test)]
mod tests {
    use super::request;
    use crate::config::parse;

    #[test]
    fn the_command_line_and_the_library_have_the_same_defaults() {
        let words = ["gen", "a.c"].map(str::to_owned);
        let mut asked = request(&parse(&words).unwrap(), Vec::new());
        asked.sources.files.clear();
        assert_eq!(asked, covenant::Request::default());
    }
}
