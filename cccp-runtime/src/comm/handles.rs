//! Whether the program's handles of MPI come back by themselves, and whether a block that every restart executes is running.
//!
//! Both are of the whole process: the program makes handles before `init`, too. What they stand for is the business of MPI
//! (`cccp-mpi`), where they lie that of `session`.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

static NOTES: AtomicBool = AtomicBool::new(false);
static SENDS: AtomicBool = AtomicBool::new(false);
static BLOCKS: AtomicI32 = AtomicI32::new(0);

/// The type of requests.
const REQUEST: &str = "MPI_Request";

/// What handles of these types are called that stand for nothing.
const NULLS: [(&str, &str); 5] = [
    ("MPI_Comm", "MPI_COMM_NULL"),
    ("MPI_Datatype", "MPI_DATATYPE_NULL"),
    ("MPI_Group", "MPI_GROUP_NULL"),
    ("MPI_Op", "MPI_OP_NULL"),
    (REQUEST, "MPI_REQUEST_NULL"),
];

/// The program's calls that make handles are noted.
pub fn note_handles() {
    NOTES.store(true, Ordering::Relaxed);
}

/// Whether they are.
pub fn notes_handles() -> bool {
    NOTES.load(Ordering::Relaxed)
}

/// A request of what was sent comes back as one that is complete, whether the program's calls are noted or not.
pub fn remake_sends() {
    SENDS.store(true, Ordering::Relaxed);
}

/// The statements of a block that every restart executes begin or end.
pub fn pass_block(begins: bool) {
    BLOCKS.fetch_add(if begins { 1 } else { -1 }, Ordering::Relaxed);
}

/// Whether a restart executes again what runs now.
pub fn is_in_block() -> bool {
    BLOCKS.load(Ordering::Relaxed) > 0
}

/// The name of the handle of this type that stands for nothing; none for types whose handles do not come back.
pub fn null_handle(kind: &str) -> Option<&'static str> {
    let mut all = NULLS.iter();
    all.find(|(known, _)| *known == kind).map(|(_, null)| *null)
}

/// The types of handles that come back by themselves where the program's calls are noted.
pub fn handle_types() -> impl Iterator<Item = &'static str> {
    NULLS.iter().map(|(kind, _)| *kind)
}

/// Whether handles of MPI of this type come back by themselves in this program.
pub fn comes_back(kind: &str) -> bool {
    (notes_handles() && null_handle(kind).is_some())
        || (kind == REQUEST && SENDS.load(Ordering::Relaxed))
}

/// Whether some do.
pub fn some_come_back() -> bool {
    handle_types().any(comes_back)
}
