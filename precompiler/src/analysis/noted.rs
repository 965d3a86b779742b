//! Handles of MPI and objects of other libraries that come back by themselves: whether a program wants that, and what makes some that do not.
//!
//! In: all files. Out: whether a register of the program holds communicators, groups, datatypes, operations or persistent requests,
//! in itself or in the memory that it brings, or the fixed heap may; then calls that make them are noted (`grammar`'s `HANDLES`). Errors
//! fall on the side of noting too many: a handle that a block makes is left to the block.

use std::collections::{BTreeSet, HashSet};

use cccp_grammar::{
    Brings, HANDLE_TYPES, HANDLES, OF_GENERATORS, OPENING_ZLIB, READING_ZLIB, STATE_OF_GENERATORS,
    STATE_OF_ZLIB, WISDOM, is_seen, makes_again, makes_plan, of_fftw,
};

use super::finding::Finding;
use super::handles::{REQUEST, are_addresses, is_made_last, makes_persistent_requests, named};
use super::memory::ObjectId;
use super::points_to::PointsTo;
use super::unknown::{MentionedFunction, mentioned_functions};
use super::uses::library_names;
use crate::catalog::{Catalogue, Role};
use crate::dataflow::steps::{Call, RoutineId, StepKind, Steps, TextPlace};
use crate::diagnostic::Code;
use crate::program::{Directive, Program, TypeId, TypeKind, Unit};
use crate::source::Span;

/// Functions with a pointer to a handle that make none.
const HARMLESS: [&str; 1] = ["MPI_Type_commit"];

/// Whether a register of the program holds such handles, or its fixed heap may.
pub fn is_wanted(program: &Program, catalogue: &Catalogue) -> bool {
    if program.has_fixed_heap() && suits_fixed_heap(program, catalogue) {
        return true;
    }
    let mut registers = program.units.iter().flat_map(|unit| {
        let items = unit.directives.iter().flat_map(|one| match &one.directive {
            Directive::Register { items } => items.as_slice(),
            _ => &[],
        });
        items.map(move |item| (unit, item))
    });
    let requests_last = makes_persistent_requests(program, catalogue);
    registers.any(|(unit, item)| {
        let mut holding = Holding {
            catalogue,
            unit,
            requests_last,
            known: HashSet::new(),
        };
        match item.brings {
            Brings::Everything => holding.holds(item.element, usize::MAX),
            Brings::Block => holding.holds(item.element, 1),
            _ => holding.holds(item.element, 0),
        }
    })
}

/// Whether handles of MPI in a fixed heap come back by themselves: the run finds those there that are addresses, and knows all that
/// the program makes.
pub fn suits_fixed_heap(program: &Program, catalogue: &Catalogue) -> bool {
    program.units.iter().any(|unit| unit.uses_mpi)
        && are_addresses(program)
        && unnoted(program, catalogue).is_empty()
}

/// Whether a file has calls that are noted.
pub fn makes(unit: &Unit) -> bool {
    let mut found = false;
    library_names(unit, &mut |name, _| {
        found |= HANDLES.binary_search(&name).is_ok();
    });
    found
}

/// The functions of MPI that make such handles and are not noted.
pub fn unnoted(program: &Program, catalogue: &Catalogue) -> Vec<MentionedFunction> {
    let is_other = |name: &str| name.starts_with("MPI_") && HANDLES.binary_search(&name).is_err();
    let mut found = mentioned_functions(program, &is_other);
    found.retain(|one| {
        let unit = &program.units[one.unit];
        let ty = one.symbol.map(|symbol| unit.symbols[symbol.0].ty);
        let stored = |ty: TypeId| {
            let target = unit.pointee(ty);
            target.is_some_and(|target| {
                let names = &unit.ty(target).library_names;
                !unit.ty(target).qualifiers.is_const
                    && names
                        .iter()
                        .any(|name| name != REQUEST && HANDLE_TYPES.contains(&name.as_str()))
            })
        };
        // A request that is complete at a checkpoint is none there.
        let known = catalogue.find(&one.name);
        let is_persistent = known.is_some_and(|function| function.is(Role::Persistent));
        let makes = match ty.map(|ty| unit.kind(ty)) {
            Some(TypeKind::Function { parameters, .. }) => {
                parameters.iter().any(|one| stored(*one))
            }
            _ => false,
        };
        (makes || is_persistent) && !HARMLESS.contains(&one.name.as_str())
    });
    found
}

/// What a file calls of FFTW, GSL, zlib and the like that the library has to see, in the order of names, and with it what it calls itself where something
/// is made. Not what the program has of these libraries in its own files.
pub fn of_libraries(program: &Program, unit: &Unit) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let is_own = |name: &str| {
        let mut functions = program.units.iter().flat_map(|unit| &unit.functions);
        functions.any(|one| one.name == name)
    };
    library_names(unit, &mut |name, _| {
        if (is_seen(name) || is_execute(name)) && !is_own(name) {
            found.insert(name.to_string());
        }
    });
    let makers = found.iter().filter(|name| makes_plan(name));
    let precisions: BTreeSet<&str> = makers.filter_map(|name| Some(of_fftw(name)?.0)).collect();
    for precision in precisions {
        found.extend(WISDOM.iter().map(|name| format!("{precision}{name}")));
    }
    if OPENING_ZLIB.iter().any(|name| found.contains(*name)) && reads_zlib(program) {
        found.extend(STATE_OF_ZLIB.iter().map(|name| (*name).to_string()));
    }
    if OF_GENERATORS.iter().any(|name| found.contains(*name)) {
        // A restart makes them with it.
        found.insert(OF_GENERATORS[0].to_string());
        found.extend(STATE_OF_GENERATORS.iter().map(|name| (*name).to_string()));
    }
    found
}

