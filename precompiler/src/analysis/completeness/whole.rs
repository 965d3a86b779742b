//! The check of a whole program.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::begun::registered_where_they_begin;
use super::blocks::{blocks, reads};
use super::cover::Covers;
use super::decide::Deciding;
use super::engine::Engine;
use super::facts::Facts;
use super::items::items;
use super::model::Completeness;
use super::names::homes;
use super::places::Places;
use super::set_up::groups;
use super::sites::Known;
use crate::analysis::allocators::FixedHeap;
use crate::analysis::coverage::Extents;
use crate::analysis::generators::Generators;
use crate::analysis::handles::are_addresses;
use crate::analysis::kept_states::set_by_readers;
use crate::analysis::liveness::Liveness;
use crate::analysis::noted;
use crate::analysis::noted::{made_unseen, written_by_zlib};
use crate::analysis::optional;
use crate::analysis::origins::Origins;
use crate::catalog::Catalogue;
use crate::dataflow::Control;
use crate::program::Directive;

/// So many words of sets may be looked at: less than a minute. A program of 90,000 lines with one long function around its main
/// loop needs half of them.
const PATIENCE: u64 = 60_000_000_000;

impl Completeness {
    /// Checks a program, in which a thread may hold a lock of OpenMP at a checkpoint or not. What would be too much work is given up,
    /// which is said.
    pub fn of(
        catalogue: &Catalogue,
        liveness: &Liveness,
        control: &Control<'_>,
        holds_locks: bool,
    ) -> Completeness {
        let (program, steps) = (liveness.program, liveness.steps);
        let (points_to, effects) = (liveness.points_to, liveness.effects);
        let memory = &points_to.memory;
        let facts = Facts::of(program, catalogue, steps, memory, effects, control);
        let extents = OnceCell::new();
        let begins = |routine, value| {
            let of = || Extents::of(program, steps, points_to, catalogue, effects, control);
            extents
                .get_or_init(of)
                .begins_or_lies_before(routine, value)
        };
        let fixed_heap = FixedHeap::of(program, steps, points_to, effects);
        let origins = Origins::of(program, catalogue, steps, points_to, &fixed_heap, &begins);
        let places = Places::of(&facts);
        let written_by_zlib = written_by_zlib(program, steps, points_to);
        let mut handles = optional::handles(liveness, catalogue, &written_by_zlib);
        let is_made_again = |cell| places.block_that_writes(cell).is_some();
        let optional = optional::optional(liveness, &handles, &is_made_again);
        handles.difference_with(&optional);
        // No item brings what `setjmp` has filled in what it saves.
        handles.union_with(&liveness.jump_buffers);
        let covers = Covers::of(&facts, points_to, &origins, &handles);
        let Some(found) = Engine::run(&facts, &covers, PATIENCE) else {
            return Completeness {
                unfinished: Some("the program is too large for the check".to_string()),
                ..Completeness::default()
            };
        };
        let block_reads = reads(&facts, catalogue, &covers);
        let set_up = groups(&facts, points_to);
        let notes_handles = noted::is_wanted(program, catalogue);
        let mut deciding = Deciding {
            program,
            catalogue,
            steps,
            points_to,
            liveness,
            covers: &covers,
            found: &found,
            places: &places,
            facts: &facts,
            block_reads: &block_reads,
            set_up,
            begun: registered_where_they_begin(&facts, &covers, points_to),
            homes: homes(steps, points_to),
            extents,
            known: Known::default(),
            opened: BTreeSet::new(),
            moving: BTreeSet::new(),
            moving_of_starts: BTreeSet::new(),
            holds_locks,
            of_handles: BTreeMap::new(),
            fixed_heap: &fixed_heap,
            origins,
            optional,
            made_unseen: made_unseen(program, steps, points_to),
            written_by_zlib,
            set_by_readers: set_by_readers(steps, catalogue),
            generators_restored: Generators::of(program).are_restored(program),
            notes_handles,
            finds_handles: notes_handles && are_addresses(program),
        };
        deciding.find_opened();
        let mut directives = program.units.iter().flat_map(|unit| &unit.directives);
        let promises = directives.any(|one| matches!(one.directive, Directive::Client { .. }));
        let unknown = effects.summaries.iter().any(|one| !one.unknown.is_empty());
        Completeness {
            checkpoints: deciding.checkpoints(),
            items: items(&deciding, &facts),
            blocks: blocks(&deciding),
            has_unseen_code: promises || unknown || effects.main.is_none(),
            unfinished: None,
            of_handles: std::mem::take(&mut deciding.of_handles),
            origins: std::mem::take(&mut deciding.origins),
            optional: std::mem::take(&mut deciding.optional),
            fixed_heap: fixed_heap.clone(),
        }
    }
}
