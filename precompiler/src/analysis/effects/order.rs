//! Functions in groups that call each other, callees first.

use std::rc::Rc;

use fixedbitset::FixedBitSet;

use crate::dataflow::steps::RoutineId;

use super::model::{ActionKind, Body};

/// Groups of functions that call each other in a cycle (most have one member); a group comes after all that it calls.
pub fn groups(calls: &[Vec<RoutineId>]) -> Vec<Vec<RoutineId>> {
    let mut search = Search {
        calls,
        number: vec![0; calls.len()],
        low: vec![0; calls.len()],
        on_stack: vec![false; calls.len()],
        stack: Vec::new(),
        next: 1,
        groups: Vec::new(),
    };
    for routine in 0..calls.len() {
        if search.number[routine] == 0 {
            search.from(routine);
        }
    }
    search.groups
}

/// The functions that each function may call, in ascending order.
pub fn calls(bodies: &[Body]) -> Vec<Vec<RoutineId>> {
    bodies
        .iter()
        .map(|body| {
            let mut called = Vec::new();
            body.walk(&mut |action| {
                if let ActionKind::Call { routines, .. } = &action.kind {
                    called.extend_from_slice(routines);
                }
            });
            called.sort_unstable();
            called.dedup();
            called
        })
        .collect()
}

/// Functions that each function calls, and those that these call: one set for all that call each other.
pub fn below(callees: &[Vec<RoutineId>]) -> Vec<Rc<FixedBitSet>> {
    let none = Rc::new(FixedBitSet::new());
    let mut below = vec![none; callees.len()];
    for group in groups(callees) {
        let mut all = FixedBitSet::with_capacity(callees.len());
        for callee in group.iter().flat_map(|one| &callees[one.0 as usize]) {
            all.insert(callee.0 as usize);
            all.union_with(&below[callee.0 as usize]);
        }
        let all = Rc::new(all);
        for one in group {
            below[one.0 as usize] = Rc::clone(&all);
        }
    }
    below
}

/// Tarjan's search, with a stack of its own.
struct Search<'a> {
    calls: &'a [Vec<RoutineId>],
    number: Vec<usize>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    next: usize,
    groups: Vec<Vec<RoutineId>>,
}

impl Search<'_> {
    fn enter(&mut self, routine: usize) {
        self.number[routine] = self.next;
        self.low[routine] = self.next;
        self.next += 1;
        self.stack.push(routine);
        self.on_stack[routine] = true;
    }

    fn from(&mut self, start: usize) {
        self.enter(start);
        let mut work = vec![(start, 0)];
        while let Some((routine, position)) = work.pop() {
            if let Some(callee) = self.calls[routine].get(position) {
                let callee = callee.0 as usize;
                work.push((routine, position + 1));
                if self.number[callee] == 0 {
                    self.enter(callee);
                    work.push((callee, 0));
                } else if self.on_stack[callee] {
                    self.low[routine] = self.low[routine].min(self.number[callee]);
                }
                continue;
            }
            if let Some((caller, _)) = work.last() {
                self.low[*caller] = self.low[*caller].min(self.low[routine]);
            }
            if self.low[routine] == self.number[routine] {
                let mut group = Vec::new();
                while let Some(member) = self.stack.pop() {
                    self.on_stack[member] = false;
                    group.push(RoutineId(member as u32));
                    if member == routine {
                        break;
                    }
                }
                group.sort_unstable();
                self.groups.push(group);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callees_come_first_and_cycles_together() {
        let called: [&[u32]; 5] = [&[1, 2], &[3], &[1], &[1, 4], &[]];
        let calls: Vec<Vec<RoutineId>> = called
            .iter()
            .map(|list| list.iter().map(|&one| RoutineId(one)).collect())
            .collect();
        let found: Vec<Vec<u32>> = groups(&calls)
            .iter()
            .map(|group| group.iter().map(|one| one.0).collect())
            .collect();
        assert_eq!(found, [vec![4], vec![1, 3], vec![2], vec![0]]);
    }
}
