//! From criteria to objectives: one file a criterion, and here what they share.
//!
//! Whatever is not an edge of the program becomes a *label*: a place in the code and a condition on the values there. A
//! criterion makes instructions that compute the condition from values that are there, and a label behind them. So
//! whoever executes or models the program needs to know nothing of criteria.

mod conditions;
mod decisions;
mod expression;
pub mod objective;
mod operators;
mod speculative;

use std::collections::HashMap;

use covenant_program::coverage::{FunctionCoverage, RegionKind, Span};
use covenant_program::ir::insert::{Inserter, Point};
use covenant_program::ir::{Block, Body, FuncId, Inst, Loc, Op, Program, Type, Value};
use covenant_program::syntax::{Definition, Trees};

use strum::IntoEnumIterator;

use self::branch::{Source, text_of};
use self::objective::{Objective, Outcome, Place};

/// What a criterion's file says of it.
pub(crate) struct Profile {
    /// What it asks for, as `--help` says it. Without it the criterion cannot be asked for: it is part of another one.
    about: &'static str,
    /// What its objectives are called, one or several.
    nouns: (&'static str, &'static str),
    /// Whether reaching an objective means that something is wrong with the program.
    is_defect: bool,
    needs: Needs,
    /// How people are told of an objective: whether its text is a condition, which is true or false.
    is_condition: bool,
    make: fn(&mut Maker<'_>),
}

impl Profile {
    const fn new(make: fn(&mut Maker<'_>)) -> Profile {
        Profile {
            about: "",
            nouns: ("objective", "objectives"),
            is_defect: false,
            needs: Needs::Nothing,
            is_condition: false,
            make,
        }
    }
}

/// What has to be known of the program, besides its code, to make objectives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Needs {
    Nothing,
    /// The decisions of MC/DC, which come from a compilation of their own.
    Decisions,
    /// The program before the promotion of locals.
    Lines,
}

// In the order of their names: so files list them.
crate::registry! {
    /// What is to be covered.
    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Criterion in "criteria" {
        assertion: Assertion,
        pub boundary: Boundary,
        pub branch: Branch,
        condition: Condition,
        decision: Decision,
        function: Function,
        pub local_path: LocalPath,
        pub mcdc: Mcdc,
        mcdc_vector: McdcVector,
        mutation: Mutation,
        point: Point,
        runtime_error: RuntimeError,
        statement: Statement,
    }
}

/// What is covered where nobody says what.
impl Default for Criterion {
    fn default() -> Criterion {
        Criterion::Branch
    }
}

impl Criterion {
    /// Those that can be asked for.
    pub fn all() -> impl Iterator<Item = Criterion> {
        Criterion::iter().filter(|criterion| !criterion.about().is_empty())
    }

    /// What it asks for, in a sentence without a full stop; empty for what is only a part of another criterion.
    pub fn about(self) -> &'static str {
        self.profile().about
    }

    /// What its objectives are called, one or several.
    pub fn noun(self, count: usize) -> &'static str {
        let (one, several) = self.profile().nouns;
        if count == 1 { one } else { several }
    }

    /// Whether reaching an objective means that something is wrong with the program.
    pub fn is_defect(self) -> bool {
        self.profile().is_defect
    }

    /// Whether the text of its objectives is a condition, which is true or false.
    pub fn is_condition(self) -> bool {
        self.profile().is_condition
    }
}

/// What is asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// What is searched for, in the order of the report.
    pub criteria: Vec<Criterion>,
    /// Criteria that are not searched for, only counted.
    pub measured: Vec<Criterion>,
    /// Which pairs of test vectors show a condition.
    pub mcdc: mcdc::Rule,
    /// Lines to be reached, each with the file's name or how it ends.
    pub points: Vec<(String, u32)>,
    /// The function whose local paths are meant, and how often its loops go round.
    pub function: String,
    /// Times that loops of local paths go back to their heads; `None`: the usual.
    pub loop_bound: Option<u32>,
    /// Functions whose calls are assertions that fail; none: those that the world knows.
    pub failing: Vec<String>,
}

impl Wanted {
    /// All criteria, those that are searched for first.
    pub fn all(&self) -> impl Iterator<Item = Criterion> + '_ {
        let more = self.measured.iter().filter(|c| !self.criteria.contains(c));
        self.criteria.iter().chain(more).copied()
    }

    /// Whether the decisions of MC/DC must be known.
    pub fn needs_decisions(&self) -> bool {
        self.all().any(|c| c.profile().needs == Needs::Decisions)
    }

    /// Whether the program before the promotion of locals must be known.
    pub fn needs_lines(&self) -> bool {
        self.all().any(|c| c.profile().needs == Needs::Lines)
    }
}

