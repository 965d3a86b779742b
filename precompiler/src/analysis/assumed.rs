//! What has to hold for "nothing is missing" to be true, and can be checked neither before a run nor in it.
//!
//! In: a program with checkpoints and all that is known about it. Out: one sentence for each assumption that this program
//! rests on, with the line that makes it matter. A program that rests on none gets none. `ASSUMPTIONS.md` lists all
//! assumptions, those that are checked as well.
//!
//! ```text
//! seed = time(NULL);        results do not depend on what `time` gives
//! ```
//!
//! Errors fall on the side of one sentence too many.

use std::collections::{BTreeMap, BTreeSet};

use super::effects::{ActionKind, Note};
use super::kept_states::{is_of_thread, sets_again, starts};
use super::leads::element;
use super::liveness::CheckpointLive;
use super::memory::CellId;
use super::passing_files::waited_for;
use super::put_back::PutBack;
use super::suspects::member;
use super::threads::{By, Executed};
use super::ways::{Ways, is_in_block, is_in_plain_block};
use super::{Analysed, Finding};
use crate::catalog::{EffectKind, LibraryFunction, Role, Root};
use crate::dataflow::steps::{Call, RoutineId, TextPlace, VariableKind};
use crate::diagnostic::Code;
use crate::program::TypeKind;

/// Something that is assumed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// What: one sentence without a full stop.
    pub what: String,
    /// What to do so that it need not be assumed.
    pub lift: String,
    /// The first line that makes it matter.
    pub place: TextPlace,
    /// How many more there are.
    pub more: usize,
}

const IN_BLOCK: &str =
    "put it between `#pragma cccp execute on restart` and `#pragma cccp end execute`";
const SHARED: i128 = 1;

/// All assumptions of a program, in the order of its text.
pub fn assumptions(facts: &Analysed) -> Vec<Assumption> {
    let mut all = Collected::default();
    if facts.liveness.checkpoints().is_empty() {
        return Vec::new();
    }
    let ways = Ways::of(facts);
    let restored = Restored::of(facts);
    let ended = waited_for(facts);
    for routine in facts.steps.routine_ids() {
        for (place, call) in facts.calls(routine) {
            for name in facts.points_to.callees(routine, call).named {
                if let Some(function) = facts.catalogue.find(&name) {
                    let runs = starts(&function) && !ended.contains(&place);
                    if runs && ways.may_follow(routine, place.span) {
                        runs_beside(&function.name, place, &mut all);
                    }
                    let by = (routine, place, call);
                    library(facts, (&ways, &restored), by, &function, &mut all);
                }
            }
        }
        let unit = facts.unit_index(routine);
        facts.effects.bodies[routine.0 as usize].walk(&mut |action| {
            let span = action.span;
            match &action.kind {
                ActionKind::Note(Note::Unknown(name)) => {
                    unknown(name.as_deref(), TextPlace { unit, span }, &mut all);
                }
                ActionKind::Note(Note::OnceSet) => all.add(
                    TextPlace { unit, span },
                    "the variable with the text has been set before this call: with NULL it would continue with the text of an earlier call".to_string(),
                    "hand over a local pointer that has just been set",
                ),
                _ => {}
            }
        });
    }
    volatiles(facts, &mut all);
    moved_back(facts, &mut all);
    perhaps_computed(facts, &mut all);
    copied_within(facts, &mut all);
    let mut found: Vec<Assumption> = all.0.into_values().collect();
    found.sort_by_key(|one| (one.place.unit, one.place.span.start));
    found
}

/// The same as errors, for who wants to rest on none, with the unit that each is about.
pub fn findings(facts: &Analysed) -> Vec<(usize, Finding)> {
    let all = assumptions(facts).into_iter();
    all.map(|one| {
        let file = &facts.program.units[one.place.unit].file;
        let message = format!("assumed, and not checked: {}", one.what);
        let finding = Finding::error(Code::ASSUMED, message)
            .at(file.message_place(one.place.span), one.place.span)
            .label("this makes it matter")
            .reason("a restart is right only if it holds")
            .help(one.lift);
        (one.place.unit, finding)
    })
    .collect()
}

/// Assumptions by their sentence.
#[derive(Default)]
struct Collected(BTreeMap<String, Assumption>);

impl Collected {
    fn add(&mut self, place: TextPlace, what: String, lift: &str) {
        let one = Assumption {
            what: what.clone(),
            lift: lift.to_string(),
            place,
            more: 0,
        };
        let known = self.0.entry(what);
        known.and_modify(|one| one.more += 1).or_insert(one);
    }
}

/// Something that goes on by itself.
fn runs_beside(name: &str, place: TextPlace, all: &mut Collected) {
    all.add(
        place,
        format!("what `{name}` starts changes nothing that a checkpoint holds while it is taken, and runs again after a restart"),
        "take checkpoints where nothing else runs, and start it in a block that is executed on restart",
    );
}

