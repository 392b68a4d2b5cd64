//! Errors that only happen if a caller breaks what the code seems to expect.
//!
//! How many elements an object has, whether another pointer means it too and whether a pointer is NULL are choices of ours among what C
//! allows. Where an error needs such a choice and the code nowhere deals with it, a caller is expected to choose otherwise: that
//! is a contract of the function, which nobody wrote down.

use std::collections::BTreeSet;

use covenant_constraints::{Op, TermId};
use covenant_goals::report::Defect;
use covenant_interpreter::{About, Trap, TrapKind};

use super::inputs::{Root, RootKind};
use super::record::{Recorded, Target};
use super::shapes::Want;
use super::{EventKind, Symbolic};

/// Decisions before an error that may be about how far the code may go.
const LOOKED_BACK: usize = 8; // not tuning: words for people

/// Addresses below are those of members of what a null pointer points to.
const FIRST_PAGE: u64 = 4096; // not tuning: what a null pointer is

/// A contract that a run broke.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Broken {
    words: Option<String>,
    /// The option that says that callers keep it.
    option: Option<String>,
    /// The pointers that are NULL, as [`of_source`] writes them: where the code asks for one somewhere, it is no contract.
    null: Option<String>,
    /// The integer that is no index of a table, written likewise: where the code asks it to be less or greater than something, it is no contract.
    index: Option<String>,
}

impl Broken {
    /// The defect with what must be broken for it.
    pub fn apply(self, defect: Defect) -> Defect {
        Defect { contract: self.words, option: self.option, null: self.null, index: self.index, ..defect }
    }
}

