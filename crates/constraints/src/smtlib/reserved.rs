//! Words that are no names.

/// Whether SMT-LIB or a solver has a meaning for the word. Quoting does not make it another symbol, and not every solver lets
/// a script give it a new meaning.
pub(super) fn is_reserved(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "true",
        "false",
        "not",
        "and",
        "or",
        "xor",
        "ite",
        "let",
        "forall",
        "exists",
        "match",
        "par",
        "as",
        "is",
        "distinct",
        "select",
        "store",
        "const",
        "concat",
        "extract",
        "repeat",
        "abs",
        "div",
        "mod",
        "divisible",
        "iff",
        "implies",
        "Bool",
        "Int",
        "Real",
        "Array",
        "BitVec",
        "String",
        "RNE",
        "RNA",
        "RTP",
        "RTN",
        "RTZ",
        "NaN",
        "lambda",
        "choice",
        "to_real",
        "to_int",
        "int2bv",
        "int_to_bv",
        "ubv_to_int",
        "sbv_to_int",
        "_",
        "!",
        "=",
        "=>",
        "<",
        "<=",
        ">",
        ">=",
        "+",
        "-",
        "*",
        "/",
    ];
    const PREFIXES: &[&str] = &["bv", "fp", "to_fp", "roundNearest", "roundToward", "rotate_", "str.", "re."];
    const SUFFIXES: &[&str] = &["_extend", "2nat", "2bv"];
    WORDS.contains(&name)
        || PREFIXES.iter().any(|p| name.starts_with(p))
        || SUFFIXES.iter().any(|s| name.ends_with(s))
        || name.starts_with(['@', '.'])
}
