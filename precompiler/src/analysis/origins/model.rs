//! What is known of where values come from.

use std::collections::{BTreeMap, BTreeSet};

use super::search::{Search, Sought};
use super::wholes::{Kinds, Wholes};
use crate::analysis::allocators::FixedHeap;
use crate::analysis::handles::REQUEST;
use crate::analysis::memory::{CellId, ObjectId};
use crate::analysis::points_to::PointsTo;
use crate::catalog::Catalogue;
use crate::dataflow::steps::{RoutineId, Steps, TextPlace, ValueId};
use crate::program::Program;

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// It is the descriptor of a file with a name.
    File,
    /// A handle of this type.
    Handle(String),
    /// A number for something that this function makes, and makes again.
    Number(String),
    /// A number that this function gave: it is good for this process only.
    Process(String),
    /// A pointer that lies before the beginning of its memory.
    Before,
    /// A pointer that was made of numbers only; only while these are sought.
    Made,
    /// A pointer that may have been one to what holds pointers; only while these are sought. In memory: as what it is stored there.
    Whole(Kinds),
    /// A whole address, or a piece of one, that was made a number here; only while numbers that depend on addresses are sought.
    Address(TextPlace),
    /// What lies where a number that depends on addresses has put it, or a pointer to such a place; an address was made a number
    /// here.
    Arranged(TextPlace),
    /// A number that depends on addresses and is none; an address was made a number here.
    Computed(TextPlace),
}

impl Origin {
    /// The name of the handle's type, or of the function that gave the number.
    pub fn name(&self) -> &str {
        match self {
            Origin::File => "open",
            Origin::Before
            | Origin::Made
            | Origin::Whole(_)
            | Origin::Address(_)
            | Origin::Arranged(_)
            | Origin::Computed(_) => "-",
            Origin::Handle(name) | Origin::Number(name) | Origin::Process(name) => name,
        }
    }

    /// Whether an item restores what the value stands for: the file of a descriptor when it is a `file(…)`, the memory behind
    /// a pointer when it says how far behind it that begins (`p[1:n]`), and requests, of which none is in flight at a checkpoint.
    pub fn comes_back(&self, is_file: bool, is_behind: bool) -> bool {
        match self {
            Origin::File => is_file,
            Origin::Handle(name) => name == REQUEST,
            Origin::Before => is_behind,
            Origin::Number(_)
            | Origin::Process(_)
            | Origin::Made
            | Origin::Whole(_)
            | Origin::Address(_)
            | Origin::Arranged(_)
            | Origin::Computed(_) => false,
        }
    }

    /// Where the address was made a number on which it depends.
    pub fn root(&self) -> Option<TextPlace> {
        match self {
            Origin::Address(root) | Origin::Arranged(root) | Origin::Computed(root) => Some(*root),
            _ => None,
        }
    }

    /// Whether it fits only the addresses of this process.
    pub fn depends_on_addresses(&self) -> bool {
        matches!(self, Origin::Arranged(_) | Origin::Computed(_))
    }
}

/// What holds such values.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    pub(super) cells: BTreeMap<CellId, Origin>,
    pub(super) places: BTreeMap<CellId, TextPlace>,
    perhaps_before: BTreeMap<CellId, TextPlace>,
    perhaps_computed: BTreeMap<CellId, TextPlace>,
    made: BTreeSet<CellId>,
    /// What is perhaps read from a pointer as a number: the struct or union, in words, by the place where it is read.
    pub(super) read_from: BTreeMap<TextPlace, String>,
    /// Values that are pointers through which bytes of pointers may be read; only while these are sought.
    pub(super) wholes: Wholes,
    /// Bytes are read where pointers are.
    pub(super) reads_bytes: bool,
}

impl Origins {
    /// Finds them. `begins` tells whether a value leads to the beginning of a block, or lies before one.
    pub fn of(
        program: &Program,
        catalogue: &Catalogue,
        steps: &Steps,
        points_to: &PointsTo,
        fixed_heap: &FixedHeap,
        begins: &dyn Fn(RoutineId, ValueId) -> bool,
    ) -> Origins {
        let search =
            |sought| Search::run(program, catalogue, steps, (points_to, fixed_heap), sought);
        let mut found = search(Sought::Values(begins));
        let befores = search(Sought::Back).places.into_iter();
        let befores = befores.filter(|(cell, _)| found.cells.get(cell) != Some(&Origin::Before));
        found.perhaps_before = befores.collect();
        found.made = search(Sought::Made).cells.into_keys().collect();
        let mut wholes = None;
        let mut dependent = search(Sought::Addresses {
            perhaps: false,
            wholes: None,
        });
        if dependent.reads_bytes {
            wholes = Some(search(Sought::Wholes).wholes);
            dependent = search(Sought::Addresses {
                perhaps: false,
                wholes: wholes.as_ref(),
            });
        }
        if !dependent.read_from.is_empty() {
            let perhaps = search(Sought::Addresses {
                perhaps: true,
                wholes: wholes.as_ref(),
            });
            let more = perhaps.cells.into_iter().filter(|(cell, origin)| {
                let sure = dependent.cells.get(cell);
                origin.depends_on_addresses() && !sure.is_some_and(Origin::depends_on_addresses)
            });
            let more = more.filter_map(|(cell, origin)| Some((cell, origin.root()?)));
            found.perhaps_computed = more.collect();
            found.read_from = perhaps.read_from;
        }
        for (cell, origin) in dependent.cells {
            if origin.depends_on_addresses() && !found.cells.contains_key(&cell) {
                found.cells.insert(cell, origin);
                let place = dependent.places.get(&cell);
                found.places.extend(place.map(|place| (cell, *place)));
            }
        }
        found
    }

    /// Where what is in a cell comes from.
    pub fn in_cell(&self, cell: CellId) -> Option<&Origin> {
        self.cells.get(&cell)
    }

    /// Where it is put there.
    pub fn place(&self, cell: CellId) -> Option<TextPlace> {
        self.places.get(&cell).copied()
    }

    /// The cells with pointers that may lie before their memory, as far as can be seen, and where they are put there.
    pub fn perhaps_before(&self) -> &BTreeMap<CellId, TextPlace> {
        &self.perhaps_before
    }

    /// The cells with numbers that depend on addresses if what is read at this place, as a number, is a part of a pointer.
    pub fn perhaps_computed(&self) -> &BTreeMap<CellId, TextPlace> {
        &self.perhaps_computed
    }

    /// The struct or union from which a number is read at such a place, in words.
    pub fn read_from(&self, place: TextPlace) -> Option<&str> {
        self.read_from.get(&place).map(String::as_str)
    }

    /// The cells with pointers that were made of numbers.
    pub fn made(&self) -> &BTreeSet<CellId> {
        &self.made
    }

    /// Whether some part of an object holds such a value. Descriptors do not count: they have registers of their own.
    pub fn are_in(&self, points_to: &PointsTo, object: ObjectId) -> bool {
        let mut cells = points_to.cells(object);
        cells.any(|cell| self.in_cell(cell).is_some_and(|one| *one != Origin::File))
    }
}