impl Symbolic<'_> {
    /// Which contract a run broke that ended like this.
    pub fn broken_contract(&self, trap: &Trap) -> Broken {
        match trap.kind {
            TrapKind::NullPointer | TrapKind::WildPointer if self.named_address(trap).is_some() => {
                let (words, option) = self.device_contract(trap).unzip();
                Broken { words, option: option.flatten(), ..Broken::default() }
            }
            TrapKind::NullPointer => self.null_input().unwrap_or_else(|| self.made_of_bytes()),
            TrapKind::BadCall if trap.about.is_some_and(|about| about.offset == 0) => {
                self.null_input().unwrap_or_default()
            }
            // What is before a null pointer.
            TrapKind::WildPointer
                if trap
                    .about
                    .is_some_and(|about| about.base == 0 && (-(FIRST_PAGE as i64)..0).contains(&about.offset)) =>
            {
                self.null_input().unwrap_or_else(|| self.made_of_bytes())
            }
            TrapKind::WildPointer => {
                let index = self.far_away(trap).or_else(|| self.outside_of_table(trap));
                index.unwrap_or_else(|| self.made_of_bytes())
            }
            TrapKind::OutOfBounds => {
                let index = self.far_away(trap).or_else(|| self.outside_of_table(trap));
                self.too_small(trap).or(index).or_else(|| self.without_end(trap)).unwrap_or_default()
            }
            TrapKind::InvalidFree => {
                let root = trap.about.and_then(|about| self.object_at(about.base));
                let inside = root.filter(|root| root.entry != 0 || root.group.is_some());
                let words = inside.map(|root| format!("{} points to the start of what malloc gave", root.pointer));
                Broken { words, ..Broken::default() }
            }
            TrapKind::DoubleFree | TrapKind::UseAfterFree => self.freed_by_another(trap).unwrap_or_default(),
            _ => Broken::default(),
        }
    }

    pub(super) fn object_at(&self, base: u64) -> Option<&Root> {
        let is_there = |root: &&Root| root.address == base && base != 0;
        self.roots.iter().filter(|root| matches!(root.kind, RootKind::Object(_))).find(is_there)
    }

    /// The object was freed, and several inputs point to it: it is expected that each has one of its own.
    fn freed_by_another(&self, trap: &Trap) -> Option<Broken> {
        let root = self.object_at(trap.about?.base)?;
        let points_there = |recorded: &Recorded| match recorded {
            Recorded::Pointer { name, to: Target::Root(to, _), .. } => {
                (self.roots[*to as usize].address == root.address).then(|| name.clone())
            }
            _ => None,
        };
        let names: BTreeSet<String> = self.recorded.iter().filter_map(points_there).collect();
        if names.len() < 2 {
            return None;
        }
        let names: Vec<String> = names.into_iter().collect();
        let words = Some(format!("{} point to different objects", names.join(" and ")));
        Some(Broken { words, option: Some("--no-aliases".to_owned()), ..Broken::default() })
    }

    /// The last pointer that the run read, if it is NULL; else parameters that are: these are all read before the code begins.
    pub(super) fn null_input(&self) -> Option<Broken> {
        // A call that failed gave NULL: nobody but the code itself is to blame.
        let last = self.recorded.iter().rev().take_while(|recorded| !matches!(recorded, Recorded::Failure { .. }));
        let pointers: Vec<(u32, &String, bool)> = last
            .filter_map(|recorded| match recorded {
                Recorded::Pointer { root, name, to, .. } => Some((*root, name, *to == Target::Null)),
                _ => None,
            })
            .collect();
        let is_param = |root: u32| matches!(self.roots[root as usize].kind, RootKind::Param(_));
        let &(root, name, is_null) = pointers.first()?;
        if let RootKind::Call { call, param: None } = self.roots[root as usize].kind
            && is_null
        {
            let words = self.called(call).map(|function| format!("what {function} returns is not NULL"));
            return Some(Broken { words, ..Broken::default() });
        }
        let null: Vec<(u32, &String)> = match is_null && !is_param(root) {
            true => vec![(root, name)],
            false => pointers.iter().filter(|p| p.2 && is_param(p.0)).map(|p| (p.0, p.1)).collect(),
        };
        let names: Vec<&str> = null.iter().map(|(_, name)| name.as_str()).collect();
        let words = match names[..] {
            [] => return None,
            [one] => format!("{one} is not NULL"),
            _ => format!("{} are not NULL", names.join(" and ")),
        };
        let option = null.first().filter(|_| null.len() == 1).and_then(|(root, name)| self.assumption(*root, name));
        let sources: Vec<String> = names.iter().map(|name| of_source(name)).collect();
        Some(Broken { words: Some(words), option, null: Some(sources.join(" ")), index: None })
    }

    /// The function of the call of this number.
    fn called(&self, call: u32) -> Option<&str> {
        let mut calls = self.recorded.iter().filter_map(|recorded| match recorded {
            Recorded::Call { function, .. } | Recorded::Bytes { function, .. } => Some(function.as_str()),
            _ => None,
        });
        calls.nth(call as usize)
    }

    /// Bytes of an object were read as a pointer, which they cannot be in a run.
    fn made_of_bytes(&self) -> Broken {
        let root = self.read_as_pointer.get().map(|root| &self.roots[root as usize]);
        let words = root.map(|root| format!("bytes of {} that are read as a pointer are one", root.case_name()));
        Broken { words, ..Broken::default() }
    }

    /// The option that says that a pointer is not NULL: a parameter, or a member of what a parameter points to.
    fn assumption(&self, root: u32, name: &str) -> Option<String> {
        let root = &self.roots[root as usize];
        match root.kind {
            RootKind::Param(_) if name == root.name => Some(format!("--assume {name} != 0")),
            RootKind::Object(_) if root.depth == 1 && root.count == 1 && self.is_param(&root.pointer) => {
                Some(format!("--assume {} == 0 || {name} != 0", root.pointer))
            }
            _ => None,
        }
    }

    fn is_param(&self, name: &str) -> bool {
        self.roots.iter().any(|root| matches!(root.kind, RootKind::Param(_)) && root.name == name)
    }

    /// A text in an array of a size that the code chose fills it, and the code looks for its end.
    fn without_end(&self, trap: &Trap) -> Option<Broken> {
        let about = trap.about?;
        let root = self.roots.iter().find(|root| root.address == about.base && about.base != 0 && !root.sized_by_us)?;
        let before = u64::try_from(about.offset).ok()?.checked_sub(about.size);
        let words = format!("the text in {} ends", root.case_name());
        self.goes_on_by(about.base, before, about.size).then(|| Broken { words: Some(words), ..Broken::default() })
    }

    /// An index so large that the access is at another object or at none: what matters is the object that the address was counted from.
    fn far_away(&self, trap: &Trap) -> Option<Broken> {
        let about = trap.about?;
        let from = self.counted_from(self.accessed()?);
        if from < FIRST_PAGE && trap.kind == TrapKind::WildPointer {
            // An index added to NULL.
            return self.null_input();
        }
        let is_near = |root: &&Root| {
            let slack = root.element_size.max(1);
            from.wrapping_sub(root.address.wrapping_sub(slack))
                <= root.count.saturating_mul(slack).saturating_add(2 * slack)
        };
        let objects = self.roots.iter().filter(|root| matches!(root.kind, RootKind::Object(_)) && root.address != 0);
        let root = objects.filter(is_near).find(|root| root.sized_by_us && root.address != about.base)?;
        let at = about.base.wrapping_add(about.offset as u64);
        self.too_small_for(root, About { offset: at.wrapping_sub(root.address) as i64, base: root.address, ..about })
    }

    /// The address of the last access, if it is the last that inputs decided.
    fn accessed(&self) -> Option<TermId> {
        self.address.filter(|(_, events)| *events == self.events.len()).map(|(address, _)| address)
    }

    /// The part of an address that no input decides.
    fn counted_from(&self, address: TermId) -> u64 {
        let terms = &self.cx.terms;
        let (mut sum, mut seen, mut left) = (0u64, BTreeSet::new(), vec![address]);
        while let Some(term) = left.pop() {
            if terms.op(term) == Op::Add && seen.insert(term) {
                left.extend(terms.node(term).args.iter());
            }
            sum = sum.wrapping_add(terms.as_bv(term).map_or(0, |bits| bits as u64));
        }
        sum
    }

    fn too_small(&self, trap: &Trap) -> Option<Broken> {
        let about = trap.about?;
        self.too_small_for(self.object_at(about.base).filter(|root| root.sized_by_us)?, about)
    }

    /// An access at bytes that an object whose size is our choice does not have.
    fn too_small_for(&self, root: &Root, about: About) -> Option<Broken> {
        let only = |words: String| Some(Broken { words: Some(words), ..Broken::default() });
        let pointer = &root.pointer;
        if root.element_size == 0 {
            return only(format!("{pointer} points to what the code takes it for"));
        }
        let Ok(offset) = u64::try_from(about.offset) else {
            let before = about.offset.unsigned_abs().saturating_add(root.entry);
            return only(format!("at least {before} bytes of an object are before what {pointer} points to"));
        };
        if let Some(others) = self.compared_with(pointer) {
            return only(format!("{pointer} and {others} point into one object"));
        }
        if let Some(others) = self.sharers(root) {
            return only(format!("{pointer} and {others} point into one object, in the order that the code expects"));
        }
        if let Some(name) = self.negative().filter(|_| i64::try_from(about.size).is_err()) {
            let option = self.is_param(&name).then(|| format!("--assume {name} >= 0"));
            return Some(Broken { words: Some(format!("{name} is not negative")), option, ..Broken::default() });
        }
        if self.goes_on_by(about.base, offset.checked_sub(about.size), about.size) {
            return only(format!("the text that {pointer} points to ends"));
        }
        let needed = offset.saturating_add(about.size).div_ceil(root.element_size).saturating_sub(root.shift);
        let Some((length, is_param)) = self.length_of(root, needed) else {
            return only(format!("the object behind {pointer} has at least {needed} elements"));
        };
        let option = (is_param && self.is_param(pointer)).then(|| format!("--length {pointer}={length}"));
        let words = Some(format!("the object behind {pointer} has at least {length} elements"));
        Some(Broken { words, option, ..Broken::default() })
    }

    /// Whether the last decision of the run was about what is at this place of an object, and that is not zero: the code looks for the
    /// end of a text.
    fn goes_on_by(&self, base: u64, place: Option<u64>, size: u64) -> bool {
        let decided = self.events.last().map(|event| self.cx.terms.variables(&[event.constraint]));
        let [character] = decided.as_deref().unwrap_or_default() else { return false };
        let character = self.cx.terms.var_name(*character);
        self.recorded.iter().any(|recorded| match recorded {
            Recorded::Scalar { root, offset, name, bits, size: own, float: false, .. } => {
                let is_there = self.roots[*root as usize].address == base && Some(*offset) == place;
                is_there && name == character && *bits != 0 && u64::from(*own) == size
            }
            _ => false,
        })
    }

    /// An integer among the inputs decided alone at which element of a table the access is, and it is none of these. Where the
    /// index is large, the access is far from the table, at another object or at none.
    fn outside_of_table(&self, trap: &Trap) -> Option<Broken> {
        trap.about.filter(|about| self.object_at(about.base).is_none())?;
        let access = self.events.last().filter(|event| match event.kind {
            EventKind::Check => event.outcome == 0 && self.accessed().is_some(),
            // An address that points nowhere.
            EventKind::Pin(_) => trap.kind == TrapKind::WildPointer,
            _ => false,
        })?;
        let [index] = self.cx.terms.variables(&[access.constraint])[..] else { return None };
        let index = self.cx.terms.var_name(index);
        let is_it = |recorded: &Recorded| match recorded {
            // An element of an array has no name of its own in the source.
            Recorded::Scalar { name, float: false, .. } => name == index && !name.ends_with(']'),
            _ => false,
        };
        self.recorded.iter().find(|recorded| is_it(recorded))?;
        let words = Some(format!("{index} is an index of the table"));
        Some(Broken { words, index: Some(of_source(index)), ..Broken::default() })
    }

    /// The integer that says how many elements an object has, and whether it is a parameter. It is one that the run compared last
    /// with something before it went too far, and large enough: had the object as many elements, the run would not have failed here.
    fn length_of(&self, of: &Root, needed: u64) -> Option<(String, bool)> {
        let (name, root) = self.compared_last(&|root, bits, is_negative| {
            root.address != of.address && !is_negative && bits >= u128::from(needed)
        })?;
        let is_param = matches!(root.kind, RootKind::Param(_)) && root.name == name;
        Some((name, is_param))
    }

    /// An integer that is negative where the code takes it for a size.
    fn negative(&self) -> Option<String> {
        self.compared_last(&|_, _, is_negative| is_negative).map(|(name, _)| name)
    }

    /// The integer among the inputs that one of the last decisions depends on and that is like this: what it is part of, its bits,
    /// and whether it is negative. Elements of arrays are left out.
    fn compared_last(&self, is_like: &dyn Fn(&Root, u128, bool) -> bool) -> Option<(String, &Root)> {
        let integer = |name: &str| {
            self.recorded.iter().find_map(|recorded| match recorded {
                Recorded::Scalar { root, name: own, bits, size, signed, float: false, .. } if own == name => {
                    let root = &self.roots[*root as usize];
                    let is_negative = *signed && bits >> (8 * size - 1) & 1 == 1;
                    (root.count == 1 && is_like(root, *bits, is_negative)).then_some(root)
                }
                _ => None,
            })
        };
        self.events.iter().rev().take(LOOKED_BACK).find_map(|event| {
            let vars = self.cx.terms.variables(&[event.constraint]);
            let mut names = vars.iter().map(|&var| self.cx.terms.var_name(var));
            names.find_map(|name| Some((name.to_owned(), integer(name)?)))
        })
    }

    /// Pointers to other objects that a pointer was compared with, as the source names them.
    fn compared_with(&self, pointer: &str) -> Option<String> {
        let wants = self.wants.borrow();
        let others = wants.iter().filter_map(|want| match want {
            Want::Together { one, other, .. } if one == pointer => Some(other.as_str()),
            Want::Together { one, other, .. } if other == pointer => Some(one.as_str()),
            _ => None,
        });
        let others: BTreeSet<&str> = others.collect();
        (!others.is_empty()).then(|| others.into_iter().collect::<Vec<_>>().join(" and "))
    }

    /// Other pointers into the middle of an object, as the source names them.
    fn sharers(&self, root: &Root) -> Option<String> {
        let is_other = |recorded: &Recorded| match recorded {
            Recorded::Pointer { name, to: Target::Root(to, _), .. } if *name != root.pointer => {
                (self.roots[*to as usize].address == root.address).then(|| name.clone())
            }
            _ => None,
        };
        let others: Vec<String> = self.recorded.iter().filter(|_| root.group.is_some()).filter_map(is_other).collect();
        (!others.is_empty()).then(|| others.join(" and "))
    }
}

/// The last name of what runs call an input, with a dot before it if it is a member's.
fn of_source(name: &str) -> String {
    let (plain, _) = name.split_once('[').filter(|_| name.ends_with(']')).unwrap_or((name, ""));
    let start = plain.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
    let is_member = plain[..start].ends_with("->") || plain[..start].ends_with('.');
    format!("{}{}", if is_member { "." } else { "" }, &plain[start..])
}
