//! Questions about pointers and their answers.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::misfits::Misfits;
use super::solver::Solver;
use super::teams::Teams;
use super::touch::{Found, FoundKey, Gathered, TouchedKey};
use crate::analysis::memory::{
    CellId, CellSet, LayoutId, Layouts, Memory, ObjectId, ObjectKind, Shape,
};
use crate::analysis::unknown::{DeclaredFunction, Use};
use crate::catalog::Catalogue;
use crate::dataflow::steps::{
    Call, Called, FunctionTarget, Routine, RoutineId, StepKind, Steps, TextPlace, TypeRef, ValueId,
    VariableId,
};
use crate::program::{Program, TypeId, Unit};
use crate::solver::{closure, reached};
use crate::source::Span;

/// Whose values are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Those of a function.
    Routine(RoutineId),
    /// Those of the initialisers of a unit ([`Steps::initial`]).
    Initial(usize),
}

impl Scope {
    /// The steps in which the values are set.
    pub fn steps(self, all: &Steps) -> &Routine {
        match self {
            Scope::Routine(id) => all.routine(id),
            Scope::Initial(unit) => &all.initial[unit],
        }
    }
}

impl From<RoutineId> for Scope {
    fn from(routine: RoutineId) -> Scope {
        Scope::Routine(routine)
    }
}

/// The cells that an access touches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// Those that are seen, in ascending order. Equal lists are the same list, and it lives as long as the analysis.
    pub cells: Rc<[CellId]>,
    /// It is surely exactly these cells of one object, all of each: a write to them leaves nothing of what they held.
    pub exact: bool,
    /// Memory of code that is not seen may be meant, too (its cell is among `cells`).
    pub unknown: bool,
}

/// What a call may call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Callees {
    /// Functions of the files given, in ascending order.
    pub routines: Vec<RoutineId>,
    /// Functions that are defined elsewhere, by their names, in ascending order.
    pub named: Vec<String>,
    /// It may be any function that code outside can know.
    pub unknown: bool,
}

impl Callees {
    /// The one function that is called, and is in the files given.
    pub fn only_routine(&self) -> Option<RoutineId> {
        match self.routines.as_slice() {
            [routine] if self.named.is_empty() && !self.unknown => Some(*routine),
            _ => None,
        }
    }

    /// The one function that is called, and is defined elsewhere.
    pub fn only_named(&self) -> Option<&str> {
        match self.named.as_slice() {
            [name] if self.routines.is_empty() && !self.unknown => Some(name),
            _ => None,
        }
    }
}

/// Why little is known about a cell.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// It stands for a whole object that is used under types that do not fit each other.
    Collapsed {
        /// Where.
        at: TextPlace,
        /// Under which type.
        used_as: String,
    },
    /// It escaped to this function, which nothing is known of.
    MentionedFunction(String),
    /// It can be reached by name from code outside.
    Shared,
    /// Pointers to it are computed as integers, or byte by byte.
    Arithmetic(TextPlace),
}

/// Room for the sets while a program is being solved.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// So many words of sets are stored at most.
    pub words: usize,
    /// A pointer with so many of them has what is read and stored through it from the pointer that it has them from; of no
    /// meaning for the answers.
    pub few: usize,
}

impl Default for Room {
    /// Half a gigabyte.
    fn default() -> Room {
        Room {
            words: 30_000_000,
            few: 4,
        }
    }
}