/// What clang's coverage mapping says of functions, by their symbol.
pub type Mappings = [(Option<String>, FunctionCoverage)];

/// What is known of the program besides its code.
#[derive(Clone, Copy)]
#[allow(missing_debug_implementations)]
pub struct Known<'a> {
    /// clang's coverage mapping.
    pub mappings: &'a Mappings,
    /// The mapping with the decisions of MC/DC, where these are needed.
    pub decisions: &'a Mappings,
    /// The program before locals were promoted, where lines are needed.
    pub unpromoted: Option<&'a Program>,
    /// The text of source files.
    pub source: Source<'a>,
    /// The source as the parser sees it; read only if a criterion asks.
    pub trees: &'a Trees,
}

/// The objectives of these functions: criterion after criterion, each in the order of the source. Labels are put into the
/// program. Beside them: limits of a criterion, in words.
pub fn objectives(
    program: &mut Program,
    functions: &[FuncId],
    known: &Known<'_>,
    wanted: &Wanted,
) -> (Vec<Objective>, Vec<String>) {
    let Known { mappings, decisions, unpromoted, source, trees } = *known;
    let nothing = Program::default();
    let mut maker = Maker {
        wanted,
        unpromoted: unpromoted.unwrap_or(&nothing),
        program,
        functions,
        mappings,
        decisions,
        source,
        trees,
        objectives: Vec::new(),
        labels: 0,
        notes: Vec::new(),
        originals: HashMap::new(),
    };
    for &function in functions {
        let count = maker.program.functions[function].body.as_ref().map_or(0, |body| body.insts.len());
        maker.originals.insert(function, count);
    }
    // Labels change no block and no edge, but the edges that counters belong to are easier to find without them.
    for criterion in wanted.all() {
        let before = maker.objectives.len();
        (criterion.profile().make)(&mut maker);
        let measured = !wanted.criteria.contains(&criterion);
        maker.objectives[before..].iter_mut().for_each(|o| o.measured = measured);
    }
    maker.label_counted();
    let (mut objectives, notes) = (maker.objectives, maker.notes);
    name(&mut objectives);
    (objectives, notes)
}

/// What a criterion works with.
pub(crate) struct Maker<'a> {
    /// All that is asked for.
    pub(crate) wanted: &'a Wanted,
    /// The program before locals were promoted; empty unless a criterion needs it.
    pub(crate) unpromoted: &'a Program,
    pub(crate) program: &'a mut Program,
    pub(crate) functions: &'a [FuncId],
    pub(crate) mappings: &'a Mappings,
    decisions: &'a Mappings,
    pub(crate) source: Source<'a>,
    trees: &'a Trees,
    pub(crate) objectives: Vec<Objective>,
    labels: u32,
    /// Limits of a criterion, in words.
    pub(crate) notes: Vec<String>,
    /// How many instructions each function has of its own; those behind were made here.
    originals: HashMap<FuncId, usize>,
}

/// The function whose body is being looked at, and changed.
pub(crate) struct Site<'a> {
    pub(crate) program: &'a Program,
    pub(crate) function: FuncId,
    pub(crate) mapping: Option<&'a FunctionCoverage>,
    pub(crate) source: Source<'a>,
    trees: &'a Trees,
    originals: usize,
}

