//! Guards, and whether all runs pass them before `init`.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;

use super::follow::{Follow, Known, Start};
use crate::analysis::effects::{
    Action, ActionKind, Effects, FirstUse, all_leading, below, calls, owner_of_local, walk,
};
use crate::analysis::memory::{CellId, ObjectId, ObjectKind};
use crate::analysis::points_to::PointsTo;
use crate::catalog::Catalogue;
use crate::dataflow::NodeId;
use crate::dataflow::steps::{RoutineId, StepKind, Steps, TextPlace, ValueId};
use crate::program::{
    BinaryOperator, Directive, Expression, ExpressionKind, Program, Statement, StatementKind,
    UnaryOperator,
};
use crate::source::Span;

/// A block behind a guard.
pub struct Guarded {
    pub routine: RoutineId,
    /// The node of the condition.
    pub head: usize,
    /// The nodes of the block.
    pub inside: Vec<bool>,
    /// The text of the block.
    pub span: Span,
    /// What the condition asks for: a member of a struct that there is one of.
    pub flag: CellId,
}

/// All that is at hand.
pub struct Ground<'a> {
    pub program: &'a Program,
    pub steps: &'a Steps,
    pub points_to: &'a PointsTo,
    pub catalogue: &'a Catalogue,
    pub effects: &'a Effects,
    /// Cells of the automatic locals of each function.
    pub locals: Vec<BTreeSet<CellId>>,
}

impl FirstUse {
    /// Looks for blocks of a program that no run comes into behind `init`.
    pub fn of(
        program: &Program,
        steps: &Steps,
        points_to: &PointsTo,
        catalogue: &Catalogue,
        effects: &Effects,
    ) -> FirstUse {
        let mut found = FirstUse::default();
        let ground = Ground {
            program,
            steps,
            points_to,
            catalogue,
            effects,
            locals: locals(steps, points_to),
        };
        let jumps = effects.bodies.iter().any(|body| body.returns_twice);
        let Some(main) = effects
            .main
            .filter(|main| !jumps && ground.begins_in(*main))
        else {
            return found;
        };
        let mut reachable = None;
        for routine in steps.routine_ids() {
            let place = steps.routine(routine).function;
            let unit = &program.units[place.unit];
            unit.function(place.function).body.walk(&mut |statement| {
                let Some(guarded) = ground.guarded(routine, statement) else {
                    return true;
                };
                let reachable = reachable.get_or_insert_with(|| below(&calls(&effects.bodies)));
                let mut reaches = FixedBitSet::with_capacity(steps.routines.len());
                let number = routine.0 as usize;
                reaches.extend((0..reachable.len()).filter(|one| reachable[*one].contains(number)));
                reaches.insert(number);
                let early = Early {
                    ground: &ground,
                    main,
                    guarded: &guarded,
                    reaches: &reaches,
                };
                if let Some(is_once) = early.is_passed() {
                    found.blocks.push((routine, guarded.span));
                    if is_once {
                        found.single.extend(ground.made_once(&guarded));
                    }
                }
                true
            });
        }
        found
    }
}

fn locals(steps: &Steps, points_to: &PointsTo) -> Vec<BTreeSet<CellId>> {
    let mut locals = vec![BTreeSet::new(); steps.routines.len()];
    for (index, object) in points_to.memory.objects.iter().enumerate() {
        if let ObjectKind::Variable(variable) = object.kind
            && let Some(owner) = owner_of_local(steps, variable)
        {
            locals[owner.0 as usize].extend(points_to.cells(ObjectId(index as u32)));
        }
    }
    locals
}

/// What a condition compares with zero.
fn asked(condition: &Expression) -> Option<&Expression> {
    let is_zero = |one: &Expression| {
        let mut one = one;
        while let ExpressionKind::Cast(inner) = &one.kind {
            one = inner;
        }
        matches!(one.kind, ExpressionKind::Number(Some(0)))
    };
    match &condition.kind {
        ExpressionKind::Unary(UnaryOperator::Not, inner) => Some(inner),
        ExpressionKind::Binary(BinaryOperator::Equal, left, right) => {
            match (is_zero(left), is_zero(right)) {
                (false, true) => Some(left),
                (true, false) => Some(right),
                _ => None,
            }
        }
        _ => None,
    }
}

