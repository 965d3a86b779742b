//! Directives become blocks.

use super::builder::{Builder, Site};
use super::data::{BlockKind, Brings, Communicator, Item, SeenBy, Step};
use super::raw::RawEdit;
use super::sizes::{extent, first};
use super::types::Purpose;
use crate::analysis::completeness::declared;
use crate::analysis::execute::{First, inside};
use crate::analysis::handles::{array_handle, is_stream};
use crate::analysis::{Finding, uses};
use crate::diagnostic::Code;
use crate::program::{
    ClauseExpression, Directive, DirectiveId, Expression, ExpressionKind, IntegerKind, ItemPlace,
    ScopeId, Statement, StatementKind, Storage, SymbolId, TypeId, TypeKind, UnaryOperator,
};

/// The communicator of an `init` that names none; a macro of MPI.
const WORLD: &str = "MPI_COMM_WORLD";

impl<'a> Builder<'a> {
    /// Plans a directive.
    pub fn directive(&mut self, s: &'a Statement, id: DirectiveId) {
        let unit = self.unit;
        let one = &unit.directives[id.0];
        let site = Site {
            position: one.span.start,
            scope: s.scope,
            names_at: one.span.start,
            statement: s.span.start,
            label: None,
            checkpoint: false,
            shutdown: false,
            keep: false,
        };
        if self.team != 0 && matches!(one.directive, Directive::Init { .. } | Directive::Shutdown) {
            self.findings.push(
                Finding::error(
                    Code::CLOSED_SCOPE,
                    "`init` and `shutdown` inside of a parallel region",
                )
                .at(Some(one.lines), one.span)
                .label("every thread of the region would execute it")
                .help("put it before or behind the region"),
            );
        }
        let steps = match &one.directive {
            Directive::Init { communicator, .. } => {
                self.init(one.line, site, communicator.as_ref())
            }
            Directive::Register { items } if self.is_resident(id) => items
                .iter()
                .filter_map(|item| self.item(item, one.line, site.position))
                .map(|item| Step::Resident { item })
                .collect(),
            Directive::Register { items } => {
                let block = self.block(BlockKind::Register, None, one.line, site);
                let numbers = items
                    .iter()
                    .enumerate()
                    .filter_map(|(index, item)| {
                        let sized = self.is_sized(item, &items[..index], site.position);
                        let number = self.item(item, one.line, site.position)?;
                        let planned = &mut self.plan.items[number];
                        (planned.block, planned.sized) = (block, sized);
                        Some(number)
                    })
                    .collect();
                vec![Step::Register {
                    block,
                    items: numbers,
                }]
            }
            Directive::Unregister { names } => vec![Step::Unregister {
                names: names.clone(),
                team: self.team,
            }],
            Directive::Checkpoint {
                every,
                condition,
                ranks,
                name,
                stands,
                // Counting is about the whole file.
                messages_counted: _,
            } => {
                let entry = self.entries.get(&id).copied();
                let site = Site {
                    checkpoint: true,
                    label: entry.map(|(_, scope, names_at, _)| (scope, names_at)),
                    ..site
                };
                let block = self.block(BlockKind::Checkpoint, name.clone(), one.line, site);
                self.plan.blocks[block - 1].ranks.clone_from(ranks);
                self.plan.blocks[block - 1].threads = self.proven.threads_at(self.unit_index, id);
                self.plan.blocks[block - 1].stands = *stands;
                if let Some((kind, scope, names_at, _)) = entry {
                    self.plan.blocks[block - 1].entry = kind;
                    self.entries.insert(id, (kind, scope, names_at, block));
                }
                let clause =
                    |clause: &Option<ClauseExpression>| clause.as_ref().map(|one| one.text.clone());
                match stands {
                    Some(_) => vec![Step::Stand { block }],
                    None => vec![Step::Checkpoint {
                        block,
                        every: clause(every),
                        condition: clause(condition),
                        goes_on: self.going_on.contains(&id),
                    }],
                }
            }
            Directive::ExecuteOnRestart { each } => {
                let block = self.execute(id, one.line, site);
                self.plan.blocks[block - 1].each = *each;
                vec![Step::ExecuteBegin { block }]
            }
            Directive::EndExecute => self.end_execute(one.partner),
            Directive::Shutdown => vec![Step::Shutdown {
                publish: self.numbers_at(&site),
            }],
            Directive::Client { .. } => Vec::new(),
        };
        let mut steps = steps;
        let mut macros = one.directive.macros();
        if matches!(
            one.directive,
            Directive::Init {
                communicator: None,
                ..
            }
        ) {
            macros.push(WORLD.to_string());
        }
        steps.push(Step::Macros(macros));
        self.raw.push(RawEdit {
            span: one.span,
            place: Some(one.lines),
            order: 0,
            steps,
        });
    }

