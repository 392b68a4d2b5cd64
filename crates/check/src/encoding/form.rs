//! A certificate as its text says it: formulas, places and variables, in the words of the IR.
//!
//! A formula is read and written anew with names of ours, and may have nothing in it but what SMT-LIB has for bit-vectors, floats
//! and arrays: so whatever a file says, it can only be a formula.

use std::collections::{BTreeMap, HashMap};

use covenant_program::ir::{Block, Callee, GlobalId, Inst, Op, Value};

use super::chains::{ChainId, Chains, plain};
use super::objects::Object;
use super::sexp::{self, Sexp};

/// The version of the form.
const VERSION: &str = "2";

/// A spot of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Spot {
    /// Before anything of the chain's function has run.
    Start,
    /// The start of a block.
    Block(Block),
    /// An edge out of a block, before the parameters of its target are set.
    Way(Block, u32),
    /// Behind a call.
    After(Inst),
}

/// A place of the program.
pub(super) type Place = (ChainId, Spot);

/// What a variable of a formula is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Meant {
    Value(ChainId, Value),
    Offset(ChainId, Value, Object),
    Cell(Object, u64, u32),
    Bytes(Object),
    Memory,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Variable {
    pub(super) meant: Meant,
    /// As the certificate declares it.
    pub(super) sort: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Formula {
    True,
    False,
    /// A function of this name in [`Certificate::definitions`], and its arguments.
    Of(String, Vec<Variable>),
}

#[derive(Clone, Debug, Default)]
pub(super) struct Certificate {
    pub(super) formulas: BTreeMap<Place, Formula>,
    /// SMT-LIB.
    pub(super) definitions: String,
}

/// Why a text is no certificate that can be held against the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Unread {
    /// It is none.
    Wrong(String),
    /// It speaks of something that the chains here do not have.
    Beyond(String),
}

impl From<String> for Unread {
    fn from(why: String) -> Unread {
        Unread::Wrong(why)
    }
}

impl From<&str> for Unread {
    fn from(why: &str) -> Unread {
        Unread::Wrong(why.to_owned())
    }
}

/// Reads the certificate of an objective.
pub(super) fn read(text: &str, objective: &str, chains: &Chains<'_>) -> Result<Certificate, Unread> {
    let all = sexp::read(text)?;
    let infos = |name: &str| {
        let name = format!(":{name}");
        let info = move |command: &Sexp| match command.list()? {
            [Sexp::Atom(set), Sexp::Atom(key), Sexp::Text(value)] if set == "set-info" && *key == name => {
                Some(value.clone())
            }
            _ => None,
        };
        all.iter().filter_map(info).collect::<Vec<String>>()
    };
    if let Some(strange) = all.iter().find(|command| !is_command(command)) {
        return Err(format!("`{}` is no command of a certificate", name_of(strange)).into());
    }
    if infos("covenant-certificate") != [VERSION] {
        return Err(format!("it is not of version {VERSION} of the form; run `covenant gen` again").into());
    }
    if infos("covenant-objective") != [objective] {
        return Err("it is the certificate of another objective".into());
    }
    let names: HashMap<String, ChainId> =
        (0..chains.all.len()).map(|i| ChainId(i as u32)).map(|id| (chains.name(id), id)).collect();
    let reader = Reader { chains, names };
    let mut variables: HashMap<String, Result<Meant, Unread>> = HashMap::new();
    for line in infos("covenant-variable") {
        let (name, meant) = reader.variable(&line)?;
        if variables.insert(name.clone(), meant).is_some() {
            return Err(format!("the variable {name} is there twice").into());
        }
    }
    let mut certificate = Certificate::default();
    let mut functions: HashMap<String, Formula> = HashMap::new();
    for command in &all {
        let Some([Sexp::Atom(define), Sexp::Atom(name), params, returns, body]) = command.list() else { continue };
        if define != "define-fun" || !name.starts_with("inv_") {
            continue;
        }
        if returns.atom() != Some("Bool") {
            return Err(format!("{name} is no formula").into());
        }
        let number = functions.len();
        let (formula, definition) = formula(number, params, body, &variables)?;
        certificate.definitions.push_str(&definition);
        if functions.insert(name.clone(), formula).is_some() {
            return Err(format!("{name} is defined twice").into());
        }
    }
    for line in infos("covenant-at") {
        let (name, key) = line.split_once(' ').ok_or("a place has no formula")?;
        let formula = functions.get(name).ok_or_else(|| format!("the formula {name} of {key} is missing"))?;
        let place = match reader.place(key) {
            Ok(place) => place,
            // Nothing comes behind a label, and no walk goes where there is no chain.
            Err(Unread::Beyond(_)) => continue,
            Err(wrong) => return Err(wrong),
        };
        if certificate.formulas.insert(place, formula.clone()).is_some() {
            return Err(format!("the place {key} has two formulas").into());
        }
    }
    Ok(certificate)
}

fn name_of(command: &Sexp) -> &str {
    command.list().and_then(|all| all.first()).and_then(Sexp::atom).unwrap_or("...")
}

