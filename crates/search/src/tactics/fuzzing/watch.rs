//! What is seen of a blind run besides the ways that it takes: the texts that it compares, how often it goes which way, and
//! whether it still does something.

use covenant_concolic::Subject;
use covenant_concolic::symbolic::{Follower, Symbolic};
use covenant_interpreter::shadow::{Inspect, Mark};
use covenant_program::ir::{FuncId, Origin, Type, Value};
use rustc_hash::FxHashMap;

/// Longer texts are not what people type.
const LONGEST: u64 = 32; // not tuning: what is a word

/// Ways that a run without an end may take since it was last given an input, or went where it had not been.
const MOST_QUIET: u64 = 1000; // not tuning: how soon it is seen that nothing more comes

/// Pairs of texts that are kept of one run.
const MOST_PAIRS: usize = 64; // not tuning: memory

/// Functions of the C library that compare two texts, and how many bytes of them: by their end, or by their third argument.
const COMPARING: [(&str, bool); 8] = [
    ("strcmp", false),
    ("strcoll", false),
    ("strcasecmp", false),
    ("strncmp", true),
    ("strncasecmp", true),
    ("memcmp", true),
    ("bcmp", true),
    ("strstr", false),
];

/// Parameters of a function that compares texts.
#[derive(Debug)]
struct Comparing {
    params: Vec<Value>,
    counted: bool,
}

/// What there is to look at in a program.
#[derive(Debug)]
pub(super) struct Sights {
    comparing: FxHashMap<FuncId, Comparing>,
    own: Vec<bool>,
}

impl Sights {
    pub(super) fn of(subject: &Subject) -> Sights {
        let program = subject.image.program();
        let mut comparing = FxHashMap::default();
        for (id, function) in program.functions.iter() {
            let known = COMPARING.iter().find(|(name, _)| *name == function.name);
            let Some((_, counted)) = known.filter(|_| function.origin == Origin::Library) else { continue };
            let params = function.body.as_ref().map(|body| body.params().to_vec()).unwrap_or_default();
            comparing.insert(id, Comparing { params, counted: *counted });
        }
        let own = program.functions.values().map(|function| function.origin == Origin::Subject).collect();
        Sights { comparing, own }
    }
}

/// A way out of a block.
pub(super) type Way = (u32, u32, u32);

/// Who goes along with a blind run.
#[derive(Debug)]
pub(super) struct Watch<'s> {
    sights: &'s Sights,
    /// The texts that were compared, and that differ.
    pub(super) pairs: Vec<(Vec<u8>, Vec<u8>)>,
    /// How often the subject's own code went which way.
    pub(super) ways: FxHashMap<Way, u32>,
    /// The run is ended when nothing new happens for a while.
    impatient: bool,
    inputs: usize,
    quiet: u64,
    cut: bool,
}

impl<'s> Watch<'s> {
    pub(super) fn new(sights: &'s Sights, impatient: bool) -> Watch<'s> {
        let (pairs, ways) = (Vec::new(), FxHashMap::default());
        Watch { sights, pairs, ways, impatient, inputs: 0, quiet: 0, cut: false }
    }

    fn entered(&mut self, run: &mut dyn Inspect<Symbolic<'_>>) {
        let Some((function, _)) = run.entered() else { return };
        let Some(comparing) = self.sights.comparing.get(&function).filter(|_| self.pairs.len() < MOST_PAIRS) else {
            return;
        };
        let depth = run.depth();
        let arg = |at: usize, ty: Type| -> Option<u64> {
            Some(run.register_at(depth, *comparing.params.get(at)?, ty)?.bits as u64)
        };
        let (Some(left), Some(right)) = (arg(0, Type::Ptr), arg(1, Type::Ptr)) else { return };
        let most = if comparing.counted { arg(2, Type::Int(64)).unwrap_or(0).min(LONGEST) } else { LONGEST };
        let mut text = |from: u64| -> Vec<u8> {
            let byte = |at: u64| run.peek_bits(from.wrapping_add(at), 1).map(|bits| bits as u8);
            (0..most).map_while(byte).take_while(|byte| *byte != 0).collect()
        };
        let (left, right) = (text(left), text(right));
        if left != right && (left.len() as u64) < LONGEST && (right.len() as u64) < LONGEST {
            self.pairs.push((left, right));
        }
    }

    fn went(&mut self, run: &mut dyn Inspect<Symbolic<'_>>, block: u32, way: u32) {
        let Some((function, _)) = run.entered() else { return };
        let is_own = self.sights.own.get(function.as_u32() as usize).copied().unwrap_or(false);
        let count = is_own.then(|| self.ways.entry((function.as_u32(), block, way)).or_insert(0));
        let is_new = count.is_some_and(|count| {
            *count = count.saturating_add(1);
            *count == 1
        });
        self.quiet += 1;
        let inputs = run.shadow().used.len();
        if is_new || inputs != self.inputs {
            (self.quiet, self.inputs) = (0, inputs);
        }
    }
}

impl Follower for Watch<'_> {
    fn passed(&mut self, run: &mut dyn Inspect<Symbolic<'_>>, at: Mark) -> bool {
        match at {
            Mark::Enter => self.entered(run),
            Mark::Way(block, way) => self.went(run, block.as_u32(), way),
            _ => {}
        }
        self.cut |= self.impatient && self.quiet > MOST_QUIET;
        !self.cut
    }

    fn has_cut(&self) -> bool {
        self.cut
    }
}
