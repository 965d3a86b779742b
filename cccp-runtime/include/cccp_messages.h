/*
 * cccp_messages.h - counted messages: a part of cccp.h, which includes it through cccp_files.h when CCCP_MESSAGES is defined.
 *
 * A checkpoint with `messages(counted)` may stand where it is not proved that no message between ranks is in flight. A
 * program with such a checkpoint counts its messages instead: cccp-pp defines CCCP_MESSAGES in front of cccp.h in
 * every file that uses MPI, before it includes mpi.h. There the names below mean the functions of libcccp_mpi, which do
 * the same with the same arguments and results, and count: in calls, as the value of a pointer, and in the declaration of
 * mpi.h. Every checkpoint holds what its rank has counted. All ranks together tell whether a message, a collective
 * call or a request was in flight when it was taken; from such a generation no restart is made. Where the
 * program never asks any more for a request that there may be at a checkpoint, cccp-pp defines CCCP_REQUESTS_DROPPED, too: then
 * a request that is complete is not in flight, although the program has not waited for it. Where it asks for such requests
 * only by MPI_Wait, MPI_Waitall, MPI_Test and MPI_Testall, cccp-pp defines CCCP_SENDS_DROPPED: then the same holds for
 * what it has sent. With either of them, a send whose request another one has been stored over is not in flight. Where it may tell
 * a complete send from none, as by MPI_Testany, cccp-pp defines CCCP_SENDS_REMADE: then a send that is complete at a checkpoint
 * is not in flight, and where its request is in a register, a restart puts one there that is complete, too.
 *
 * What communicates in other ways is not counted and must not be used with this: windows, partitioned and persistent
 * collective communication, communicators between two groups, processes that join the job, sessions, the names that end
 * in _c. A communicator is made by one of the functions below, or is MPI_COMM_WORLD or MPI_COMM_SELF. The calls
 * in cccp_files.h that all ranks make together are counted, too.
 */
#ifndef CCCP_MESSAGES_H
#define CCCP_MESSAGES_H

