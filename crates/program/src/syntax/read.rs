//! clang's JSON to a [`Syntax`], while it arrives: the text of a file that includes much has hundreds of megabytes.
//!
//! All places are followed in the order of the text, also those of nodes that nobody wants; [`super::places`] says why.

use std::collections::HashMap;
use std::fmt;
use std::io::{BufReader, Read};

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::pieces::{Pieces, Unindented, table};
use super::places::{Last, PlaceSeed};
use super::{Function, Kind, Node, Parameter, Place, Syntax, TypeName};

/// How deep expressions and statements may lie in each other: what walks over the tree calls itself for each level.
const MOST_DEPTH: u32 = 3000;
/// Room for the calls of the reader, which are some for each level.
const STACK: usize = 256 << 20;

/// Why clang's output is no tree.
#[expect(missing_docs, reason = "the messages say it")]
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("clang's syntax tree cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    #[error("clang's syntax tree cannot be read: no thread can be started")]
    Thread,
}

/// Reads the tree that clang writes for a file.
pub fn read(text: impl Read + Send) -> Result<Syntax, ReadError> {
    let work = || -> Result<Syntax, ReadError> {
        let mut reader = Reader { next_enumerator: Some(0), ..Reader::default() };
        reader.syntax.types.push(String::new());
        match Pieces::new(Unindented::new(text, MOST_DEPTH)).map_err(serde_json::Error::io)? {
            Ok(mut pieces) => {
                while let Some(piece) = pieces.next().map_err(serde_json::Error::io)? {
                    reader.declaration(piece)?;
                }
            }
            Err(text) => {
                let mut json = serde_json::Deserializer::from_reader(BufReader::new(text));
                json.disable_recursion_limit();
                NodeSeed { reader: &mut reader, depth: 0 }.deserialize(&mut json)?;
            }
        }
        reader.syntax.files = reader.last.files;
        Ok(reader.syntax)
    };
    deep(work).unwrap_or(Err(ReadError::Thread))
}

/// Does what calls itself for each level of a tree.
pub(super) fn deep<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        thread.ok()?.join().ok()
    })
}

#[derive(Default)]
struct Reader {
    syntax: Syntax,
    last: Last,
    type_numbers: HashMap<String, u32>,
    /// The value of the next constant of an enumeration that says none; nothing where that cannot be told.
    next_enumerator: Option<i128>,
}

impl Reader {
    /// A declaration outside of all others.
    fn declaration(&mut self, piece: &[u8]) -> Result<(), serde_json::Error> {
        if let Some(last) = table(piece) {
            let file = last.file.map(serde_json::from_slice).transpose()?;
            self.last.goes_to(file, last.line);
            return Ok(());
        }
        let mut json = serde_json::Deserializer::from_slice(piece);
        json.disable_recursion_limit();
        let node = NodeSeed { reader: self, depth: 1 }.deserialize(&mut json)?;
        json.end()?;
        self.keep(node);
        Ok(())
    }

    /// Of what is outside of functions that is kept which has operators.
    fn keep(&mut self, node: Node) {
        if has_operators(&node) {
            self.syntax.others.push(node);
        }
    }

    fn type_name(&mut self, name: String) -> TypeName {
        let types = &mut self.syntax.types;
        TypeName(*self.type_numbers.entry(name).or_insert_with_key(|name| {
            types.push(name.clone());
            types.len() as u32 - 1
        }))
    }