    fn is_resident(&self, id: DirectiveId) -> bool {
        self.clients.residents.contains(self.unit_index, id)
    }

    fn init(
        &mut self,
        line: usize,
        site: Site,
        communicator: Option<&ClauseExpression>,
    ) -> Vec<Step> {
        let block = self.block(BlockKind::Init, None, line, site);
        self.plan.init = Some(block);
        let parameters = &self.function.parameters;
        let mut arguments = "0, 0".to_string();
        if self.function.name == "main" && parameters.len() >= 2 {
            let (count, words) = (self.symbol(parameters[0]), self.symbol(parameters[1]));
            let plain = !self.unit.ty(count.ty).qualifiers.is_const
                && !count.name.is_empty()
                && !words.name.is_empty();
            if plain && self.is_words(words.ty) {
                let exact = self.unit.spell(words.ty, "").unwrap_or_default();
                // `const char *argv[]` and the like: the words are the same.
                let cast = match exact.replace(' ', "") == "char**" {
                    true => "",
                    false => "(char ***)",
                };
                arguments = format!("&{}, {cast}&{}", count.name, words.name);
            }
        }
        let communicator = match communicator {
            Some(one) => Communicator::Expression(one.text.clone()),
            None if self.unit.uses_mpi => Communicator::Expression(WORLD.to_string()),
            None if self.program.units.iter().any(|unit| unit.uses_mpi) => Communicator::World,
            None => Communicator::Alone,
        };
        vec![Step::Init {
            block,
            arguments,
            communicator,
        }]
    }

    /// Whether a type is that of the words of a command line, however they are qualified, in a variable that may change.
    fn is_words(&self, ty: TypeId) -> bool {
        let word = self.unit.pointee(ty);
        let letter = word.and_then(|word| self.unit.pointee(word));
        let is_text = letter.is_some_and(|letter| {
            matches!(self.unit.kind(letter), TypeKind::Integer(IntegerKind::Char))
        });
        is_text && !self.unit.ty(ty).qualifiers.is_const
    }

