//! Questions about pointers and their answers.

use crate::analysis::memory::{CellId, CellSet, Memory, ObjectId};
use crate::catalog::Catalogue;
use crate::dataflow::steps::{Call, Location, RoutineId, Steps, TextPlace, ValueId, VariableId};
use crate::program::Program;

/// Whose values are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Those of a function.
    Routine(RoutineId),
    /// Those of the initialisers of a unit ([`Steps::initial`]).
    Initial(usize),
}

impl From<RoutineId> for Scope {
    fn from(routine: RoutineId) -> Scope {
        Scope::Routine(routine)
    }
}

/// The cells that an access touches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// Those that are seen, in ascending order.
    pub cells: Vec<CellId>,
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
    UnknownFunction(String),
    /// It can be reached by name from code outside.
    Shared,
    /// Pointers to it are computed as integers, or byte by byte.
    Arithmetic(TextPlace),
}

/// What pointers may point to.
#[derive(Debug, Default)]
pub struct PointsTo {
    /// All memory, as cells.
    pub memory: Memory,
    escaped: CellSet,
}

impl PointsTo {
    /// Looks at a program.
    pub fn of(_program: &Program, _steps: &Steps, _catalogue: &Catalogue) -> PointsTo {
        PointsTo::default()
    }

    /// The cells that an access to a place may touch.
    pub fn touched(&self, _scope: impl Into<Scope>, _place: &Location) -> Touched {
        Touched::default()
    }

    /// The memory that a pointer leads to when a library function is handed it: `bytes` from there, or when that is not
    /// known, all of the array (or object) that it points into.
    pub fn behind(
        &self,
        _scope: impl Into<Scope>,
        _value: ValueId,
        _bytes: Option<u64>,
    ) -> Touched {
        Touched::default()
    }

    /// The size of what a value points to, by its type before it became `void *`; none when that is not known.
    pub fn size_of_pointee(&self, _scope: impl Into<Scope>, _value: ValueId) -> Option<u64> {
        None
    }

    /// Where a value may point to: the first cell there.
    pub fn targets(
        &self,
        _scope: impl Into<Scope>,
        _value: ValueId,
    ) -> impl Iterator<Item = CellId> + '_ {
        std::iter::empty()
    }

    /// Where a pointer that is stored in a cell may point to: the first cell there.
    pub fn pointees(&self, _cell: CellId) -> impl Iterator<Item = CellId> + '_ {
        std::iter::empty()
    }

    /// All cells that can be reached from some, through however many pointers; these included, and with a cell its
    /// whole object.
    pub fn reachable(&self, from: impl IntoIterator<Item = CellId>) -> CellSet {
        let mut set = CellSet::with_capacity(self.memory.cells.len());
        set.extend(from.into_iter().map(|cell| cell.0 as usize));
        set
    }

    /// What code that is not seen may touch.
    pub fn escaped(&self) -> &CellSet {
        &self.escaped
    }

    /// What a call may call.
    pub fn callees(&self, _scope: impl Into<Scope>, _call: &Call) -> Callees {
        Callees::default()
    }

    /// The object of a variable.
    pub fn variable(&self, _variable: VariableId) -> Option<ObjectId> {
        None
    }

    /// The object that stands for what a library keeps, by its name with `@`.
    pub fn library(&self, _state: &str) -> Option<ObjectId> {
        None
    }

    /// The objects that a call of a library function allocates: those of this place in this function.
    pub fn allocated(&self, _routine: RoutineId, _call: TextPlace) -> Vec<ObjectId> {
        Vec::new()
    }

    /// The cells of an object.
    pub fn cells(&self, object: ObjectId) -> impl Iterator<Item = CellId> + use<> {
        let object = &self.memory.objects[object.0 as usize];
        (object.first.0..object.first.0 + object.count).map(CellId)
    }

    /// A cell as the user would write it: `solver.u[]`, `heap@heat.c:14[]`.
    pub fn cell_name(&self, cell: CellId) -> String {
        self.memory.cells[cell.0 as usize].path.clone()
    }

    /// What keeps the analysis from knowing more about a cell.
    pub fn why(&self, _cell: CellId) -> Vec<Why> {
        Vec::new()
    }
}
