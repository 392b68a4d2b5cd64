//! The command line.

mod earlier;
mod listed;
mod machine;
mod program;
pub(crate) mod project;
mod queue;
pub(crate) mod report;
pub(crate) mod sandbox;
mod test_comp;
pub(crate) mod traces;
mod values;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use covenant_constraints::solver::Backend;
use covenant_goals::{Criterion, Level};
use covenant_report::SuiteFormat;
use covenant_search::strategy::{StrategyConfig, StrategyKind};

pub(crate) use earlier::{CheckArgs, ImportArgs, InitArgs, MergeArgs, MutateArgs, ReplayArgs};
pub(crate) use machine::Machine;
pub(crate) use program::{Check, IrArgs, RunArgs};
pub(crate) use queue::{QueueArgs, WorkerArgs};
pub(crate) use test_comp::{DataModel, TestCompArgs};
pub(crate) use values::duration;
use values::{NotTuned, arguments, bytes, count, device, directory, file, length, point, stub, tune, variable};

/// A test or a proof for every branch of your C code.
#[derive(Parser, Debug)]
#[command(name = "covenant", version, max_term_width = 100, propagate_version = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// When to use colours
    #[arg(long, value_enum, default_value_t = Color::Auto, global = true)]
    pub(crate) color: Color,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Gen(Box<GenArgs>),
    Replay(ReplayArgs),
    Check(CheckArgs),
    Mutate(MutateArgs),
    Report(report::ReportArgs),
    Merge(MergeArgs),
    Worker(WorkerArgs),
    ImportResults(ImportArgs),
    Init(InitArgs),
    Run(RunArgs),
    TestComp(TestCompArgs),
    Ir(IrArgs),
    Traces(traces::TracesArgs),
    Doctor(DoctorArgs),
    Man(ManArgs),
    Completions(CompletionArgs),
}

/// Say what is installed, what is missing and how to get it
///
/// Exit code 0: everything is there. 1: something is missing.
#[derive(Args, Debug)]
pub(crate) struct DoctorArgs {
    /// Say instead what these C files call that neither they nor Covenant's C library have
    #[arg(long, value_name = "FILE.c", num_args = 1..)]
    pub(crate) uses: Vec<PathBuf>,
    /// Say instead whether tests for a machine can be built and run here
    #[arg(long, value_enum, value_name = "MACHINE", conflicts_with = "uses")]
    pub(crate) target: Option<Machine>,
    /// Flags for clang
    #[arg(last = true, value_name = "CLANG FLAGS", requires = "uses")]
    pub(crate) flags: Vec<String>,
}

/// Print a manual page
///
///   covenant man > covenant.1
///   covenant man gen > covenant-gen.1
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct ManArgs {
    /// The page of a command
    pub(crate) command: Option<String>,
    /// All commands as Markdown, for the book
    #[arg(long, conflicts_with = "command")]
    pub(crate) markdown: bool,
}

