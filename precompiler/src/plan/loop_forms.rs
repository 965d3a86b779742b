//! Client calls in the heads of loops.
//!
//! Conditions of loops are evaluated again and again, so the calls in them move into the loop: `while (f(x)) body`
//! becomes `for (;;) { call; if (!(result)) { break; } body }`, and a `continue` that would skip what moved becomes a
//! jump to it.

use super::builder::Builder;
use super::data::Step;
use super::entries::Head;
use super::hoist::Spot;
use super::raw::RawEdit;
use super::statements::text;
use crate::analysis::Finding;
use crate::diagnostic::Code;
use crate::program::{Expression, ForStart, ScopeId, Statement, StatementKind};
use crate::source::{SourceRange, Span};

impl<'a> Builder<'a> {
    /// A range from the start of one piece to the start or end of another, in both texts.
    pub(super) fn range(
        from: (usize, Option<usize>),
        to: (usize, Option<usize>),
    ) -> (Span, Option<SourceRange>) {
        let place = from
            .1
            .zip(to.1)
            .map(|(start, end)| SourceRange::new(start, end));
        (Span::new(from.0, to.0), place)
    }

    pub(super) fn start_of(s: &Statement) -> (usize, Option<usize>) {
        (s.span.start, s.place.map(|place| place.start))
    }

    pub(super) fn end_of(s: &Statement) -> (usize, Option<usize>) {
        (s.span.end, s.place.map(|place| place.end))
    }

    pub(super) fn leave_unless(&mut self, condition: &Expression, steps: &mut Vec<Step>) {
        let condition = self.render(condition.span);
        steps.push(Step::If {
            condition: format!("!({condition})"),
            then: vec![text("break;")],
            otherwise: Vec::new(),
        });
    }

    pub(super) fn while_loop(
        &mut self,
        s: &'a Statement,
        condition: &'a Expression,
        body: &'a Statement,
    ) {
        if self.has_call(condition) {
            let mut steps = vec![text("for (;;) { ")];
            steps.extend(self.hoisted(condition, s, s.scope));
            self.leave_unless(condition, &mut steps);
            let (span, place) = Self::range(Self::start_of(s), Self::start_of(body));
            self.raw.push(RawEdit {
                span,
                place,
                order: 0,
                steps,
            });
            self.after(s, self.depth * 10 + 1, vec![text(" }")]);
        } else {
            let head = Head {
                start: None,
                condition: Some(condition),
                step: None,
                scope: s.scope,
            };
            if let Some(id) = self.plan_entry(s, &head, body) {
                self.statement(body);
                self.write_entry(s, &head, body, id);
                return;
            }
        }
        self.pending.clear();
        self.statement(body);
    }

    pub(super) fn do_loop(
        &mut self,
        s: &'a Statement,
        body: &'a Statement,
        condition: &'a Expression,
    ) {
        self.statement(body);
        if !self.has_call(condition) {
            return;
        }
        let label = self.redirect_continue(body);
        let mut steps = vec![text(format!(" {label}"))];
        steps.extend(self.hoisted(condition, s, s.scope));
        let rest = self.render(condition.span);
        steps.push(text(format!("}} while ({rest});")));
        let (span, place) = Self::range(Self::end_of(body), Self::end_of(s));
        self.raw.push(RawEdit {
            span,
            place,
            order: 0,
            steps,
        });
        let depth = self.depth * 10;
        self.before(body, depth, vec![text("{ ")]);
    }

    pub(super) fn for_loop(
        &mut self,
        s: &'a Statement,
        start: &'a ForStart,
        condition: Option<&'a Expression>,
        step: Option<&'a Expression>,
        body: &'a Statement,
        scope: ScopeId,
    ) {
        let depth = self.depth;
        let (expressions, start_span) = match start {
            ForStart::Nothing => (Vec::new(), None),
            ForStart::Expression(e) => (vec![e], Some(e.span)),
            ForStart::Declaration(declaration) => {
                (declaration.expressions(), Some(declaration.span))
            }
        };
        let in_start = expressions.iter().any(|e| self.has_call(e));
        let in_condition = condition.is_some_and(|e| self.has_call(e));
        let in_step = step.is_some_and(|e| self.has_call(e));
        if let ForStart::Declaration(declaration) = start
            && declaration.variably_modified
            && (self.contains_block(body) || in_condition || in_step)
        {
            self.findings.push(
                Finding::error(
                    Code::CLOSED_SCOPE,
                    "a variable-length array is declared in the head of a loop with restart blocks",
                )
                .at(declaration.place, declaration.span)
                .help("declare it before the loop"),
            );
        }
        if in_start {
            let mut steps = Vec::new();
            for e in expressions {
                steps.extend(self.hoisted(e, s, s.scope));
            }
            if !in_condition
                && !in_step
                && let Some(span) = start_span
            {
                self.cuts_in_place(span);
            }
            self.wrap(s, steps);
        }
        let head_start = start_span.map_or_else(String::new, |span| self.render(span));
        self.pending.clear();
        if !in_condition && !in_step {
            let head = Head {
                start: Some(start),
                condition,
                step,
                scope,
            };
            let entry = if in_start {
                None
            } else {
                self.plan_entry(s, &head, body)
            };
            self.statement(body);
            if let Some(id) = entry {
                self.write_entry(s, &head, body, id);
            }
            return;
        }
        let head_start = head_start.trim_end_matches(';').to_string();
        let mut head = Vec::new();
        if in_condition && let Some(condition) = condition {
            head.extend(self.hoisted(condition, s, scope));
            self.leave_unless(condition, &mut head);
        }
        self.pending.clear();
        let plain_condition = match condition {
            Some(condition) if !in_condition => self.render(condition.span),
            _ => String::new(),
        };
        let plain_step = match step {
            Some(step) if !in_step => self.render(step.span),
            _ => String::new(),
        };
        self.statement(body);
        let mut steps = vec![text(format!(
            "for ({head_start}; {plain_condition}; {plain_step}) {{ "
        ))];
        steps.extend(head);
        let (span, place) = Self::range(Self::start_of(s), Self::start_of(body));
        self.raw.push(RawEdit {
            span,
            place,
            order: 0,
            steps,
        });
        let mut tail = vec![text(" ")];
        if let (Some(step), true) = (step, in_step) {
            tail.push(text(self.redirect_continue(body)));
            self.discard(
                step,
                Spot {
                    statement: s,
                    scope,
                    names_at: None,
                },
                &mut Vec::new(),
                &mut tail,
            );
        }
        tail.push(text("}"));
        self.after(s, depth * 10 + 1, tail);
    }

    /// Every `continue` of this loop becomes a jump to the end of its body; the answer is the label.
    pub(super) fn redirect_continue(&mut self, body: &'a Statement) -> String {
        let label = format!("cccp_continue_{}", body.span.start);
        let mut places = Vec::new();
        body.walk(&mut |inner| {
            if matches!(inner.kind, StatementKind::Continue) {
                places.push((inner.span, inner.place));
            }
            !inner.is_loop()
        });
        if places.is_empty() {
            return String::new();
        }
        let label = format!(
            "cccp_continue_{}",
            self.plan.temporaries.len() + self.raw.len() + label.len()
        );
        for (span, place) in places {
            if let Some(edit) = self.raw.iter_mut().find(|edit| edit.span == span) {
                edit.steps.pop();
                edit.steps.push(text(format!("goto {label}; }}")));
                continue;
            }
            let steps = vec![text(format!("goto {label};"))];
            self.raw.push(RawEdit {
                span,
                place,
                order: 0,
                steps,
            });
        }
        format!("{label}: ; ")
    }
}
