//! Items of register directives: which ones a checkpoint holds, and how many bytes they are.
//!
//! An item is held when its directive may have run before, in a function that is still active or one that has
//! returned; locals of the latter have ended. Where only some of several directives for one name can have been the last
//! one, the largest is counted, and the sum is an upper bound.

use super::extents::{Names, spelling};
use super::places::directive;
use crate::analysis::Picture;
use crate::analysis::completeness::{DirectivePlace, ItemPlaceInProgram};
use crate::catalog::Catalogue;
use crate::dataflow::FunctionRef;
use crate::explain::report::Register;
use crate::explain::size::{Amount, Factor, Layout, Sizes, stored};
use crate::program::{
    Brings, Directive, DirectiveId, DirectiveUse, FunctionId, Item, ItemPlace, Program, Storage,
    TypeKind, Unit,
};

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

    /// How many bytes it is, in names as seen from the function `here`. `recursive`: its own function may be active
    /// several times.
    pub fn amount(
        &self,
        catalogue: &Catalogue,
        here: &str,
        recursive: bool,
        sizes: &mut Sizes,
    ) -> Amount {
        let layout = Layout::of(self.unit);
        let names = Names {
            layout,
            function: self.function(),
            here,
        };
        let mut factors = Vec::new();
        if recursive && self.is_local() {
            let text = format!("activations({})", self.function());
            factors.push(Factor {
                value: sizes.look(self.function(), &text),
                text,
                number: false,
            });
        }
        let mut ty = self.item.base_type;
        for extent in &self.item.extents {
            let dimension = match self.unit.kind(ty) {
                TypeKind::Array { extent, .. } => Some(*extent),
                _ => None,
            };
            ty = self.unit.pointee(ty).unwrap_or(ty);
            match (&extent.written, dimension) {
                (None, Some(dimension)) => {
                    factors.push(names.dimension(dimension, sizes));
                }
                _ => factors.extend(names.extent(extent, sizes)),
            }
        }
        let own = Amount::of(
            &factors,
            &spelling(self.unit, self.item.element),
            layout.bytes(self.item.element),
            stored(&layout, catalogue, self.item.element, 0),
        );
        // How much is allocated only the running program knows.
        let (text, element) = match self.item.brings {
            Brings::Itself | Brings::File => return own,
            Brings::Block => (
                format!("elements({}[])", self.item.name),
                self.unit.pointee(self.item.base_type),
            ),
            Brings::Everything => (format!("blocks(follow({}))", self.item.name), None),
        };
        let factor = Factor {
            value: sizes.look(self.function(), &text),
            text,
            number: false,
        };
        let brought = match element {
            Some(element) => Amount::of(
                &[factor],
                &spelling(self.unit, element),
                layout.bytes(element),
                stored(&layout, catalogue, element, 0),
            ),
            None => Amount::of(&[factor], "char", Some(1), None),
        };
        Amount::sum([own, brought].iter())
    }
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
