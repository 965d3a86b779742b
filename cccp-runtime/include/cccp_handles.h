/*
 * cccp_handles.h - communicators, groups, datatypes, operations and persistent requests of MPI that lie anywhere: a part of cccp.h,
 * which includes it when CCCP_HANDLES is defined.
 *
 * A handle in a register (CCCP_KIND_HANDLE with the name MPI_Comm, MPI_Group, MPI_Datatype, MPI_Op or MPI_Request), or in memory
 * that an item brings, is made again by itself: a checkpoint says what it stands for, and a restart makes the same again where `init`
 * stands, on all ranks, and puts it where the old one was; what each start makes before `init` stays, if it is the same. For that
 * the library has to see what is made: cccp-pp defines CCCP_HANDLES in front of cccp.h in every file that mentions one of the names
 * below. There they mean the functions of libcccp_mpi, which do the same with the same arguments and results, and note what was
 * made.
 *   - A communicator is made again with its ranks in their order, its topology, its name, and the error handlers
 *     MPI_ERRORS_RETURN and MPI_ERRORS_ARE_FATAL; without attributes, hints and error handlers of the program's own. All its
 *     processes belong to the communicator of `init`, and it has been freed on all of them or on none when a checkpoint is
 *     taken, as it is a collective call.
 *   - A datatype is made again as it was made and committed, without its name and attributes.
 *   - An operation of the program's own is known by the name of its function.
 *   - A persistent request is made again with the arguments of its call, when a restart has put everything else into its place.
 *     Its buffer lies in memory that an item brings, and its communicator is there. A request in an argument of a call on the way
 *     comes back when that argument is registered. Other requests become MPI_REQUEST_NULL (none is in flight at a checkpoint), or with
 *     CCCP_SENDS_REMADE complete ones.
 *   - Predefined handles are known by their names; MPI_COMM_NULL and the like stay these. A value that is no handle that the
 *     library knows (never set, freed, made by another function: MPI_Intercomm_create) is not saved. It becomes the null handle,
 *     unless a block that every restart executes has put one there.
 *   - In a fixed heap (cccp_fixed_heap) a handle is known by its value, where MPI's handles are addresses, and stops the run at
 *     its first checkpoint where the library does not know what it stands for.
 *   - What is made in a block that every restart executes is made by the block again, and by nothing else.
 *
 * By hand: define CCCP_HANDLES before cccp_mpi.h, in all files that use MPI, and register with CCCP_MPI_COMM,
 * CCCP_MPI_DATATYPE, CCCP_MPI_GROUP, CCCP_MPI_OP or CCCP_MPI_REQUEST as type.
 */
#ifndef CCCP_HANDLES_H
#define CCCP_HANDLES_H

#ifdef __GNUC__
__attribute__((constructor, unused)) static void cccp_notes_handles(void)
{
    cccp_note_handles();
}
#else
#error "CCCP_HANDLES needs a compiler that knows __attribute__((constructor)), as gcc and clang do"
#endif
#define MPI_Bsend_init cccp_MPI_Bsend_init
#define MPI_Cart_create cccp_MPI_Cart_create
#define MPI_Cart_sub cccp_MPI_Cart_sub
#define MPI_Comm_create cccp_MPI_Comm_create
#define MPI_Comm_create_group cccp_MPI_Comm_create_group
#define MPI_Comm_dup cccp_MPI_Comm_dup
#define MPI_Comm_dup_with_info cccp_MPI_Comm_dup_with_info
#define MPI_Comm_free cccp_MPI_Comm_free
#define MPI_Comm_group cccp_MPI_Comm_group
#define MPI_Comm_split cccp_MPI_Comm_split
#define MPI_Comm_split_type cccp_MPI_Comm_split_type
#define MPI_Dist_graph_create cccp_MPI_Dist_graph_create
#define MPI_Dist_graph_create_adjacent cccp_MPI_Dist_graph_create_adjacent
#define MPI_Graph_create cccp_MPI_Graph_create
#define MPI_Group_difference cccp_MPI_Group_difference
#define MPI_Group_excl cccp_MPI_Group_excl
#define MPI_Group_free cccp_MPI_Group_free
#define MPI_Group_incl cccp_MPI_Group_incl
#define MPI_Group_intersection cccp_MPI_Group_intersection
#define MPI_Group_range_excl cccp_MPI_Group_range_excl
#define MPI_Group_range_incl cccp_MPI_Group_range_incl
#define MPI_Group_union cccp_MPI_Group_union
#define MPI_Op_create cccp_MPI_Op_create
#define MPI_Op_free cccp_MPI_Op_free
#define MPI_Recv_init cccp_MPI_Recv_init
#define MPI_Request_free cccp_MPI_Request_free
#define MPI_Rsend_init cccp_MPI_Rsend_init
#define MPI_Send_init cccp_MPI_Send_init
#define MPI_Ssend_init cccp_MPI_Ssend_init
#define MPI_Type_contiguous cccp_MPI_Type_contiguous
#define MPI_Type_create_darray cccp_MPI_Type_create_darray
#define MPI_Type_create_hindexed cccp_MPI_Type_create_hindexed
#define MPI_Type_create_hindexed_block cccp_MPI_Type_create_hindexed_block
#define MPI_Type_create_hvector cccp_MPI_Type_create_hvector
#define MPI_Type_create_indexed_block cccp_MPI_Type_create_indexed_block
#define MPI_Type_create_resized cccp_MPI_Type_create_resized
#define MPI_Type_create_struct cccp_MPI_Type_create_struct
#define MPI_Type_create_subarray cccp_MPI_Type_create_subarray
#define MPI_Type_dup cccp_MPI_Type_dup
#define MPI_Type_free cccp_MPI_Type_free
#define MPI_Type_indexed cccp_MPI_Type_indexed
#define MPI_Type_vector cccp_MPI_Type_vector

#endif