    /// The node of some fields, which may be a function or a constant of an enumeration.
    fn node(&mut self, fields: Fields) -> Node {
        let Fields {
            kind,
            place,
            range,
            ty,
            name,
            opcode,
            value,
            inner,
            referenced,
            is_static,
            is_postfix,
            is_implicit,
            is_complete,
            tag_used,
        } = fields;
        let kind = match &kind[..] {
            "" => Kind::Absent,
            "BinaryOperator" => Kind::Binary { operator: operator(&opcode), assigns: false },
            "CompoundAssignOperator" => Kind::Binary { operator: operator(&opcode), assigns: true },
            "UnaryOperator" => Kind::Unary { operator: operator(&opcode), postfix: is_postfix },
            "ParenExpr" => Kind::Parentheses,
            "ImplicitCastExpr" => Kind::Cast { implied: true },
            "CStyleCastExpr" => Kind::Cast { implied: false },
            "IntegerLiteral" | "CharacterLiteral" | "CXXBoolLiteralExpr" => match value {
                Some(value) => Kind::Literal(value),
                None => Kind::Other(kind),
            },
            "DeclRefExpr" => Kind::Name(referenced),
            "MemberExpr" => Kind::Member(name),
            "CallExpr" => Kind::Call,
            "ConstantExpr" | "StaticAssertDecl" => Kind::Constant(value),
            "UnaryExprOrTypeTraitExpr" => Kind::Unevaluated,
            "ConditionalOperator" => Kind::Conditional,
            "BinaryConditionalOperator" => Kind::Elvis,
            "IfStmt" => Kind::If,
            "WhileStmt" => Kind::While,
            "DoStmt" => Kind::Do,
            "ForStmt" => Kind::For,
            "CompoundStmt" => Kind::Block,
            "VarDecl" => Kind::Variable { is_static },
            "EnumConstantDecl" => {
                self.enumerator(&name, &inner);
                Kind::Other(kind)
            }
            "EnumDecl" => {
                self.next_enumerator = Some(0);
                self.syntax.named_types.insert(format!("enum {name}"));
                Kind::Other(kind)
            }
            "RecordDecl" if is_complete => {
                self.syntax.named_types.insert(format!("{tag_used} {name}"));
                Kind::Other(kind)
            }
            "TypedefDecl" => {
                self.syntax.typedefs.insert(name.clone(), ty.clone());
                self.syntax.named_types.insert(name);
                Kind::Other(kind)
            }
            "ParmVarDecl" => Kind::Parameter(name),
            "FunctionDecl" => {
                let (parameters, body) = self.parts(inner);
                self.syntax.functions.push(Function { name, ty, parameters, is_static, is_implicit, place, body });
                return Node { kind: Kind::Other(kind), range, inner: Vec::new(), ty: TypeName::default() };
            }
            _ => Kind::Other(kind),
        };
        let ty = if ty.is_empty() { TypeName::default() } else { self.type_name(ty) };
        Node { kind, range, inner, ty }
    }

    /// The value of a constant of an enumeration: one more than that of the one before, where none is written.
    fn enumerator(&mut self, name: &str, inner: &[Node]) {
        let value = match inner.first() {
            Some(written) => self.syntax.constant(written),
            None => self.next_enumerator,
        };
        self.next_enumerator = value.and_then(|value| value.checked_add(1));
        if let Some(value) = value {
            self.syntax.enumerators.insert(name.to_owned(), value);
        }
    }

    /// The parameters and the body of a function.
    fn parts(&self, inner: Vec<Node>) -> (Vec<Parameter>, Option<Node>) {
        let (mut parameters, mut body) = (Vec::new(), None);
        for node in inner {
            match &node.kind {
                Kind::Block => body = Some(node),
                Kind::Parameter(name) => {
                    parameters.push(Parameter { name: name.clone(), ty: self.syntax.type_of(&node).to_owned() });
                }
                _ => {}
            }
        }
        (parameters, body)
    }
}

/// Operators as they are kept.
pub(super) mod operators {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(in super::super) fn serialize<S: Serializer>(operator: &str, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(operator)
    }

    pub(in super::super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<&'static str, D::Error> {
        Ok(super::operator(&String::deserialize(from)?))
    }
}

/// Operators by their text; nothing for one that C does not have.
fn operator(text: &str) -> &'static str {
    const ALL: &[&str] = &[
        "+",
        "-",
        "*",
        "/",
        "%",
        "&",
        "|",
        "^",
        "<<",
        ">>",
        "&&",
        "||",
        "==",
        "!=",
        "<",
        "<=",
        ">",
        ">=",
        "=",
        ",",
        "+=",
        "-=",
        "*=",
        "/=",
        "%=",
        "&=",
        "|=",
        "^=",
        "<<=",
        ">>=",
        "!",
        "~",
        "++",
        "--",
        "__extension__",
        "__real",
        "__imag",
    ];
    ALL.iter().find(|known| **known == text).copied().unwrap_or("")
}

/// Whether an operator is in the tree.
fn has_operators(node: &Node) -> bool {
    matches!(node.kind, Kind::Binary { .. }) || node.inner.iter().any(has_operators)
}

