//! The table.

use super::{Entry, Wrong, parse, table};

/// A number that came with the code that uses it.
const FUZZ: &str = "chosen by what the parts cost, not on subjects of a table, 2026-11-17";
const OLD: &str = "inherited, not measured again when the table was made";
/// A time that became steps.
const CONVERTED: &str =
    "inherited as milliseconds, a thousand steps for each; tests/c/gen and tests/c/prove, 2026-11-16";

/// What a solver counts, against the CPU time that it took.
const CALIBRATED: &str = "2,400 questions of tests/c/gen and tests/c/prove, 2026-11-16: calls of the terminator take 20 to 80 \
    microseconds, with long sums or wide quotients a millisecond and more; a resource of Z3 takes 0.5 to 2 microseconds";

table! {
    // Solvers.
    solver_terms: usize = 4_000, "terms", "the terms that a solver may see before it is made anew: it looks at all of \
        them in each query, whatever it is about", OLD;
    solver_growth: usize = 4, "times", "how many times the terms of its first query a solver may see: paths that are long \
        need many, and to tell it all of them again for each query would cost more than what it carries along", OLD;
    bitwuzla_call: u64 = 25, "solver steps", "what a call of Bitwuzla's terminator counts for", CALIBRATED;
    bitwuzla_gates: u64 = 20, "gates for a solver step", "how many gates of the words that it has seen add a step to that",
        CALIBRATED;
    z3_resources: u64 = 1_000, "resources for a thousand solver steps", "what Z3 may use up as a back end", CALIBRATED;
    spacer_resources: u64 = 1_000, "resources for a thousand solver steps", "what Z3 may use up as Spacer", CALIBRATED;
    arithmetic_resources: u64 = 250, "resources for a thousand solver steps", "what Z3 may use up on linear arithmetic",
        "seven questions of tests/c/prove/binary_search_bounds.c that used up all they had, 2026-11-17: a resource takes 3 to 7 \
        microseconds";
    relax_soon: u64 = 40_000, "solver steps", "what a query may cost before it is asked without what is hard", CONVERTED;
    arithmetic_soon: u64 = 40_000, "solver steps", "what a query may cost before linear arithmetic is asked", CONVERTED;
    arithmetic_most: u64 = 500_000, "solver steps", "what linear arithmetic may cost: where it helps, it does so at once",
        CONVERTED;
    arithmetic_constraints: usize = 1_000, "constraints", "larger queries are none for linear arithmetic", OLD;
    arithmetic_terms: usize = 4_000, "terms", "larger queries are none for linear arithmetic, and too large to be begun \
        twice", OLD;
    narrow_gain: u8 = 4, "bits", "what must be saved for a term to be made narrow", OLD;
    narrow_hard: usize = 64, "terms", "hard terms in a constraint beyond which it stays as it is: finding their ranges would \
        take longer than what is gained", OLD;
    propagate_visits: usize = 2_000_000, "terms", "what is looked at to simplify the constraints of a query; a loop of many \
        rounds has terms as deep as it is long", OLD;
    solver_models: usize = 16, "models", "models that are remembered", OLD;
    solver_cores: usize = 4_096, "cores", "unsatisfiable cores that are remembered", OLD;
    alpha_nodes: usize = 20_000, "terms", "larger queries are not compared with those that differ in names only", OLD;

    // Bounds and known bits of terms.
    facts_nodes: usize = 256, "terms", "what one evaluation looks at: terms of long loops have more, and what lies beyond \
        counts as unknown", OLD;
    facts_sources: usize = 64, "constraints", "constraints that a fact may stem from: long loops bound the same variable \
        thousands of times", OLD;
    facts_depth: u32 = 16, "terms", "how far a bound of a term is carried down into its arguments", OLD;

    // Words as integers.
    integers_cases: u32 = 3, "copies of a range", "up to which cases bring a value back into its range; beyond, a fresh \
        variable counts them", OLD;
    integers_excess: u32 = 40, "bits", "how much wider than its range an interval may be before it is brought back, to keep \
        numbers short", OLD;
    integers_look: usize = 64, "terms", "how much of a term is looked at for whether its variables are signed", OLD;
    parameters_least: u128 = 4, "value", "constants nearer to zero get no unknown number in their place", OLD;
    parameters_near: u128 = 4, "value", "constants that are no further apart share an unknown number: x < 100 and x < 101 \
        speak of the same bound", OLD;
    parameters_most: usize = 6, "unknown numbers", "with more of them there is little hope, and there are none", OLD;

    // Spacer.
    spacer_first: u64 = 2_000_000, "solver steps", "what a first try of a way to ask Spacer may cost", CONVERTED;
    spacer_bits: u64 = 1_000_000, "solver steps", "for one objective, as bit-vectors", CONVERTED;
    spacer_integers: u64 = 3_000_000, "solver steps", "for one objective, as integers; doubles with each step of the \
        effort", CONVERTED;
    spacer_in_all: u64 = 8_000_000, "solver steps", "for all objectives of a call together, as long as there are few; doubles \
        likewise", CONVERTED;
    spacer_least: u64 = 400_000, "solver steps", "what each objective gets at least", CONVERTED;
    spacer_objectives: usize = 20, "objectives", "objectives of one call", OLD;
    spacer_edges: usize = 20_000, "edges", "edges before a target, before anything is joined, beyond which nothing is tried", OLD;
    spacer_relations: usize = 150, "relations", "places where paths meet beyond which nothing is tried", OLD;
    spacer_variables: usize = 40, "variables", "variables at one place beyond which nothing is tried", OLD;
    spacer_facts: usize = 30, "facts", "facts that are added to the rules of one place", OLD;
    spacer_fact_size: usize = 40, "terms", "how large each of these may be", OLD;

    // Proofs by invariants.
    invariants_queries: u64 = 500, "questions", "questions of a call; each step of the effort means four times as many", OLD;
    invariants_queries_each: u64 = 40, "questions", "what each target of a call adds to them", OLD;
    invariants_haste: u64 = 2, "times less", "how much fewer they are at a first look: most proofs take no more", OLD;
    oracle_unanswered: u32 = 40, "questions", "questions without an answer after which no hard ones are asked", OLD;
    oracle_renamed: usize = 20_000, "terms", "larger questions are asked as they are, and not remembered by their form", OLD;
    oracle_several: u32 = 4, "times less", "how much less a question about several conclusions may cost than one about the \
        last of them", OLD;
    entail_depth: u32 = 6, "terms", "how deep into a condition premises that show it are looked for", OLD;
    reduce_reasons: usize = 24, "conditions", "of more reasons it is not tried to do without each", OLD;
    ranges_values: usize = 6, "values", "values of a variable that are told apart", OLD;
    ranges_depth: u32 = 8, "terms", "how deep into a term a set of values is looked for", OLD;
    ranges_patience: u32 = 3, "joins", "joins at the head of a loop before widening, so that small loops are followed \
        exactly", OLD;
    ranges_widenings: u32 = 24, "joins", "joins at the head of a loop after which what still changes is given up", OLD;
    ranges_narrowings: usize = 2, "passes", "passes after widening that take back what it gave up too much", OLD;
    ranges_thresholds: usize = 24, "values", "constants that a variable is compared with, as widening knows them", OLD;
    ranges_guard: usize = 200, "terms", "in larger guards such constants are not looked for", OLD;
    loops_locations: usize = 600, "locations", "in larger loops nobody looks for how variables move", OLD;
    loops_modified: usize = 80, "variables", "the same where a loop changes more variables", OLD;
    loops_moves: usize = 4, "moves", "amounts that a variable may move by in one iteration", OLD;
    loops_depth: u32 = 3, "terms", "choices inside choices that are gone into for these", OLD;
    loops_initial: usize = 3, "values", "values that a variable may start a loop with", OLD;
    loops_initial_size: usize = 12, "terms", "how large each of these may be", OLD;
    templates_all: usize = 900, "conditions", "conditions that are made up for the head of one loop", OLD;
    templates_variables: usize = 24, "variables", "variables that they are about", OLD;
    templates_comparisons: usize = 48, "comparisons", "comparisons of the loop that they are made of", OLD;
    templates_comparison: usize = 24, "terms", "how large such a comparison may be", OLD;
    templates_guard: usize = 100, "terms", "in larger guards comparisons are not looked for", OLD;
    templates_remainder: u128 = 1_000, "value", "the largest step whose remainders are tried, unless it is a power of two", OLD;
    templates_step: u128 = 1 << 20, "value", "the largest steps that two variables are compared by", OLD;
    templates_flagged: usize = 400, "conditions", "conditions that depend on the value of a flag", OLD;
    templates_values: usize = 4, "values", "values that a flag may have", OLD;
    transport_size: usize = 64, "terms", "larger conditions are not carried over an edge", OLD;
    transport_definition: usize = 20, "terms", "larger terms are not remembered as the value of a variable", OLD;
    transport_alternatives: usize = 4, "parts", "in conditions of more alternatives none is struck out", OLD;
    walk_carried: usize = 128, "conditions", "conditions of a location that are carried on; templates of the location come on \
        top", OLD;
    walk_pool: usize = 800, "conditions", "names for the conditions hoped for at the head of one loop", OLD;
    walk_pool_rounds: usize = 3, "rounds", "rounds in which these names are looked for", OLD;
    walk_combined: usize = 3, "conditions", "where two ways meet, as many of each side are combined with those of the \
        other", OLD;
    walk_combined_size: usize = 16, "terms", "how large each of these may be", OLD;
    induction_queries: u64 = 400, "questions", "questions after which no deeper induction is tried for the same target", OLD;
    induction_depth: u32 = 5, "rounds", "how often the loops are gone through backwards", OLD;
    induction_near: usize = 40, "locations", "locations around the target; loops that they are in come on top", OLD;
    induction_loop: usize = 160, "locations", "how large such a loop may be", OLD;
    induction_size: usize = 500, "terms", "larger conditions for coming to the target are given up", OLD;
    induction_ways: usize = 1_500, "terms", "the same for conditions in which choices are as they are", OLD;
    induction_candidates: usize = 80, "conditions", "conditions that are tried at one location", OLD;
    induction_wanted: usize = 40, "conditions", "conditions that targets suggest at the head of one loop", OLD;
    induction_parts: usize = 120, "conditions", "the same of parts of them", OLD;
    induction_alternatives: usize = 8, "parts", "of how many alternatives a condition is taken apart", OLD;

    // Equations from states that runs were seen in.
    samples_states: usize = 160, "states", "states of one location that are looked at", OLD;
    samples_variables: usize = 10, "variables", "variables of one equation", OLD;
    samples_largest: i128 = 1 << 24, "value", "larger numbers are hardly counted: they came from the solver, and sums of them \
        wrap around", OLD;
    samples_coefficient: i128 = 4_096, "value", "larger coefficients mean nothing", OLD;
    samples_seeds: usize = 30, "equations", "equations that are carried back to one location", OLD;
    samples_steps: u32 = 8, "steps", "steps that they are carried back", OLD;

    // Backward.
    backward_conditions: usize = 40, "conditions", "conditions of a cube", OLD;
    backward_walks: usize = 20, "walks", "walks for one objective", OLD;
    backward_cubes: usize = 400, "cubes", "cubes of one walk; each step of the effort means eight times as many", OLD;
    backward_questions: u64 = 1_500, "questions", "questions about one objective, likewise; most are answered without an SMT \
        solver", OLD;
    backward_resolved: u64 = 40, "questions", "those of them, likewise, that an SMT solver has to resolve", OLD;
    backward_objectives: u64 = 40, "times", "so many times that in one call", OLD;

    // What is seen of runs.
    trace_first: usize = 6, "visits", "visits of a location, alike in what is watched, that are remembered: the first", OLD;
    trace_last: usize = 2, "visits", "the same of the last", OLD;
    trace_recorded: u32 = 24, "visits", "visits of a location whose state a recording keeps", OLD;
    trace_sampled: u32 = 12, "visits", "visits of a location that are sampled", OLD;
    runs_most_inputs: usize = 50_000, "inputs", "inputs after which a run that is followed ends: it would hardly ever end by \
        itself", OLD;
    runs_most_offsets: usize = 256, "offsets", "offsets that one access may have before it is pinned", OLD;
    shrink_variables: usize = 64, "variables", "inputs that are made smaller after one answer of the solver", OLD;
    shrink_conditions: usize = 400, "conditions", "conditions beyond which trying that costs more than it brings", OLD;

    // The search.
    model_visits: usize = 12, "visits", "visits that a node of the model remembers", OLD;
    model_patience: u64 = 300_000, "solver steps", "for one question about the model, before the provers were asked", CONVERTED;
    model_most_facts: usize = 6, "facts", "facts that may help to show that one step cannot be taken", OLD;

    // Labels.
    labels_few_tries: u32 = 4, "tries", "a label that was tried so often has to wait for ways of the tree", OLD;

    labels_many_tries: u32 = 8, "tries", "a label that was tried so often in vain may well be impossible: provers are asked", OLD;
    labels_times_proved: u32 = 2, "times", "times that all open labels are looked at for those that are plainly \
        impossible", OLD;

    // Runs.
    runs_first_turns: u32 = 200, "turns of a loop", "turns of a loop after which runs are cut, at first", OLD;
    runs_idle_turns: u32 = 16, "turns of a loop", "turns of a loop without being given an input after which runs are cut, \
        once there are runs without an end", FUZZ;
    runs_work_per_event: u64 = 160, "work", "what a decision of a run costs: terms, and its place in the tree", OLD;
    runs_longer: u32 = 2, "times", "how much longer runs may be each time", OLD;
    runs_most_vain: u32 = 8, "times", "times in a row that doing the same for inputs of the same kind was of no use, \
        after which it is left", OLD;

    // The guide of local paths.
    guide_haste: u32 = 10, "times less", "how much less than others a question about guards may cost", OLD;
    guide_most_questions: usize = 1_000, "questions", "questions about guards", OLD;
    guide_few_paths: usize = 16, "paths", "paths about which the solver of the search is asked: another is not worth \
        starting for so few. With more the search would carry the terms of all guards along", OLD;
    guide_first_holes: u32 = 4, "ways", "ways through functions that are called which are tried before: often they \
        are all that is needed", OLD;
    guide_most_aimed: usize = 20, "points", "points that traces are generated for", OLD;
    guide_most_traces: usize = 4, "traces", "traces for each of these points", OLD;
    guide_most_moves: usize = 500, "moves", "what generating the traces of a point may take", OLD;
    guide_first_runs: u64 = 3, "runs", "runs before traces are generated: the nearest points are soon reached by \
        their distance alone", OLD;

    // `covenant traces`.
    traces_question: u64 = 2_000_000, "solver steps", "for one question about guards", CONVERTED;
    traces_most_questions: usize = 20_000, "questions", "questions after which guards exclude only what is plain", OLD;

    // Inputs of chance.
    fuzz_work_per_run: u64 = 500, "work", "what a blind run costs besides its instructions", FUZZ;
    fuzz_most_parents: usize = 2_000, "inputs", "inputs that others are made of", FUZZ;
    fuzz_most_shyness: u32 = 3, "halvings", "how often what is spent is halved that was in vain", FUZZ;
    fuzz_most_steps: u64 = 200_000, "instructions", "a longer blind run is ended: it may be endless", FUZZ;
    fuzz_endless_steps: u64 = 30_000, "instructions", "the same where runs without an end were seen", FUZZ;
    fuzz_program_shyness: u32 = 0, "halvings", "how often what is spent is halved that was in vain, where a whole \
        program reads its inputs: there is always another path, and few of them show something", FUZZ;

    // Turns of paths and the model.
    turns_work_in_vain: u64 = 400_000, "work", "the work that a turn may take in vain, at least", OLD;
    turns_patience: u64 = 6, "times", "how much longer paths may try at first where few branches are open: mostly \
        they come upon the last ones too, for less than the other side would need", OLD;
    turns_few_branches: usize = 24, "branches", "open branches that are few", OLD;
    turns_without_loops: u64 = 30, "times", "how much longer paths may try in programs that take no way twice: their \
        paths come to an end, and what none of them reaches is decided then", OLD;
    turns_bounded: u64 = 60, "times", "how much longer paths may try in programs whose loops have a bound that was \
        found", OLD;
    turns_before_provers: u64 = 1_000_000, "work", "what paths have to try in vain before provers are asked who \
        answer more slowly than the model does", OLD;
    turns_long: u64 = 4, "times", "how much longer a turn may take that is not in vain", OLD;
    turns_most_rounds: u32 = 6, "rounds", "turns of paths after each of which labels are looked for that are \
        impossible, each twice as long as the one before", OLD;
    turns_labels_first: u64 = 2, "times less", "how much less work a turn that looks for labels may take in vain", OLD;
    turns_most_work: u64 = 1 << 40, "work", "the most that the work of a turn grows to", OLD;
    turns_few_open: usize = 8, "objectives", "so few open objectives are worth the provers after a turn of the model \
        in vain", OLD;
    turns_early_rounds: u32 = 24, "rounds", "rounds of the model in vain after which that is so", OLD;
    turns_much_work: u64 = 1_500_000, "work", "work beside which the provers are cheap", OLD;
    turns_quiet_rounds: u32 = 75, "rounds", "rounds of the model without a verdict after which the provers are asked", OLD;
    turns_few_quiet_rounds: u32 = 2, "rounds", "rounds without a verdict after which what is cheap to prove is asked \
        for", OLD;
    turns_long_predicate: usize = 90, "parts", "a predicate of so many parts is one that grows with every turn of a \
        loop: the provers are asked at once", OLD;

    // Bounded queries.
    bounded_first_unwinding: u32 = 2, "turns of a loop", "how far the first query unwinds each loop", OLD;
    bounded_late_unwinding: u32 = 4, "turns of a loop", "how far the first of the larger queries unwinds each loop", OLD;
    bounded_early_unwinding: u32 = 32, "turns of a loop", "how far queries before all else unwind loops at most", OLD;
    bounded_most_unwinding: u32 = 256, "turns of a loop", "how far any query unwinds loops at most", OLD;
    bounded_small: usize = 1_200, "weight", "the weight of questions that are small", OLD;
    bounded_large: usize = 20_000, "weight", "the weight of questions that are worth a try", OLD;
    bounded_weight_per_flip: u64 = 160, "weight", "the weight of all questions of a query, for each flip in vain before \
        it", OLD;
    bounded_most_edges: usize = 6_000, "edges", "steps of the flow beyond which there are no queries: what matters at \
        each place would take too long to find out", OLD;
    bounded_most_open: usize = 200, "objectives", "open objectives beyond which there are no queries: paths cover many at \
        a time, and a query asks for each", OLD;
    bounded_first_unanswered: u32 = 1, "questions", "questions without an answer after which no more are asked, as long \
        as they are small", OLD;
    bounded_most_unanswered: u32 = 2, "questions", "questions without an answer after which no more are asked at all", OLD;
    bounded_haste: u32 = 20, "times less", "how much less a question may cost than one about a path", OLD;
    bounded_by_constant: usize = 20, "weight", "what a product or quotient by a constant weighs", OLD;
    bounded_by_any: usize = 70, "weight", "what another product or quotient weighs", OLD;
    bounded_float: usize = 200, "weight", "what an operation on floats weighs", OLD;
    bounded_work_per_step: u64 = 1_000, "work", "what a step of the flow costs in the measure of work", OLD;
    bounded_few_open: usize = 4, "objectives", "so few open objectives are worth another query after one that found \
        nothing, and the provers before paths", OLD;
    bounded_first_wait: u64 = 64, "flips", "flips in vain after which the larger questions are asked for the first time", OLD;

    // How bounded queries are encoded.
    bounded_most_steps: usize = 12_000, "steps", "steps of the flow that one encoding goes through", OLD;
    bounded_most_terms: usize = 200_000, "terms", "terms that one encoding may make", OLD;
    bounded_most_cases: usize = 16, "constants", "constants that a value is one of, at most, to be kept as a list of these", OLD;
    bounded_most_combinations: usize = 96, "combinations", "combinations of constants that are gone through to find what \
        an operation gives", OLD;
    bounded_most_values: i128 = 8, "values", "an input that is one of so many is a choice between them", OLD;
    bounded_most_known: usize = 96, "values", "values whose limits are kept in mind", OLD;
    bounded_longest_chain: u32 = 500, "writes", "writes that are looked through for one read", OLD;
    bounded_most_nested: u32 = 48, "choices", "choices inside choices that are gone into to find where an index is", OLD;
    bounded_most_places: usize = 128, "places", "places that an index may be", OLD;
    bounded_usual_size: u64 = 64, "bytes", "the size of a new object of which it is not known how large it is", OLD;

    // Strategies.
    novelty_last: usize = 64, "decisions", "decisions that novelty looks at for ways that had to wait, since their paths are \
        long", OLD;
    mixed_memory: u32 = 48, "flips", "flips after which the past of the strategies in mixed counts half", OLD;
    shortest_patience: u32 = 30, "flips", "flips that cover nothing new after which the next of shortest is a random one", OLD;
    guided_few_tries: u32 = 16, "tries", "a local path that was tried so often in vain most likely has no run, and \
        all its ways must be tried: then those that the solver likes come first", OLD;

    // What counts as work, in instructions.
    search_alpha_paths: usize = 5_000, "queries", "queries about paths that are remembered for those that differ in names \
        only", OLD;
    search_alpha_judged: usize = 20_000, "queries", "the same for questions of provers", OLD;
    search_judge_terms: usize = 1_500, "terms", "terms after which the provers' solver is made anew", OLD;
    search_work_per_question: u64 = 1_000, "work", "what a question is worth", OLD;
    search_work_to_resolve: u64 = 4_000, "work", "what more if an SMT solver has to resolve one about paths, which \
        build on each other", OLD;
    search_work_to_judge: u64 = 20_000, "work", "the same for a question of provers, which do not build on each \
        other", OLD;

    // Paths.
    paths_first_depth: u32 = 200, "decisions", "decisions of a path beyond which its ways wait, where the model is \
        there for long loops", OLD;
    paths_deeper: u32 = 2, "times", "how many times deeper they go each time", OLD;
    paths_haste: u32 = 10, "times less", "how much less a question may cost at first, where the model may do without \
        its answer", OLD;
    paths_work_per_hard: u64 = 150_000, "work", "what a question without an answer, or with a late one, costs in the \
        measure of work", OLD;
    paths_many_late: u32 = 8, "answers", "so many late answers are no accident", OLD;
    paths_work_per_constraint: u64 = 100, "work", "what a constraint of a path adds to the cost of a question", OLD;
    paths_most_failed: u32 = 2, "ways", "ways to a branch that cannot be taken, after which others to it are left \
        for later", OLD;

    // Asking the provers.
    provers_most_effort: u32 = 4, "times", "each time provers may spend more, up to so many times", OLD;
    provers_most_objectives: usize = 40, "objectives", "objectives that they are asked about at first", OLD;
    provers_sampled_runs: usize = 10, "runs", "runs that are sampled, and as many with other inputs", OLD;
    provers_most_states: usize = 60, "states", "states of one place that are kept", OLD;
    provers_most_values: usize = 50_000, "values", "values of all these states together", OLD;
    provers_sampled_turns: u32 = 40, "turns of a loop", "turns of a loop after which a run that is sampled ends", OLD;
    weaken_most_visits: usize = 24, "visits", "visits that are looked at", OLD;

    // Frontier queries.
    frontier_most_tries: usize = 6, "tries", "visits of the node before a frontier that are tried", OLD;
    frontier_most_constraints: usize = 8_000, "constraints", "constraints of a path beyond which a question costs more \
        than another run, or a proof, would", OLD;
    frontier_small: u128 = 24, "value", "what counts as small for something that had to be concrete", OLD;
    frontier_most_fixed: u32 = 2, "visits", "visits at which no input has a say in it, after which others are not tried", OLD;
    frontier_most_records: usize = 24, "runs", "runs whose paths are kept", OLD;
}
