//! What a register item has to say so that a live location comes back.
//!
//! In: a location that the check finds missing, with its cure. Out: the text of an item, and the variable that it
//! begins with. Memory is named by the pointer that points to it: `u[]` is the block behind `u`, `follow(list)` all that
//! can be reached from `list`. A struct is saved as a whole unless something in it cannot be saved.

use std::collections::BTreeSet;

use super::blocks::MADE_AGAIN;
use crate::analysis::Analysed;
use crate::analysis::completeness::{Cure, LiveLocation, Missing, Site};
use crate::analysis::handles::{REQUEST, handle, holds_stream, is_remade, is_stream, named};
use crate::analysis::leads::find_member;
use crate::analysis::memory::{CellId, ObjectId, ObjectKind};
use crate::dataflow::steps::VariableId;
use crate::program::{TypeId, TypeKind, Unit};

/// An item to be registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// As it is written.
    pub text: String,
    /// The name with which it begins.
    pub base: String,
    /// The variable of that name: others may be called the same.
    pub root: Option<VariableId>,
    /// The same, when the location lies in it.
    pub variable: Option<VariableId>,
    /// Where its directive can stand.
    pub site: Option<Site>,
}

/// The item for a location; none when no register helps. `freed` is memory that may end before the last checkpoint.
pub fn wanted(
    facts: &Analysed,
    freed: &BTreeSet<CellId>,
    location: &LiveLocation,
    missing: &Missing,
) -> Option<Wanted> {
    let cure = match &missing.cure {
        // Where nothing makes a handle again, the run looks whether it has made one.
        Cure::Execute {
            otherwise: Some(register),
            ..
        } => register,
        cure => cure,
    };
    let (item, site, exact, seen) = match cure {
        Cure::Register {
            item,
            site,
            exact,
            seen,
            ..
        } => (item, *site, exact.as_ref(), *seen),
        // Not where each of them is allocated: the trace of a run would grow with their number.
        Cure::RegisterEach { seen, .. } => (&location.name, None, None, *seen),
        Cure::Execute { .. }
        | Cure::Ahead { .. }
        | Cure::Compute { .. }
        | Cure::Nothing
        | Cure::Moving { .. }
        | Cure::OtherThreads
        | Cure::Numbers { .. } => {
            return None;
        }
    };
    let is_crowd = matches!(cure, Cure::RegisterEach { .. });
    let first = *location.cells.first()?;
    let file = item
        .strip_prefix("file(")
        .and_then(|rest| rest.strip_suffix(')'));
    let base = base(file.unwrap_or(item));
    let variable = match facts.points_to.memory.objects[object(facts, first)].kind {
        ObjectKind::Variable(variable) => Some(variable),
        ObjectKind::Heap { .. } => None,
        _ => return None,
    };
    // A member of allocated memory may be null at some checkpoints; a block that is not there is no error.
    let is_plain = |text: &&String| text.contains('[') && !text.contains("->");
    let fixed = exact
        .filter(is_plain)
        .filter(|text| is_c(facts, text, location.root))
        .filter(|_| !ends(facts, freed, location))
        .filter(|_| !leads_to_variables(facts, location))
        .filter(|_| site.is_some_and(|site| !site.after) || blocks(facts, location).len() < 2);
    let (text, site) = match (fixed, variable) {
        (Some(exact), _) => (exact.clone(), site),
        _ if file.is_some() => (item.clone(), site),
        (_, Some(variable)) if !item.contains('…') => {
            let whole = facts.steps.variable(variable);
            let unit = &facts.program.units[whole.ty.unit];
            let origins = &facts.completeness.origins;
            let is_plain = !origins.are_in(facts.points_to, ObjectId(object(facts, first) as u32));
            match is_plain && is_savable(facts, unit, whole.ty.id) {
                true => (whole.name.clone(), site),
                // `jmp_buf` and the like.
                false
                    if matches!(unit.kind(whole.ty.id), TypeKind::Array { .. })
                        && !holds_stream(unit, whole.ty.id)
                        && handle(facts.catalogue, unit, whole.ty.id).is_some() =>
                {
                    return None;
                }
                false => (item.clone(), site),
            }
        }
        // A fixed heap is saved as it is: what is not in it no item brings.
        (_, None) if facts.program.has_fixed_heap() => return None,
        _ => {
            let is_crowd = is_crowd
                || is_array(facts, location)
                || is_member_array(facts, item)
                || is_link(facts, item);
            let text = memory(item, is_crowd, &base);
            // What pointers of other types lead to has no name: it is reached from the variable.
            match is_c(facts, &text, location.root) {
                true => (text, seen),
                false => (format!("follow({base})"), seen),
            }
        }
    };
    Some(Wanted {
        text,
        base,
        root: location.root,
        variable,
        site,
    })
}

