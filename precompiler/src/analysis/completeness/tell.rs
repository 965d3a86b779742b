//! What the check says to the user.

use std::collections::BTreeSet;

use super::model::{
    BlockCheck, CheckpointCheck, Completeness, Cure, Decision, DirectivePlace, ItemCheck,
    LiveLocation, Misfit, Missing, Need,
};
use crate::analysis::analysed::{directive_place, message_place};
use crate::analysis::liveness::Witness;
use crate::analysis::origins::Origin;
use crate::dataflow::steps::{
    Called, Routine, RoutineId, StepKind, Steps, TextPlace, VariableKind,
};
use crate::diagnostic::{Code, Diagnostic, Place, Severity};
use crate::program::{Directive, DirectiveUse, Item, ItemPlace, Program, Stands};
use crate::source::Span;

/// Items that put fewer bytes than this into a checkpoint are not worth a word.
const WORTH_A_WORD: u64 = 1024;

/// What sets where a file goes on, or where it ends.
const PLACING: [&str; 10] = [
    "fseek",
    "fseeko",
    "fsetpos",
    "ftruncate",
    "lseek",
    "MPI_File_seek",
    "MPI_File_seek_shared",
    "MPI_File_set_size",
    "MPI_File_set_view",
    "truncate",
];

/// Diagnostics, in the order of the checkpoints. `denied`: what is missing is an error.
pub fn diagnostics(
    program: &Program,
    steps: &Steps,
    completeness: &Completeness,
    denied: bool,
) -> Vec<Diagnostic> {
    let telling = Telling { program, steps };
    let mut all = Vec::new();
    if let Some(why) = &completeness.unfinished {
        all.extend(unfinished(program, why, denied));
    }
    let found = forgotten(program, completeness);
    for one in &found {
        let mut diagnostic = telling.missing(one);
        if denied {
            diagnostic.severity = Severity::Error;
        }
        if all.is_empty() && completeness.has_unseen_code {
            let unseen = "functions that are not among the files given are not seen: what they set or register is not known here";
            let reason = diagnostic.reason.take();
            diagnostic.reason = Some(match reason {
                Some(reason) => format!("{reason}\n{unseen}"),
                None => unseen.to_string(),
            });
        }
        all.push(diagnostic);
    }
    for item in &completeness.items {
        if let Some(misfit) = &item.length.misfit {
            all.extend(telling.misfit(item, misfit, denied));
        }
    }
    let named: BTreeSet<&str> = found.iter().map(|one| one.name).collect();
    for block in &completeness.blocks {
        for (name, read) in &block.missing {
            if !named.contains(name.as_str()) {
                all.push(telling.block(block, name, *read, denied));
            }
        }
        for (name, read, set) in &block.superseded {
            all.push(telling.superseded(block, name, *read, *set));
        }
        for (name, read, register) in &block.set_back {
            all.push(telling.set_back(block, name, *read, *register));
        }
        for (name, read, change) in &block.later {
            // Auto mode refuses those that it has written.
            // What the block changes itself, and memory without a name, is that of a library most often.
            let is_own = change.unit == read.unit && change.span.contains(read.span);
            if !telling.is_added(block.directive)
                && !is_own
                && !name.contains('…')
                && !telling.is_element(*read)
                && !telling.is_for_a_file(*read)
            {
                all.push(telling.later(block, name, *read, *change));
            }
        }
    }
    for item in &completeness.items {
        let small = match item.bytes.number {
            Some(bytes) => bytes < WORTH_A_WORD,
            None => !telling.has_computed_extents(item.item),
        };
        if item.need == Need::Removable && !small && !completeness.has_unseen_code {
            all.extend(telling.removable(item));
        }
    }
    all
}

/// Nothing was checked: said at the first checkpoint.
fn unfinished(program: &Program, why: &str, denied: bool) -> Option<Diagnostic> {
    let mut all = program.units.iter().flat_map(|unit| {
        let own = unit.directives.iter();
        own.map(move |directive| (unit, directive))
    });
    let (unit, directive) =
        all.find(|(_, one)| matches!(one.directive, Directive::Checkpoint { .. }))?;
    let message = "what a restart needs could not be found out";
    let mut diagnostic =
        Diagnostic::warning(Code::NOT_REGISTERED, directive_place(unit, directive), message)
            .label("nothing was checked for this checkpoint and the others")
            .reason(why.to_string())
            .help("prove restarts with `cccp-run --prove`, which shows registers that are missing; or give the precompiler fewer files in one call");
    if denied {
        diagnostic.severity = Severity::Error;
    }
    Some(diagnostic)
}

