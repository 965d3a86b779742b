//! Collective calls: each counts once, whoever is the root. Those that do not block are in flight until they are complete.

use std::ffi::{c_int, c_void};

use cccp::messages::{Effect, Request, tally};
use mpi::ffi;
use mpi::ffi::{MPI_Comm as Comm, MPI_Datatype as Type, MPI_Op as Op};

use super::communicators::member;
use super::requests::made;
use crate::success::succeeded;

// Short words for the types of parameters, as the tables below have many.
type In = *const c_void;
type Out = *mut c_void;
type Counts = *const c_int;
type Types = *const Type;
type Places = *const ffi::MPI_Aint;
type Made = *mut ffi::MPI_Request;

/// A row for each function that returns when this member's part is done, with the communicator last.
macro_rules! blocking {
    ($($wrapper:ident = $call:ident($($before:ident: $kind:ty),*; $comm:ident);)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $wrapper($($before: $kind,)* $comm: Comm) -> c_int {
            // SAFETY: the caller's promises are those of MPI.
            let code = unsafe { ffi::$call($($before,)* $comm) };
            if succeeded(code) {
                tally().collective(&member($comm));
            }
            code
        }
    )*};
}

/// The same for those that return at once, with the communicator before the request.
macro_rules! at_once {
    ($($wrapper:ident = $call:ident($($before:ident: $kind:ty),*; $comm:ident, $request:ident);)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $wrapper($($before: $kind,)* $comm: Comm, $request: Made) -> c_int {
            // SAFETY: the caller's promises are those of MPI.
            let code = unsafe { ffi::$call($($before,)* $comm, $request) };
            if succeeded(code) {
                // SAFETY: MPI has stored the request.
                unsafe {
                    made($request.cast_const(), Request {
                        call: stringify!($call),
                        effect: Effect::Collective,
                        member: member($comm),
                        peer: None,
                        tag: None,
                    });
                }
            }
            code
        }
    )*};
}

