//! The allocated blocks that items bring: found for a checkpoint.
//!
//! In: the registers on the way, with their places. Out: pools, each with numbers of its own in the file, and what
//! pointers into them mean.

use std::collections::BTreeMap;

use crate::generation::{Blocks, Extent};
use crate::heap::{Object, Pool, Reached, Scan};
use crate::registry::{FOLLOW, Register, RegisterId, WHOLE};

use super::Session;

/// Pools with the numbers of their registers.
#[derive(Debug)]
pub struct Numbered {
    /// The pools.
    pub reached: Reached,
    /// The registers of the objects that brought them.
    objects: Vec<RegisterId>,
    /// The number of the first pool's register; every pool takes two.
    first: u64,
}

impl Numbered {
    /// The pools that an item brought, with the numbers of their registers.
    pub fn of(&self, item: RegisterId) -> impl Iterator<Item = (u64, &Pool, &Reached)> {
        let pools = self.reached.pools.iter().enumerate();
        pools
            .filter(move |(_, pool)| self.objects[pool.object] == item)
            .map(|(number, pool)| (self.id(number), pool, &self.reached))
    }

    fn id(&self, pool: usize) -> u64 {
        self.first + 2 * pool as u64
    }
}

impl Blocks for Numbered {
    fn find(&self, address: usize, at_end: bool) -> Option<(u64, u32, u64, usize, bool)> {
        let (pool, element, byte, ended) = self.reached.find(address, at_end)?;
        let kind = self.reached.pools[pool].type_index;
        Some((self.id(pool), kind, element, byte, ended))
    }
}

/// How the blocks of an item are called in a file: `p[]`, `follow(head): struct node`.
pub fn brought(register: &Register, kind: &str) -> String {
    match register.flags & FOLLOW {
        0 => format!("{}[]", register.name),
        _ => format!("follow({}): {kind}", register.name),
    }
}

impl Session {
    /// Finds all blocks that the items bring; none when no item brings any.
    pub(super) fn reach(
        &self,
        extents: &BTreeMap<RegisterId, Extent>,
    ) -> Result<Option<Numbered>, String> {
        let brings = |one: &&Register| {
            one.flags & (WHOLE | FOLLOW) != 0 && extents.contains_key(&one.id)
        };
        let items: Vec<&Register> = self.registers.iter().filter(brings).collect();
        if items.is_empty() {
            return Ok(None);
        }
        let objects: Vec<Object> = items
            .iter()
            .map(|one| Object {
                extent: extents[&one.id],
                follow: one.flags & FOLLOW != 0,
                holder: format!(
                    "{}, registered by {} ({}:{})",
                    match one.flags & FOLLOW {
                        0 => format!("`{}[]`", one.name),
                        _ => format!("`follow({})`", one.name),
                    },
                    one.function.name,
                    one.function.file,
                    one.line
                ),
            })
            .collect();
        let registered = extents.values().copied().collect();
        let reached = Scan::new(&self.program, &self.types, registered).run(&objects)?;
        Ok(Some(Numbered {
            reached,
            objects: items.iter().map(|one| one.id).collect(),
            first: extents.keys().next_back().map_or(1, |last| last + 1),
        }))
    }
}
