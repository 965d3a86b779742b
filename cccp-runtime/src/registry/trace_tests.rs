//! Every case of what is on the way (S9, S10), on the trace alone.

use std::rc::Rc;

use super::*;

/// A function with these loops (parent, counter, prunable) and blocks (kind, loop, region).
fn function(
    loops: &[(usize, Option<usize>, bool)],
    blocks: &[(BlockKind, usize, u32)],
) -> Rc<Function> {
    let block = |&(kind, in_loop, region): &(BlockKind, usize, u32)| Block {
        kind,
        line: 1,
        in_loop,
        region,
        name: None,
        fields: Vec::new(),
        record_size: 0,
        passed: 0,
        each: false,
        ranks: None,
        threads: None,
    };
    let loops = loops.iter().map(|&(parent, counter, prunable)| Loop {
        parent,
        counter,
        prunable,
    });
    Rc::new(Function {
        name: "f".to_string(),
        blocks: blocks.iter().map(block).collect(),
        loops: loops.collect(),
        counters: 4,
        ..Function::default()
    })
}

fn run(trace: &mut Trace, node: NodeId, block: u32, counters: &[u64]) -> u64 {
    trace.push(node, block, counters.to_vec(), Left::Executed(Vec::new()))
}

use BlockKind::{Call, Checkpoint, Execute, Region, Register};

#[test]
fn s09_a_branch_not_taken_is_not_on_the_way() {
    let mut trace = Trace::default();
    let node = trace.root(
        function(&[], &[(Execute, 0, 0), (Execute, 0, 0), (Checkpoint, 0, 0)]),
        1,
        Vec::new(),
    );
    let taken = run(&mut trace, node, 2, &[]);
    assert_eq!(trace.on_the_way(node, Some((3, &[]))), [taken]);
}

#[test]
fn s09_a_block_in_a_finished_loop_runs_once_per_iteration() {
    let mut trace = Trace::default();
    let shape = function(&[(0, None, false)], &[(Execute, 1, 0), (Checkpoint, 0, 0)]);
    let node = trace.root(shape, 1, Vec::new());
    let all: Vec<u64> = (0..5).map(|_| run(&mut trace, node, 1, &[])).collect();
    assert_eq!(trace.on_the_way(node, Some((2, &[]))), all);
}

#[test]
fn s09_a_block_in_the_loop_around_the_checkpoint_runs_for_the_latest_iteration() {
    let mut trace = Trace::default();
    let shape = function(
        &[(0, None, false)],
        &[(Execute, 1, 0), (Checkpoint, 1, 0), (Checkpoint, 0, 0)],
    );
    let node = trace.root(shape, 1, Vec::new());
    let all: Vec<u64> = (0..5).map(|_| run(&mut trace, node, 1, &[])).collect();
    assert_eq!(trace.on_the_way(node, Some((2, &[]))), all[4..]);
    // The same loop has ended: every iteration is on the way again.
    assert_eq!(trace.on_the_way(node, Some((3, &[]))), all);
}

/// The same with `each` at some blocks.
fn each(function: &Function, blocks: &[usize]) -> Rc<Function> {
    let mut function = function.clone();
    for number in blocks {
        function.blocks[number - 1].each = true;
    }
    Rc::new(function)
}

#[test]
fn s09_a_block_with_each_runs_for_all_iterations_of_the_loop_around_the_checkpoint() {
    let mut trace = Trace::default();
    let shape = function(
        &[(0, None, true)],
        &[(Execute, 1, 0), (Execute, 1, 0), (Checkpoint, 1, 0)],
    );
    let node = trace.root(each(&shape, &[2]), 1, Vec::new());
    let mut needed = Vec::new();
    let mut latest = 0;
    for _ in 0..4 {
        latest = run(&mut trace, node, 1, &[]);
        needed.push(run(&mut trace, node, 2, &[]));
    }
    needed.insert(3, latest);
    assert_eq!(trace.on_the_way(node, Some((3, &[]))), needed);
}

#[test]
fn s09_a_call_in_which_a_block_with_each_ran_is_on_the_way_though_later_calls_ran_none() {
    for prunable in [false, true] {
        let mut trace = Trace::default();
        let shape = function(&[(0, None, prunable)], &[(Call, 1, 0), (Checkpoint, 1, 0)]);
        let callee = function(&[], &[(Execute, 0, 0), (Execute, 0, 0)]);
        let callee = each(&callee, &[1]);
        let node = trace.root(shape, 1, Vec::new());
        for pass in 0..5 {
            let inner = trace.call(node, 1, Vec::new(), Rc::clone(&callee), 2, Vec::new());
            if pass % 2 == 1 {
                run(&mut trace, inner, 1, &[]);
            }
            run(&mut trace, inner, 2, &[]);
            trace.returned(inner);
        }
        let kept = trace.on_the_way(node, Some((2, &[])));
        // The second and the fourth call, and the latest one.
        assert_eq!(kept.len(), 3, "{kept:?}");
    }
}