    /// A registered item; `None` when it cannot be saved, which has been said.
    fn item(&mut self, item: &crate::program::Item, line: usize, at: usize) -> Option<usize> {
        let symbol = self.symbol(item.symbol);
        let refuse = |reason: String, help: &str| {
            Finding::error(Code::UNSAVABLE, format!("`{}` cannot be saved", item.name))
                .at(Some(item.place), symbol.declared)
                .label("not saved")
                .reason(reason)
                .help(help.to_string())
        };
        let brings_memory = item.kind == ItemPlace::BehindPointer
            || matches!(item.brings, Brings::Block | Brings::Everything);
        if brings_memory && self.program.has_fixed_heap() {
            self.findings.push(refuse(
                "the program has a fixed heap, with which all allocated memory comes back, and nothing else can lie behind the pointer then"
                    .to_string(),
                &format!(
                    "register the pointer alone, `{}`, and variables to which it points by their own names; or leave out `heap(fixed)`",
                    item.name
                ),
            ));
            return None;
        }
        if let Some(name) = array_handle(self.catalogue, self.unit, item.base_type) {
            self.findings.push(refuse(
                format!("a value of type `{name}` means nothing in another process"),
                "leave it out, and set it again between the checkpoint and where it is used: no restart can jump to what stood on the stack of another process",
            ));
            return None;
        }
        let spelling = self.element_spelling(item);
        let path = item.name.strip_prefix(symbol.name.as_str());
        let is_optional = item.kind == ItemPlace::Object
            && path.is_some_and(|path| {
                let (unit, whole) = (self.unit, (symbol.name.as_str(), symbol.ty));
                self.proven.optional.has(unit, whole, path)
            });
        let optional = is_optional.then(|| {
            let spelling = spelling.as_deref();
            self.shapes.optional(self.unit, item.element, spelling)
        });
        let shape = match optional.flatten() {
            Some(shape) => Ok(shape),
            None => self
                .shapes
                .of(self.unit, item.element, Purpose::Item, spelling.as_deref()),
        };
        let shape = match shape {
            Ok(shape) => shape,
            Err(reason) => {
                let help = match self.is_handle(item.element) {
                    true => self.make_anew(item.symbol),
                    false => "register its parts one by one, or change its type".to_string(),
                };
                self.findings.push(refuse(reason, &help));
                return None;
            }
        };
        if item.brings == Brings::Everything {
            self.shapes.link(self.unit);
            if let Some((holder, reason)) = self.shapes.blocked(&shape) {
                let finding = Finding::error(
                    Code::CANNOT_FOLLOW,
                    format!("`follow({})` cannot go through {holder}", item.name),
                )
                .at(Some(item.place), symbol.declared)
                .label("not everything that can be reached is known")
                .reason(reason)
                .help(
                    "give the pointer the type of what it points to; or register what is reached without it, one by one",
                );
                self.findings.push(finding);
                return None;
            }
        }
        let is_const = self.unit.ty(item.base_type).qualifiers.is_const;
        let behind = item.kind == ItemPlace::BehindPointer;
        let shadow = self
            .shadow_of(item.symbol, at)
            .filter(|_| item.is_whole_variable && (behind || item.extents.is_empty()));
        // Through a pointer to `const` only this view of the object may be constant.
        let object = !behind && shadow.is_none() && self.base_is_object(item);
        if object && (is_const || self.unit.is_const_element(item.base_type)) {
            // What its initialiser has computed, or a call has passed, is not computed again.
            if self.is_automatic(item.symbol) {
                self.blank_const(item.symbol);
            } else {
                let finding = refuse(
                    "it is `const`: its value cannot change, and a restart could not set it"
                        .to_string(),
                    "leave it out: a `const` object with a constant initialiser keeps its value",
                );
                self.findings.push(finding);
                return None;
            }
        }
        if symbol.storage == Storage::Register && shadow.is_none() {
            let finding = refuse(
                "a `register` variable has no address".to_string(),
                "declare it without `register`",
            );
            self.findings.push(finding);
            return None;
        }
        let local = self.is_on_stack(item.symbol, at);
        // Arrays and structs of inner blocks end before their function does, and streams are looked at while they have
        // a register; other values that outlive their block do no harm.
        let inner = self.is_automatic(item.symbol)
            && (shadow.is_none() || is_stream(self.unit, item.element))
            && self.base_is_object(item)
            && symbol.scope != self.function.scope
            && symbol.parameter.is_none()
            // What a thread of a region inside of that block has registered ends with its part of the region.
            && self.home(item.symbol, at) == self.parallel_at(at);
        let flag = inner.then(|| self.inner_flag(&item.name, symbol.scope));
        let address = match shadow {
            Some(index) => format!("&cccp_s.{}", self.plan.shadows[index].field),
            None => format!("(void *)&{}", item.base_text),
        };
        // Of a whole variable only the address counts: what it points to gets its memory from the item.
        if !item.is_whole_variable {
            self.again_texts.push(item.base_text.clone());
        }
        for extent in &item.extents {
            self.again_texts.push(extent.text.clone());
        }
        self.plan.items.push(Item {
            name: item.name.clone(),
            line,
            behind,
            local: local && !behind && item.kind == ItemPlace::Object
                || self.ends_with_its_function(item, at),
            local_pointer: behind && local && self.base_is_object(item),
            unset_pointer: behind && shadow.is_none() && self.is_unset_on_restart(item, at),
            begins: behind && self.proven.begins(self.unit_index, item),
            holds: declared(self.unit, item.base_type)
                .filter(|_| !behind && item.extents.iter().any(|one| one.value.is_none())),
            indirect: item.kind == ItemPlace::Indirect || (behind && !self.base_is_object(item)),
            address,
            shape,
            block: 0,
            first: first(item.lower.as_ref()),
            extents: item.extents.iter().map(extent).collect(),
            sized: false,
            reload: shadow,
            flag,
            brings: item.brings,
            seen: match local {
                true => match self.shared_in(item.symbol, at) {
                    teams if teams.is_empty() => SeenBy::Itself,
                    teams => SeenBy::Teams(teams),
                },
                false if symbol.per_thread => SeenBy::Itself,
                false => SeenBy::All,
            },
        });
        Some(self.plan.items.len() - 1)
    }

