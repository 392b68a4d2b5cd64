//! Declarations in C.
//!
//! C writes a type around the name it declares, from the inside out: what stands nearest to the name is the outermost
//! part of the type. So the declarator grows while the type is taken apart, until a name of a type is reached.

use super::{CType, Qualifiers, Record, TypeId, Types};

/// The tag of what a `va_list` has one of on x86 with 64 bits. It is built into compilers, and no file can name it.
pub const ARGUMENTS: &str = "__va_list_tag";
const SPELLED_ARGUMENTS: &str = "__typeof__(**(__builtin_va_list *)0)";

impl Types {
    /// Declares `declarator` (a name, an expression such as `*p`, or nothing) to have type `id`:
    /// `int (*f)(int, char *)`, `struct node *p`, `int a[3][4]`. Typedefs are used where the source has them; a struct
    /// or union without a name is written out, an enumeration without one is its integer type.
    pub fn spell(&self, id: TypeId, declarator: &str) -> String {
        self.declare(id, Qualifiers::default(), declarator.to_owned())
    }

    /// A function definition or declaration with the names of its parameters, as far as they are known.
    pub fn spell_function(&self, id: TypeId, name: &str, params: &[String]) -> String {
        match self.stripped(id) {
            CType::Function(signature) => {
                let names = params.iter().map(String::as_str).chain(std::iter::repeat(""));
                let list: Vec<String> = signature.params.iter().zip(names).map(|(&ty, n)| self.spell(ty, n)).collect();
                self.spell(signature.returns, &format!("{name}{}", parameters(list, signature.variadic)))
            }
            _ => self.spell(id, name),
        }
    }

    /// The definition of a struct or union with a name, or of an enumeration, whose type is a number where it has none.
    pub fn spell_definition(&self, id: TypeId) -> Option<String> {
        match &self[id] {
            CType::Struct(record) if record.tag.is_some() => Some(self.record_body("struct", record)),
            CType::Union(record) if record.tag.is_some() => Some(self.record_body("union", record)),
            CType::Enum(enumeration) => {
                let value = |(name, value): &(String, i128)| format!("{name} = {value}");
                let values: Vec<String> = enumeration.values.iter().map(value).collect();
                let tag = enumeration.tag.as_ref().map(|tag| format!("{tag} ")).unwrap_or_default();
                Some(format!("enum {tag}{{ {} }}", values.join(", ")))
            }
            _ => None,
        }
    }

    fn declare(&self, id: TypeId, qualifiers: Qualifiers, inner: String) -> String {
        let words = qualifiers.words();
        match &self[id] {
            CType::Qualified { qualifiers: more, of } => self.declare(*of, qualifiers | *more, inner),
            CType::Pointer(to) => {
                let gap = if words.is_empty() || inner.is_empty() { "" } else { " " };
                let pointer = format!("*{words}{gap}{inner}");
                match self.unqualified(*to) {
                    CType::Array { .. } | CType::Function(_) => {
                        self.declare(*to, Qualifiers::default(), format!("({pointer})"))
                    }
                    _ => self.declare(*to, Qualifiers::default(), pointer),
                }
            }
            CType::Array { of, count } => {
                let count = count.map(|n| n.to_string()).unwrap_or_default();
                self.declare(*of, qualifiers, format!("{inner}[{count}]"))
            }
            CType::Function(signature) => {
                let list = signature.params.iter().map(|&ty| self.spell(ty, "")).collect();
                let list = parameters(list, signature.variadic);
                self.declare(signature.returns, Qualifiers::default(), format!("{inner}{list}"))
            }
            named => join(&[&words, &self.name(named), &inner]),
        }
    }

    /// Behind qualifiers, which may stand between a pointer and an array.
    fn unqualified(&self, mut id: TypeId) -> &CType {
        while let CType::Qualified { of, .. } = self[id] {
            id = of;
        }
        &self[id]
    }

    /// A type that is written before its declarator.
    fn name(&self, ty: &CType) -> String {
        match ty {
            CType::Void => "void".to_owned(),
            CType::Bool => "_Bool".to_owned(),
            CType::Int { name, .. }
            | CType::Float { name, .. }
            | CType::Typedef { name, .. }
            | CType::Opaque { name, .. } => name.clone(),
            CType::Struct(record) => self.record_name("struct", record),
            CType::Union(record) => self.record_name("union", record),
            CType::Enum(enumeration) => match &enumeration.tag {
                Some(tag) => format!("enum {tag}"),
                None => self.spell(enumeration.of, ""),
            },
            CType::Atomic(of) => format!("_Atomic({})", self.spell(*of, "")),
            // These have no name of their own; `declare` takes them apart.
            CType::Pointer(_) | CType::Array { .. } | CType::Function(_) | CType::Qualified { .. } => String::new(),
        }
    }

    fn record_name(&self, keyword: &str, record: &Record) -> String {
        match &record.tag {
            Some(tag) if tag == ARGUMENTS => SPELLED_ARGUMENTS.to_owned(),
            Some(tag) => format!("{keyword} {tag}"),
            None => self.record_body(keyword, record),
        }
    }

    fn record_body(&self, keyword: &str, record: &Record) -> String {
        let mut text = keyword.to_owned();
        if self.is_packed(record) {
            text.push_str(" __attribute__((packed))");
        }
        if let Some(align) = record.align {
            text.push_str(&format!(" __attribute__((aligned({align})))"));
        }
        if let Some(tag) = &record.tag {
            text.push_str(&format!(" {tag}"));
        }
        text.push_str(" { ");
        for field in &record.fields {
            if let Some(align) = field.align {
                text.push_str(&format!("_Alignas({align}) "));
            }
            text.push_str(&self.spell(field.ty, &field.name));
            if let Some(bits) = field.bits {
                text.push_str(&format!(" : {}", bits.width));
            }
            text.push_str("; ");
        }
        text.push('}');
        text
    }
}

/// A list of parameters. Without any, the variadic form is that of a function without a prototype.
fn parameters(mut list: Vec<String>, variadic: bool) -> String {
    match (list.is_empty(), variadic) {
        (true, false) => list.push("void".to_owned()),
        (false, true) => list.push("...".to_owned()),
        _ => {}
    }
    format!("({})", list.join(", "))
}

fn join(words: &[&str]) -> String {
    words.iter().copied().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

impl Qualifiers {
    fn words(self) -> String {
        let word = |on, word| if on { word } else { "" };
        join(&[word(self.constant, "const"), word(self.volatile, "volatile"), word(self.restrict, "restrict")])
    }
}
