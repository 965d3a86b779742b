//! What a cell is called: as the user would write it in a register directive.
//!
//! Variables have names; memory of the heap is named by the pointer that leads there, `u[…]` or `s->count`, from a
//! variable that can be seen at the checkpoint or, failing that, at a call that leads to it. The shortest way wins, and
//! pointers that are live before others.

use std::collections::{BTreeMap, HashSet, VecDeque};

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::single::allocates_one;
use crate::analysis::handles::way_as_written;
use crate::analysis::memory::{CellId, CellSet, ObjectId, ObjectKind};
use crate::analysis::points_to::PointsTo;
use crate::dataflow::steps::{RoutineId, StepKind, Steps, TextPlace, VariableId};
use crate::program::{ForStart, Program, ScopeId, Statement, StatementKind};
use crate::source::Span;

/// Names of everything, as seen from one checkpoint.
pub(super) struct Names<'a> {
    program: &'a Program,
    steps: &'a Steps,
    points_to: &'a PointsTo,
    /// Memory of which there may be many blocks.
    crowds: &'a CellSet,
    /// The pointers that get new memory.
    homes: &'a Homes,
    /// C expressions for pointers to memory of the heap.
    ways: FxHashMap<ObjectId, Way>,
}

/// How memory is reached.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// Where the pointer is: in a variable, or in memory that is reached itself.
    holder: CellId,
    /// The variable with which the expression begins.
    root: VariableId,
}

/// The pointers into which allocating calls of functions put their results, by what they allocate.
pub(super) type Homes = BTreeMap<ObjectId, CellId>;

/// Finds them.
pub(super) fn homes(steps: &Steps, points_to: &PointsTo) -> Homes {
    let mut made: BTreeMap<TextPlace, Vec<ObjectId>> = BTreeMap::new();
    for (number, object) in points_to.memory.objects.iter().enumerate() {
        if let ObjectKind::Heap { call, through, .. } = &object.kind {
            let place = *through.first().unwrap_or(call);
            made.entry(place).or_default().push(ObjectId(number as u32));
        }
    }
    let mut homes = Homes::new();
    for routine in steps.routine_ids() {
        let one = steps.routine(routine);
        let unit = one.function.unit;
        one.walk(&mut |step| {
            let StepKind::Write { place, .. } = &step.kind else {
                return;
            };
            let first = TextPlace {
                unit,
                span: Span::new(step.span.start, step.span.start),
            };
            let here = made.range(first..);
            let here = here.take_while(|(at, _)| at.unit == unit && at.span.start < step.span.end);
            for (_, objects) in here.filter(|(at, _)| step.span.contains(at.span)) {
                if let [cell] = points_to.touched(routine, place).cells[..] {
                    homes.extend(objects.iter().map(|object| (*object, cell)));
                }
            }
        });
    }
    homes
}

/// A place in the text of a function.
pub(super) type Viewpoint = (RoutineId, TextPlace);

