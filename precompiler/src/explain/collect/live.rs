//! Rows of what is registered, and of what is live and not registered.

use super::amounts::Amounts;
use super::extents::spelling;
use super::items::KnownItem;
use super::places::{directive, place};
use super::report::Found;
use crate::analysis::completeness::{
    Cure as Wanted, Decision, DirectivePlace, How, LiveLocation, Need,
};
use crate::analysis::liveness::Witness;
use crate::analysis::memory::{CellId, ObjectKind};
use crate::dataflow::FunctionRef;
use crate::dataflow::steps::{TextPlace, VariableId, VariableKind};
use crate::explain::report::{Conservative, Cure, Place, Reason, Row, Verdict, What};
use crate::explain::size::{Amount, Sizes};
use crate::program::{ItemPlace, Storage};

/// The reads of so many cells are compared.
const ASKED: usize = 16;

/// A checkpoint with what was found for it.
pub struct Here<'a> {
    /// What was found.
    pub found: &'a Found<'a>,
    /// The function of the checkpoint.
    pub function: &'a str,
    /// Its directive.
    pub directive: Option<DirectivePlace>,
    /// Its number in the liveness.
    pub index: Option<usize>,
    /// What is live.
    pub locations: &'a [LiveLocation],
}

impl Here<'_> {
    fn at(&self, at: TextPlace) -> Place {
        place(self.found.analysed.program, at)
    }

    fn read(&self, witness: Option<Witness>) -> Reason {
        match witness {
            Some(witness) => Reason::Read {
                read: self.at(witness.read),
                through: witness.through.iter().map(|&one| self.at(one)).collect(),
            },
            None => Reason::MayBeRead,
        }
    }

    /// The nearest read of these cells: the one with the fewest calls and returns on the way, of the first that are read.
    fn witness(&self, cells: &[CellId]) -> Option<Witness> {
        let reads = { self.found.analysed.liveness }.why_all_live(self.index?, cells);
        { cells.iter() }
            .filter_map(|cell| reads.get(cell))
            .take(ASKED)
            .min_by_key(|witness| witness.through.len())
            .cloned()
    }

    /// What was assumed about these cells.
    pub fn assumed(&self, cells: &[CellId]) -> Vec<Conservative> {
        let Some(index) = self.index else {
            return Vec::new();
        };
        let mut all: Vec<Conservative> = cells
            .iter()
            .flat_map(|&cell| self.found.analysed.liveness.conservative(index, cell))
            .map(|one| Conservative {
                because: one.reason,
                lift: one.lift,
                place: one.place.map(|at| self.at(at)),
            })
            .collect();
        all.sort();
        all.dedup();
        all
    }
}

/// A row per item that the checkpoint holds; several directives for one name share it.
pub fn registered(here: &Here, held: &[KnownItem], sizes: &mut Sizes) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut done: Vec<(&str, &str)> = Vec::new();
    for one in held {
        let key = (one.function(), one.item.name.as_str());
        if done.contains(&key) {
            continue;
        }
        done.push(key);
        let group: Vec<&KnownItem> = held
            .iter()
            .filter(|other| (other.function(), other.item.name.as_str()) == key)
            .collect();
        rows.push(item_row(here, &group, sizes));
    }
    rows
}

fn item_row(here: &Here, group: &[&KnownItem], sizes: &mut Sizes) -> Row {
    let program = here.found.analysed.program;
    let cells: Vec<CellId> = here
        .locations
        .iter()
        .filter(|location| {
            matches!(&location.decision, Decision::Held(How::Registered(item))
                if group.iter().any(|one| one.at == *item))
        })
        .flat_map(|location| location.cells.clone())
        .collect();
    let need = here
        .found
        .analysed
        .completeness
        .items
        .iter()
        .filter(|check| group.iter().any(|one| one.at == check.item))
        .map(|check| &check.need)
        .max_by_key(|need| match need {
            Need::Removable => 0,
            Need::Unknown => 1,
            Need::Needed { .. } => 2,
        });
    let (verdict, reason) = match (cells.is_empty(), need) {
        (false, _) => (Verdict::Saved, here.read(here.witness(&cells))),
        (true, Some(Need::Removable)) => (Verdict::Removable, Reason::NeverRead),
        // A block that runs again reads it.
        (true, Some(Need::Needed { checkpoint, by })) if Some(*checkpoint) == here.directive => (
            Verdict::Saved,
            here.read(by.read(here.found.analysed.liveness)),
        ),
        (true, Some(Need::Needed { checkpoint, .. })) => (
            Verdict::Saved,
            Reason::Elsewhere {
                checkpoint: directive(program, checkpoint.unit, checkpoint.id),
            },
        ),
        (true, Some(Need::Unknown) | None) => (Verdict::Saved, Reason::Registered),
    };
    // The largest is shown.
    let (one, bytes) = group
        .iter()
        .map(|one| {
            let recursive = one.directive.function.is_some_and(|function| {
                let routine = here.found.analysed.steps.routine_of(FunctionRef {
                    unit: one.at.directive.unit,
                    function,
                });
                here.found.analysed.points_to.is_recursive(routine)
            });
            let amount = one.amount(
                here.found.analysed.catalogue,
                here.function,
                recursive,
                sizes,
            );
            (*one, amount)
        })
        .max_by_key(|(_, amount)| amount.rank())
        .unwrap_or((group[0], Amount::default()));
    let symbol = &one.unit.symbols[one.item.symbol.0];
    let what = match one.item.kind {
        ItemPlace::BehindPointer | ItemPlace::Indirect => What::Heap,
        ItemPlace::Object => of_storage(
            symbol.storage,
            symbol.parameter.is_some(),
            symbol.function.is_some(),
        ),
    };
    let register = one.register(program);
    Row {
        name: register.item,
        members: Vec::new(),
        what,
        function: (what != What::Global).then(|| one.function().to_string()),
        type_name: spelling(one.unit, one.item.element),
        declared: Some(here.at(TextPlace {
            unit: one.at.directive.unit,
            span: symbol.declared,
        })),
        verdict,
        reason,
        cure: None,
        changed: None,
        registers: group.iter().map(|one| one.register(program)).collect(),
        bytes,
        conservative: here.assumed(&cells),
    }
}

