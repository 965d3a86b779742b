//! Whether an item has as many elements as the memory that it names.
//!
//! In: an item with numbers of elements. Out: whether its pointer always points to the beginning of an allocated block, which
//! the library can ask for its length in the run, and a [`Misfit`] when the numbers are known to differ.
//!
//! ```text
//! double *u = malloc(n * sizeof *u);     register(u[n / 2])  too short     register(u[2 * n])  too long
//! ```
//!
//! The numbers are compared as polynomials of cells that hold at the directive what they held at the allocation; what varies
//! is taken for positive, as numbers of elements are. Errors fall on the side of *not known*, and then the run finds out.

use super::cover::{Cover, is_heap};
use super::decide::Deciding;
use super::model::{Length, Misfit};
use crate::analysis::coverage::{Amount, Elements, Sign};
use crate::analysis::memory::{CellId, ObjectId, ObjectKind};
use crate::dataflow::steps::{RoutineId, TextPlace, TypeRef};
use crate::program::{
    Brings, ClauseExpression, Directive, Expression, ExpressionKind, Extent, Item, ItemPlace,
    TypeId, TypeKind, Unit,
};

/// How many elements something has, for people, and where that is seen.
struct Known {
    sign: Sign,
    elements: String,
    at: Option<TextPlace>,
}