/// What pointers may point to.
#[derive(Debug, Default)]
pub struct PointsTo {
    /// All memory, as cells.
    pub memory: Memory,
    pub(super) teams: Teams,
    pub(super) misfits: Misfits,
    pub(super) escaped: CellSet,
    pub(super) escaped_cells: Vec<CellId>,
    pub(super) layouts: Layouts,
    pub(super) object_layouts: Vec<LayoutId>,
    pub(super) sets: Vec<Vec<CellId>>,
    pub(super) values: FxHashMap<Scope, Vec<u32>>,
    pub(super) contents: Vec<u32>,
    pub(super) sizes: FxHashMap<Scope, Vec<u32>>,
    pub(super) variables: FxHashMap<VariableId, ObjectId>,
    pub(super) by_kind: FxHashMap<ObjectKind, ObjectId>,
    pub(super) allocated: FxHashMap<(RoutineId, TextPlace), Vec<ObjectId>>,
    pub(super) names: Vec<String>,
    pub(super) why: FxHashMap<ObjectId, Vec<Why>>,
    pub(super) unknown_functions: Vec<String>,
    /// `main` is given and every function that is called is known: nothing that is not given stores a pointer.
    pub(super) is_closed: bool,
    /// Code that we do not see can name functions and variables of the program.
    pub(super) is_open: bool,
    pub(super) declared: BTreeMap<String, DeclaredFunction>,
    pub(super) within: BTreeMap<TextPlace, CellId>,
    pub(super) recursive: BTreeSet<RoutineId>,
    /// What accesses are that somebody has asked for.
    pub(super) found: RefCell<FxHashMap<FoundKey, Rc<Found>>>,
    /// The lists of cells in what is touched.
    pub(super) lists: RefCell<FxHashSet<Rc<[CellId]>>>,
    /// What places behind pointers touch that somebody has asked for.
    pub(super) touched: RefCell<FxHashMap<TouchedKey, Touched>>,
    /// What library functions may touch that are handed a pointer, by what that points to and how many bytes.
    pub(super) behind: RefCell<FxHashMap<(u32, Option<u64>), Touched>>,
}

/// The cell of memory that we do not see.
pub(super) const UNKNOWN: CellId = CellId(0);

impl PointsTo {
    /// Calls that copy as much as the run counts out of an array in a struct, or into one: the array, behind which there are pointers.
    pub fn within_arrays(&self) -> &BTreeMap<TextPlace, CellId> {
        &self.within
    }

    /// Looks at a program.
    pub fn of(program: &Program, steps: &Steps, catalogue: &Catalogue) -> PointsTo {
        PointsTo::within(Room::default(), program, steps, catalogue)
    }

    /// The same with less room. When there is too little, pointers may lead to anything that escaped, and everything has
    /// escaped.
    pub fn within(room: Room, program: &Program, steps: &Steps, catalogue: &Catalogue) -> PointsTo {
        let solver = Solver::new(program, steps, catalogue, room);
        solver.solve().freeze()
    }

