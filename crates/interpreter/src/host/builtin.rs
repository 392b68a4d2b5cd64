//! Functions that the machine knows by name.

use std::str::FromStr;

use strum::EnumString;

use super::math;

/// A function that the machine does itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// Memory, files, inputs, and how a run ends.
    System(System),
    /// Mathematics, from the system's library.
    Math(math::Function),
}

/// See `library/covenant.h` for what the first group does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, EnumString)]
#[expect(missing_docs, reason = "`library/covenant.h` has the prototypes and says what each does")]
pub enum System {
    #[strum(serialize = "__covenant_alloc")]
    Alloc,
    #[strum(serialize = "__covenant_free")]
    Free,
    #[strum(serialize = "__covenant_fails")]
    Fails,
    #[strum(serialize = "__covenant_bound")]
    Bound,
    #[strum(serialize = "__covenant_given")]
    Given,
    #[strum(serialize = "__covenant_named")]
    Named,
    #[strum(serialize = "__covenant_file")]
    File,
    #[strum(serialize = "__covenant_size")]
    Size,
    #[strum(serialize = "__covenant_exit")]
    Exit,
    #[strum(serialize = "__covenant_abort")]
    Abort,
    #[strum(serialize = "__covenant_assert_fail")]
    AssertFail,
    #[strum(serialize = "__covenant_read")]
    Read,
    #[strum(serialize = "__covenant_write")]
    Write,
    #[strum(serialize = "__covenant_open")]
    Open,
    #[strum(serialize = "__covenant_close")]
    Close,
    #[strum(serialize = "__covenant_seek")]
    Seek,
    #[strum(serialize = "__covenant_unlink")]
    Unlink,
    #[strum(serialize = "__covenant_rename")]
    Rename,
    #[strum(serialize = "__covenant_mkdir")]
    MakeDirectory,
    #[strum(serialize = "__covenant_rmdir")]
    RemoveDirectory,
    #[strum(serialize = "__covenant_kind")]
    KindOfFile,
    #[strum(serialize = "__covenant_child")]
    Child,
    #[strum(serialize = "__covenant_killed")]
    Killed,
    #[strum(serialize = "__covenant_unsupported")]
    Unsupported,
    #[strum(serialize = "__covenant_elsewhere")]
    Elsewhere,
    #[strum(serialize = "__covenant_unsure")]
    Unsure,
    #[strum(serialize = "__covenant_to_the_letter")]
    ToTheLetter,
    #[strum(serialize = "__covenant_format_double")]
    FormatDouble,
    #[strum(serialize = "__covenant_format_long_double")]
    FormatLongDouble,
    #[strum(serialize = "__covenant_parse_float")]
    ParseFloat,
    #[strum(serialize = "__covenant_parse_double")]
    ParseDouble,
    #[strum(serialize = "__covenant_parse_long_double")]
    ParseLongDouble,
    /// (place, number): a parameter of the function under test.
    #[strum(serialize = "__covenant_input")]
    Input,
    /// (number, elements): how long the object behind a pointer parameter is.
    #[strum(serialize = "__covenant_length")]
    Length,
    /// (place, bytes, name): these bytes are inputs.
    #[strum(serialize = "klee_make_symbolic")]
    MakeSymbolic,
    /// (place): what is there is an input, of 1, 2 or 4 bytes.
    #[strum(
        serialize = "CREST_char",
        serialize = "CREST_unsigned_char",
        serialize = "__CrestChar",
        serialize = "__CrestUChar"
    )]
    Crest1,
    #[strum(
        serialize = "CREST_short",
        serialize = "CREST_unsigned_short",
        serialize = "__CrestShort",
        serialize = "__CrestUShort"
    )]
    Crest2,
    #[strum(
        serialize = "CREST_int",
        serialize = "CREST_unsigned_int",
        serialize = "__CrestInt",
        serialize = "__CrestUInt"
    )]
    Crest4,
    /// (place, bytes): what the function under test returned.
    #[strum(serialize = "__covenant_result")]
    Result,
    #[strum(serialize = "__covenant_assume", serialize = "__VERIFIER_assume", serialize = "klee_assume")]
    Assume,
    #[strum(serialize = "reach_error", serialize = "__VERIFIER_error")]
    ReachError,
    #[strum(serialize = "memcpy", serialize = "memmove")]
    Copy,
    #[strum(serialize = "memset")]
    Fill,
    #[strum(serialize = "setjmp", serialize = "_setjmp", serialize = "__sigsetjmp", serialize = "sigsetjmp")]
    SetJump,
    #[strum(serialize = "longjmp", serialize = "_longjmp", serialize = "siglongjmp")]
    LongJump,
}

impl System {
    /// Whether it gives what a process is given or the world chooses, and does nothing else that a program sees.
    pub fn asks_the_world(self) -> bool {
        matches!(self, System::Bound | System::Given | System::Named | System::File | System::Unsure)
    }
}

impl Builtin {
    /// Whether the machine knows a function of this name.
    pub fn named(name: &str) -> bool {
        Builtin::from_str(name).is_ok()
    }
}

impl FromStr for Builtin {
    type Err = ();

    fn from_str(name: &str) -> Result<Builtin, ()> {
        if let Ok(system) = name.parse() {
            return Ok(Builtin::System(system));
        }
        math::Function::named(name).map(Builtin::Math).ok_or(())
    }
}