#[test]
fn s10_a_block_behind_the_checkpoint_runs_for_the_previous_iteration() {
    let mut trace = Trace::default();
    let shape = function(
        &[(0, None, false)],
        &[(Execute, 1, 0), (Checkpoint, 1, 0), (Execute, 1, 0)],
    );
    let node = trace.root(shape, 1, Vec::new());
    run(&mut trace, node, 1, &[]);
    let behind = run(&mut trace, node, 3, &[]);
    let before = run(&mut trace, node, 1, &[]);
    assert_eq!(trace.on_the_way(node, Some((2, &[]))), [behind, before]);
}

#[test]
fn s09_an_inner_loop_that_has_finished_is_kept_for_the_latest_outer_iteration() {
    let mut trace = Trace::default();
    // An outer loop with the checkpoint; an inner one, counted, with the block.
    let shape = function(
        &[(0, None, false), (1, Some(0), false)],
        &[(Execute, 2, 0), (Checkpoint, 1, 0)],
    );
    let node = trace.root(shape, 1, Vec::new());
    let mut last = Vec::new();
    for outer in 1..4 {
        last = (0..3).map(|_| run(&mut trace, node, 1, &[outer])).collect();
    }
    assert_eq!(trace.on_the_way(node, Some((2, &[3]))), last);
}

#[test]
fn s09_with_the_checkpoint_in_the_inner_loop_only_its_latest_iteration_counts() {
    let mut trace = Trace::default();
    let shape = function(
        &[(0, None, false), (1, Some(0), false)],
        &[(Execute, 2, 0), (Checkpoint, 2, 0)],
    );
    let node = trace.root(shape, 1, Vec::new());
    for outer in 1..4 {
        for _ in 0..3 {
            let now = run(&mut trace, node, 1, &[outer]);
            assert_eq!(trace.on_the_way(node, Some((2, &[outer]))), [now]);
        }
    }
}

#[test]
fn s09_an_instance_that_was_entered_but_has_not_run_the_block_supersedes_the_outer_iteration_only()
{
    let mut trace = Trace::default();
    let shape = function(
        &[(0, None, false), (1, Some(0), false)],
        &[(Execute, 2, 0), (Checkpoint, 2, 0)],
    );
    let node = trace.root(shape, 1, Vec::new());
    let first: Vec<u64> = (0..2).map(|_| run(&mut trace, node, 1, &[1])).collect();
    // The second instance has begun, the block has not run in it: the first instance has ended.
    assert_eq!(trace.on_the_way(node, Some((2, &[2]))), first);
}

#[test]
fn s11_a_loop_that_no_checkpoint_follows_keeps_one_execution() {
    let mut trace = Trace::default();
    let shape = function(&[(0, None, true)], &[(Execute, 1, 0), (Checkpoint, 1, 0)]);
    let node = trace.root(shape, 1, Vec::new());
    for _ in 0..1000 {
        run(&mut trace, node, 1, &[]);
    }
    assert_eq!(trace.kept(), 1);
}

#[test]
fn s09_a_region_is_entered_again_for_what_lies_in_it() {
    let mut trace = Trace::default();
    let shape = function(
        &[(0, None, true)],
        &[(Region, 1, 0), (Register, 1, 1), (Checkpoint, 1, 1)],
    );
    let node = trace.root(shape, 1, Vec::new());
    let enter = |trace: &mut Trace| trace.push(node, 1, Vec::new(), Left::Entered(Vec::new()));
    let first = enter(&mut trace);
    let inside = trace.push(node, 2, Vec::new(), Left::Registers(vec![(0, 1)]));
    // The next iteration enters again and registers nothing: the old register keeps its region.
    let second = enter(&mut trace);
    assert_eq!(
        trace.on_the_way(node, Some((3, &[]))),
        [first, inside, second]
    );
    trace.unregister(node, inside, 1);
    assert_eq!(trace.on_the_way(node, Some((3, &[]))), [second]);
}

#[test]
fn s09_recursion_comes_back_to_the_same_depth() {
    let mut trace = Trace::default();
    let shape = function(&[], &[(Call, 0, 0), (Checkpoint, 0, 0)]);
    let mut nodes = vec![trace.root(shape.clone(), 1, Vec::new())];
    for depth in 2..100_000 {
        let caller = nodes[nodes.len() - 1];
        nodes.push(trace.call(caller, 1, Vec::new(), shape.clone(), depth, Vec::new()));
    }
    assert_eq!(trace.kept(), nodes.len() - 1);
    while let Some(node) = nodes.pop() {
        trace.returned(node);
    }
    assert_eq!(trace.kept(), 0);
}

