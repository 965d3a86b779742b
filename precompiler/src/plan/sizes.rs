//! How many elements an item has, and whether a restart knows it before it is told.
//!
//! In: the extents of an item as the program has them. Out: what is handed over, in a normal run and on restart. On
//! restart extents are handed over only when every variable in them has its value there for certain: then a program
//! that was changed is noticed before memory of the wrong size is used. When unsure they are left out, and those of the
//! checkpoint are taken.

use super::builder::Builder;
use super::data::Extent;
use crate::program::{
    ClauseExpression, Expression, ExpressionKind, Item, ItemExtent, SymbolId, SymbolKind,
};

/// An extent as it is handed over.
pub fn extent(one: &ItemExtent) -> Extent {
    Extent {
        text: format!("(cccp_count)({})", one.text),
        shown: one.text.clone(),
        value: one.value,
        opaque: one
            .written
            .as_ref()
            .is_some_and(|one| meaning(one).is_none()),
    }
}

/// The number of elements that an item skips.
pub fn first(lower: Option<&ClauseExpression>) -> Extent {
    match lower {
        None => Extent {
            text: "0".to_string(),
            shown: "0".to_string(),
            value: Some(0),
            opaque: false,
        },
        Some(lower) => Extent {
            text: format!("(cccp_count)({})", lower.text),
            shown: lower.text.clone(),
            value: match meaning(lower).map(|one| &one.kind) {
                Some(&ExpressionKind::Number(Some(number))) => u64::try_from(number).ok(),
                _ => None,
            },
            opaque: meaning(lower).is_none(),
        },
    }
}

/// The expression, with macros expanded where there are any.
fn meaning(clause: &ClauseExpression) -> Option<&Expression> {
    let found = clause.expression.as_ref().or(clause.meant.as_ref());
    found.map(|one| &**one)
}

impl Builder<'_> {
    /// Whether a restart knows the extents of an item at `place`, when the `earlier` items of its directive are back.
    pub fn is_sized(&self, item: &Item, earlier: &[Item], place: usize) -> bool {
        let back: Vec<SymbolId> = earlier
            .iter()
            .filter(|other| other.is_whole_variable && other.extents.is_empty())
            .map(|other| other.symbol)
            .collect();
        let known = |clause: &ClauseExpression| {
            meaning(clause).is_some_and(|one| self.is_known_on_restart(one, &back, place))
        };
        // What the item's own type adds is known wherever the item is.
        let extents = item.extents.iter();
        !item.extents.is_empty()
            && extents.flat_map(|one| &one.written).all(known)
            && item.lower.as_ref().is_none_or(known)
    }

    fn is_known_on_restart(&self, one: &Expression, back: &[SymbolId], place: usize) -> bool {
        let known = |inner: &Expression| self.is_known_on_restart(inner, back, place);
        match &one.kind {
            ExpressionKind::Number(_) => true,
            ExpressionKind::Unevaluated(inner) => inner
                .as_ref()
                .is_none_or(|inner| !self.unit.is_variably_modified(inner.ty)),
            ExpressionKind::Name {
                symbol: Some(symbol),
                ..
            } => {
                let symbol = *symbol;
                let facts = self.symbol(symbol);
                let kept = !self.has_shadow(symbol) && self.is_constant_local(symbol);
                // What changes later has another value at the checkpoint than it had here.
                let stays = self.is_automatic(symbol)
                    && !facts.address_taken
                    && self
                        .uses
                        .changes(symbol)
                        .all(|change| !self.picture.may_precede(place, change));
                match facts.kind {
                    SymbolKind::EnumConstant(_) => true,
                    SymbolKind::Variable => {
                        kept || self.is_steady_parameter(symbol)
                            || stays
                                && (back.contains(&symbol)
                                    || self.is_still_set_before_init(symbol, place))
                    }
                    SymbolKind::Function | SymbolKind::Typedef => false,
                }
            }
            ExpressionKind::Unary(_, inner) | ExpressionKind::Cast(inner) => known(inner),
            ExpressionKind::Binary(_, left, right)
            | ExpressionKind::Logical { left, right, .. } => known(left) && known(right),
            ExpressionKind::Conditional {
                condition,
                then,
                otherwise,
            } => known(condition) && then.as_deref().is_none_or(known) && known(otherwise),
            _ => false,
        }
    }
}
