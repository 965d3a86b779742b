//! Maps and sets whose keys are numbers, addresses and names of the program itself.
//!
//! They are looked up at each directive in a loop. Nobody chooses such keys so that they collide, and a hash that excludes that costs
//! more than all the rest of a look-up.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A map.
pub type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<Mixed>>;
/// A set.
pub type QuickSet<K> = HashSet<K, BuildHasherDefault<Mixed>>;

/// An odd number with its bits well spread: 2⁶⁴ divided by the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The words of a key, multiplied into each other.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        // Products have their best bits above, and tables look at the lowest ones, too.
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_i32(&mut self, number: i32) {
        self.write_u64(number.cast_unsigned().into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(SPREAD);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hash::{BuildHasher, Hash};

    fn hash(key: impl Hash) -> u64 {
        BuildHasherDefault::<Mixed>::default().hash_one(key)
    }

    #[test]
    fn keys_that_are_close_together_differ_where_tables_look() {
        for step in [1u64, 8, 16, 4096] {
            let all = (0..256).map(|one| hash(one * step));
            let low: QuickSet<u64> = all.clone().map(|one| one & 1023).collect();
            let high: QuickSet<u64> = all.map(|one| one >> 57).collect();
            assert!(low.len() > 128, "{step}: {}", low.len());
            assert!(high.len() > 64, "{step}: {}", high.len());
        }
        assert_ne!(hash("first"), hash("second"));
        assert_ne!(hash((1u64, 2u32)), hash((2u64, 1u32)));
    }
}
