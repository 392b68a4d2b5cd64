//! Variadic arguments in the calls of tests. A test has them as parameters behind those that the function names.

use covenant_goals::TestCase;
use covenant_goals::test_case::{Cell, Pointer, Root, Value};

use crate::subject::SubjectInfo;
use crate::value;

/// What some compilers warn of in the tests, though C allows it: a format that they do not know, and fewer elements than a parameter
/// `int a[16]` has in its declaration, which promises nothing.
pub(crate) fn quiet(subject: &SubjectInfo) -> String {
    let mut text = String::new();
    let is_asked = || subject.stubs.iter().any(|stub| stub.decl.ends_with("...)"));
    if subject.variadic || is_asked() {
        // A function may ask its callers for a null pointer at the end, of which gcc speaks as of formats.
        text += "\n/* Arguments are inputs: not all calls end them as the code asks for. Calls that only tell a type have none. */\n\
                 #ifdef __clang__\n#pragma GCC diagnostic ignored \"-Wsentinel\"\n#elif defined __GNUC__\n\
                 #pragma GCC diagnostic ignored \"-Wformat=\"\n#endif\n";
        text += "\n/* Formats are inputs. */\n#pragma GCC diagnostic ignored \"-Wformat-security\"\n#pragma GCC diagnostic ignored \"-Wformat-nonliteral\"\n";
    }
    if subject.params.iter().any(|param| param.decl.contains('*')) {
        text += "\n#if defined __GNUC__ && !defined __clang__\n/* A test may hand over fewer elements than a declaration like `int a[16]` has. */\n\
                 #pragma GCC diagnostic ignored \"-Wstringop-overflow\"\n#endif\n";
    }
    text
}

/// Whether a cell is an argument behind the named ones.
pub(crate) fn is_argument(cell: &Cell, subject: &SubjectInfo) -> bool {
    subject.variadic && matches!(cell.root, Root::Param(index) if index as usize >= subject.params.len())
}

/// The arguments of a test behind the named ones, as C; `pointer` writes those that are pointers.
pub(crate) fn arguments(
    test: &TestCase,
    subject: &SubjectInfo,
    pointer: &dyn Fn(&Pointer) -> Result<String, String>,
) -> Result<Vec<String>, String> {
    let mut cells: Vec<&Cell> = test.cells.iter().filter(|cell| is_argument(cell, subject)).collect();
    cells.sort_by_key(|cell| match cell.root {
        Root::Param(index) => index,
        _ => u32::MAX,
    });
    cells.into_iter().map(|cell| argument(&cell.value, pointer)).collect()
}

/// An expression of exactly the type that the code asks for, as far as the machine can tell types apart.
fn argument(value: &Value, pointer: &dyn Fn(&Pointer) -> Result<String, String>) -> Result<String, String> {
    if let Value::Pointer(to) = value {
        let text = pointer(to)?;
        return Ok(match to {
            Pointer::Function(_) => text,
            _ => format!("(void *){text}"),
        });
    }
    let (bits, size) = value::bits(value)?.ok_or("a pointer where a number belongs")?;
    Ok(match value {
        Value::Float { .. } => match f64::from_bits(bits as u64) {
            number if number.is_finite() => format!("{number:?}"),
            _ => format!("((union {{ unsigned long long bits; double value; }}){{ 0x{bits:x}ULL }}).value"),
        },
        _ => {
            let constant = value::c_constant(value, bits, size);
            match (size, constant.contains('L')) {
                (8, false) => format!("{constant}L"),
                (8, true) => format!("(long)({constant})"),
                (_, false) => constant,
                (_, true) => format!("(int)({constant})"),
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::Declared;

    #[test]
    fn arguments_have_the_types_that_are_asked_for() {
        let cell = |index: u32, value: Value| Cell { root: Root::Param(index), offset: 0, path: String::new(), value };
        let int = |bits: u128, size: u32| Value::Int { bits: bits.to_string(), size, signed: true };
        let test = TestCase {
            cells: vec![
                cell(2, int(5, 8)),
                cell(0, int(1, 4)),
                cell(1, int(0xffff_fffe, 4)),
                cell(4, Value::Pointer(Pointer::Object { id: 1, offset: 0 })),
                cell(3, Value::Float { bits: "0x4004000000000000".into(), size: 8 }),
                cell(5, Value::Float { bits: "0x7ff0000000000001".into(), size: 8 }),
                cell(6, int(0x8000_0000, 4)),
                cell(7, Value::Pointer(Pointer::Null)),
            ],
            ..TestCase::default()
        };
        let pointer = |to: &Pointer| Ok(if *to == Pointer::Null { "NULL".to_owned() } else { "text".to_owned() });
        let expected = [
            "-2",
            "5L",
            "2.5",
            "(void *)text",
            "((union { unsigned long long bits; double value; }){ 0x7ff0000000000001ULL }).value",
            "(int)(-2147483648LL)",
            "(void *)NULL",
        ];
        let params = vec![Declared::default()];
        let mut subject = SubjectInfo { variadic: true, params, ..SubjectInfo::default() };
        assert_eq!(arguments(&test, &subject, &pointer), Ok(expected.map(str::to_owned).to_vec()));
        subject.variadic = false;
        assert_eq!(arguments(&test, &subject, &pointer), Ok(Vec::new()));
    }
}
