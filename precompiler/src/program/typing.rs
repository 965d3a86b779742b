//! Types from specifiers and declarators.

use super::builder::Builder;
use super::fold;
use super::model::{Expression, ScopeId, Storage, Symbol, SymbolId, SymbolKind};
use super::types::{Extent, FloatKind, IntegerKind, Qualifiers, Type, TypeId, TypeKind};
use crate::source::{NoteKind, Span};
use crate::syntax::tree::{
    ArraySize, BuiltinWord, Derived, Parameter, Specifiers, StorageWord, TypeName, TypeWord,
};

/// A parameter of a function type.
pub(super) struct TypedParameter {
    pub symbol: SymbolId,
    pub ty: TypeId,
}

impl Builder<'_> {
    /// The type that specifiers denote.
    pub fn specified(&mut self, specifiers: &Specifiers, alone: bool) -> TypeId {
        let mut ty = self.words(specifiers, alone);
        let qualifiers = Qualifiers {
            is_const: specifiers.is_const,
            is_volatile: specifiers.is_volatile,
            is_restrict: specifiers.is_restrict,
            is_atomic: specifiers.is_atomic,
        };
        ty = self.qualified(ty, qualifiers);
        ty
    }

    /// The type with more qualifiers. Those of an array belong to its elements.
    pub fn qualified(&mut self, id: TypeId, more: Qualifiers) -> TypeId {
        if more == Qualifiers::default() {
            return id;
        }
        let mut ty = self.types[id.0].clone();
        if let TypeKind::Array { element, extent } = ty.kind {
            let element = self.qualified(element, more);
            ty.kind = TypeKind::Array { element, extent };
            return self.intern(ty);
        }
        ty.qualifiers.is_const |= more.is_const;
        ty.qualifiers.is_volatile |= more.is_volatile;
        ty.qualifiers.is_restrict |= more.is_restrict;
        ty.qualifiers.is_atomic |= more.is_atomic;
        self.intern(ty)
    }

    fn words(&mut self, specifiers: &Specifiers, alone: bool) -> TypeId {
        let mut builtin = Vec::new();
        for word in &specifiers.types {
            match word {
                TypeWord::Builtin(word, offset) => builtin.push((*word, *offset)),
                TypeWord::Atomic(name) => {
                    let ty = self.type_name(name);
                    return self.qualified(
                        ty,
                        Qualifiers {
                            is_atomic: true,
                            ..Qualifiers::default()
                        },
                    );
                }
                TypeWord::Record {
                    is_union,
                    tag,
                    fields,
                    span,
                } => {
                    return self.record(*is_union, tag.as_deref(), fields.as_deref(), *span, alone);
                }
                TypeWord::Enum {
                    tag,
                    constants,
                    span,
                } => return self.enumeration(tag.as_deref(), constants, *span),
                TypeWord::Named(name) => return self.named(name),
                TypeWord::TypeOfValue(value) => return self.expression(value).ty,
                TypeWord::TypeOfType(name) => return self.type_name(name),
            }
        }
        let kind = self.builtin(&builtin);
        self.plain(kind)
    }

    fn builtin(&self, words: &[(BuiltinWord, usize)]) -> TypeKind {
        let count = |wanted: BuiltinWord| words.iter().filter(|(word, _)| *word == wanted).count();
        let has = |wanted: BuiltinWord| count(wanted) > 0;
        let noted = |kind| {
            words
                .iter()
                .any(|(_, offset)| self.file.has_note(*offset, offset + 1, kind))
        };
        let own = self.within_directive.is_none();
        let unsigned = has(BuiltinWord::Unsigned);
        let complex = has(BuiltinWord::Complex);
        let pick = |signed, other| if unsigned { other } else { signed };
        if own && noted(NoteKind::Int128) {
            let kind = pick(IntegerKind::Int128, IntegerKind::UnsignedInt128);
            return match complex {
                true => TypeKind::ComplexInteger(kind),
                false => TypeKind::Integer(kind),
            };
        }
        if own && (noted(NoteKind::AutoType) || noted(NoteKind::BitInt)) {
            return TypeKind::Unknown;
        }
        let float = if own && noted(NoteKind::Float128) {
            Some(FloatKind::Float128)
        } else if has(BuiltinWord::OtherFloat) || (own && noted(NoteKind::OtherFloat)) {
            Some(FloatKind::Other)
        } else if has(BuiltinWord::Float) {
            Some(FloatKind::Float)
        } else if has(BuiltinWord::Double) {
            Some(if has(BuiltinWord::Long) {
                FloatKind::LongDouble
            } else {
                FloatKind::Double
            })
        } else {
            None
        };
        if let Some(float) = float {
            return match complex {
                true => TypeKind::Complex(float),
                false => TypeKind::Float(float),
            };
        }
        // `_Complex` alone is `double _Complex`.
        if complex && words.len() == 1 {
            return TypeKind::Complex(FloatKind::Double);
        }
        if has(BuiltinWord::Void) {
            return TypeKind::Void;
        }
        if has(BuiltinWord::Bool) {
            return TypeKind::Bool;
        }
        let kind = if has(BuiltinWord::Char) {
            match (unsigned, has(BuiltinWord::Signed)) {
                (true, _) => IntegerKind::UnsignedChar,
                (_, true) => IntegerKind::SignedChar,
                _ => IntegerKind::Char,
            }
        } else if has(BuiltinWord::Short) {
            pick(IntegerKind::Short, IntegerKind::UnsignedShort)
        } else {
            match count(BuiltinWord::Long) {
                0 => pick(IntegerKind::Int, IntegerKind::UnsignedInt),
                1 => pick(IntegerKind::Long, IntegerKind::UnsignedLong),
                _ => pick(IntegerKind::LongLong, IntegerKind::UnsignedLongLong),
            }
        };
        match complex {
            true => TypeKind::ComplexInteger(kind),
            false => TypeKind::Integer(kind),
        }
    }

    /// The type of a typedef name, which it then carries.
    fn named(&mut self, name: &str) -> TypeId {
        match self.lookup(name).map(|id| &self.symbols[id.0]) {
            Some(symbol) if symbol.kind == SymbolKind::Typedef => {
                let mut ty = self.types[symbol.ty.0].clone();
                if ty.kind == TypeKind::Unknown {
                    ty.kind = TypeKind::Builtin(name.to_string());
                }
                if self.is_of_library(symbol.declared.start, symbol.ty) {
                    ty.library_names.insert(0, name.to_string());
                }
                ty.typedef_name = Some(name.to_string());
                self.intern(ty)
            }
            _ => self.plain(TypeKind::Builtin(name.to_string())),
        }
    }

    /// The type of a type name.
    pub fn type_name(&mut self, name: &TypeName) -> TypeId {
        let base = self.specified(&name.specifiers, false);
        match &name.declarator {
            Some(declarator) => self.derived_apart(base, &declarator.derived),
            None => base,
        }
    }

    /// Applies the steps of a declarator that does not stand in a declaration of an object.
    pub fn derived_apart(&mut self, base: TypeId, steps: &[Derived]) -> TypeId {
        let mut extents = Vec::new();
        let ty = self.derived(base, steps, &mut extents);
        self.type_extents.append(&mut extents);
        ty
    }

    /// Applies the steps of a declarator. Extents of variable-length arrays are added to `extents`.
    pub fn derived(
        &mut self,
        base: TypeId,
        steps: &[Derived],
        extents: &mut Vec<Expression>,
    ) -> TypeId {
        let mut ty = base;
        for step in steps {
            ty = match step {
                Derived::Pointer {
                    is_const,
                    is_volatile,
                    is_restrict,
                    is_atomic,
                } => {
                    let qualifiers = Qualifiers {
                        is_const: *is_const,
                        is_volatile: *is_volatile,
                        is_restrict: *is_restrict,
                        is_atomic: *is_atomic,
                    };
                    self.intern(Type {
                        kind: TypeKind::Pointer(ty),
                        qualifiers,
                        typedef_name: None,
                        library_names: Vec::new(),
                    })
                }
                Derived::Array(size) => {
                    let extent = self.extent(size, extents);
                    self.plain(TypeKind::Array {
                        element: ty,
                        extent,
                    })
                }
                Derived::Function {
                    parameters,
                    variadic,
                    names,
                } => {
                    self.push_scope();
                    let typed = self.parameters(parameters);
                    self.pop_scope();
                    let list = typed
                        .iter()
                        .map(|parameter| parameter.ty)
                        .collect::<Vec<_>>();
                    let prototype = !parameters.is_empty() && names.is_empty();
                    self.plain(TypeKind::Function {
                        result: ty,
                        parameters: list,
                        variadic: *variadic,
                        prototype,
                    })
                }
            };
        }
        ty
    }

    fn extent(&mut self, size: &ArraySize, extents: &mut Vec<Expression>) -> Extent {
        match size {
            ArraySize::Nothing | ArraySize::Star => Extent::Unspecified,
            ArraySize::Expression(value) => {
                let value = self.expression(value);
                let span = value.span;
                if let Some(folded) =
                    fold::integer(self, &value).and_then(|folded| u64::try_from(folded).ok())
                {
                    Extent::Constant(folded)
                } else if fold::is_integer_constant(self, &value) {
                    Extent::Expression(span)
                } else {
                    extents.push(value);
                    Extent::Variable(span)
                }
            }
        }
    }

    /// Declares parameters in the innermost scope, their types adjusted as C does it. `(void)` gives none. Earlier
    /// parameters are visible in the extents of later ones.
    pub fn parameters(&mut self, parameters: &[Parameter]) -> Vec<TypedParameter> {
        let mut typed = Vec::new();
        for parameter in parameters {
            let base = self.specified(&parameter.specifiers, false);
            let (name, ty) = match &parameter.declarator {
                Some(declarator) => (
                    declarator.name.clone(),
                    self.derived_apart(base, &declarator.derived),
                ),
                None => (None, base),
            };
            if parameters.len() == 1 && name.is_none() && *self.kind(ty) == TypeKind::Void {
                return Vec::new();
            }
            let ty = self.adjusted(ty);
            let (name, span) = name.unwrap_or_else(|| (String::new(), parameter.span));
            let symbol = blank_symbol(name, self.scope(), ty, span);
            let register = parameter
                .specifiers
                .storage
                .contains(&StorageWord::Register);
            let symbol = self.add_symbol(Symbol {
                parameter: Some(typed.len()),
                function: self.current,
                storage: if register {
                    Storage::Register
                } else {
                    Storage::Automatic
                },
                ..symbol
            });
            typed.push(TypedParameter { symbol, ty });
        }
        typed
    }

    /// Arrays and functions as parameters are pointers.
    pub fn adjusted(&mut self, ty: TypeId) -> TypeId {
        match *self.kind(ty) {
            TypeKind::Array { element, .. } => self.plain(TypeKind::Pointer(element)),
            TypeKind::Function { .. } => self.plain(TypeKind::Pointer(ty)),
            _ => ty,
        }
    }
}

/// A symbol of which only the name is known.
pub(super) fn blank_symbol(name: String, scope: ScopeId, ty: TypeId, declared: Span) -> Symbol {
    Symbol {
        name,
        kind: SymbolKind::Variable,
        scope,
        storage: Storage::Automatic,
        per_thread: false,
        ty,
        declared,
        visible_from: declared.end,
        function: None,
        parameter: None,
        address_taken: false,
        assigned_after_declaration: false,
        initialiser: None,
        cleanup: false,
        copied: false,
        without_effects: false,
        definition: None,
        is_defined: false,
        is_implicit: false,
    }
}
