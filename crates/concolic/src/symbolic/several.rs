//! Numbers that are made of several: complex numbers and vectors. Each part is an input of its own.

use covenant_program::types::{CType, TypeId, Types};

use super::inputs::{CellKind, CellLayout};

/// What a complex number is made of, as tests call it: C has no such members.
const PARTS: [&str; 2] = [".__real", ".__imag"];

/// The parts of such a number; `None`: it is none, or of a kind that is not varied.
pub(super) fn cells(types: &Types, ty: TypeId, offset: u64, path: &str) -> Option<Vec<CellLayout>> {
    let CType::Opaque { name, size, .. } = types.stripped(ty) else { return None };
    let (of, complex) = match name.strip_prefix("_Complex ") {
        Some(of) => (of, true),
        None => (name.strip_prefix("__attribute__((__vector_size__(")?.split_once("))) ")?.1, false),
    };
    let (part, kind) = number(of)?;
    let count = size / u64::from(part);
    let own = |at: u64| match complex {
        true => PARTS.get(at as usize).copied().unwrap_or_default().to_owned(),
        false => format!("[{at}]"),
    };
    let cell = |at: u64| {
        let path = format!("{path}{}", own(at));
        CellLayout { offset: offset + at * u64::from(part), size: part, kind, path }
    };
    (!complex || count == 2).then(|| (0..count).map(cell).collect())
}

/// Whether it is a vector, which C initialises like an array.
pub(super) fn is_vector(types: &Types, ty: TypeId) -> bool {
    matches!(types.stripped(ty), CType::Opaque { name, .. } if name.contains("__vector_size__"))
}

/// The size and kind of a number, by its name.
fn number(name: &str) -> Option<(u32, CellKind)> {
    let integer = |size: u32, signed: bool| Some((size, CellKind::Int { signed }));
    match name {
        "float" => Some((4, CellKind::Float)),
        "double" => Some((8, CellKind::Float)),
        "char" | "signed char" | "int8_t" => integer(1, true),
        "unsigned char" | "uint8_t" => integer(1, false),
        "short" | "int16_t" => integer(2, true),
        "unsigned short" | "uint16_t" => integer(2, false),
        "int" | "int32_t" => integer(4, true),
        "unsigned int" | "uint32_t" => integer(4, false),
        "long" | "long long" | "int64_t" => integer(8, true),
        "unsigned long" | "unsigned long long" | "uint64_t" => integer(8, false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(name: &str, size: u64) -> Option<Vec<String>> {
        let mut types = Types::default();
        let ty = types.push(CType::Opaque { name: name.to_owned(), size, align: 8 });
        let cells = cells(&types, ty, 8, "x")?;
        Some(cells.iter().map(|cell| format!("{}@{}:{}", cell.path, cell.offset, cell.size)).collect())
    }

    #[test]
    fn each_part_has_its_place() {
        let of = |list: &[&str]| Some(list.iter().map(|&text| text.to_owned()).collect::<Vec<_>>());
        assert_eq!(parts("_Complex double", 16), of(&["x.__real@8:8", "x.__imag@16:8"]));
        assert_eq!(parts("_Complex float", 8), of(&["x.__real@8:4", "x.__imag@12:4"]));
        assert_eq!(parts("__attribute__((__vector_size__(4))) short", 4), of(&["x[0]@8:2", "x[1]@10:2"]));
        assert_eq!(parts("_Complex long double", 32), None);
        assert_eq!(parts("__float128", 16), None);
    }
}
