//! Declarations: client calls in initialisers, and variably modified types.
//!
//! A declaration that has to be executed to be entered is a block of its own: on restart the locals that its extents
//! read get the values they had, the declaration runs, and a dispatch behind it leads on into its scope.

use super::builder::{Builder, Site};
use super::data::{BlockKind, Step};
use super::hoist::Spot;
use super::raw::RawEdit;
use super::statements::text;
use crate::analysis::Finding;
use crate::diagnostic::Code;
use crate::program::{
    Declaration, Directive, Expression, Initialiser, Statement, SymbolId, TypeKind,
};
use crate::source::{SourceRange, Span};

impl<'a> Builder<'a> {
    pub(super) fn declaration(&mut self, s: &'a Statement, declaration: &'a Declaration) {
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
        self.begin_unset(s, declaration);
        if declaration.variably_modified {
            self.region_declaration(s, declaration, steps);
        } else if !steps.is_empty() {
            self.wrap(s, steps);
        }
    }

    pub(super) fn initialiser_calls(&self, initialiser: &Initialiser) -> bool {
        match initialiser {
            Initialiser::Expression(e) => self.has_call(e),
            Initialiser::List(list) => list.items.iter().any(|one| self.initialiser_calls(one)),
        }
    }

    pub(super) fn hoist_initialiser(
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
    pub(super) fn split(&mut self, declaration: &'a Declaration, index: usize, hoisted: Vec<Step>) {
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
    pub(super) fn region_declaration(
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
            shutdown: false,
            keep: false,
        };
        let block = self.block(BlockKind::Region, None, line, site);
        let mut values = Vec::new();
        let own: Vec<SymbolId> = declaration
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
                || self.is_constant_local(symbol) && !self.is_registered(symbol);
            let is_const = self.unit.ty(self.symbol(symbol).ty).qualifiers.is_const;
            let pointer = matches!(self.unit.kind(self.symbol(symbol).ty), TypeKind::Pointer(_));
            if own.contains(&symbol)
                || !self.is_on_stack(symbol, declaration.span.start)
                || !scalar
                || steady
                || pointer
            {
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
                let shape = ty.map_or(Ok(super::table::Shape::Named("int")), |ty| {
                    self.shapes.value(self.unit, ty)
                });
                if let Ok(shape) = shape {
                    values.push(super::data::Value {
                        name: temporary.name.clone(),
                        declaration: temporary.declaration.clone(),
                        read: temporary.name.clone(),
                        shape,
                        read_by_blocks: false,
                        unread: false,
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
            if let Some(Initialiser::Expression(e)) = &declarator.initialiser
                && !super::arguments::is_pure(e)
            {
                self.only_in_normal_runs(e);
            }
        }
        self.region = block;
    }

    /// Whether a register of the function names a variable, itself or what it leads to: a restart has its value from there, which may
    /// be behind the declaration.
    pub(super) fn is_registered(&self, symbol: SymbolId) -> bool {
        let mut all = self.unit.directives.iter();
        all.any(|one| match &one.directive {
            Directive::Register { items } => items.iter().any(|item| item.symbol == symbol),
            _ => false,
        })
    }

    /// `init` becomes `cccp_replaying ? 0 : (init)`.
    pub(super) fn only_in_normal_runs(&mut self, e: &'a Expression) {
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

    /// A restart begins at `init`. When that lies in the scope of a variable-length array, blocks outside of it cannot
    /// be reached: control could leave the scope, but not come back.
    pub(super) fn refuse_blocks_outside_of_init(&mut self) {
        let Some(init) = self.plan.init else {
            return;
        };
        let regions = |block: usize| {
            std::iter::successors(Some(self.plan.blocks[block - 1].region), |&region| {
                Some(self.plan.blocks.get(region.wrapping_sub(1))?.region)
            })
            .take_while(|&region| region != 0)
            .collect::<Vec<usize>>()
        };
        let around = regions(init);
        let Some(&innermost) = around.first() else {
            return;
        };
        let outside = (1..=self.plan.blocks.len()).find(|&block| {
            block != init && !around.contains(&block) && !regions(block).contains(&innermost)
        });
        let Some(outside) = outside else {
            return;
        };
        let lines = [outside, innermost].map(|block| self.plan.blocks[block - 1].line);
        let directive = self.unit.directives.iter().find(|one| {
            one.function == Some(self.key.function)
                && matches!(one.directive, crate::program::Directive::Init { .. })
        });
        self.findings.push(
            Finding::error(Code::CLOSED_SCOPE, "`init` in the scope of a variable-length array")
                .at(directive.map(|one| one.lines), directive.map_or(Span::new(0, 0), |one| one.span))
                .label("a restart begins here")
                .reason(format!(
                    "it would have to go to line {} and come back into the scope of the array of line {}",
                    lines[0], lines[1]
                ))
                .help("move `init` above the declaration of that array"),
        );
    }

    /// Whether a block stands between a declaration and the end of its scope.
    pub(super) fn blocks_follow(&self, s: &Statement) -> bool {
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