impl Deciding<'_> {
    /// Compares an item with its memory.
    pub(super) fn length(&self, cover: &Cover, item: &Item) -> Length {
        if item.brings != Brings::Itself || item.extents.is_empty() {
            return Length::default();
        }
        let registered = self.registered(cover, item);
        if item.kind != ItemPlace::BehindPointer {
            return Length {
                misfit: registered.and_then(|one| self.array(cover, item, &one)),
                ..Length::default()
            };
        }
        let pointers = || cover.named.iter().map(|&cell| CellId(cell as u32));
        let objects = self.memory_of(pointers());
        let begins = self.begins(cover, &objects);
        let misfit = registered.and_then(|registered| {
            let pointer = pointers().next().filter(|_| cover.named.len() == 1)?;
            let known = match begins {
                true => self.allocated(cover, item, &objects, &registered)?,
                false => self.pointed_array(item, pointer, &registered)?,
            };
            self.misfit(cover, item, &objects, known)
        });
        Length {
            objects,
            begins,
            misfit,
        }
    }

    fn memory_of(&self, pointers: impl Iterator<Item = CellId>) -> Vec<ObjectId> {
        let mut objects: Vec<ObjectId> = pointers
            .flat_map(|one| self.points_to.pointees(one))
            .map(|target| self.memory().cells[target.0 as usize].object)
            .collect();
        objects.sort_unstable();
        objects.dedup();
        objects
    }

    fn is_allocated(&self, object: ObjectId) -> bool {
        let object = &self.memory().objects[object.0 as usize];
        is_heap(self.memory(), object.first.0 as usize)
    }

    /// Where the elements of an item end, counted from its pointer.
    fn registered(&self, cover: &Cover, item: &Item) -> Option<Elements> {
        let mut product = Elements::number(1);
        for (position, extent) in item.extents.iter().enumerate().rev() {
            let one = match (extent.value, &extent.written) {
                (Some(value), _) => Elements::number(value),
                (None, Some(written)) => self.elements(cover.routine, written)?,
                (None, None) => return None,
            };
            let one = match item.lower.as_ref().filter(|_| position == 0) {
                Some(lower) => one.plus(&self.elements(cover.routine, lower)?)?,
                None => one,
            };
            product = product.times(&one)?;
        }
        Some(product)
    }

    fn elements(&self, routine: RoutineId, clause: &ClauseExpression) -> Option<Elements> {
        let meant = clause.expression.as_deref().or(clause.meant.as_deref())?;
        self.extents()
            .elements(routine, meant, &|one| self.scalar_cell(routine, one))
    }

    /// The cell of a variable; what a directive reads has no place of its own in the text.
    fn scalar_cell(&self, routine: RoutineId, expression: &Expression) -> Option<CellId> {
        let ExpressionKind::Name {
            symbol: Some(symbol),
            ..
        } = &expression.kind
        else {
            return None;
        };
        let unit = self.steps.routine(routine).function.unit;
        let variable = self
            .steps
            .variable_at(unit, *symbol, expression.span.start)?;
        let object = self.points_to.variable(variable)?;
        let one = &self.memory().objects[object.0 as usize];
        (one.count == 1 && one.collapsed.is_none() && one.is_single).then_some(one.first)
    }

    /// An array that is named itself. That it is not all of it is found elsewhere.
    fn array(&self, cover: &Cover, item: &Item, registered: &Elements) -> Option<Misfit> {
        let unit = &self.program.units[cover.item.directive.unit];
        let declared = declared(unit, item.base_type)?;
        let sign = registered.compared(&Elements::number(declared))?;
        (sign == Sign::Positive).then(|| Misfit {
            longer: true,
            registered: written(item),
            memory: declared.to_string(),
            at: None,
        })
    }

    /// A pointer to the beginning of a variable that is an array.
    fn pointed_array(&self, item: &Item, pointer: CellId, registered: &Elements) -> Option<Known> {
        let element = TypeRef {
            id: item.element,
            ..self.memory().cells[pointer.0 as usize].ty?
        };
        let (object, declared) = self.extents().array(pointer, element)?;
        let at = match self.memory().objects[object.0 as usize].kind {
            ObjectKind::Variable(variable) => Some(self.steps.variable(variable).declared),
            _ => None,
        };
        Some(Known {
            sign: registered.compared(&declared)?,
            elements: declared.as_number()?.to_string(),
            at,
        })
    }

    /// Blocks that calls allocate, whose lengths are still the same numbers where the directive stands.
    fn allocated(
        &self,
        cover: &Cover,
        item: &Item,
        objects: &[ObjectId],
        registered: &Elements,
    ) -> Option<Known> {
        let unit = cover.item.directive.unit;
        let start = self.program.units[unit].directives[cover.item.directive.id.0]
            .span
            .start;
        let routine = cover.routine;
        let node = self.steps.routine(routine).flow.node_at(start)?.0;
        let element = TypeRef {
            unit,
            id: item.element,
        };
        let mut found: Option<Known> = None;
        for &object in objects {
            let amount = self.extents().amount(object, element, routine)?;
            let steady = |one: &Amount| self.extents().holds(one, routine, node);
            let amount = match steady(&amount) {
                true => amount,
                false => self.extents().normal(&amount).filter(steady)?,
            };
            let known = Known {
                sign: registered.compared(&self.extents().elements_of(&amount)?)?,
                elements: self.in_words(&amount, object)?,
                at: self.call_of(object),
            };
            match &found {
                Some(other) if other.sign != known.sign => return None,
                Some(_) => {}
                None => found = Some(known),
            }
        }
        found
    }

    fn call_of(&self, object: ObjectId) -> Option<TextPlace> {
        match &self.memory().objects[object.0 as usize].kind {
            ObjectKind::Heap { call, through, .. } => {
                Some(through.first().copied().unwrap_or(*call))
            }
            _ => None,
        }
    }

    /// A length as the program writes it: from variables, or else by the call that allocates.
    fn in_words(&self, amount: &Amount, object: ObjectId) -> Option<String> {
        let named = self.extents().text(amount, &mut |cell| {
            let object = self.memory().cells[cell.0 as usize].object;
            match self.memory().objects[object.0 as usize].kind {
                ObjectKind::Variable(id) => {
                    let variable = self.steps.variable(id);
                    (self.memory().objects[object.0 as usize].count == 1)
                        .then(|| variable.name.clone())
                }
                _ => None,
            }
        });
        named.or_else(|| {
            let call = self.call_of(object)?;
            let file = &self.program.units[call.unit].file;
            Some(file.preprocessed_text(call.span).to_string())
        })
    }

    fn misfit(
        &self,
        cover: &Cover,
        item: &Item,
        objects: &[ObjectId],
        known: Known,
    ) -> Option<Misfit> {
        let is_heap = objects.iter().all(|one| self.is_allocated(*one));
        let longer = match known.sign {
            Sign::Positive => true,
            // A variable has a name of its own, and is checked by that.
            Sign::Negative if is_heap && !self.is_shared(cover, objects) => false,
            _ => return None,
        };
        Some(Misfit {
            longer,
            registered: written(item),
            memory: known.elements,
            at: known.at,
        })
    }

    /// Whether another item may have what this one leaves out: one that is not as surely too short.
    fn is_shared(&self, cover: &Cover, objects: &[ObjectId]) -> bool {
        let here = |cell: &usize| objects.contains(&self.memory().cells[*cell].object);
        let mut others = self.covers.all.iter();
        others
            .any(|one| one.item != cover.item && one.behind.iter().any(here) && !self.is_short(one))
    }

    fn is_short(&self, cover: &Cover) -> bool {
        let unit = &self.program.units[cover.item.directive.unit];
        let Directive::Register { items } = &unit.directives[cover.item.directive.id.0].directive
        else {
            return false;
        };
        let item = items.get(cover.item.index);
        item.is_some_and(|item| {
            let objects = self.memory_of(cover.named.iter().map(|&cell| CellId(cell as u32)));
            let registered = self.registered(cover, item);
            let known = registered.and_then(|one| self.allocated(cover, item, &objects, &one));
            item.lower.is_none()
                && item.kind == ItemPlace::BehindPointer
                && self.begins(cover, &objects)
                && known.is_some_and(|known| known.sign == Sign::Negative)
        })
    }

    fn begins(&self, cover: &Cover, objects: &[ObjectId]) -> bool {
        let mut pointers = cover.named.iter().map(|&cell| CellId(cell as u32));
        !objects.is_empty()
            && objects.iter().all(|one| self.is_allocated(*one))
            && pointers.all(|one| self.extents().leads_to_beginnings(one))
    }
}

/// How many elements an array has, in all its dimensions.
pub fn declared(unit: &Unit, ty: TypeId) -> Option<u64> {
    let (mut ty, mut declared) = (ty, None);
    while let TypeKind::Array { element, extent } = unit.kind(ty) {
        let Extent::Constant(count) = extent else {
            return None;
        };
        declared = Some(declared.unwrap_or(1u64).checked_mul(*count)?);
        ty = *element;
    }
    declared
}

/// The elements as the user wrote them: `n/2`, `1:n`, `n * m`.
fn written(item: &Item) -> String {
    let is_one = |text: &str| {
        text.chars()
            .all(|one| one.is_alphanumeric() || "_.->".contains(one))
    };
    let several = item.extents.len() > 1;
    let extents = item.extents.iter().map(|extent| extent.text.trim());
    let extents: Vec<String> = extents
        .map(|text| match several && !is_one(text) {
            true => format!("({text})"),
            false => text.to_string(),
        })
        .collect();
    let all = extents.join(" * ");
    match &item.lower {
        Some(lower) => format!("{}:{all}", lower.text.trim()),
        None => all,
    }
}