#ifdef __GNUC__
__attribute__((constructor, unused)) static void cccp_counts_messages(void)
{
    cccp_count_messages();
#ifdef CCCP_REQUESTS_DROPPED
    cccp_drop_requests();
#endif
#ifdef CCCP_SENDS_DROPPED
    cccp_drop_sends();
#endif
#ifdef CCCP_SENDS_REMADE
    cccp_remake_sends();
#endif
}
#else
#error "CCCP_MESSAGES needs a compiler that knows __attribute__((constructor)), as gcc and clang do"
#endif
#define MPI_Allgather cccp_MPI_Allgather
#define MPI_Allgatherv cccp_MPI_Allgatherv
#define MPI_Allreduce cccp_MPI_Allreduce
#define MPI_Alltoall cccp_MPI_Alltoall
#define MPI_Alltoallv cccp_MPI_Alltoallv
#define MPI_Alltoallw cccp_MPI_Alltoallw
#define MPI_Barrier cccp_MPI_Barrier
#define MPI_Bcast cccp_MPI_Bcast
#define MPI_Bsend cccp_MPI_Bsend
#define MPI_Bsend_init cccp_MPI_Bsend_init
#define MPI_Cart_create cccp_MPI_Cart_create
#define MPI_Cart_sub cccp_MPI_Cart_sub
#define MPI_Comm_create cccp_MPI_Comm_create
#define MPI_Comm_create_group cccp_MPI_Comm_create_group
#define MPI_Comm_dup cccp_MPI_Comm_dup
#define MPI_Comm_dup_with_info cccp_MPI_Comm_dup_with_info
#define MPI_Comm_free cccp_MPI_Comm_free
#define MPI_Comm_split cccp_MPI_Comm_split
#define MPI_Comm_split_type cccp_MPI_Comm_split_type
#define MPI_Dist_graph_create cccp_MPI_Dist_graph_create
#define MPI_Dist_graph_create_adjacent cccp_MPI_Dist_graph_create_adjacent
#define MPI_Exscan cccp_MPI_Exscan
#define MPI_Gather cccp_MPI_Gather
#define MPI_Gatherv cccp_MPI_Gatherv
#define MPI_Graph_create cccp_MPI_Graph_create
#define MPI_Iallgather cccp_MPI_Iallgather
#define MPI_Iallgatherv cccp_MPI_Iallgatherv
#define MPI_Iallreduce cccp_MPI_Iallreduce
#define MPI_Ialltoall cccp_MPI_Ialltoall
#define MPI_Ialltoallv cccp_MPI_Ialltoallv
#define MPI_Ialltoallw cccp_MPI_Ialltoallw
#define MPI_Ibarrier cccp_MPI_Ibarrier
#define MPI_Ibcast cccp_MPI_Ibcast
#define MPI_Ibsend cccp_MPI_Ibsend
#define MPI_Iexscan cccp_MPI_Iexscan
#define MPI_Igather cccp_MPI_Igather
#define MPI_Igatherv cccp_MPI_Igatherv
#define MPI_Improbe cccp_MPI_Improbe
#define MPI_Imrecv cccp_MPI_Imrecv
#define MPI_Ineighbor_allgather cccp_MPI_Ineighbor_allgather
#define MPI_Ineighbor_allgatherv cccp_MPI_Ineighbor_allgatherv
#define MPI_Ineighbor_alltoall cccp_MPI_Ineighbor_alltoall
#define MPI_Ineighbor_alltoallv cccp_MPI_Ineighbor_alltoallv
#define MPI_Ineighbor_alltoallw cccp_MPI_Ineighbor_alltoallw
#define MPI_Irecv cccp_MPI_Irecv
#define MPI_Ireduce cccp_MPI_Ireduce
#define MPI_Ireduce_scatter cccp_MPI_Ireduce_scatter
#define MPI_Ireduce_scatter_block cccp_MPI_Ireduce_scatter_block
#define MPI_Irsend cccp_MPI_Irsend
#define MPI_Iscan cccp_MPI_Iscan
#define MPI_Iscatter cccp_MPI_Iscatter
#define MPI_Iscatterv cccp_MPI_Iscatterv
#define MPI_Isend cccp_MPI_Isend
#define MPI_Issend cccp_MPI_Issend
#define MPI_Mprobe cccp_MPI_Mprobe
#define MPI_Mrecv cccp_MPI_Mrecv
#define MPI_Neighbor_allgather cccp_MPI_Neighbor_allgather
#define MPI_Neighbor_allgatherv cccp_MPI_Neighbor_allgatherv
#define MPI_Neighbor_alltoall cccp_MPI_Neighbor_alltoall
#define MPI_Neighbor_alltoallv cccp_MPI_Neighbor_alltoallv
#define MPI_Neighbor_alltoallw cccp_MPI_Neighbor_alltoallw
#define MPI_Recv cccp_MPI_Recv
#define MPI_Recv_init cccp_MPI_Recv_init
#define MPI_Reduce cccp_MPI_Reduce
#define MPI_Reduce_scatter cccp_MPI_Reduce_scatter
#define MPI_Reduce_scatter_block cccp_MPI_Reduce_scatter_block
#define MPI_Request_free cccp_MPI_Request_free
#define MPI_Rsend cccp_MPI_Rsend
#define MPI_Rsend_init cccp_MPI_Rsend_init
#define MPI_Scan cccp_MPI_Scan
#define MPI_Scatter cccp_MPI_Scatter
#define MPI_Scatterv cccp_MPI_Scatterv
#define MPI_Send cccp_MPI_Send
#define MPI_Send_init cccp_MPI_Send_init
#define MPI_Sendrecv cccp_MPI_Sendrecv
#define MPI_Sendrecv_replace cccp_MPI_Sendrecv_replace
#define MPI_Ssend cccp_MPI_Ssend
#define MPI_Ssend_init cccp_MPI_Ssend_init
#define MPI_Start cccp_MPI_Start
#define MPI_Startall cccp_MPI_Startall
#define MPI_Test cccp_MPI_Test
#define MPI_Testall cccp_MPI_Testall
#define MPI_Testany cccp_MPI_Testany
#define MPI_Testsome cccp_MPI_Testsome
#define MPI_Wait cccp_MPI_Wait
#define MPI_Waitall cccp_MPI_Waitall
#define MPI_Waitany cccp_MPI_Waitany
#define MPI_Waitsome cccp_MPI_Waitsome

#endif
