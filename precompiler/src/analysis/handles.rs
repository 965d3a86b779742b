//! Types of what a library keeps for the program: communicators, files. They cannot be saved, only be made anew; streams of
//! the C library and files of MPI come back when they are registered, requests come back as none.

use super::unknown::mentioned_functions;
use crate::catalog::{Catalogue, Role};
use crate::program::{Program, TypeId, TypeKind, Unit};

/// The name of the handle type when the type is one, or a pointer to one.
pub fn handle(catalogue: &Catalogue, unit: &Unit, ty: TypeId) -> Option<String> {
    let facts = unit.ty(ty);
    if let Some(name) = &facts.typedef_name
        && catalogue.is_handle(name)
    {
        return Some(name.clone());
    }
    match &facts.kind {
        // Memory with streams or requests in it is the program's.
        TypeKind::Pointer(target) if is_stream(unit, *target) || is_request(unit, *target) => None,
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

/// Whether what a handle of the type leads to is the library's. A pointer to `MPI_Comm` leads to a variable or memory of the
/// program, in which there are handles; one to `DIR` is the handle.
pub fn leads_to_library(catalogue: &Catalogue, unit: &Unit, ty: TypeId) -> bool {
    let is_named = |ty: TypeId| {
        let name = &unit.ty(ty).typedef_name;
        name.as_ref().is_some_and(|name| catalogue.is_handle(name))
    };
    let is_library = match unit.kind(ty) {
        _ if is_named(ty) => true,
        TypeKind::Pointer(target) if is_named(*target) => !matches!(
            unit.kind(*target),
            TypeKind::Pointer(_) | TypeKind::Integer(_)
        ),
        TypeKind::Pointer(target) => matches!(unit.kind(*target), TypeKind::Record(_)),
        _ => true,
    };
    is_library && handle(catalogue, unit, ty).is_some()
}

/// The handle of a request. At a checkpoint none is in flight, so those that no block makes again are `MPI_REQUEST_NULL` after
/// a restart: nothing is saved of them.
pub const REQUEST: &str = "MPI_Request";

/// Whether a program may make persistent requests, which are there at every checkpoint: nobody may know.
pub fn makes_persistent_requests(program: &Program, catalogue: &Catalogue) -> bool {
    let makes = |name: &str| {
        let known = catalogue.find(name);
        known.is_none_or(|function| function.is(Role::Persistent))
    };
    !mentioned_functions(program, &makes).is_empty()
}

fn is_request(unit: &Unit, ty: TypeId) -> bool {
    unit.ty(ty).typedef_name.as_deref() == Some(REQUEST)
}

/// A file of MPI.
pub const MPI_FILE: &str = "MPI_File";

/// Whether the type is `MPI_File`, however the program calls it.
pub fn is_mpi_file(unit: &Unit, ty: TypeId) -> bool {
    if unit.ty(ty).typedef_name.as_deref() == Some(MPI_FILE) {
        return true;
    }
    // What OpenMPI, MPICH and the common interface of all call it.
    let known = ["ompi_file_t", "ADIOI_FileD", "MPI_ABI_File"];
    match unit.kind(ty) {
        TypeKind::Pointer(target) => match unit.kind(*target) {
            TypeKind::Record(record) => {
                let tag = unit.records[record.0].tag.as_deref();
                tag.is_some_and(|tag| known.contains(&tag))
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether the type is a stream that comes back when it is registered: `FILE *` or `MPI_File`, however the program calls it.
pub fn is_stream(unit: &Unit, ty: TypeId) -> bool {
    if is_mpi_file(unit, ty) {
        return true;
    }
    let TypeKind::Pointer(target) = unit.kind(ty) else {
        return false;
    };
    let facts = unit.ty(*target);
    if facts.typedef_name.as_deref() == Some("FILE") {
        return true;
    }
    match &facts.kind {
        TypeKind::Record(record) => unit.records[record.0].tag.as_deref() == Some("_IO_FILE"),
        _ => false,
    }
}

/// Whether a value of the type holds such a stream.
pub fn holds_stream(unit: &Unit, ty: TypeId) -> bool {
    fn holds(unit: &Unit, ty: TypeId, depth: usize) -> bool {
        match unit.kind(ty) {
            _ if depth > 64 => false,
            TypeKind::Array { element, .. } => holds(unit, *element, depth + 1),
            TypeKind::Record(record) => {
                let members = unit.records[record.0].members.iter().flatten();
                members
                    .map(|member| member.ty)
                    .any(|ty| holds(unit, ty, depth + 1))
            }
            _ => is_stream(unit, ty),
        }
    }
    holds(unit, ty, 0)
}