/// Whether memory of the location, or behind the pointers in it, may end before the last checkpoint.
fn ends(facts: &Analysed, freed: &BTreeSet<CellId>, location: &LiveLocation) -> bool {
    location.cells.iter().any(|cell| {
        let mut behind = facts.points_to.pointees(*cell);
        freed.contains(cell) || behind.any(|cell| freed.contains(&cell))
    })
}

/// The allocated memory of a location, and behind the pointers in it. Behind one of several allocations there is no place
/// that is on every way.
fn blocks(facts: &Analysed, location: &LiveLocation) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for cell in &location.cells {
        let behind = facts.points_to.pointees(*cell);
        found.extend(behind.chain([*cell]).map(|one| object(facts, one)));
    }
    let objects = &facts.points_to.memory.objects;
    found.retain(|one| matches!(objects[*one].kind, ObjectKind::Heap { .. }));
    found
}

/// Whether the location is an array of pointers: it has its extents, and no block of its own.
fn is_array(facts: &Analysed, location: &LiveLocation) -> bool {
    let memory = &facts.points_to.memory;
    location.cells.iter().any(|cell| {
        let object = &memory.objects[object(facts, *cell)];
        matches!(object.kind, ObjectKind::Variable(_)) && memory.cells[cell.0 as usize].is_many
    })
}

/// Whether the last member that an item names is an array in some struct.
fn is_member_array(facts: &Analysed, item: &str) -> bool {
    let path = item.trim_end_matches("[…]");
    let Some((_, name)) = path.rsplit_once(['>', '.']) else {
        return false;
    };
    facts.program.units.iter().any(|unit| {
        let members = unit.records.iter().flat_map(|record| &record.members);
        members.flatten().any(|member| {
            member.name.as_deref() == Some(name)
                && matches!(unit.kind(member.ty), TypeKind::Array { .. })
        })
    })
}

/// Whether the pointer on which an item ends leads from one element of a chain to the next: where it is registered, the
/// chain may not be that long yet, and later another element may have its place.
fn is_link(facts: &Analysed, item: &str) -> bool {
    let path = item.strip_suffix("[…]").unwrap_or(item);
    let path = match path.rsplit_once("->") {
        Some((pointer, _)) if !item.ends_with(']') => pointer,
        _ => path,
    };
    let Some((_, name)) = path.rsplit_once("->") else {
        return false;
    };
    facts.program.units.iter().any(|unit| {
        unit.records.iter().enumerate().any(|(index, record)| {
            record.members.iter().flatten().any(|member| {
                member.name.as_deref() == Some(name)
                    && matches!(*unit.kind(member.ty), TypeKind::Pointer(to)
                        if matches!(*unit.kind(to), TypeKind::Record(other) if other.0 == index))
            })
        })
    })
}

/// Whether an item can be written so: its members are those of the types of its pointers.
fn is_c(facts: &Analysed, item: &str, root: Option<VariableId>) -> bool {
    root.is_some_and(|root| {
        let one = facts.steps.variable(root);
        let unit = &facts.program.units[one.ty.unit];
        let path = item.strip_prefix(&one.name);
        path.is_none_or(|path| leads(unit, one.ty.id, path))
    })
}

/// Whether a path of members and elements leads somewhere from an object of a type.
fn leads(unit: &Unit, ty: TypeId, path: &str) -> bool {
    let behind = |ty: TypeId| unit.pointee(ty).filter(|to| unit.is_complete(*to));
    if path.is_empty() {
        return true;
    }
    if let Some(rest) = path.strip_prefix('[') {
        let rest = rest.split_once(']').map_or("", |(_, rest)| rest);
        return behind(ty).is_some_and(|to| leads(unit, to, rest));
    }
    let (record, rest) = match (path.strip_prefix("->"), path.strip_prefix('.')) {
        (Some(rest), _) => (behind(ty), rest),
        (None, Some(rest)) => (Some(ty), rest),
        (None, None) => return true,
    };
    let end = rest.find(|one: char| !(one.is_alphanumeric() || one == '_'));
    let (name, rest) = rest.split_at(end.unwrap_or(rest.len()));
    record.is_some_and(|record| {
        find_member(unit, record, name).is_some_and(|member| leads(unit, member, rest))
    })
}

