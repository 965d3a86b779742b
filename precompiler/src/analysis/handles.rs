//! Types of what a library keeps for the program: communicators, files. They cannot be saved, only be made anew.

use crate::catalog::Catalogue;
use crate::program::{TypeId, TypeKind, Unit};

/// The name of the handle type when the type is one, or a pointer to one.
pub fn handle(catalogue: &Catalogue, unit: &Unit, ty: TypeId) -> Option<String> {
    let facts = unit.ty(ty);
    if let Some(name) = &facts.typedef_name
        && catalogue.is_handle(name)
    {
        return Some(name.clone());
    }
    match &facts.kind {
        TypeKind::Pointer(target) => {
            handle(catalogue, unit, *target).map(|name| format!("{name} *"))
        }
        TypeKind::Array { element, .. } => handle(catalogue, unit, *element),
        TypeKind::Record(record) => {
            let tag = unit.records[record.0].tag.as_deref()?;
            matches!(tag, "_IO_FILE" | "__dirstream").then(|| format!("struct {tag}"))
        }
        _ => None,
    }
}
