//! Auto mode: rounds of analysis and annotation until the check is silent.

use std::collections::BTreeSet;

use super::analyses::has_checkpoint;
use super::clock::Clock;
use super::inferred::in_users_words;
use super::options::{HeapChoice, Options};
use super::planned::{lost_arguments, plan_errors};
use super::run::diagnostic;
use crate::analysis::load::{Load, SelectedLoop};
use crate::analysis::{Analysed, analyse, noted};
use crate::auto::{
    At, Findings, Frequency, Insertion, LEFT_OUT, Proposal, UNFINISHED, apart, barriers, complete,
    declarations, functions_written_out, insert, is_made_by_macro, left_out, locals_written_out,
    loops_written_out, merged_tasks, own_regions, registers_before, remaining, replace, shares,
    skeleton, wanted_shares,
};
use crate::catalog::Catalogue;
use crate::dataflow::{check_program, is_whole};
use crate::diagnostic::{Code, Diagnostic, Place, Severity, has_errors};
use crate::program::{Program, Text, load_texts};
use crate::source::{Preprocessor, moved};

/// More rounds than any program needs: each one adds what the one before made necessary.
const ROUNDS: usize = 24;

/// Loops that threads share are written out no more often: what does the most, and then what does much of the rest.
const MOST_WRITTEN: usize = 3;

/// Where more blocks than this would make handles of MPI again, registers of the handles are tried first.
const MOST_BLOCKS: usize = 100;

/// No more loops are tried one by one.
const SINGLY: usize = 4;
/// In programs of no more statements all are.
const FEW_STATEMENTS: usize = 20_000;

/// What auto mode has made of a program.
pub struct Inferred {
    /// With all directives that can be inferred; when there are errors, the one they are about.
    pub program: Program,
    /// What there is to say.
    pub told: Vec<Diagnostic>,
    /// The error because of which loops go without a checkpoint, if some do.
    pub left_out: Option<Diagnostic>,
    /// Other choices of loops were not tried, because of what memory holds: how to go on with them.
    pub pending: Option<Others>,
}

/// Whether other choices of loops are tried where all loops that are worth a checkpoint are refused because of what memory holds.
pub enum Others {
    /// Not yet: with a fixed heap all may be served.
    Later,
    /// Now; what is known of the choice of all of them.
    Now(Option<Box<Refused>>),
}

/// A program that was refused with checkpoints in all loops that are worth one.
pub struct Refused {
    worth: Worth,
    /// The texts before.
    before: Option<Vec<(usize, Text)>>,
    /// And then.
    texts: Vec<(usize, Text)>,
    told: Vec<Diagnostic>,
}

/// Infers directives.
pub fn infer(
    options: &Options,
    catalogue: &Catalogue,
    preprocessor: &Preprocessor,
    program: Program,
    others: Others,
    clock: &mut Clock,
) -> Inferred {
    let (others, known) = match others {
        Others::Later => (false, None),
        Others::Now(known) => (true, known),
    };
    let mut rounds = Rounds {
        options,
        catalogue,
        preprocessor,
        clock,
        before: None,
        most_written: MOST_WRITTEN,
        written: 0,
        worth: Worth {
            wanted: Wanted::All,
            repeats: Vec::new(),
            most: 0,
            next: 0,
        },
        left_out: None,
        others,
        known,
        refused: None,
        may_register: false,
        has_many_blocks: false,
        searches: 0,
        has_others: false,
        later: Vec::new(),
        foreseen: Vec::new(),
    };
    let (program, told) = rounds.with_handles(program);
    // Behind another search the next one would not begin where this one has ended.
    let refused = rounds.refused.filter(|_| rounds.searches == 1);
    Inferred {
        program,
        told,
        left_out: rounds.left_out,
        pending: rounds.has_others.then_some(Others::Now(refused)),
    }
}

