//! Device registers and other volatile objects in suites: `device.c` closes them, and a test says what each read gives and what is written.

use std::collections::BTreeSet;

use covenant_goals::test_case::{Access, DeviceAccess, Pointer, Register, Root};
use covenant_goals::{TestCase, TestOutcome};

use crate::subject::SubjectInfo;

/// `device.c`, for developers' machines.
pub(crate) const DEVICE: &str = concat!(include_str!("device_c/script.c"), include_str!("device_c/host.c"));

/// `device_cortex_m.h`, for boards.
pub(crate) const CORTEX_M: &str = concat!(include_str!("device_c/script.c"), include_str!("device_c/cortex_m.c"));

/// Its functions.
pub(crate) const DECLARED: &str = "/* Device registers and other volatile objects: see device.c. */\n\
    void covenant_device(unsigned long start, unsigned long size);\n\
    void covenant_volatile(unsigned long start, unsigned long size);\n\
    void covenant_plain(unsigned long start, unsigned long size);\n\
    void covenant_device_begin(int ends);\n\
    void covenant_device_reads(unsigned long address, unsigned size, unsigned long long value);\n\
    void covenant_device_writes(unsigned long address, unsigned size, unsigned long long value);\n\
    void covenant_device_writes_any(unsigned long address, unsigned size);\n\
    void covenant_device_rest(void);\n\
    const char *covenant_device_end(void);\n";

/// Whether a test says what somebody else does.
pub(crate) fn plays(subject: &SubjectInfo, test: &TestCase) -> bool {
    !subject.devices.is_empty() || subject.volatile && !test.device.is_empty()
}

/// Where an access is, as a number; `pointer` has an expression for a pointer.
fn place(access: &DeviceAccess, pointer: &dyn Fn(&Pointer) -> Result<String, String>) -> Result<String, String> {
    let (root, offset) = match &access.at {
        Register::Device { address } => return Ok(format!("{address:#x}UL")),
        Register::Object { root, offset, .. } => (root, i64::try_from(*offset).unwrap_or(i64::MAX)),
    };
    let pointed = match root {
        Root::Object(id) => pointer(&Pointer::Object { id: *id, offset })?,
        Root::Global(name) => pointer(&Pointer::Global { name: name.clone(), offset })?,
        _ => return Err("a volatile object that no test can name".to_owned()),
    };
    let is_simple = pointed.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '&'));
    Ok(if is_simple { format!("(unsigned long){pointed}") } else { format!("(unsigned long)({pointed})") })
}

/// What a test says before it calls the function under test.
pub(crate) fn statements(
    subject: &SubjectInfo,
    test: &TestCase,
    pointer: &dyn Fn(&Pointer) -> Result<String, String>,
) -> Result<Vec<String>, String> {
    if !plays(subject, test) {
        return Ok(Vec::new());
    }
    let region = |&(start, size): &(u64, u64)| format!("covenant_device({start:#x}UL, {size:#x}UL);");
    let mut lines: Vec<String> = subject.devices.iter().map(region).collect();
    let ends = u8::from(test.outcome == TestOutcome::Trapped);
    lines.push(format!("covenant_device_begin({ends});"));
    let (mut said, mut closed) = (Vec::new(), BTreeSet::new());
    for access in &test.device {
        let at = place(access, pointer)?;
        let (is_object, size) = (matches!(access.at, Register::Object { .. }), access.size);
        if is_object && !matches!(access.access, Access::Plain(_)) && closed.insert((at.clone(), size)) {
            said.push(format!("covenant_volatile({at}, {size});"));
        }
        let place = format!("{at}, {size}");
        lines.push(match access.access {
            Access::Plain(_) => format!("covenant_plain({place});"),
            Access::Read(value) => format!("covenant_device_reads({place}, {value:#x}ULL);"),
            Access::Write(Some(value)) => format!("covenant_device_writes({place}, {value:#x}ULL);"),
            Access::Write(None) => format!("covenant_device_writes_any({place}); /* C leaves open what. */"),
        });
    }
    if test.more_volatile {
        lines.push("covenant_device_rest(); /* There are more than anybody wants to read. */".to_owned());
    }
    // From here on each access is seen, those of the test as well.
    lines.extend(said);
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_says_what_each_access_is() {
        let none = |_: &Pointer| Err(String::new());
        let at = |access| DeviceAccess { at: Register::Device { address: 0x4000_1000 }, size: 4, access };
        let device = vec![at(Access::Read(5)), at(Access::Write(Some(6))), at(Access::Write(None))];
        let test = TestCase { device, ..TestCase::default() };
        assert_eq!(statements(&SubjectInfo::default(), &test, &none), Ok(Vec::new()));
        let subject = SubjectInfo { devices: vec![(0x4000_1000, 16)], ..SubjectInfo::default() };
        let lines = statements(&subject, &test, &none).unwrap();
        assert_eq!(
            lines[..3].join(" "),
            "covenant_device(0x40001000UL, 0x10UL); covenant_device_begin(0); covenant_device_reads(0x40001000UL, 4, 0x5ULL);"
        );
        assert!(
            lines[3].ends_with(", 4, 0x6ULL);") && lines[4].starts_with("covenant_device_writes_any("),
            "{lines:?}"
        );
        let root = Root::Global("flag".to_owned());
        let flag = |offset, access| {
            let at = Register::Object { root: root.clone(), offset, name: String::new() };
            DeviceAccess { at, size: 2, access }
        };
        let device = vec![flag(2, Access::Plain(true)), flag(0, Access::Read(1)), flag(0, Access::Write(Some(2)))];
        let pointer = |pointer: &Pointer| match pointer {
            Pointer::Global { name, offset: 0 } => Ok(format!("&{name}")),
            Pointer::Global { name, offset } => Ok(format!("(char *)&{name} + {offset}")),
            _ => Err(String::new()),
        };
        let subject = SubjectInfo { volatile: true, ..SubjectInfo::default() };
        assert!(!plays(&subject, &TestCase::default()), "a test of which no access is known closes nothing");
        let lines = statements(&subject, &TestCase { device, ..TestCase::default() }, &pointer).unwrap();
        let expected = [
            "covenant_device_begin(0);",
            "covenant_plain((unsigned long)((char *)&flag + 2), 2);",
            "covenant_device_reads((unsigned long)&flag, 2, 0x1ULL);",
            "covenant_device_writes((unsigned long)&flag, 2, 0x2ULL);",
            "covenant_volatile((unsigned long)&flag, 2);",
        ];
        assert_eq!(lines, expected);
        assert!(DECLARED.lines().skip(1).all(|line| DEVICE.contains(line)), "declared as defined");
    }
}