    /// What escaped, functions left out.
    pub(super) fn escaped_memory(&self) -> impl Iterator<Item = CellId> + '_ {
        let is_memory = |cell: &&CellId| {
            let object = self.memory.cells[cell.0 as usize].object;
            let kind = &self.memory.objects[object.0 as usize].kind;
            !matches!(kind, ObjectKind::Function(_))
        };
        self.escaped_cells.iter().filter(is_memory).copied()
    }

    pub(super) fn layout_of(&self, object: ObjectId) -> LayoutId {
        self.object_layouts[object.0 as usize]
    }

    pub(super) fn set(&self, scope: Scope, value: ValueId) -> &[CellId] {
        let set = self.sets.get(self.set_number(scope, value) as usize);
        set.map_or(&[], Vec::as_slice)
    }

    /// The number of the set; the first one is empty.
    pub(super) fn set_number(&self, scope: Scope, value: ValueId) -> u32 {
        let all = self.values.get(&scope);
        let set = all.and_then(|all| all.get(value.0 as usize));
        set.copied().unwrap_or(0)
    }

    /// The texts of the program to which a value points, one at least; none where it may point to something else.
    pub fn texts_behind(&self, scope: impl Into<Scope>, value: ValueId) -> Option<Vec<TextPlace>> {
        let touched = self.behind(scope, value, None);
        let text = |cell: &CellId| {
            let object = self.memory.cells[cell.0 as usize].object;
            match &self.memory.objects[object.0 as usize].kind {
                ObjectKind::Text(at) => Some(*at),
                _ => None,
            }
        };
        let texts = touched.cells.iter().map(text).collect::<Option<Vec<_>>>()?;
        (!touched.unknown && !texts.is_empty()).then_some(texts)
    }

    /// The memory that a pointer leads to when a library function is handed it: `bytes` from there, or when that is not
    /// known, all of the array (or the rest of the object) that it points into.
    pub fn behind(&self, scope: impl Into<Scope>, value: ValueId, bytes: Option<u64>) -> Touched {
        let scope = scope.into();
        let key = (self.set_number(scope, value), bytes);
        if let Some(behind) = self.behind.borrow().get(&key) {
            return behind.clone();
        }
        let mut touched = Gathered::default();
        let targets = self.set(scope, value);
        for target in targets {
            if *target == UNKNOWN {
                touched.unknown = true;
                touched.cells.push(UNKNOWN);
                touched.cells.extend(self.escaped_memory());
                continue;
            }
            let object = self.memory.cells[target.0 as usize].object;
            let one = &self.memory.objects[object.0 as usize];
            if matches!(one.kind, ObjectKind::Function(_)) {
                continue;
            }
            let layout = self.layout_of(object);
            if one.collapsed.is_some() {
                touched.cells.push(one.first);
                continue;
            }
            let from = target.0 - one.first.0;
            let bits = bytes.map(|bytes| bytes.saturating_mul(8));
            let part = bits.and_then(|bits| self.layouts.only_part(layout, from, bits));
            if let Some(count) = part {
                touched
                    .cells
                    .extend((target.0..target.0 + count).map(CellId));
                touched.exact = targets.len() == 1 && one.is_single;
                continue;
            }
            let leaves: Vec<u32> = match bits {
                Some(bits) if one.count > 1 => {
                    let low = self.layouts.get(layout).leaves[from as usize].offset;
                    self.layouts.touched(layout, low, low.saturating_add(bits))
                }
                _ => self.layouts.around(layout, from).collect(),
            };
            let leaves = leaves.into_iter().filter(|leaf| *leaf < one.count);
            touched
                .cells
                .extend(leaves.map(|leaf| CellId(one.first.0 + leaf)));
        }
        let behind = touched.touched(&self.lists);
        self.behind.borrow_mut().insert(key, behind.clone());
        behind
    }

    /// The size in bytes of what a value points to, by its type before it became `void *`; none when that is not known.
    pub fn size_of_pointee(&self, scope: impl Into<Scope>, value: ValueId) -> Option<u64> {
        let sizes = self.sizes.get(&scope.into())?;
        let size = *sizes.get(value.0 as usize)?;
        (size > 0).then_some(u64::from(size))
    }

    /// The size in bytes of an object; of the heap: of one element.
    pub fn size_of(&self, object: ObjectId) -> Option<u64> {
        let layout = self.layouts.get(self.layout_of(object));
        let bits = match (&self.memory.objects[object.0 as usize].kind, &layout.shape) {
            (ObjectKind::Heap { .. }, Shape::Array(element, _)) => self.layouts.get(*element).size,
            _ => layout.size,
        };
        bits.map(|bits| bits / 8)
    }

    /// Whether a block of the heap holds one element, and nothing behind it.
    pub fn holds_one(&self, object: ObjectId) -> bool {
        let layout = self.layouts.get(self.layout_of(object));
        matches!(layout.shape, Shape::Array(_, Some(1)))
    }

    /// The layout of what the arrays of an object consist of, and its size in bytes.
    pub fn element(&self, object: ObjectId) -> (LayoutId, Option<u64>) {
        let layout = self.layouts.element(self.layout_of(object));
        let bits = self.layouts.get(layout).size;
        (layout, bits.map(|bits| bits / 8))
    }

    /// The types of the program with their layouts: types that look alike have the same.
    pub fn types(&self) -> impl Iterator<Item = (TypeRef, LayoutId)> + '_ {
        self.layouts.types()
    }

    /// Where a value may point to: the first cell there.
    pub fn targets(
        &self,
        scope: impl Into<Scope>,
        value: ValueId,
    ) -> impl Iterator<Item = CellId> + '_ {
        self.widened(self.set(scope.into(), value))
    }

    /// Where a pointer that is stored in a cell may point to: the first cell there.
    pub fn pointees(&self, cell: CellId) -> impl Iterator<Item = CellId> + '_ {
        let set = self.contents.get(cell.0 as usize);
        let set = set.and_then(|id| self.sets.get(*id as usize));
        self.widened(set.map_or(&[], Vec::as_slice))
    }

    /// Cells with the same number hold pointers to the same cells.
    pub fn pointees_number(&self, cell: CellId) -> u32 {
        self.contents.get(cell.0 as usize).copied().unwrap_or(0)
    }

    /// A pointer to memory that we do not see may be one to what escaped.
    fn widened<'a>(&'a self, set: &'a [CellId]) -> impl Iterator<Item = CellId> + 'a {
        let is_unknown = set.first() == Some(&UNKNOWN);
        let more: &[CellId] = if is_unknown { &self.escaped_cells } else { &[] };
        set.iter().chain(more).copied()
    }

    /// All cells that can be reached from some, through however many pointers; these included, and with a cell its
    /// whole object.
    pub fn reachable(&self, from: impl IntoIterator<Item = CellId>) -> CellSet {
        self.reachable_through(from, |_| true)
    }

    /// The same where only some pointers are followed.
    pub fn reachable_through(
        &self,
        from: impl IntoIterator<Item = CellId>,
        is_followed: impl Fn(CellId) -> bool,
    ) -> CellSet {
        let memory = &self.memory;
        let object = |cell: CellId| memory.cells[cell.0 as usize].object.0 as usize;
        let unknown = object(UNKNOWN);
        let mut sets_seen = BTreeSet::new();
        let first = from.into_iter().map(object);
        let objects = reached(memory.objects.len(), first, |one, open| {
            // What escaped leads to nothing but what escaped.
            for inside in self.cells(ObjectId(one as u32)).filter(|_| one != unknown) {
                let set = self.contents[inside.0 as usize];
                if is_followed(inside) && sets_seen.insert(set) {
                    open.extend(self.sets[set as usize].iter().copied().map(object));
                }
            }
        });
        let mut reached = CellSet::with_capacity(memory.cells.len());
        for (one, _) in objects.iter().enumerate().filter(|(_, is_in)| **is_in) {
            match one == unknown {
                true => reached.union_with(&self.escaped),
                false => {
                    let cells = self.cells(ObjectId(one as u32));
                    cells.for_each(|cell| reached.insert(cell.0 as usize));
                }
            }
        }
        reached
    }

    /// What code that is not seen may touch.
    pub fn escaped(&self) -> &CellSet {
        &self.escaped
    }

    /// What a call may call.
    pub fn callees(&self, scope: impl Into<Scope>, call: &Call) -> Callees {
        let mut callees = Callees::default();
        match &call.callee {
            Called::Routine(id) => callees.routines.push(*id),
            Called::Named(name) => callees.named.push(name.clone()),
            Called::Pointer(value) => {
                let scope = scope.into();
                for cell in self.targets(scope, *value) {
                    callees.unknown |= cell == UNKNOWN;
                    let object = self.memory.cells[cell.0 as usize].object;
                    match &self.memory.objects[object.0 as usize].kind {
                        ObjectKind::Function(FunctionTarget::Routine(id)) => {
                            let may_be = self.misfits.allow((scope, call.result), *id);
                            callees.routines.extend(may_be.then_some(*id));
                        }
                        ObjectKind::Function(FunctionTarget::Named(name)) => {
                            callees.named.push(name.clone());
                        }
                        _ => {}
                    }
                }
                // Nothing that we see is ever stored there: then the call does not happen, or what we do not see stores it.
                let is_none = callees.routines.is_empty() && callees.named.is_empty();
                callees.unknown |= is_none && !self.is_closed;
                callees.routines.sort_unstable();
                callees.routines.dedup();
                callees.named.sort_unstable();
                callees.named.dedup();
            }
        }
        callees
    }

    /// The functions of the program that a part of a function calls.
    pub fn called_in(
        &self,
        steps: &Steps,
        id: RoutineId,
        is_inside: impl Fn(Span) -> bool,
    ) -> Vec<RoutineId> {
        let mut called = Vec::new();
        steps.routine(id).walk(&mut |step| {
            if let StepKind::Call(call) = &step.kind
                && is_inside(step.span)
            {
                called.extend(self.callees(id, call).routines);
            }
        });
        called
    }

    /// These functions, and all that they call.
    pub fn called_from(
        &self,
        steps: &Steps,
        first: impl IntoIterator<Item = RoutineId>,
    ) -> BTreeSet<RoutineId> {
        closure(first, |id, open| {
            open.extend(self.called_in(steps, id, |_| true))
        })
        .collect()
    }

    /// The object of a variable.
    pub fn variable(&self, variable: VariableId) -> Option<ObjectId> {
        self.variables.get(&variable).copied()
    }

    /// The object that stands for what a library keeps, by its name with `@`.
    pub fn library(&self, state: &str) -> Option<ObjectId> {
        if state == "@escaped" {
            return Some(ObjectId(0));
        }
        let kind = ObjectKind::Library(state.to_string());
        self.by_kind.get(&kind).copied()
    }

    /// The objects that a call of a library function allocates: those of this place in this function.
    pub fn allocated(&self, routine: RoutineId, call: TextPlace) -> Vec<ObjectId> {
        let all = self.allocated.get(&(routine, call));
        all.cloned().unwrap_or_default()
    }

    /// Functions that may be active more than once at a time.
    pub fn is_recursive(&self, routine: RoutineId) -> bool {
        self.recursive.contains(&routine)
    }

    /// What threads of teams have, and where they are.
    pub fn teams(&self) -> &Teams {
        &self.teams
    }

    /// Functions that are called and that nothing is known of, in ascending order.
    pub fn unknown_functions(&self) -> &[String] {
        &self.unknown_functions
    }

    /// Whether code that we do not see can name functions and variables of the program.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// What an unknown function does with an argument of a type.
    pub fn takes(&self, function: &str, parameter: usize, given: (&Unit, TypeId)) -> Use {
        let declared = self.declared.get(function);
        declared.map_or(Use::Anything, |one| one.takes(parameter, Some(given)))
    }

    /// The cells of an object.
    pub fn cells(&self, object: ObjectId) -> impl Iterator<Item = CellId> + use<> {
        let object = &self.memory.objects[object.0 as usize];
        (object.first.0..object.first.0 + object.count).map(CellId)
    }

    /// An object as the user would write it: `solver`, `heap@heat.c:14`.
    pub fn object_name(&self, object: ObjectId) -> &str {
        &self.names[object.0 as usize]
    }

    /// A cell as the user would write it: `solver.u[]`, `heap@heat.c:14[]`.
    pub fn cell_name(&self, cell: CellId) -> String {
        let one = &self.memory.cells[cell.0 as usize];
        format!("{}{}", self.object_name(one.object), one.path)
    }

    /// What keeps the analysis from knowing more about a cell.
    pub fn why(&self, cell: CellId) -> Vec<Why> {
        let object = self.memory.cells[cell.0 as usize].object;
        self.why.get(&object).cloned().unwrap_or_default()
    }
}