/// Whether this error says that something in memory cannot be restored.
pub fn is_about_memory(one: &Diagnostic) -> bool {
    const ABOUT_MEMORY: [Code; 6] = [
        Code::UNSAVABLE,
        Code::LOST_POINTER,
        Code::CANNOT_FOLLOW,
        Code::NOT_REGISTERED,
        Code::BLOCK_READS,
        Code::AUTO_NOT_SAVED,
    ];
    // Memory that is saved as it is makes the check no smaller.
    let is_about = ABOUT_MEMORY.contains(&one.code) && one.message != UNFINISHED;
    one.severity == Severity::Error && is_about
}

fn errors(told: &[Diagnostic]) -> usize {
    let errors = told.iter().filter(|one| one.severity == Severity::Error);
    errors.count()
}

/// The first error.
fn first_error(told: &[Diagnostic]) -> Option<Diagnostic> {
    let mut errors = told.iter().filter(|one| one.severity == Severity::Error);
    errors.next().cloned()
}

/// The files as texts, with their numbers.
fn texts_of(program: &Program) -> Vec<(usize, Text)> {
    program.texts().into_iter().enumerate().collect()
}

/// The rounds of one try.
struct Rounds<'a> {
    options: &'a Options,
    catalogue: &'a Catalogue,
    preprocessor: &'a Preprocessor,
    clock: &'a mut Clock,
    /// The texts before the first try, when it did something that another one may do without.
    before: Option<Vec<(usize, Text)>>,
    /// Loops that threads share may be written out so often: behind those that do the most of all come those that do the most of the rest.
    most_written: usize,
    /// This try did so.
    written: usize,
    /// In which loops there are checkpoints.
    worth: Worth,
    /// The error that there is with all of them, where some go without.
    left_out: Option<Diagnostic>,
    /// Others are tried, too, where all of them are refused because of what memory holds.
    others: bool,
    /// They were not.
    has_others: bool,
    /// What is known of all of them, for the first search.
    known: Option<Box<Refused>>,
    /// What was found out about all of them.
    refused: Option<Box<Refused>>,
    /// Registers of handles have not been tried yet, and may do with less than very many blocks.
    may_register: bool,
    /// Very many blocks would make handles again.
    has_many_blocks: bool,
    /// So many searches have begun.
    searches: usize,
    /// The choices of loops that are tried next, all with the same program.
    later: Vec<Wanted>,
    /// What is proposed first for each of them, as far as that is known.
    foreseen: Vec<(Wanted, Proposal)>,
}

/// The loops that are worth a checkpoint, and which of them get one.
#[derive(Clone)]
struct Worth {
    wanted: Wanted,
    /// Whether each goes over the same data again and again: those that do the most work first.
    repeats: Vec<bool>,
    /// So many of them do most of the work; of the others nobody knows how much they do.
    most: usize,
    /// So many others may do in their place.
    next: usize,
}

/// Which loops get a checkpoint.
#[derive(Clone, PartialEq)]
enum Wanted {
    All,
    /// These, by number.
    Some(Vec<usize>),
    /// These that are not worth as much, by number.
    Next(Vec<usize>),
}

impl Worth {
    fn has(&self, number: usize) -> bool {
        match &self.wanted {
            Wanted::All => true,
            Wanted::Some(numbers) => numbers.contains(&number),
            Wanted::Next(_) => false,
        }
    }

    /// Chooses the loops that get a checkpoint. Gives those that are worth one and get none, with their numbers.
    fn choose(&self, load: &mut Load) -> Vec<(usize, SelectedLoop)> {
        match &self.wanted {
            Wanted::Next(numbers) => load.choose_next(numbers),
            _ => load.choose(|number| self.has(number)),
        }
    }

    /// Whether another choice of loops may do better.
    fn has_others(&self) -> bool {
        self.repeats.len() > 1 || self.next > 0
    }

    /// Fewer loops, of which it is enough that one choice can be served: those that do most of the work; then those of them that go over
    /// the same data again and again, if others do not.
    fn fewer(&self) -> Vec<Vec<usize>> {
        let most: Vec<usize> = (0..self.most).collect();
        let again: Vec<usize> = (most.iter().copied())
            .filter(|one| self.repeats[*one])
            .collect();
        let mut fewer = Vec::new();
        if self.most < self.repeats.len() {
            fewer.push(most);
        }
        if !again.is_empty() && again.len() < self.most {
            fewer.push(again);
        }
        fewer
    }
}