impl Ground<'_> {
    /// `if (p->member == NULL) block`
    fn guarded(&self, routine: RoutineId, statement: &Statement) -> Option<Guarded> {
        let StatementKind::If {
            condition,
            then,
            otherwise: None,
        } = &statement.kind
        else {
            return None;
        };
        let asked = asked(condition)?;
        let one = self.steps.routine(routine);
        let heads = one.flow.nodes.iter().enumerate();
        let mut heads = heads.filter(|(_, node)| node.statement == Some(statement.id));
        let (head, None) = (heads.next()?.0, heads.next()) else {
            return None;
        };
        let reads: Vec<_> = one.nodes.get(head)?.iter().collect();
        let mut reads = reads.iter().filter_map(|step| match &step.kind {
            StepKind::Read { place, .. } if step.span == asked.span => Some(place),
            _ => None,
        });
        let (place, None) = (reads.next()?, reads.next()) else {
            return None;
        };
        let touched = self.points_to.touched(routine, place);
        let [flag] = touched.cells[..] else {
            return None;
        };
        let object = self.points_to.memory.cells[flag.0 as usize].object;
        let is_heap = matches!(
            self.points_to.memory.objects[object.0 as usize].kind,
            ObjectKind::Heap { .. }
        );
        let inside = |node: usize| {
            let node = &one.flow.nodes[node];
            node.statement.is_some() && then.span.contains(node.span)
        };
        let is_right = !touched.unknown && is_heap && self.is_one_place(flag);
        is_right.then(|| Guarded {
            routine,
            head,
            inside: (0..one.flow.nodes.len()).map(inside).collect(),
            span: then.span,
            flag,
        })
    }

    /// Whether a cell is one place in memory, which nobody changes behind the program's back.
    pub fn is_one_place(&self, cell: CellId) -> bool {
        let memory = &self.points_to.memory;
        let one = &memory.cells[cell.0 as usize];
        let object = &memory.objects[one.object.0 as usize];
        object.is_single
            && !one.is_many
            && object.collapsed.is_none()
            && !self.effects.is_unsteady(cell)
    }

    /// Whether `init` stands in `main`, and nowhere else.
    fn begins_in(&self, main: RoutineId) -> bool {
        let (mut here, mut elsewhere) = (false, false);
        for routine in self.steps.routine_ids() {
            self.steps.routine(routine).walk(&mut |step| {
                if self.is_init(routine, &step.kind) {
                    here |= routine == main;
                    elsewhere |= routine != main;
                }
            });
        }
        here && !elsewhere
    }

    /// The blocks of the heap of which there is never more than one, because what is behind a guard runs once.
    fn made_once(&self, guarded: &Guarded) -> Vec<ObjectId> {
        let unit = self.steps.routine(guarded.routine).function.unit;
        let objects = self.points_to.memory.objects.iter().enumerate();
        let made = objects.filter(|(_, object)| {
            let ObjectKind::Heap { call, through, .. } = &object.kind else {
                return false;
            };
            let mut places = through.iter().chain([call]);
            let is_in =
                |place: &&TextPlace| place.unit == unit && guarded.span.has(place.span.start);
            let begun = places.by_ref().find(is_in);
            begun.is_some_and(|begun| {
                let mut inner = std::iter::once(begun).chain(places);
                inner.all(|place| self.happens_once(*place))
            })
        });
        made.map(|(index, _)| ObjectId(index as u32)).collect()
    }

    /// A call among the steps of a node that all happen.
    fn call_at(&self, routine: RoutineId, place: TextPlace) -> Option<(usize, usize, ValueId)> {
        let nodes = self.steps.routine(routine).nodes.iter().enumerate();
        let mut found = nodes.flat_map(|(node, steps)| {
            let steps = steps.iter().enumerate();
            steps.filter_map(move |(index, step)| match &step.kind {
                StepKind::Call(call) if step.span == place.span => Some((node, index, call.result)),
                _ => None,
            })
        });
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }

    fn function_at(&self, place: TextPlace) -> Option<RoutineId> {
        self.steps.routine_ids().find(|one| {
            let at = self.steps.routine(*one).function;
            let unit = &self.program.units[at.unit];
            at.unit == place.unit && unit.function(at.function).body.span.contains(place.span)
        })
    }

    /// Whether a call happens at most once per activation of its function.
    fn happens_once(&self, place: TextPlace) -> bool {
        let found = self.function_at(place).and_then(|routine| {
            let (node, ..) = self.call_at(routine, place)?;
            Some(!self.steps.routine(routine).flow.after(NodeId(node))[node])
        });
        found == Some(true)
    }

    /// Whether a step is `init`.
    pub fn is_init(&self, routine: RoutineId, step: &StepKind) -> bool {
        let unit = &self.program.units[self.steps.routine(routine).function.unit];
        matches!(step, StepKind::Directive(id)
            if matches!(unit.directives[id.0].directive, Directive::Init { .. }))
    }
}

/// One guard.
struct Early<'e, 'a> {
    ground: &'e Ground<'a>,
    main: RoutineId,
    guarded: &'e Guarded,
    /// Functions that may come to the guard.
    reaches: &'e FixedBitSet,
}

impl Early<'_, '_> {
    fn object(&self) -> ObjectId {
        self.ground.points_to.memory.cells[self.guarded.flag.0 as usize].object
    }

    /// Whether every way to `init` passes the guard, and none behind it comes into the block: then whether the block runs
    /// once only.
    fn is_passed(&self) -> Option<bool> {
        let any_time = &self.ground.effects.any_time;
        let outside = &self.ground.effects.from_outside;
        let mut others = any_time.iter().chain(outside);
        if others.any(|one| self.reaches.contains(one.0 as usize)) {
            return None;
        }
        let (node, is_once) = self.first_node()?;
        self.stays(node).then_some(is_once)
    }

