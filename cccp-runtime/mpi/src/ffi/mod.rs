//! The functions of cccp_mpi.h, and `cccp_init_mpi` of cccp.h.

mod clocks;
mod descriptors;
mod entries;
