//! What real C has besides arithmetic: one file a feature, and one line in the registry.
//!
//! A feature declares what it needs, writes statements that use it, and often has values for any expression. Some have a
//! world outside: a caller who passes callbacks, functions that nobody defines in the text. The harness tries the `ways`
//! that this world can be, one for each number.
//!
//! All is defined behaviour, apart from null pointers and divisions: what the harness does natively must be what C says.

use super::Writer;
use super::values::Value;

/// One feature: see above.
pub(crate) struct Feature {
    pub(crate) name: &'static str,
    /// Headers without `.h`.
    pub(super) headers: &'static [&'static str],
    /// Writes what is outside of functions.
    pub(super) declare: fn(&mut Writer),
    /// Writes statements into the body of the subject.
    pub(super) statement: fn(&mut Writer),
    /// An expression without further statements.
    pub(super) value: Option<fn(&mut Writer) -> Value>,
    pub(super) outside: Outside,
}

/// What is not in the text of the function.
pub(super) struct Outside {
    /// Further parameters, and what the harness passes.
    pub(super) params: &'static str,
    pub(super) args: &'static str,
    /// How many ways there are.
    pub(super) ways: u32,
    /// Statements of the harness before a call of the subject, with the number `way`.
    pub(super) setup: &'static str,
    /// Definitions of the harness, behind the text.
    pub(super) text: &'static str,
    /// Functions of the library that are defined there, as `__wrap_NAME`.
    pub(super) wrapped: &'static [&'static str],
    pub(super) exact: Exact,
    /// Whether functions are left by jumps.
    pub(super) jumps: bool,
}

/// Whether the ways are all that there can be.
#[derive(Debug, Clone, Copy)]
pub(super) enum Exact {
    Always,
    /// Unless there is something that code outside can change besides.
    UnlessExposed,
    /// They are examples.
    Never,
}

impl Exact {
    pub(super) fn holds(self, exposed: bool) -> bool {
        match self {
            Exact::Always => true,
            Exact::UnlessExposed => !exposed,
            Exact::Never => false,
        }
    }
}

/// A feature that needs nothing from outside.
const INSIDE: Outside =
    Outside { params: "", args: "", ways: 1, setup: "", text: "", wrapped: &[], exact: Exact::Always, jumps: false };

const PLAIN: Feature =
    Feature { name: "plain", headers: &[], declare: |_| {}, statement: |_| {}, value: None, outside: INSIDE };

macro_rules! features {
    ($($name:ident)*) => {
        $(mod $name;)*
        /// All features.
        pub(crate) const ALL: &[Feature] = &[PLAIN, $($name::FEATURE),*];
    };
}

features! {
    aliased_pointers
    array_input
    ask_callback
    bit_fields
    bsearch
    callback
    callback_effect
    callback_struct
    comparison_result
    computed_goto
    duff
    errno_values
    exits
    float_input
    floats
    formats
    function_returned
    function_table
    gotos
    heap_list
    heap_resize
    hook
    jumps
    list_input
    memory_functions
    nested_conditions
    pointer_numbers
    pointers
    qsort
    recursion_callback
    static_local
    string_input
    strings
    struct_input
    struct_value
    stub_callback
    stub_choice
    stub_escape
    stub_number
    stub_pointer
    stub_reentry
    stub_writes
    unions
    varargs
    variable_array
    volatiles
    wide_numbers
    world
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn names_are_those_of_the_files_and_differ() {
        let mut names: Vec<_> = ALL.iter().map(|feature| feature.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
    }

    #[test]
    fn no_two_features_stand_in_for_one_function() {
        let mut names: Vec<_> = ALL.iter().flat_map(|feature| feature.outside.wrapped).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
