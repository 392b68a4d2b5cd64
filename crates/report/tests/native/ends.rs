//! Subjects that do their worst to the process that runs them: every end has its word, and nothing stays behind.

use covenant_report::ReplayOptions;
use covenant_report::replay::{End, TestReplay};

use crate::kit::*;

const HEAD: &str = r#"#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
static void close_all(void) { for (int fd = 0; fd < 1024; fd++) close(fd); }
static void leave(int number) { (void)number; _exit(7); }
static void deny(long call)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { 4, filter };
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) _exit(99);
}
"#;

/// Runs one test for each body of `f`, all in one suite.
fn ends(bodies: &[&str], options: &ReplayOptions) -> (Vec<TestReplay>, Vec<String>) {
    let mut source = format!("{HEAD}int f(int x)\n{{\n    switch (x) {{\n");
    for (index, body) in bodies.iter().enumerate() {
        source += &format!("    case {index}: {{ {body} }} break;\n");
    }
    source += "    }\n    return 1;\n}\n";
    let mut fixture = Fixture::new("f", &source).param("x", "int x", 4).returns("int result", 4);
    for index in 0..bodies.len() {
        let test = fixture.test("returned");
        test.cells = vec![param(0, "x", int(index as i128, 4))];
        test.observed.returned = Some(int(1, 4));
    }
    let result = fixture.replay_with(&[], options);
    (result.tests, result.notes)
}

fn quick() -> ReplayOptions {
    ReplayOptions { timeout: std::time::Duration::from_secs(5), memory: 300 << 20, ..ReplayOptions::default() }
}

fn is_running(name: &str) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let mut comms = processes.filter_map(|p| std::fs::read_to_string(p.path().join("comm")).ok());
    comms.any(|comm| comm.trim() == name)
}

#[test]
fn every_end_is_told() {
    let sandboxed = |call: &str, path: Option<&str>| End::Sandbox { call: call.into(), path: path.map(str::to_owned) };
    let cases: Vec<(&str, End)> = vec![
        ("kill(getppid(), SIGKILL); pause();", sandboxed("kill", None)),
        ("return 1;", End::Returned(0)),
        ("_exit(3);", End::Exited(3)),
        ("exit(4);", End::Exited(4)),
        ("kill(0, SIGKILL);", End::Signal(9)),
        ("close_all(); abort();", End::Signal(6)),
        ("close_all(); return *(volatile int *)(long)(x - 6);", End::Sanitizer),
        ("signal(SIGSEGV, leave); return *(volatile int *)(long)(x - 7);", End::Exited(7)),
        ("signal(SIGTERM, SIG_IGN); for (;;) pause();", End::Timeout),
        ("char text[4096]; memset(text, 'x', sizeof text); for (;;) write(1, text, sizeof text);", End::Output),
        ("for (;;) memset(malloc(1 << 20), 1, 1 << 20);", End::Memory),
        ("int fd = open(\"big\", O_CREAT | O_WRONLY, 0600); ftruncate(fd, 1LL << 40);", End::FileSize),
        ("deny(SYS_unlinkat); unlinkat(AT_FDCWD, \"/a file\", 0);", sandboxed("unlinkat", Some("/a file"))),
        ("deny(SYS_socket); close_all(); syscall(SYS_socket, 1, 2, 3);", sandboxed("socket", None)),
        ("deny(SYS_unlinkat); syscall(SYS_unlinkat, 0, 12345L, 0);", sandboxed("unlinkat", None)),
        ("for (int fd = 3; fd < 1024; fd++) write(fd, \"ok 1 - forged\\n\", 14);", End::Returned(0)),
    ];
    let bodies: Vec<&str> = cases.iter().map(|(body, _)| *body).collect();
    let (tests, _) = ends(&bodies, &quick());
    for ((body, expected), test) in cases.iter().zip(&tests) {
        assert_eq!(&test.end, expected, "{body}: {test:?}");
        assert_eq!(test.passed, *expected == End::Returned(0), "{body}: {test:?}");
    }
}

