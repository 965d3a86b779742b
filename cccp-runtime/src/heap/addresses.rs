//! Tables by address. One multiplication spreads addresses well enough; nobody chooses them to do harm.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};

/// Something about each of many addresses.
pub type Addresses<V> = HashMap<usize, V, Spread>;

/// The hash of one address.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spread(u64);

impl BuildHasher for Spread {
    type Hasher = Spread;

    fn build_hasher(&self) -> Spread {
        *self
    }
}

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_usize(usize::from(byte));
        }
    }

    fn write_usize(&mut self, address: usize) {
        let product = (self.0 ^ address as u64 >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = product ^ product >> 32;
    }
}