impl Rounds<'_> {
    /// Handles of MPI are made again by blocks where that serves, and otherwise come back in registers.
    fn with_handles(&mut self, mut program: Program) -> (Program, Vec<Diagnostic>) {
        let catalogue = self.catalogue;
        program.close(&|name: &str| catalogue.contains(name));
        if self.options.heap == HeapChoice::Fixed && noted::suits_fixed_heap(&program, catalogue) {
            program.note_handles(true);
        }
        let is_noted = program.units.iter().any(|unit| unit.notes_handles);
        let uses_mpi = program.units.iter().any(|unit| unit.uses_mpi);
        let first = (uses_mpi && !is_noted).then(|| texts_of(&program));
        self.may_register = first.is_some();
        let (mut inferred, mut told) = self.tries(program);
        let mut registered = None;
        if let Some(first) = first.clone().filter(|_| self.has_many_blocks()) {
            let (program, told_noted) = self.again(inferred, first.clone(), true);
            // Saved as it is, memory may be all right with these registers; very many blocks come last.
            if !has_errors(&told_noted) || self.has_others {
                return (program, told_noted);
            }
            registered = Some((texts_of(&program), told_noted));
            (inferred, told) = self.again(program, first, false);
        }
        let Some(first) = first.filter(|_| has_errors(&told)) else {
            return (inferred, told);
        };
        let unnoted = noted::unnoted(&inferred, self.catalogue);
        if !unnoted.is_empty() {
            for one in &unnoted {
                let unit = &inferred.units[one.unit];
                let finding = diagnostic(unit, &noted::finding(one, false));
                told.extend(in_users_words(vec![finding], &inferred));
            }
            return (inferred, told);
        }
        let refused = texts_of(&inferred);
        let (program, told_noted) = match registered {
            Some((texts, told)) => {
                let mut program = self.with_texts(inferred, texts);
                program.note_handles(true);
                (program, told)
            }
            None => self.again(inferred, first, true),
        };
        if !has_errors(&told_noted) {
            return (program, told_noted);
        }
        // With handles in registers there may be less in the way.
        if errors(&told_noted) <= errors(&told) {
            return (program, told_noted);
        }
        let mut program = self.with_texts(program, refused);
        program.note_handles(false);
        (program, told)
    }

    /// The program with these texts once more, its handles in registers or made again by blocks.
    fn again(
        &mut self,
        program: Program,
        texts: Vec<(usize, Text)>,
        in_registers: bool,
    ) -> (Program, Vec<Diagnostic>) {
        self.may_register = false;
        let mut program = self.with_texts(program, texts);
        program.note_handles(in_registers);
        (self.most_written, self.before) = (MOST_WRITTEN, None);
        self.tries(program)
    }

    /// Whether registers of handles come first, because very many blocks would make the handles again.
    fn has_many_blocks(&self) -> bool {
        self.may_register && self.has_many_blocks
    }

    /// Where loops that threads share do most of the work, it is tried first with them written out, then with fewer of them, and then as
    /// it is.
    fn tries(&mut self, program: Program) -> (Program, Vec<Diagnostic>) {
        let (mut program, told) = self.widest(program);
        if self.written == 0 || !has_errors(&told) || self.has_many_blocks() {
            return (program, told);
        }
        let texts = texts_of(&program);
        while self.written > 0 {
            self.most_written = self.written - 1;
            program = self.as_before(program);
            let (fewer, told_fewer) = self.widest(program);
            if !has_errors(&told_fewer) {
                return (fewer, told_fewer);
            }
            program = fewer;
        }
        // What stands in the way of the first try is the true cause.
        (self.with_texts(program, texts), told)
    }

    /// With checkpoints in as many loops as can be served.
    fn widest(&mut self, program: Program) -> (Program, Vec<Diagnostic>) {
        self.searches += 1;
        self.has_others = false;
        let (mut program, mut told, known) = match self.known.take() {
            Some(known) => {
                (self.worth, self.before) = (known.worth, known.before);
                (program, known.told, Some(known.texts))
            }
            None => {
                (self.worth.wanted, self.left_out) = (Wanted::All, None);
                let (program, told) = self.attempt(program);
                if !self.worth.has_others() || !has_errors(&told) || self.has_many_blocks() {
                    return (program, told);
                }
                (program, told, None)
            }
        };
        // That was about all loops; with fewer of them it is as it is.
        self.may_register = false;
        self.left_out = first_error(&told);
        if !self.others && told.iter().any(is_about_memory) {
            self.has_others = true;
            self.refused = (self.written == 0).then(|| {
                Box::new(Refused {
                    worth: self.worth.clone(),
                    before: self.before.clone(),
                    texts: texts_of(&program),
                    told: told.clone(),
                })
            });
            return (program, told);
        }
        let fewer = self.worth.fewer();
        // Without any checkpoint other loops are beside the point: with fewer loops errors are fewer.
        let mut refused = fewer.is_empty().then(|| {
            let texts = known.unwrap_or_else(|| texts_of(&program));
            (texts, std::mem::take(&mut told))
        });
        let next = (0..self.worth.next).map(|one| Wanted::Next(vec![one]));
        let choices: Vec<Wanted> = fewer.into_iter().map(Wanted::Some).chain(next).collect();
        let mut is_served = false;
        self.foreseen.clear();
        for (number, wanted) in choices.iter().enumerate() {
            self.worth.wanted = wanted.clone();
            self.later = choices[number + 1..].to_vec();
            program = self.as_before(program);
            (program, told) = self.attempt(program);
            is_served = !has_errors(&told);
            if is_served {
                break;
            }
            told.retain(|one| one.message != LEFT_OUT);
            let told = std::mem::take(&mut told);
            refused.get_or_insert_with(|| (texts_of(&program), told));
        }
        self.foreseen.clear();
        self.later.clear();
        if let Some((texts, all)) = refused.filter(|_| !is_served) {
            return (self.with_texts(program, texts), all);
        }
        type Choice = fn(Vec<usize>) -> Wanted;
        let wanted = std::mem::replace(&mut self.worth.wanted, Wanted::All);
        let (mut taken, all, first, of): (_, _, _, Choice) = match wanted {
            Wanted::All => return (program, told),
            Wanted::Some(taken) => (taken, self.worth.repeats.len(), 0, Wanted::Some),
            // Those before it were refused alone.
            Wanted::Next(taken) => {
                let first = taken.first().map_or(0, |one| one + 1);
                (taken, self.worth.next, first, Wanted::Next)
            }
        };
        let others = (first..all).filter(|one| !taken.contains(one));
        let functions = program.units.iter().flat_map(|unit| &unit.functions);
        let statements: usize = functions.map(|one| one.statement_count).sum();
        let most = match statements <= FEW_STATEMENTS {
            true => usize::MAX,
            false => SINGLY,
        };
        for number in others.take(most).collect::<Vec<_>>() {
            let texts = texts_of(&program);
            taken.push(number);
            self.worth.wanted = of(taken.clone());
            let next = self.as_before(program);
            let (next, told_next) = self.attempt(next);
            match has_errors(&told_next) {
                true => {
                    taken.pop();
                    program = self.with_texts(next, texts);
                }
                false => (program, told) = (next, told_next),
            }
        }
        (program, told)
    }

    /// The program as it was before the first try.
    fn as_before(&mut self, program: Program) -> Program {
        match self.before.clone() {
            Some(texts) => self.with_texts(program, texts),
            None => program,
        }
    }

    /// The program with these texts. Files that have their text already are what they were: directives take no call away, so
    /// nothing that was left out of them is reached now.
    fn with_texts(&mut self, mut program: Program, texts: Vec<(usize, Text)>) -> Program {
        let is_other = |(number, text): &(usize, Text)| {
            let unit = program.units.get(*number);
            unit.is_none_or(|unit| !text.is_of(&unit.file))
        };
        let (numbers, texts): (Vec<usize>, Vec<Text>) = texts.into_iter().filter(is_other).unzip();
        let (units, _) = load_texts(texts, self.preprocessor, |(pass, spent)| {
            self.clock.add(pass, spent);
        });
        program.replace(&numbers, units);
        program.close(&|name: &str| self.catalogue.contains(name));
        program
    }

    /// One try. Where another one may do better, it has to be good for a plan, too.
    fn attempt(&mut self, program: Program) -> (Program, Vec<Diagnostic>) {
        let (program, mut told) = self.run(program);
        let may_do_better =
            self.worth.repeats.len() > 1 || matches!(self.worth.wanted, Wanted::Next(_));
        if (may_do_better || self.written > 0) && !has_errors(&told) {
            let (found, _) = plan_errors(self.options, &program, self.catalogue, self.clock);
            told.extend(found);
        }
        (program, told)
    }

    /// What is proposed first for this choice of loops, where another try has found it out.
    fn foreseen(&mut self) -> Option<Proposal> {
        let is_this = |one: &(Wanted, Proposal)| one.0 == self.worth.wanted;
        let at = self.foreseen.iter().position(is_this)?;
        Some(self.foreseen.swap_remove(at).1)
    }

    fn run(&mut self, mut program: Program) -> (Program, Vec<Diagnostic>) {
        self.written = 0;
        let mut foreseen = self.foreseen();
        if foreseen.is_none() {
            self.worth.repeats.clear();
            self.worth.next = 0;
        }
        let (options, catalogue, preprocessor) = (self.options, self.catalogue, self.preprocessor);
        let clock = &mut *self.clock;
        let is_fixed = options.heap == HeapChoice::Fixed;
        let frequency = Frequency {
            every: options.every,
            only: options.only.as_ref(),
        };
        let mut kept = Vec::new();
        let mut proposed: BTreeSet<(usize, usize, String)> = BTreeSet::new();
        let mut has_skeleton = foreseen.is_some();
        for round in 0..ROUNDS {
            let is_first = foreseen.is_some() || !has_skeleton;
            let known = foreseen.take();
            let proposal = known.unwrap_or_else(|| {
                analyse(&program, catalogue, &mut |pass| clock.lap(pass), |found| {
                    if !has_skeleton {
                        let has_checkpoint = has_checkpoint(&program);
                        for propose in [apart, merged_tasks] {
                            let proposal = propose(found, has_checkpoint);
                            if !proposal.is_empty() {
                                return proposal;
                            }
                        }
                        let load = found.load(options.loops());
                        if self.written < self.most_written {
                            let shares = match (has_checkpoint, self.written > 0) {
                                (true, true) => Proposal::default(),
                                (true, false) => shares(found, false),
                                (false, has_some) => wanted_shares(found, &load, has_some),
                            };
                            if !shares.is_empty() {
                                self.written += 1;
                                self.before.get_or_insert_with(|| texts_of(&program));
                                return shares;
                            }
                        }
                        if !has_checkpoint {
                            let written = loops_written_out(found, load.worth());
                            if !written.is_empty() {
                                return written;
                            }
                        }
                        has_skeleton = true;
                        if has_checkpoint {
                            let communication = found.communication();
                            return skeleton(found, &load, &communication, frequency, is_fixed);
                        }
                        self.worth.most = load.selected().len();
                        self.worth.repeats = load.worth().map(|one| one.repeats).collect();
                        self.worth.next = load.next().len();
                        if self.worth.has_others() {
                            self.before.get_or_insert_with(|| texts_of(&program));
                        }
                        let communication = found.communication();
                        let propose = |worth: &Worth, mut load: Load| {
                            let rest = worth.choose(&mut load);
                            let mut proposal =
                                skeleton(found, &load, &communication, frequency, is_fixed);
                            if let Some(why) = &self.left_out {
                                left_out(found, &rest, worth.most, &why.message, &mut proposal);
                            }
                            proposal
                        };
                        // All of them begin with this program, unless it has been changed since.
                        if round == 0 {
                            for wanted in std::mem::take(&mut self.later) {
                                let worth = Worth {
                                    wanted: wanted.clone(),
                                    ..self.worth.clone()
                                };
                                let proposal = propose(&worth, load.clone());
                                self.foreseen.push((wanted, proposal));
                            }
                        }
                        return propose(&self.worth, load);
                    }
                    let barriers = barriers(found);
                    if !barriers.is_empty() {
                        return barriers;
                    }
                    let regions = own_regions(found);
                    if !regions.is_empty() {
                        return regions;
                    }
                    for propose in [functions_written_out, declarations] {
                        let proposal = propose(found);
                        if !proposal.is_empty() {
                            return proposal;
                        }
                    }
                    let proposal = complete(found);
                    let is_new = |(unit, one): &(usize, Insertion)| {
                        let mut keys = keys(&program, *unit, one);
                        keys.any(|key| !proposed.contains(&key))
                    };
                    // A line that changes says more than before.
                    let is_progress =
                        proposal.insertions.iter().any(is_new) || !proposal.replacements.is_empty();
                    if is_progress || !proposal.findings.is_empty() {
                        return proposal;
                    }
                    let before = registers_before(found);
                    if before.insertions.iter().any(is_new) {
                        return before;
                    }
                    let written = locals_written_out(found);
                    match written.is_empty() {
                        true => {
                            let mut rest = remaining(found);
                            rest.findings.extend(lost_arguments(found));
                            let mut told = rest.findings.iter();
                            if told.any(|(_, one)| !one.warning) {
                                rest.findings.extend(proposal.without_room);
                            }
                            rest
                        }
                        false => written,
                    }
                })
            });
            clock.lap("auto");
            if self.may_register && blocks(&proposal) > MOST_BLOCKS {
                self.has_many_blocks = true;
                let refused = Diagnostic::error(Code::AUTO_NOT_SAVED, Place::Nowhere, UNFINISHED);
                return (program, vec![refused]);
            }
            let told = shown(&program, &proposal.findings);
            let told: Vec<_> = told.into_iter().filter(|one| !kept.contains(one)).collect();
            kept.extend(told);
            if has_errors(&kept) || proposal.is_empty() && !is_first {
                return (program, kept);
            }
            for (unit, one) in &proposal.insertions {
                proposed.extend(keys(&program, *unit, one));
            }
            // The other files are what they were.
            let texts = annotated(&program, &proposal);
            let (numbers, texts): (Vec<usize>, Vec<Text>) = texts.into_iter().unzip();
            let (changed, diagnostics) = load_texts(texts, preprocessor, |(pass, spent)| {
                clock.add(pass, spent);
            });
            move_places(&mut kept, &program, &changed);
            program.replace(&numbers, changed);
            program.close(&|name: &str| catalogue.contains(name));
            for one in in_users_words(diagnostics, &program) {
                if !kept.contains(&one) {
                    kept.push(one);
                }
            }
            if !has_errors(&kept) {
                let found = check_program(&program, catalogue);
                kept.extend(in_users_words(found, &program));
            }
            if has_errors(&kept) {
                return (program, kept);
            }
        }
        (program, kept)
    }
}

