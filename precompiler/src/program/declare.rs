//! Declarations and function definitions.

use super::builder::Builder;
use super::fold;
use super::model::{
    Declaration, Declarator, Designator, Expression, Function, FunctionId, Initialiser,
    InitialiserFact, InitialiserList, ScopeId, Storage, Symbol, SymbolId, SymbolKind,
};
use super::types::{Alias, Extent, Type, TypeId, TypeKind, is_variably_modified};
use super::typing::blank_symbol;
use crate::source::{NoteKind, Span};
use crate::syntax::tree::{self, Derived, ExpressionKind, Specifiers, StorageWord, TypeWord};

impl Builder<'_> {
    /// Typedefs that compilers know without a header.
    pub fn predeclare(&mut self) {
        let name = "__builtin_va_list";
        let ty = self.plain(TypeKind::Builtin(name.to_string()));
        let symbol = blank_symbol(name.to_string(), self.scope(), ty, Span::default());
        self.add_symbol(Symbol {
            kind: SymbolKind::Typedef,
            ..symbol
        });
    }

    /// A typedef name stands for a vector of these elements. A name of a block means nothing where the type is described.
    fn vector(&mut self, name: &str, element: TypeId) {
        let element = (self.scope() == ScopeId(0)).then_some(element);
        let known = self.vectors.entry(name.to_string());
        let known = known.or_insert(element);
        if *known != element {
            *known = None;
        }
    }

    pub fn declaration(&mut self, declaration: &tree::Declaration) -> Declaration {
        let specifiers = &declaration.specifiers;
        let is_typedef = specifiers.storage.contains(&StorageWord::Typedef);
        let earlier = self.type_extents.len();
        let mut base = self.specified(specifiers, declaration.declarators.is_empty());
        // A struct that is defined here, with arrays of variable length: an extension of gcc.
        let varies = defines_type(specifiers) && self.is_variably_modified(base);
        let inner = record_span(specifiers);
        let from = self
            .file
            .end_of_previous_declaration(declaration.span.start);
        let outside = |kind| {
            let mut notes = self.file.notes(from, declaration.span.end).iter();
            notes.any(|note| note.kind == kind && !inner.is_some_and(|span| span.has(note.offset)))
        };
        let (vector, cleanup) = (outside(NoteKind::Vector), outside(NoteKind::Cleanup));
        let changed = vector || outside(NoteKind::ChangedType);
        // `__auto_type x = value;`
        let inferred = outside(NoteKind::AutoType);
        let element = base;
        if changed {
            base = TypeId::UNKNOWN;
        }
        let mut extents = match varies {
            true => self.type_extents.split_off(earlier),
            false => Vec::new(),
        };
        let mut declarators = Vec::new();
        for one in &declaration.declarators {
            let ty = self.derived(base, &one.declarator.derived, &mut extents);
            let Some((name, span)) = &one.declarator.name else {
                continue;
            };
            if vector && is_typedef && one.declarator.derived.is_empty() {
                self.vector(name, element);
            }
            let plain = one.declarator.derived.is_empty() && specifiers_are_plain(specifiers);
            let known = self.symbols.len();
            let symbol = self.declare(name, *span, ty, specifiers, plain);
            // Declared again, it is seen since its first declaration.
            if symbol.0 >= known {
                self.symbols[symbol.0].visible_from = one.declarator.span.end.max(span.end);
            }
            self.symbols[symbol.0].cleanup |= cleanup;
            self.note_attributes(symbol, from, declaration.span.end);
            self.symbols[symbol.0].is_defined |=
                one.initialiser.is_some() || !specifiers.storage.contains(&StorageWord::Extern);
            let initialiser = one
                .initialiser
                .as_ref()
                .map(|initialiser| self.initialiser(initialiser));
            if let (Some(initialiser), Some(source)) = (&initialiser, &one.initialiser) {
                self.note_initialiser(symbol, initialiser, source);
                if let (true, Initialiser::Expression(value)) = (inferred, initialiser) {
                    let ty = self.decayed(value.ty);
                    self.symbols[symbol.0].ty = ty;
                }
            }
            if !is_typedef {
                let place = self.place(one.declarator.span);
                declarators.push(Declarator {
                    symbol,
                    span: one.declarator.span,
                    place,
                    initialiser,
                });
            }
        }
        let all: Vec<TypeId> = declaration
            .declarators
            .iter()
            .filter_map(|one| one.declarator.name.as_ref())
            .filter_map(|(name, _)| self.lookup(name))
            .map(|symbol| self.symbols[symbol.0].ty)
            .collect();
        Declaration {
            span: declaration.span,
            place: self.place(declaration.span),
            declarators,
            is_typedef,
            variably_modified: varies
                || all.iter().any(|ty| self.is_variably_modified(*ty))
                || !extents.is_empty(),
            extents,
            defines_type: defines_type(specifiers),
        }
    }

    /// What attributes between two offsets say about a function.
    fn note_attributes(&mut self, symbol: SymbolId, from: usize, to: usize) {
        if self.symbols[symbol.0].kind != SymbolKind::Function {
            return;
        }
        self.symbols[symbol.0].copied |= self.file.has_note(from, to, NoteKind::Copied);
        self.symbols[symbol.0].without_effects |=
            self.file.has_note(from, to, NoteKind::WithoutEffects);
    }

    pub fn is_variably_modified(&self, ty: TypeId) -> bool {
        is_variably_modified(&self.types, &self.records, ty)
    }

    fn declare(
        &mut self,
        name: &str,
        span: Span,
        ty: TypeId,
        specifiers: &Specifiers,
        plain: bool,
    ) -> SymbolId {
        let has = |word| specifiers.storage.contains(&word);
        let at_file_scope = self.current.is_none();
        let is_function = matches!(self.kind(ty), TypeKind::Function { .. });
        let (kind, storage) = if has(StorageWord::Typedef) {
            self.name_by_typedef(name, ty, plain);
            self.alias_of_library(name, span, ty);
            (SymbolKind::Typedef, Storage::External)
        } else if is_function {
            (
                SymbolKind::Function,
                if has(StorageWord::Static) {
                    Storage::Static
                } else {
                    Storage::External
                },
            )
        } else {
            let storage = if has(StorageWord::Static) {
                Storage::Static
            } else if at_file_scope || has(StorageWord::Extern) {
                Storage::External
            } else if has(StorageWord::Register) {
                Storage::Register
            } else {
                Storage::Automatic
            };
            (SymbolKind::Variable, storage)
        };
        if let Some(known) = self
            .lookup_here(name)
            .filter(|known| self.symbols[known.0].kind == kind)
        {
            self.symbols[known.0].is_implicit = false;
            let old = self.symbols[known.0].ty;
            let incomplete = matches!(
                self.kind(old),
                TypeKind::Unknown
                    | TypeKind::Array {
                        extent: Extent::Unspecified,
                        ..
                    }
                    | TypeKind::Function {
                        prototype: false,
                        ..
                    }
            );
            let better = incomplete
                && !matches!(
                    self.kind(ty),
                    TypeKind::Function {
                        prototype: false,
                        ..
                    }
                );
            if better {
                self.symbols[known.0].ty = ty;
            }
            return known;
        }
        let symbol = blank_symbol(name.to_string(), self.scope(), ty, span);
        self.add_symbol(Symbol {
            kind,
            storage,
            per_thread: has(StorageWord::Thread),
            function: self.current,
            ..symbol
        })
    }

    /// `typedef struct { … } T;` gives the struct a name.
    fn name_by_typedef(&mut self, name: &str, ty: TypeId, plain: bool) {
        if !plain {
            return;
        }
        let place = match *self.kind(ty) {
            TypeKind::Record(id) => &mut self.records[id.0].typedef_name,
            TypeKind::Enum(id) => &mut self.enumerations[id.0].typedef_name,
            _ => return,
        };
        if place.is_none() {
            *place = Some(name.to_string());
        }
    }

    fn alias_of_library(&mut self, name: &str, span: Span, ty: TypeId) {
        let (target, alias) = match *self.kind(ty) {
            TypeKind::Pointer(target) => (target, Alias::Pointer),
            _ => (ty, Alias::Itself),
        };
        if let TypeKind::Record(id) = *self.kind(target)
            && self.is_of_library(span.start, ty)
        {
            self.records[id.0].aliases.push((alias, name.to_string()));
        }
    }

    /// Whether a typedef may be a library's: not one of the program's own files for an enum, a number, or a pointer to
    /// anything that it defines, whatever it is called. A program may declare itself what a library's header would.
    pub fn is_of_library(&self, offset: usize, ty: TypeId) -> bool {
        let target = match *self.kind(ty) {
            TypeKind::Pointer(target) => target,
            _ => ty,
        };
        match self.kind(target) {
            TypeKind::Record(id) if target != ty && self.records[id.0].members.is_none() => true,
            TypeKind::Record(_) if target == ty => true,
            _ => !self.file.is_of_program(offset),
        }
    }

    fn note_initialiser(
        &mut self,
        symbol: SymbolId,
        initialiser: &Initialiser,
        source: &tree::Initialiser,
    ) {
        let span = match initialiser {
            Initialiser::Expression(value) => value.span,
            Initialiser::List(list) => list.span,
        };
        let constant = fold::is_constant_initialiser(self, initialiser);
        self.symbols[symbol.0].initialiser = Some(InitialiserFact {
            span,
            constant,
            changes: false,
        });
        let ty = self.symbols[symbol.0].ty;
        if let (
            TypeKind::Array {
                element,
                extent: Extent::Unspecified,
            },
            _,
        ) = (self.types[ty.0].kind.clone(), initialiser)
        {
            let length = match source {
                tree::Initialiser::List(list)
                    if list.items.iter().all(|item| item.0.is_empty()) =>
                {
                    let text = list.items.len() == 1
                        && matches!(&list.items[0].1, tree::Initialiser::Expression(e) if matches!(e.kind, ExpressionKind::Text { .. }));
                    // Elements without braces of their own make the count uncertain.
                    let flat = !matches!(
                        self.kind(element),
                        TypeKind::Record(_) | TypeKind::Array { .. }
                    ) || list
                        .items
                        .iter()
                        .all(|item| matches!(item.1, tree::Initialiser::List(_)));
                    (flat && !text).then_some(list.items.len() as u64)
                }
                tree::Initialiser::Expression(value) => match value.kind {
                    ExpressionKind::Text { length, .. } => length.map(|length| length as u64 + 1),
                    _ => None,
                },
                tree::Initialiser::List(_) => None,
            };
            if let Some(length) = length {
                let kind = TypeKind::Array {
                    element,
                    extent: Extent::Constant(length),
                };
                let changed = Type {
                    kind,
                    ..self.types[ty.0].clone()
                };
                let changed = self.intern(changed);
                self.symbols[symbol.0].ty = changed;
            } else {
                // Its size is sizeof of itself, which is what consumers write.
                let declared = self.symbols[symbol.0].declared;
                let kind = TypeKind::Array {
                    element,
                    extent: Extent::Initialised(declared),
                };
                let changed = Type {
                    kind,
                    ..self.types[ty.0].clone()
                };
                let changed = self.intern(changed);
                self.symbols[symbol.0].ty = changed;
            }
        }
    }

    pub fn initialiser(&mut self, initialiser: &tree::Initialiser) -> Initialiser {
        match initialiser {
            tree::Initialiser::Expression(value) => Initialiser::Expression(self.expression(value)),
            tree::Initialiser::List(list) => Initialiser::List(self.initialiser_list(list)),
        }
    }

    pub fn initialiser_list(&mut self, list: &tree::InitialiserList) -> InitialiserList {
        let mut designators = Vec::new();
        let mut designations = Vec::new();
        let mut items = Vec::new();
        for (designation, item) in &list.items {
            let designation = designation.iter();
            designations.push(
                designation
                    .map(|one| self.designator(one, &mut designators))
                    .collect(),
            );
            items.push(self.initialiser(item));
        }
        InitialiserList {
            span: list.span,
            place: self.place(list.span),
            designators,
            items,
            designations,
        }
    }

    fn designator(
        &mut self,
        designator: &tree::Designator,
        expressions: &mut Vec<Expression>,
    ) -> Designator {
        let mut value = |source: &tree::Expression| {
            let expression = self.expression(source);
            let value = fold::integer(self, &expression);
            expressions.push(expression);
            value
        };
        match designator {
            tree::Designator::Member(name) => Designator::Member(name.clone()),
            tree::Designator::Element(index) => Designator::Element(value(index)),
            tree::Designator::Elements(from, to) => Designator::Elements(value(from), value(to)),
        }
    }

    pub fn function(&mut self, function: &tree::Function) {
        let Some((name, name_span)) = &function.declarator.name else {
            return;
        };
        let Some((
            Derived::Function {
                parameters,
                variadic,
                names,
            },
            before,
        )) = function.declarator.derived.split_last()
        else {
            return;
        };
        let base = self.specified(&function.specifiers, false);
        let return_type = self.derived_apart(base, before);
        let id = FunctionId(self.functions.len());
        // Its own name is visible in its body, with whatever type a prototype gave it until the parameters are known.
        let provisional = TypeKind::Function {
            result: return_type,
            parameters: Vec::new(),
            variadic: *variadic,
            prototype: false,
        };
        let provisional = self.plain(provisional);
        let symbol = self.declare(name, *name_span, provisional, &function.specifiers, false);
        let from = self.file.end_of_previous_declaration(function.span.start);
        self.note_attributes(symbol, from, function.body.span.start);
        self.current = Some(id);
        self.statements = 0;
        let scope = self.push_scope();
        let mut typed: Vec<SymbolId> = self
            .parameters(parameters)
            .iter()
            .map(|one| one.symbol)
            .collect();
        if !names.is_empty() {
            typed = self.old_style_parameters(names, &function.old_style);
        }
        let types = typed
            .iter()
            .map(|symbol| self.symbols[symbol.0].ty)
            .collect();
        let old_style = !names.is_empty();
        let kind = TypeKind::Function {
            result: return_type,
            parameters: types,
            variadic: *variadic,
            prototype: !old_style,
        };
        let ty = self.plain(kind);
        let known = matches!(
            self.kind(self.symbols[symbol.0].ty),
            TypeKind::Function {
                prototype: true,
                ..
            }
        );
        if !known {
            self.symbols[symbol.0].ty = ty;
        }
        self.symbols[symbol.0].definition = Some(id);
        let body = self.function_body(&function.body, scope);
        self.pop_scope();
        self.current = None;
        let open = Span::new(function.body.span.start, function.body.span.start + 1);
        let close = Span::new(function.body.span.end - 1, function.body.span.end);
        let exact = |span| {
            self.file
                .place(span)
                .filter(|_| !self.file.touched_by_macro(span))
        };
        let is_static = function.specifiers.storage.contains(&StorageWord::Static)
            || self.symbols[symbol.0].storage == Storage::Static;
        self.functions.push(Function {
            name: name.clone(),
            symbol,
            span: function.span,
            in_user_file: self.file.is_own(name_span.start),
            body_open: exact(open).map(|range| range.end),
            body_close: exact(close).map(|range| range.start),
            line: self.file.origin_text(name_span.start).1,
            parameters: typed,
            return_type,
            variadic: *variadic,
            old_style,
            is_static,
            is_inline: function.specifiers.is_inline,
            scope,
            body,
            statement_count: self.statements,
        });
    }

    fn old_style_parameters(
        &mut self,
        names: &[(String, Span)],
        declarations: &[tree::Declaration],
    ) -> Vec<SymbolId> {
        let mut symbols = Vec::new();
        for declaration in declarations {
            self.declaration(declaration);
        }
        for (position, (name, span)) in names.iter().enumerate() {
            let symbol = match self.lookup_here(name) {
                Some(symbol) => symbol,
                None => {
                    let int = self.plain(TypeKind::Integer(super::types::IntegerKind::Int));
                    let symbol = blank_symbol(name.clone(), self.scope(), int, *span);
                    self.add_symbol(Symbol {
                        function: self.current,
                        ..symbol
                    })
                }
            };
            let ty = self.adjusted(self.symbols[symbol.0].ty);
            self.symbols[symbol.0].ty = ty;
            self.symbols[symbol.0].parameter = Some(position);
            symbols.push(symbol);
        }
        symbols
    }
}

fn specifiers_are_plain(specifiers: &Specifiers) -> bool {
    !(specifiers.is_const
        || specifiers.is_volatile
        || specifiers.is_restrict
        || specifiers.is_atomic)
}

/// The body of a struct, union or enum among the specifiers.
fn record_span(specifiers: &Specifiers) -> Option<Span> {
    specifiers.types.iter().find_map(|word| match word {
        TypeWord::Record {
            fields: Some(_),
            span,
            ..
        }
        | TypeWord::Enum { span, .. } => Some(*span),
        _ => None,
    })
}

fn defines_type(specifiers: &Specifiers) -> bool {
    specifiers.types.iter().any(|word| match word {
        TypeWord::Record { fields, .. } => fields.is_some(),
        TypeWord::Enum { constants, .. } => !constants.is_empty(),
        _ => false,
    })
}
