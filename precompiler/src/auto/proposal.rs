//! What one round of auto mode wants to add.

use std::collections::BTreeMap;

use super::attributes;
use super::begin;
use super::blocks;
use super::checkpoints::{self, Frequency};
use super::ends;
use super::files;
use super::insert::{Insertion, Replacement};
use super::libraries;
use super::lost_pointers;
use super::mixed;
use super::refusal;
use super::registers;
use super::ways::Ways;
use crate::analysis::borrowed::Borrowed;
use crate::analysis::communication::Communication;
use crate::analysis::completeness::{Decision, DirectivePlace};
use crate::analysis::load::Load;
use crate::analysis::memory::CellId;
use crate::analysis::{Analysed, Finding};
use crate::dataflow::steps::TextPlace;
use crate::program::Directive;

/// What is wrong, by the unit it is about.
pub type Findings = Vec<(usize, Finding)>;

/// Lines to add, and why the program cannot be served.
#[derive(Debug, Default)]
pub struct Proposal {
    /// By unit.
    pub insertions: Vec<(usize, Insertion)>,
    /// Added lines that change, by unit.
    pub replacements: Vec<(usize, Replacement)>,
    /// Macros in which lines have to stand, written out, by unit: all else waits for that.
    pub(super) written: Vec<(usize, Replacement)>,
    /// Errors and remarks.
    pub findings: Findings,
    /// Errors about statements around which no block can stand, where the check finds at the end that something is missing: another round
    /// may do without them.
    pub without_room: Findings,
    /// What depends on addresses, by where one was made a number: told together.
    pub(super) dependent: BTreeMap<Option<TextPlace>, Vec<(CellId, DirectivePlace)>>,
}

impl Proposal {
    /// Whether there is nothing to add.
    pub fn is_empty(&self) -> bool {
        self.size() == 0
    }

    /// How much there is to add.
    pub(super) fn size(&self) -> usize {
        self.insertions.len() + self.replacements.len()
    }

    pub(super) fn add(&mut self, unit: usize, insertions: impl IntoIterator<Item = Insertion>) {
        let all = insertions.into_iter().map(|one| (unit, one));
        self.insertions.extend(all);
    }
}

/// Where a run begins and ends, and where checkpoints are: what of it the program does not have yet. `has_fixed_heap`: where it begins
/// says so.
pub fn skeleton(
    facts: &Analysed,
    load: &Load,
    communication: &Communication,
    frequency: Frequency<'_>,
    has_fixed_heap: bool,
) -> Proposal {
    let mut proposal = Proposal::default();
    let Some(main) = facts.effects.main else {
        refusal::no_main(&mut proposal);
        return proposal;
    };
    let mut reach = None;
    if !facts.has(|one| matches!(one, Directive::Init { .. })) {
        reach = begin::init(facts, load, (main, has_fixed_heap), &mut proposal);
    }
    if !facts.has(|one| matches!(one, Directive::Checkpoint { .. })) {
        let reach = reach.as_ref();
        checkpoints::place(
            facts,
            (load, reach),
            communication,
            frequency,
            &mut proposal,
        );
    } else {
        checkpoints::look_at(facts, communication, &mut proposal);
    }
    if !facts.has(|one| matches!(one, Directive::Shutdown)) {
        ends::shutdown(facts, main, &mut proposal);
    }
    proposal
}

/// What the check finds missing in a program that has checkpoints. Nothing when it finds nothing; with findings when
/// something cannot be restored.
pub fn complete(facts: &Analysed) -> Proposal {
    let mut proposal = Proposal::default();
    if let Some(why) = &facts.completeness.unfinished {
        refusal::unfinished(why, &mut proposal);
        return proposal;
    }
    let ways = Ways::of(facts);
    let borrowed = Borrowed::of(facts);
    let mut served = blocks::propose(facts, &ways, &borrowed, &mut proposal);
    served.extend(libraries::propose(facts, &ways, &borrowed, &mut proposal));
    mixed::refuse(facts, &mut proposal);
    attributes::refuse(facts, &mut proposal);
    registers::propose(facts, &ways, &served, &mut proposal);
    lost_pointers::computed(facts, &mut proposal);
    match proposal.written.is_empty() {
        true => proposal,
        false => Proposal {
            replacements: proposal.written,
            ..Proposal::default()
        },
    }
}

/// What the check still finds missing, as errors, and what has to be known of files: there is nothing more to propose.
pub fn remaining(facts: &Analysed) -> Proposal {
    let mut proposal = Proposal::default();
    for check in &facts.completeness.checkpoints {
        for location in &check.locations {
            if let Decision::Missing(missing) = &location.decision {
                refusal::still_missing(facts, check, location, missing, &mut proposal);
            }
        }
    }
    for block in &facts.completeness.blocks {
        refusal::block_reads(facts, block, &mut proposal);
    }
    files::overwritten(facts, &mut proposal);
    proposal
}