fn of_storage(storage: Storage, parameter: bool, in_function: bool) -> What {
    match storage {
        Storage::Automatic | Storage::Register if parameter => What::Parameter,
        Storage::Automatic | Storage::Register => What::Local,
        _ if in_function => What::StaticLocal,
        _ => What::Global,
    }
}

/// What a variable is.
pub fn what(found: &Found, variable: VariableId) -> What {
    let facts = found.analysed.steps.variable(variable);
    of_storage(
        facts.storage,
        matches!(facts.kind, VariableKind::Parameter(_)),
        facts.owner.is_some(),
    )
}

/// A row without reason and verdict for cells of one object.
pub fn blank(found: &Found, name: String, cells: &[CellId]) -> Row {
    let memory = &found.analysed.points_to.memory;
    let mut row = Row {
        name,
        members: Vec::new(),
        what: What::Heap,
        function: None,
        type_name: String::new(),
        declared: None,
        verdict: Verdict::NotSaved,
        reason: Reason::Unknown,
        cure: None,
        changed: None,
        registers: Vec::new(),
        bytes: Amount::default(),
        conservative: Vec::new(),
    };
    let Some(cell) = cells
        .first()
        .and_then(|cell| memory.cells.get(cell.0 as usize))
    else {
        return row;
    };
    let object = &memory.objects[cell.object.0 as usize];
    let ty = match (cells.len(), &object.kind) {
        (1, ObjectKind::Heap { .. }) => cell.ty.or(object.ty),
        (1, _) if object.count > 1 => cell.ty,
        _ => object.ty,
    };
    if let Some(ty) = ty
        && let Some(unit) = found.analysed.program.units.get(ty.unit)
    {
        row.type_name = spelling(unit, ty.id);
    }
    match &object.kind {
        ObjectKind::Variable(variable) => {
            let facts = found.analysed.steps.variable(*variable);
            row.what = what(found, *variable);
            row.function = facts
                .owner
                .map(|owner| found.analysed.steps.routine(owner).name.clone());
            row.declared = Some(place(found.analysed.program, facts.declared));
        }
        ObjectKind::Heap { call, .. } => {
            row.declared = Some(place(found.analysed.program, *call));
        }
        ObjectKind::Library(_) => row.what = What::Library,
        _ => {}
    }
    row
}

/// Rows of what is live and held in another way than by a register, or missing.
pub fn not_registered(here: &Here, amounts: &mut Amounts) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for location in here.locations {
        let mut row = blank(here.found, location.name.clone(), &location.cells);
        match &location.decision {
            Decision::Held(How::Registered(_)) => continue,
            Decision::Held(how) => row.reason = held(here, how),
            Decision::Missing(missing) => {
                row.verdict = Verdict::Missing;
                row.reason = match &missing.read {
                    Some(read) => here.read(Some(read.clone())),
                    None => here.read(here.witness(&location.cells)),
                };
                row.changed = missing.changed.map(|at| here.at(at));
                row.cure = Some(cure(here, &missing.cure));
            }
        }
        if let Some(frame) = location.frame {
            row.function = Some(here.found.analysed.steps.routine(frame).name.clone());
        }
        // In a recursion the same location is told of in each of its activations.
        let known = |other: &Row| {
            other.name == row.name
                && other.function == row.function
                && other.declared == row.declared
                && other.verdict == row.verdict
        };
        if rows.iter().any(known) {
            continue;
        }
        row.bytes = amounts.cells(&location.cells);
        row.conservative = here.assumed(&location.cells);
        rows.push(row);
    }
    rows
}

fn held(here: &Here, how: &How) -> Reason {
    match how {
        How::Registered(_) => Reason::Registered,
        How::ReExecuted(block) => Reason::ReExecuted {
            block: directive(here.found.analysed.program, block.unit, block.id),
        },
        How::RebuiltBeforeInit => Reason::BeforeInit,
        How::Unchanged => Reason::Unchanged,
        How::Constant => Reason::Constant,
        How::Parameter => Reason::Parameter,
        How::SetUp => Reason::SetUp,
        How::FixedHeap => Reason::FixedHeap,
        How::Library => Reason::Library,
    }
}

fn cure(here: &Here, wanted: &Wanted) -> Cure {
    match wanted {
        Wanted::Register { item, after, .. } => Cure::Register {
            item: item.clone(),
            after: after.map(|at| here.at(at)),
        },
        Wanted::RegisterEach { item, after, .. } => Cure::Register {
            item: item.clone(),
            after: Some(*after).map(|at| here.at(at)),
        },
        Wanted::Execute { made, .. } | Wanted::Compute { made } => Cure::Execute {
            made: made.map(|at| here.at(at)),
        },
        Wanted::Ahead { item } => Cure::Register {
            item: item.clone(),
            after: None,
        },
        // As in the help of the check, which says what these are.
        Wanted::Moving { .. } => Cure::Register {
            item: "state[size]".to_string(),
            after: None,
        },
        Wanted::Nothing => Cure::Nothing,
        Wanted::OtherThreads => Cure::OtherThreads,
        Wanted::Numbers { item } => Cure::Numbers { item: item.clone() },
    }
}
