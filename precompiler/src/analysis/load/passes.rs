//! The work inside loops of which there may be few passes.
//!
//! A run that makes one pass of the loop it takes checkpoints in has one checkpoint, and that before its work: trials (`for (try = 0; try <
//! tries; try++)`), runs, steps between two outputs; jobs, where a loop reads its input anew in each pass. So what does the work of one pass,
//! and goes over the same data again and again, is named, too.
//!
//! In: the loops that are taken. Out: loops inside them, by their share of the work of **one pass**: what other loops of the program do,
//! and who else calls what is called here, says nothing about it.

use super::judge::{LoopAt, Subject};
use super::model::{LoopLoad, SelectedLoop};
use super::select::cut;
use crate::dataflow::Loops;
use std::collections::BTreeSet;

/// What is around a loop that does the work of a job.
const JOBS: &str =
    "no loop is around it but one that reads its input in each pass, and there may be one pass";
/// What is around a loop that does the work of a pass.
const FEW: &str = "no loop is around it but one that may have few passes, of which it does nearly all of the work";
/// `h` at a share of 0.9.
const NEARLY_ALL: f64 = 0.2107;
/// So many passes are few.
const FEW_PASSES: u64 = 10;
/// A loop with a known number of passes is taken from so many on.
const MANY_PASSES: u64 = 1000;
/// No more of these.
const MOST_OF_PASSES: usize = 4;
/// So many loops over jobs may be around one another: files, their sections, the lines of these.
const DEEPEST: usize = 3;

impl Subject<'_> {
    /// Looks into the loops that are taken, of `all`, the first of them first. Some others are taken to iterate `once`. Gives those that do
    /// the work of jobs, and those that do the work of passes.
    pub fn inside(
        &self,
        taken: &[LoopAt],
        all: &[LoopLoad],
        once: &BTreeSet<LoopAt>,
    ) -> [Vec<SelectedLoop>; 2] {
        let mut of_jobs: Vec<SelectedLoop> = Vec::new();
        let mut of_passes: Vec<SelectedLoop> = Vec::new();
        let mut seen: BTreeSet<LoopAt> = taken.iter().copied().collect();
        let known = |at: &LoopAt| all.iter().find(|one| one.at() == *at);
        let mut open: Vec<LoopLoad> = { taken.iter().filter_map(known) }
            .filter(|one| has_few_passes(one))
            .cloned()
            .collect();
        for _ in 0..DEEPEST {
            let mut next = Vec::new();
            for outer in std::mem::take(&mut open) {
                if !outer.reads_jobs && of_passes.len() >= MOST_OF_PASSES {
                    continue;
                }
                let (found, reason) = match outer.reads_jobs {
                    true => (&mut of_jobs, JOBS),
                    false => (&mut of_passes, FEW),
                };
                for one in self.works(&outer, once) {
                    if !seen.insert(one.at()) {
                        continue;
                    }
                    if one.repeats {
                        found.push(SelectedLoop::of(&one, reason.to_string()));
                    }
                    // That both it and what is around it have few passes is not likely.
                    if one.reads_jobs {
                        next.push(one);
                    }
                }
            }
            open = next;
        }
        [of_jobs, of_passes]
    }

    /// The loops that do the work of one pass of a loop, none of them in another.
    fn works(&self, outer: &LoopLoad, once: &BTreeSet<LoopAt>) -> Vec<LoopLoad> {
        let at = self.steps.routine(outer.routine).function;
        let loops = Loops::of(self.program.units[at.unit].function(at.function));
        let mut all = loops.all.iter();
        let index = all.position(|one| one.statement == outer.statement);
        let around = index.into_iter().flat_map(|index| loops.outward(index));
        let mut once = once.clone();
        once.extend(around.map(|index| (outer.routine, loops.all[index].statement)));
        let mut inner = self.loops(&once, Some(outer.at()));
        inner.retain(|one| one.is_outermost && one.excluded.is_none() && one.value.is_finite());
        inner.sort_by(|a, b| a.value.total_cmp(&b.value));
        if outer.reads_jobs {
            let values: Vec<f64> = inner.iter().map(|one| one.value).collect();
            inner.truncate(cut(&values));
        } else {
            let is_work = |one: &LoopLoad| {
                let has_many = one.iterations.is_none_or(|passes| passes >= MANY_PASSES);
                has_many && one.repeats && !one.walks && one.value <= NEARLY_ALL
            };
            inner.retain(is_work);
        }
        inner
    }
}

/// Whether nobody can rely on many passes.
fn has_few_passes(one: &LoopLoad) -> bool {
    !one.by_goto && one.iterations.is_none_or(|passes| passes <= FEW_PASSES)
}