/// Whether the pointer of the location may also lead to a variable. A restart would take what it leads to before the register
/// for the memory of the register, and that may be the variable: for a block of its own there are no numbers of elements.
fn leads_to_variables(facts: &Analysed, location: &LiveLocation) -> bool {
    let memory = &facts.points_to.memory;
    let root = location
        .root
        .and_then(|root| facts.points_to.variable(root));
    let own = root.into_iter();
    let mut own = own.flat_map(|object| facts.points_to.cells(object));
    own.any(|cell| {
        let targets: Vec<usize> = facts
            .points_to
            .pointees(cell)
            .map(|target| object(facts, target))
            .collect();
        let mut here = location.cells.iter();
        let is_meant = here.any(|one| *one == cell || targets.contains(&object(facts, *one)));
        is_meant
            && targets
                .iter()
                .any(|one| matches!(memory.objects[*one].kind, ObjectKind::Variable(_)))
    })
}

/// The name with which an item begins.
pub(super) fn base(item: &str) -> String {
    let item = item.strip_prefix("follow(").unwrap_or(item);
    item.chars()
        .take_while(|one| one.is_alphanumeric() || *one == '_')
        .collect()
}

fn object(facts: &Analysed, cell: CellId) -> usize {
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
pub(super) fn is_savable(facts: &Analysed, unit: &Unit, ty: TypeId) -> bool {
    if let Some(name) = handle(facts.catalogue, unit, ty) {
        let mut element = ty;
        while let TypeKind::Array { element: one, .. } = *unit.kind(element) {
            element = one;
        }
        let is_over = name == REQUEST && !facts.effects.may_make_persistent;
        return is_over || is_remade(unit, element);
    }
    match unit.kind(ty) {
        TypeKind::Record(record) => {
            let members = unit.records[record.0].members.iter().flatten();
            members
                .into_iter()
                .all(|member| is_savable(facts, unit, member.ty))
        }
        TypeKind::Array { element, .. } => is_savable(facts, unit, *element),
        _ => true,
    }
}

/// Whether something is a handle of a library that knows of no arrays of the program.
fn knows_no_memory(facts: &Analysed, unit: &Unit, ty: TypeId) -> bool {
    let is_made_again = |name: &str| MADE_AGAIN.contains(&name);
    is_stream(unit, ty) || named(facts.catalogue, unit, ty).is_some_and(is_made_again)
}

/// Whether an object can be registered with the handles that lie in it: they are left out, and come back in their own way or are
/// missing by themselves. Not those of libraries that may know where arrays of the program lie, as plans do.
pub(super) fn is_savable_around_handles(facts: &Analysed, unit: &Unit, ty: TypeId) -> bool {
    is_savable(facts, unit, ty)
        || match unit.kind(ty) {
            TypeKind::Record(record) => {
                let mut members = unit.records[record.0].members.iter().flatten();
                members.all(|one| {
                    knows_no_memory(facts, unit, one.ty)
                        || is_savable_around_handles(facts, unit, one.ty)
                })
            }
            TypeKind::Array { element, .. } => is_savable_around_handles(facts, unit, *element),
            // A register of its own continues it.
            _ => is_stream(unit, ty),
        }
}

/// The first part of an object because of which it is not [`savable`](is_savable_around_handles): how it is reached from the object, and
/// its type.
pub(super) fn not_savable(facts: &Analysed, unit: &Unit, ty: TypeId) -> Option<(String, String)> {
    if is_savable_around_handles(facts, unit, ty) {
        return None;
    }
    let inner = match unit.kind(ty) {
        TypeKind::Record(record) if handle(facts.catalogue, unit, ty).is_none() => {
            let mut members = unit.records[record.0].members.iter().flatten();
            members.find_map(|one| {
                if knows_no_memory(facts, unit, one.ty) {
                    return None;
                }
                let (path, ty) = not_savable(facts, unit, one.ty)?;
                let name = one
                    .name
                    .as_deref()
                    .map_or_else(String::new, |name| format!(".{name}"));
                Some((name + &path, ty))
            })
        }
        TypeKind::Array { element, .. } => {
            not_savable(facts, unit, *element).map(|(path, ty)| (format!("[…]{path}"), ty))
        }
        _ => None,
    };
    let kind = || {
        let name = handle(facts.catalogue, unit, ty);
        name.unwrap_or_else(|| unit.spell(ty, "").unwrap_or_default())
    };
    Some(inner.unwrap_or_else(|| (String::new(), kind())))
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
