//! The functions that a program calls instead of MPI's: they do the same, and note what was made. Those that make
//! communicators are in `counted::communicators`, because all their members count them.

use std::ffi::{c_int, c_void};

use mpi::ffi;
use mpi::ffi::{MPI_Aint as Address, MPI_Comm as Comm, MPI_Datatype as Type, MPI_Group as Group};

use super::known::{Class, forget, note, number};
use crate::success::succeeded;

type Numbers = *const c_int;
type Ranges = *mut [c_int; 3];

/// A row for each function that makes a handle and stores it behind its last argument.
macro_rules! makers {
    ($($class:ident: $wrapper:ident = $call:ident($($argument:ident: $kind:ty),*) -> $made:ty;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $wrapper($($argument: $kind,)* made: *mut $made) -> c_int {
            // SAFETY: the caller's promises are those of MPI, which has stored a handle where it succeeded.
            unsafe {
                let code = ffi::$call($($argument,)* made);
                if succeeded(code) {
                    note(Class::$class, number(*made), (0, false));
                }
                code
            }
        }
    )*};
}

makers! {
    Group: cccp_MPI_Comm_group = MPI_Comm_group(comm: Comm) -> Group;
    Group: cccp_MPI_Group_difference = MPI_Group_difference(one: Group, other: Group) -> Group;
    Group: cccp_MPI_Group_excl = MPI_Group_excl(group: Group, n: c_int, ranks: Numbers) -> Group;
    Group: cccp_MPI_Group_incl = MPI_Group_incl(group: Group, n: c_int, ranks: Numbers) -> Group;
    Group: cccp_MPI_Group_intersection = MPI_Group_intersection(one: Group, other: Group) -> Group;
    Group: cccp_MPI_Group_range_excl = MPI_Group_range_excl(group: Group, n: c_int, ranges: Ranges) -> Group;
    Group: cccp_MPI_Group_range_incl = MPI_Group_range_incl(group: Group, n: c_int, ranges: Ranges) -> Group;
    Group: cccp_MPI_Group_union = MPI_Group_union(one: Group, other: Group) -> Group;
    Datatype: cccp_MPI_Type_contiguous = MPI_Type_contiguous(count: c_int, old: Type) -> Type;
    Datatype: cccp_MPI_Type_create_darray = MPI_Type_create_darray(
        size: c_int, rank: c_int, ndims: c_int, sizes: Numbers, ways: Numbers, arguments: Numbers, processes: Numbers,
        order: c_int, old: Type
    ) -> Type;
    Datatype: cccp_MPI_Type_create_hindexed = MPI_Type_create_hindexed(
        count: c_int, lengths: Numbers, places: *const Address, old: Type
    ) -> Type;
    Datatype: cccp_MPI_Type_create_hindexed_block = MPI_Type_create_hindexed_block(
        count: c_int, length: c_int, places: *const Address, old: Type
    ) -> Type;
    Datatype: cccp_MPI_Type_create_hvector = MPI_Type_create_hvector(
        count: c_int, length: c_int, stride: Address, old: Type
    ) -> Type;
    Datatype: cccp_MPI_Type_create_indexed_block = MPI_Type_create_indexed_block(
        count: c_int, length: c_int, places: Numbers, old: Type
    ) -> Type;
    Datatype: cccp_MPI_Type_create_resized = MPI_Type_create_resized(old: Type, start: Address, extent: Address) -> Type;
    Datatype: cccp_MPI_Type_create_struct = MPI_Type_create_struct(
        count: c_int, lengths: Numbers, places: *const Address, types: *const Type
    ) -> Type;
    Datatype: cccp_MPI_Type_create_subarray = MPI_Type_create_subarray(
        ndims: c_int, sizes: Numbers, parts: Numbers, starts: Numbers, order: c_int, old: Type
    ) -> Type;
    Datatype: cccp_MPI_Type_dup = MPI_Type_dup(old: Type) -> Type;
    Datatype: cccp_MPI_Type_indexed = MPI_Type_indexed(count: c_int, lengths: Numbers, places: Numbers, old: Type) -> Type;
    Datatype: cccp_MPI_Type_vector = MPI_Type_vector(count: c_int, length: c_int, stride: c_int, old: Type) -> Type;
}

/// A row for each function that gives a handle back.
macro_rules! ends {
    ($($class:ident: $wrapper:ident = $call:ident($made:ty);)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $wrapper(made: *mut $made) -> c_int {
            // SAFETY: the caller's promises are those of MPI.
            let (handle, code) = unsafe { (number(*made), ffi::$call(made)) };
            if succeeded(code) {
                forget(Class::$class, handle);
            }
            code
        }
    )*};
}

ends! {
    Group: cccp_MPI_Group_free = MPI_Group_free(Group);
    Datatype: cccp_MPI_Type_free = MPI_Type_free(Type);
    Operation: cccp_MPI_Op_free = MPI_Op_free(ffi::MPI_Op);
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cccp_MPI_Op_create(
    function: ffi::MPI_User_function,
    commute: c_int,
    op: *mut ffi::MPI_Op,
) -> c_int {
    let address = function.map_or(0, |function| function as *const c_void as usize);
    // SAFETY: the caller's promises are those of MPI, which has stored a handle where it succeeded.
    unsafe {
        let code = ffi::MPI_Op_create(function, commute, op);
        if succeeded(code) {
            note(Class::Operation, number(*op), (address, commute != 0));
        }
        code
    }
}
