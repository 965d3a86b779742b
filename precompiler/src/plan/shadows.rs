//! Shadows: which locals get one, what each label loads, what is published where.
//!
//! A registered local scalar or pointer whose address the program never takes is registered through a copy, so that
//! the compiler may keep the variable itself in a register of the machine. The same copies carry what an
//! execute-on-restart block sets from there to where it is used. When unsure a variable is loaded and published once
//! more than needed.

use super::builder::{Builder, Site};
use super::data::{BlockKind, Shadow, Step};
use super::raw::RawEdit;
use crate::analysis::{Finding, constants, execute};
use crate::diagnostic::Code;
use crate::program::{
    Declarator, Directive, DirectiveId, ItemPlace, Statement, SymbolId, TypeKind,
};
use crate::source::{SourceRange, Span, find_word};

/// What is known about a shadow.
#[derive(Debug, Clone, Default)]
pub struct ShadowFact {
    /// The variable.
    pub symbol: Option<SymbolId>,
    /// The parallel region in which every thread has one, from 1; 0: none.
    pub home: usize,
    /// Where it is registered.
    pub registered: Vec<usize>,
    /// Ends of the execute blocks that set it.
    pub kept: Vec<usize>,
}

impl Builder<'_> {
    /// Index of the shadow that a variable has where it is used.
    pub fn shadow_of(&self, symbol: SymbolId, position: usize) -> Option<usize> {
        let home = self.home(symbol, position);
        self.shadow_facts
            .iter()
            .position(|fact| fact.symbol == Some(symbol) && fact.home == home)
    }

    /// Whether a variable has a shadow, in the function or in a parallel region.
    pub fn has_shadow(&self, symbol: SymbolId) -> bool {
        let mut facts = self.shadow_facts.iter();
        facts.any(|fact| fact.symbol == Some(symbol))
    }

    /// Whether a variable gets a shadow that is registered there. What threads share, they see where it is.
    pub(super) fn wants_shadow(&self, symbol: SymbolId, position: usize) -> bool {
        if self.is_shared_inside(symbol, position) {
            return false;
        }
        let facts = self.symbol(symbol);
        let ty = self.unit.ty(facts.ty);
        self.is_automatic(symbol)
            && !facts.address_taken
            && self.is_scalar(facts.ty)
            && !ty.qualifiers.is_volatile
            && !ty.qualifiers.is_atomic
            // Where its name is hidden nobody can copy it.
            && !constants::is_hidden_somewhere(self.unit, symbol)
    }

    /// Finds all variables that need one.
    pub fn collect_shadows(&mut self) {
        for index in 0..self.unit.directives.len() {
            let directive = &self.unit.directives[index];
            if directive.function != Some(self.key.function) {
                continue;
            }
            match &directive.directive {
                Directive::Register { items } => {
                    for item in items {
                        let direct = match item.kind {
                            ItemPlace::Object => item.is_whole_variable && item.extents.is_empty(),
                            ItemPlace::BehindPointer => item.is_whole_variable,
                            ItemPlace::Indirect => false,
                        };
                        let at = directive.span.start;
                        if direct && self.wants_shadow(item.symbol, at) {
                            let number = self.add_shadow(item.symbol, at);
                            self.shadow_facts[number]
                                .registered
                                .push(directive.span.start);
                            self.plan.shadows[number].registered = true;
                        }
                    }
                }
                Directive::ExecuteOnRestart { .. } => self.collect_kept(DirectiveId(index)),
                _ => {}
            }
        }
    }

    fn collect_kept(&mut self, id: DirectiveId) {
        let facts = execute::facts(&self.picture, id);
        for &symbol in &facts.sets {
            let variable = self.symbol(symbol);
            if !self.is_automatic(symbol) {
                continue;
            }
            let array = matches!(self.unit.kind(variable.ty), TypeKind::Array { .. });
            let outermost = variable.scope == self.function.scope || variable.parameter.is_some();
            if self.shadow_of(symbol, facts.end).is_none() {
                if self.is_shared_inside(symbol, facts.end) {
                    continue;
                }
                let variable_size = array && self.unit.is_variably_modified(variable.ty);
                let stays = outermost && (variable.address_taken || array);
                // What is registered where it lies must not be overwritten with what a block made of it.
                let stays = stays || self.is_registered_in_place(symbol);
                if stays || variable_size || self.unit.spell(variable.ty, "@").is_err() {
                    continue;
                }
            }
            let number = self.add_shadow(symbol, facts.end);
            self.shadow_facts[number].kept.push(facts.end);
        }
        self.executes.insert(id, (facts, 0));
    }

    /// Whether an item of this function is the variable itself, or a part of it, at its own address.
    pub fn is_registered_in_place(&self, symbol: SymbolId) -> bool {
        self.registered_in_place(symbol).next().is_some()
    }

    /// The places of the directives with such an item.
    pub fn registered_in_place(&self, symbol: SymbolId) -> impl Iterator<Item = usize> {
        let here = self.unit.directives.iter();
        let here = here.filter(|one| one.function == Some(self.key.function));
        let items = here.flat_map(|one| {
            let items = match &one.directive {
                Directive::Register { items } => items.as_slice(),
                _ => &[],
            };
            items.iter().map(|item| (one.span.start, item))
        });
        let in_place = items.filter(move |(at, item)| {
            let whole = item.is_whole_variable && item.extents.is_empty();
            item.symbol == symbol
                && item.kind == ItemPlace::Object
                && !(whole && self.wants_shadow(symbol, *at))
        });
        in_place.map(|(at, _)| at)
    }

    fn add_shadow(&mut self, symbol: SymbolId, position: usize) -> usize {
        if let Some(number) = self.shadow_of(symbol, position) {
            return number;
        }
        let facts = self.symbol(symbol);
        let (declaration, read) = self
            .field(facts.ty, &facts.name)
            .unwrap_or(("int @".to_string(), facts.name.clone()));
        let opaque = read != facts.name;
        let mut field = facts.name.clone();
        let taken = |plan: &super::data::FunctionPlan, field: &str| {
            plan.shadows.iter().any(|one| one.field == field)
        };
        let mut number = 2;
        while taken(&self.plan, &field) {
            field = format!("{}_{number}", facts.name);
            number += 1;
        }
        let is_const = self.unit.ty(facts.ty).qualifiers.is_const;
        // A thread's copy of one is set again like any other variable.
        let is_parameter = facts.parameter.is_some() && self.home(symbol, position) == 0;
        self.plan.shadows.push(Shadow {
            field,
            variable: facts.name.clone(),
            declaration,
            registered: false,
            parameter: is_parameter,
            constant: is_parameter && is_const,
            array: matches!(self.unit.kind(facts.ty), TypeKind::Array { .. }),
            opaque,
            team: 0,
            is_unset: false,
        });
        self.shadow_facts.push(ShadowFact {
            symbol: Some(symbol),
            home: self.home(symbol, position),
            ..ShadowFact::default()
        });
        if is_const && !is_parameter {
            self.blank_const(symbol);
        }
        self.plan.shadows.len() - 1
    }

    /// The declarator of a local.
    pub fn declarator_of(
        &self,
        symbol: SymbolId,
    ) -> Option<(&Statement, &crate::program::Declaration, &Declarator)> {
        self.picture.statements.iter().find_map(|statement| {
            let (declaration, declarator) = constants::declarator_in(statement, symbol)?;
            Some((*statement, declaration, declarator))
        })
    }

    /// Where the outermost `const` of a local stands, if it is no pointer; of a parameter in any case.
    fn before_declarator(&self, symbol: SymbolId) -> Option<Span> {
        if let Some((_, declaration, declarator)) = self.declarator_of(symbol) {
            return Some(Span::new(declaration.span.start, declarator.span.start));
        }
        let name = self.symbol(symbol).declared.start;
        let head = Span::new(self.function.span.start, name);
        let text = self.unit.file.preprocessed_text(head);
        let from = text.rfind(['(', ','])? + 1;
        Some(Span::new(head.start + from, name))
    }

    /// Takes the outermost `const` out of the declaration of a local or a parameter that a restart sets.
    pub fn blank_const(&mut self, symbol: SymbolId) {
        let facts = self.symbol(symbol);
        let mut element = facts.ty;
        while let TypeKind::Array { element: inner, .. } = *self.unit.kind(element) {
            element = inner;
        }
        let pointer = matches!(self.unit.kind(element), TypeKind::Pointer(_));
        let span = match pointer {
            true => match self.declarator_of(symbol) {
                // What stands behind the name is no part of the pointer: lengths, a value.
                Some((_, _, declarator)) => {
                    let start = declarator.span.start;
                    Some(Span::new(start, facts.declared.start.max(start)))
                }
                None => self.before_declarator(symbol),
            },
            false => self.before_declarator(symbol),
        };
        let found = span.and_then(|span| {
            let text = self.unit.file.preprocessed_text(span);
            let from = if pointer { text.rfind('*')? } else { 0 };
            let at = find_word(&text[from..], "const")? + from + span.start;
            let span = Span::new(at, at + "const".len());
            let place = self.unit.file.place(span)?;
            (self.unit.file.original_text(place) == "const").then_some((span, place))
        });
        match found {
            Some((span, place)) => {
                let steps = vec![Step::Text(String::new())];
                if !self.raw.iter().any(|edit| edit.place == Some(place)) {
                    self.raw.push(RawEdit {
                        span,
                        place: Some(place),
                        order: 0,
                        steps,
                    });
                }
            }
            None => self.findings.push(
                Finding::error(
                    Code::UNSAVABLE,
                    format!("`{}` is `const` and cannot be restored", facts.name),
                )
                .at(None, facts.declared)
                .help("declare it without `const`"),
            ),
        }
    }

    /// Whether one of these places may come before a site.
    fn may_come_before(&self, places: &[usize], site: &Site) -> bool {
        places.iter().any(|&place| {
            place != site.position && self.picture.may_precede(place, site.position)
                || place == site.position && self.picture.loop_at(place).is_some()
        })
    }

    /// The shadows of numbers that may be registered at a site, outside of parallel regions. Pointers may have outlived their
    /// memory.
    pub fn numbers_at(&self, site: &Site) -> Vec<usize> {
        let is_there = |fact: &ShadowFact| {
            let is_number = |symbol: SymbolId| {
                !matches!(self.unit.kind(self.symbol(symbol).ty), TypeKind::Pointer(_))
                    && self.picture.visible(symbol, site.scope, site.names_at)
            };
            fact.home == 0
                && fact.symbol.is_some_and(is_number)
                && self.may_come_before(&fact.registered, site)
        };
        let facts = self.shadow_facts.iter().enumerate();
        facts
            .filter(|(_, fact)| is_there(fact))
            .map(|(index, _)| index)
            .collect()
    }

    /// What every label loads and publishes.
    pub fn finish_blocks(&mut self) {
        self.find_early();
        for (index, fact) in self.shadow_facts.iter().enumerate() {
            if let (Some(region), Some(symbol)) = (fact.home.checked_sub(1), fact.symbol) {
                self.plan.shadows[index].team = self.parallel[region].block;
                self.plan.shadows[index].is_unset = self.begins_without_value(symbol, fact.home)
                    && self.is_scalar(self.symbol(symbol).ty);
            }
        }
        for number in 1..=self.plan.blocks.len() {
            let site = self.sites[number - 1];
            let kind = self.plan.blocks[number - 1].kind;
            let (mut load, mut publish) = (Vec::new(), Vec::new());
            for (index, fact) in self.shadow_facts.iter().enumerate() {
                let Some(symbol) = fact.symbol else { continue };
                if fact.home != self.parallel_at(site.position) {
                    continue;
                }
                let (label_scope, label_at) = site.label_names();
                let at_label = self.picture.visible(symbol, label_scope, label_at);
                let here_too = self.picture.visible(symbol, site.scope, site.names_at);
                let before = |places: &[usize]| self.may_come_before(places, &site);
                let registered = before(&fact.registered);
                let early = self.init_at.is_some() && self.plan.early.contains(&index);
                let parameter = self.plan.shadows[index].parameter;
                if at_label && (registered || before(&fact.kept) || parameter || early) {
                    load.push(index);
                }
                let here = kind == BlockKind::Register && fact.registered.contains(&site.position);
                let is_call = matches!(kind, BlockKind::Call | BlockKind::Parallel);
                let wanted = here_too && (!is_call || site.checkpoint || site.shutdown);
                if wanted && (registered || here) && !site.keep && kind != BlockKind::Init {
                    publish.push(index);
                }
            }
            let zero: Vec<SymbolId> = publish
                .iter()
                .filter(|&&index| !self.plan.shadows[index].is_unset)
                .filter_map(|&index| self.shadow_facts[index].symbol)
                .collect();
            for symbol in zero {
                self.give_value(symbol, site.statement);
            }
            let block = &mut self.plan.blocks[number - 1];
            block.load = load;
            block.publish = publish;
            let silent = match kind {
                BlockKind::Execute | BlockKind::Region => !site.keep,
                BlockKind::Call | BlockKind::Parallel => site.checkpoint,
                _ => false,
            };
            if silent {
                self.silence(number);
            }
        }
    }

    /// Shadows that have their value before a restart begins.
    fn find_early(&mut self) {
        let first = self
            .sites
            .iter()
            .enumerate()
            .find(|(index, _)| self.plan.init == Some(index + 1))
            .map(|(_, site)| *site);
        let Some(site) = first.or_else(|| self.early_site()) else {
            return;
        };
        for (index, fact) in self.shadow_facts.iter().enumerate() {
            let Some(symbol) = fact.symbol else { continue };
            if fact.home != 0 {
                continue;
            }
            let has_value = self.symbol(symbol).parameter.is_some()
                || self.uses.set_before(symbol, site.position);
            if has_value && self.picture.visible(symbol, site.scope, site.names_at) {
                self.plan.early.push(index);
            }
        }
        let early: Vec<SymbolId> = self
            .plan
            .early
            .iter()
            .filter_map(|&index| self.shadow_facts[index].symbol)
            .collect();
        for symbol in early {
            self.give_value(symbol, site.statement);
        }
    }

    /// The call through which a restart begins, when `init` stands in another function.
    fn early_site(&self) -> Option<Site> {
        if !self.plan.reaches_init {
            return None;
        }
        (0..self.sites.len())
            .find(|&index| self.plan.blocks[index].kind == BlockKind::Call)
            .map(|index| self.sites[index])
    }

    /// A variable that may be published before it was ever set starts as zero.
    fn give_value(&mut self, symbol: SymbolId, statement: usize) {
        if self.symbol(symbol).parameter.is_some() || self.symbol(symbol).initialiser.is_some() {
            return;
        }
        if self
            .assigned
            .get(&statement)
            .is_some_and(|known| known.contains(&symbol))
        {
            return;
        }
        if !self.is_scalar(self.symbol(symbol).ty) {
            return;
        }
        let Some((_, _, declarator)) = self.declarator_of(symbol) else {
            return;
        };
        let span = Span::new(declarator.span.end, declarator.span.end);
        let place = declarator
            .place
            .map(|place| SourceRange::new(place.end, place.end));
        if self.raw.iter().any(|edit| {
            edit.span == span
                && matches!(edit.steps.first(), Some(Step::Text(text)) if text == " = 0")
        }) {
            return;
        }
        self.raw.push(RawEdit {
            span,
            place,
            order: -5,
            steps: vec![Step::Text(" = 0".to_string())],
        });
    }

    /// Scalars without a value at the label of an execute or region block.
    fn silence(&mut self, number: usize) {
        let site = self.sites[number - 1];
        let block = &self.plan.blocks[number - 1];
        let mut silent = Vec::new();
        for (index, facts) in self.unit.symbols.iter().enumerate() {
            let symbol = SymbolId(index);
            if facts.function != Some(self.key.function)
                || !self.is_automatic(symbol)
                || facts.parameter.is_some()
            {
                continue;
            }
            let ty = self.unit.ty(facts.ty);
            let early = self
                .init_at
                .is_some_and(|init| self.uses.set_before(symbol, init));
            // The others are set where the region is entered.
            if self.home(symbol, site.position) != self.parallel_at(site.position)
                // Its register has given it its value.
                || self.is_registered_in_place(symbol)
            {
                continue;
            }
            let loaded = self
                .shadow_of(symbol, site.position)
                .is_some_and(|shadow| block.load.contains(&shadow));
            let recorded = block.values.iter().any(|value| value.name == facts.name);
            if early
                || loaded
                || recorded
                || facts.address_taken
                || ty.qualifiers.is_const
                || ty.qualifiers.is_volatile
                || !self.is_scalar(facts.ty)
                || self.is_handle(facts.ty)
                || self.unit.is_variably_modified(facts.ty)
                || !self.picture.visible(symbol, site.scope, site.names_at)
            {
                continue;
            }
            silent.push(facts.name.clone());
        }
        self.plan.blocks[number - 1].silence = silent;
    }
}
