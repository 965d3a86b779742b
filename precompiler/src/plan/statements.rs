//! The walk over a function's statements: every form in which a client function is called, and every region.
//!
//! Text that can stay where it is stays. Conditions of loops cannot: they are evaluated again and again, so the calls
//! in them move into the loop (`for (;;) { call; if (!(…)) { break; } body }`), and a `continue` that would skip what
//! moved becomes a jump to it.

use super::builder::Builder;
use super::data::Step;
use super::exits::{collect, labels};
use super::hoist::Spot;
use super::raw::RawEdit;
use crate::analysis::Finding;
use crate::diagnostic::Code;
use crate::program::{
    Assembly, Construct, Expression, ExpressionKind, ScopeId, Statement, StatementKind,
};
use crate::source::{SourceRange, Span};
use cccp_grammar::openmp::ClauseKind;

pub(super) fn text(text: impl Into<String>) -> Step {
    Step::Text(text.into())
}

impl<'a> Builder<'a> {
    /// Plans a statement and all inside.
    pub fn statement(&mut self, s: &'a Statement) {
        self.depth += 1;
        if !self.parallel(s) && !self.by_one_thread(s) {
            if !s.openmp.is_empty() {
                self.refuse_openmp(s);
                self.refuse_conditional(s);
                self.count_construct(s);
            }
            self.inside(s);
        }
        self.pending.clear();
        self.depth -= 1;
    }