    /// What to do instead of registering a handle.
    fn make_anew(&self, symbol: SymbolId) -> String {
        let mut made: Option<usize> = None;
        self.function.body.walk_expressions(&mut |one| {
            let is_meant = |place: &Expression| {
                let mut found = false;
                place.walk(&mut |part| found |= part.symbol() == Some(symbol));
                found
            };
            let makes = match &one.kind {
                ExpressionKind::Assign { target, .. } => is_meant(target),
                ExpressionKind::Call { arguments, .. } => arguments.iter().any(|argument| {
                    matches!(&argument.kind, ExpressionKind::Unary(UnaryOperator::Address, place) if is_meant(place))
                }),
                _ => false,
            };
            if makes && made.is_none() {
                made = Some(self.unit.file.origin_text(one.span.start).1);
            }
        });
        let made = made.map_or_else(String::new, |line| format!(" (line {line})"));
        format!(
            "leave it out here, and put what makes it{made} between the lines `#pragma cccp execute on restart` and \
             `#pragma cccp end execute`, behind `init`"
        )
    }

    /// The variable that says whether an object of an inner block is registered now. A name has one register in each
    /// activation, however many directives make it: ended twice, the second end would be the caller's.
    fn inner_flag(&mut self, name: &str, scope: ScopeId) -> String {
        let items = &self.plan.items;
        let mut older = items.iter().filter(|one| one.name == name);
        // Each region has variables of its own.
        let older = older.find_map(|one| {
            let flag = one.flag.clone();
            flag.filter(|flag| self.plan.has_in_team(flag, self.team))
        });
        let flag = older.unwrap_or_else(|| {
            let flag = self.temporary("g", "int @".to_string(), None);
            if let Some(temporary) = self.plan.temporaries.last_mut() {
                temporary.kept = true;
            }
            flag
        });
        let ends = self
            .inner_items
            .iter()
            .any(|&(at, index)| at == scope && self.plan.items[index].name == name);
        if !ends {
            self.inner_items.push((scope, self.plan.items.len()));
        }
        flag
    }

    /// How the type of an element is written at the function's entry when it has no name.
    fn element_spelling(&self, item: &crate::program::Item) -> Option<String> {
        let symbol = self.symbol(item.symbol);
        let known = symbol.parameter.is_some() || symbol.function.is_none();
        let mut text = item.base_text.clone();
        let mut ty = item.base_type;
        if item.kind == ItemPlace::BehindPointer {
            text.push_str("[0]");
            ty = self.unit.pointee(ty)?;
        }
        while let TypeKind::Array { element, .. } = self.unit.kind(ty) {
            text.push_str("[0]");
            ty = *element;
        }
        known.then(|| format!("__typeof__({text})"))
    }

    /// Whether the item's base is a named object or a part of one, found without a pointer.
    pub(super) fn base_is_object(&self, item: &crate::program::Item) -> bool {
        item.base.as_ref().map_or(item.is_whole_variable, |base| {
            uses::root(self.unit, base).is_some()
        })
    }

