//! Items of register directives: which ones a checkpoint holds, and how many bytes they are.
//!
//! An item is held when its directive may have run before, in a function that is still active or one that has
//! returned; locals of the latter have ended. Where only some of several directives for one name can have been the last
//! one, the largest is counted, and the sum is an upper bound.

use super::places::directive;
use crate::analysis::Picture;
use crate::analysis::completeness::{DirectivePlace, ItemPlaceInProgram};
use crate::catalog::Catalogue;
use crate::dataflow::FunctionRef;
use crate::explain::report::Register;
use crate::explain::size::{Amount, Factor, Layout, Reader, Sizes, stored};
use crate::program::{
    Directive, DirectiveId, DirectiveUse, Expression, Extent, FunctionId, Item, ItemExtent,
    ItemPlace, Program, Storage, TypeKind, Unit,
};
use crate::source::Span;

/// An item with its directive.
#[derive(Clone, Copy, Debug)]
pub struct KnownItem<'a> {
    /// Where it is.
    pub at: ItemPlaceInProgram,
    /// The unit.
    pub unit: &'a Unit,
    /// The directive.
    pub directive: &'a DirectiveUse,
    /// The item.
    pub item: &'a Item,
}

/// All items of a program, in the order of files and texts.
pub fn items(program: &Program) -> Vec<KnownItem<'_>> {
    let mut all = Vec::new();
    for (number, unit) in program.units.iter().enumerate() {
        for (id, directive) in unit.directives.iter().enumerate() {
            let Directive::Register { items } = &directive.directive else {
                continue;
            };
            for (index, item) in items.iter().enumerate() {
                all.push(KnownItem {
                    at: ItemPlaceInProgram {
                        directive: DirectivePlace {
                            unit: number,
                            id: DirectiveId(id),
                        },
                        index,
                    },
                    unit,
                    directive,
                    item,
                });
            }
        }
    }
    all
}

impl KnownItem<'_> {
    /// The function that registers it.
    pub fn function(&self) -> &str {
        self.directive
            .function
            .map_or("", |function| self.unit.function(function).name.as_str())
    }

    /// For the report.
    pub fn register(&self, program: &Program) -> Register {
        let text = self.unit.file.original_text(self.item.place);
        let words: Vec<&str> = text.split_whitespace().collect();
        Register {
            item: words.join(" "),
            full_name: format!("{}:{}", self.function(), self.item.name),
            place: directive(program, self.at.directive.unit, self.at.directive.id),
        }
    }

    /// It ends when the function that registered it returns.
    fn is_local(&self) -> bool {
        let symbol = &self.unit.symbols[self.item.symbol.0];
        self.item.kind == ItemPlace::Object
            && matches!(symbol.storage, Storage::Automatic | Storage::Register)
    }

    /// How many bytes it is.
    pub fn amount(&self, catalogue: &Catalogue, sizes: &mut Sizes) -> Amount {
        let layout = Layout::of(self.unit);
        let mut factors = Vec::new();
        let mut ty = self.item.base_type;
        for extent in &self.item.extents {
            let dimension = match self.unit.kind(ty) {
                TypeKind::Array { extent, .. } => Some(*extent),
                _ => None,
            };
            ty = self.unit.pointee(ty).unwrap_or(ty);
            match (&extent.written, dimension) {
                (None, Some(dimension)) => {
                    factors.push(of_type(layout, self.function(), dimension, sizes));
                }
                _ => factors.extend(factor(layout, self.function(), extent, sizes)),
            }
        }
        Amount::of(
            &factors,
            &spelling(self.unit, self.item.element),
            layout.bytes(self.item.element),
            stored(&layout, catalogue, self.item.element, 0),
        )
    }
}

/// A type as the program spells it: by its typedef if it has one.
pub fn spelling(unit: &Unit, ty: crate::program::TypeId) -> String {
    match (&unit.ty(ty).typedef_name, unit.spell(ty, "")) {
        (Some(name), _) => name.clone(),
        (None, Ok(text)) => text,
        (None, Err(_)) => "struct".to_string(),
    }
}