blocking! {
    cccp_MPI_Barrier = MPI_Barrier(; comm);
    cccp_MPI_Bcast = MPI_Bcast(buffer: Out, count: c_int, datatype: Type, root: c_int; comm);
    cccp_MPI_Gather = MPI_Gather(
        sendbuf: In, sendcount: c_int, sendtype: Type, recvbuf: Out, recvcount: c_int, recvtype: Type,
        root: c_int; comm
    );
    cccp_MPI_Gatherv = MPI_Gatherv(
        sendbuf: In, sendcount: c_int, sendtype: Type, recvbuf: Out, recvcounts: Counts, displs: Counts,
        recvtype: Type, root: c_int; comm
    );
    cccp_MPI_Scatter = MPI_Scatter(
        sendbuf: In, sendcount: c_int, sendtype: Type, recvbuf: Out, recvcount: c_int, recvtype: Type,
        root: c_int; comm
    );
    cccp_MPI_Scatterv = MPI_Scatterv(
        sendbuf: In, sendcounts: Counts, displs: Counts, sendtype: Type, recvbuf: Out, recvcount: c_int,
        recvtype: Type, root: c_int; comm
    );
    cccp_MPI_Allgather = MPI_Allgather(
        sendbuf: In, sendcount: c_int, sendtype: Type, recvbuf: Out, recvcount: c_int, recvtype: Type; comm
    );
    cccp_MPI_Allgatherv = MPI_Allgatherv(
        sendbuf: In, sendcount: c_int, sendtype: Type, recvbuf: Out, recvcounts: Counts, displs: Counts,
        recvtype: Type; comm
    );
    cccp_MPI_Alltoall = MPI_Alltoall(
        sendbuf: In, sendcount: c_int, sendtype: Type, recvbuf: Out, recvcount: c_int, recvtype: Type; comm
    );
    cccp_MPI_Alltoallv = MPI_Alltoallv(
        sendbuf: In, sendcounts: Counts, sdispls: Counts, sendtype: Type, recvbuf: Out, recvcounts: Counts,
        rdispls: Counts, recvtype: Type; comm
    );
    cccp_MPI_Alltoallw = MPI_Alltoallw(
        sendbuf: In, sendcounts: Counts, sdispls: Counts, sendtypes: Types, recvbuf: Out, recvcounts: Counts,
        rdispls: Counts, recvtypes: Types; comm
    );
    cccp_MPI_Reduce = MPI_Reduce(
        sendbuf: In, recvbuf: Out, count: c_int, datatype: Type, op: Op, root: c_int; comm
    );
    cccp_MPI_Allreduce = MPI_Allreduce(sendbuf: In, recvbuf: Out, count: c_int, datatype: Type, op: Op; comm);
    cccp_MPI_Reduce_scatter = MPI_Reduce_scatter(
        sendbuf: In, recvbuf: Out, recvcounts: Counts, datatype: Type, op: Op; comm
    );
    cccp_MPI_Reduce_scatter_block = MPI_Reduce_scatter_block(
        sendbuf: In, recvbuf: Out, recvcount: c_int, datatype: Type, op: Op; comm
    );
    cccp_MPI_Scan = MPI_Scan(sendbuf: In, recvbuf: Out, count: c_int, datatype: Type, op: Op; comm);
    cccp_MPI_Exscan = MPI_Exscan(sendbuf: In, recvbuf: Out, count: c_int, datatype: Type, op: Op; comm);
    cccp_MPI_Neighbor_allgather = MPI_Neighbor_allgather(
        sendbuf: In, sendcount: c_int, sendtype: Type, recvbuf: Out, recvcount: c_int, recvtype: Type; comm
    );
    cccp_MPI_Neighbor_allgatherv = MPI_Neighbor_allgatherv(
        sendbuf: In, sendcount: c_int, sendtype: Type, recvbuf: Out, recvcounts: Counts, displs: Counts,
        recvtype: Type; comm
    );
    cccp_MPI_Neighbor_alltoall = MPI_Neighbor_alltoall(
        sendbuf: In, sendcount: c_int, sendtype: Type, recvbuf: Out, recvcount: c_int, recvtype: Type; comm
    );
    cccp_MPI_Neighbor_alltoallv = MPI_Neighbor_alltoallv(
        sendbuf: In, sendcounts: Counts, sdispls: Counts, sendtype: Type, recvbuf: Out, recvcounts: Counts,
        rdispls: Counts, recvtype: Type; comm
    );
    cccp_MPI_Neighbor_alltoallw = MPI_Neighbor_alltoallw(
        sendbuf: In, sendcounts: Counts, sdispls: Places, sendtypes: Types, recvbuf: Out, recvcounts: Counts,
        rdispls: Places, recvtypes: Types; comm
    );
}