/// Whether a program reads files of zlib: then it is linked with what reads them.
fn reads_zlib(program: &Program) -> bool {
    let mut found = false;
    for unit in &program.units {
        library_names(unit, &mut |name, _| {
            found |= READING_ZLIB.contains(&name);
        });
    }
    found
}

/// Whether a function executes a plan on the arrays for which it was made.
pub fn is_execute(name: &str) -> bool {
    of_fftw(name).is_some_and(|(_, rest)| rest == "execute")
}

/// The functions that make plans of FFTW, generators of GSL and files of zlib and are not seen.
pub fn unseen(program: &Program) -> Vec<MentionedFunction> {
    let mut found = mentioned_functions(program, &|name| !makes_again(name));
    found.retain(|one| {
        let unit = &program.units[one.unit];
        let ty = one.symbol.map(|symbol| unit.symbols[symbol.0].ty);
        match ty.map(|ty| unit.kind(ty)) {
            Some(TypeKind::Function { result, .. }) => is_made_last(unit, *result),
            _ => false,
        }
    });
    found
}

/// What these functions make.
pub fn made_unseen(program: &Program, steps: &Steps, points_to: &PointsTo) -> BTreeSet<ObjectId> {
    let functions = unseen(program);
    if functions.is_empty() {
        return BTreeSet::new();
    }
    let is_one = |name: &String| functions.iter().any(|one| one.name == *name);
    made_by(steps, points_to, |_, _, named| named.iter().any(is_one))
}

/// What zlib writes, of which only zlib knows what is not in the file yet: files that are opened with modes which are texts of the program
/// and ask for that. Others are looked at in the run.
pub fn written_by_zlib(
    program: &Program,
    steps: &Steps,
    points_to: &PointsTo,
) -> BTreeSet<ObjectId> {
    let opens = |name: &str| OPENING_ZLIB.contains(&name);
    if mentioned_functions(program, &opens).is_empty() {
        return BTreeSet::new();
    }
    let writes = |at: &TextPlace| {
        let text = program.units[at.unit].file.preprocessed_text(at.span);
        text.contains(['w', 'a', '+'])
    };
    made_by(steps, points_to, |routine, call, named| {
        let texts = call.arguments.get(1);
        let texts = texts.and_then(|mode| points_to.texts_behind(routine, mode.value));
        named.iter().any(|name| opens(name)) && texts.is_some_and(|all| all.iter().all(writes))
    })
}

/// What calls make that are such: in this function, with what they may call.
fn made_by(
    steps: &Steps,
    points_to: &PointsTo,
    is_one: impl Fn(RoutineId, &Call, &[String]) -> bool,
) -> BTreeSet<ObjectId> {
    let mut made = BTreeSet::new();
    for routine in steps.routine_ids() {
        let unit = steps.routine(routine).function.unit;
        steps.routine(routine).walk(&mut |step| {
            if let StepKind::Call(call) = &step.kind
                && is_one(routine, call, &points_to.callees(routine, call).named)
            {
                let span = step.span;
                made.extend(points_to.allocated(routine, TextPlace { unit, span }));
            }
        });
    }
    made
}

/// Whether a place is in the text of a block that every restart executes.
pub fn is_in_block(unit: &Unit, place: Span) -> bool {
    unit.directives.iter().any(|one| {
        let end = one.partner.map(|end| &unit.directives[end.0]);
        matches!(one.directive, Directive::ExecuteOnRestart { .. })
            && one.span.start < place.start
            && end.is_some_and(|end| place.end <= end.span.start)
    })
}

/// What is said of one of them where handles have to come back by themselves: a warning where somebody else may make it again.
pub fn finding(one: &MentionedFunction, by_hand: bool) -> Finding {
    let words = format!("what `{}` makes is not restored by itself", one.name);
    match by_hand {
        true => Finding::warning(Code::UNSAVABLE, words),
        false => Finding::error(Code::AUTO_NOT_SAVED, words),
    }
    .at(one.place, one.span)
    .label("this handle is not noted")
    .reason("such handles in registers are made again from what the library knows of the calls that made them, and it does not know this one")
    .help("make the handle in an `execute on restart` block")
}

/// Looks into types.
struct Holding<'a> {
    catalogue: &'a Catalogue,
    unit: &'a Unit,
    /// Some requests are persistent: they are there at a checkpoint.
    requests_last: bool,
    known: HashSet<TypeId>,
}

impl Holding<'_> {
    /// Whether a value of the type holds a handle, or memory behind so many pointers.
    fn holds(&mut self, ty: TypeId, pointers: usize) -> bool {
        if let Some(name) = named(self.catalogue, self.unit, ty) {
            return HANDLE_TYPES.contains(&name) && (name != REQUEST || self.requests_last);
        }
        let unit = self.unit;
        match unit.kind(ty) {
            TypeKind::Array { element, .. } => self.holds(*element, pointers),
            TypeKind::Pointer(target) => {
                pointers > 0 && self.known.insert(*target) && self.holds(*target, pointers - 1)
            }
            TypeKind::Record(record) => {
                let members = unit.records[record.0].members.iter().flatten();
                let types: Vec<TypeId> = members.map(|member| member.ty).collect();
                types.into_iter().any(|ty| self.holds(ty, pointers))
            }
            _ => false,
        }
    }
}
