//! What a whole program is given: arguments, standard input, files, directories and the environment.

use covenant_concolic::symbolic::Process;
use covenant_interpreter::given::NamedKind;

use crate::driver::Entry;
use crate::request::Request;

/// Arguments of a program and characters of each where nobody says how many. What is not read costs nothing.
const USUAL_ARGS: (u32, u32) = (4, 16); // not tuning: what the inputs are
/// The same for bytes of standard input.
const USUAL_STDIN: u32 = 256; // not tuning: what the inputs are

impl Request {
    /// Whether nobody says which files and directories there are.
    pub(crate) fn names_no_files(&self) -> bool {
        self.files.is_empty() && self.dirs.is_empty()
    }

    /// What a whole program is given at most.
    pub(crate) fn process(&self) -> Process {
        let is_main = self.function.as_deref().is_none_or(|name| name == "main");
        let (args, length) = self.args.unwrap_or(USUAL_ARGS);
        let (args, files_grow) = (if is_main { args } else { 0 }, self.files_grow);
        let stdin = self.stdin.unwrap_or(if is_main { USUAL_STDIN } else { 0 });
        let kinds =
            [(NamedKind::File, &self.files), (NamedKind::Variable, &self.env), (NamedKind::Directory, &self.dirs)];
        let all =
            kinds.into_iter().flat_map(|(kind, all)| all.iter().map(move |(name, most)| (kind, name.clone(), *most)));
        // Who says how much there is means it.
        let grows = is_main && self.args.is_none() && self.stdin.is_none();
        Process { args, length, stdin, grows, named: all.collect(), files_grow }
    }
}

/// What a whole program is given at most, in words: a limit of ours.
pub(crate) fn limits(entry: &Entry, reads: bool, request: &Request) -> Option<String> {
    let Process { args, length, stdin, grows, named, files_grow } = request.process();
    let at_first = |grows: bool| if grows { " at first" } else { "" };
    let (first, of_file) = (at_first(grows), at_first(files_grow));
    let mut limits = Vec::new();
    if entry.is_main && !entry.main_params.is_empty() {
        limits.push(match args {
            0 => "main gets no arguments (see --args)".to_owned(),
            _ => format!("main gets at most {args} arguments of at most {length} characters{first} (see --args)"),
        });
    }
    if reads && (entry.is_main || stdin > 0) {
        limits.push(match stdin {
            0 => "standard input is empty (see --stdin)".to_owned(),
            _ => format!("standard input has at most {stdin} bytes{first} (see --stdin)"),
        });
    }
    limits.extend(named.iter().map(|(kind, name, most)| match kind {
        NamedKind::File => format!("the file {name} has at most {most} bytes{of_file} (see --file)"),
        NamedKind::Variable => format!("the variable {name} has at most {most} characters (see --env)"),
        NamedKind::Directory if *most == 0 => format!("the directory {name} has nothing in it (see --dir)"),
        NamedKind::Directory => {
            format!("the directory {name} has at most {most} things in it that the program does not name (see --dir)")
        }
    }));
    (!limits.is_empty()).then(|| limits.join(", "))
}
