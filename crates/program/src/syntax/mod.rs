//! The source as clang's parser sees it: expressions and statements with their places.
//!
//! clang writes its syntax tree as JSON ([`Look::Syntax`]); [`read`] turns the text into the small tree here
//! while it arrives, and keeps what somebody asks for: declarations of functions, their bodies, and what else of a file
//! has operators. Who needs to know how the source is written (decisions of MC/DC, mutants, prototypes) reads this tree and
//! never the text.
//!
//! The tree has no places of operators and does not say where the use of a macro ends; [`text`] finds these.

pub mod asked;
mod constant;
mod kept;
mod pieces;
mod places;
mod prototype;
mod read;
pub mod text;
pub mod uses;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub use read::{ReadError, read};
use serde::{Deserialize, Serialize};

use crate::clang::{self, FrontEnd, Input, Look, Unit};
use crate::types::Typedefs;

/// Why there is no syntax tree.
#[expect(missing_docs, reason = "the errors inside say it")]
#[derive(Debug, thiserror::Error)]
pub enum SyntaxError {
    #[error(transparent)]
    Clang(#[from] clang::Error),
    #[error(transparent)]
    Read(#[from] ReadError),
}

/// The syntax tree of one file with all that it includes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Syntax {
    /// The files that places name, as clang names them. The first is the one without a name, where nothing is.
    pub files: Vec<String>,
    /// Each declaration of each function, in the order of the source.
    pub functions: Vec<Function>,
    /// What else stands outside of functions and has operators in it.
    pub others: Vec<Node>,
    /// The types that nodes name, as clang writes them.
    types: Vec<String>,
    /// The constants of enumerations.
    enumerators: HashMap<String, i128>,
    /// `struct node`, `enum color`, `size_t`: the types that are defined, as C spells them.
    named_types: HashSet<String>,
    /// What each typedef stands for, as clang writes it.
    typedefs: Typedefs,
}

/// A declaration of a function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Function {
    /// As the source spells it.
    pub name: String,
    /// `int (int, char *)`
    pub ty: String,
    /// In their order, without the `...`.
    pub parameters: Vec<Parameter>,
    /// Whether other files cannot name it.
    pub is_static: bool,
    /// Nobody wrote it: C once allowed calls without a declaration.
    pub is_implicit: bool,
    /// Where the name stands.
    pub place: Option<Place>,
    /// Nothing for a declaration that is no definition.
    pub body: Option<Node>,
}

/// A parameter of a function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Parameter {
    /// Empty where it has none.
    pub name: String,
    /// As clang writes it.
    pub ty: String,
}

/// An expression, a statement or a declaration.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// The first and the last token. Nothing for what clang made up.
    pub range: Option<[Place; 2]>,
    /// In the order of the source; [`Kind::Absent`] where a part may be left out and is.
    pub inner: Vec<Node>,
    ty: TypeName,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
struct TypeName(u32);

/// An operator as C spells it.
pub type Operator = &'static str;

/// What a node is, as far as somebody asks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Kind {
    /// A part that the source leaves out, such as the condition of `for (;;)`.
    Absent,
    /// `+`, `<`, `&&`, `=`; for `+=` and the like, `assigns` is true.
    Binary {
        /// As C spells it.
        #[serde(with = "read::operators")]
        operator: Operator,
        /// Whether it writes to its left operand.
        assigns: bool,
    },
    /// `-a`, `!a`, `a++`
    Unary {
        /// As C spells it.
        #[serde(with = "read::operators")]
        operator: Operator,
        /// Whether it stands behind its operand.
        postfix: bool,
    },
    /// `(a)`, which matters for the range alone.
    Parentheses,
    /// A conversion, which the source has or C implies.
    Cast {
        /// Whether the source has no word of it.
        implied: bool,
    },
    /// A number or a character.
    Literal(i128),
    /// The use of a name.
    Name(String),
    /// `a.b` or `a->b`: the name of the member.
    Member(String),
    /// A call: the function, then what it is given.
    Call,
    /// An expression that must be constant, and its value where clang says it.
    Constant(Option<i128>),
    /// `sizeof` and its like: what is inside is not evaluated.
    Unevaluated,
    /// `a ? b : c`
    Conditional,
    /// `a ?: b`
    Elvis,
    /// Condition, branch, and the other branch if there is one.
    If,
    /// Condition and body.
    While,
    /// Body and condition.
    Do,
    /// Start, clang's variable of the condition, condition, step and body.
    For,
    /// `{ … }`
    Block,
    /// The declaration of a variable, with its initial value inside.
    Variable {
        /// Whether it keeps its value between calls.
        is_static: bool,
    },
    /// A parameter of a function: its name, or nothing.
    Parameter(String),
    /// What is none of these: clang's name for it.
    Other(String),
}