    /// Follows the ways from the allocation to `init`: the node of `main` in which they begin, and whether the member is
    /// never reset on them.
    fn first_node(&self) -> Option<(usize, bool)> {
        let object = &self.ground.points_to.memory.objects[self.object().0 as usize];
        let ObjectKind::Heap {
            routine,
            call,
            through,
        } = &object.kind
        else {
            return None;
        };
        let mut follow = Follow::of(self.ground, self.guarded, self.reaches);
        let (mut routine, mut place) = (*routine, *call);
        let mut outer = through.iter().rev().copied();
        let mut state = Known::default();
        let mut is_it = true;
        loop {
            let (node, index, result) = self.ground.call_at(routine, place)?;
            if is_it {
                state.values.insert(result);
            }
            let after = follow.run(routine, Start::After(node, index), state);
            if follow.is_lost {
                return None;
            }
            if routine == self.main {
                let set = std::mem::take(&mut follow.at_init);
                let is_set = !set.is_empty() && set.into_iter().all(|set| set);
                return is_set.then_some((node, !follow.is_reset));
            }
            // What never comes back does not come to `init` either.
            let mut after = after?;
            is_it = after.returned == Some(true);
            follow.forget_locals(routine, &mut after);
            after.values.clear();
            after.returned = None;
            state = after;
            let (caller, site) = match outer.next() {
                Some(site) => (self.ground.function_at(site)?, site),
                None => self.only_caller(routine)?,
            };
            (routine, place) = (caller, site);
        }
    }

    /// The only call of a function.
    fn only_caller(&self, callee: RoutineId) -> Option<(RoutineId, TextPlace)> {
        let mut sites = Vec::new();
        for caller in self.ground.steps.routine_ids() {
            let unit = self.ground.steps.routine(caller).function.unit;
            self.ground.effects.bodies[caller.0 as usize].walk(&mut |action| {
                if let ActionKind::Call { routines, .. } = &action.kind
                    && routines.contains(&callee)
                {
                    let span = action.span;
                    sites.push((caller, TextPlace { unit, span }));
                }
            });
        }
        match sites[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Whether the struct comes to life before `init` only, and its member is reset where the guard does not follow.
    fn stays(&self, first: usize) -> bool {
        let flow = &self.ground.steps.routine(self.main).flow;
        let steps = &self.ground.steps.routine(self.main).nodes;
        let bodies = &self.ground.effects.bodies[self.main.0 as usize].nodes;
        let resets = self.resetting();
        let calls = |node: usize, test: &dyn Fn(usize) -> bool| {
            let mut found = false;
            walk(&bodies[node], &mut |action| {
                if let ActionKind::Call { routines, .. } = &action.kind {
                    found |= routines.iter().any(|one| test(one.0 as usize));
                }
            });
            found
        };
        let comes_back = |node: usize| calls(node, &|one| self.reaches.contains(one));
        let is_reset =
            |node: usize| self.resets(&bodies[node]) || calls(node, &|one| resets.contains(one));
        let is_init = |node: usize| {
            let mut all = steps[node].iter();
            all.any(|step| self.ground.is_init(self.main, &step.kind))
        };
        let nodes = 0..flow.nodes.len().min(steps.len());
        let behind = |node: usize| flow.after(NodeId(node));
        nodes.clone().filter(|node| is_init(*node)).all(|init| {
            let after = behind(init);
            let mut left = nodes.clone().filter(|node| after[*node]);
            !after[first]
                && left.all(|node| {
                    let later = behind(node);
                    let mut again = nodes
                        .clone()
                        .filter(|other| later[*other] || *other == node);
                    !is_reset(node) || !again.any(comes_back)
                })
        })
    }

    /// Functions that may reset the member, the block left out.
    fn resetting(&self) -> FixedBitSet {
        let count = self.ground.steps.routines.len();
        let mut first = Vec::new();
        let mut called: Vec<Vec<RoutineId>> = vec![Vec::new(); count];
        for routine in self.ground.steps.routine_ids() {
            let index = routine.0 as usize;
            for (node, actions) in self.ground.effects.bodies[index].nodes.iter().enumerate() {
                if routine == self.guarded.routine && self.guarded.inside[node] {
                    continue;
                }
                first.extend(self.resets(actions).then_some(routine));
                walk(actions, &mut |action| {
                    if let ActionKind::Call { routines, .. } = &action.kind {
                        called[index].extend(routines.iter());
                    }
                });
            }
        }
        let resetting = all_leading(&called, first);
        resetting.map(|one| one.0 as usize).collect()
    }

    /// Whether actions may store to the member themselves, or end or begin the life of the struct.
    fn resets(&self, actions: &[Action]) -> bool {
        let mut found = false;
        walk(actions, &mut |action| {
            found |= match &action.kind {
                ActionKind::Write { cells, .. } | ActionKind::Free { cells, .. } => self
                    .ground
                    .effects
                    .cells(*cells)
                    .contains(&self.guarded.flag),
                ActionKind::Begin { object, .. } => *object == self.object(),
                _ => false,
            };
        });
        found
    }
}
