//! What a request is that is not in use.
//!
//! At a checkpoint no request is in flight, so nothing is saved of them. On restart those that no block makes again are no
//! requests, in the words of the MPI in use.

use std::sync::OnceLock;

/// The type of requests, as the precompiler calls it.
pub const REQUEST_TYPE: &str = "MPI_Request";

static NO_REQUEST: OnceLock<Vec<u8>> = OnceLock::new();

/// Says what `MPI_REQUEST_NULL` is, in the order of this machine.
pub fn set_no_request(bytes: &[u8]) {
    // It is the same each time.
    let _ = NO_REQUEST.set(bytes.to_vec());
}

/// The bytes of `MPI_REQUEST_NULL`; none without MPI.
pub fn no_request() -> Option<&'static [u8]> {
    NO_REQUEST.get().map(Vec::as_slice)
}
