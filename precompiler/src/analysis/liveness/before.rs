//! What may have happened before a point: what may have been stored to, and which blocks of memory may exist.
//!
//! Forwards, callers first, over the functions from which a checkpoint may be reached; what the others do is in their
//! summaries. Nothing is ever taken back but the existence of memory that is surely freed.

use std::collections::HashMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::analysis::effects::{self, Action, ActionKind, Blocks, Effects, SetId};
use crate::analysis::memory::{CellSet, Memory, ObjectId, ObjectKind};
use crate::dataflow::steps::{RoutineId, Steps, TextPlace};
use crate::program::{DirectiveId, FunctionId, Program};
use crate::solver::{rounds, settle};
use crate::source::Span;

use super::downward::{Downward, is_checkpoint};

/// What may have happened.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Past {
    /// Cells that may have been stored to.
    pub written: CellSet,
    /// Cells of the heap that may exist.
    pub exists: CellSet,
}

/// The past at the points that matter.
pub(super) struct Before<'a> {
    program: &'a Program,
    steps: &'a Steps,
    memory: &'a Memory,
    effects: &'a Effects,
    clients: &'a [bool],
    entries: Vec<Past>,
    /// Of objects that are told apart by the call that leads to their allocation: that call, and what it calls.
    doors: HashMap<ObjectId, (TextPlace, RoutineId)>,
    recursive: Vec<bool>,
    /// By the functions that one call may call, and what they leave alone.
    called: FxHashMap<(Vec<RoutineId>, SetId), Rc<Called>>,
    pub checkpoints: HashMap<(RoutineId, DirectiveId), Past>,
    pub calls: HashMap<(RoutineId, Span), Past>,
}

/// What a call does.
struct Called {
    /// Whoever makes it.
    past: Past,
    /// Objects that come to life when it is made at this place.
    doors: Vec<(ObjectId, TextPlace)>,
}

impl Past {
    fn nothing(cells: usize) -> Past {
        Past {
            written: CellSet::with_capacity(cells),
            exists: CellSet::with_capacity(cells),
        }
    }

    fn anything(cells: usize) -> Past {
        let mut past = Past::nothing(cells);
        past.written.insert_range(..);
        past.exists.insert_range(..);
        past
    }

    fn or(&mut self, other: &Past) {
        self.written.union_with(&other.written);
        self.exists.union_with(&other.exists);
    }
}

