//! Functions of libraries, as the program is linked with them.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Whether a function only opens files by name, which do not come back by themselves.
fn opens(name: &str) -> bool {
    ["H5F", "nc_"]
        .iter()
        .any(|library| name.starts_with(library))
}

static FUNCTIONS: Mutex<BTreeMap<String, usize>> = Mutex::new(BTreeMap::new());

fn functions() -> MutexGuard<'static, BTreeMap<String, usize>> {
    FUNCTIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes where a function is.
pub fn note_function(name: &str, function: usize) {
    functions().insert(name.to_string(), function);
}

/// Where a function is, as a number.
pub fn function(name: &str) -> Option<usize> {
    functions().get(name).copied()
}

/// Whether the program's calls that make such objects come here; what opens files makes none.
pub fn are_noted() -> bool {
    functions().keys().any(|name| !opens(name))
}
