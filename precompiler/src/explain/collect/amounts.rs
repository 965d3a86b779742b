//! How many bytes a location is that no register says it of: a variable by its type, allocated memory by what the call
//! was asked for.

use super::extents::{Names, spelling};
use crate::analysis::memory::{CellId, Memory, Object, ObjectKind};
use crate::catalog::Catalogue;
use crate::dataflow::steps::{RoutineId, Steps, TextPlace, TypeRef};
use crate::explain::size::{Amount, Factor, Layout, Sizes, stored};
use crate::program::{Expression, ExpressionKind, Program, TypeId, TypeKind, Unit};
use crate::source::Span;

/// What amounts are computed from.
pub struct Amounts<'a, 's> {
    /// The program.
    pub program: &'a Program,
    /// Its steps.
    pub steps: &'a Steps,
    /// Its memory.
    pub memory: &'a Memory,
    /// What is a handle.
    pub catalogue: &'a Catalogue,
    /// The function of the checkpoint.
    pub here: &'a str,
    /// The user's sizes.
    pub sizes: &'s mut Sizes,
}

impl Amounts<'_, '_> {
    /// Some cells of one object.
    pub fn cells(&mut self, cells: &[CellId]) -> Amount {
        let Some(object) = cells
            .first()
            .and_then(|cell| self.memory.cells.get(cell.0 as usize))
            .and_then(|cell| self.memory.objects.get(cell.object.0 as usize))
        else {
            return Amount::default();
        };
        match &object.kind {
            ObjectKind::Heap { routine, call, .. } => self.heap(object, *routine, *call),
            ObjectKind::Variable(variable) => {
                let facts = self.steps.variable(*variable);
                let function = facts
                    .owner
                    .map_or("", |owner| self.steps.routine(owner).name.as_str());
                let ty = facts.ty;
                if cells.len() >= object.count as usize {
                    return self.whole(function, ty, Vec::new());
                }
                let parts: Vec<Amount> = cells
                    .iter()
                    .map(|cell| {
                        let path = &self.memory.cells[cell.0 as usize].path;
                        self.part(function, ty, path)
                    })
                    .collect();
                Amount::sum(parts.iter())
            }
            _ => Amount::default(),
        }
    }

    /// A type with all its dimensions.
    fn whole(&mut self, function: &str, ty: TypeRef, mut factors: Vec<Factor>) -> Amount {
        let program = self.program;
        let Some(unit) = program.units.get(ty.unit) else {
            return Amount::default();
        };
        let mut id = ty.id;
        while let TypeKind::Array { element, extent } = unit.kind(id) {
            let names = Names {
                layout: Layout::of(unit),
                function,
                here: self.here,
            };
            factors.push(names.dimension(*extent, self.sizes));
            id = *element;
        }
        if !unit.is_complete(id) {
            return Amount::default();
        }
        let layout = Layout::of(unit);
        Amount::of(
            &factors,
            &spelling(unit, id),
            layout.bytes(id),
            stored(&layout, self.catalogue, id, 0),
        )
    }

    /// What lies at a path such as `.at[].x` in a type.
    fn part(&mut self, function: &str, ty: TypeRef, path: &str) -> Amount {
        let program = self.program;
        let Some(unit) = program.units.get(ty.unit) else {
            return Amount::default();
        };
        let (mut id, mut rest, mut factors) = (ty.id, path, Vec::new());
        while !rest.is_empty() {
            if let Some(after) = rest.strip_prefix("[]") {
                let TypeKind::Array { element, extent } = unit.kind(id) else {
                    return Amount::default();
                };
                let names = Names {
                    layout: Layout::of(unit),
                    function,
                    here: self.here,
                };
                factors.push(names.dimension(*extent, self.sizes));
                (id, rest) = (*element, after);
                continue;
            }
            let Some(named) = rest.strip_prefix('.') else {
                return Amount::default();
            };
            let end = named.find(['.', '[']).unwrap_or(named.len());
            let Some(inner) = member(unit, id, &named[..end]) else {
                return Amount::default();
            };
            (id, rest) = (inner, &named[end..]);
        }
        self.whole(function, TypeRef { unit: ty.unit, id }, factors)
    }

    /// What a call allocates.
    fn heap(&mut self, object: &Object, routine: RoutineId, call: TextPlace) -> Amount {
        let program = self.program;
        let Some(unit) = program.units.get(call.unit) else {
            return Amount::default();
        };
        let routine = self.steps.routine(routine);
        let function = unit.function(routine.function.function);
        let Some((name, arguments)) = call_at(&function.body, call.span) else {
            return Amount::default();
        };
        // The functions of C whose sizes are arguments: their numbers in the list.
        let counted: &[usize] = match name {
            "malloc" | "alloca" | "__builtin_alloca" | "valloc" => &[0],
            "calloc" => &[0, 1],
            "realloc" | "aligned_alloc" | "memalign" => &[1],
            "reallocarray" => &[1, 2],
            _ => return Amount::default(),
        };
        let names = Names {
            layout: Layout::of(unit),
            function: &routine.name,
            here: self.here,
        };
        let mut factors = Vec::new();
        let mut texts = Vec::new();
        for one in counted.iter().filter_map(|&number| arguments.get(number)) {
            factors.extend(names.factors(one, self.sizes));
            let text = unit.file.one_line(one.span);
            texts.push(text.unwrap_or_else(|| "…".to_string()));
        }
        let mut amount = Amount::of(&factors, "char", Some(1), None);
        amount.expression = texts.join(" * ");
        let element = object.ty.and_then(|ty| {
            let unit = program.units.get(ty.unit)?;
            let layout = Layout::of(unit);
            let each = layout.bytes(ty.id)?;
            Some((each, stored(&layout, self.catalogue, ty.id, 0)?))
        });
        if let (Some(memory), Some((each, stored))) = (amount.memory, element)
            && each > 0
        {
            amount.stored = stored.in_file(memory / each);
            amount.exact = !stored.pointers;
        }
        amount
    }
}

/// The type of a member, those of anonymous structs included.
fn member(unit: &Unit, ty: TypeId, name: &str) -> Option<TypeId> {
    let TypeKind::Record(record) = unit.kind(ty) else {
        return None;
    };
    let members = unit.records.get(record.0)?.members.as_ref()?;
    members.iter().find_map(|one| match &one.name {
        Some(own) => (own == name).then_some(one.ty),
        None => member(unit, one.ty, name),
    })
}

/// The call that stands exactly at a place: what is called and with what.
fn call_at(body: &crate::program::Statement, span: Span) -> Option<(&str, &[Expression])> {
    let mut found = None;
    body.walk_expressions(&mut |expression| {
        if let ExpressionKind::Call { callee, arguments } = &expression.kind
            && let ExpressionKind::Name { name, .. } = &callee.kind
            && (expression.span == span || span.contains(expression.span))
            && found.is_none()
        {
            found = Some((name.as_str(), arguments.as_slice()));
        }
    });
    found
}
