//! MPI's own handles by name: constants of C, which `predefined.c` knows.

use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_int};
use std::sync::OnceLock;

use mpi::ffi::{MPI_Comm, MPI_Datatype, MPI_Group, MPI_Op, MPI_Request};

use super::known::{Class, handle, number};

unsafe extern "C" {
    fn predefined_comm_of_mpi(at: c_int, handle: *mut MPI_Comm) -> *const c_char;
    fn predefined_group_of_mpi(at: c_int, handle: *mut MPI_Group) -> *const c_char;
    fn predefined_op_of_mpi(at: c_int, handle: *mut MPI_Op) -> *const c_char;
    fn predefined_request_of_mpi(at: c_int, handle: *mut MPI_Request) -> *const c_char;
    fn predefined_type_of_mpi(at: c_int, handle: *mut MPI_Datatype) -> *const c_char;
}

/// All of one kind.
macro_rules! row {
    ($function:ident, $class:expr, $out:expr) => {
        for at in 0.. {
            let mut handle = std::mem::MaybeUninit::uninit();
            // SAFETY: a handle is stored where a name is given, which is a constant.
            let found = unsafe {
                let name = $function(at, handle.as_mut_ptr());
                (!name.is_null()).then(|| (CStr::from_ptr(name), number(handle.assume_init())))
            };
            let Some((name, handle)) = found else { break };
            $out.push(($class, name.to_str().unwrap_or_default(), handle));
        }
    };
}

fn all() -> &'static [(Class, &'static str, usize)] {
    static ALL: OnceLock<Vec<(Class, &'static str, usize)>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = Vec::new();
        row!(predefined_comm_of_mpi, Class::Communicator, all);
        row!(predefined_group_of_mpi, Class::Group, all);
        row!(predefined_op_of_mpi, Class::Operation, all);
        row!(predefined_request_of_mpi, Class::Request, all);
        row!(predefined_type_of_mpi, Class::Datatype, all);
        all
    })
}

/// The name of a handle of MPI's own.
pub fn name(class: Class, handle: usize) -> Option<&'static str> {
    static NAMES: OnceLock<HashMap<(Class, usize), &'static str>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        // Of two names of one handle the first one counts.
        let rows = all().iter().rev();
        rows.map(|(class, name, handle)| ((*class, *handle), *name))
            .collect()
    });
    names.get(&(class, handle)).copied()
}

/// The handle of MPI's own with a name.
pub fn named(class: Class, name: &str) -> Option<usize> {
    let mut rows = all().iter();
    let found = rows.find(|(of, known, _)| *of == class && *known == name);
    found.map(|(_, _, handle)| *handle)
}

/// The datatype of MPI's own with a name.
pub fn predefined_type(name: &str) -> Option<MPI_Datatype> {
    named(Class::Datatype, name).map(handle)
}
