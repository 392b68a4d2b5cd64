//! Device registers in suites: `device.c` maps them, and a test says what each read gives and what is written.

use covenant_goals::test_case::Access;
use covenant_goals::{TestCase, TestOutcome};

use crate::subject::SubjectInfo;

/// `device.c`, for developers' machines.
pub(crate) const DEVICE: &str = concat!(include_str!("device_c/script.c"), include_str!("device_c/host.c"));

/// `device_cortex_m.h`, for boards.
pub(crate) const CORTEX_M: &str = concat!(include_str!("device_c/script.c"), include_str!("device_c/cortex_m.c"));

/// Its functions.
pub(crate) const DECLARED: &str = "/* Device registers: see device.c. */\n\
    void covenant_device(unsigned long start, unsigned long size);\n\
    void covenant_device_begin(int ends);\n\
    void covenant_device_reads(unsigned long address, unsigned size, unsigned long long value);\n\
    void covenant_device_writes(unsigned long address, unsigned size, unsigned long long value);\n\
    void covenant_device_writes_any(unsigned long address, unsigned size);\n\
    const char *covenant_device_end(void);\n";

/// What a test says before it calls the function under test.
pub(crate) fn statements(subject: &SubjectInfo, test: &TestCase) -> Vec<String> {
    if subject.devices.is_empty() {
        return Vec::new();
    }
    let region = |&(start, size): &(u64, u64)| format!("covenant_device({start:#x}UL, {size:#x}UL);");
    let mut lines: Vec<String> = subject.devices.iter().map(region).collect();
    let ends = u8::from(test.outcome == TestOutcome::Trapped);
    lines.push(format!("covenant_device_begin({ends});"));
    lines.extend(test.device.iter().map(|access| {
        let place = format!("{:#x}UL, {}", access.address, access.size);
        match access.access {
            Access::Read(value) => format!("covenant_device_reads({place}, {value:#x}ULL);"),
            Access::Write(Some(value)) => format!("covenant_device_writes({place}, {value:#x}ULL);"),
            Access::Write(None) => format!("covenant_device_writes_any({place}); /* C leaves open what. */"),
        }
    }));
    lines
}

#[cfg(test)]
mod tests {
    use covenant_goals::test_case::DeviceAccess;

    use super::*;

    #[test]
    fn a_test_says_what_each_access_is() {
        let at = |access| DeviceAccess { address: 0x4000_1000, size: 4, access };
        let device = vec![at(Access::Read(5)), at(Access::Write(Some(6))), at(Access::Write(None))];
        let test = TestCase { device, ..TestCase::default() };
        assert!(statements(&SubjectInfo::default(), &test).is_empty());
        let subject = SubjectInfo { devices: vec![(0x4000_1000, 16)], ..SubjectInfo::default() };
        let lines = statements(&subject, &test);
        assert_eq!(
            lines[..3].join(" "),
            "covenant_device(0x40001000UL, 0x10UL); covenant_device_begin(0); covenant_device_reads(0x40001000UL, 4, 0x5ULL);"
        );
        assert!(
            lines[3].ends_with(", 4, 0x6ULL);") && lines[4].starts_with("covenant_device_writes_any("),
            "{lines:?}"
        );
        assert!(DECLARED.lines().skip(1).all(|line| DEVICE.contains(line)), "declared as defined");
    }
}
