//! Whether items are as long as the memory that they name, before a checkpoint reads it.
//!
//! In: where the items' elements are. Out: an error when one of them goes beyond the end of its memory, and warnings about blocks
//! of which nothing saves a part. How long a block is, the table of blocks knows exactly, where the program allocates through the
//! library; otherwise the C library knows how much it gave, which may be a little more than the program asked for.
//! Only items of which the precompiler says what they name are looked at. Where the C library is asked, one that has fitted is not
//! too long while its memory stays where it is: a pointer whose memory was freed names whatever lies there now. Errors fall on the side of
//! silence. With the table of blocks they do not: a restart would give the item memory that belongs to others.

use std::collections::BTreeMap;

use crate::generation::Extent;
use crate::memory::{Given, blocks};
use crate::registry::{Holds, Register, RegisterId};

use super::Session;

/// What is found about all items of a checkpoint.
#[derive(Debug, Default)]
pub(super) struct Lengths {
    /// For the user.
    pub warnings: Vec<String>,
    /// Blocks that are longer than what is saved of them: an item, and how many elements there are from its pointer on.
    pub longer: Vec<(RegisterId, u64)>,
}

/// Registered parts of one block.
struct Block<'a> {
    given: Given,
    first: &'a Register,
    element: usize,
    /// From, to; in bytes from the beginning.
    parts: Vec<(u64, u64)>,
}

impl Block<'_> {
    /// Bytes that are in no part.
    fn left_out(&self) -> u64 {
        let mut parts = self.parts.clone();
        parts.sort_unstable();
        let (mut end, mut left_out) = (0, 0);
        for (from, to) in parts {
            left_out += from.saturating_sub(end);
            end = end.max(to);
        }
        left_out + self.given.room.saturating_sub(end)
    }
}

impl Session {
    /// Looks at all items of a checkpoint.
    pub(super) fn compare_lengths(
        &self,
        extents: &BTreeMap<RegisterId, Extent>,
    ) -> Result<Lengths, String> {
        let mut found: BTreeMap<usize, Block> = BTreeMap::new();
        for register in self.registers.iter() {
            let (Some(extent), Some(item)) = (
                extents.get(&register.id),
                register.function.items.get(register.item as usize),
            ) else {
                continue;
            };
            let skipped = register.first as usize * extent.size;
            let base = extent.start.wrapping_sub(skipped);
            let end = (skipped + extent.size * extent.elements) as u64;
            let size = extent.size.max(1) as u64;
            let given = match item.holds {
                Holds::Unknown => continue,
                Holds::Elements(count) => Given {
                    room: count.saturating_mul(size),
                    slack: u64::MAX,
                },
                Holds::Block => {
                    let exact = blocks::length(base).map(|length| Given {
                        room: length as u64,
                        slack: 0,
                    });
                    match exact.or_else(|| self.program.given(base)) {
                        Some(given) => given,
                        None => continue,
                    }
                }
            };
            let compared = self.compared.borrow().get(&register.id).copied();
            let before = compared.filter(|(of, _)| *of == base).map(|(_, room)| room);
            if end > given.room && before.is_some() && given.slack > 0 {
                continue;
            }
            if end > given.room {
                let block = match register.is_behind() {
                    true => format!(
                        ", or `{}[]`, which is the block as long as it is",
                        register.name
                    ),
                    false => String::new(),
                };
                return Err(format!(
                    "{} goes beyond the end of its memory: it ends after {} elements ({end} bytes), and there are {} bytes; \
                     register as many elements as there are{block}; or unregister it before its memory is freed",
                    register.described(&register.name),
                    end / size,
                    given.room,
                ));
            }
            // A note of the C library that has changed may be that of another block: the item's is gone, and nobody has said so.
            let is_another = item.holds == Holds::Block
                && given.slack > 0
                && before.is_some_and(|room| room != given.room);
            if !is_another {
                let seen = (base, given.room);
                self.compared.borrow_mut().insert(register.id, seen);
            }
            if item.holds == Holds::Block && !is_another {
                let block = found.entry(base).or_insert(Block {
                    given,
                    first: register,
                    element: extent.size,
                    parts: Vec::new(),
                });
                block.parts.push((skipped as u64, end));
            }
        }
        // A register that is made in every iteration has another number each time.
        let mut compared = self.compared.borrow_mut();
        compared.retain(|id, _| self.registers.get(*id).is_some());
        // What other items save of these blocks, by whatever pointer.
        for extent in extents.values() {
            let Some((base, block)) = found.range_mut(..=extent.start).next_back() else {
                continue;
            };
            let from = (extent.start - base) as u64;
            let end = from.saturating_add((extent.size * extent.elements) as u64);
            if end <= block.given.room {
                block.parts.push((from, end));
            }
        }
        let mut lengths = Lengths::default();
        for block in found.values() {
            let left_out = block.left_out();
            let element = block.element.max(1) as u64;
            if left_out > block.given.slack.max(element - 1) {
                let elements = block.given.room.div_ceil(element);
                lengths.longer.push((block.first.id, elements));
                lengths.warnings.push(format!(
                    "warning: {} leaves out a part of its block of {} bytes: {left_out} of them are in no checkpoint, and what the \
                     program keeps there is lost in a restart; register all that is allocated, or `{}[]`",
                    block.first.described(&block.first.name),
                    block.given.room,
                    block.first.name
                ));
            }
        }
        Ok(lengths)
    }
}
