//! Types of what a library keeps for the program: communicators, files. They cannot be saved, only be made anew; streams of
//! the C library, files of MPI and locks come back when they are registered, requests come back as none.

use cccp_grammar::{GENERATOR_TYPE, HANDLE_TYPES, LOCK_TYPES, PLAN_TYPES, ZLIB_TYPE};

use super::leads::find_member;
use super::memory::{CellId, Memory};
use super::unknown::mentioned_functions;
use crate::catalog::{Catalogue, Role};
use crate::program::{Alias, Program, TypeId, TypeKind, Unit};

/// The catalogue's name for the type, when it is a handle itself: under this name or any other, as in
/// `typedef MPI_Comm comm_t`, `struct _IO_FILE`, `struct ompi_communicator_t *`.
pub fn named<'u>(catalogue: &Catalogue, unit: &'u Unit, ty: TypeId) -> Option<&'u str> {
    called(unit, ty, |name| catalogue.is_handle(name))
}

/// The first of the names that libraries have for a type, however the program calls it, that is looked for.
fn called(unit: &Unit, ty: TypeId, is: impl Fn(&str) -> bool) -> Option<&str> {
    let (record, what) = match unit.kind(ty) {
        TypeKind::Record(record) => (Some(record), Alias::Itself),
        TypeKind::Pointer(target) => match unit.kind(*target) {
            TypeKind::Record(record) => (Some(record), Alias::Pointer),
            _ => (None, Alias::Pointer),
        },
        _ => (None, Alias::Itself),
    };
    let aliases = record
        .into_iter()
        .flat_map(|one| &unit.records[one.0].aliases);
    let aliases = aliases
        .filter(|(alias, _)| *alias == what)
        .map(|(_, name)| name);
    let mut names = unit.ty(ty).library_names.iter().chain(aliases);
    names.find(|name| is(name)).map(String::as_str)
}

/// The name of the handle type when the type is one, or a pointer to one. What is behind a pointer to a struct that a library
/// keeps to itself is the library's, known or not.
pub fn handle(catalogue: &Catalogue, unit: &Unit, ty: TypeId) -> Option<String> {
    if let Some(name) = named(catalogue, unit, ty) {
        return Some(name.to_string());
    }
    match unit.kind(ty) {
        // Memory with streams or requests in it is the program's.
        TypeKind::Pointer(target)
            if is_stream(unit, *target) || named(catalogue, unit, *target) == Some(REQUEST) =>
        {
            None
        }
        TypeKind::Pointer(target) => {
            handle(catalogue, unit, *target).map(|name| format!("{name} *"))
        }
        TypeKind::Array { element, .. } => handle(catalogue, unit, *element),
        TypeKind::Record(record) => {
            let record = &unit.records[record.0];
            let tag = record.tag.as_deref().filter(|_| record.is_opaque)?;
            Some(format!("struct {tag}"))
        }
        _ => None,
    }
}

/// The catalogue's name for a handle that is an array itself, as `jmp_buf` is: that of the type or of its elements.
pub fn array_handle<'u>(catalogue: &Catalogue, unit: &'u Unit, ty: TypeId) -> Option<&'u str> {
    match *unit.kind(ty) {
        TypeKind::Array { element, .. } => {
            named(catalogue, unit, ty).or_else(|| array_handle(catalogue, unit, element))
        }
        _ => None,
    }
}

/// Whether a cell is a part of something whose type `is` knows: of a variable or block, or of a member of one.
pub fn lies_in(
    program: &Program,
    memory: &Memory,
    cell: CellId,
    is: &dyn Fn(&Unit, TypeId) -> bool,
) -> bool {
    way_to(program, memory, cell, is).is_some()
}

/// The way to a cell, or, where it is a part of a lock, which a library keeps to itself, to the lock: nobody writes members of that.
pub fn way_as_written<'a>(program: &Program, memory: &'a Memory, cell: CellId) -> &'a str {
    let path = memory.cells[cell.0 as usize].path.as_str();
    let is = |unit: &Unit, ty: TypeId| {
        let mut inner = ty;
        while let TypeKind::Array { element, .. } = *unit.kind(inner) {
            inner = element;
        }
        is_lock_of_openmp(unit, inner)
    };
    way_to(program, memory, cell, &is).map_or(path, |length| &path[..length])
}

/// How much of the way to a cell leads to the outermost thing around it whose type `is` knows.
fn way_to(
    program: &Program,
    memory: &Memory,
    cell: CellId,
    is: &dyn Fn(&Unit, TypeId) -> bool,
) -> Option<usize> {
    let one = &memory.cells[cell.0 as usize];
    let ty = memory.objects[one.object.0 as usize].ty?;
    let unit = &program.units[ty.unit];
    let (mut here, mut length) = (ty.id, 0);
    let mut names = { one.path.split(['.', '[', ']']) }.filter(|name| !name.is_empty());
    loop {
        if is(unit, here) {
            return Some(length);
        }
        let mut inner = here;
        while let TypeKind::Array { element, .. } = *unit.kind(inner) {
            inner = element;
        }
        let name = names.next()?;
        here = find_member(unit, inner, name)?;
        length = name.as_ptr().addr() - one.path.as_ptr().addr() + name.len();
    }
}