/// Where a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    /// In the text of a file. What comes from a macro is where the outermost macro is used.
    pub shown: Point,
    /// In the text of a macro, or in an argument of one.
    pub spelled: Option<Spelled>,
}

/// The place of a token that a macro brought.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Spelled {
    /// Where it is written.
    pub point: Point,
    /// It is in an argument.
    pub is_argument: bool,
}

/// A token of a file: lines and columns count from 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Point {
    /// Index into [`Syntax::files`].
    pub file: u32,
    /// From 1.
    pub line: u32,
    /// From 1, in bytes.
    pub column: u32,
    /// The byte where it begins.
    pub offset: u32,
    /// How many bytes the token has.
    pub length: u32,
}

impl Syntax {
    /// The tree of a file, which was read before or is now. `headers` are the files that it includes.
    fn kept(front_end: &FrontEnd, source: &Source) -> Option<Syntax> {
        let input = source.input();
        let place = kept::Tree::of(front_end, &input, &source.headers);
        if let Some(tree) = place.as_ref().and_then(kept::Tree::read) {
            return Some(tree);
        }
        let tree = Syntax::of(front_end, &input).ok()?;
        if let Some(place) = place {
            place.write(&tree);
        }
        Some(tree)
    }

    /// The tree of a file.
    pub fn of(front_end: &FrontEnd, input: &Input<'_>) -> Result<Syntax, SyntaxError> {
        Ok(front_end.look(input, Look::Syntax, |output| read(output))??)
    }

    /// Whether a type of this name is defined here, and not only declared: `struct node`, `size_t`.
    pub fn defines_type(&self, name: &str) -> bool {
        self.named_types.contains(name)
    }

    /// Whether an enumeration has a constant of this name.
    pub fn has_enumerator(&self, name: &str) -> bool {
        self.enumerators.contains_key(name)
    }

    /// The type of an expression, as clang writes it; empty for what has none.
    pub fn type_of(&self, node: &Node) -> &str {
        self.types.get(node.ty.0 as usize).map_or("", String::as_str)
    }

    /// The functions with a body.
    pub fn definitions(&self) -> impl Iterator<Item = (&Function, &Node)> {
        self.functions.iter().filter_map(|function| Some((function, function.body.as_ref()?)))
    }

    /// The name of the file that a point is in; empty for a point that is not of this tree.
    pub fn file(&self, point: Point) -> &str {
        self.files.get(point.file as usize).map_or("", String::as_str)
    }
}

impl Point {
    /// The line and the column where the token begins.
    pub fn position(&self) -> (u32, u32) {
        (self.line, self.column)
    }

    /// The line and the column behind the token.
    pub fn behind(&self) -> (u32, u32) {
        (self.line, self.column + self.length)
    }
}

impl Node {
    /// Where its first token is; nothing for what clang made up.
    pub fn start(&self) -> Option<Place> {
        self.range.map(|[start, _]| start)
    }

    /// The expression that controls an `if`, a loop or a conditional expression.
    pub fn condition(&self) -> Option<&Node> {
        let at = match self.kind {
            Kind::If | Kind::While | Kind::Conditional | Kind::Elvis => 0,
            Kind::Do => 1,
            Kind::For => 2,
            _ => return None,
        };
        self.inner.get(at).filter(|node| node.kind != Kind::Absent)
    }

    /// The two sides of a `&&` or `||`, and whether it is a `&&`.
    pub fn logical(&self) -> Option<(bool, &[Node; 2])> {
        let both = match self.kind {
            Kind::Binary { operator: "&&", .. } => true,
            Kind::Binary { operator: "||", .. } => false,
            _ => return None,
        };
        self.inner.first_chunk::<2>().map(|sides| (both, sides))
    }