/// Something that is forgotten, once for all checkpoints: a location, or several members of one variable.
struct Forgotten<'a> {
    name: &'a str,
    /// The members, when there are several.
    members: Vec<&'a str>,
    /// What brings each of them back.
    items: Vec<&'a str>,
    check: &'a CheckpointCheck,
    location: &'a LiveLocation,
    missing: &'a Missing,
    /// Further checkpoints.
    more: BTreeSet<DirectivePlace>,
}

fn forgotten<'a>(program: &Program, completeness: &'a Completeness) -> Vec<Forgotten<'a>> {
    let mut found: Vec<Forgotten> = Vec::new();
    let stands = |check: &CheckpointCheck| stands(program, check.directive).is_some();
    // What is missing at a checkpoint is said there, not where other threads stand meanwhile.
    let mut checks: Vec<&CheckpointCheck> = completeness.checkpoints.iter().collect();
    checks.sort_by_key(|check| stands(check));
    for check in checks {
        for location in &check.locations {
            let Decision::Missing(missing) = &location.decision else {
                continue;
            };
            let name = match location.name.split_once('.') {
                _ if missing.empty.is_some() => location.name.as_str(),
                _ if missing.block.is_some() => missing.block.as_deref().unwrap_or_default(),
                // Only members of a variable that is a struct: not memory, not what a pointer points to.
                Some((variable, member))
                    if !variable.contains("->") && !member.ends_with("[…]") =>
                {
                    variable
                }
                _ => location.name.as_str(),
            };
            let item = match &missing.cure {
                Cure::Register { item, .. } => item.as_str(),
                _ => location.name.as_str(),
            };
            // A member comes back with its block, and the memory to which it points by itself.
            let own = (missing.block.is_none() || item.ends_with(']')).then_some(item);
            let items = missing.block.as_deref().into_iter().chain(own);
            let of_threads = |missing: &Missing| missing.cure == Cure::OtherThreads;
            let known = found.iter_mut().find(|one| {
                one.name == name
                    && one.location.frame == location.frame
                    && of_threads(one.missing) == of_threads(missing)
                    && one.missing.empty == missing.empty
            });
            match known {
                Some(known) => {
                    if known.check.directive != check.directive && !stands(check) {
                        known.more.insert(check.directive);
                    }
                    if !known.members.contains(&location.name.as_str()) {
                        known.members.push(&location.name);
                        for item in items {
                            if !known.items.contains(&item) {
                                known.items.push(item);
                            }
                        }
                    }
                }
                None => found.push(Forgotten {
                    name,
                    members: vec![&location.name],
                    items: items.collect(),
                    check,
                    location,
                    missing,
                    more: BTreeSet::new(),
                }),
            }
        }
    }
    for one in &mut found {
        if let [only] = one.members[..] {
            one.name = only;
            one.members.clear();
        }
    }
    found
}

fn stands(program: &Program, place: DirectivePlace) -> Option<Stands> {
    let directive = &program.units[place.unit].directives[place.id.0];
    directive.directive.stands()
}

struct Telling<'a> {
    program: &'a Program,
    steps: &'a Steps,
}

