//! Calls that say that they give blocks of bytes in which no address ever lies (`analysis::byte_blocks`).
//!
//! ```c
//! char *names = cccp_holds_bytes(malloc(64 * n));
//! ```
//!
//! Errors fall on the side of silence: where something else changes in the text around, or a macro makes the call, nothing is said, and
//! each checkpoint looks at the block.

use super::data::Step;
use super::raw::RawEdit;
use crate::analysis::Proven;
use crate::program::{TypeKind, Unit};
use crate::source::{SourceRange, Span};

/// Within one place of the text, before or behind all others.
const OUTERMOST: i32 = 1 << 20;

/// The edits of one function, among its others.
pub(super) fn said(
    proven: &Proven,
    unit: &Unit,
    (index, body): (usize, Span),
    others: &[RawEdit],
) -> Vec<RawEdit> {
    let all = proven.byte_blocks.iter();
    let own = all.filter(|(place, _)| place.unit == index && body.contains(place.span));
    let is_apart = |span: Span| {
        let touches = |one: &RawEdit| one.span.start < span.end && span.start < one.span.end;
        !others.iter().any(touches)
    };
    own.filter(|(place, _)| is_apart(place.span))
        .filter_map(|(place, ty)| {
            let range = unit.file.place(place.span)?;
            let TypeKind::Pointer(target) = unit.kind(ty.id) else {
                return None;
            };
            let cast = match unit.kind(*target) {
                TypeKind::Void => String::new(),
                _ => format!("({})", unit.spell(ty.id, "").ok()?),
            };
            let at = |here: usize, range: usize, order: i32, text: String| RawEdit {
                span: Span::new(here, here),
                place: Some(SourceRange::new(range, range)),
                order,
                steps: vec![Step::Text(text)],
            };
            let begin = format!("({cast}cccp_holds_bytes(");
            Some([
                at(place.span.start, range.start, OUTERMOST, begin),
                at(place.span.end, range.end, -OUTERMOST, "))".to_string()),
            ])
        })
        .flatten()
        .collect()
}