/// What a certificate consists of. Only some of it is read: the questions are made anew.
fn is_command(command: &Sexp) -> bool {
    match (name_of(command), command.list().unwrap_or_default()) {
        ("set-info", [_, Sexp::Atom(key), _]) => match key.strip_prefix(":covenant-") {
            Some(key) => matches!(key, "certificate" | "objective" | "variable" | "at"),
            None => key == ":status",
        },
        ("define-fun", all) => all.len() == 5,
        (name, _) => {
            matches!(name, "set-logic" | "declare-const" | "declare-fun" | "push" | "pop" | "assert" | "check-sat")
        }
    }
}

struct Reader<'c, 'p> {
    chains: &'c Chains<'p>,
    names: HashMap<String, ChainId>,
}

fn number(text: &str, prefix: &str) -> Result<u32, Unread> {
    let number = text.strip_prefix(prefix).and_then(|n| n.parse().ok());
    number.ok_or_else(|| Unread::Wrong(format!("`{text}` is no {prefix} of the program")))
}

impl Reader<'_, '_> {
    fn chain(&self, name: &str) -> Result<ChainId, Unread> {
        match self.names.get(name) {
            Some(&id) => Ok(id),
            None if self.is_chain(name) => Err(Unread::Beyond(format!("the calls {name} are not expanded"))),
            None => Err(Unread::Wrong(format!("the program has no calls {name}"))),
        }
    }

    /// Whether the functions of a chain call each other, expanded or not.
    fn is_chain(&self, name: &str) -> bool {
        let subject = self.chains.subject;
        let functions = &subject.program.functions;
        let mut at = vec![subject.entry];
        for part in name.split('>') {
            let (function, call) = part.split_once('/').map_or((part, None), |(function, call)| (function, Some(call)));
            let here = at.iter().copied().find(|&id| plain(&functions[id].name) == function);
            let Some(body) = here.and_then(|id| functions[id].body.as_ref()) else { return false };
            let Some(call) = call else { return true };
            let inst = number(call, "i").map(Inst::from_u32).ok().filter(|&inst| body.insts.is_valid(inst));
            let Some(Op::Call(call)) = inst.map(|inst| &body.insts[inst].op) else { return false };
            at = match call.callee {
                Callee::Direct(callee) => vec![callee],
                Callee::Indirect(_) => functions.keys().collect(),
            };
        }
        false
    }

    fn place(&self, key: &str) -> Result<Place, Unread> {
        let (chain, spot) = key.rsplit_once(':').ok_or_else(|| format!("`{key}` is no place"))?;
        let id = self.chain(chain)?;
        let body = self.chains.body(id);
        let missing = || Unread::Wrong(format!("the program has no place {key}"));
        let block = |text: &str| {
            let block = Block::from_u32(number(text, "bb")?);
            if body.blocks.is_valid(block) { Ok(block) } else { Err(missing()) }
        };
        let inst = |text: &str, prefix: &str| {
            let inst = Inst::from_u32(number(text, prefix)?);
            if body.insts.is_valid(inst) { Ok(inst) } else { Err(missing()) }
        };
        let spot = match (spot, spot.split_once('.')) {
            ("root", _) => Spot::Start,
            (_, Some((from, way))) => {
                let (from, way) = (block(from)?, number(way, "")?);
                if way as usize >= body.blocks[from].term.edges().len() {
                    return Err(missing());
                }
                Spot::Way(from, way)
            }
            (text, _) if text.starts_with("after-") => {
                let call = inst(text, "after-i")?;
                if !matches!(body.insts[call].op, Op::Call(_)) {
                    return Err(missing());
                }
                Spot::After(call)
            }
            (text, _) if text.starts_with("label-") => {
                inst(text, "label-i")?;
                return Err(Unread::Beyond("a label".to_owned()));
            }
            (text, _) => Spot::Block(block(text)?),
        };
        Ok((id, spot))
    }

    /// The name of a variable and what it is. What it is may be beyond us, as long as nobody needs it.
    fn variable(&self, line: &str) -> Result<(String, Result<Meant, Unread>), Unread> {
        let wrong = || Unread::Wrong(format!("`{line}` is no variable"));
        let count = match line.split(' ').next() {
            Some("value") => 4,
            Some("offset" | "cell") => 5,
            Some("bytes") => 3,
            Some("memory") => 2,
            _ => return Err(wrong()),
        };
        // The name is the last and may have spaces.
        let parts: Vec<&str> = line.splitn(count, ' ').collect();
        let (name, meant) = match parts.as_slice() {
            ["value", chain, value, name] => (name, self.value(chain, value).map(|(c, v)| Meant::Value(c, v))),
            ["offset", chain, value, object, name] => {
                let at = self.value(chain, value);
                (name, at.and_then(|(c, v)| Ok(Meant::Offset(c, v, self.object(object)?))))
            }
            ["cell", object, offset, size, name] => {
                let offset = offset.parse().map_err(|_| wrong())?;
                let size: u32 = size.parse().map_err(|_| wrong())?;
                if !(1..=16).contains(&size) {
                    return Err(wrong());
                }
                (name, self.object(object).map(|object| Meant::Cell(object, offset, size)))
            }
            ["bytes", object, name] => (name, self.object(object).map(Meant::Bytes)),
            ["memory", name] => (name, Ok(Meant::Memory)),
            _ => return Err(wrong()),
        };
        match meant {
            Err(Unread::Wrong(why)) => Err(Unread::Wrong(why)),
            meant => Ok(((*name).to_owned(), meant)),
        }
    }