    /// The node without parentheses and `!` around it, and whether the number of `!` is odd.
    pub fn without_negations(&self) -> (&Node, bool) {
        let (mut node, mut negated) = (self, false);
        loop {
            match node.kind {
                Kind::Parentheses | Kind::Unary { operator: "__extension__", .. } => {}
                Kind::Unary { operator: "!", .. } => negated = !negated,
                _ => return (node, negated),
            }
            match node.inner.first() {
                Some(inner) => node = inner,
                None => return (node, negated),
            }
        }
    }
}

/// The syntax trees of some files, each read when it is asked for.
#[derive(Debug)]
pub struct Trees {
    front_end: FrontEnd,
    files: Vec<(Source, OnceLock<Option<Syntax>>)>,
}

/// What clang must be told of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// Absolute, or relative to `directory`.
    pub file: PathBuf,
    /// Where clang runs.
    pub directory: PathBuf,
    /// The user's flags for the file.
    pub flags: Vec<String>,
    /// The project's headers that it includes.
    pub headers: Vec<PathBuf>,
}

impl Source {
    /// The same, borrowed.
    pub fn input(&self) -> Input<'_> {
        Input { file: &self.file, directory: &self.directory, flags: &self.flags }
    }
}

impl From<&Unit> for Source {
    fn from(unit: &Unit) -> Source {
        Source {
            file: unit.absolute(),
            directory: unit.directory.clone(),
            flags: unit.flags.clone(),
            headers: unit.headers.clone(),
        }
    }
}

impl Trees {
    /// Of the files that units were made of.
    pub fn of(units: &[Unit]) -> Trees {
        Trees::new(FrontEnd::default(), units.iter().map(Source::from))
    }

    /// The trees of these files, none of which is read yet.
    pub fn new(front_end: FrontEnd, sources: impl IntoIterator<Item = Source>) -> Trees {
        Trees { front_end, files: sources.into_iter().map(|source| (source, OnceLock::new())).collect() }
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// The files whose trees were asked for and could not be read, which is so where an expression
    /// is too deep.
    pub fn unread(&self) -> impl Iterator<Item = &Source> {
        self.files.iter().filter(|(_, tree)| matches!(tree.get(), Some(None))).map(|(source, _)| source)
    }

    /// Whether there is no file.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The tree of a file; nothing where clang does not give one.
    pub fn get(&self, index: usize) -> Option<&Syntax> {
        let (source, cell) = self.files.get(index)?;
        cell.get_or_init(|| Syntax::kept(&self.front_end, source)).as_ref()
    }

    /// All trees that clang gives.
    pub fn all(&self) -> Vec<&Syntax> {
        (0..self.len()).filter_map(|index| self.get(index)).collect()
    }

    /// The definition of a function in a file, in any of the trees.
    pub fn definition(&self, name: &str, file: &Path) -> Option<Definition<'_>> {
        (0..self.files.len()).find_map(|index| {
            let (syntax, directory) = (self.get(index)?, &self.files[index].0.directory);
            let mut named = syntax.definitions().filter(|(function, _)| function.name == name);
            named.find_map(|(function, body)| {
                let here = resolved(directory, syntax.file(function.place?.shown)) == resolved(directory, file);
                here.then_some(Definition { syntax, body, directory })
            })
        })
    }
}

/// The body of a function, in its tree.
#[derive(Clone, Copy, Debug)]
pub struct Definition<'t> {
    /// The tree that it is part of.
    pub syntax: &'t Syntax,
    /// The block of the function.
    pub body: &'t Node,
    directory: &'t Path,
}

impl Definition<'_> {
    /// The path of a file by a name that clang gives it, the same for all names of the file.
    pub fn resolved(&self, name: &str) -> PathBuf {
        resolved(self.directory, name)
    }
}

fn resolved(directory: &Path, name: impl AsRef<Path>) -> PathBuf {
    let path = directory.join(name);
    path.canonicalize().unwrap_or(path)
}

#[cfg(test)]
mod tests;