/// A program with directives of its own: functions that macros make and that lead to checkpoints written out, loops around checkpoints that
/// threads share, too, and with the barriers at which threads stop that come to checkpoints unequally often.
pub fn with_barriers(
    catalogue: &Catalogue,
    preprocessor: &Preprocessor,
    mut program: Program,
    clock: &mut Clock,
) -> (Program, Vec<Diagnostic>) {
    let mut constructs = program.units.iter().flat_map(|unit| &unit.openmp);
    let is_parallel = constructs.any(|one| one.is_parallel());
    let mut functions = program.units.iter().flat_map(|unit| &unit.functions);
    let has_macros = functions.any(is_made_by_macro);
    if !has_checkpoint(&program) {
        return (program, Vec::new());
    }
    type Propose = fn(&Analysed) -> Proposal;
    let of_threads: [Propose; 4] = [
        |found| apart(found, true),
        |found| merged_tasks(found, true),
        |found| shares(found, true),
        barriers,
    ];
    let of_macros: Propose = functions_written_out;
    let first = has_macros.then_some(of_macros).into_iter();
    let mut told = Vec::new();
    for propose in first.chain(of_threads.into_iter().filter(|_| is_parallel)) {
        let proposal = analyse(&program, catalogue, &mut |pass| clock.lap(pass), propose);
        if proposal.is_empty() {
            continue;
        }
        let (numbers, texts): (Vec<usize>, Vec<Text>) =
            annotated(&program, &proposal).into_iter().unzip();
        let (changed, diagnostics) = load_texts(texts, preprocessor, |(pass, spent)| {
            clock.add(pass, spent);
        });
        program.replace(&numbers, changed);
        if is_whole(&program, catalogue) {
            program.close(&|name| catalogue.contains(name));
        }
        told.extend(in_users_words(diagnostics, &program));
        if has_errors(&told) {
            break;
        }
    }
    (program, told)
}