impl<'a> Names<'a> {
    /// Finds ways to all memory: `views` are the checkpoint and the calls that lead to it, the nearest one first.
    pub fn of(
        program: &'a Program,
        steps: &'a Steps,
        points_to: &'a PointsTo,
        views: &[Viewpoint],
        live: &CellSet,
        (crowds, homes): (&'a CellSet, &'a Homes),
    ) -> Names<'a> {
        let mut names = Names {
            program,
            steps,
            points_to,
            crowds,
            homes,
            ways: FxHashMap::default(),
        };
        let mut roots: Vec<VariableId> = Vec::new();
        for (routine, place) in views {
            roots.extend(visible(program, steps, *routine, place.span.start));
        }
        let all = steps.variable_ids();
        roots.extend(all.filter(|id| steps.variable(*id).owner.is_none()));
        let mut seen = HashSet::new();
        roots.retain(|id| seen.insert(*id));
        // Integers may hold addresses, too, but nobody would name memory by them.
        let is_pointer = |cell: CellId| {
            let ty = points_to.memory.cells[cell.0 as usize].ty;
            ty.is_some_and(|ty| program.units[ty.unit].pointee(ty.id).is_some())
        };
        names.follow(&roots, &mut |cell| {
            live.contains(cell.0 as usize) && is_pointer(cell)
        });
        names.follow(&roots, &mut |cell| is_pointer(cell));
        names.follow(&roots, &mut |_| true);
        names
    }

    fn follow(&mut self, roots: &[VariableId], through: &mut dyn FnMut(CellId) -> bool) {
        let memory = &self.points_to.memory;
        let mut work: VecDeque<(ObjectId, VariableId)> = VecDeque::new();
        let mut seen = FixedBitSet::with_capacity(memory.objects.len());
        // What one cell leads to need not be looked at for another one that leads to the same.
        let mut followed: FxHashSet<u32> = FxHashSet::default();
        for &root in roots {
            if let Some(object) = self.points_to.variable(root) {
                seen.insert(object.0 as usize);
                work.push_back((object, root));
            }
        }
        while let Some((object, root)) = work.pop_front() {
            let mut cells: Vec<CellId> = self.points_to.cells(object).collect();
            cells.retain(|cell| through(*cell));
            for &cell in &cells {
                let number = self.points_to.pointees_number(cell);
                if followed.contains(&number) {
                    continue;
                }
                let mut is_all = true;
                for target in self.points_to.pointees(cell) {
                    let inner = memory.cells[target.0 as usize].object;
                    let heap = &memory.objects[inner.0 as usize].kind;
                    if !matches!(heap, ObjectKind::Heap { .. }) || seen.contains(inner.0 as usize) {
                        continue;
                    }
                    // The pointer that gets new memory names it, not another one beside it.
                    let home = self.homes.get(&inner);
                    if home.is_some_and(|home| *home != cell && cells.contains(home)) {
                        is_all = false;
                        continue;
                    }
                    seen.insert(inner.0 as usize);
                    let known = self.ways.entry(inner);
                    let way = known.or_insert(Way { holder: cell, root });
                    work.push_back((inner, way.root));
                }
                if is_all {
                    followed.insert(number);
                }
            }
        }
    }

    /// The pointer by which memory is reached, as a C expression.
    fn text(&self, way: &Way) -> String {
        let memory = &self.points_to.memory;
        let object = memory.cells[way.holder.0 as usize].object;
        let path = self.path(way.holder);
        match self.ways.get(&object) {
            Some(outer) => member(&self.text(outer), path, true),
            None => member(&self.steps.variable(way.root).name, path, false),
        }
    }

    /// How a cell is reached in its object; in memory for one struct there is no element to choose.
    fn path(&self, cell: CellId) -> &'a str {
        let one = &self.points_to.memory.cells[cell.0 as usize];
        let object = &self.points_to.memory.objects[one.object.0 as usize];
        match (&object.kind, one.path.strip_prefix("[]")) {
            (ObjectKind::Heap { call, through, .. }, Some(rest)) => {
                let is_one = through.iter().chain([call]).any(|call| {
                    let file = &self.program.units[call.unit].file;
                    allocates_one(file.preprocessed_text(call.span))
                });
                if is_one { rest } else { &one.path }
            }
            _ => &one.path,
        }
    }

    /// The names as seen from one place only.
    pub fn from(&self, view: Viewpoint, live: &CellSet) -> Names<'a> {
        let views = [view];
        Names::of(
            self.program,
            self.steps,
            self.points_to,
            &views,
            live,
            (self.crowds, self.homes),
        )
    }

    /// The variable with which the name of a cell begins.
    pub fn root(&self, cell: CellId) -> Option<VariableId> {
        let object = self.points_to.memory.cells[cell.0 as usize].object;
        match &self.points_to.memory.objects[object.0 as usize].kind {
            ObjectKind::Variable(variable) => Some(*variable),
            _ => Some(self.ways.get(&object)?.root),
        }
    }

    /// Where the pointer is by which memory of the heap is named.
    pub fn pointer(&self, cell: CellId) -> Option<CellId> {
        let object = self.points_to.memory.cells[cell.0 as usize].object;
        Some(self.ways.get(&object)?.holder)
    }

    /// The item that would cover a cell; `None` for what has no name.
    pub fn item(&self, cell: CellId) -> Option<String> {
        let memory = &self.points_to.memory;
        let one = &memory.cells[cell.0 as usize];
        match &memory.objects[one.object.0 as usize].kind {
            ObjectKind::Variable(variable) => {
                let name = &self.steps.variable(*variable).name;
                let path = way_as_written(self.program, memory, cell);
                Some(format!("{name}{}", before_elements(path)))
            }
            ObjectKind::Heap { .. } => {
                let way = &self.text(self.ways.get(&one.object)?);
                let written = way_as_written(self.program, memory, cell).len();
                let path = self.path(cell);
                let unwritten = one.path.len() - written;
                let path = before_elements(&path[..path.len().saturating_sub(unwritten)]);
                let crowd = self.crowds.contains(cell.0 as usize);
                Some(if path.starts_with('.') && !crowd {
                    member(way, path, true)
                } else {
                    format!("{way}[…]")
                })
            }
            _ => None,
        }
    }
}

/// What stands before the first array on the way to a member.
fn before_elements(path: &str) -> &str {
    path.find("[]").map_or(path, |at| &path[..at])
}

/// A member of a struct, or of the struct that a pointer points to; elements that nobody chose are `[…]`.
fn member(text: &str, path: &str, is_pointer: bool) -> String {
    let chosen = path.replace("[]", "[…]");
    if !is_pointer {
        format!("{text}{chosen}")
    } else if let Some(name) = chosen.strip_prefix('.') {
        format!("{text}->{name}")
    } else if chosen.is_empty() {
        format!("{text}[…]")
    } else {
        format!("{text}{chosen}")
    }
}

/// The variables that can be named at an offset of a function, the innermost first.
fn visible(program: &Program, steps: &Steps, routine: RoutineId, at: usize) -> Vec<VariableId> {
    let place = steps.routine(routine).function;
    let unit = &program.units[place.unit];
    let function = unit.function(place.function);
    let mut scope = Some(innermost(&function.body, at, function.scope));
    let mut found = Vec::new();
    while let Some(id) = scope {
        let here = &unit.scopes[id.0];
        let symbols = here.symbols.iter().rev();
        let symbols = symbols.filter(|symbol| unit.symbols[symbol.0].visible_from <= at);
        found.extend(symbols.filter_map(|symbol| steps.variable_at(place.unit, *symbol, at)));
        scope = here.parent;
    }
    found
}

/// The innermost scope around an offset.
fn innermost(body: &Statement, at: usize, outer: ScopeId) -> ScopeId {
    let mut scope = outer;
    body.walk(&mut |statement| {
        let inside = statement.span.has(at);
        if inside {
            match &statement.kind {
                StatementKind::Compound { scope: own, .. } => scope = *own,
                StatementKind::For {
                    scope: own,
                    start: ForStart::Declaration(_),
                    ..
                } => scope = *own,
                _ => {}
            }
        }
        inside
    });
    scope
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_written_as_in_c() {
        assert_eq!(member("s", ".u", false), "s.u");
        assert_eq!(member("s", ".box", true), "s->box");
        assert_eq!(member("s->box", ".count", true), "s->box->count");
        assert_eq!(member("row", "[]", true), "row[…]");
        assert_eq!(member("table", "[].name", false), "table[…].name");
        assert_eq!(before_elements(".at[].x"), ".at");
    }
}
