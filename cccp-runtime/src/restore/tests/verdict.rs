//! Is what a crash left good enough?
//!
//! The real decision about a restart is taken on it. It must come to the newest generation that all ranks were told is
//! published, or to a newer one that is there on all ranks; with the contents that one run wrote; a completed run stays
//! completed; the next number is new. And whatever stands under a final name is whole.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::job::{Job, Promise, SIZE, Versions};
use crate::restore::Decision;
use crate::store::twin::{Tree, Twin};

/// Judges crash states, each once.
pub(super) struct Judge {
    versions: Versions,
    known: HashMap<Promise, HashSet<Tree>>,
    /// All states that were brought, and those that were not the same as an earlier one.
    pub(super) examined: u64,
    pub(super) distinct: u64,
}

impl Judge {
    pub(super) fn new(versions: Versions) -> Judge {
        Judge {
            versions,
            known: HashMap::new(),
            examined: 0,
            distinct: 0,
        }
    }

    /// Says how much was done.
    pub(super) fn print(&self, name: &str) {
        let Judge {
            examined, distinct, ..
        } = self;
        println!("{name}: {examined} crash states examined, {distinct} of them distinct");
    }

    /// Everything that a power failure can leave of this job, from a step on. Gives the distinct states with their
    /// steps, or the first that is wrong.
    pub(super) fn crashes(
        &mut self,
        job: &Job,
        disk: &Twin,
        from: usize,
    ) -> Result<Vec<(usize, Tree)>, String> {
        let (mut crashes, mut new, mut before) = (disk.crashes(), Vec::new(), None);
        loop {
            let done = crashes.done();
            if done >= from {
                let promise = job.history.after(done);
                let outcomes = crashes.outcomes();
                self.examined += outcomes.len() as u64;
                let same = |(last, trees): &(Promise, Rc<Vec<Tree>>)| {
                    *last == promise && Rc::ptr_eq(trees, &outcomes)
                };
                if !before.as_ref().is_some_and(same) {
                    for tree in outcomes.iter() {
                        let wrong =
                            |wrong| format!("after step {done}, {promise:?}: {wrong}\n{tree:#?}");
                        if self.judge(job, tree, promise).map_err(wrong)? {
                            new.push((done, tree.clone()));
                        }
                    }
                }
                before = Some((promise, outcomes));
            }
            if !crashes.step() {
                return Ok(new);
            }
        }
    }

    /// Whether this state is new, or what is wrong with it.
    fn judge(&mut self, job: &Job, tree: &Tree, promise: Promise) -> Result<bool, String> {
        let known = self.known.entry(promise).or_default();
        if known.contains(tree) {
            return Ok(false);
        }
        known.insert(tree.clone());
        self.distinct += 1;
        self.whole(tree)?;
        let disk = Twin::holding(tree);
        let agreement = job.start(&disk);
        let left = disk.tree();
        if let Some(path) = left.0.keys().find(|path| path.ends_with(".tmp")) {
            return Err(format!("{path} was not cleared away"));
        }
        match agreement.decision {
            Decision::Restart(generation) => {
                if generation < promise.published || generation <= promise.completed {
                    return Err(format!("restart from {generation}"));
                }
                self.same_run(job, tree, generation)?;
            }
            Decision::Fresh => {
                if promise.published > promise.completing {
                    return Err("fresh start".to_string());
                }
            }
            Decision::Stop(reason) => return Err(format!("stop: {reason:?}")),
        }
        let used = left.files().filter_map(|(path, _)| generation(path)).max();
        if agreement.next <= used.unwrap_or(0) || agreement.next <= promise.completed {
            return Err(format!("number {} is used again", agreement.next));
        }
        if agreement.next > promise.begun + 1 {
            return Err(format!("number {} comes from nowhere", agreement.next));
        }
        Ok(true)
    }

    /// What has a final name is what was written.
    fn whole(&self, tree: &Tree) -> Result<(), String> {
        for (path, content) in tree.files() {
            let Some(generation) = generation(path).filter(|_| path.ends_with(".cccp")) else {
                continue;
            };
            let mut versions = self.versions.iter();
            if !versions
                .any(|((number, _, _), version)| *number == generation && version == content)
            {
                return Err(format!("{path} is not what was written"));
            }
        }
        Ok(())
    }

    /// The files of a generation are those of one run.
    fn same_run(&self, job: &Job, tree: &Tree, generation: u64) -> Result<(), String> {
        let file = |rank: u32| {
            let place = job.places[rank as usize].trim_start_matches('/');
            let path = format!("{place}/{generation:010}/{rank:06}.cccp");
            tree.0.get(&path).cloned().flatten()
        };
        let files: Vec<_> = (0..SIZE).map(file).collect();
        let by = |run: u64| {
            (0..SIZE).zip(&files).all(|(rank, file)| {
                let version = self.versions.get(&(generation, rank, run));
                file.is_some() && version == file.as_ref()
            })
        };
        match (0..=job.run).any(by) {
            true => Ok(()),
            false => Err(format!("generation {generation} is not that of one run")),
        }
    }
}

/// The generation that a path belongs to.
fn generation(path: &str) -> Option<u64> {
    path.split('/').rev().nth(1)?.parse().ok()
}