/// What the catalogue says of a call.
fn library(
    facts: &Analysed,
    (ways, restored): (&Ways, &Restored),
    (routine, place, call): (RoutineId, TextPlace, &Call),
    function: &LibraryFunction,
    all: &mut Collected,
) {
    let name = &function.name;
    if function.is(Role::Maps) && !is_private(facts, routine, call, function) {
        all.add(
            place,
            format!("no other process changes the memory that `{name}` gives access to"),
            "let checkpoints be taken where no other process writes to it",
        );
    }
    if function.is(Role::OneSided) {
        all.add(
            place,
            format!("no window that `{name}` reaches into is accessed while a checkpoint is taken"),
            "take checkpoints where all ranks have completed their accesses",
        );
    }
    if locks_for_the_process(facts, routine, call, function) {
        all.add(
            place,
            format!("the lock that `{name}` takes is not needed from the first checkpoint on"),
            "use `flock` or `F_OFD_SETLK`: such a lock belongs to the open file, and a restart takes it again",
        );
    }
    if depends_on_the_run(function) {
        all.add(
            place,
            format!("results do not depend on what `{name}` gives"),
            "",
        );
    }
    let is_set = sets_again(function)
        && ways.may_follow(routine, place.span)
        && !restored.is_restored(facts, function, (routine, place, call));
    if is_set
        && function.replaces.is_none()
        && is_in_plain_block(facts, routine, place.span)
        && ways.comes_back(routine, place.span)
    {
        all.add(
            place,
            format!("of what `{name}` sets in its library only the latest call is needed after a restart"),
            "begin its block with `#pragma cccp execute on restart each`: then all its executions run again",
        );
    }
    if is_set
        && ways.comes_after_init(routine, place.span)
        && !is_in_block(facts, routine, place.span)
    {
        all.add(
            place,
            format!("what `{name}` sets in its library is not needed after a restart"),
            IN_BLOCK,
        );
    }
}

/// What decides whether the library restores what a call has set for its thread.
struct Restored {
    executed: Executed,
    /// What blocks that are executed on restart need before that.
    put_back: PutBack,
    /// A checkpoint may be taken where threads that have set something wait for their next region, and cannot be asked.
    is_between: bool,
}

impl Restored {
    fn of(facts: &Analysed) -> Restored {
        let executed = Executed::of(facts);
        let mut checkpoints = facts.liveness.checkpoints().iter();
        let is_serial =
            |one: &CheckpointLive| executed.by(facts, one.routine, one.place.span) == By::Nobody;
        Restored {
            is_between: checkpoints.any(is_serial),
            put_back: PutBack::of(facts),
            executed,
        }
    }

    fn is_restored(
        &self,
        facts: &Analysed,
        function: &LibraryFunction,
        (routine, place, call): (RoutineId, TextPlace, &Call),
    ) -> bool {
        let is_of_this_thread = is_of_thread(function)
            && (!self.is_between || self.executed.by(facts, routine, place.span) == By::Nobody);
        self.put_back.is_in_time(facts, (routine, call), function)
            || is_of_this_thread && !self.put_back.has_blocks()
    }
}

/// Whether it is known that no other process sees the memory: `mmap` without MAP_SHARED.
fn is_private(
    facts: &Analysed,
    routine: RoutineId,
    call: &Call,
    function: &LibraryFunction,
) -> bool {
    let flags = function.parameters.iter().position(|one| one == "flags");
    let routine = facts.steps.routine(routine);
    let value = flags.and_then(|position| routine.constant_argument(call, position));
    function.name.starts_with("mmap") && value.is_some_and(|flags| flags & SHARED == 0)
}

/// What locks bytes of a file for the process: the lock ends when any descriptor of the file is closed, by the library, too.
const FOR_THE_PROCESS: [&str; 2] = ["lockf", "lockf64"];

/// `F_SETLK` and `F_SETLKW` of Linux, and with wide numbers.
const SETS_LOCK: [i128; 4] = [6, 7, 13, 14];

/// Whether a call takes such a lock; a command of `fcntl` that is no constant is taken for another one.
fn locks_for_the_process(
    facts: &Analysed,
    routine: RoutineId,
    call: &Call,
    function: &LibraryFunction,
) -> bool {
    let command = facts.steps.routine(routine).constant_argument(call, 1);
    let sets = command.is_some_and(|one| SETS_LOCK.contains(&one));
    let name = function.name.as_str();
    FOR_THE_PROCESS.contains(&name) || matches!(name, "fcntl" | "fcntl64") && sets
}

