//! What is known of the load of loops.

use crate::dataflow::steps::RoutineId;
use crate::program::StatementId;
use crate::source::Span;

/// The loops of a program with their loads.
#[derive(Clone, Debug, Default)]
pub struct Load {
    pub(super) selected: Vec<SelectedLoop>,
    pub(super) all: Vec<LoopLoad>,
    pub(super) further: Vec<SelectedLoop>,
    pub(super) next: Vec<SelectedLoop>,
}

impl Load {
    /// The loops chosen for a checkpoint, best first.
    pub fn selected(&self) -> &[SelectedLoop] {
        &self.selected
    }

    /// Those that were chosen, and behind them others of which guesses may hide how much they do.
    pub fn worth(&self) -> impl Iterator<Item = &SelectedLoop> {
        self.selected.iter().chain(&self.further)
    }

    /// Chooses of all that are [`Load::worth`] it those that are wanted, by number. Gives the rest of them with their numbers.
    pub fn choose(&mut self, is_wanted: impl Fn(usize) -> bool) -> Vec<(usize, SelectedLoop)> {
        let mut all = std::mem::take(&mut self.selected);
        all.append(&mut self.further);
        let (wanted, rest): (Vec<_>, Vec<_>) =
            (all.into_iter().enumerate()).partition(|one| is_wanted(one.0));
        self.selected = wanted.into_iter().map(|one| one.1).collect();
        rest
    }

    /// For programs of which none of the loops that are [`Load::worth`] it can be served: those that do the most work of the others that
    /// go over the same data again and again.
    pub fn next(&self) -> &[SelectedLoop] {
        &self.next
    }

    /// Chooses some of [`Load::next`], by number, and nothing else. Gives those that are worth more.
    pub fn choose_next(&mut self, numbers: &[usize]) -> Vec<(usize, SelectedLoop)> {
        let rest = self.choose(|_| false);
        let chosen = numbers.iter().filter_map(|number| self.next.get(*number));
        self.selected.extend(chosen.cloned());
        rest
    }

    /// All loops, in the order of units and text.
    pub fn all(&self) -> &[LoopLoad] {
        &self.all
    }
}

/// A loop that is worth a checkpoint.
#[derive(Clone, Debug)]
pub struct SelectedLoop {
    /// The function it stands in.
    pub routine: RoutineId,
    /// The loop statement; for a loop of gotos the statement before which control enters from above.
    pub statement: StatementId,
    /// Its text, in the preprocessed text of the function's unit.
    pub span: Span,
    /// Made of gotos.
    pub by_goto: bool,
    /// `h`, see [`super`]: the smaller, the more is done in it.
    pub value: f64,
    /// Its iterations go over the same data again.
    pub repeats: bool,
    /// Why it was chosen, as a sentence.
    pub reason: String,
}

impl SelectedLoop {
    /// A loop, with why it was chosen.
    pub(super) fn of(one: &LoopLoad, reason: String) -> SelectedLoop {
        SelectedLoop {
            routine: one.routine,
            statement: one.statement,
            span: one.span,
            by_goto: one.by_goto,
            value: one.value,
            repeats: one.repeats,
            reason,
        }
    }

    /// Which loop it is.
    pub(super) fn at(&self) -> (RoutineId, StatementId) {
        (self.routine, self.statement)
    }
}

/// A loop and what it does.
#[derive(Clone, Debug)]
pub struct LoopLoad {
    /// The function it stands in.
    pub routine: RoutineId,
    /// The loop statement, as in [`SelectedLoop`].
    pub statement: StatementId,
    /// Its text.
    pub span: Span,
    /// Made of gotos.
    pub by_goto: bool,
    /// No loop is around it, here or where its function is called. Its shares are then those of such calls only.
    pub is_outermost: bool,
    /// Its iterations go over the same data again; asked of candidates only.
    pub repeats: bool,
    /// Why it stands aside of the work, as a sentence.
    pub aside: Option<&'static str>,
    /// It counts through the data that it looks at.
    pub walks: bool,
    /// Its share rests on an unknown bound.
    pub is_guessed: bool,
    /// It iterates once, unless the program is told otherwise when it is started.
    pub is_option: bool,
    /// It reads input in its passes, and nobody knows how many there are: the input may hold one job or many.
    pub reads_jobs: bool,
    /// It reads input, and does no more than a fixed amount of work with each thing that it reads.
    pub only_reads: bool,
    /// How often it iterates, when that is known.
    pub iterations: Option<u64>,
    /// Its share of the program's instructions that are executed, with everything that it calls.
    pub instructions: f64,
    /// Its share of the program's accesses to variables.
    pub accesses: f64,
    /// How many instructions that is.
    pub work: f64,
    /// Its share of the work of the runs that come to it; none where every run does, as far as conditions tell.
    pub of_its_runs: Option<f64>,
    /// `h`; infinite when nothing happens in it.
    pub value: f64,
    /// Why it is no place for a checkpoint, as the end of a sentence; none for a candidate.
    pub excluded: Option<String>,
    /// What would make it one, as an order.
    pub cure: Option<&'static str>,
}

impl LoopLoad {
    /// Which loop it is.
    pub fn at(&self) -> (RoutineId, StatementId) {
        (self.routine, self.statement)
    }
}