    fn value(&self, chain: &str, value: &str) -> Result<(ChainId, Value), Unread> {
        let id = self.chain(chain)?;
        let found = Value::from_u32(number(value, "v")?);
        if self.chains.body(id).values.is_valid(found) {
            return Ok((id, found));
        }
        Err(Unread::Wrong(format!("{chain} has no value {value}")))
    }

    fn object(&self, text: &str) -> Result<Object, Unread> {
        if let Some(name) = text.strip_prefix("global:") {
            let globals = &self.chains.subject.program.globals;
            let mut named = globals.iter().filter(|(_, g)| plain(&g.name) == name).map(|(id, _)| id);
            let found: Option<GlobalId> = named.next().filter(|_| named.next().is_none());
            return found.map(Object::Global).ok_or_else(|| format!("the program has no global {name}").into());
        }
        let local = text.strip_prefix("local:").and_then(|local| local.rsplit_once(':'));
        let (chain, value) = local.ok_or_else(|| format!("`{text}` is no object"))?;
        self.value(chain, value).map(|(chain, value)| Object::Local(chain, value))
    }
}

/// A formula and its definition with names of ours.
fn formula(
    number: usize,
    params: &Sexp,
    body: &Sexp,
    variables: &HashMap<String, Result<Meant, Unread>>,
) -> Result<(Formula, String), Unread> {
    match body.atom() {
        Some("true") => return Ok((Formula::True, String::new())),
        Some("false") => return Ok((Formula::False, String::new())),
        _ => {}
    }
    let (mut scope, mut arguments, mut declared) = (HashMap::new(), Vec::new(), String::new());
    for (i, param) in params.list().unwrap_or_default().iter().enumerate() {
        let Some([Sexp::Atom(name), sort]) = param.list() else { return Err("a parameter has no sort".into()) };
        let sort = written(sort, &HashMap::new())?;
        let meant = variables.get(name).ok_or_else(|| format!("nothing says what {name} is"))?.clone()?;
        declared.push_str(&format!("(p{i} {sort})"));
        scope.insert(name.clone(), format!("p{i}"));
        arguments.push(Variable { meant, sort });
    }
    let name = format!("formula_{number}");
    let text = written(body, &scope)?;
    Ok((Formula::Of(name.clone(), arguments), format!("(define-fun {name} ({declared}) Bool {text})\n")))
}

/// The expression with our names.
fn written(expression: &Sexp, scope: &HashMap<String, String>) -> Result<String, Unread> {
    match expression {
        Sexp::Text(_) => Err("a formula has a text in it".into()),
        Sexp::Atom(name) => match scope.get(name) {
            Some(ours) => Ok(ours.clone()),
            None if is_known(name) => Ok(name.clone()),
            None => Err(format!("`{name}` is nothing that a formula can have").into()),
        },
        Sexp::List(all) => {
            if let [Sexp::Atom(name), bindings, body] = all.as_slice()
                && name == "let"
            {
                return with_names(bindings, body, scope);
            }
            let parts = all.iter().map(|part| written(part, scope)).collect::<Result<Vec<_>, _>>()?;
            Ok(format!("({})", parts.join(" ")))
        }
    }
}

fn with_names(bindings: &Sexp, body: &Sexp, scope: &HashMap<String, String>) -> Result<String, Unread> {
    let (mut inner, mut text) = (scope.clone(), String::new());
    for binding in bindings.list().unwrap_or_default() {
        let Some([Sexp::Atom(name), value]) = binding.list() else { return Err("a `let` is none".into()) };
        let ours = format!("l{}", inner.len());
        text.push_str(&format!("({ours} {})", written(value, scope)?));
        // Shadowing would need the old name too: each has its own.
        if inner.insert(name.clone(), ours).is_some() {
            return Err(format!("`{name}` is there twice").into());
        }
    }
    Ok(format!("(let ({text}) {})", written(body, &inner)?))
}

/// What SMT-LIB has for formulas without quantifiers.
fn is_known(name: &str) -> bool {
    const WORDS: &str = "and or not => xor = distinct ite true false concat extract zero_extend sign_extend repeat \
                         rotate_left rotate_right _ select store as const BitVec Bool Array FloatingPoint to_fp \
                         to_fp_unsigned fp +oo -oo +zero -zero NaN RNE RNA RTP RTN RTZ";
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric());
    WORDS.split_whitespace().any(|word| word == name)
        || name.strip_prefix("bv").is_some_and(digits)
        || name.strip_prefix("fp.").is_some_and(|rest| rest.split('_').all(digits))
        || name.strip_prefix('#').is_some_and(digits)
        || (digits(name) && name.bytes().all(|b| b.is_ascii_digit()))
}