/// A dimension of an array type.
pub fn of_type(layout: Layout, function: &str, extent: Extent, sizes: &mut Sizes) -> Factor {
    let unit = layout.unit;
    let (text, value) = match extent {
        Extent::Constant(count) => {
            return Factor {
                text: count.to_string(),
                value: Some(count),
                number: true,
            };
        }
        Extent::Expression(span) | Extent::Variable(span) => {
            let text = unit.file.one_line(span).unwrap_or_default();
            let mut reader = Reader {
                layout,
                function,
                sizes,
            };
            let value = match expression_at(unit, span) {
                Some(found) => reader.value(found),
                None => reader.sizes.look(function, &text).map(i128::from),
            };
            (text, value.and_then(|value| u64::try_from(value).ok()))
        }
        _ => ("…".to_string(), None),
    };
    Factor {
        text: beside_a_product(&text),
        value,
        number: false,
    }
}

/// The expression of a unit that stands exactly at a place.
fn expression_at(unit: &Unit, span: Span) -> Option<&Expression> {
    let function = unit.functions.iter().find(|one| one.span.contains(span))?;
    let mut found = None;
    function.body.walk_expressions(&mut |expression| {
        if expression.span == span {
            found = Some(expression);
        }
    });
    found
}

/// In parentheses where it needs them.
fn beside_a_product(text: &str) -> String {
    let simple = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '>' | '[' | ']' | '…');
    if text.chars().all(simple) {
        text.to_string()
    } else {
        format!("({text})")
    }
}

/// The factors of an extent.
fn factor(layout: Layout, function: &str, extent: &ItemExtent, sizes: &mut Sizes) -> Vec<Factor> {
    let Some(written) = &extent.written else {
        return vec![Factor {
            text: extent.text.clone(),
            value: extent.value,
            number: extent.value.is_some(),
        }];
    };
    let mut reader = Reader {
        layout,
        function,
        sizes,
    };
    if let Some(found) = &written.expression
        && let Some(factors) = reader.factors(found)
    {
        return factors;
    }
    let meant: Option<&Expression> = written.meant.as_deref();
    let value = extent
        .value
        .or_else(|| {
            meant
                .and_then(|one| reader.value(one))
                .and_then(|value| u64::try_from(value).ok())
        })
        .or_else(|| {
            // Macros that only the compiler resolves: the whole text is the name.
            meant
                .is_none()
                .then(|| reader.sizes.look(function, &written.text))
                .flatten()
        });
    vec![Factor {
        text: beside_a_product(&written.text),
        value,
        number: false,
    }]
}

/// A function that is active at a checkpoint, and where control is in it.
#[derive(Clone, Copy, Debug)]
pub struct Active {
    /// The function.
    pub function: FunctionRef,
    /// The checkpoint or the call on the way to it, in the preprocessed text.
    pub at: usize,
}

/// The items that a checkpoint may hold when these functions are active, the checkpoint's own first; true when that is
/// certain.
pub fn held<'a>(
    program: &Program,
    catalogue: &Catalogue,
    all: &[KnownItem<'a>],
    active: &[Active],
) -> (Vec<KnownItem<'a>>, bool) {
    let mut held: Vec<KnownItem> = Vec::new();
    let mut certain = true;
    let pictures = |unit: usize, function: FunctionId| {
        let unit = &program.units[unit];
        Picture::of(unit, unit.function(function), catalogue)
    };
    for one in all {
        let Some(function) = one.directive.function else {
            continue;
        };
        let unit = one.at.directive.unit;
        let frames: Vec<&Active> = active
            .iter()
            .filter(|frame| frame.function == FunctionRef { unit, function })
            .collect();
        let may = if frames.is_empty() {
            !one.is_local()
        } else {
            frames.iter().any(|frame| {
                pictures(unit, function).may_precede(one.directive.span.start, frame.at)
            })
        };
        if !may {
            continue;
        }
        certain &= !frames.is_empty();
        let same = |other: &&KnownItem| {
            other.item.name == one.item.name
                && other.at.directive.unit == unit
                && other.directive.function == Some(function)
        };
        certain &= !held.iter().any(|other| same(&other));
        held.push(*one);
    }
    certain &= !program
        .units
        .iter()
        .flat_map(|unit| &unit.directives)
        .any(|one| matches!(one.directive, Directive::Unregister { .. }));
    (held, certain)
}
