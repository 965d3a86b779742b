//! Structs, unions and enums.

use super::arithmetic::Width;
use super::builder::{Builder, Tag};
use super::fold;
use super::layout::has_attributes;
use super::model::{Symbol, SymbolKind};
use super::types::{
    EnumId, Enumeration, Extent, IntegerKind, Member, Record, RecordId, Type, TypeId, TypeKind,
};
use super::typing::blank_symbol;
use crate::source::{NoteKind, Span};
use crate::syntax::tree::Field;

impl Builder<'_> {
    pub fn record(
        &mut self,
        is_union: bool,
        tag: Option<&str>,
        fields: Option<&[Field]>,
        span: Span,
        alone: bool,
    ) -> TypeId {
        let known = tag.and_then(|tag| self.find_tag(tag, fields.is_some() || alone));
        let id = match known {
            Some(Tag::Record(id)) if self.records[id.0].is_union == is_union => id,
            _ => {
                let id = RecordId(self.records.len());
                self.records.push(Record {
                    is_union,
                    tag: tag.map(str::to_string),
                    typedef_name: None,
                    aliases: Vec::new(),
                    is_opaque: false,
                    scope: self.scope(),
                    members: None,
                    declared: span,
                });
                if let Some(tag) = tag {
                    self.add_tag(tag.to_string(), Tag::Record(id));
                }
                id
            }
        };
        if let Some(fields) = fields {
            let members = self.members(fields, is_union);
            self.records[id.0].members = Some(members);
        }
        self.plain(TypeKind::Record(id))
    }

    fn members(&mut self, fields: &[Field], is_union: bool) -> Vec<Member> {
        let mut members = Vec::new();
        for field in fields {
            let base = self.specified(&field.specifiers, false);
            if field.declarators.is_empty() {
                members.push(Member {
                    name: None,
                    ty: base,
                    is_bit_field: false,
                    width: None,
                    declared: field.specifiers.span,
                });
            }
            for (declarator, width) in &field.declarators {
                let (name, declared, mut ty, end) = match declarator {
                    Some(declarator) => {
                        let ty = self.derived_apart(base, &declarator.derived);
                        let name = declarator.name.clone();
                        let declared = name.as_ref().map_or(declarator.span, |(_, span)| *span);
                        (
                            name.map(|(name, _)| name),
                            declared,
                            ty,
                            declarator.span.end,
                        )
                    }
                    None => (None, field.specifiers.span, base, field.specifiers.span.end),
                };
                if self.changed_type(field.specifiers.span.end, self.end_of_member(end)) {
                    ty = TypeId::UNKNOWN;
                }
                let width_value = width.as_ref().and_then(|width| {
                    let width = self.expression(width);
                    fold::integer(self, &width).and_then(|value| u64::try_from(value).ok())
                });
                members.push(Member {
                    name,
                    ty,
                    is_bit_field: width.is_some(),
                    width: width_value,
                    declared,
                });
            }
        }
        if !is_union
            && let Some(last) = members.last_mut()
            && let TypeKind::Array {
                element,
                extent: Extent::Unspecified,
            } = self.types[last.ty.0].kind
        {
            let ty = last.ty;
            let flexible = TypeKind::Array {
                element,
                extent: Extent::Flexible,
            };
            let changed = Type {
                kind: flexible,
                ..self.types[ty.0].clone()
            };
            let changed = self.intern(changed);
            if let Some(last) = members.last_mut() {
                last.ty = changed;
            }
        }
        members
    }

    /// The offset of the `;` or `,` after a member.
    fn end_of_member(&self, from: usize) -> usize {
        let text = self.file.normalised_text().as_bytes();
        let rest = text.get(from..).unwrap_or(&[]);
        rest.iter()
            .position(|byte| matches!(byte, b';' | b',' | b'}'))
            .map_or(from, |length| from + length)
    }

    fn changed_type(&self, from: usize, to: usize) -> bool {
        let has = |kind| self.file.has_note(from, to, kind);
        self.within_directive.is_none() && (has(NoteKind::ChangedType) || has(NoteKind::Vector))
    }

    pub fn enumeration(
        &mut self,
        tag: Option<&str>,
        constants: &[(String, Span, Option<crate::syntax::tree::Expression>)],
        span: Span,
    ) -> TypeId {
        let known = tag.and_then(|tag| self.find_tag(tag, !constants.is_empty()));
        let id = match known {
            Some(Tag::Enum(id)) => id,
            _ => {
                let id = EnumId(self.enumerations.len());
                self.enumerations.push(Enumeration {
                    tag: tag.map(str::to_string),
                    typedef_name: None,
                    scope: self.scope(),
                    constants: Vec::new(),
                    underlying: IntegerKind::UnsignedInt,
                    complete: false,
                });
                if let Some(tag) = tag {
                    self.add_tag(tag.to_string(), Tag::Enum(id));
                }
                id
            }
        };
        if !constants.is_empty() {
            self.enum_constants(id, constants, span);
        }
        self.plain(TypeKind::Enum(id))
    }

    fn enum_constants(
        &mut self,
        id: EnumId,
        constants: &[(String, Span, Option<crate::syntax::tree::Expression>)],
        span: Span,
    ) {
        let int = self.plain(TypeKind::Integer(IntegerKind::Int));
        let mut next = Some(0i128);
        let (mut values, mut symbols) = (Vec::new(), Vec::new());
        for (name, span, value) in constants {
            if let Some(value) = value {
                let value = self.expression(value);
                next = fold::integer(self, &value);
            }
            values.push((name.clone(), next));
            let symbol = self.add_symbol(Symbol {
                kind: SymbolKind::EnumConstant(next),
                ..blank_symbol(name.clone(), self.scope(), int, *span)
            });
            symbols.push((symbol, next));
            next = next.map(|value| value + 1);
        }
        let known = || values.iter().filter_map(|(_, value)| *value);
        let negative = known().any(|value| value < 0);
        let most = if negative {
            i128::from(i32::MAX)
        } else {
            i128::from(u32::MAX)
        };
        let wide = known().any(|value| value > most || value < i128::from(i32::MIN));
        let packed = [
            (8, IntegerKind::SignedChar, IntegerKind::UnsignedChar),
            (16, IntegerKind::Short, IntegerKind::UnsignedShort),
        ];
        let is_packed = self.is_packed(span);
        let mut packed = packed.into_iter().filter(|(bits, ..)| {
            let (bits, is_signed) = (*bits, negative);
            is_packed && known().all(|value| Width { bits, is_signed }.holds(value))
        });
        let underlying = match (packed.next(), negative, wide) {
            (Some((_, signed, _)), true, _) => signed,
            (Some((_, _, unsigned)), false, _) => unsigned,
            (None, true, false) => IntegerKind::Int,
            (None, false, false) => IntegerKind::UnsignedInt,
            // `long` where that has 64 bits, which makes no difference there.
            (None, true, true) => IntegerKind::LongLong,
            (None, false, true) => IntegerKind::UnsignedLongLong,
        };
        // Constants that are no `int` have the type of the enum.
        let own = self.plain(TypeKind::Integer(underlying));
        for (symbol, value) in symbols {
            if value.is_some_and(|value| !Width::INT.holds(value)) {
                self.symbols[symbol.0].ty = own;
            }
        }
        let enumeration = &mut self.enumerations[id.0];
        enumeration.underlying = underlying;
        enumeration.constants = values;
        enumeration.complete = true;
    }

    /// Whether an enum is as small as its constants allow: an attribute says so, before its braces or behind them.
    fn is_packed(&self, span: Span) -> bool {
        if self.within_directive.is_some() {
            return false;
        }
        let text = &self.file.preprocessed;
        let rest = text.get(span.end..).unwrap_or("");
        let end = rest.find(';').map_or(text.len(), |at| span.end + at);
        let own = self.file.preprocessed_text(Span::new(span.start, end));
        has_attributes(own) && own.contains("packed")
    }
}