impl<'a> Before<'a> {
    pub fn of(
        program: &'a Program,
        steps: &'a Steps,
        memory: &'a Memory,
        effects: &'a Effects,
        downward: &'a Downward<'a>,
    ) -> Before<'a> {
        let cells = memory.cells.len();
        let mut all = Before {
            program,
            steps,
            memory,
            effects,
            clients: &downward.clients,
            entries: vec![Past::nothing(cells); effects.bodies.len()],
            doors: doors(program, steps, memory),
            recursive: vec![false; effects.bodies.len()],
            called: FxHashMap::default(),
            checkpoints: HashMap::new(),
            calls: HashMap::new(),
        };
        let strangers = effects
            .from_outside
            .iter()
            .chain(&effects.any_time)
            .chain(&effects.at_exit);
        for routine in strangers {
            all.entries[routine.0 as usize] = Past::anything(cells);
        }
        for (routine, callees) in downward.calls.iter().enumerate() {
            all.recursive[routine] = callees.contains(&RoutineId(routine as u32));
        }
        for group in &downward.groups {
            if group.len() > 1 {
                for routine in group {
                    all.recursive[routine.0 as usize] = true;
                }
            }
        }
        for group in &downward.groups {
            all.group(group);
        }
        all
    }

    fn group(&mut self, group: &[RoutineId]) {
        let members: Vec<(RoutineId, Blocks)> = group
            .iter()
            .map(|&routine| (routine, effects::blocks(self.effects, self.steps, routine)))
            .collect();
        // Those again that are entered in new states.
        let mut looked_at: Vec<Option<Past>> = vec![None; members.len()];
        rounds(|| {
            let mut is_over = true;
            for ((routine, blocks), last) in members.iter().zip(&mut looked_at) {
                let entry = &self.entries[routine.0 as usize];
                if last.as_ref() != Some(entry) {
                    *last = Some(entry.clone());
                    is_over = false;
                    self.routine(*routine, blocks);
                }
            }
            !is_over
        });
    }

    fn routine(&mut self, routine: RoutineId, blocks: &Blocks) {
        let cells = self.memory.cells.len();
        let body = &self.effects.bodies[routine.0 as usize];
        let mut ends = vec![Past::nothing(cells); blocks.all.len()];
        settle(0..blocks.all.len(), |index, waiting| {
            let mut past = if index == 0 {
                self.entries[routine.0 as usize].clone()
            } else {
                Past::nothing(cells)
            };
            for &before in &blocks.all[index].before {
                past.or(&ends[before]);
            }
            for &node in &blocks.all[index].nodes {
                self.list(routine, &body.nodes[node], &mut past);
            }
            if past != ends[index] {
                ends[index] = past;
                waiting.extend(blocks.all[index].next.iter().map(|edge| edge.to));
            }
        });
    }

    fn list(&mut self, routine: RoutineId, actions: &[Action], past: &mut Past) {
        for action in actions {
            self.action(routine, action, past);
        }
    }

    fn action(&mut self, routine: RoutineId, action: &Action, past: &mut Past) {
        match &action.kind {
            ActionKind::Write { cells, .. } => {
                self.effects.sets.insert_into(*cells, &mut past.written);
            }
            ActionKind::Begin { object, .. } => self.comes_to_life(*object, past),
            ActionKind::Free { cells, all: true } => {
                self.effects.sets.remove_from(*cells, &mut past.exists);
            }
            ActionKind::Call {
                routines, spared, ..
            } => {
                let routines = routines.clone();
                self.call(routine, action.span, &routines, *spared, past);
            }
            ActionKind::Choose(lists) => {
                let mut joined: Option<Past> = None;
                for list in lists {
                    let mut one = past.clone();
                    self.list(routine, list, &mut one);
                    match &mut joined {
                        Some(joined) => joined.or(&one),
                        None => joined = Some(one),
                    }
                }
                if let Some(joined) = joined {
                    *past = joined;
                }
            }
            ActionKind::Repeat(list) => loop {
                let mut one = past.clone();
                self.list(routine, list, &mut one);
                one.or(past);
                if one == *past {
                    break;
                }
                *past = one;
            },
            ActionKind::Directive(directive) => {
                let unit = self.steps.routines[routine.0 as usize].function.unit;
                if is_checkpoint(self.program, unit, *directive) {
                    let cells = self.memory.cells.len();
                    self.checkpoints
                        .entry((routine, *directive))
                        .or_insert_with(|| Past::nothing(cells))
                        .or(past);
                }
            }
            _ => {}
        }
    }

    fn comes_to_life(&self, object: ObjectId, past: &mut Past) {
        let object = &self.memory.objects[object.0 as usize];
        if matches!(object.kind, ObjectKind::Heap { .. }) {
            let cells = object.first.0 as usize..(object.first.0 + object.count) as usize;
            past.exists.insert_range(cells);
        }
    }

    fn call(
        &mut self,
        routine: RoutineId,
        span: Span,
        callees: &[RoutineId],
        spared: SetId,
        past: &mut Past,
    ) {
        let cells = self.memory.cells.len();
        let place = TextPlace {
            unit: self.steps.routines[routine.0 as usize].function.unit,
            span,
        };
        if callees.iter().any(|one| self.clients[one.0 as usize]) {
            self.calls
                .entry((routine, span))
                .or_insert_with(|| Past::nothing(cells))
                .or(past);
            let mut entry = past.clone();
            entry.written.difference_with(&self.effects.private);
            for &callee in callees {
                if self.clients[callee.0 as usize] {
                    self.entries[callee.0 as usize].or(&entry);
                }
            }
        }
        let called = self.called(callees, spared);
        past.or(&called.past);
        for (object, door) in &called.doors {
            if *door == place {
                self.comes_to_life(*object, past);
            }
        }
    }

    /// What a call does that may call any of these functions.
    fn called(&mut self, callees: &[RoutineId], spared: SetId) -> Rc<Called> {
        let key = (callees.to_vec(), spared);
        if let Some(known) = self.called.get(&key) {
            return Rc::clone(known);
        }
        let mut past = Past::nothing(self.memory.cells.len());
        let mut behind_doors = Vec::new();
        for &callee in callees {
            let summary = self.effects.summary(callee);
            let writes = self.effects.unspared(spared, &summary.writes);
            past.written.union_with(&writes);
            for &object in &summary.allocates {
                let door = { self.doors.get(&object) }
                    .filter(|(_, behind)| *behind == callee && !self.recursive[callee.0 as usize]);
                match door {
                    Some((door, _)) => behind_doors.push((object, *door)),
                    None => self.comes_to_life(object, &mut past),
                }
            }
        }
        let called = Rc::new(Called {
            past,
            doors: behind_doors,
        });
        self.called.insert(key, Rc::clone(&called));
        called
    }
}

/// For objects that are told apart by the calls that lead to their allocation: the outermost of these calls, and the
/// function that it calls.
fn doors(
    program: &Program,
    steps: &Steps,
    memory: &Memory,
) -> HashMap<ObjectId, (TextPlace, RoutineId)> {
    let mut doors = HashMap::new();
    for (index, object) in memory.objects.iter().enumerate() {
        let ObjectKind::Heap {
            routine, through, ..
        } = &object.kind
        else {
            continue;
        };
        let behind = match through.get(1) {
            None => Some(*routine),
            Some(next) => holder(program, steps, *next),
        };
        if let (Some(&door), Some(behind)) = (through.first(), behind) {
            doors.insert(ObjectId(index as u32), (door, behind));
        }
    }
    doors
}

/// The function in which a place lies.
fn holder(program: &Program, steps: &Steps, place: TextPlace) -> Option<RoutineId> {
    let functions = &program.units.get(place.unit)?.functions;
    let index = functions
        .iter()
        .position(|function| function.span.contains(place.span))?;
    Some(steps.routine_of(crate::dataflow::FunctionRef {
        unit: place.unit,
        function: FunctionId(index),
    }))
}
