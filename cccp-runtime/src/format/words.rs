//! Arrays of 4- and 8-byte words: the bulk of every checkpoint, at nearly the speed of a copy.
//!
//! XDR words are those of memory in big-endian order. They are turned round by our own loops, which the compiler makes
//! into vector instructions; the XDR crate packs number by number at half the speed. Floating-point words are moved as
//! unsigned numbers: their bits are the same on the wire, and no processor gets to quiet a signalling NaN. The vector
//! grows block by block: the zeros that it grows by are still in the fastest cache when they are written over.

const BLOCK: usize = 4096;

macro_rules! words {
    ($pack:ident, $unpack:ident, $word:ty, $size:literal) => {
        /// Appends the words of `memory` to `out` as XDR.
        pub(super) fn $pack(memory: &[u8], big_endian: bool, out: &mut Vec<u8>) {
            if big_endian {
                out.extend_from_slice(memory);
                return;
            }
            if memory.len() <= 8 * $size {
                for word in memory.as_chunks::<$size>().0 {
                    out.extend_from_slice(&<$word>::from_le_bytes(*word).to_be_bytes());
                }
                return;
            }
            out.reserve(memory.len());
            for memory in memory.chunks(BLOCK) {
                let start = out.len();
                out.resize(start + memory.len(), 0);
                $unpack(memory, false, &mut out[start..]);
            }
        }

        /// Fills `memory` with the XDR words of `bytes`, which are as long.
        pub(super) fn $unpack(bytes: &[u8], big_endian: bool, memory: &mut [u8]) {
            if big_endian {
                memory.copy_from_slice(bytes);
                return;
            }
            let words = bytes.as_chunks::<$size>().0;
            for (word, memory) in words.iter().zip(memory.as_chunks_mut::<$size>().0) {
                *memory = <$word>::from_be_bytes(*word).to_le_bytes();
            }
        }
    };
}

words!(pack4, unpack4, u32, 4);
words!(pack8, unpack8, u64, 8);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_big_endian_on_the_wire_whatever_the_memory() {
        let mut out = Vec::new();
        pack4(&[1, 2, 3, 4], false, &mut out);
        pack4(&[1, 2, 3, 4], true, &mut out);
        pack8(&[1, 2, 3, 4, 5, 6, 7, 8], false, &mut out);
        assert_eq!(out, [4, 3, 2, 1, 1, 2, 3, 4, 8, 7, 6, 5, 4, 3, 2, 1]);
    }

    #[test]
    fn long_arrays_come_back() {
        let memory: Vec<u8> = (0..8 * 1700u32)
            .map(|index| (index * 7 % 251) as u8)
            .collect();
        for big_endian in [false, true] {
            let (mut four, mut eight) = (Vec::new(), Vec::new());
            pack4(&memory, big_endian, &mut four);
            pack8(&memory, big_endian, &mut eight);
            let mut back = vec![0; memory.len()];
            unpack4(&four, big_endian, &mut back);
            assert_eq!(back, memory);
            unpack8(&eight, big_endian, &mut back);
            assert_eq!(back, memory);
        }
    }
}