at_once! {
    cccp_MPI_Ibarrier = MPI_Ibarrier(; comm, request);
    cccp_MPI_Ibcast = MPI_Ibcast(buffer: Out, count: c_int, datatype: Type, root: c_int; comm, request);
    cccp_MPI_Igather = MPI_Igather(
        sendbuf: In, sendcount: c_int, sendtype: Type, recvbuf: Out, recvcount: c_int, recvtype: Type,
        root: c_int; comm, request
    );
    cccp_MPI_Igatherv = MPI_Igatherv(
        sendbuf: In, sendcount: c_int, sendtype: Type, recvbuf: Out, recvcounts: Counts, displs: Counts,
        recvtype: Type, root: c_int; comm, request
    );
    cccp_MPI_Iscatter = MPI_Iscatter(
        sendbuf: In, sendcount: c_int, sendtype: Type, recvbuf: Out, recvcount: c_int, recvtype: Type,
        root: c_int; comm, request
    );
    cccp_MPI_Iscatterv = MPI_Iscatterv(
        sendbuf: In, sendcounts: Counts, displs: Counts, sendtype: Type, recvbuf: Out, recvcount: c_int,
        recvtype: Type, root: c_int; comm, request
    );
    cccp_MPI_Iallgather = MPI_Iallgather(
        sendbuf: In, sendcount: c_int, sendtype: Type, recvbuf: Out, recvcount: c_int, recvtype: Type; comm, request
    );
    cccp_MPI_Iallgatherv = MPI_Iallgatherv(
        sendbuf: In, sendcount: c_int, sendtype: Type, recvbuf: Out, recvcounts: Counts, displs: Counts,
        recvtype: Type; comm, request
    );
    cccp_MPI_Ialltoall = MPI_Ialltoall(
        sendbuf: In, sendcount: c_int, sendtype: Type, recvbuf: Out, recvcount: c_int, recvtype: Type; comm, request
    );
    cccp_MPI_Ialltoallv = MPI_Ialltoallv(
        sendbuf: In, sendcounts: Counts, sdispls: Counts, sendtype: Type, recvbuf: Out, recvcounts: Counts,
        rdispls: Counts, recvtype: Type; comm, request
    );
    cccp_MPI_Ialltoallw = MPI_Ialltoallw(
        sendbuf: In, sendcounts: Counts, sdispls: Counts, sendtypes: Types, recvbuf: Out, recvcounts: Counts,
        rdispls: Counts, recvtypes: Types; comm, request
    );
    cccp_MPI_Ireduce = MPI_Ireduce(
        sendbuf: In, recvbuf: Out, count: c_int, datatype: Type, op: Op, root: c_int; comm, request
    );
    cccp_MPI_Iallreduce = MPI_Iallreduce(sendbuf: In, recvbuf: Out, count: c_int, datatype: Type, op: Op; comm, request);
    cccp_MPI_Ireduce_scatter = MPI_Ireduce_scatter(
        sendbuf: In, recvbuf: Out, recvcounts: Counts, datatype: Type, op: Op; comm, request
    );
    cccp_MPI_Ireduce_scatter_block = MPI_Ireduce_scatter_block(
        sendbuf: In, recvbuf: Out, recvcount: c_int, datatype: Type, op: Op; comm, request
    );
    cccp_MPI_Iscan = MPI_Iscan(sendbuf: In, recvbuf: Out, count: c_int, datatype: Type, op: Op; comm, request);
    cccp_MPI_Iexscan = MPI_Iexscan(sendbuf: In, recvbuf: Out, count: c_int, datatype: Type, op: Op; comm, request);
    cccp_MPI_Ineighbor_allgather = MPI_Ineighbor_allgather(
        sendbuf: In, sendcount: c_int, sendtype: Type, recvbuf: Out, recvcount: c_int, recvtype: Type; comm, request
    );
    cccp_MPI_Ineighbor_allgatherv = MPI_Ineighbor_allgatherv(
        sendbuf: In, sendcount: c_int, sendtype: Type, recvbuf: Out, recvcounts: Counts, displs: Counts,
        recvtype: Type; comm, request
    );
    cccp_MPI_Ineighbor_alltoall = MPI_Ineighbor_alltoall(
        sendbuf: In, sendcount: c_int, sendtype: Type, recvbuf: Out, recvcount: c_int, recvtype: Type; comm, request
    );
    cccp_MPI_Ineighbor_alltoallv = MPI_Ineighbor_alltoallv(
        sendbuf: In, sendcounts: Counts, sdispls: Counts, sendtype: Type, recvbuf: Out, recvcounts: Counts,
        rdispls: Counts, recvtype: Type; comm, request
    );
    cccp_MPI_Ineighbor_alltoallw = MPI_Ineighbor_alltoallw(
        sendbuf: In, sendcounts: Counts, sdispls: Places, sendtypes: Types, recvbuf: Out, recvcounts: Counts,
        rdispls: Places, recvtypes: Types; comm, request
    );
}
