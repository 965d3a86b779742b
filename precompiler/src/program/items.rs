//! Items of register directives: what memory they name, of what type and extent.

use cccp_grammar as grammar;

use super::arithmetic::find_member;
use super::builder::Builder;
use super::fold;
use super::model::{
    ClauseExpression, Expression, ExpressionKind, Item, ItemExtent, ItemPlace, SymbolId, SymbolKind,
};
use super::types::{Extent, TypeId, TypeKind};
use super::uses::trailing;
use crate::diagnostic::{Code, Diagnostic};
use crate::directive::Clause;
use crate::source::{SourceRange, Span};

impl Builder<'_> {
    pub fn item(
        &mut self,
        item: &grammar::Item,
        clauses: &[&Clause],
        body: usize,
        span: Span,
    ) -> Result<Item, Box<Diagnostic>> {
        let place = SourceRange::new(body + item.range.start, body + item.range.end);
        let name_place = SourceRange::new(body + item.name.range.start, body + item.name.range.end);
        let Some(symbol) = self.lookup(&item.name.text) else {
            return Err(Box::new(self.unknown(&item.name.text, name_place)));
        };
        self.check_symbol(symbol, name_place)?;
        let (base_text, kept) = crate::directive::base_text(item);
        let base = clauses
            .first()
            .map(|clause| self.clause(clause, span))
            .and_then(|clause| clause.expression);
        let Some(base) = base else {
            return Err(Box::new(
                Diagnostic::error(
                    Code::NO_MEMORY,
                    self.at(place),
                    format!("`{base_text}` cannot be understood"),
                )
                .reason("it contains a macro or something that is no C expression"),
            ));
        };
        self.check_members(&base, place)?;
        self.check_brings(item.brings, &base, &base_text, place)?;
        let brackets: Vec<&grammar::Bracket> = trailing(item).collect();
        let mut bounds = clauses.iter().skip(1);
        let mut element = base.ty;
        let mut extents = Vec::new();
        let mut lower = None;
        let mut behind = false;
        for (position, bracket) in brackets.iter().enumerate() {
            let bracket_place =
                SourceRange::new(body + bracket.range.start, body + bracket.range.end);
            let wrong = |builder: &Self, message: String, reason: &str| {
                Err(Box::new(
                    Diagnostic::error(Code::WRONG_EXTENTS, builder.at(bracket_place), message)
                        .reason(reason.to_string()),
                ))
            };
            if bracket.lower.is_some() {
                let clause = bounds.next().map(|clause| self.clause(clause, span));
                if position > 0 {
                    let message =
                        "a first element is possible in the first brackets only".to_string();
                    return wrong(self, message, "what is registered must be contiguous");
                }
                lower = clause;
            }
            element = match *self.kind(element) {
                TypeKind::Pointer(target) if position == 0 => {
                    behind = true;
                    target
                }
                TypeKind::Array { element, .. } => element,
                TypeKind::Pointer(_) => {
                    let message = format!(
                        "`{base_text}` is a pointer to pointers, not an array of this many dimensions"
                    );
                    return wrong(
                        self,
                        message,
                        "the memory behind each of the pointers is a register of its own",
                    );
                }
                TypeKind::Unknown => {
                    return wrong(
                        self,
                        format!("the type of `{base_text}` is not known"),
                        "it uses an extension of the compiler",
                    );
                }
                // `u[n][m]` with a plain pointer: the memory behind it, seen as so many rows.
                _ if behind => element,
                _ if position == 0 => {
                    let message = format!("`{base_text}` is neither an array nor a pointer");
                    return wrong(
                        self,
                        message,
                        "brackets say how many elements an array or pointer has",
                    );
                }
                _ => {
                    let message = format!("too many brackets for `{base_text}`");
                    return wrong(self, message, "its type has fewer dimensions");
                }
            };
            let Some(written) = bounds.next().map(|clause| self.clause(clause, span)) else {
                continue;
            };
            self.check_extent(&written)?;
            let value = written
                .expression
                .as_ref()
                .or(written.meant.as_ref())
                .and_then(|expression| fold::integer(self, expression))
                .and_then(|value| u64::try_from(value).ok());
            extents.push(ItemExtent {
                text: written.text.clone(),
                written: Some(written),
                value,
            });
        }
        // The dimensions that are left belong to the register as well.
        while let TypeKind::Array {
            element: inner,
            extent,
        } = *self.kind(element)
        {
            extents.push(self.inherited_extent(extent, &base_text, &extents, behind, place)?);
            element = inner;
        }
        self.check_complete(element, &base_text, place, extents.is_empty())?;
        if item.brings == grammar::Brings::File {
            self.check_descriptor(element, &base_text, place)?;
        }
        let kind = if behind {
            ItemPlace::BehindPointer
        } else if through_pointer(&base, self) {
            ItemPlace::Indirect
        } else {
            ItemPlace::Object
        };
        let base_type = base.ty;
        Ok(Item {
            name: self.registered_name(&item.name.text, &base_text),
            place,
            kind,
            is_whole_variable: kept == 0,
            base_text,
            base: Some(base),
            symbol,
            element,
            base_type,
            extents,
            lower,
            brings: item.brings,
        })
    }

    /// `p[]` wants a pointer to something with a size. What `follow` wants is checked type by type when it is planned.
    fn check_brings(
        &self,
        brings: grammar::Brings,
        base: &Expression,
        base_text: &str,
        place: SourceRange,
    ) -> Result<(), Box<Diagnostic>> {
        if brings != grammar::Brings::Block {
            return Ok(());
        }
        let wrong = Diagnostic::error(
            Code::WRONG_EXTENTS,
            self.at(place),
            format!("`{base_text}[]` is no block of allocated memory"),
        );
        let TypeKind::Pointer(mut element) = *self.kind(base.ty) else {
            let help = match self.kind(base.ty) {
                TypeKind::Array { .. } => {
                    format!("an array has its extents already: `{base_text}`")
                }
                _ => format!("`{base_text}` registers the object itself"),
            };
            let reason = "empty brackets mean the whole block that a pointer points to";
            return Err(Box::new(wrong.reason(reason).help(help)));
        };
        while let TypeKind::Array { element: inner, .. } = *self.kind(element) {
            element = inner;
        }
        self.check_complete(element, base_text, place, false)
    }

    /// `file` wants integers.
    fn check_descriptor(
        &self,
        element: TypeId,
        base_text: &str,
        place: SourceRange,
    ) -> Result<(), Box<Diagnostic>> {
        if matches!(self.kind(element), TypeKind::Integer(_)) {
            return Ok(());
        }
        let message = format!("`{base_text}` is no descriptor of an open file");
        let wrong = Diagnostic::error(Code::NO_DESCRIPTOR, self.at(place), message)
            .reason("`file(…)` takes an integer, or an array of them, with what `open` gave");
        Err(Box::new(match self.kind(element) {
            TypeKind::Pointer(_) => wrong.help(format!(
                "a stream is restored by itself: `register({base_text})`"
            )),
            _ => wrong.help(format!("`register({base_text})` registers the value")),
        }))
    }

    fn check_symbol(&self, symbol: SymbolId, place: SourceRange) -> Result<(), Box<Diagnostic>> {
        let symbol = &self.symbols[symbol.0];
        let what = match symbol.kind {
            SymbolKind::Variable => return Ok(()),
            SymbolKind::Function => "a function",
            SymbolKind::EnumConstant(_) => "a constant",
            SymbolKind::Typedef => "a type",
        };
        let message = format!("`{}` is {what}, not a variable", symbol.name);
        Err(Box::new(Diagnostic::error(
            Code::NO_MEMORY,
            self.at(place),
            message,
        )))
    }

    /// Members that do not exist or have no address.
    fn check_members(&self, base: &Expression, place: SourceRange) -> Result<(), Box<Diagnostic>> {
        let mut value = base;
        let mut outermost = true;
        loop {
            value = match &value.kind {
                ExpressionKind::Member {
                    value,
                    name,
                    through_pointer,
                } => {
                    let owner = if *through_pointer {
                        self.target(value.ty)
                    } else {
                        Some(value.ty)
                    };
                    let Some(TypeKind::Record(record)) = owner.map(|owner| self.kind(owner)) else {
                        let message = if *through_pointer {
                            format!("what stands before `->{name}` is no pointer to a struct")
                        } else {
                            format!("what stands before `.{name}` is no struct")
                        };
                        return Err(Box::new(Diagnostic::error(
                            Code::UNKNOWN_NAME,
                            self.at(place),
                            message,
                        )));
                    };
                    match find_member(self, *record, name) {
                        None => {
                            let incomplete = self.records[record.0].members.is_none();
                            let names = self.records[record.0].members.iter().flatten();
                            let near = grammar::nearest(
                                name,
                                names.filter_map(|member| member.name.as_deref()),
                            );
                            let code = if incomplete {
                                Code::INCOMPLETE_TYPE
                            } else {
                                Code::UNKNOWN_NAME
                            };
                            let message = format!("there is no member `{name}`");
                            let mut diagnostic = Diagnostic::error(code, self.at(place), message);
                            if incomplete {
                                diagnostic = diagnostic
                                    .reason("the members of this struct are not declared here");
                            }
                            if let Some(near) = near {
                                diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
                            }
                            return Err(Box::new(diagnostic));
                        }
                        Some(member) if member.is_bit_field && outermost => {
                            let message = format!("`{name}` is a bit-field");
                            let diagnostic =
                                Diagnostic::error(Code::NO_MEMORY, self.at(place), message)
                                    .reason("a bit-field has no address of its own")
                                    .help("register the whole struct");
                            return Err(Box::new(diagnostic));
                        }
                        Some(_) => value,
                    }
                }
                ExpressionKind::Index { array, .. } => array,
                _ => return Ok(()),
            };
            outermost = false;
        }
    }

    fn target(&self, ty: TypeId) -> Option<TypeId> {
        match *self.kind(ty) {
            TypeKind::Pointer(target) => Some(target),
            TypeKind::Array { element, .. } => Some(element),
            _ => None,
        }
    }

    fn check_extent(&self, written: &ClauseExpression) -> Result<(), Box<Diagnostic>> {
        let Some(expression) = &written.expression else {
            return Ok(());
        };
        match self.kind(expression.ty) {
            TypeKind::Integer(_) | TypeKind::Enum(_) | TypeKind::Bool | TypeKind::Unknown => Ok(()),
            _ => Err(Box::new(
                Diagnostic::error(
                    Code::WRONG_EXTENTS,
                    self.at(written.place),
                    "an extent is an integer",
                )
                .label("this is something else"),
            )),
        }
    }

    /// An extent that the item's array type adds, as C text.
    fn inherited_extent(
        &self,
        extent: Extent,
        base: &str,
        before: &[ItemExtent],
        behind: bool,
        place: SourceRange,
    ) -> Result<ItemExtent, Box<Diagnostic>> {
        let (text, value) = match extent {
            Extent::Constant(value) => (value.to_string(), Some(value)),
            Extent::Unspecified | Extent::Flexible => {
                return Err(Box::new(
                    Diagnostic::error(
                        Code::INCOMPLETE_TYPE,
                        self.at(place),
                        format!("`{base}` has no extent"),
                    )
                    .reason("its declaration leaves the brackets empty")
                    .help(format!("say how many elements there are: `{base}[n]`")),
                ));
            }
            // The compiler knows; `sizeof` of a variable-length array is evaluated where the directive stands.
            Extent::Expression(_) | Extent::Initialised(_) | Extent::Variable(_) => {
                let row = format!("{base}{}", "[0]".repeat(before.len()));
                debug_assert!(!behind || !before.is_empty());
                (format!("sizeof({row}) / sizeof({row}[0])"), None)
            }
        };
        Ok(ItemExtent {
            text,
            written: None,
            value,
        })
    }

    fn check_complete(
        &self,
        element: TypeId,
        base: &str,
        place: SourceRange,
        single: bool,
    ) -> Result<(), Box<Diagnostic>> {
        let reason = match self.kind(element) {
            TypeKind::Void => "its type is `void`, which has no size",
            TypeKind::Function { .. } => "it is a function",
            TypeKind::Record(record) if self.records[record.0].members.is_none() => {
                "the members of its struct are not declared here"
            }
            TypeKind::Enum(_) => return Ok(()),
            _ => return Ok(()),
        };
        let what = if single {
            format!("`{base}` has no size")
        } else {
            format!("the elements of `{base}` have no size")
        };
        let diagnostic =
            Diagnostic::error(Code::INCOMPLETE_TYPE, self.at(place), what).reason(reason);
        Err(Box::new(if matches!(self.kind(element), TypeKind::Void) {
            diagnostic.help("register it through a pointer of the type that the memory really has")
        } else {
            diagnostic
        }))
    }
}

/// Whether the memory of an lvalue is reached through a pointer.
fn through_pointer(expression: &Expression, builder: &Builder) -> bool {
    match &expression.kind {
        ExpressionKind::Member {
            value,
            through_pointer: pointed,
            ..
        } => *pointed || through_pointer(value, builder),
        ExpressionKind::Index { array, .. } => {
            !matches!(builder.kind(array.ty), TypeKind::Array { .. })
                || through_pointer(array, builder)
        }
        _ => false,
    }
}
