//! Statements, and the directives between them.

use super::builder::Builder;
use super::model::{
    Assembly, AssemblyOperand, Construct, ForStart, Label, ScopeId, Statement, StatementId,
    StatementKind,
};
use crate::source::Span;
use crate::syntax::tree;

impl Builder<'_> {
    /// The body of a function: its outermost names share the parameters' scope.
    pub fn function_body(&mut self, body: &tree::Statement, scope: ScopeId) -> Statement {
        let tree::StatementKind::Compound(items) = &body.kind else {
            return self.statement(body, body.span.start, false);
        };
        let id = self.next_statement();
        let items = self.items(items, body.span);
        self.finish(
            id,
            body.span,
            scope,
            false,
            Vec::new(),
            StatementKind::Compound { items, scope },
        )
    }

    fn next_statement(&mut self) -> StatementId {
        let id = StatementId(self.statements);
        self.statements += 1;
        id
    }

    fn finish(
        &self,
        id: StatementId,
        span: Span,
        scope: ScopeId,
        in_compound: bool,
        openmp: Vec<Construct>,
        kind: StatementKind,
    ) -> Statement {
        let place = self.place(span);
        let touched_by_macro = self.within_directive.is_some() || self.file.touched_by_macro(span);
        let mut statement = Statement {
            id,
            kind,
            span,
            place,
            touched_by_macro,
            scope,
            in_compound,
            openmp,
        };
        self.name_private(&mut statement);
        statement
    }

    /// The items of a compound statement with the directives among them.
    fn items(&mut self, sources: &[tree::Statement], span: Span) -> Vec<Statement> {
        let mut items = Vec::with_capacity(sources.len());
        let mut from = span.start + 1;
        for source in sources {
            while let Some(directive) = self.directive_before(from, source.span.start) {
                from = directive.span.end;
                items.push(directive);
            }
            self.labelled_items(source, from, &mut items);
            from = source.span.end;
        }
        while let Some(directive) = self.directive_before(from, span.end) {
            from = directive.span.end;
            items.push(directive);
        }
        items
    }

    /// A directive between a label and its statement takes the label; the statement follows as an item of its own.
    fn labelled_items(
        &mut self,
        source: &tree::Statement,
        from: usize,
        items: &mut Vec<Statement>,
    ) {
        let tree::StatementKind::Labelled { label, body } = &source.kind else {
            let item = self.statement(source, from, true);
            items.push(item);
            return;
        };
        let id = self.next_statement();
        let label = self.label(label);
        let scope = self.scope();
        let openmp = self.openmp(from, source.span.start);
        if let Some(directive) = self.directive_before(source.span.start, body.span.start) {
            // Its text ends with the label's colon.
            let end = self.file.end_of_previous_token(body.span.start);
            let span = Span::new(source.span.start, end.max(source.span.start));
            let kind = StatementKind::Labelled {
                label,
                body: Box::new(directive),
            };
            items.push(self.finish(id, span, scope, true, openmp, kind));
            let mut from = end;
            while let Some(directive) = self.directive_before(from, body.span.start) {
                from = directive.span.end;
                items.push(directive);
            }
            self.labelled_items(body, from, items);
            return;
        }
        let mut inner = Vec::new();
        self.labelled_items(body, source.span.start, &mut inner);
        let mut inner = inner.into_iter();
        if let Some(mut body) = inner.next() {
            body.in_compound = false;
            let kind = StatementKind::Labelled {
                label,
                body: Box::new(body),
            };
            items.push(self.finish(id, source.span, scope, true, openmp, kind));
        }
        items.extend(inner);
    }

    /// What stands alone before `offset`: the next directive, ours or OpenMP's. OpenMP's after `from` that belong to a
    /// statement are taken for our directive's own.
    fn directive_before(&mut self, from: usize, offset: usize) -> Option<Statement> {
        let placed = self.placed.get(self.next_directive);
        let placed = placed.filter(|placed| placed.span.start < offset);
        let until = placed.map_or(offset, |placed| placed.span.start);
        if let Some(found) = self.openmp_before(from, until) {
            return Some(found);
        }
        let placed = placed?;
        let openmp = self.openmp(from, placed.span.start);
        let id = self.next_statement();
        let directive = self.directive(Some(id));
        let place = self.file.directive_lines[placed.line].lines;
        Some(Statement {
            id,
            kind: StatementKind::Directive(directive),
            span: placed.span,
            place: Some(place),
            touched_by_macro: false,
            scope: self.scope(),
            in_compound: true,
            openmp,
        })
    }

    /// The next of OpenMP's directives between two offsets that is a statement of its own.
    fn openmp_before(&mut self, from: usize, to: usize) -> Option<Statement> {
        let construct = self
            .constructs(from, to)
            .iter()
            .find(|one| one.is_statement())?;
        let construct = construct.clone();
        Some(Statement {
            id: self.next_statement(),
            span: construct.span,
            place: construct.place,
            touched_by_macro: construct.place.is_none(),
            scope: self.scope(),
            in_compound: true,
            openmp: Vec::new(),
            kind: StatementKind::OpenMp(construct),
        })
    }

    /// Those of OpenMP's directives between two offsets that belong to the statement that follows.
    fn openmp(&self, from: usize, to: usize) -> Vec<Construct> {
        let all = self.constructs(from, to).iter();
        all.filter(|one| !one.stands_alone()).cloned().collect()
    }

    fn constructs(&self, from: usize, to: usize) -> &[Construct] {
        if self.within_directive.is_some() {
            return &[];
        }
        let first = self.openmp.partition_point(|one| one.span.start < from);
        let last = self.openmp.partition_point(|one| one.span.start < to);
        &self.openmp[first..last.max(first)]
    }

    fn label(&mut self, label: &tree::Label) -> Label {
        match label {
            tree::Label::Name(name) => Label::Name(name.clone()),
            tree::Label::Case(value) => Label::Case(self.expression(value)),
            tree::Label::CaseRange(low, high) => {
                Label::CaseRange(self.expression(low), self.expression(high))
            }
            tree::Label::Default => Label::Default,
        }
    }

    /// A statement whose own text and what belongs to it (pragmas) begins after `from`.
    pub fn statement(
        &mut self,
        source: &tree::Statement,
        from: usize,
        in_compound: bool,
    ) -> Statement {
        let id = self.next_statement();
        let scope = self.scope();
        let openmp = self.openmp(from, source.span.start);
        let kind = self.statement_kind(source);
        self.finish(id, source.span, scope, in_compound, openmp, kind)
    }

    fn inner(&mut self, source: &tree::Statement, from: usize) -> Box<Statement> {
        Box::new(self.statement(source, from, false))
    }

    fn statement_kind(&mut self, source: &tree::Statement) -> StatementKind {
        let from = source.span.start;
        match &source.kind {
            tree::StatementKind::Compound(items) => {
                let scope = self.push_scope();
                let items = self.items(items, source.span);
                self.pop_scope();
                StatementKind::Compound { items, scope }
            }
            tree::StatementKind::Declaration(declaration) => {
                StatementKind::Declaration(self.declaration(declaration))
            }
            tree::StatementKind::Expression(value) => {
                StatementKind::Expression(value.as_ref().map(|value| self.expression(value)))
            }
            tree::StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.expression(condition);
                let body = self.inner(then, from);
                let otherwise = otherwise
                    .as_ref()
                    .map(|otherwise| self.inner(otherwise, then.span.end));
                StatementKind::If {
                    condition,
                    then: body,
                    otherwise,
                }
            }
            tree::StatementKind::While { condition, body } => {
                let condition = self.expression(condition);
                StatementKind::While {
                    condition,
                    body: self.inner(body, from),
                }
            }
            tree::StatementKind::DoWhile { body, condition } => {
                let body = self.inner(body, from);
                StatementKind::DoWhile {
                    body,
                    condition: self.expression(condition),
                }
            }
            tree::StatementKind::For {
                start,
                condition,
                step,
                body,
            } => {
                let scope = self.push_scope();
                let start = match start {
                    tree::ForStart::Nothing => ForStart::Nothing,
                    tree::ForStart::Expression(value) => {
                        ForStart::Expression(self.expression(value))
                    }
                    tree::ForStart::Declaration(declaration) => {
                        ForStart::Declaration(self.declaration(declaration))
                    }
                };
                let condition = condition.as_ref().map(|value| self.expression(value));
                let step = step.as_ref().map(|value| self.expression(value));
                let body = self.inner(body, from);
                self.pop_scope();
                StatementKind::For {
                    start,
                    condition,
                    step,
                    body,
                    scope,
                }
            }
            tree::StatementKind::Switch { value, body } => {
                let value = self.expression(value);
                StatementKind::Switch {
                    value,
                    body: self.inner(body, from),
                }
            }
            tree::StatementKind::Labelled { label, body } => {
                let label = self.label(label);
                StatementKind::Labelled {
                    label,
                    body: self.inner(body, from),
                }
            }
            tree::StatementKind::Goto(name) => StatementKind::Goto(name.clone()),
            tree::StatementKind::Break => StatementKind::Break,
            tree::StatementKind::Continue => StatementKind::Continue,
            tree::StatementKind::Return(value) => {
                StatementKind::Return(value.as_ref().map(|value| self.expression(value)))
            }
            tree::StatementKind::Assembly(assembly) => {
                let operands = assembly.operands.iter();
                StatementKind::Assembly(Assembly {
                    template: assembly.template.clone(),
                    operands: operands
                        .map(|(constraint, value)| AssemblyOperand {
                            constraint: constraint.clone(),
                            value: self.expression(value),
                        })
                        .collect(),
                    labels: assembly.labels.clone(),
                    changes_memory: assembly.changes_memory,
                    is_barrier: assembly.is_barrier,
                    may_call: assembly.may_call,
                })
            }
        }
    }
}
