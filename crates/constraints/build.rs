//! Links CaDiCaL, which `bitwuzla-sys` compiles against but leaves to its user to link. Debian has it as a static
//! library only, in the linker's default directory.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-lib=cadical");
}