#[derive(Default)]
struct Fields {
    kind: String,
    place: Option<Place>,
    range: Option<[Place; 2]>,
    ty: String,
    name: String,
    opcode: String,
    value: Option<i128>,
    inner: Vec<Node>,
    referenced: String,
    is_static: bool,
    is_postfix: bool,
    is_implicit: bool,
    is_complete: bool,
    tag_used: String,
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "camelCase")]
enum Key {
    Kind,
    Loc,
    Range,
    Type,
    Name,
    Opcode,
    Value,
    Inner,
    ReferencedDecl,
    StorageClass,
    IsPostfix,
    IsImplicit,
    CompleteDefinition,
    TagUsed,
    Id,
    MangledName,
    ValueCategory,
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct TypeText {
    #[serde(default, rename = "qualType")]
    text: String,
}

/// What a name refers to.
#[derive(Deserialize)]
struct Referenced {
    #[serde(default)]
    name: String,
}

/// A node, which may be an empty object.
struct NodeSeed<'r> {
    reader: &'r mut Reader,
    depth: u32,
}

impl<'de> DeserializeSeed<'de> for NodeSeed<'_> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for NodeSeed<'_> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a node of clang's syntax tree")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let NodeSeed { reader, depth } = self;
        if depth > MOST_DEPTH {
            return Err(A::Error::custom("it is too deep"));
        }
        let mut fields = Fields::default();
        while let Some(key) = map.next_key::<Key>()? {
            match key {
                Key::Kind => fields.kind = map.next_value()?,
                Key::Loc => fields.place = map.next_value_seed(PlaceSeed { last: &mut reader.last })?.place(),
                Key::Range => fields.range = map.next_value_seed(PlaceSeed { last: &mut reader.last })?.range(),
                Key::Type => fields.ty = map.next_value::<TypeText>()?.text,
                Key::Name => fields.name = map.next_value()?,
                Key::Opcode => fields.opcode = map.next_value()?,
                Key::Value => fields.value = map.next_value_seed(ValueSeed { reader })?,
                Key::Inner => fields.inner = map.next_value_seed(ListSeed { reader, depth })?,
                Key::ReferencedDecl => fields.referenced = map.next_value::<Referenced>()?.name,
                Key::StorageClass => fields.is_static = map.next_value::<String>()? == "static",
                Key::IsPostfix => fields.is_postfix = map.next_value()?,
                Key::IsImplicit => fields.is_implicit = map.next_value()?,
                Key::CompleteDefinition => fields.is_complete = map.next_value()?,
                Key::TagUsed => fields.tag_used = map.next_value()?,
                Key::Id | Key::MangledName | Key::ValueCategory => drop(map.next_value::<IgnoredAny>()?),
                Key::Other => {
                    map.next_value_seed(PlaceSeed { last: &mut reader.last })?;
                }
            }
        }
        Ok(reader.node(fields))
    }
}

/// The nodes inside another. At the top only those are kept that somebody may ask for.
struct ListSeed<'r> {
    reader: &'r mut Reader,
    depth: u32,
}

impl<'de> DeserializeSeed<'de> for ListSeed<'_> {
    type Value = Vec<Node>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<Node>, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for ListSeed<'_> {
    type Value = Vec<Node>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of nodes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Vec<Node>, A::Error> {
        let ListSeed { reader, depth } = self;
        let mut nodes = Vec::new();
        while let Some(node) = all.next_element_seed(NodeSeed { reader, depth: depth + 1 })? {
            match depth {
                0 => reader.keep(node),
                _ => nodes.push(node),
            }
        }
        Ok(nodes)
    }
}

/// The value of a literal: a number as text or as a number, anything else for what is none.
struct ValueSeed<'r> {
    reader: &'r mut Reader,
}

impl<'de> DeserializeSeed<'de> for ValueSeed<'_> {
    type Value = Option<i128>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<i128>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed<'_> {
    type Value = Option<i128>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_str<E>(self, text: &str) -> Result<Option<i128>, E> {
        Ok(text.parse().ok())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Option<i128>, E> {
        Ok(Some(i128::from(number)))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Option<i128>, E> {
        Ok(Some(i128::from(number)))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Option<i128>, E> {
        Ok(None)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Option<i128>, E> {
        Ok(Some(i128::from(value)))
    }

    fn visit_unit<E>(self) -> Result<Option<i128>, E> {
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Option<i128>, A::Error> {
        while all.next_element_seed(PlaceSeed { last: &mut self.reader.last })?.is_some() {}
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Option<i128>, A::Error> {
        PlaceSeed { last: &mut self.reader.last }.visit_map(map).map(|_| None)
    }
}
