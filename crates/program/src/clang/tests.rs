use std::fs;

use super::*;

struct Project(tempfile::TempDir);

impl Project {
    fn new(files: &[(&str, &[u8])]) -> Project {
        let dir = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        Project(dir)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn compile(&self, name: &str) -> Result<Vec<Unit>, Error> {
        FrontEnd::default().compile(&[self.path(name)])
    }

    /// Compiles with a database of one entry, whose file is `src/a.c`.
    fn with_entry(&self, entry: &str) -> Result<Vec<Unit>, Error> {
        let directory = serde_json::to_string(self.0.path()).unwrap();
        let text = format!("[{{\"directory\": {directory}, \"file\": \"src/a.c\", {entry}}}]");
        fs::write(self.path("compile_commands.json"), text).unwrap();
        self.in_project("src/a.c")
    }

    fn in_project(&self, name: &str) -> Result<Vec<Unit>, Error> {
        let front = FrontEnd { project: Some(self.0.path().to_path_buf()), ..FrontEnd::default() };
        front.compile(&[self.path(name)])
    }
}

fn message(result: Result<Vec<Unit>, Error>) -> String {
    match result {
        Ok(_) => panic!("it compiled"),
        Err(e) => e.to_string(),
    }
}

#[test]
fn files_become_bitcode_in_their_order() {
    let project = Project::new(&[("a.c", b"int a;"), ("b.c", b"int b;"), ("c.c", b"int c;")]);
    let files: Vec<PathBuf> = ["a.c", "b.c", "c.c"].map(|f| project.path(f)).into();
    let units = FrontEnd::default().compile(&files).unwrap();
    assert_eq!(units.iter().map(|u| u.file.clone()).collect::<Vec<_>>(), files);
    for unit in units {
        assert!(unit.bitcode.starts_with(b"BC\xc0\xde"));
        assert_eq!((unit.warnings.as_str(), unit.flags.len()), ("", 0));
    }
}

#[test]
fn what_clang_says_is_kept() {
    let project = Project::new(&[("bad.c", b"int f(void) { return x; }"), ("odd.c", b"int f(void) { 1; return 2; }")]);
    let error = message(project.compile("bad.c"));
    assert!(error.contains("error: use of undeclared identifier 'x'") && error.contains("bad.c:1:22"), "{error}");
    let units = project.compile("odd.c").unwrap();
    assert!(units[0].warnings.contains("warning: expression result unused"), "{}", units[0].warnings);
}

#[test]
fn a_source_need_not_be_utf8() {
    let project = Project::new(&[("latin.c", b"char *s = \"caf\xe9\"; // \xe9\xff\n")]);
    assert_eq!(project.compile("latin.c").unwrap().len(), 1);
}

#[test]
fn inputs_that_are_no_c_are_named() {
    let project = Project::new(&[
        ("object.o", b"\x7fELF\x02\x01\x01\0\0\0"),
        ("disguised.c", b"\x7fELF\x02\x01\x01\0\0\0"),
        ("lib.a", b"!<arch>\nx"),
        ("x.cpp", b"int x;"),
        ("x.h", b"int x;"),
        ("notes.txt", b"hello"),
        ("dir/x.c", b"int x;"),
    ]);
    let cases = [
        ("object.o", "is a compiled object or program, not a C source file"),
        ("disguised.c", "is a compiled object or program, not a C source file"),
        ("lib.a", "is a library archive, not a C source file"),
        ("x.cpp", "is C++, not a C source file"),
        ("x.h", "is a header, not a C source file"),
        ("notes.txt", "is a file of another kind"),
        ("dir", "is a directory"),
        ("nothing.c", "no such file"),
    ];
    for (name, expected) in cases {
        let error = message(project.compile(name));
        assert!(error.contains(expected) && error.contains(name), "{name}: {error}");
    }
    let front = FrontEnd { flags: vec!["-x".to_owned(), "c".to_owned()], ..FrontEnd::default() };
    assert!(front.compile(&[project.path("x.h")]).is_ok());
}

#[test]
fn a_clang_that_is_not_there_or_not_ours_is_an_error() {
    let with = |path: &str| FrontEnd { clang: Some(path.into()), ..FrontEnd::default() }.find_clang();
    assert!(matches!(with("/no/such/clang"), Err(Error::NotRunnable { .. })));
    assert!(matches!(with("true"), Err(Error::WrongVersion { .. })));
    assert!(Error::NoClang.to_string().contains("apt-get install clang-19"));
    assert!(FrontEnd::default().find_clang().is_ok());
}

#[test]
fn flags_come_from_the_database_in_both_forms() {
    let source = b"#include \"a.h\"\nint x = VALUE + OTHER + sizeof(S);";
    let project = Project::new(&[("src/a.c", source), ("include/a.h", b"#define OTHER 2\n")]);
    let command = r#""command": "ccache gcc -O2 -g -Iinclude -DVALUE='3' -DS=\\\"s\\\" -MD -MF x.d -o a.o -c src/a.c""#;
    let arguments = r#""arguments": ["cc", "-O3", "-I", "include", "-D", "VALUE=3", "-DS=\"s\"", "-flto", "-Werror", "-c", "src/a.c", "-oa.o"]"#;
    let by_command = project.with_entry(command).unwrap();
    assert_eq!(by_command[0].flags, ["-Iinclude", "-DVALUE=3", "-DS=\"s\""]);
    assert_eq!(by_command[0].directory, project.0.path());
    let by_arguments = project.with_entry(arguments).unwrap();
    assert_eq!(by_arguments[0].flags, ["-I", "include", "-D", "VALUE=3", "-DS=\"s\""]);
    assert!(!project.path("a.o").exists() && !project.path("x.d").exists());
}

#[test]
fn a_bad_database_says_what_is_wrong() {
    let project = Project::new(&[("src/a.c", b"int x;"), ("src/b.c", b"int y;")]);
    assert!(message(project.in_project("src/a.c")).contains("compile_commands.json: no such file"));
    let bad = |text: &str| {
        fs::write(project.path("compile_commands.json"), text).unwrap();
        message(project.in_project("src/a.c"))
    };
    assert!(bad("[{\"directory\": 1}]").contains("not a compilation database"));
    assert!(bad("{").contains("line 1 column"));
    let neither = message(project.with_entry("\"output\": \"x\""));
    assert!(neither.contains("has neither `arguments` nor `command`"), "{neither}");
    let open = message(project.with_entry("\"command\": \"cc 'x\""));
    assert!(open.contains("a ' is not closed"), "{open}");
    project.with_entry("\"command\": \"cc -c src/a.c\"").unwrap();
    assert!(message(project.in_project("src/b.c")).contains("has no entry in"));
    assert!(message(project.in_project("src/none.c")).contains("no such file"));
}
