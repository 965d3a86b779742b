//! Ways out of a block that is executed on restart: `return`, `break`, `continue` and `goto`.
//!
//! In: a block. Out: for each such statement a block of its own, which says in the trace that control has left there. A restart
//! executes the block, comes to the statement, finds that the trace says the same, and goes to what comes next there. When the trace
//! says something else, the restart has taken another way than the run, and stops.
//!
//! ```text
//! if (signal(n, f) == SIG_ERR)
//!     return -1;                   { if (cccp_replaying) { … goto cccp_dispatch; } cccp_execute(&cccp_f, 5, 0); return -1; }
//! ```
//!
//! What is returned is part of the block when it does more than to compute a value. A jump whose label is computed is refused.

use std::collections::HashSet;

use super::arguments::is_pure;
use super::builder::{Builder, Site};
use super::data::{BlockKind, BlockNumber, Step};
use super::flatten::flatten;
use super::raw::RawEdit;
use super::statements::text;
use crate::analysis::Finding;
use crate::analysis::execute::{self, ExecuteFacts};
use crate::diagnostic::Code;
use crate::program::{DirectiveId, Statement, StatementKind, TypeKind};

impl<'a> Builder<'a> {
    /// Plans the ways out of a block.
    pub(super) fn exits(&mut self, id: DirectiveId, facts: &ExecuteFacts, block: BlockNumber) {
        let statements = execute::inside(&self.picture, id);
        let labels: HashSet<&str> = statements.iter().flat_map(|one| labels(one)).collect();
        let mut exits = Vec::new();
        for statement in &statements {
            collect(statement, false, false, &labels, &mut exits);
        }
        for exit in exits {
            match exit.kind {
                StatementKind::Goto(None) => self.findings.push(
                    Finding::error(
                        Code::EXECUTE_CONTENT,
                        "this statement may leave an execute block",
                    )
                    .at(exit.place, exit.span)
                    .label("jumps to a label that is computed")
                    .reason("a restart has to leave the block where the run has left it")
                    .help("jump to a label by its name, or after `#pragma cccp end execute`"),
                ),
                _ => self.exit(exit, facts, block),
            }
        }
    }

    fn exit(&mut self, exit: &'a Statement, facts: &ExecuteFacts, of: BlockNumber) {
        let position = exit.span.start;
        let site = Site {
            position,
            scope: exit.scope,
            names_at: position,
            statement: position,
            label: None,
            checkpoint: false,
            shutdown: false,
            keep: true,
        };
        let line = exit.place.map_or(self.plan.blocks[of - 1].line, |place| {
            self.unit.file.line_of(place.start)
        });
        let block = self.block(BlockKind::Execute, None, line, site);
        self.plan.blocks[block - 1].each = self.plan.blocks[of - 1].each;
        let visible = facts
            .sets
            .iter()
            .filter(|&&symbol| self.picture.visible(symbol, exit.scope, position));
        let publish = visible.filter_map(|&symbol| self.shadow_of(symbol, position));
        let leave = Step::ExecuteLeave {
            block,
            of,
            publish: publish.collect(),
        };
        if let StatementKind::Return(Some(value)) = &exit.kind
            && !is_pure(value)
        {
            let given = self.render(value.span);
            let (first, last) = match self.unit.kind(value.ty) {
                TypeKind::Void => (format!("{{ {given}; "), "return; }".to_string()),
                _ => (
                    format!("{{ __extension__ __auto_type cccp_e{block} = ({given}); "),
                    format!("return cccp_e{block}; }}"),
                ),
            };
            self.raw.push(RawEdit {
                span: exit.span,
                place: exit.place,
                order: 0,
                steps: vec![text(first), leave, text(last)],
            });
        } else {
            self.before_jump(exit, leave);
        }
    }

    /// A step before a statement that jumps.
    pub(super) fn before_jump(&mut self, jump: &Statement, step: Step) {
        if let Some(edit) = self.raw.iter_mut().find(|edit| edit.span == jump.span) {
            let at = edit.steps.len().min(1);
            edit.steps.insert(at, step);
            return;
        }
        let words = flatten(self.unit.file.preprocessed_text(jump.span));
        self.raw.push(RawEdit {
            span: jump.span,
            place: jump.place,
            order: 0,
            steps: vec![text("{ "), step, text(format!("{words} }}"))],
        });
    }
}

/// The labels in a statement.
pub(super) fn labels(statement: &Statement) -> Vec<&str> {
    let mut found = Vec::new();
    statement.walk(&mut |one| {
        found.extend(one.label());
        true
    });
    found
}

/// Jumps out of a statement, and what returns from the function.
pub(super) fn collect<'a>(
    s: &'a Statement,
    in_loop: bool,
    in_switch: bool,
    labels: &HashSet<&str>,
    exits: &mut Vec<&'a Statement>,
) {
    let leaves = match &s.kind {
        StatementKind::Break => !(in_loop || in_switch),
        StatementKind::Continue => !in_loop,
        StatementKind::Goto(Some(name)) => !labels.contains(name.as_str()),
        StatementKind::Goto(None) | StatementKind::Return(_) => true,
        _ => false,
    };
    if leaves {
        exits.push(s);
    }
    let in_loop = in_loop || s.is_loop();
    let in_switch = in_switch || matches!(s.kind, StatementKind::Switch { .. });
    for child in s.children() {
        collect(child, in_loop, in_switch, labels, exits);
    }
}