impl<'a> Maker<'a> {
    /// Has each function's body changed by `work`, which gets to see the program without it.
    pub(crate) fn each(&mut self, work: impl FnMut(&Site<'_>, &mut Inserter<'_>, &mut Labels<'_>)) {
        self.each_mapped(self.mappings, work);
    }

    /// The same, with the mapping that has decisions.
    pub(crate) fn each_with_decisions(&mut self, work: impl FnMut(&Site<'_>, &mut Inserter<'_>, &mut Labels<'_>)) {
        self.each_mapped(self.decisions, work);
    }

    fn each_mapped(
        &mut self,
        mappings: &Mappings,
        mut work: impl FnMut(&Site<'_>, &mut Inserter<'_>, &mut Labels<'_>),
    ) {
        let by_symbol: HashMap<&str, &FunctionCoverage> =
            mappings.iter().filter_map(|(symbol, mapping)| Some((symbol.as_deref()?, mapping))).collect();
        for &function in self.functions {
            let Some(mut body) = self.program.functions[function].body.take() else { continue };
            let mapping = by_symbol.get(self.program.functions[function].name.as_str()).copied();
            let originals = self.originals.get(&function).copied().unwrap_or(0);
            let (program, source, trees) = (&*self.program, self.source, self.trees);
            let site = Site { program, function, mapping, source, trees, originals };
            let mut labels = Labels { next: &mut self.labels, objectives: &mut self.objectives };
            let mut inserter = Inserter::new(&mut body);
            work(&site, &mut inserter, &mut labels);
            inserter.finish();
            self.program.functions[function].body = Some(body);
        }
    }
}

impl Maker<'_> {
    /// What has a counter of its own and no edge gets a label where that counts. To come to the function, or to an edge that is taken
    /// as often in runs that come back, is not enough: a run may end before.
    fn label_counted(&mut self) {
        let mut counted: HashMap<FuncId, Vec<(usize, Vec<u32>)>> = HashMap::new();
        for (number, objective) in self.objectives.iter().enumerate() {
            if let Some((function, counters)) = &objective.counted {
                counted.entry(*function).or_default().push((number, counters.clone()));
            }
        }
        self.each(|site, inserter, labels| {
            for (number, counters) in counted.get(&site.function).into_iter().flatten() {
                let mut places = Vec::new();
                for (point, loc) in behind_counters(inserter.body(), counters) {
                    let always = inserter.constant(Type::BOOL, 1);
                    inserter.at(loc);
                    places.push(labels.place(site, inserter, always));
                    inserter.finish_group(point);
                }
                let objective = &mut labels.objectives[*number];
                (objective.places, objective.unmapped) = (places, None);
            }
        });
    }
}

/// The points behind all increments of these counters.
fn behind_counters(body: &Body, counters: &[u32]) -> Vec<(Point, Loc)> {
    let mut points = Vec::new();
    for (block, data) in &body.blocks {
        let is_it = |inst: &Inst| matches!(body.insts[*inst].op, Op::Counter { index } if counters.contains(&index));
        let own = data.insts.iter().enumerate().filter(|(_, inst)| is_it(inst));
        points.extend(own.map(|(at, inst)| ((block, data.insts.get(at + 1).copied()), body.insts[*inst].loc)));
    }
    points
}

/// Where labels and their objectives are made.
pub(crate) struct Labels<'a> {
    next: &'a mut u32,
    pub(crate) objectives: &'a mut Vec<Objective>,
}

impl Labels<'_> {
    /// A label for an objective. It goes where the group of the inserter goes.
    pub(crate) fn add(&mut self, site: &Site<'_>, inserter: &mut Inserter<'_>, cond: Value, mut objective: Objective) {
        objective.places.push(self.place(site, inserter, cond));
        self.objectives.push(objective);
    }

    /// A label without an objective.
    pub(crate) fn place(&mut self, site: &Site<'_>, inserter: &mut Inserter<'_>, cond: Value) -> Place {
        let index = *self.next;
        *self.next += 1;
        let inst = inserter.label(index, cond);
        Place::Label(site.function, inst, index)
    }
}

