//! Where more than one thread may be running.

use std::collections::BTreeMap;

use crate::analysis::effects::Effects;
use crate::analysis::joined::{CREATE, JOIN};
use crate::analysis::points_to::PointsTo;
use crate::dataflow::steps::{Called, RoutineId, StepKind, Steps, TextPlace};
use crate::program::{Program, StatementKind};
use crate::solver::closure;
use crate::source::Span;

/// OpenMP regions, what is called from them, and threads.
pub struct Parallel {
    /// The texts of regions, by function.
    regions: BTreeMap<RoutineId, Vec<Region>>,
    /// Functions that a region calls, directly or not, with the place of a first call there.
    called: BTreeMap<RoutineId, TextPlace>,
    /// Those that are called from where not all threads of a team go together.
    called_apart: BTreeMap<RoutineId, TextPlace>,
    /// A thread that runs beside everything else.
    thread: Option<RoutineId>,
    /// What runs in a thread that is joined before a checkpoint is taken, and with which function that begins.
    in_joined: BTreeMap<RoutineId, RoutineId>,
    /// Where functions make such threads and join them, in the order of the text.
    made_or_joined: BTreeMap<RoutineId, Vec<MadeOrJoined>>,
}

/// A call that makes or joins threads.
struct MadeOrJoined {
    place: usize,
    is_made: bool,
    /// The branches of conditions around it: there are runs that do not come to it.
    branches: Vec<Span>,
}

struct Region {
    span: Span,
    pragma: String,
    /// All threads of the team go through it.
    is_for_all: bool,
    /// One of them does.
    is_for_one: bool,
}

/// Why more than one thread may be running at a place.
pub struct InParallel {
    /// As a sentence.
    pub why: String,
    /// Where the region or thread is.
    pub place: TextPlace,
}

impl Parallel {
    /// Looks at a program.
    pub fn of(
        program: &Program,
        steps: &Steps,
        points_to: &PointsTo,
        effects: &Effects,
    ) -> Parallel {
        let mut parallel = Parallel {
            regions: BTreeMap::new(),
            called: BTreeMap::new(),
            called_apart: BTreeMap::new(),
            thread: effects.threads.first().copied(),
            in_joined: BTreeMap::new(),
            made_or_joined: BTreeMap::new(),
        };
        for &started in &effects.joined {
            for id in points_to.called_from(steps, [started]) {
                parallel.in_joined.entry(id).or_insert(started);
            }
        }
        if !effects.joined.is_empty() {
            parallel.find_joins(program, steps);
        }
        for id in steps.routine_ids() {
            let at = steps.routine(id).function;
            let body = &program.units[at.unit].function(at.function).body;
            let mut regions = Vec::new();
            body.walk(&mut |statement| {
                if let Some(pragma) = statement.openmp.first() {
                    regions.push(Region {
                        span: statement.span,
                        pragma: pragma.text.clone(),
                        is_for_all: statement.is_parallel_region(),
                        is_for_one: statement.openmp.len() == 1
                            && pragma.is_plainly_by_one_thread(),
                    });
                }
                true
            });
            if !regions.is_empty() {
                parallel.regions.insert(id, regions);
            }
        }
        let called =
            |which: &dyn Fn(&Region) -> bool| called(steps, points_to, &parallel.regions, which);
        (parallel.called, parallel.called_apart) = (
            called(&|_| true),
            called(&|region| !region.is_for_all && !region.is_for_one),
        );
        parallel
    }

    /// Whether there are regions.
    pub fn has_regions(&self) -> bool {
        !self.regions.is_empty()
    }

    fn find_joins(&mut self, program: &Program, steps: &Steps) {
        for id in steps.routine_ids() {
            let mut all = Vec::new();
            steps.routine(id).walk(&mut |step| {
                if let StepKind::Call(call) = &step.kind
                    && let Called::Named(name) = &call.callee
                    && [CREATE, JOIN].contains(&name.as_str())
                {
                    all.push(MadeOrJoined {
                        place: step.span.start,
                        is_made: name == CREATE,
                        branches: Vec::new(),
                    });
                }
            });
            if all.is_empty() {
                continue;
            }
            all.sort_unstable_by_key(|one| one.place);
            let at = steps.routine(id).function;
            let body = &program.units[at.unit].function(at.function).body;
            body.walk(&mut |statement| {
                if let StatementKind::If {
                    then, otherwise, ..
                } = &statement.kind
                {
                    for branch in [Some(then), otherwise.as_ref()].into_iter().flatten() {
                        let is_in =
                            |place: usize| branch.span.contains(Span::new(place, place + 1));
                        let inside = all.iter_mut().filter(|one| is_in(one.place));
                        inside.for_each(|one| one.branches.push(branch.span));
                    }
                }
                true
            });
            self.made_or_joined.insert(id, all);
        }
    }