#[test]
fn s09_a_goto_loop_is_a_loop() {
    let mut trace = Trace::default();
    // `again: execute; checkpoint; goto again;` is a loop without a counter, entered once.
    let shape = function(&[(0, None, true)], &[(Execute, 1, 0), (Checkpoint, 1, 0)]);
    let node = trace.root(shape, 1, Vec::new());
    run(&mut trace, node, 1, &[]);
    let second = run(&mut trace, node, 1, &[]);
    assert_eq!(trace.on_the_way(node, Some((2, &[]))), [second]);
}

/// A loop of calls whose callee registers what `items` says; gives the caller's node.
fn calls(trace: &mut Trace, prunable: bool, items: &[&[u32]]) -> NodeId {
    let shape = function(&[(0, None, prunable)], &[(Call, 1, 0), (Checkpoint, 1, 0)]);
    let callee = function(&[], &[(Register, 0, 0)]);
    let node = trace.root(shape, 1, Vec::new());
    for (round, items) in (100..).zip(items) {
        let called = trace.call(node, 1, Vec::new(), callee.clone(), 2, Vec::new());
        for &item in *items {
            trace.push(
                called,
                1,
                Vec::new(),
                Left::Registers(vec![(item, round + u64::from(item))]),
            );
        }
        trace.returned(called);
    }
    node
}

#[test]
fn s09_a_call_in_the_loop_around_the_checkpoint_runs_for_the_latest_iteration() {
    for prunable in [false, true] {
        let mut trace = Trace::default();
        let node = calls(&mut trace, prunable, &[&[0], &[0], &[0]]);
        let last = *trace.node(node).executions.keys().next_back().unwrap();
        assert_eq!(trace.on_the_way(node, Some((2, &[]))), [last]);
        assert_eq!(trace.node(node).executions.len() == 1, prunable);
    }
}

#[test]
fn s07_what_only_the_first_call_registered_stays_registered() {
    for prunable in [false, true] {
        let mut trace = Trace::default();
        let node = calls(&mut trace, prunable, &[&[0, 1], &[0], &[0], &[0]]);
        assert_eq!(trace.on_the_way(node, Some((2, &[]))).len(), 2);
        assert!(!prunable || trace.ended().len() == 2);
    }
}

#[test]
fn s09_a_call_that_left_nothing_is_forgotten_and_supersedes_nothing() {
    let mut trace = Trace::default();
    let node = calls(&mut trace, true, &[&[0], &[], &[]]);
    assert_eq!(trace.node(node).executions.len(), 1);
}

/// Calls in two loops, one in the other, behind which a checkpoint is: each registers one variable, `other` another one. Executes a block
/// behind the call with the number `executes`. Gives the sequence numbers of all calls that are kept, with what they register.
fn calls_in_finished_loops(passes: &[(u64, u32)], executes: Option<usize>) -> Vec<(usize, u32)> {
    let mut trace = Trace::default();
    let loops = [(0, None, false), (1, Some(0), false)];
    let shape = function(&loops, &[(Call, 2, 0), (Execute, 2, 0), (Checkpoint, 0, 0)]);
    let callee = function(&[], &[(Register, 0, 0)]);
    let node = trace.root(shape, 1, Vec::new());
    let mut made = Vec::new();
    for (number, &(instance, item)) in passes.iter().enumerate() {
        let called = trace.call(node, 1, vec![instance], callee.clone(), 2, Vec::new());
        made.push(trace.now());
        let register = 100 * number as u64 + u64::from(item);
        trace.push(
            called,
            1,
            Vec::new(),
            Left::Registers(vec![(item, register)]),
        );
        assert!(trace.returned(called));
        trace.forget_between(called, &|one, other| one % 100 == other % 100);
        if executes == Some(number) {
            run(&mut trace, node, 2, &[instance]);
        }
    }
    let kept = trace.on_the_way(node, Some((3, &[0])));
    let calls = kept
        .iter()
        .filter_map(|one| made.iter().position(|other| other == one));
    calls.map(|number| (number, passes[number].1)).collect()
}

#[test]
fn s09_of_calls_that_register_the_same_variable_in_a_finished_loop_the_first_and_the_last_are_kept()
{
    let kept = calls_in_finished_loops(&[(0, 7); 6], None);
    assert_eq!(kept, [(0, 7), (5, 7)]);
    // Each round of the outer loop has its own.
    let rounds = [(0, 7), (0, 7), (0, 7), (1, 7), (1, 7), (1, 7), (1, 7)];
    let kept = calls_in_finished_loops(&rounds, None);
    assert_eq!(kept, [(0, 7), (2, 7), (3, 7), (6, 7)]);
    // One that registers another variable parts them.
    let kept = calls_in_finished_loops(
        &[(0, 7), (0, 7), (0, 7), (0, 8), (0, 7), (0, 7), (0, 7)],
        None,
    );
    assert_eq!(kept, [(0, 7), (2, 7), (3, 8), (4, 7), (6, 7)]);
    // What a block may have changed in between is brought again.
    let kept = calls_in_finished_loops(&[(0, 7); 7], Some(2));
    assert_eq!(kept, [(0, 7), (2, 7), (3, 7), (6, 7)]);
}
