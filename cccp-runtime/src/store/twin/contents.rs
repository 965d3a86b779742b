//! What a file may hold after a crash when it was not made durable.

use std::collections::BTreeSet;

use super::journal::{FileState, Writing};
use super::tree::Content;

/// Bytes that reach the disk together. Small, so that small files have several blocks.
pub(super) const BLOCK: usize = 128;
/// What lies in a block that was never written.
const GARBAGE: u8 = 0xa5;
/// More blocks than this are not tried in all combinations.
const MOST: usize = 4;

/// Every content that a file may have: each block as it was, as it is now, zeros or garbage, for each length.
pub(super) fn contents(file: &FileState) -> Vec<Content> {
    let old = file.durable.as_ref().map_or(&[][..], Content::bytes);
    if file.pending.is_empty() {
        return vec![Content::new(old.to_vec())];
    }
    let (mut now, mut lengths) = (old.to_vec(), BTreeSet::from([0, old.len()]));
    for writing in &file.pending {
        match writing {
            Writing::Emptied => now.clear(),
            Writing::Appended(bytes) => now.extend_from_slice(bytes),
        }
        lengths.insert(now.len());
    }
    lengths.extend((0..now.len()).step_by(BLOCK));
    let mut found = BTreeSet::new();
    for length in lengths {
        let count = length.div_ceil(BLOCK);
        assert!(
            count <= MOST,
            "a file of {length} bytes is too long to try everything"
        );
        let mut some: Vec<Vec<u8>> = vec![Vec::new()];
        for block in 0..count {
            let size = BLOCK.min(length - block * BLOCK);
            let versions = versions(old, &now, block * BLOCK, size);
            let longer = some.iter().flat_map(|start| {
                versions
                    .iter()
                    .map(move |version| [&start[..], version].concat())
            });
            some = longer.collect();
        }
        found.extend(some);
    }
    found.into_iter().map(Content::new).collect()
}

/// What a block may hold; what lies beyond the end of a version reads as zeros.
fn versions(old: &[u8], now: &[u8], start: usize, size: usize) -> BTreeSet<Vec<u8>> {
    let part = |bytes: &[u8]| {
        let mut part = bytes.get(start..).unwrap_or_default().to_vec();
        part.resize(size, 0);
        part
    };
    BTreeSet::from([part(old), part(now), vec![0; size], vec![GARBAGE; size]])
}