    /// Where a function makes a thread that it joins behind a text only, in every run. In the run checkpoints wait for threads anyway.
    fn unjoined(&self, routine: RoutineId, at: Span) -> Option<usize> {
        let all = self.made_or_joined.get(&routine)?;
        let before = all.iter().take_while(|one| one.place < at.start);
        let is_optional = |one: &MadeOrJoined| {
            one.is_made && one.branches.iter().any(|branch| !branch.contains(at))
        };
        let last = before.filter(|one| !is_optional(one)).last()?;
        last.is_made.then_some(last.place)
    }

    /// Whether a text is in a region, or in a function that is called from one.
    pub fn is_in_region(&self, routine: RoutineId, at: Span) -> bool {
        self.is_inside(routine, at) || self.called.contains_key(&routine)
    }

    /// Whether a text is in the text of a region.
    pub fn is_inside(&self, routine: RoutineId, at: Span) -> bool {
        let mut regions = self.regions.get(&routine).into_iter().flatten();
        regions.any(|region| region.span.contains(at))
    }

    /// Why more than one thread may be running where control is in a node with this text, `before` a statement; none when only one is.
    /// What stands before a statement stands before its pragmas, too. With `together`, none also where all threads of a team
    /// go together, so that they can come back together.
    pub fn around(
        &self,
        steps: &Steps,
        routine: RoutineId,
        (span, before): (Span, Span),
        together: bool,
    ) -> Option<InParallel> {
        let unit = steps.routine(routine).function.unit;
        let regions = self.regions.get(&routine).into_iter().flatten();
        let is_around = |region: Span| region.contains(span) && region.start < before.start;
        let around: Vec<&Region> = regions.filter(|region| is_around(region.span)).collect();
        let mut in_regions = around.iter().skip_while(|one| one.is_for_all);
        let is_fine = around.is_empty() || together && in_regions.all(|one| one.is_for_one);
        if let (Some(Region { span, pragma, .. }), false) = (around.last(), is_fine) {
            let place = Span::new(span.start, span.start + 1);
            return Some(InParallel {
                why: format!("It is inside the OpenMP region `#pragma omp {pragma}`."),
                place: TextPlace { unit, span: place },
            });
        }
        let called = if together {
            &self.called_apart
        } else {
            &self.called
        };
        if let Some(call) = called.get(&routine) {
            let name = &steps.routine(routine).name;
            return Some(InParallel {
                why: format!("`{name}` may be called from an OpenMP region."),
                place: *call,
            });
        }
        if let Some(place) = self.unjoined(routine, before) {
            let span = Span::new(place, place + 1);
            return Some(InParallel {
                why: format!("A thread that `{CREATE}` makes is joined behind it only."),
                place: TextPlace { unit, span },
            });
        }
        let thread = self
            .thread
            .or_else(|| self.in_joined.get(&routine).copied())?;
        let name = &steps.routine(thread).name;
        let at = steps.routine(thread).function.unit;
        let span = steps
            .routine(thread)
            .flow
            .nodes
            .get(2)
            .map(|node| node.span);
        Some(InParallel {
            why: format!("`{name}` runs in a thread of its own."),
            place: TextPlace {
                unit: at,
                span: span.unwrap_or_default(),
            },
        })
    }
}

/// The functions that are called from these regions.
fn called(
    steps: &Steps,
    points_to: &PointsTo,
    all: &BTreeMap<RoutineId, Vec<Region>>,
    which: &dyn Fn(&Region) -> bool,
) -> BTreeMap<RoutineId, TextPlace> {
    let mut found = BTreeMap::new();
    let mut work: Vec<(RoutineId, TextPlace)> = Vec::new();
    for (&id, regions) in all {
        let unit = steps.routine(id).function.unit;
        let inside = |span: Span| {
            let mut around = regions.iter().filter(|region| region.span.contains(span));
            around.any(which)
        };
        each_call(steps, points_to, id, &mut |span, callee| {
            if inside(span) {
                work.push((callee, TextPlace { unit, span }));
            }
        });
    }
    // The first place that leads to a function is named.
    for (first, place) in work.into_iter().rev() {
        let all = closure([first], |id, open| match found.contains_key(&id) {
            true => {}
            false => open.extend(points_to.called_in(steps, id, |_| true)),
        });
        for id in all.collect::<Vec<_>>() {
            found.entry(id).or_insert(place);
        }
    }
    found
}

/// Calls `visit` for every function of the program that a function may call, and the text of the call.
fn each_call(
    steps: &Steps,
    points_to: &PointsTo,
    id: RoutineId,
    visit: &mut dyn FnMut(Span, RoutineId),
) {
    steps.routine(id).walk(&mut |step| {
        if let StepKind::Call(call) = &step.kind {
            for callee in points_to.callees(id, call).routines {
                visit(step.span, callee);
            }
        }
    });
}
