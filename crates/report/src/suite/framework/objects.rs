//! The objects of a test as variables: their names, their types, the order in which they can be initialised.

use std::collections::{BTreeMap, BTreeSet};

use covenant_goals::test_case::{Cell, InputObject, Pointer, Register, Root, Value};
use covenant_goals::{TestCase, TestOutcome};

use super::initialiser::Tree;
use super::{names, strangers};
use crate::subject::SubjectInfo;
use crate::suite::comment;
use crate::suite::given;
use crate::suite::literal;
use crate::value;

/// Larger objects do not go on the stack.
const LARGE: u64 = 64 << 10;

/// What the text of a test names besides the code under test: a variable of that name would hide it. `main` is another name as long
/// as the code under test is read.
const OWN_WORDS: &[&str] = &[
    "result",
    "state",
    "main",
    "errno",
    "errno_after",
    "memcpy",
    "memset",
    "memcmp",
    "malloc",
    "free",
    "strlen",
    "isnan",
    "snprintf",
    "fail",
    "mock",
    "skip",
];

pub(super) struct Objects<'a> {
    test: &'a TestCase,
    subject: &'a SubjectInfo,
    /// The variable of each object.
    names: BTreeMap<u32, String>,
}

/// Declarations, and statements that must follow them.
#[derive(Default)]
pub(super) struct Text {
    pub(super) declarations: Vec<String>,
    pub(super) statements: Vec<String>,
}

