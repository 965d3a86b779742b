//! What is on a disk: paths, and the bytes behind them.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The bytes of a file, compared by a checksum first.
#[derive(Clone, Debug)]
pub(crate) struct Content {
    checksum: u32,
    bytes: Arc<Vec<u8>>,
}

impl Content {
    pub(crate) fn new(bytes: Vec<u8>) -> Content {
        Content {
            checksum: crc32fast::hash(&bytes),
            bytes: Arc::new(bytes),
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl PartialEq for Content {
    fn eq(&self, other: &Content) -> bool {
        self.checksum == other.checksum
            && (Arc::ptr_eq(&self.bytes, &other.bytes) || self.bytes == other.bytes)
    }
}

impl Eq for Content {}

impl Hash for Content {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u32(self.checksum);
    }
}

/// A disk: absolute paths, without the root. A directory has no content.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Tree(pub(crate) BTreeMap<String, Option<Content>>);

impl Tree {
    /// The files, with their paths.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, &Content)> {
        self.0
            .iter()
            .filter_map(|(path, content)| Some((path.as_str(), content.as_ref()?)))
    }
}
