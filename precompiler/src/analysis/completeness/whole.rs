//! The check of a whole program.

use std::time::{Duration, Instant};

use super::blocks::{blocks, reads};
use super::cover::Covers;
use super::decide::Deciding;
use super::engine::Engine;
use super::facts::Facts;
use super::items::items;
use super::model::Completeness;
use super::places::Places;
use crate::analysis::liveness::Liveness;
use crate::catalog::Catalogue;
use crate::program::Directive;

impl Completeness {
    /// Checks a program. `patience`: how long it may take; what is not known by then is not said.
    pub fn of(catalogue: &Catalogue, liveness: &Liveness, patience: Duration) -> Completeness {
        let (program, steps) = (liveness.program, liveness.steps);
        let (points_to, effects) = (liveness.points_to, liveness.effects);
        let covers = Covers::of(program, steps, points_to);
        let until = Instant::now() + patience;
        let memory = &points_to.memory;
        let facts = Facts::of(program, steps, memory, effects);
        let Some(found) = Engine::new(&facts, &covers, until).run() else {
            return Completeness {
                unfinished: Some(format!(
                    "the check for forgotten registers would take more than {} s",
                    patience.as_secs()
                )),
                ..Completeness::default()
            };
        };
        let places = Places::of(&facts);
        let block_reads = reads(&facts);
        let deciding = Deciding {
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
        };
        let mut directives = program.units.iter().flat_map(|unit| &unit.directives);
        let promises = directives.any(|one| matches!(one.directive, Directive::Client { .. }));
        let unknown = effects.summaries.iter().any(|one| !one.unknown.is_empty());
        Completeness {
            checkpoints: deciding.checkpoints(),
            items: items(&deciding, &facts),
            blocks: blocks(&deciding),
            has_unseen_code: promises || unknown || effects.main.is_none(),
            unfinished: None,
        }
    }
}
