//! Loops that contain blocks: which of them count how often they are entered, and which may forget.

use super::builder::Builder;
use super::data::{BlockKind, LoopPlan, Step};
use crate::analysis::Finding;
use crate::diagnostic::Code;
use std::collections::HashMap;

impl Builder<'_> {
    /// The loop table, the blocks' loops, and the counters in the text.
    pub fn finish_loops(&mut self) {
        let mut with_blocks = vec![false; self.picture.loops.len()];
        let mut with_others = vec![false; self.picture.loops.len()];
        for (index, site) in self.sites.iter().enumerate() {
            let mut at = self.picture.loop_at(site.position);
            while let Some(number) = at {
                with_blocks[number] = true;
                with_others[number] |= self.plan.blocks[index].kind != BlockKind::Checkpoint;
                at = self.picture.loops[number].parent;
            }
        }
        let mut numbers: HashMap<usize, usize> = HashMap::new();
        for (index, fact) in self.picture.loops.clone().into_iter().enumerate() {
            if !with_blocks[index] {
                continue;
            }
            let Some(number) = self.picture.number(fact.statement) else {
                continue;
            };
            let statement = self.picture.statements[number];
            if fact.overlaps {
                self.findings.push(
                    Finding::error(
                        Code::OVERLAPPING_LOOPS,
                        "loops that overlap without being nested contain restart blocks",
                    )
                    .at(statement.place, statement.span)
                    .label("this loop crosses another one")
                    .help("write the loops with `for` or `while`"),
                );
            }
            let parent = fact.parent.filter(|&parent| with_blocks[parent]);
            let counter = (with_others[index] && parent.is_some()).then(|| {
                self.plan.counters += 1;
                self.plan.counters - 1
            });
            numbers.insert(index, self.plan.loops.len() + 1);
            self.plan.loops.push(LoopPlan {
                line: self.line(None, statement),
                parent: parent.map_or(0, |parent| numbers[&parent]),
                counter,
                prunable: self
                    .following
                    .is_prunable(self.key, &self.picture.flow, &fact),
            });
            if let Some(counter) = counter {
                let depth = self.picture.depth(number) * 10;
                let mut steps = vec![Step::CountLoop { counter }];
                if !statement.in_compound {
                    steps.insert(0, Step::Text("{ ".to_string()));
                    self.after(statement, depth - 1, vec![Step::Text(" }".to_string())]);
                }
                self.before(statement, depth + 1, steps);
            }
        }
        for (index, site) in self.sites.iter().enumerate() {
            if let Some(number) = self.picture.loop_at(site.position) {
                self.plan.blocks[index].in_loop = numbers[&number];
            }
        }
    }
}