impl<'a> Objects<'a> {
    pub(super) fn new(test: &'a TestCase, subject: &'a SubjectInfo) -> Objects<'a> {
        // Names that variables must not hide.
        let mut taken: BTreeSet<String> =
            subject.globals.iter().chain(&subject.state).map(|g| g.name.clone()).collect();
        taken.extend(OWN_WORDS.iter().map(|word| (*word).to_owned()));
        taken.insert(subject.function.clone());
        taken.extend(subject.stubs.iter().map(|s| s.name.clone()));
        taken.extend(type_words(test, subject));
        let mut names = BTreeMap::new();
        for object in &test.objects {
            let name = variable(pointer_inside(object).unwrap_or(&object.name));
            names.insert(object.id, names::unique(&name, &mut taken));
        }
        Objects { test, subject, names }
    }

    pub(super) fn is_taken(&self, name: &str) -> bool {
        OWN_WORDS.contains(&name)
            || self.subject.function == name
            || self.names.values().any(|own| own == name)
            || self.subject.globals.iter().chain(&self.subject.state).any(|g| g.name == name)
            || type_words(self.test, self.subject).contains(name)
    }

    fn object(&self, id: u32) -> Option<&InputObject> {
        self.test.objects.iter().find(|o| o.id == id)
    }

    /// Where in its variable a part of an object is.
    fn inside<'p>(&self, object: &InputObject, path: &'p str) -> Result<&'p str, String> {
        let rest = path.strip_prefix(object.name.as_str());
        let rest = rest.ok_or_else(|| format!("{path} is not a part of {}", object.name))?;
        Ok(if self.is_first(object) { rest.strip_prefix("[0]").unwrap_or(rest) } else { rest })
    }

    /// One element is a plain variable, all else an array.
    fn is_single(&self, object: &InputObject) -> bool {
        object.count == 1 && object.name.starts_with('(') || self.is_first(object)
    }

    /// The run had an array and used no more than its first element, nor do mutants. What is read as a text stays one.
    fn is_first(&self, object: &InputObject) -> bool {
        let returned = self.test.outcome == TestOutcome::Returned;
        if !returned || object.count <= 1 || object.used.is_none_or(|used| used > 1) || object.c_type.is_empty() {
            return false;
        }
        let is_text = object.element_size == 1 && object.c_type.contains("char");
        let is_read = || self.test.cells.iter().any(|c| c.root == Root::Object(object.id));
        if object.c_type == "void" || is_text && (is_read() || object.used == Some(0)) {
            return false;
        }
        let observed = &self.test.observed;
        let mut own = self.test.cells.iter().filter(|c| c.root == Root::Object(object.id));
        if own.any(|c| c.offset >= object.element_size) {
            return false;
        }
        let cells = self.test.cells.iter().chain(&observed.written).map(|c| &c.value);
        let beyond = |value: &Value| matches!(value, Value::Pointer(Pointer::Object { id, offset }) if *id == object.id && *offset != 0);
        !cells.chain(&observed.returned).any(beyond)
    }

    /// What stands for an object in C. One that is larger than its type shares its room with bytes; of one on the heap there is a
    /// pointer.
    fn variable(&self, object: &InputObject) -> String {
        let name = &self.names[&object.id];
        match (object.flexible, object.heap) {
            (true, true) => format!("{name}->it"),
            (true, false) => format!("{name}.it"),
            (false, true) if self.is_single(object) => format!("(*{name})"),
            (false, _) => name.clone(),
        }
    }

    /// The address of an object.
    fn start(&self, object: &InputObject) -> String {
        match self.is_single(object) {
            true if object.heap && !object.flexible => self.names[&object.id].clone(),
            true => format!("&{}", self.variable(object)),
            false => self.variable(object),
        }
    }

    /// An expression for a pointer.
    pub(super) fn pointer(&self, pointer: &Pointer) -> Result<String, String> {
        match pointer {
            Pointer::Null => Ok("NULL".to_owned()),
            Pointer::Function(name) => Ok(format!("(void *){}", strangers::function(self.subject, name)?)),
            Pointer::Argument(param) => Ok(format!("(void *)(covenant_arguments + {param})")),
            Pointer::Other => Err("a pointer to something that the run made".to_owned()),
            Pointer::Global { name, offset } => match (strangers::variable(self.subject, name)?, offset) {
                (Some(theirs), _) => Ok(format!("(void *)({theirs} + {offset})")),
                (None, 0) => Ok(format!("&{name}")),
                (None, _) => Ok(format!("(char *)&{name} + {offset}")),
            },
            Pointer::Object { id, offset } => {
                let object = self.object(*id).ok_or_else(|| format!("object {id} is not there"))?;
                if object.stream {
                    return Ok(self.names[id].clone());
                }
                if is_handle(object) {
                    return Ok(format!("(void *){}", self.names[id]));
                }
                let start = self.start(object);
                let elements = i64::try_from(object.element_size).ok().filter(|size| *size > 0 && offset % size == 0);
                Ok(match elements {
                    _ if *offset == 0 => start,
                    Some(size) if !self.is_single(object) && *offset > 0 => format!("{start} + {}", offset / size),
                    _ => format!("(void *)((char *){start} + {offset})"),
                })
            }
        }
    }

    /// What the source calls an input.
    pub(super) fn enumerator(&self, cell: &Cell) -> Option<String> {
        self.test.enumerators.get(&cell.path).cloned()
    }

    /// What a cell's value is in C, `None` if there is no constant for it.
    fn constant(&self, cell: &Cell, is_char: bool) -> Result<Option<String>, String> {
        if let Some(name) = self.enumerator(cell) {
            return Ok(Some(name));
        }
        Ok(match &cell.value {
            Value::Pointer(pointer) => Some(self.pointer(pointer)?),
            scalar if is_char => literal::character(scalar),
            scalar => literal::scalar(scalar),
        })
    }

    /// The place of an object's cell, as an lvalue.
    pub(super) fn place(&self, id: u32, path: &str) -> Result<String, String> {
        let object = self.object(id).ok_or_else(|| format!("object {id} is not there"))?;
        Ok(format!("{}{}", self.variable(object), self.inside(object, path)?))
    }

    /// Whether a byte of a test may be only a part of the member that its path names.
    pub(super) fn is_raw(&self, cell: &Cell) -> bool {
        self.test.bits.is_empty() && is_bit_field(&cell.path, self.subject) || is_part_of_complex(&cell.path)
    }

    /// Streams that the code leaves open.
    pub(super) fn close(&self) -> Vec<String> {
        let open = self.test.objects.iter().filter(|object| object.stream && !object.heap);
        open.map(|object| format!("fclose({});", self.names[&object.id])).collect()
    }

    /// All objects, those that others point to first.
    pub(super) fn declare(&self) -> Result<Text, String> {
        let mut text = Text::default();
        let mut done = BTreeSet::new();
        for object in &self.test.objects {
            self.declare_one(object, &mut done, &mut BTreeSet::new(), &mut text)?;
        }
        Ok(text)
    }

    fn declare_one(
        &self,
        object: &InputObject,
        done: &mut BTreeSet<u32>,
        open: &mut BTreeSet<u32>,
        text: &mut Text,
    ) -> Result<(), String> {
        if done.contains(&object.id) || !open.insert(object.id) {
            return Ok(());
        }
        let cells: Vec<&Cell> = self.test.cells.iter().filter(|c| c.root == Root::Object(object.id)).collect();
        for target in cells.iter().filter_map(|c| target(c)) {
            if let Some(target) = self.object(target) {
                self.declare_one(target, done, open, text)?;
            }
        }
        let size = object.element_size.checked_mul(object.count).ok_or("an object is too large")?;
        if object.stream {
            let (name, content) = (&self.names[&object.id], value::c_string(&given::content(self.test, object)?));
            text.declarations.push(format!("FILE *{name} = STREAM({content}, {size});"));
            done.insert(object.id);
            return Ok(());
        }
        if is_handle(object) {
            text.declarations.push(format!(
                "char {}[1] = {{0}}; /* {} */",
                self.names[&object.id],
                comment(&object.c_type)
            ));
            done.insert(object.id);
            return Ok(());
        }
        if object.flexible && !object.heap {
            text.statements.push(format!("memset(&{0}, 0, sizeof {0});", self.names[&object.id]));
        }
        let plain_type = if object.c_type == "void" { String::new() } else { unqualified(&object.c_type) };
        let is_char = matches!(plain_type.as_str(), "char" | "signed char" | "unsigned char");
        let (mut initial, mut later, mut raw) = (Vec::new(), Vec::new(), Vec::new());
        for cell in that_matter(cells) {
            let in_order = !object.flexible
                // One on the heap is not there before it has its content.
                && target(cell).is_none_or(|id| done.contains(&id) || id == object.id && !object.heap)
                && !self.is_static(object, size);
            match self.constant(cell, is_char)?.filter(|_| !self.is_raw(cell)) {
                Some(constant) if in_order => initial.push((cell, constant)),
                Some(constant) => later.push(format!("{} = {constant};", self.place(object.id, &cell.path)?)),
                None => raw.push(self.raw(object, cell)?),
            }
        }
        initial.sort_by_key(|(cell, _)| cell.offset);
        // Letters are a text, numbers are none; of bytes that are no `char` all are letters then.
        let mut letters = initial.iter().map(|(_, constant)| constant.starts_with('\''));
        let is_text = if plain_type == "char" { letters.any(|is| is) } else { letters.all(|is| is) };
        let room = (is_char && is_text).then_some(object.count);
        let paths: Vec<(&str, String)> = initial
            .into_iter()
            .map(|(c, k)| self.inside(object, &c.path).map(|path| (path, k)))
            .collect::<Result<_, _>>()?;
        let tree = Tree::new(paths.into_iter());
        let tree = tree.ok_or_else(|| format!("the parts of {} do not fit its type", object.name))?;
        let zero = match self.is_first(object) && object.scalar {
            true => "0",
            // Nobody writes an empty text in another way.
            false if plain_type == "char" && object.count > 1 && !object.heap && !object.flexible => "\"\"",
            false => "{0}",
        };
        let value = tree.map_or_else(|| zero.to_owned(), |tree| tree.print(room));
        text.declarations.push(self.declaration(object, &plain_type, size, &value));
        text.statements.extend(later.into_iter().chain(raw));
        done.insert(object.id);
        Ok(())
    }

    /// Whether an object has no room on the stack, or must not be there: around what is volatile memory is closed.
    fn is_static(&self, object: &InputObject, size: u64) -> bool {
        let id = Root::Object(object.id);
        size > LARGE
            || self.test.device.iter().any(|access| matches!(&access.at, Register::Object { root, .. } if *root == id))
    }

    fn declaration(&self, object: &InputObject, plain_type: &str, size: u64, value: &str) -> String {
        let name = &self.names[&object.id];
        // The compiler deals with types whose declarators go around the name.
        let odd = plain_type.contains(['(', '[']);
        let kind = match (plain_type.is_empty(), odd) {
            (true, _) => "unsigned char".to_owned(),
            (false, true) => format!("__typeof__({plain_type})"),
            (false, false) => plain_type.to_owned(),
        };
        let count = if plain_type.is_empty() { size } else { object.count };
        let space = if kind.ends_with('*') { "" } else { " " };
        let storage = if self.is_static(object, size) { "static " } else { "" };
        if object.heap {
            return self.on_heap(object, (&kind, space), size, value);
        }
        if object.flexible {
            format!("{storage}union {{ {kind}{space}it; unsigned char room[{size}]; }} {name};")
        } else if self.is_single(object) && !plain_type.is_empty() {
            format!("{storage}{kind}{space}{name} = {value};")
        } else if plain_type.is_empty() {
            // Whatever it is taken for.
            format!("{storage}{kind} {name}[{}] __attribute__((aligned(16))) = {value};", count.max(1))
        } else if pointer_inside(object).is_some() {
            // Before the pointer there may be something larger than an element.
            format!("{storage}{kind}{space}{name}[{}] __attribute__((aligned(16))) = {value};", count.max(1))
        } else {
            format!("{storage}{kind}{space}{name}[{}] = {value};", count.max(1))
        }
    }

    /// The declaration of one that the code frees.
    fn on_heap(&self, object: &InputObject, (kind, space): (&str, &str), size: u64, value: &str) -> String {
        let name = &self.names[&object.id];
        let is_bytes = kind == "unsigned char" && (object.c_type.is_empty() || object.c_type == "void");
        let count = if is_bytes { size } else { object.count };
        if object.flexible {
            return format!("union {{ {kind}{space}it; unsigned char room[{size}]; }} *{name} = HEAP_ZEROS({size});");
        }
        let content = match self.is_single(object) && !is_bytes {
            true => kind.to_owned(),
            false => format!("{kind}[{}]", count.max(1)),
        };
        match size > LARGE || value == "{0}" {
            true => format!("{kind}{space}*{name} = HEAP_ZEROS(sizeof({content}));"),
            false if value.starts_with('{') => format!("{kind}{space}*{name} = HEAP({content}, {value});"),
            false => format!("{kind}{space}*{name} = HEAP({content}, {{{value}}});"),
        }
    }

    /// A cell by its bytes, where C has no constant or the cell is a part of a bit-field's unit.
    fn raw(&self, object: &InputObject, cell: &Cell) -> Result<String, String> {
        raw_bytes(&self.start(object), cell)
    }
}

