//! libcccp_mpi: libcccp and the restart agreement over MPI.