/// Whether every run gets something else: the time, what the system draws, the number of the process.
fn depends_on_the_run(function: &LibraryFunction) -> bool {
    let hidden = |kind: EffectKind, name: &str| {
        function.effects.iter().any(|effect| {
            effect.kind == kind
                && matches!(&effect.place.root, Root::Hidden(state) if state.trim_start_matches('@') == name)
        })
    };
    let mut effects = function.effects.iter();
    let draws_anew = function.is(Role::Random) && effects.all(|one| one.kind != EffectKind::Reads);
    let identity = hidden(EffectKind::Reads, "processes")
        && !hidden(EffectKind::Writes, "processes")
        && function.roles.is_empty();
    function.is(Role::ReadsClock) || draws_anew || identity
}

/// An unknown function.
fn unknown(name: Option<&str>, place: TextPlace, all: &mut Collected) {
    let who = match name {
        Some(name) => format!("`{name}`, which is in no file given,"),
        None => "what is called through this pointer, which is in no file given,".to_string(),
    };
    all.add(
        place,
        format!("{who} keeps nothing of its own that a restart would need, and changes nothing but what it is handed without `const`"),
        "give the file that defines it in the same call, or its entry in a file for `--catalog`",
    );
}

/// Pointers that may have been moved before their memory, farther than the run can see.
fn moved_back(facts: &Analysed, all: &mut Collected) {
    let moved = facts.completeness.origins.perhaps_before();
    if moved.is_empty() {
        return;
    }
    let checkpoints = facts.liveness.checkpoints().iter();
    for cell in checkpoints.flat_map(|live| live.everywhere()) {
        if let Some(place) = moved.get(&cell) {
            let name = facts.points_to.cell_name(cell).replace("[]", "[…]");
            all.add(
                *place,
                format!("`{name}`, from which something is taken away, leads into its own memory at every checkpoint"),
                "keep the pointer to the beginning of the memory, and subtract where it is used",
            );
        }
    }
}

/// Numbers that depend on addresses if the program reads pointers from unions or structs as numbers.
fn perhaps_computed(facts: &Analysed, all: &mut Collected) {
    let origins = &facts.completeness.origins;
    let computed = origins.perhaps_computed();
    if computed.is_empty() {
        return;
    }
    let checkpoints = facts.liveness.checkpoints().iter();
    let live = checkpoints.flat_map(|live| live.everywhere());
    let roots: BTreeSet<TextPlace> = live
        .filter_map(|cell| computed.get(&cell).copied())
        .collect();
    for root in roots {
        let name = origins.read_from(root).unwrap_or("a union");
        all.add(
            root,
            format!("what is read as a number from {name}, and something is computed from, is no part of a pointer that lies there"),
            "read a pointer as a number by a cast, `(uintptr_t)p`: then what depends on it is found",
        );
    }
}

/// Copies of a length that only the run knows, out of an array in a struct with pointers behind it, or into one.
fn copied_within(facts: &Analysed, all: &mut Collected) {
    let memory = &facts.points_to.memory;
    for (place, cell) in facts.points_to.within_arrays() {
        let one = &memory.cells[cell.0 as usize];
        let ty = memory.objects[one.object.0 as usize].ty;
        let member = ty.and_then(|ty| {
            let unit = &facts.program.units[ty.unit];
            member(unit, element(unit, ty.id), &one.path)
        });
        let array = match member {
            Some((record, Some(member))) => format!("the array `{member}` of `{record}`"),
            _ => "the array in a struct".to_string(),
        };
        all.add(
            *place,
            format!(
                "what is copied here ends where {array} does, and no pointer behind it is copied"
            ),
            "copy each member by itself, or the struct as a whole: `*to = *from`",
        );
    }
}

/// Variables that something outside of the program may change: volatile, and no handler of the program's is the reason.
fn volatiles(facts: &Analysed, all: &mut Collected) {
    for id in facts.steps.variable_ids() {
        let one = facts.steps.variable(id);
        let unit = &facts.program.units[one.ty.unit];
        let mut ty = one.ty.id;
        while let TypeKind::Array { element, .. } = unit.kind(ty) {
            ty = *element;
        }
        let is_named = one.kind == VariableKind::Named && one.is_defined;
        let Some(object) = facts.points_to.variable(id) else {
            continue;
        };
        let mut cells = facts.points_to.cells(object);
        let by_handler = |cell: CellId| {
            let mut all = facts.effects.any_time.iter();
            all.any(|&routine| {
                let writes = &facts.effects.summary(routine).writes;
                writes.contains(cell.0 as usize)
            })
        };
        if is_named && unit.ty(ty).qualifiers.is_volatile && !cells.any(by_handler) {
            all.add(
                one.declared,
                format!(
                    "nothing outside of the program changes `{}`, which is volatile",
                    one.name
                ),
                "",
            );
        }
    }
}
