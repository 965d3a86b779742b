//! The functions of MPI through which the library knows communicators, groups, datatypes, operations and persistent requests:
//! cccp.h gives each of them another name, `libcccp_mpi` has it.

/// In the order of their names.
pub const HANDLES: &[&str] = &[
    "MPI_Bsend_init",
    "MPI_Cart_create",
    "MPI_Cart_sub",
    "MPI_Comm_create",
    "MPI_Comm_create_group",
    "MPI_Comm_dup",
    "MPI_Comm_dup_with_info",
    "MPI_Comm_free",
    "MPI_Comm_group",
    "MPI_Comm_split",
    "MPI_Comm_split_type",
    "MPI_Dist_graph_create",
    "MPI_Dist_graph_create_adjacent",
    "MPI_Graph_create",
    "MPI_Group_difference",
    "MPI_Group_excl",
    "MPI_Group_free",
    "MPI_Group_incl",
    "MPI_Group_intersection",
    "MPI_Group_range_excl",
    "MPI_Group_range_incl",
    "MPI_Group_union",
    "MPI_Op_create",
    "MPI_Op_free",
    "MPI_Recv_init",
    "MPI_Request_free",
    "MPI_Rsend_init",
    "MPI_Send_init",
    "MPI_Ssend_init",
    "MPI_Type_contiguous",
    "MPI_Type_create_darray",
    "MPI_Type_create_hindexed",
    "MPI_Type_create_hindexed_block",
    "MPI_Type_create_hvector",
    "MPI_Type_create_indexed_block",
    "MPI_Type_create_resized",
    "MPI_Type_create_struct",
    "MPI_Type_create_subarray",
    "MPI_Type_dup",
    "MPI_Type_free",
    "MPI_Type_indexed",
    "MPI_Type_vector",
];

/// The types of what they make.
pub const HANDLE_TYPES: &[&str] = &[
    "MPI_Comm",
    "MPI_Datatype",
    "MPI_Group",
    "MPI_Op",
    "MPI_Request",
];

/// The types of locks of OpenMP, POSIX and C11. Nobody holds one at a checkpoint, so a restart initialises them where they were.
pub const LOCK_TYPES: &[&str] = &[
    "cnd_t",
    "mtx_t",
    "omp_lock_t",
    "omp_nest_lock_t",
    "pthread_cond_t",
    "pthread_mutex_t",
    "pthread_rwlock_t",
    "pthread_spinlock_t",
];

#[cfg(test)]
mod tests {
    use super::{HANDLE_TYPES, HANDLES};

    #[test]
    fn the_names_are_in_order_and_none_is_there_twice() {
        assert!(HANDLES.is_sorted_by(|one, next| one < next));
        assert!(HANDLE_TYPES.is_sorted_by(|one, next| one < next));
    }
}
