//! Types by the words of clang's parser, among those that a program has.
//!
//! Debug information has no types of functions that are only declared; the syntax tree has them as text.

use std::collections::HashMap;

use super::{CType, Qualifiers, Signature, TypeId, Types};

/// The texts of types, and what each typedef of the file stands for.
pub type Typedefs = HashMap<String, String>;

/// How many typedefs may stand for each other.
const DEEPEST: usize = 64; // not tuning: a stack

impl Types {
    /// The type of a function as the source declares it. What the program does not have is `void`, and so are arrays and
    /// pointers to functions: which functions pointers may mean depends on what types there are.
    pub fn declared(&mut self, returns: &str, params: &[&str], variadic: bool, typedefs: &Typedefs) -> TypeId {
        let void = self.find_or_push(CType::Void);
        let mut known = |text: &str| self.written(text, typedefs, 0).unwrap_or(void);
        let returns = known(returns);
        let params = params.iter().map(|text| known(text)).collect();
        self.find_or_push(CType::Function(Signature { returns, params, variadic }))
    }

    /// A type that is written without parentheses and brackets.
    fn written(&mut self, text: &str, typedefs: &Typedefs, depth: usize) -> Option<TypeId> {
        let is_plain = |c: char| c.is_alphanumeric() || c == '_' || c == '*' || c.is_whitespace();
        if depth > DEEPEST || !text.chars().all(is_plain) {
            return None;
        }
        let (base, pointers) = text.split_at(text.find('*').unwrap_or(text.len()));
        let (qualifiers, words) = qualified(base)?;
        let base = self.named(&words, typedefs, depth)?;
        let mut ty = self.with(qualifiers, base);
        for level in pointers.split('*').skip(1) {
            let (qualifiers, rest) = qualified(level)?;
            if !rest.is_empty() {
                return None;
            }
            let pointer = self.find_or_push(CType::Pointer(ty));
            ty = self.with(qualifiers, pointer);
        }
        Some(ty)
    }

    /// Debug information has one qualifier after the other, `const` outermost.
    fn with(&mut self, qualifiers: Qualifiers, ty: TypeId) -> TypeId {
        let none = Qualifiers::default();
        let each = [
            (qualifiers.restrict, Qualifiers { restrict: true, ..none }),
            (qualifiers.volatile, Qualifiers { volatile: true, ..none }),
            (qualifiers.constant, Qualifiers { constant: true, ..none }),
        ];
        let wanted = each.into_iter().filter(|(is_there, _)| *is_there);
        wanted.fold(ty, |of, (_, qualifiers)| self.find_or_push(CType::Qualified { qualifiers, of }))
    }

    fn named(&mut self, words: &[&str], typedefs: &Typedefs, depth: usize) -> Option<TypeId> {
        if let Some(number) = self.number(words) {
            return Some(self.find_or_push(number));
        }
        match words {
            [kind @ ("struct" | "union"), tag] => self.find(|ty| {
                let same = |(union, own): (bool, &super::Record)| {
                    union == (*kind == "union") && own.tag.as_deref() == Some(tag) && own.complete
                };
                ty.record().is_some_and(same)
            }),
            ["enum", tag] => self.find(|ty| matches!(ty, CType::Enum(own) if own.tag.as_deref() == Some(tag))),
            [name] => {
                let own = self.find(|ty| matches!(ty, CType::Typedef { name: own, .. } if own == name));
                own.or_else(|| self.written(typedefs.get(*name)?, typedefs, depth + 1))
            }
            _ => None,
        }
    }

    /// What C has words for.
    fn number(&self, words: &[&str]) -> Option<CType> {
        let mut text = words.join(" ");
        let long = self.pointer_size();
        let size = match &text[..] {
            "void" => return Some(CType::Void),
            "_Bool" | "bool" => return Some(CType::Bool),
            "float" => return Some(CType::Float { name: text, size: 4 }),
            "double" => return Some(CType::Float { name: text, size: 8 }),
            // Its format is the machine's.
            "long double" | "char" => {
                let is_it = |ty: &&CType| match ty {
                    CType::Float { name, .. } | CType::Int { name, .. } | CType::Opaque { name, .. } => *name == text,
                    _ => false,
                };
                let own = self.iter().map(|(_, ty)| ty).find(is_it).cloned();
                let plain =
                    || CType::Int { name: text.clone(), size: 1, signed: self.has_signed_char(), is_char: true };
                return own.or_else(|| (text == "char").then(plain));
            }
            "signed char" | "unsigned char" => 1,
            "short" | "unsigned short" => 2,
            "int" | "unsigned int" => 4,
            "long" | "unsigned long" => long,
            "long long" | "unsigned long long" => 8,
            "__int128" | "unsigned __int128" => 16,
            "unsigned" => {
                text = "unsigned int".to_owned();
                4
            }
            _ => return None,
        };
        Some(CType::Int { size, signed: !text.starts_with("unsigned"), is_char: size == 1, name: text })
    }

    fn find(&self, is_it: impl Fn(&CType) -> bool) -> Option<TypeId> {
        self.iter().find(|(_, ty)| is_it(ty)).map(|(id, _)| id)
    }

    fn find_or_push(&mut self, ty: CType) -> TypeId {
        self.find(|own| *own == ty).unwrap_or_else(|| self.push(ty))
    }

    /// Where no flag says otherwise.
    fn has_signed_char(&self) -> bool {
        self.target.has_x87() || self.target.is_big_endian()
    }
}

/// The qualifiers among some words, and the others.
fn qualified(text: &str) -> Option<(Qualifiers, Vec<&str>)> {
    let (mut qualifiers, mut rest) = (Qualifiers::default(), Vec::new());
    for word in text.split_whitespace() {
        match word {
            "const" => qualifiers.constant = true,
            "volatile" => qualifiers.volatile = true,
            "restrict" | "__restrict" => qualifiers.restrict = true,
            "_Atomic" => return None,
            word => rest.push(word),
        }
    }
    Some((qualifiers, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Record;

    #[test]
    fn types_are_found_by_their_text() {
        let mut types = Types::default();
        let tag = Some("node".to_owned());
        let record = Record { tag, size: 4, align: None, fields: Vec::new(), complete: true };
        let node = types.push(CType::Struct(record));
        let own = types.push(CType::Typedef { name: "item".to_owned(), of: node });
        let typedefs = Typedefs::from([
            ("size".to_owned(), "unsigned long".to_owned()),
            ("item".to_owned(), "struct node".to_owned()),
            ("itself".to_owned(), "itself".to_owned()),
        ]);
        let params = ["const struct node *restrict", "size", "item *", "int (*)(void)", "struct other *", "itself"];
        let ty = types.declared("char *", &params, true, &typedefs);
        assert_eq!(types.declared("char *", &params, true, &typedefs), ty);
        let CType::Function(signature) = types[ty].clone() else { panic!("{:?}", types[ty]) };
        let shown: Vec<String> = signature.params.iter().map(|&ty| types.spell(ty, "p")).collect();
        let unknown = ["void p", "void p", "void p"];
        assert_eq!(shown[..3], ["const struct node *restrict p", "unsigned long p", "item *p"]);
        assert_eq!(shown[3..], unknown);
        assert_eq!(types.pointee(signature.params[2]), Some(own));
        assert_eq!((types.spell(signature.returns, "r"), signature.variadic), ("char *r".to_owned(), true));
    }
}