/// What was said about places of the texts before says so about the same places of the texts now.
fn move_places<'a>(kept: &mut [Diagnostic], program: &'a Program, next: &'a Program) {
    let place_in = |place: &mut Place| {
        let Place::Range { path, range } = place else {
            return;
        };
        let of = |program: &'a Program| {
            let mut files = program.units.iter().map(|unit| &unit.file);
            let file = files.find(|file| file.path == *path)?;
            Some((file.original.as_str(), &file.lines))
        };
        let (Some(before), Some(after)) = (of(program), of(next)) else {
            return;
        };
        if let Some(start) = moved(range.start, before, after) {
            *range = start..start + range.len();
        }
    };
    for one in kept {
        let others = one.others.iter_mut().map(|(place, _)| place);
        std::iter::once(&mut one.place)
            .chain(others)
            .for_each(place_in);
    }
}

/// How many blocks are added that a restart executes.
fn blocks(proposal: &Proposal) -> usize {
    let lines = proposal.insertions.iter().flat_map(|(_, one)| &one.lines);
    lines
        .filter(|line| line.starts_with("#pragma cccp execute on restart"))
        .count()
}

/// What is added, and where in the user's text: the same at the same place again is no progress. A line may have several
/// statements, so what stands at the place belongs to it.
fn keys<'a>(
    program: &Program,
    unit: usize,
    one: &'a Insertion,
) -> impl Iterator<Item = (usize, usize, String)> + 'a {
    let (At::Before(offset) | At::After(offset)) = one.at;
    let file = &program.units[unit].file;
    let line = file.line_of(offset);
    let name = file.name_at(offset).to_string();
    let behind = file.original.get(offset..).unwrap_or_default();
    let statement = behind.split(['\n', ';']).next().unwrap_or_default();
    let statement = statement.trim().to_string();
    one.lines
        .iter()
        .map(move |text| (unit, line, format!("{name}\n{text}\n{statement}")))
}

