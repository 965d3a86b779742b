//! The walk over a function's statements: every form in which a client function is called, and every region.
//!
//! Text that can stay where it is stays. Conditions of loops cannot: they are evaluated again and again, so the calls
//! in them move into the loop (`for (;;) { call; if (!(…)) { break; } body }`), and a `continue` that would skip what
//! moved becomes a jump to it.

use super::builder::{Builder, Site};
use super::data::{BlockKind, Step};
use super::entries::Head;
use super::hoist::Spot;
use super::raw::RawEdit;
use crate::analysis::Finding;
use crate::diagnostic::Code;
use crate::program::{
    Declaration, Expression, ExpressionKind, ForStart, Initialiser, ScopeId, Statement,
    StatementKind, TypeKind,
};
use crate::source::{SourceRange, Span};

fn text(text: impl Into<String>) -> Step {
    Step::Text(text.into())
}

impl<'a> Builder<'a> {
    /// Plans a statement and all inside.
    pub fn statement(&mut self, s: &'a Statement) {
        self.depth += 1;
        if !s.openmp.is_empty() {
            self.refuse_openmp(s);
        }
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
            }
            StatementKind::Labelled { body, .. } => self.statement(body),
            StatementKind::Declaration(declaration) => self.declaration(s, declaration),
            StatementKind::Directive(id) => self.directive(s, *id),
            _ => {}
        }
        self.pending.clear();
        self.depth -= 1;
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
        let items: Vec<usize> = self
            .inner_items
            .iter()
            .filter(|(home, _)| *home == scope)
            .map(|(_, item)| *item)
            .collect();
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
        let mut labels = Vec::new();
        s.walk(&mut |inner| {
            if let StatementKind::Labelled {
                label: crate::program::Label::Name(name),
                ..
            } = &inner.kind
            {
                labels.push(name.clone());
            }
            true
        });
        let mut exits = Vec::new();
        collect_exits(s, false, false, &labels, &mut exits);
        for exit in exits {
            let jump = super::flatten::flatten(self.unit.file.preprocessed_text(exit.span));
            let steps = vec![
                text("{ "),
                Step::EndScope {
                    items: items.clone(),
                },
                text(format!("{jump} }}")),
            ];
            match self.raw.iter_mut().find(|edit| edit.span == exit.span) {
                Some(edit) => {
                    let at = edit.steps.len().min(1);
                    edit.steps.insert(
                        at,
                        Step::EndScope {
                            items: items.clone(),
                        },
                    );
                }
                None => self.raw.push(RawEdit {
                    span: exit.span,
                    place: exit.place,
                    order: 0,
                    steps,
                }),
            }
        }
    }

    /// Whether a block will be made of something inside.
    pub fn contains_block(&self, s: &Statement) -> bool {
        let mut found = false;
        s.walk(&mut |inner| {
            found |= matches!(inner.kind, StatementKind::Directive(_));
            found |= inner.expressions().into_iter().any(|e| self.has_call(e));
            !found
        });
        found
    }

    fn refuse_openmp(&mut self, s: &Statement) {
        if self.contains_block(s) {
            self.findings.push(
                Finding::error(Code::CLOSED_SCOPE, "restart blocks inside an OpenMP region")
                    .at(s.place, s.span)
                    .label("a restart cannot enter this region")
                    .reason("several threads would have to come back to their places together")
                    .help("put directives, and calls that lead to them, outside of the parallel region"),
            );
        }
    }

    fn hoisted(&mut self, e: &'a Expression, s: &'a Statement, scope: ScopeId) -> Vec<Step> {
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
    fn wrap(&mut self, s: &'a Statement, mut steps: Vec<Step>) {
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

    /// A range from the start of one piece to the start or end of another, in both texts.
    fn range(
        from: (usize, Option<usize>),
        to: (usize, Option<usize>),
    ) -> (Span, Option<SourceRange>) {
        let place = from
            .1
            .zip(to.1)
            .map(|(start, end)| SourceRange::new(start, end));
        (Span::new(from.0, to.0), place)
    }

    fn start_of(s: &Statement) -> (usize, Option<usize>) {
        (s.span.start, s.place.map(|place| place.start))
    }

    fn end_of(s: &Statement) -> (usize, Option<usize>) {
        (s.span.end, s.place.map(|place| place.end))
    }

    fn leave_unless(&mut self, condition: &Expression, steps: &mut Vec<Step>) {
        let condition = self.render(condition.span);
        steps.push(Step::If {
            condition: format!("!({condition})"),
            then: vec![text("break;")],
            otherwise: Vec::new(),
        });
    }

    fn while_loop(&mut self, s: &'a Statement, condition: &'a Expression, body: &'a Statement) {
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

    fn do_loop(&mut self, s: &'a Statement, body: &'a Statement, condition: &'a Expression) {
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

    #[expect(clippy::too_many_arguments, reason = "the parts of a for statement")]
    fn for_loop(
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
        if let ForStart::Declaration(declaration) = start {
            if declaration.variably_modified
                && (self.contains_block(body) || in_condition || in_step)
            {
                self.findings.push(
                    Finding::error(Code::CLOSED_SCOPE, "a variable-length array is declared in the head of a loop with restart blocks")
                        .at(declaration.place, declaration.span)
                        .help("declare it before the loop"),
                );
            }
        }
        if in_start {
            let mut steps = Vec::new();
            for e in expressions {
                steps.extend(self.hoisted(e, s, s.scope));
            }
            if !in_condition && !in_step {
                if let Some(span) = start_span {
                    self.cuts_in_place(span);
                }
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
        if in_condition {
            if let Some(condition) = condition {
                head.extend(self.hoisted(condition, s, scope));
                self.leave_unless(condition, &mut head);
            }
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
    fn redirect_continue(&mut self, body: &'a Statement) -> String {
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

    fn declaration(&mut self, s: &'a Statement, declaration: &'a Declaration) {
        let calling: Vec<usize> = (0..declaration.declarators.len())
            .filter(|&index| {
                declaration.declarators[index]
                    .initialiser
                    .as_ref()
                    .is_some_and(|one| self.initialiser_calls(one))
            })
            .collect();
        let mut steps = Vec::new();
        for e in &declaration.extents {
            steps.extend(self.hoisted(e, s, s.scope));
        }
        let mut earlier = false;
        for (index, declarator) in declaration.declarators.iter().enumerate() {
            if calling.contains(&index) {
                let mut hoisted = Vec::new();
                let names_at = if earlier {
                    declarator.span.start
                } else {
                    s.span.start
                };
                self.hoist_initialiser(declarator.initialiser.as_ref(), s, names_at, &mut hoisted);
                self.cuts_in_place(declaration_part(declaration, index));
                if earlier {
                    self.split(declaration, index, hoisted);
                } else {
                    steps.extend(hoisted);
                }
            }
            earlier |= declarator.initialiser.is_some();
        }
        self.pending.clear();
        if declaration.variably_modified {
            self.region_declaration(s, declaration, steps);
        } else if !steps.is_empty() {
            self.wrap(s, steps);
        }
    }

    fn initialiser_calls(&self, initialiser: &Initialiser) -> bool {
        match initialiser {
            Initialiser::Expression(e) => self.has_call(e),
            Initialiser::List(list) => list.items.iter().any(|one| self.initialiser_calls(one)),
        }
    }

    fn hoist_initialiser(
        &mut self,
        initialiser: Option<&'a Initialiser>,
        s: &'a Statement,
        names_at: usize,
        steps: &mut Vec<Step>,
    ) {
        match initialiser {
            Some(Initialiser::Expression(e)) => self.hoist(
                e,
                Spot {
                    statement: s,
                    scope: s.scope,
                    names_at: Some(names_at),
                },
                &mut Vec::new(),
                steps,
            ),
            Some(Initialiser::List(list)) => {
                for item in &list.items {
                    self.hoist_initialiser(Some(item), s, names_at, steps);
                }
            }
            None => {}
        }
    }

    /// `int a = 1, b = f(a);` becomes `int a = 1; call; int b = …;`.
    fn split(&mut self, declaration: &'a Declaration, index: usize, hoisted: Vec<Step>) {
        let first = &declaration.declarators[0];
        let (previous, this) = (
            &declaration.declarators[index - 1],
            &declaration.declarators[index],
        );
        if declaration.defines_type {
            self.findings.push(
                Finding::error(Code::CALL_PLACE, "a client function initialises one of several variables of a type that is defined here")
                    .at(this.place, this.span)
                    .help("declare the variables after the type, one statement each"),
            );
            return;
        }
        let specifiers = Span::new(declaration.span.start, first.span.start);
        let specifiers = self.render(specifiers);
        let end = previous
            .initialiser
            .as_ref()
            .map_or(previous.span.end, initialiser_end);
        // A closing parenthesis of the initialiser may lie before the comma.
        let between = self
            .unit
            .file
            .preprocessed_text(Span::new(end, this.span.start));
        let comma = end + between.rfind(',').unwrap_or(0);
        let span = Span::new(comma, this.span.start);
        let place = self
            .unit
            .file
            .place(Span::new(comma, comma + 1))
            .zip(this.place);
        let place = place.map(|(comma, this)| SourceRange::new(comma.start, this.start));
        let mut steps = vec![text("; ")];
        steps.extend(hoisted);
        steps.push(text(format!("{specifiers} ")));
        self.raw.push(RawEdit {
            span,
            place,
            order: 0,
            steps,
        });
    }

    /// A declaration that has to be executed to be entered: a block with its own dispatch behind it.
    fn region_declaration(
        &mut self,
        s: &'a Statement,
        declaration: &'a Declaration,
        mut steps: Vec<Step>,
    ) {
        if !self.blocks_follow(s) {
            if !steps.is_empty() {
                self.wrap(s, steps);
            }
            return;
        }
        let line = self.line(declaration.place, s);
        let site = Site {
            position: s.span.start,
            scope: s.scope,
            names_at: s.span.start,
            statement: s.span.start,
            label: None,
            checkpoint: false,
            keep: false,
        };
        let block = self.block(BlockKind::Region, None, line, site);
        let mut values = Vec::new();
        let own: Vec<crate::program::SymbolId> = declaration
            .declarators
            .iter()
            .map(|one| one.symbol)
            .collect();
        let mut named = Vec::new();
        for e in declaration.expressions() {
            e.walk(&mut |inner| named.extend(inner.symbol()));
        }
        named.sort_unstable();
        named.dedup();
        for symbol in named {
            let scalar =
                self.is_scalar(self.symbol(symbol).ty) && !self.is_handle(self.symbol(symbol).ty);
            let steady = self.is_steady_parameter(symbol)
                || self.is_set_before_init(symbol)
                || self.is_constant_local(symbol);
            let is_const = self.unit.ty(self.symbol(symbol).ty).qualifiers.is_const;
            let pointer = matches!(self.unit.kind(self.symbol(symbol).ty), TypeKind::Pointer(_));
            if own.contains(&symbol) || !self.is_automatic(symbol) || !scalar || steady || pointer {
                continue;
            }
            if is_const {
                self.blank_const(symbol);
            }
            if let Ok(value) = self.value(symbol) {
                values.push(value);
            }
        }
        for temporary in self.plan.temporaries.clone() {
            let text = super::flatten::flatten(self.unit.file.preprocessed_text(declaration.span));
            let cut_here = self
                .cuts
                .iter()
                .any(|cut| declaration.span.contains(cut.span) && cut.text == temporary.name);
            if cut_here && !text.is_empty() {
                let ty = self.temporary_types.get(&temporary.name).copied().flatten();
                let shape = ty.map_or(Ok(super::data::Shape::Named("int")), |ty| {
                    self.shapes.of(self.unit, ty, true, None)
                });
                if let Ok(shape) = shape {
                    values.push(super::data::Value {
                        name: temporary.name.clone(),
                        declaration: temporary.declaration.clone(),
                        read: temporary.name.clone(),
                        shape,
                        read_by_blocks: false,
                    });
                }
            }
        }
        self.plan.blocks[block - 1].values = values;
        let text_of = super::flatten::flatten(self.unit.file.preprocessed_text(declaration.span));
        self.again_texts.push(text_of);
        steps.push(Step::RegionBegin { block });
        self.wrap(s, steps);
        self.after(s, self.depth * 10, vec![Step::RegionEnd { block }]);
        for declarator in &declaration.declarators {
            if let Some(Initialiser::Expression(e)) = &declarator.initialiser {
                if !super::arguments::is_pure(e) {
                    self.only_in_normal_runs(e);
                }
            }
        }
        self.region = block;
    }

    /// `init` becomes `cccp_replaying ? 0 : (init)`.
    fn only_in_normal_runs(&mut self, e: &'a Expression) {
        let rest = self.render(e.span);
        self.raw.retain(|edit| {
            !(edit.span.start >= e.span.start
                && edit.span.end <= e.span.end
                && edit.span.start < edit.span.end)
        });
        self.raw.push(RawEdit {
            span: e.span,
            place: e.place,
            order: 0,
            steps: vec![Step::Text(format!("cccp_replaying ? 0 : ({rest})"))],
        });
    }

    /// Whether a block stands between a declaration and the end of its scope.
    fn blocks_follow(&self, s: &Statement) -> bool {
        let number = self
            .picture
            .statements
            .iter()
            .position(|other| std::ptr::eq(*other, s));
        let Some(parent) = number.and_then(|number| self.picture.parents[number]) else {
            return false;
        };
        self.picture.statements[parent]
            .children()
            .into_iter()
            .any(|item| item.span.start > s.span.start && self.contains_block(item))
    }
}

fn initialiser_end(initialiser: &Initialiser) -> usize {
    match initialiser {
        Initialiser::Expression(e) => e.span.end,
        Initialiser::List(list) => list.span.end,
    }
}

/// The text of one declarator with its initialiser.
fn declaration_part(declaration: &Declaration, index: usize) -> Span {
    let declarator = &declaration.declarators[index];
    let end = declarator
        .initialiser
        .as_ref()
        .map_or(declarator.span.end, initialiser_end);
    Span::new(declarator.span.start, end)
}

/// Jumps out of a statement.
fn collect_exits<'a>(
    s: &'a Statement,
    in_loop: bool,
    in_switch: bool,
    labels: &[String],
    exits: &mut Vec<&'a Statement>,
) {
    let leaves = match &s.kind {
        StatementKind::Break => !(in_loop || in_switch),
        StatementKind::Continue => !in_loop,
        StatementKind::Goto(Some(name)) => !labels.contains(name),
        _ => false,
    };
    if leaves {
        exits.push(s);
    }
    let in_loop = in_loop || s.is_loop();
    let in_switch = in_switch || matches!(s.kind, StatementKind::Switch { .. });
    for child in s.children() {
        collect_exits(child, in_loop, in_switch, labels, exits);
    }
}
