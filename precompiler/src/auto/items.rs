//! What a register item has to say so that a live location comes back.
//!
//! In: a location that the check finds missing, with its cure. Out: the text of an item, and the variable that it
//! begins with. Memory is named by the pointer that leads to it: `u[]` is the block behind `u`, `follow(list)` all that
//! can be reached from `list`. A struct is saved as a whole unless something in it cannot be saved.

use super::facts::Facts;
use crate::analysis::completeness::{Cure, LiveLocation, Missing};
use crate::analysis::handles::handle;
use crate::analysis::memory::{CellId, ObjectKind};
use crate::dataflow::steps::VariableId;
use crate::program::{Storage, TypeId, TypeKind, Unit};

/// An item to be registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// As it is written.
    pub text: String,
    /// The variable it begins with, when the location is a variable; otherwise only its name is known.
    pub root: Root,
}

/// What an item begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    /// A variable.
    Variable(VariableId),
    /// A name that leads to memory.
    Name(String),
}

/// The item for a location; none when no register helps.
pub fn wanted(facts: &Facts, location: &LiveLocation, missing: &Missing) -> Option<Wanted> {
    let first = *location.cells.first()?;
    let is_crowd = matches!(missing.cure, Cure::RegisterEach { .. });
    let item = match &missing.cure {
        Cure::Register { item, .. } => item.as_str(),
        Cure::RegisterEach { .. } => location.name.as_str(),
        Cure::Execute { .. } | Cure::Nothing => return None,
    };
    let base: String = item
        .chars()
        .take_while(|one| one.is_alphanumeric() || *one == '_')
        .collect();
    match &facts.points_to.memory.objects[object(facts, first)].kind {
        ObjectKind::Variable(variable) => {
            let whole = facts.steps.variable(*variable);
            let unit = &facts.program.units[whole.ty.unit];
            let text = if item.contains('…') {
                memory(item, is_crowd, &base)
            } else if is_savable(facts, unit, whole.ty.id) {
                whole.name.clone()
            } else {
                item.to_string()
            };
            Some(Wanted {
                text,
                root: Root::Variable(*variable),
            })
        }
        ObjectKind::Heap { .. } => Some(Wanted {
            text: memory(item, is_crowd, &base),
            root: Root::Name(base),
        }),
        _ => None,
    }
}

fn object(facts: &Facts, cell: CellId) -> usize {
    facts.points_to.memory.cells[cell.0 as usize].object.0 as usize
}

/// `u[…]` is a block, `s->u` lies in one, and `row[…][…]` in one of many.
fn memory(item: &str, is_crowd: bool, base: &str) -> String {
    let elements = item.matches('…').count();
    if is_crowd || elements > 1 {
        return format!("follow({base})");
    }
    if let Some(pointer) = item.strip_suffix("[…]") {
        return format!("{pointer}[]");
    }
    match item.rsplit_once("->") {
        Some((pointer, _)) if elements == 0 => format!("{pointer}[]"),
        _ => format!("follow({base})"),
    }
}

/// Whether all of an object can be saved.
fn is_savable(facts: &Facts, unit: &Unit, ty: TypeId) -> bool {
    if handle(facts.catalogue, unit, ty).is_some() {
        return false;
    }
    match unit.kind(ty) {
        TypeKind::Record(record) => {
            let members = unit.records[record.0].members.iter().flatten();
            members
                .map(|member| member.ty)
                .all(|ty| is_savable(facts, unit, ty))
        }
        TypeKind::Array { element, .. } => is_savable(facts, unit, *element),
        _ => true,
    }
}

/// Whether a variable lives as long as the program.
pub fn is_static(storage: Storage) -> bool {
    matches!(storage, Storage::Static | Storage::External)
}

#[cfg(test)]
mod tests {
    use super::memory;

    #[test]
    fn memory_is_named_by_the_pointer_that_leads_to_it() {
        assert_eq!(memory("u[…]", false, "u"), "u[]");
        assert_eq!(memory("mesh.u[…]", false, "mesh"), "mesh.u[]");
        assert_eq!(memory("s->count", false, "s"), "s[]");
        assert_eq!(memory("s->mesh->u[…]", false, "s"), "s->mesh->u[]");
        assert_eq!(memory("row[…][…]", false, "row"), "follow(row)");
        assert_eq!(memory("head->next", true, "head"), "follow(head)");
    }
}
