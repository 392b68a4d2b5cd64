//! Whether a value still is that of the variable that it is named after.
//!
//! A value keeps the name of the variable that it was first given to, also where that variable has another value by now. Who
//! tells people about a value by this name must know.

use cranelift_entity::EntitySet;

use crate::ir::{Block, Body, Def, Value, VarId};

/// Whether, whenever a run comes to the start of the block, the variable that the value is named after has this value. When in
/// doubt, no.
pub fn is_current(body: &Body, value: Value, at: Block) -> bool {
    let Some(data) = body.values.get(value) else { return false };
    let Some(var) = data.var.expand() else { return false };
    let home = match data.def {
        Def::Param { block, .. } => block,
        Def::Result { inst, .. } => match body.blocks.iter().find(|(_, block)| block.insts.contains(&inst)) {
            Some((block, _)) => block,
            None => return false,
        },
        Def::Const(_) => return false,
    };
    let is_parameter = matches!(data.def, Def::Param { .. });
    if home == at {
        // At its start a block has its parameters, and nothing of what it computes.
        return is_parameter;
    }
    let changes = changes(body, var, value);
    // On a way from where the value is made to the block, without being made anew, no other may be given to the variable.
    let (after, before) = (reach(body, home, |b| successors(body, b)), reach_back(body, at, home));
    // What does not come from there in all runs is another value, or an old one, and so is what the block has a parameter for.
    let is_other = |&v: &Value| v != value && body.values[v].var.expand() == Some(var);
    if before.contains(Block::ENTRY) || at == Block::ENTRY || body.blocks[at].params.iter().any(is_other) {
        return false;
    }
    !changes.iter().any(|&block| block == home || (after.contains(block) && before.contains(block)))
}

/// The same for any place inside of the block.
pub fn is_current_in(body: &Body, value: Value, at: Block) -> bool {
    let Some(var) = body.values.get(value).and_then(|data| data.var.expand()) else { return false };
    is_current(body, value, at) && !changes(body, var, value).contains(&at)
}

/// Blocks in which the variable gets another value.
fn changes(body: &Body, var: VarId, value: Value) -> Vec<Block> {
    let mut changes = body.variables.get(var).map(|v| v.elsewhere.clone()).unwrap_or_default();
    let is_other = |&v: &Value| v != value && body.values[v].var.expand() == Some(var);
    for (id, block) in &body.blocks {
        let results = block.insts.iter().flat_map(|&inst| &body.insts[inst].results);
        if block.params.iter().chain(results).any(is_other) {
            changes.push(id);
        }
    }
    changes
}

fn successors(body: &Body, block: Block) -> Vec<Block> {
    body.blocks[block].term.edges().iter().map(|edge| edge.block).collect()
}

/// Blocks that come after `home`, as far as that can be without coming to it again.
fn reach(body: &Body, home: Block, next: impl Fn(Block) -> Vec<Block>) -> EntitySet<Block> {
    let mut seen = EntitySet::with_capacity(body.blocks.len());
    let mut work = next(home);
    while let Some(block) = work.pop() {
        if block != home && seen.insert(block) {
            work.extend(next(block));
        }
    }
    seen
}

/// Blocks from which runs come to the start of `at` without passing `home`.
fn reach_back(body: &Body, at: Block, home: Block) -> EntitySet<Block> {
    let mut seen = EntitySet::with_capacity(body.blocks.len());
    let mut work = vec![at];
    while let Some(block) = work.pop() {
        for (before, _) in body.blocks.iter().filter(|(b, _)| successors(body, *b).contains(&block)) {
            if before != home && seen.insert(before) {
                work.push(before);
            }
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text::parse;

    /// `x` is given to a loop as `v1`, and becomes `v3` in its body; before that something else has its name.
    const LOOP: &str = r#"fn0 = function "f"(i32) -> i32 {
        var0 = "x" line 1
        bb0(v0!x: i32):
            jump bb1(v0)
        bb1(v1!x: i32):
            v2: i1 = icmp slt v1, i32 10
            branch v2, bb2, bb3
        bb2:
            v3!x: i32 = add v1, i32 1
            jump bb1(v3)
        bb3:
            return v1
    }"#;

    #[test]
    fn what_was_given_before_is_old() {
        let program = parse(LOOP).unwrap();
        let body = program.functions.values().find_map(|f| f.body.as_ref()).unwrap();
        let (first, turn, next) = (Value::from_u32(0), Value::from_u32(1), Value::from_u32(3));
        let block = Block::from_u32;
        assert!(
            is_current(body, turn, block(1)) && is_current(body, turn, block(2)) && is_current(body, turn, block(3))
        );
        assert!(!is_current(body, first, block(2)), "the loop has a value of its own");
        assert!(!is_current(body, next, block(1)), "it is the parameter that has it there");
        let mut body = body.clone();
        let var = body.values[turn].var.unwrap();
        body.variables[var].elsewhere.push(block(2));
        assert!(is_current(&body, turn, block(2)) && is_current(&body, turn, block(1)));
        body.variables[var].elsewhere.push(block(1));
        assert!(!is_current(&body, turn, block(3)), "the block that has it gives it another value");
    }
}