impl Telling<'_> {
    fn directive(&self, place: DirectivePlace) -> &DirectiveUse {
        &self.program.units[place.unit].directives[place.id.0]
    }

    fn item(&self, place: super::model::ItemPlaceInProgram) -> Option<&Item> {
        match &self.directive(place.directive).directive {
            Directive::Register { items } => items.get(place.index),
            _ => None,
        }
    }

    /// Whether an item has as many elements as the program computes.
    fn has_computed_extents(&self, place: super::model::ItemPlaceInProgram) -> bool {
        let item = self.item(place);
        item.is_some_and(|item| item.extents.iter().any(|extent| extent.value.is_none()))
    }

    fn at_directive(&self, place: DirectivePlace) -> Place {
        directive_place(&self.program.units[place.unit], self.directive(place))
    }

    fn at(&self, place: TextPlace) -> Place {
        message_place(self.program, place)
    }

    fn line(&self, place: TextPlace) -> usize {
        let file = &self.program.units[place.unit].file;
        file.origin_text(place.span.start).1
    }

    fn missing(&self, one: &Forgotten) -> Diagnostic {
        let (name, location, missing) = (one.name, one.location, one.missing);
        let at = match stands(self.program, one.check.directive) {
            Some(Stands::Barrier) => {
                "at this barrier, where a thread may wait while others take a checkpoint,"
            }
            Some(Stands::Lock) => {
                "before this lock is taken, where a thread may wait while others take a checkpoint,"
            }
            None => "at this checkpoint",
        };
        let message = format!("`{name}` is live {at} but neither registered nor re-executed");
        let what = match one.members[..] {
            [] => format!("`{name}`"),
            [first, second] => format!("`{first}` and `{second}`"),
            [first, second, ref others @ ..] => {
                format!("`{first}`, `{second}` and {} more members", others.len())
            }
            [only] => format!("`{only}`"),
        };
        let place = self.at_directive(one.check.directive);
        let mut diagnostic = match (&missing.cure, &missing.empty) {
            (Cure::Nothing, _) => {
                let message = "the sequence of random numbers does not continue after a restart";
                Diagnostic::warning(Code::HIDDEN_STATE, place, message)
                    .label("the C library keeps their state, and only GNU's gives it away")
            }
            (Cure::Moving { name, reads, .. }, _) => {
                let (message, label) = match reads {
                    true => (
                        format!("how far `{name}` was read is not restored"),
                        format!(
                            "a restart from here opens `{name}` again, and it is read from its beginning"
                        ),
                    ),
                    false => (
                        format!("what `{name}` has drawn is not restored"),
                        format!(
                            "a restart from here makes `{name}` again, and its sequence begins anew"
                        ),
                    ),
                };
                Diagnostic::warning(Code::NOT_REGISTERED, place, message).label(label)
            }
            (Cure::OtherThreads, _) => Diagnostic::warning(
                Code::OTHER_THREADS,
                place,
                format!("each thread has its own `{name}`, and other threads read theirs after this checkpoint"),
            )
            .label(format!("a restart from here restores {what} of the initial thread only")),
            (Cure::Numbers { item }, _) => {
                let message = format!("`{name}` is saved as a number, with `{item}`");
                Diagnostic::warning(Code::NOT_REGISTERED, place, message).label(format!(
                    "a restart from here has the address that {what} was, and nothing lies there"
                ))
            }
            (_, Some(Origin::Before)) => {
                let message = format!("`{name}` points before the memory that it belongs to");
                Diagnostic::warning(Code::NOT_REGISTERED, place, message)
                    .label(format!("a restart from here does not know what {what} has to do with"))
            }
            (_, Some(Origin::Arranged(_) | Origin::Computed(_))) => {
                let message = format!("`{name}` depends on where memory lies");
                Diagnostic::warning(Code::NOT_REGISTERED, place, message).label(format!(
                    "a restart from here has {what} as it was, and all addresses are others"
                ))
            }
            (_, Some(origin)) => {
                let message = match origin {
                    Origin::File => format!(
                        "`{name}` holds the descriptor of a file that is not open after a restart"
                    ),
                    _ => format!(
                        "`{name}` holds what `{}` gave, which is gone after a restart",
                        origin.name()
                    ),
                };
                Diagnostic::warning(Code::NOT_REGISTERED, place, message).label(format!(
                    "a restart from here has the value of {what}, and nothing behind it"
                ))
            }
            _ => Diagnostic::warning(Code::NOT_REGISTERED, place, message)
                .label(format!("a restart from here does not restore {what}")),
        };
        if let Some(witness) = &missing.read {
            diagnostic = diagnostic.also(self.at(witness.read), self.read_label(witness));
        }
        if let Some(changed) = missing.changed
            && missing.read.as_ref().is_none_or(|one| one.read != changed)
        {
            let label = match missing.empty {
                Some(Origin::Before | Origin::Computed(_)) => "it is computed here",
                Some(Origin::Arranged(_)) => {
                    "a number that is computed from an address chooses the place here"
                }
                Some(_) => "it comes from here",
                None => "changed here",
            };
            diagnostic = diagnostic.also(self.at(changed), label);
        }
        let mut reasons = Vec::new();
        match missing.empty {
            Some(Origin::Before) => reasons.push(
                "pointers are saved as places in what is restored, and this one is in none of it"
                    .to_string(),
            ),
            Some(Origin::Arranged(_) | Origin::Computed(_)) => reasons.push(
                "a hash of an address, a part of it, the distance of two blocks: none of them is the same in a restarted process"
                    .to_string(),
            ),
            Some(_) => reasons.push(
                "its register saves the value only, and that means something in this process only"
                    .to_string(),
            ),
            None => {}
        }
        if let (Some(frame), Some(call)) = (location.frame, location.call) {
            reasons.push(format!(
                "it is a local of `{}`, whose call in line {} leads to the checkpoint",
                self.steps.routine(frame).name,
                self.line(call)
            ));
        }
        if !one.more.is_empty() {
            let lines: Vec<String> = one
                .more
                .iter()
                .map(|place| self.directive(*place).line.to_string())
                .collect();
            let word = if one.more.len() == 1 { "line" } else { "lines" };
            reasons.push(format!(
                "the same at the checkpoint in {word} {}",
                lines.join(", ")
            ));
        }
        if !reasons.is_empty() {
            diagnostic = diagnostic.reason(reasons.join("\n"));
        }
        let mut cure = missing.cure.clone();
        if let (Cure::Register { item, .. }, true) = (
            &mut cure,
            missing.block.is_some() || !one.members.is_empty(),
        ) {
            *item = one.items.join(", ");
        }
        diagnostic.help(self.cure(location, &cure))
    }

    fn read_label(&self, witness: &Witness) -> String {
        let in_block = witness.through.iter().any(|place| {
            let unit = &self.program.units[place.unit];
            let mut directives = unit.directives.iter();
            directives.any(|one| {
                one.span == place.span
                    && matches!(one.directive, Directive::ExecuteOnRestart { .. })
            })
        });
        if in_block {
            "read here, when the block is executed on restart".to_string()
        } else {
            "read here".to_string()
        }
    }

    fn cure(&self, location: &LiveLocation, cure: &Cure) -> String {
        match cure {
            Cure::Register { item, after, .. } => {
                let is_memory = item.ends_with("[…]");
                let place = match (location.frame, location.call) {
                    (Some(frame), Some(call)) => {
                        let function = &self.steps.routine(frame).name;
                        format!("to `{function}`, before line {}", self.line(call))
                    }
                    (Some(_), None) => "before the checkpoint".to_string(),
                    (None, _) => match after {
                        Some(after) if is_memory => {
                            format!("after line {}, where it is allocated", self.line(*after))
                        }
                        _ if self.of_each_thread(location) => {
                            "behind its declaration, where each thread that comes there registers its own"
                                .to_string()
                        }
                        _ => "between `init` and the checkpoint".to_string(),
                    },
                };
                let count = if is_memory {
                    "; `…` stands for the number of elements"
                } else {
                    ""
                };
                // Pointers to blocks of pointers: no one item has brackets for them.
                if let Some(pointer) = item.strip_suffix("[…][…]").filter(|one| !one.contains('[')) {
                    return format!("add `#pragma cccp register(follow({pointer}))` {place}");
                }
                format!("add `#pragma cccp register({item})` {place}{count}")
            }
            Cure::RegisterEach { item, after, .. } => format!(
                "there may be many of these blocks, and each is needed: add `#pragma cccp register({item})` after line {}, in a function that is called once for each of them (in one call a name stands for one register)",
                self.line(*after)
            ),
            Cure::Execute { superseded: true, .. } => "what makes it runs again in a loop around the checkpoint, and of such a block only the latest execution does: begin it with `#pragma cccp execute on restart each`, so that all do".to_string(),
            Cure::Execute { made, .. } => {
                let at =
                    made.map_or_else(String::new, |made| format!(" (line {})", self.line(made)));
                format!(
                    "a handle cannot be saved: put what makes it{at} between `#pragma cccp execute on restart` and `#pragma cccp end execute`"
                )
            }
            Cure::Ahead { item } => format!(
                "register the memory by this pointer, and say how far behind it it begins: `#pragma cccp register({item})`, as in `p[1:n]`; or keep the pointer to its beginning in a variable and use that"
            ),
            Cure::Compute { .. } => "compute it from something that lasts, as an index or a name; or compute it again between `#pragma cccp execute on restart` and `#pragma cccp end execute`, behind the registers of what it is computed from".to_string(),
            Cure::Nothing => "include <stdlib.h>, which shows whether this is the GNU C library; with another one use `drand48`, or keep the state in a variable (`erand48`, a generator of the program's own) and register that".to_string(),
            Cure::Numbers { item } => format!(
                "write `heap(fixed)` behind `#pragma cccp init`, which saves allocated memory as it is, and register pointers alone; or allocate by itself what `{item}` has room for, and register it by pointers of its types"
            ),
            Cure::Moving { name, in_block: false, .. } => format!(
                "write `#pragma cccp register({name})` behind `init`: it comes back as it was"
            ),
            Cure::Moving { name, reads: true, .. } => format!(
                "take what opens it out of the block and register `{name}`: it comes back at its place"
            ),
            Cure::Moving { name, .. } => format!(
                "take what makes it out of the block and register `{name}`: it comes back with its state; or make it in the block with `state = gsl_rng_state({name})` (an `unsigned char *`) and `size = gsl_rng_size({name})`, and add `#pragma cccp register(state[size])` behind the block"
            ),
            Cure::OtherThreads if self.of_each_thread(location) => format!(
                "add `#pragma cccp register({})` behind its declaration, where each thread that comes there registers its own, for checkpoints in \
                 the same region; for one outside of regions declare it outside of the function, and put the checkpoint into a region of its own \
                 in which each thread registers its copy",
                location.name
            ),
            Cure::OtherThreads => format!(
                "put the checkpoint into a region of its own, with as many threads as the others, in which each thread registers its copy: `#pragma omp parallel`, `{{`, `#pragma cccp register({})`, `#pragma cccp checkpoint`, `}}`; or use an array with one element per thread, which is registered",
                location.name
            ),
        }
    }

    fn block(&self, block: &BlockCheck, name: &str, read: TextPlace, denied: bool) -> Diagnostic {
        let message = format!("`{name}` has no value when this block is executed on restart");
        let (label, help) = match block.late.contains(name) {
            true => (
                "its register ends with its function, comes again behind the block, or another one takes its place, before a checkpoint",
                format!(
                    "put the block between the register and the checkpoint, or keep what it needs of `{name}` in a variable of the file that is registered once, before the block and outside of its loop, and not changed later"
                ),
            ),
            false => (
                "nothing that a restart does before this block sets it",
                format!("register `{name}` before the block, or set it in a block before this one"),
            ),
        };
        let place = self.at_directive(block.directive);
        let mut diagnostic = Diagnostic::warning(Code::BLOCK_READS, place, message)
            .label(label)
            .also(self.at(read), "read here")
            .help(help);
        if denied {
            diagnostic.severity = Severity::Error;
        }
        diagnostic
    }

    /// Whether it is a variable of a function of which each thread has one for good.
    fn of_each_thread(&self, location: &LiveLocation) -> bool {
        let root = location.root.map(|root| self.steps.variable(root));
        root.is_some_and(|one| {
            let is_own = one.per_thread || one.kind == VariableKind::OtherThreads;
            is_own && one.owner.is_some()
        })
    }

    fn is_added(&self, DirectivePlace { unit, id }: DirectivePlace) -> bool {
        let unit = &self.program.units[unit];
        unit.file.is_added(unit.directives[id.0].lines.start)
    }

    /// Whether an element of an array is read: it may be another one than is changed.
    fn is_element(&self, read: TextPlace) -> bool {
        let file = &self.program.units[read.unit].file;
        file.preprocessed_text(read.span).contains('[')
    }

    /// Whether what is read may say where a file goes on: that is to be as at the checkpoint.
    fn is_for_a_file(&self, read: TextPlace) -> bool {
        let mut called = BTreeSet::new();
        let units = self.steps.routines.iter();
        let mut here = units.filter(|routine| routine.function.unit == read.unit);
        here.any(|routine| self.places_a_file(routine, Some(read.span), &mut called))
    }

    /// Whether calls in a function that are about a part of its text, or any of them, place a file, or functions do that they call.
    fn places_a_file(
        &self,
        routine: &Routine,
        part: Option<Span>,
        called: &mut BTreeSet<RoutineId>,
    ) -> bool {
        let mut calls = Vec::new();
        routine.walk(&mut |step| {
            if let StepKind::Call(call) = &step.kind
                && part.is_none_or(|part| step.span.contains(part))
            {
                calls.push(&call.callee);
            }
        });
        calls.into_iter().any(|callee| match callee {
            Called::Named(name) => PLACING.contains(&name.as_str()),
            Called::Routine(id) => {
                called.insert(*id) && self.places_a_file(self.steps.routine(*id), None, called)
            }
            Called::Pointer(_) => false,
        })
    }

    fn later(
        &self,
        block: &BlockCheck,
        name: &str,
        read: TextPlace,
        change: TextPlace,
    ) -> Diagnostic {
        let message = format!("a restart executes this block with another `{name}`");
        let place = self.at_directive(block.directive);
        Diagnostic::warning(Code::BLOCK_READS_LATER, place, message)
            .label(format!("in the first run `{name}` has the value of then, on restart that of the checkpoint"))
            .also(self.at(read), "read here")
            .also(self.at(change), "changed here")
            .reason("its register has brought it back by then, as it was at the checkpoint")
            .help(format!(
                "copy `{name}` to a local number before the block, and read that in the block: a restart has it as it was then; \
                 nothing has to be done where the block is to have what there is at the checkpoint"
            ))
    }

    fn superseded(
        &self,
        block: &BlockCheck,
        name: &str,
        read: TextPlace,
        set: TextPlace,
    ) -> Diagnostic {
        let message = format!("a restart executes this block with another `{name}`");
        let place = self.at_directive(block.directive);
        Diagnostic::warning(Code::BLOCK_READS_LATER, place, message)
            .label(format!("`{name}` has what was set in an earlier pass of a loop"))
            .also(self.at(read), "read here")
            .also(self.at(set), "set here, by a block")
            .reason("of a block in a loop around a checkpoint only the latest execution runs again")
            .help("begin these blocks with `#pragma cccp execute on restart each`: then all their executions run again")
    }

    fn set_back(
        &self,
        block: &BlockCheck,
        name: &str,
        read: TextPlace,
        register: TextPlace,
    ) -> Diagnostic {
        let message = format!("a restart executes this block with another `{name}`");
        let place = self.at_directive(block.directive);
        Diagnostic::warning(Code::BLOCK_READS_LATER, place, message)
            .label(format!("sets `{name}`, which is registered by then: when all blocks have run, it points to the memory of its register again"))
            .also(self.at(register), "registered here")
            .also(self.at(read), "a block reads it here, and what it makes keeps the other memory")
            .reason("every register has its value of the checkpoint when a restart resumes")
            .help(format!(
                "leave what sets `{name}` out of the block: its register restores the memory; or register it behind the block: then the memory that is there stays"
            ))
    }

    fn misfit(&self, check: &ItemCheck, misfit: &Misfit, denied: bool) -> Option<Diagnostic> {
        let item = self.item(check.item)?;
        let path = &self.program.units[check.item.directive.unit].file.path;
        let place = Place::Range {
            path: path.clone(),
            range: item.place.start..item.place.end,
        };
        let (name, registered, memory) = (&check.name, &misfit.registered, &misfit.memory);
        let message = match misfit.longer {
            true => format!("the register of `{name}` goes beyond the end of its memory"),
            false => format!("the register of `{name}` leaves out a part of its memory"),
        };
        let mut diagnostic = Diagnostic::warning(Code::WRONG_LENGTH, place, message).label(
            format!("registers `{registered}`, where there are `{memory}`"),
        );
        if let Some(at) = misfit.at {
            diagnostic = diagnostic.also(self.at(at), format!("`{memory}` elements are here"));
        }
        diagnostic = diagnostic.reason(match misfit.longer {
            true => "the run would read what is not its own, and stops at its first checkpoint",
            false => "the rest is in no checkpoint, and a restarted run does not have it",
        });
        let whole = match item.kind == ItemPlace::BehindPointer && check.length.begins {
            true => format!("register what is allocated: `{name}[]` has the length of the block"),
            false => "register as many elements as there are".to_string(),
        };
        diagnostic = diagnostic.help(whole);
        if denied {
            diagnostic.severity = Severity::Error;
        }
        Some(diagnostic)
    }

    fn removable(&self, check: &ItemCheck) -> Option<Diagnostic> {
        let item = self.item(check.item)?;
        let path = &self.program.units[check.item.directive.unit].file.path;
        let place = Place::Range {
            path: path.clone(),
            range: item.place.start..item.place.end,
        };
        let bytes = match check.bytes.number {
            Some(number) => format!("{number} bytes"),
            None => format!("{} bytes", check.bytes.text),
        };
        let message = format!("nothing needs the register of `{}`", check.name);
        Some(
            Diagnostic {
                severity: Severity::Note,
                ..Diagnostic::warning(Code::REMOVABLE, place, message)
            }
            .label(format!("{bytes} in every checkpoint"))
            .reason("after a restart it is set before it is read, or has its value anyway")
            .help("leave it out, and checkpoints are smaller"),
        )
    }
}
