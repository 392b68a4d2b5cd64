//! The model of a prover at one moment, in plain words: what is drawn for people.

/// What happened, and the model after it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ModelStep {
    /// What happened.
    pub caption: String,
    /// The model after it.
    pub nodes: Vec<PictureNode>,
    /// Between nodes of the picture; steps that are known to be impossible are not among them.
    pub edges: Vec<PictureEdge>,
    /// Nodes of the model that the picture leaves out, because there are too many.
    pub left_out: usize,
}

/// Some states of a location.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PictureNode {
    /// The same in all steps.
    pub id: u32,
    /// The least number of steps from the start of the program, whether they can be taken or not.
    pub distance: u32,
    /// Function, line and column.
    pub place: String,
    /// What it means to be there, such as `x < 3 is true`.
    pub meaning: String,
    /// All that is to be said of the place.
    pub detail: String,
    /// Conjuncts that hold in it.
    pub predicate: Vec<String>,
    /// Whether a run was in one of the states.
    pub covered: bool,
    /// No run comes here.
    pub dead: bool,
    /// An open objective is here.
    pub target: bool,
    /// It is new or another than in the picture before.
    pub changed: bool,
}

/// Steps from states of one node to those of another.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PictureEdge {
    /// By its id.
    pub from: u32,
    /// By its id.
    pub to: u32,
    /// When the step is taken; nothing if always.
    pub guard: String,
    /// All that the step does.
    pub detail: String,
    /// Where the search tries next.
    pub frontier: bool,
}