pub(super) fn is_bit_field(path: &str, subject: &SubjectInfo) -> bool {
    let member = path.rsplit('.').next().unwrap_or_default();
    path.contains('.') && subject.bit_fields.iter().any(|name| name == member)
}

/// Whether nobody here knows what it is: its address is all that counts.
fn is_handle(object: &InputObject) -> bool {
    object.element_size == 0 && !object.stream && !object.heap
}

/// Whether it is the real or the imaginary part, which C has no name for.
fn is_part_of_complex(path: &str) -> bool {
    path.ends_with(".__real") || path.ends_with(".__imag")
}

pub(super) fn raw_bytes(address: &str, cell: &Cell) -> Result<String, String> {
    let bytes = value::bytes(&cell.value, 8)?;
    let what = cell.path.replace("*/", "* /");
    Ok(format!(
        "memcpy((char *){address} + {}, {}, {}); /* {what} */",
        cell.offset,
        value::c_string(&bytes),
        bytes.len()
    ))
}

/// Without zeros, which what is not named is anyway; in an array those between others stay.
pub(super) fn that_matter(cells: Vec<&Cell>) -> Vec<&Cell> {
    let last = cells.iter().filter(|c| !is_zero(&c.value)).map(|c| c.offset).max();
    let matters = |c: &&Cell| !is_zero(&c.value) || !c.path.contains('.') && last.is_some_and(|last| c.offset < last);
    cells.into_iter().filter(matters).collect()
}