/// Print completions for a shell
///
///   covenant completions bash > ~/.local/share/bash-completion/completions/covenant
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct CompletionArgs {
    /// Which shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

/// What was to be printed, where that is why the arguments could not be read.
pub(crate) fn asked_for(error: &clap::Error) -> Option<String> {
    let why: &NotTuned = std::error::Error::source(error)?.downcast_ref()?;
    matches!(why, NotTuned::Asked).then(|| why.to_string())
}

impl Arguments {
    /// Files are needed everywhere but with --all, which clap cannot say of options that commands share.
    pub(crate) fn checked(self) -> Result<Arguments, clap::Error> {
        let files = match &self.command {
            Command::Gen(args) if !args.project_wide.all => Some(&args.source.files),
            Command::Run(args) => Some(&args.source.files),
            Command::Ir(args) => Some(&args.source.files),
            Command::Traces(args) => Some(&args.source.files),
            _ => None,
        };
        if files.is_some_and(Vec::is_empty) {
            let words = "the following required arguments were not provided:\n  <FILE.c>...";
            return Err(Arguments::command().error(clap::error::ErrorKind::MissingRequiredArgument, words));
        }
        Ok(self)
    }
}

impl Color {
    pub(crate) fn apply(self) {
        let choice = match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}

/// What `gen --help` puts together.
const COVER: &str = "What to cover";
const INPUTS: &str = "What the inputs are";
const SEARCH: &str = "How to search, and for how long";
const RESULTS: &str = "What comes of it";
const TERMINAL: &str = "What is said";
const PROJECT: &str = "Projects and earlier runs";

const EXAMPLES: &str = "\
Examples:
  covenant gen src/parse.c -f parse -Iinclude         one function
  covenant gen --all -p build --timeout 10m           all functions of build/compile_commands.json
  covenant gen src/parse.c -f parse --level do178c-a  what a standard asks for, with its table in the report";

/// What the front end needs.
#[derive(Args, Debug)]
pub(crate) struct Source {
    /// C files; they are compiled one by one and linked
    #[arg(value_name = "FILE.c")]
    pub(crate) files: Vec<PathBuf>,
    /// Search DIR for headers
    #[arg(short = 'I', value_name = "DIR")]
    pub(crate) include: Vec<String>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub(crate) define: Vec<String>,
    /// A flag for clang, such as --cflag=-std=c99
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    pub(crate) cflag: Vec<String>,
    /// For which machine the code is compiled, where the flags do not say so
    #[arg(long, value_enum, value_name = "MACHINE")]
    pub(crate) target: Option<Machine>,
    /// Take the flags of each file from DIR/compile_commands.json
    #[arg(short, long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
}

/// Generate tests and proofs
///
/// For every objective of the criteria (branches if nothing is said) in the function and in all that it calls (--scope): a test that
/// reaches it, a proof that no input does, or the reason why it is open. Several criteria share one run and one suite. The tests are compiled and run natively at the end, and llvm-cov must agree.
///
/// Exit code 0: every objective is decided, no defect found. 1: something needs a look. 2: it could not run.
/// 3: covenant contradicted itself, which is always its own bug.
///
/// Options can also stand in covenant.toml, for all functions or for one; the book has the form.
#[derive(Args, Debug)]
#[command(args_override_self = true, after_help = EXAMPLES)]
pub(crate) struct GenArgs {
    #[command(flatten)]
    pub(crate) source: Source,
    /// Flags for clang
    #[arg(last = true, value_name = "CLANG FLAGS")]
    pub(crate) flags: Vec<String>,
    /// The function to test; main if nothing is said. FILE:NAME where several files have static functions of that name
    #[arg(short, long, value_name = "[FILE:]NAME", help_heading = COVER)]
    pub(crate) function: Option<String>,
    /// Where to write the results [covenant-out/FUNCTION]
    #[arg(short, long, value_name = "DIR", help_heading = RESULTS)]
    pub(crate) out: Option<PathBuf>,
    /// What to cover [branch]
    #[arg(short, long, value_parser = listed::criterion(), value_delimiter = ',', value_name = "LIST", help_heading = COVER)]
    pub(crate) criterion: Vec<Criterion>,
    /// What a level of a standard asks for, in place of -c; reports then have its table
    #[arg(long, value_parser = listed::level(), conflicts_with = "criterion", value_name = "LEVEL", help_heading = COVER)]
    pub(crate) level: Option<Level>,
    /// Whose objectives are searched for [reachable; own with --all]
    #[arg(long, value_enum, value_name = "SCOPE", help_heading = COVER)]
    pub(crate) scope: Option<Scope>,
    /// What a static function is given: anything, or what its callers can pass, which are then what tests call
    #[arg(long, value_enum, default_value_t = Context::Any, help_heading = COVER)]
    pub(crate) context: Context,
    /// How to decide what to try next: arc, or a strategy that explores paths, or one of these with +arc [arc; for local
    /// paths and points guided+arc where the control flow allows it]
    #[arg(short, long, value_name = "NAME", value_parser = strategy, long_help = strategies(), help_heading = SEARCH)]
    pub(crate) strategy: Option<StrategyConfig>,
    /// Times that a loop of the function goes back to its head, and that one call of another takes the same branch by choice
    /// or is inside itself; what lies beyond stays open [for local paths: 2]
    #[arg(long, value_name = "K", help_heading = SEARCH)]
    pub(crate) loop_bound: Option<u32>,
    /// Flip no decision beyond the first N of a path; what lies beyond stays open
    #[arg(long, value_name = "N", help_heading = SEARCH)]
    pub(crate) max_depth: Option<u32>,
    /// A line to reach, e.g. parse.c:120; without -c it is all that is covered
    #[arg(long, value_name = "FILE:LINE", value_parser = point, help_heading = COVER)]
    pub(crate) point: Vec<(String, u32)>,
    /// What is not searched for, but counted on the tests that are made
    #[arg(long, value_parser = listed::criterion(), value_delimiter = ',', value_name = "LIST", help_heading = COVER)]
    pub(crate) measure: Vec<Criterion>,
    /// Which two evaluations of a decision show that a condition matters
    #[arg(long, value_enum, default_value_t = McdcRule::Masking, value_name = "RULE", help_heading = COVER)]
    pub(crate) mcdc: McdcRule,
    /// Leave the fuzzer out: no inputs of chance where search is in vain
    #[arg(long, help_heading = SEARCH)]
    pub(crate) no_fuzz: bool,
    /// Let the model of `arc` keep every split, also those it no longer needs
    #[arg(long, help_heading = SEARCH)]
    pub(crate) no_coarsening: bool,
    /// Write the model of `arc` after each change as pictures: DIR/index.html steps through them, DIR/0001.dot and so on
    /// are for Graphviz
    #[arg(long, value_name = "DIR", help_heading = SEARCH)]
    pub(crate) dump_model: Option<PathBuf>,
    /// A C expression over the parameters and globals that holds on entry
    #[arg(long, value_name = "EXPR", help_heading = INPUTS)]
    pub(crate) assume: Vec<String>,
    /// A C function of the same parameters; inputs for which it returns 0 are outside
    #[arg(long, value_name = "NAME", help_heading = INPUTS)]
    pub(crate) precondition: Option<String>,
    /// A C function of the same parameters that says what is right: it gets the inputs of each test, and where its result is another
    /// one, that is told
    #[arg(long, value_name = "FUNCTION", conflicts_with_all = ["no_replay", "no_oracle"], help_heading = RESULTS)]
    pub(crate) expect: Option<String>,
    /// Are globals inputs, or do they keep their initial values
    #[arg(long, value_enum, default_value_t = Globals::Inputs, help_heading = INPUTS)]
    pub(crate) globals: Globals,
    /// May pointer inputs be NULL
    #[arg(long, value_enum, default_value_t = Pointers::Nullable, help_heading = INPUTS)]
    pub(crate) pointers: Pointers,
    /// Each pointer input means an object of its own: lists and trees without cycles
    #[arg(long, help_heading = INPUTS)]
    pub(crate) no_aliases: bool,
    /// Elements of the object behind a pointer input [16, and more while something is open that may need it; proofs rest on the
    /// number only if it is given]
    #[arg(long, value_name = "N", help_heading = INPUTS)]
    pub(crate) array_len: Option<u64>,
    /// The object behind PTR has exactly EXPR elements, a C expression over the parameters
    #[arg(long, value_name = "PTR=EXPR", value_parser = length, help_heading = INPUTS)]
    pub(crate) length: Vec<(String, String)>,
    /// What an undefined function does: `writes` returns any value and writes what it likes through the pointers to what is not
    /// const, `globals` also to variables that are not static, `any` writes nothing, `pure` neither and returns the same for the same
    /// arguments, `none` ends the run; without NAME it is said of all [writes]
    #[arg(long, value_name = "[NAME=]any|none|pure|writes|globals", value_parser = stub, help_heading = INPUTS)]
    pub(crate) stub: Vec<(Option<String>, covenant::StubKind)>,
    /// A C file with your own definitions of functions that the code calls and nothing else defines: runs and suites use them, and
    /// nothing of them is to be covered
    #[arg(long, value_name = "FILE.c", help_heading = INPUTS)]
    pub(crate) stub_file: Vec<PathBuf>,
    /// Which calls of the C library may fail at any time: those that give memory (malloc, strdup), or also those that open,
    /// remove or rename files
    #[arg(long, value_enum, default_value_t = Failures::Alloc, help_heading = INPUTS)]
    pub(crate) failures: Failures,
    /// LEN bytes of device registers at the address ADDR: each volatile read of them is an input, and suites map them
    #[arg(long, value_name = "ADDR:LEN", value_parser = device, help_heading = INPUTS)]
    pub(crate) device: Vec<(u64, u64)>,
    /// Who changes other volatile objects while a function runs: somebody, so that each read of a volatile variable, or behind a
    /// pointer among the inputs, is an input and suites play it; or nobody but the program
    #[arg(long, value_enum, default_value_t = Volatile::Any, help_heading = INPUTS)]
    pub(crate) volatile: Volatile,
    /// A whole program gets at most N arguments of at most LEN characters [4:16]
    #[arg(long, value_name = "N[:LEN]", value_parser = arguments, help_heading = INPUTS)]
    pub(crate) args: Option<(u32, u32)>,
    /// Standard input has at most LEN bytes, which are inputs [256 for a whole program, none for a function]
    #[arg(long, value_name = "LEN", help_heading = INPUTS)]
    pub(crate) stdin: Option<u32>,
    /// The file NAME in the directory that the program starts in may be there, with at most LEN bytes, which are inputs; no other is
    /// there
    #[arg(long, value_name = "NAME=LEN", value_parser = file, help_heading = INPUTS)]
    pub(crate) file: Vec<(String, u32)>,
    /// The directory NAME may be there (`.`: the one that the program starts in, which is), with at most COUNT files and directories in it
    /// besides those that are named; their names of up to 8 characters, their kind and their bytes are inputs
    #[arg(long, value_name = "NAME[=COUNT]", value_parser = directory, help_heading = INPUTS)]
    pub(crate) dir: Vec<(String, u32)>,
    /// The environment of a whole program may have the variable NAME, with at most LEN characters, which are inputs; it has no other
    #[arg(long, value_name = "NAME=LEN", value_parser = variable, help_heading = INPUTS)]
    pub(crate) env: Vec<(String, u32)>,
    /// End the search after this long; with --all, that of all functions together
    #[arg(long, default_value = "60s", value_parser = duration, value_name = "DUR", help_heading = SEARCH)]
    pub(crate) timeout: Duration,
    /// Give up on one query after the steps that take about this long; the same on every machine, however slow
    #[arg(long, default_value = "5s", value_parser = duration, value_name = "DUR", help_heading = SEARCH)]
    pub(crate) solver_timeout: Duration,
    /// For experiments: change a budget or threshold of the search; `list` shows all
    #[arg(long, hide = true, value_parser = tune, value_name = "NAME=VALUE", help_heading = SEARCH)]
    pub(crate) tune: Vec<(String, String)>,
    /// Keep at most so many tests
    #[arg(long, value_name = "N", help_heading = SEARCH)]
    pub(crate) max_tests: Option<u64>,
    /// Try at most so many flips
    #[arg(long, value_name = "N", help_heading = SEARCH)]
    pub(crate) max_iterations: Option<u64>,
    /// End a run after so many instructions
    #[arg(long, default_value = "10_000_000", value_parser = count, value_name = "N", help_heading = SEARCH)]
    pub(crate) max_steps: u64,
    /// End a run when its objects take more memory
    #[arg(long, default_value = "1G", value_parser = bytes, value_name = "BYTES", help_heading = SEARCH)]
    pub(crate) memory: u64,
    /// Which solver leads
    #[arg(long, value_parser = listed::solver(), default_value = Backend::default().name(), help_heading = SEARCH)]
    pub(crate) solver: Backend,
    /// For what is random: the same seed gives the same search
    #[arg(long, default_value_t = 1, value_name = "N", help_heading = SEARCH)]
    pub(crate) seed: u64,
    /// Tests that run at the same time in the replay [all cores]
    #[arg(long, value_name = "N", help_heading = SEARCH)]
    pub(crate) jobs: Option<usize>,
    /// Suites to write
    #[arg(long, value_parser = listed::suite(), value_delimiter = ',', default_value = "c", value_name = "LIST", help_heading = RESULTS)]
    pub(crate) suite: Vec<SuiteFormat>,
    /// Do not assert what the runs returned and wrote
    #[arg(long, help_heading = RESULTS)]
    pub(crate) no_oracle: bool,
    /// Do not compile and run the tests natively at the end
    #[arg(long, help_heading = RESULTS)]
    pub(crate) no_replay: bool,
    #[command(flatten)]
    pub(crate) native: sandbox::SandboxArgs,
    #[command(flatten)]
    pub(crate) project_wide: project::ProjectArgs,
    /// Print report.json instead of the summary
    #[arg(long, help_heading = TERMINAL)]
    pub(crate) json: bool,
    /// Print nothing but errors
    #[arg(long, help_heading = TERMINAL)]
    pub(crate) quiet: bool,
    /// Also say what the search and the solver did; with --all, what came of each function and why it was analysed
    #[arg(short, long, conflicts_with = "quiet", help_heading = TERMINAL)]
    pub(crate) verbose: bool,
    /// Show no progress
    #[arg(long, help_heading = TERMINAL)]
    pub(crate) no_progress: bool,
    /// End when standard input does, as when whoever started this is gone
    #[arg(long, hide = true, help_heading = TERMINAL)]
    pub(crate) tied: bool,
    /// Say on standard error what the search chooses: a level (`info`, `debug`, `trace`), or levels of `turn`, `flip`,
    /// `frontier`, `bounded`, `prove`, `run` and `verdict`, such as `flip=debug,verdict=info`
    #[arg(long, value_name = "FILTER", value_parser = crate::log::filter, help_heading = TERMINAL)]
    pub(crate) log: Option<tracing_subscriber::filter::Targets>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum McdcRule {
    /// All others that both evaluate agree, as llvm-cov counts
    Masking,
    /// And the condition stands only once in the decision
    UniqueCause,
    /// Other occurrences of the condition may change with it
    Racc,
    /// Others may change, if the condition decides in both
    Cacc,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Scope {
    /// Those of the function itself; what tests take of its callees counts for these
    Own,
    /// Those of the function's file, as far as it can reach them
    File,
    /// All that the function can reach
    Reachable,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Globals {
    Inputs,
    Initial,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Pointers {
    Nullable,
    Valid,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Context {
    Any,
    Callers,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Volatile {
    Any,
    Never,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Failures {
    None,
    Alloc,
    All,
}

fn strategy(text: &str) -> Result<StrategyConfig, String> {
    text.parse()
}

/// What `--help` says of the strategies.
fn strategies() -> String {
    let mut text = String::from(
        "How to decide what to try next\n\n\
         `arc` asks for inputs that lead to a branch by any way at once, explores paths, and keeps a model of the program, \
         refined until every branch has a test or a proof. It mostly needs the fewest runs, and is the one to use where \
         loops have no small bound and where proofs matter. The others explore paths: each decision that a run took can be \
         flipped, and the strategy says which is next. All but random-input end when every way that matters was tried, \
         which proves the rest infeasible; where paths never end, they end with --timeout. `NAME+arc` explores with NAME \
         and proves with the model. Where nothing is said, local paths and points are searched for with guided+arc, unless the \
         function can call itself or has too many paths, and all else with arc.\n\n",
    );
    for kind in StrategyKind::all() {
        text.push_str(&format!("{:<15} {}\n", kind.name(), kind.about()));
    }
    text.push_str("\n--loop-bound and --max-depth bound all of these, --seed sets their lots.");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_in_groups_and_there_are_examples() {
        let mut command = Arguments::command();
        let help = command.find_subcommand_mut("gen").unwrap().render_help().to_string();
        for title in [COVER, INPUTS, SEARCH, RESULTS, TERMINAL, PROJECT] {
            assert!(help.contains(&format!("\n{title}:\n")), "{title}: {help}");
        }
        assert_eq!(help.matches("\n  covenant gen ").count(), 3, "{help}");
    }

    #[test]
    fn the_table_of_options_is_consistent() {
        Arguments::command().debug_assert();
    }
}