fn shown(program: &Program, findings: &Findings) -> Vec<Diagnostic> {
    let mut all = Vec::new();
    for (unit, finding) in findings {
        if let Some(unit) = program.units.get(*unit) {
            for one in in_users_words(vec![diagnostic(unit, finding)], program) {
                if !all.contains(&one) {
                    all.push(one);
                }
            }
        }
    }
    all
}

/// The texts of the files to which lines are added, or in which added lines change.
fn annotated(program: &Program, proposal: &Proposal) -> Vec<(usize, Text)> {
    fn of<T: Clone>(index: usize, all: &[(usize, T)]) -> Vec<T> {
        let own = all.iter().filter(|(of, _)| *of == index);
        own.map(|(_, one)| one.clone()).collect()
    }
    let mut texts = Vec::new();
    for (index, unit) in program.units.iter().enumerate() {
        let mut insertions = of(index, &proposal.insertions);
        let replacements = of(index, &proposal.replacements);
        if insertions.is_empty() && replacements.is_empty() {
            continue;
        }
        let file = &unit.file;
        let text = replace(&file.original, replacements, &mut insertions);
        let edited = insert(&text, &file.lines, &insertions);
        let text = Text {
            path: file.path.clone(),
            bytes: file.encode(&edited.text),
            lines: edited.lines,
        };
        texts.push((index, text));
    }
    texts
}
