//! The C library that interpreted programs use: C sources in `library/`, compiled to bitcode by the build script.

/// One module of LLVM 19 bitcode. What it asks of the machine is declared in `library/covenant.h`.
pub static LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/library.bc"));

#[cfg(test)]
mod tests {
    use super::LIBRARY;

    fn contains(needle: &[u8]) -> bool {
        LIBRARY.windows(needle.len()).any(|window| window == needle)
    }

    #[test]
    fn is_bitcode_with_the_way_in() {
        assert_eq!(&LIBRARY[..4], b"BC\xc0\xde");
        assert!(contains(b"__covenant_start"));
    }

    #[test]
    fn names_no_path_of_the_building_machine() {
        assert!(!contains(env!("CARGO_MANIFEST_DIR").as_bytes()));
        assert!(!contains(env!("OUT_DIR").as_bytes()));
    }
}