#[test]
fn children_neither_count_nor_stay() {
    let daemon = "if (fork() == 0) { setsid(); if (fork() == 0) { prctl(PR_SET_NAME, \"cov-stray\"); close_all(); \
                  for (;;) pause(); } _exit(0); } usleep(50000);";
    let wrong = "return fork() == 0 ? 77 : 1;";
    let failing = "if (fork() == 0) abort(); usleep(20000);";
    let ignoring = "if (fork() == 0) { signal(SIGTERM, SIG_IGN); prctl(PR_SET_NAME, \"cov-stray\"); for (;;); }";
    let (tests, notes) = ends(&[daemon, wrong, failing, ignoring], &quick());
    for test in &tests {
        assert!(test.passed && test.end == End::Returned(0), "{test:?}");
    }
    assert_eq!((tests[0].left, tests[2].left, tests[3].left), (1, 0, 1), "{tests:?}");
    assert!(notes.contains(&"test t1 left a process running, which was ended with it".to_owned()), "{notes:?}");
    assert!(!is_running("cov-stray"));
}

#[test]
fn every_test_has_an_empty_directory() {
    let litter = "mkdir(\"a\", 0700); mkdir(\"a/b\", 0700); close(open(\"a/b/c\", O_CREAT, 0)); symlink(\"/\", \"a/d\"); \
                  chmod(\"a/b\", 0); chmod(\"a\", 0); chmod(\".\", 0);";
    let deep = "for (int i = 0; i < 300; i++) { if (mkdir(\"deep\", 0700) || chdir(\"deep\")) return 2; }";
    let look = "char here[4096]; return rmdir(getcwd(here, sizeof here)) == 0 ? 1 : errno + 100;";
    let alone = "int n = 0; DIR *all = opendir(\"..\"); while (readdir(all)) n++; return n == 3 ? 1 : n;";
    let environment = "return getenv(\"ASAN_OPTIONS\") || getenv(\"PATH\") ? 2 : 1;";
    let (tests, _) = ends(&[litter, look, deep, look, alone, environment], &quick());
    for test in &tests {
        assert!(test.passed, "{test:?}");
    }
}

#[test]
fn a_subject_that_ends_before_its_tests_is_told() {
    let source = "#include <stdlib.h>\n__attribute__((constructor)) static void early(void) { abort(); }\n\
                  int f(int x) { return x > 2; }\n";
    let mut fixture = Fixture::new("f", source).param("x", "int x", 4).returns("int result", 4);
    fixture.test("returned");
    let end = fixture.replay(&[]).tests[0].end.to_string();
    // Behind the fence it is the first process, whom its own signals do not end; the sanitizer tells then.
    let words = ("has no known end: the process that runs the tests ", ", before the first test");
    assert!(end.starts_with(words.0) && end.ends_with(words.1), "{end}");
}

#[test]
fn what_constructors_print_and_count_is_no_answer() {
    let source = "#include <stdio.h>\n#include <unistd.h>\nstatic int twice(int x) { return x > 0 ? 2 * x : x; }\n\
                  static int early;\n__attribute__((constructor)) static void start(void)\n{\n    \
                  printf(\"buffered\"); write(1, \"0123456789abcdef0123\", 20); early = twice(1);\n}\n\
                  int f(int x) { return twice(x) + early; }\n";
    let mut fixture = Fixture::new("f", source).param("x", "int x", 4).returns("int result", 4);
    let test = fixture.test("returned");
    test.cells = vec![param(0, "x", int(-1, 4))];
    test.observed.returned = Some(int(1, 4));
    // The constructor takes the one branch and the test the other, in one process as far as anybody can tell.
    let result = fixture.replay(&[Claim(3, 34, "true", "t1"), Claim(3, 34, "false", "t1")]);
    assert_eq!(result.differences, [""; 0]);
}