    fn execute(&mut self, id: DirectiveId, line: usize, site: Site) -> usize {
        let block = self.block(BlockKind::Execute, None, line, site);
        let Some((facts, _)) = self.executes.get(&id).cloned() else {
            return block;
        };
        self.check_execute(id);
        let mut values = Vec::new();
        for (&symbol, &first) in &facts.first {
            let name = self.symbol(symbol).name.clone();
            if first == First::Reads {
                self.again_texts.push(name);
            }
            if first != First::Reads
                || !self.is_on_stack(symbol, site.position)
                || !self.picture.visible(symbol, site.scope, site.names_at)
            {
                continue;
            }
            let facts_of = self.symbol(symbol);
            let scalar = self.is_scalar(facts_of.ty) && !self.is_handle(facts_of.ty);
            let pointer = matches!(self.unit.kind(facts_of.ty), TypeKind::Pointer(_));
            let unknown = pointer
                && (self.is_still_set_before_init(symbol, site.position)
                    || self.unit.is_variably_modified(facts_of.ty)
                    || self.shadow_of(symbol, site.position).is_some_and(|index| {
                        let fact = &self.shadow_facts[index];
                        let mut registered = fact.registered.iter();
                        // In a fixed heap it means the same before its register.
                        !fact.kept.is_empty()
                            || !self.program.has_fixed_heap()
                                && !registered
                                    .any(|&place| self.picture.may_precede(place, site.position))
                    }));
            if !scalar
                || unknown
                || self.is_steady_parameter(symbol)
                || self.is_constant_local(symbol)
            {
                continue;
            }
            if self.unit.ty(facts_of.ty).qualifiers.is_const {
                if facts_of.parameter.is_some() {
                    continue;
                }
                self.blank_const(symbol);
            }
            if let Ok(value) = self.value(symbol) {
                values.push(value);
            }
        }
        self.plan.blocks[block - 1].values = values;
        self.executes.insert(id, (facts, block));
        block
    }

    fn end_execute(&mut self, begin: Option<DirectiveId>) -> Vec<Step> {
        let Some((facts, block)) = begin.and_then(|begin| self.executes.get(&begin).cloned())
        else {
            return Vec::new();
        };
        if block == 0 {
            return Vec::new();
        }
        let publish = facts
            .sets
            .iter()
            .filter_map(|&symbol| self.shadow_of(symbol, facts.end))
            .collect();
        if let Some(begin) = begin {
            self.exits(begin, &facts, block);
        }
        vec![Step::ExecuteEnd { block, publish }]
    }

    /// What must not stand in an execute block.
    fn check_execute(&mut self, id: DirectiveId) {
        let statements = inside(&self.picture, id);
        for statement in statements {
            let mut directives = Vec::new();
            statement.walk(&mut |one| {
                if let StatementKind::Directive(id) = &one.kind {
                    directives.push(&self.unit.directives[id.0]);
                }
                true
            });
            for one in directives {
                let message = "a directive stands inside an execute block";
                self.findings.push(
                    Finding::error(Code::EXECUTE_CONTENT, message)
                        .at(Some(one.lines), one.span)
                        .label("a restart would come here in the middle of the block")
                        .reason(
                            "an execute block is run as a whole on restart; blocks cannot be nested",
                        )
                        .help("end the block before this line, or begin it behind"),
                );
            }
            let mut calls = Vec::new();
            statement.walk_expressions(&mut |e| {
                if self
                    .clients
                    .callee(self.program, self.unit_index, e)
                    .is_some()
                {
                    calls.push((e.place, e.span));
                }
            });
            for (place, span) in calls {
                self.findings.push(
                    Finding::error(
                        Code::EXECUTE_CONTENT,
                        "a client function is called inside an execute block",
                    )
                    .at(place, span)
                    .label("this function contains or reaches directives")
                    .reason(
                        "an execute block is run as a whole on restart; blocks cannot be nested",
                    )
                    .help("move the call out of the block: it is a restart block of its own"),
                );
            }
        }
    }
}