/// What `setjmp` fills, however the program calls it: it means something for as long as the function that has called `setjmp` has
/// not returned (C17 7.13.2.1).
pub fn is_jump_buffer(unit: &Unit, ty: TypeId) -> bool {
    called(unit, ty, |name| ["jmp_buf", "sigjmp_buf"].contains(&name)).is_some()
}

/// Whether what a handle of the type leads to is the library's. A pointer to `MPI_Comm` leads to a variable or memory of the
/// program, in which there are handles; one to `DIR` is the handle.
pub fn leads_to_library(catalogue: &Catalogue, unit: &Unit, ty: TypeId) -> bool {
    let is_named = |ty: TypeId| named(catalogue, unit, ty).is_some();
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

/// A file of MPI.
pub const MPI_FILE: &str = "MPI_File";

/// Whether the type is `MPI_File`, however the program calls it.
pub fn is_mpi_file(unit: &Unit, ty: TypeId) -> bool {
    called(unit, ty, |name| name == MPI_FILE).is_some()
}

/// Whether a restart makes values of a type again where they were: locks, which nobody holds at a checkpoint, plans of FFTW, generators
/// of GSL, files of zlib, and handles of MPI in programs whose calls are noted. `name` is that of the catalogue.
pub fn is_remade_name(name: &str, notes_handles: bool) -> bool {
    LOCK_TYPES.contains(&name)
        || is_made_last_name(name)
        || notes_handles && HANDLE_TYPES.contains(&name)
}

/// Whether handles of MPI are addresses, as in Open MPI, and not numbers, as in MPICH.
pub fn are_addresses(program: &Program) -> bool {
    let mut types = (program.units.iter()).flat_map(|unit| unit.types.iter());
    types.all(|one| {
        let mut names = one.library_names.iter();
        matches!(one.kind, TypeKind::Pointer(_))
            || !names.any(|name| HANDLE_TYPES.contains(&name.as_str()))
    })
}

/// Whether the name of a handle is that of what the library makes again when everything else is in its place: a plan of FFTW, a generator
/// of GSL, a file of zlib.
pub fn is_made_last_name(name: &str) -> bool {
    let generator = name.strip_suffix(" *");
    PLAN_TYPES.contains(&name) || name == ZLIB_TYPE || generator == Some(GENERATOR_TYPE)
}

/// The same for a type, however the program calls it.
pub fn is_made_last(unit: &Unit, ty: TypeId) -> bool {
    let is_generator = |ty| called(unit, ty, |name| name == GENERATOR_TYPE).is_some();
    let is_pointer = |name: &str| PLAN_TYPES.contains(&name) || name == ZLIB_TYPE;
    called(unit, ty, is_pointer).is_some()
        || matches!(*unit.kind(ty), TypeKind::Pointer(target) if is_generator(target))
}

/// Whether what has the type is or holds something of a library's type with this name, however the program calls it.
pub fn holds_named(unit: &Unit, ty: TypeId, wanted: &str) -> bool {
    if called(unit, ty, |name| name == wanted).is_some() {
        return true;
    }
    match unit.kind(ty) {
        TypeKind::Array { element, .. } => holds_named(unit, *element, wanted),
        TypeKind::Record(record) => {
            let mut members = unit.records[record.0].members.iter().flatten();
            members.any(|member| holds_named(unit, member.ty, wanted))
        }
        _ => false,
    }
}

/// Whether the type is a lock of OpenMP, however the program calls it.
pub fn is_lock_of_openmp(unit: &Unit, ty: TypeId) -> bool {
    called(unit, ty, |name| {
        matches!(name, "omp_lock_t" | "omp_nest_lock_t")
    })
    .is_some()
}

/// Whether a restart makes values of the type again, however the program calls it.
pub fn is_remade(unit: &Unit, ty: TypeId) -> bool {
    called(unit, ty, |name| is_remade_name(name, unit.notes_handles)).is_some()
        || is_made_last(unit, ty)
}

/// Whether the type is one that comes back when it is registered: `FILE *`, `MPI_File`, or what a restart makes again, however the
/// program calls it.
pub fn is_stream(unit: &Unit, ty: TypeId) -> bool {
    is_mpi_file(unit, ty) || is_remade(unit, ty) || is_stream_of_c(unit, ty)
}

/// Whether the type is `FILE *`, however the program calls it.
pub fn is_stream_of_c(unit: &Unit, ty: TypeId) -> bool {
    let is_file = |target| called(unit, target, |name| name == "FILE").is_some();
    matches!(*unit.kind(ty), TypeKind::Pointer(target) if is_file(target))
}

/// Whether a value of the type holds such a stream.
pub fn holds_stream(unit: &Unit, ty: TypeId) -> bool {
    fn holds(unit: &Unit, ty: TypeId, depth: usize) -> bool {
        match unit.kind(ty) {
            _ if depth > 64 => false,
            _ if is_stream(unit, ty) => true,
            TypeKind::Array { element, .. } => holds(unit, *element, depth + 1),
            TypeKind::Record(record) => {
                let members = unit.records[record.0].members.iter().flatten();
                members
                    .map(|member| member.ty)
                    .any(|ty| holds(unit, ty, depth + 1))
            }
            _ => false,
        }
    }
    holds(unit, ty, 0)
}
