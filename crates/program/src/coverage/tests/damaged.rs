//! Bytes that clang would not write.

use proptest::prelude::*;

use super::super::decode::{CoverageError, Record, filenames, function};
use super::super::{Counter, FunctionCoverage};

fn decode(mapping: &[u8]) -> Result<FunctionCoverage, CoverageError> {
    let names = ["/src".to_owned(), "/src/a.c".to_owned()];
    function(&Record { name_hash: 1, structural_hash: 2, filenames_hash: 3, mapping }, &names)
}

fn check(mapping: &[u8], expected: &str) {
    assert_eq!(decode(mapping).unwrap_err().to_string(), expected);
}

#[test]
fn errors_say_where() {
    check(&[], "the coverage mapping ends at byte 0, inside of the number of files");
    check(&[1], "the coverage mapping ends at byte 1, inside of the number of files");
    check(&[1, 2, 0, 0], "byte 1 of the coverage mapping: there is no file 2");
    check(&[0, 0, 0], "byte 2 of the coverage mapping: there are bytes after the last region");
    check(&[0, 1, 2, 0], "byte 1 of the coverage mapping: the expression 0 contains itself");
    check(&[0, 1, 6, 0], "byte 2 of the coverage mapping: there is no expression 1");
    check(&[1, 1, 0, 1, 4, 1, 1, 1], "the coverage mapping ends at byte 8, inside of a column");
    check(&[1, 1, 0, 1, 12, 1, 1, 1], "byte 4 of the coverage mapping: there is no expanded file 1");
    check(&[1, 1, 0, 1, 56, 1, 1, 1, 1], "byte 4 of the coverage mapping: there is no region of kind 7");
    check(&[1, 1, 0, 1, 48, 1, 1, 0, 1, 1], "byte 7 of the coverage mapping: a condition has no id");
    check(
        &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2],
        "byte 0 of the coverage mapping: the number of files is too large",
    );
    let long_chain = decode(&[0, 2, 6, 1, 1, 5]).unwrap();
    assert_eq!(long_chain.expressions, [[Counter::Sub(1), Counter::Count(0)], [Counter::Count(0), Counter::Count(1)]]);
}

#[test]
fn names_are_completed_and_compressed_ones_refused() {
    assert_eq!(filenames(b"\x03\x00\x00\x02/d\x03a.c\x04/b.c"), Ok(vec!["/d".into(), "/d/a.c".into(), "/b.c".into()]));
    assert_eq!(filenames(&[3, 40, 20, 0x78]), Err(CoverageError::Compressed));
    assert!(matches!(filenames(&[3, 0, 0, 9]), Err(CoverageError::Truncated(..))));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_decode_or_fail(bytes in prop::collection::vec(0u8..60, 0..200)) {
        let _ = filenames(&bytes);
        if let Ok(function) = decode(&bytes) {
            for region in 0..function.files.len() as u32 {
                function.expansions(region);
            }
            for index in 0..function.expressions.len() as u32 {
                function.evaluate(Counter::Add(index), &[1, 2, 3]);
            }
        }
    }
}
