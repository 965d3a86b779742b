//! What a link knows of functions that nobody sees: those of other languages, of assembler, of libraries that are linked along.
//!
//! Nobody knows what such a function does, but what it *can* reach is known: the names that its object wants from others, and
//! those that these want. `cccp-cc` fills this in; where nobody links, nothing is known.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A way from the object of a function to a name that matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The objects on the way behind that of the function; the last one uses the name.
    pub objects: Vec<String>,
    /// The name.
    pub symbol: String,
}

/// A function in an object that nobody sees. `None`: no way leads there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnseenFunction {
    /// Its object, or library.
    pub object: String,
    /// To what may send or receive messages.
    pub messages: Option<Way>,
    /// To what the threads of a team do together.
    pub team: Option<Way>,
    /// To functions and variables of the program.
    pub program: Option<Way>,
}

/// What a link has found, by names.
#[derive(Clone, Debug, Default)]
pub struct Linked {
    functions: Arc<BTreeMap<String, Arc<UnseenFunction>>>,
    variables: Arc<BTreeSet<String>>,
}

impl Linked {
    /// Of these functions, and variables that the program shares with objects which nobody sees.
    pub fn of(
        functions: BTreeMap<String, Arc<UnseenFunction>>,
        variables: BTreeSet<String>,
    ) -> Linked {
        Linked {
            functions: Arc::new(functions),
            variables: Arc::new(variables),
        }
    }

    /// Whether an object that nobody sees, and no library of the system, defines a variable.
    pub fn is_variable(&self, name: &str) -> bool {
        self.variables.contains(name)
    }

    /// What is known of a function.
    pub fn find(&self, name: &str) -> Option<&UnseenFunction> {
        self.functions.get(name).map(Arc::as_ref)
    }
}