pub(super) fn is_zero(value: &Value) -> bool {
    matches!(value, Value::Pointer(Pointer::Null)) || matches!(value::bits(value), Ok(Some((0, _))))
}

fn target(cell: &Cell) -> Option<u32> {
    match cell.value {
        Value::Pointer(Pointer::Object { id, .. }) => Some(id),
        _ => None,
    }
}

/// The pointer that an object was made for, where that points into its middle: the object is called `(s - 8)`.
fn pointer_inside(object: &InputObject) -> Option<&str> {
    let (pointer, shift) = object.name.strip_prefix('(')?.strip_suffix(')')?.rsplit_once(" - ")?;
    shift.parse::<u64>().ok().map(|_| pointer)
}

/// The words of the types that a test declares variables of: a variable of such a name would hide the type.
fn type_words(test: &TestCase, subject: &SubjectInfo) -> BTreeSet<String> {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty());
        let words: Vec<&str> = words.collect();
        // Tags are names of another kind.
        let is_tag = |at: usize| at > 0 && matches!(words[at - 1], "struct" | "union" | "enum");
        words.iter().enumerate().filter(|(at, _)| !is_tag(*at)).map(|(_, word)| (*word).to_owned()).collect()
    };
    let mut taken: BTreeSet<String> = test.objects.iter().flat_map(|object| words(&object.c_type)).collect();
    for declared in subject.params.iter().chain(&subject.returns) {
        // Its own name is there once.
        let mut all = words(&declared.decl);
        if let Some(own) = all.iter().rposition(|word| *word == declared.name) {
            all.remove(own);
        }
        taken.extend(all);
    }
    taken
}

