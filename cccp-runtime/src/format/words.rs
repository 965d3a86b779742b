//! Arrays of 4- and 8-byte words: the bulk of every checkpoint, at nearly the speed of a copy.
//!
//! The words pass through a block on the stack that stays in the fastest cache, because the program's memory is bytes
//! here (it need not be aligned) while the XDR coder wants numbers. Floating-point words are moved as unsigned
//! numbers: their bits are the same on the wire, and no processor gets to quiet a signalling NaN.

use xdr_codec::{pack_array, unpack_array};

const BLOCK: usize = 512;

macro_rules! words {
    ($pack:ident, $unpack:ident, $word:ty, $size:literal) => {
        /// Appends the words of `memory` to `out` as XDR.
        pub(super) fn $pack(memory: &[u8], big_endian: bool, out: &mut Vec<u8>) {
            let swap = big_endian != cfg!(target_endian = "big");
            let mut block = [0 as $word; BLOCK];
            out.reserve(memory.len());
            for bytes in memory.chunks(BLOCK * $size) {
                let count = bytes.len() / $size;
                let words = &mut block[..count];
                for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<$size>().0) {
                    let native = <$word>::from_ne_bytes(*bytes);
                    *word = if swap { native.swap_bytes() } else { native };
                }
                // Appending to a vector cannot fail, and the count is that of the slice.
                let _ = pack_array(words, count, out, None);
            }
        }

        /// Fills `memory` with the XDR words of `bytes`, which are as long.
        pub(super) fn $unpack(bytes: &[u8], big_endian: bool, memory: &mut [u8]) {
            let swap = big_endian != cfg!(target_endian = "big");
            let mut block = [0 as $word; BLOCK];
            for (mut bytes, memory) in bytes
                .chunks(BLOCK * $size)
                .zip(memory.chunks_mut(BLOCK * $size))
            {
                let count = memory.len() / $size;
                let words = &mut block[..count];
                // The lengths are equal, so the coder cannot run out of bytes.
                let _ = unpack_array(&mut bytes, words, count, None);
                for (word, bytes) in words.iter().zip(memory.as_chunks_mut::<$size>().0) {
                    let native = if swap { word.swap_bytes() } else { *word };
                    *bytes = native.to_ne_bytes();
                }
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