impl Site<'_> {
    /// The instructions of a block that are the program's own: what criteria put in is none of their business.
    pub(crate) fn insts(&self, body: &Body, block: Block) -> Vec<Inst> {
        let own = |inst: &Inst| (inst.as_u32() as usize) < self.originals;
        body.blocks[block].insts.iter().copied().filter(own).collect()
    }

    /// The function as the parser sees it.
    pub(crate) fn definition(&self) -> Option<Definition<'_>> {
        let function = &self.program.functions[self.function];
        let file = &self.program.files[function.loc.file()?];
        self.trees.definition(function.source_name(), &std::path::Path::new(&file.directory).join(&file.name))
    }

    /// An objective at a place of the source, without a label.
    pub(crate) fn objective(&self, criterion: Criterion, loc: Loc, text: String, outcome: Outcome) -> Objective {
        Objective {
            criterion,
            function: self.program.functions[self.function].source_name().to_owned(),
            file: self.file(loc),
            line: loc.line,
            column: loc.column,
            text,
            outcome,
            ..Objective::default()
        }
    }

    /// An objective of a region of the coverage mapping.
    pub(crate) fn of_region(&self, criterion: Criterion, region: usize, outcome: Outcome) -> Objective {
        let nowhere = Span { file: 0, start: (0, 0), end: (0, 0) };
        self.of_span(criterion, self.mapping.map_or(nowhere, |m| m.regions[region].span), outcome)
    }

    pub(crate) fn of_span(&self, criterion: Criterion, written: Span, outcome: Outcome) -> Objective {
        let mut objective = Objective {
            criterion,
            function: self.program.functions[self.function].source_name().to_owned(),
            text: self.span_text(written),
            outcome,
            ..Objective::default()
        };
        if let Some(mapping) = self.mapping {
            // What is inside a macro is where the function uses the macro.
            let shown = mapping.expansions(written.file).last().copied().unwrap_or(written);
            objective.file.clone_from(&mapping.files[shown.file as usize]);
            (objective.line, objective.column) = shown.start;
        }
        objective
    }

    /// The source of a region.
    pub(crate) fn region_text(&self, region: usize) -> String {
        self.mapping.map_or_else(String::new, |m| self.span_text(m.regions[region].span))
    }

    pub(crate) fn span_text(&self, span: Span) -> String {
        let Some(mapping) = self.mapping else { return String::new() };
        text_of(&mapping.files[span.file as usize], span, self.source)
    }

    /// The file of a place, named as the coverage mapping names it where it can be.
    pub(crate) fn file(&self, loc: Loc) -> String {
        let Some(file) = loc.file() else { return String::new() };
        let file = &self.program.files[file];
        let joined = std::path::Path::new(&file.directory).join(&file.name).to_string_lossy().into_owned();
        let names = self.mapping.map_or(&[][..], |m| &m.files);
        names.iter().find(|name| **name == file.name || **name == joined).cloned().unwrap_or(joined)
    }

    /// The rest of the line from a place on.
    pub(crate) fn text_at(&self, loc: Loc) -> String {
        let lines = (self.source)(&self.file(loc));
        let line = lines.and_then(|lines| lines.get((loc.line as usize).checked_sub(1)?).cloned()).unwrap_or_default();
        line.get((loc.column as usize).saturating_sub(1)..).unwrap_or_default().to_owned()
    }

    /// The smallest condition of the coverage mapping that holds the place, or else the line.
    pub(crate) fn condition_at(&self, loc: Loc) -> String {
        let at = (loc.line, loc.column);
        let holds = |span: &Span| span.start <= at && at < span.end;
        let size = |span: &Span| (span.end.0 - span.start.0, span.end.1.wrapping_sub(span.start.1));
        let file = self.file(loc);
        let regions = self.mapping.into_iter().flat_map(|m| {
            let is_branch = |kind: &RegionKind| matches!(kind, RegionKind::Branch { .. });
            let same = |span: &Span| m.files[span.file as usize] == file;
            m.regions.iter().filter(move |r| is_branch(&r.kind)).map(|r| r.span).filter(move |s| same(s))
        });
        if let Some(span) = regions.filter(holds).min_by_key(size) {
            return text_of(&file, span, self.source);
        }
        self.text_at(Loc::new_column(loc, 1)).trim().to_owned()
    }

    /// Whether a macro is used at the place: there all that is in it has that one place.
    pub(crate) fn is_macro(&self, loc: Loc) -> bool {
        let Some(mapping) = self.mapping else { return false };
        let uses = |span: &Span, kind: RegionKind| {
            matches!(kind, RegionKind::Expansion { .. }) && span.start == (loc.line, loc.column)
        };
        mapping.regions.iter().any(|r| uses(&r.span, r.kind))
    }
}

/// How the source would write a value: a variable or a constant; nothing where it is neither.
pub(crate) fn spell(body: &Body, value: Value, signed: bool) -> Option<String> {
    use covenant_program::ir::{CastOp, Const, Def, Op, Type};
    let data = &body.values[value];
    match data.def {
        Def::Const(Const::Bits(0)) if data.ty.is_ptr() => Some("NULL".to_owned()),
        Def::Const(Const::Bits(bits)) => match data.ty {
            Type::F32 => Some(f32::from_bits(bits as u32).to_string()),
            Type::F64 => Some(f64::from_bits(bits as u64).to_string()),
            Type::F80 => None,
            ty if signed => {
                let shift = 128 - ty.bits();
                Some((((bits << shift) as i128) >> shift).to_string())
            }
            _ => Some(bits.to_string()),
        },
        Def::Const(_) => None,
        _ if body.name(value).is_some() => body.name(value).map(str::to_owned),
        Def::Result { inst, .. } => match body.insts[inst].op {
            Op::Cast { op: CastOp::SExt | CastOp::ZExt | CastOp::Trunc, arg } => spell(body, arg, signed),
            _ => None,
        },
        Def::Param { .. } => None,
    }
}

/// Gives each objective a name of its own.
pub fn name(objectives: &mut [Objective]) {
    let mut used: HashMap<String, u32> = HashMap::new();
    for objective in objectives {
        let outcome = objective.outcome.to_string();
        let outcome = match objective.criterion {
            Criterion::Branch => outcome.replace(' ', "-"),
            criterion => format!("{criterion}:{}", outcome.replace(' ', "")),
        };
        let base = format!("{}:{}:{}:{outcome}", objective.function, objective.line, objective.column);
        let times = used.entry(base.clone()).or_insert(0);
        *times += 1;
        objective.id = if *times == 1 { base } else { format!("{base}:{times}") };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn criteria_are_in_the_order_of_their_names() {
        let all: Vec<Criterion> = Criterion::iter().collect();
        assert!(all.is_sorted() && all.iter().map(|criterion| criterion.name()).is_sorted());
        assert!(Criterion::all().all(|criterion| criterion != Criterion::McdcVector));
    }
}