/// A type whose objects can be written to. What a pointer points to may stay constant.
fn unqualified(c_type: &str) -> String {
    let (pointer, own) = match c_type.rfind('*') {
        Some(at) => c_type.split_at(at + 1),
        None => ("", c_type),
    };
    let words: Vec<&str> =
        own.split_whitespace().filter(|w| !matches!(*w, "const" | "volatile" | "restrict")).collect();
    format!("{pointer}{}", words.join(" ")).trim().to_owned()
}

/// `(*(*t).left)` is `t_left`, `names[2]` is `names_2`.
fn variable(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        if c.is_ascii_alphanumeric() || c == '_' {
            text.push(c);
        } else if matches!(c, '.' | '[' | '>') && !text.is_empty() {
            text.push('_');
        }
    }
    if text.is_empty() || text.starts_with(|c: char| c.is_ascii_digit()) { format!("object_{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_named_after_their_objects() {
        assert_eq!(variable("voucher"), "voucher");
        assert_eq!(variable("(*t)"), "t");
        assert_eq!(variable("(*(*t).left)"), "t_left");
        assert_eq!(variable("names[2]"), "names_2");
        assert_eq!(variable("(*)"), "object_");
    }

    #[test]
    fn what_the_code_frees_is_from_the_heap() {
        let object = |id: u32, name: &str, c_type: &str, element_size: u64, count: u64| InputObject {
            id,
            name: name.into(),
            c_type: c_type.into(),
            element_size,
            count,
            heap: true,
            ..InputObject::default()
        };
        let cell =
            |id: u32, path: &str, value: Value| Cell { root: Root::Object(id), offset: 0, path: path.into(), value };
        let number = Value::Int { bits: "7".into(), size: 4, signed: true };
        let test = TestCase {
            objects: vec![object(1, "(*n)", "struct node", 16, 1), object(2, "name", "char", 1, 16)],
            cells: vec![cell(1, "(*n).kind", number)],
            ..TestCase::default()
        };
        let subject = SubjectInfo::default();
        let objects = Objects::new(&test, &subject);
        let text = objects.declare().map(|text| text.declarations);
        let declared =
            ["struct node *n = HEAP(struct node, { .kind = 7 });", "char *name = HEAP_ZEROS(sizeof(char[16]));"];
        assert_eq!(text, Ok(declared.map(str::to_owned).to_vec()));
        assert_eq!(objects.place(1, "(*n).kind").as_deref(), Ok("(*n).kind"));
        assert_eq!(objects.pointer(&Pointer::Object { id: 1, offset: 0 }).as_deref(), Ok("n"));
        assert_eq!(objects.pointer(&Pointer::Object { id: 2, offset: 3 }).as_deref(), Ok("name + 3"));
    }

    #[test]
    fn types_can_be_written_to() {
        assert_eq!(unqualified("const unsigned char"), "unsigned char");
        assert_eq!(unqualified("const char *"), "const char *");
        assert_eq!(unqualified("const char *const"), "const char *");
        assert_eq!(unqualified("struct node"), "struct node");
    }
}