    /// What a statement is made of.
    pub(super) fn inside(&mut self, s: &'a Statement) {
        match &s.kind {
            StatementKind::Compound { items, scope } => {
                self.compound(items);
                self.end_scope(s, *scope);
            }
            StatementKind::Expression(Some(e)) if self.has_call(e) => {
                self.expression_statement(s, e)
            }
            StatementKind::Return(Some(e)) if self.has_call(e) => {
                let steps = self.hoisted(e, s, s.scope);
                self.cuts_in_place(e.span);
                self.wrap(s, steps);
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                if self.has_call(condition) {
                    let steps = self.hoisted(condition, s, s.scope);
                    self.cuts_in_place(condition.span);
                    self.wrap(s, steps);
                }
                self.statement(then);
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise);
                }
            }
            StatementKind::Switch { value, body } => {
                if self.has_call(value) {
                    let steps = self.hoisted(value, s, s.scope);
                    self.cuts_in_place(value.span);
                    self.wrap(s, steps);
                }
                self.statement(body);
            }
            StatementKind::While { condition, body } => self.while_loop(s, condition, body),
            StatementKind::DoWhile { body, condition } => self.do_loop(s, body, condition),
            StatementKind::For {
                start,
                condition,
                step,
                body,
                scope,
            } => {
                self.for_loop(s, start, condition.as_ref(), step.as_ref(), body, *scope);
                self.end_head(s, *scope);
            }
            StatementKind::Labelled { body, .. } => self.statement(body),
            StatementKind::Declaration(declaration) => self.declaration(s, declaration),
            StatementKind::Directive(id) => self.directive(s, *id),
            StatementKind::Assembly(assembly) => self.refuse_assembly(s, assembly),
            _ => {}
        }
    }

    fn compound(&mut self, items: &'a [Statement]) {
        let region = self.region;
        let mut cleanup = false;
        for item in items {
            if cleanup && self.contains_block(item) {
                self.findings.push(
                    Finding::error(
                        Code::CLOSED_SCOPE,
                        "restart blocks in the scope of a variable with `cleanup`",
                    )
                    .at(item.place, item.span)
                    .label("a restart would enter the scope without the variable")
                    .help("move the variable into a function of its own"),
                );
            }
            if let StatementKind::Declaration(declaration) = &item.kind {
                cleanup |= declaration
                    .declarators
                    .iter()
                    .any(|one| self.symbol(one.symbol).cleanup);
            }
            self.statement(item);
        }
        self.region = region;
    }

    /// Registered objects of an inner block end where the block is left.
    fn end_scope(&mut self, s: &'a Statement, scope: ScopeId) {
        let items = self.items_of(scope);
        if items.is_empty() {
            return;
        }
        let close = Span::new(s.span.end - 1, s.span.end);
        let place = self
            .unit
            .file
            .place(close)
            .map(|place| SourceRange::new(place.start, place.start));
        self.raw.push(RawEdit {
            span: Span::new(close.start, close.start),
            place,
            order: 2_900_000,
            steps: vec![Step::EndScope {
                items: items.clone(),
            }],
        });
        self.end_at_jumps(s, &items);
    }

    /// Those of the head of a loop end behind the loop.
    fn end_head(&mut self, s: &'a Statement, scope: ScopeId) {
        let items = self.items_of(scope);
        if items.is_empty() {
            return;
        }
        let mut steps = vec![Step::EndScope {
            items: items.clone(),
        }];
        let order = self.depth * 10 + 1;
        if !s.in_compound {
            self.before(s, order, vec![text("{ ")]);
            steps.push(text(" }"));
        }
        self.after(s, order, steps);
        self.end_at_jumps(s, &items);
    }

    fn items_of(&self, scope: ScopeId) -> Vec<usize> {
        let all = self.inner_items.iter();
        let own = all.filter(|(home, _)| *home == scope);
        own.map(|(_, item)| *item).collect()
    }

    /// Where a jump leaves the statement in which these items are, they end, too.
    fn end_at_jumps(&mut self, s: &'a Statement, items: &[usize]) {
        let labels = labels(s).into_iter().collect();
        let mut exits = Vec::new();
        collect(s, false, false, &labels, &mut exits);
        for exit in exits {
            if !matches!(
                exit.kind,
                StatementKind::Goto(None) | StatementKind::Return(_)
            ) {
                let items = items.to_vec();
                self.before_jump(exit, Step::EndScope { items });
            }
        }
    }

    /// Whether a block will be made of something inside.
    pub fn contains_block(&self, s: &Statement) -> bool {
        let mut found = false;
        s.walk(&mut |inner| {
            found |= matches!(inner.kind, StatementKind::Directive(id)
                if !self.clients.residents.contains(self.unit_index, id));
            found |= inner.expressions().into_iter().any(|e| self.has_call(e));
            !found
        });
        found
    }

    fn refuse_openmp(&mut self, s: &Statement) {
        if matches!(s.kind, StatementKind::Directive(_)) {
            let pragmas: Vec<&str> = s.openmp.iter().map(|one| one.text.as_str()).collect();
            self.findings.push(
                Finding::error(
                    Code::CLOSED_SCOPE,
                    "a directive between an OpenMP pragma and its statement",
                )
                .at(s.place, s.span)
                .label("the pragma before it governs the next statement, which would be this one")
                .reason(format!(
                    "`#pragma omp {}` has to stand right before its statement",
                    pragmas.join("`, `")
                ))
                .help("move the directive above that pragma"),
            );
        } else if self.contains_block(s) {
            self.refuse_construct(s);
        }
    }

    /// Which iteration was the last to set a variable of `lastprivate(conditional: …)` compilers keep in a variable of their own, some
    /// from one execution of the loop to the next: a restart that enters the function, or the region, loses it.
    fn refuse_conditional(&mut self, s: &Statement) {
        let kept = |one: &&Construct| {
            let mut last = one.clauses_of(ClauseKind::Lastprivate);
            !one.is_parallel() && last.any(|clause| clause.has_modifier("conditional"))
        };
        let construct = s.openmp.iter().find(kept);
        let Some(construct) = construct.filter(|_| !self.contains_block(s)) else {
            return;
        };
        let finding = Finding::error(
            Code::CLOSED_SCOPE,
            format!("`#pragma omp {}` where a restart resumes", construct.text),
        )
        .at(s.place, s.span)
        .label("a restart does not know which iteration set the variable last")
        .reason("compilers keep that in a variable of their own, which is in no checkpoint")
        .help("put this construct into a function of its own that leads to no checkpoint");
        self.findings.push(finding);
    }

    fn refuse_assembly(&mut self, s: &Statement, assembly: &Assembly) {
        if assembly
            .operands
            .iter()
            .any(|one| self.has_call(&one.value))
        {
            self.findings.push(
                Finding::error(
                    Code::CALL_PLACE,
                    "a call that leads to a checkpoint is in an operand of inline assembly",
                )
                .at(s.place, s.span)
                .label("a restart cannot enter this statement")
                .help("compute the operand into a variable before the statement"),
            );
        }
    }

    pub(super) fn hoisted(
        &mut self,
        e: &'a Expression,
        s: &'a Statement,
        scope: ScopeId,
    ) -> Vec<Step> {
        let mut steps = Vec::new();
        self.hoist(
            e,
            Spot {
                statement: s,
                scope,
                names_at: None,
            },
            &mut Vec::new(),
            &mut steps,
        );
        steps
    }

    /// Steps before a statement, in braces where it is not an item of a compound.
    pub(super) fn wrap(&mut self, s: &'a Statement, mut steps: Vec<Step>) {
        let depth = self.depth * 10;
        if !s.in_compound {
            steps.insert(0, text("{ "));
            self.after(s, depth, vec![text(" }")]);
        }
        self.before(s, depth, steps);
    }

    fn expression_statement(&mut self, s: &'a Statement, e: &'a Expression) {
        let client = self.clients.callee(self.program, self.unit_index, e);
        let whole = client.is_some()
            || matches!(
                e.kind,
                ExpressionKind::Comma(_)
                    | ExpressionKind::Logical { .. }
                    | ExpressionKind::Conditional { .. }
                    | ExpressionKind::Cast(_)
            );
        if !whole {
            let steps = self.hoisted(e, s, s.scope);
            self.cuts_in_place(e.span);
            self.wrap(s, steps);
            return;
        }
        let mut steps = vec![text("{ ")];
        self.discard(
            e,
            Spot {
                statement: s,
                scope: s.scope,
                names_at: None,
            },
            &mut Vec::new(),
            &mut steps,
        );
        steps.push(text("}"));
        self.raw.push(RawEdit {
            span: s.span,
            place: s.place,
            order: 0,
            steps,
        });
    }
}
