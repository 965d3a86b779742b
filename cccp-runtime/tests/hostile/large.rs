//! A file of tens of mebibytes: bits, lengths and blocks of it, at places that a fixed sequence of random numbers
//! chooses. What damage does is done in passing, so that the file is there once.

use std::sync::Arc;

use cccp::format::{Checkpoint, Data, Encoding, File, Register, Section, Source};

use crate::everything::everything;
use crate::mutations::Random;
use crate::samples::bytes;

const BLOCK: usize = 4096;

/// A file seen through damage: bytes come from elsewhere.
struct Damaged<F: Fn(usize) -> Place + Send + Sync> {
    bytes: Arc<Vec<u8>>,
    length: usize,
    place: F,
}

/// Where the bytes of a block come from.
enum Place {
    Block(usize),
    Zeros,
    Flipped(usize, u8),
}

impl<F: Fn(usize) -> Place + Send + Sync> Source for Damaged<F> {
    fn length(&self) -> std::io::Result<u64> {
        Ok(self.length as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
        let mut at = offset as usize;
        if at + buffer.len() > self.length {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        let mut rest = buffer;
        while !rest.is_empty() {
            let size = (BLOCK - at % BLOCK).min(rest.len());
            let (piece, after) = rest.split_at_mut(size);
            let own = at - at % BLOCK;
            let from = |block: usize| block * BLOCK + at % BLOCK;
            match (self.place)(own / BLOCK) {
                Place::Zeros => piece.fill(0),
                Place::Block(block) => {
                    let start = from(block).min(self.bytes.len());
                    let end = (start + size).min(self.bytes.len());
                    piece[..end - start].copy_from_slice(&self.bytes[start..end]);
                    piece[end - start..].fill(0);
                }
                Place::Flipped(byte, mask) => {
                    piece.copy_from_slice(&self.bytes[at..at + size]);
                    if (at..at + size).contains(&byte) {
                        piece[byte - at] ^= mask;
                    }
                }
            }
            at += size;
            rest = after;
        }
        Ok(())
    }
}

/// Several chunks of numbers without a pattern, and some that compress well.
fn large(encoding: Encoding) -> Checkpoint {
    let mut checkpoint = everything(encoding);
    let mut random = Random(5);
    let noise: Vec<u8> = (0..12 << 17)
        .flat_map(|_| random.next().to_be_bytes())
        .collect();
    let smooth: Vec<u8> = (0..12u64 << 17)
        .flat_map(|at| (at / 64).to_be_bytes())
        .collect();
    let template = checkpoint.sections[0].registers[1].clone();
    let register = |id, data: Vec<u8>| Register {
        id,
        name: format!("large {id}"),
        elements: data.len() as u64 / 8,
        extents: vec![data.len() as u64 / 8],
        data: Data::Encoded(data),
        ..template.clone()
    };
    checkpoint.sections.push(Section {
        number: 9,
        registers: vec![register(100, noise), register(101, smooth)],
    });
    checkpoint
}

fn refused(
    file: &Arc<Vec<u8>>,
    length: usize,
    what: &str,
    place: impl Fn(usize) -> Place + Send + Sync + 'static,
) {
    let source = Damaged {
        bytes: file.clone(),
        length,
        place,
    };
    assert!(File::open(Box::new(source)).is_err(), "{what}");
}

#[test]
fn s24_a_large_file_is_refused_whatever_happens_to_a_bit_a_block_or_its_end() {
    for (encoding, compress) in [(Encoding::Xdr, 0), (Encoding::Native, 1)] {
        let file = Arc::new(bytes(&large(encoding), compress));
        let length = file.len();
        assert!(length > 12 << 20);
        let mut random = Random(compress.into());
        let blocks = length.div_ceil(BLOCK);
        let same = |one: usize, other: usize| {
            let block = |at: usize| &file[at * BLOCK..((at + 1) * BLOCK).min(length)];
            block(one) == block(other)
        };
        for _ in 0..40 {
            let (byte, bit) = (random.below(length), random.below(8));
            refused(
                &file,
                length,
                &format!("bit {bit} of byte {byte}"),
                move |_| Place::Flipped(byte, 1 << bit),
            );
            let short = random.below(length);
            refused(&file, short, &format!("cut at {short}"), Place::Block);
        }
        for _ in 0..10 {
            let (one, other) = (random.below(blocks - 1), random.below(blocks - 1));
            let name = format!("blocks {one} and {other}");
            if !same(one, other) {
                refused(&file, length, &format!("{name} exchanged"), move |block| {
                    Place::Block(match block {
                        _ if block == one => other,
                        _ if block == other => one,
                        _ => block,
                    })
                });
                refused(&file, length, &format!("{name} alike"), move |block| {
                    Place::Block(if block == one { other } else { block })
                });
            }
            refused(
                &file,
                length - BLOCK,
                &format!("{name}: one lost"),
                move |block| Place::Block(block + usize::from(block >= one)),
            );
            refused(
                &file,
                length + BLOCK,
                &format!("{name}: one twice"),
                move |block| Place::Block(block - usize::from(block > one)),
            );
            let zeros = file[one * BLOCK..][..BLOCK].iter().all(|byte| *byte == 0);
            if !zeros {
                refused(&file, length, &format!("block {one} zero"), move |block| {
                    if block == one {
                        Place::Zeros
                    } else {
                        Place::Block(block)
                    }
                });
            }
        }
    }
}

#[test]
fn s24_every_block_of_a_small_file_that_is_lost_doubled_exchanged_or_zero_is_detected() {
    // Blocks of 512 bytes, the smallest that a disk writes.
    const SMALL: usize = 512;
    for (encoding, compress) in [(Encoding::Xdr, 0), (Encoding::Native, 6)] {
        let good = bytes(&everything(encoding), compress);
        let blocks: Vec<&[u8]> = good.chunks(SMALL).collect();
        let refuse = |blocks: &[&[u8]], what: &str| {
            let bad = blocks.concat();
            if bad != good {
                assert!(File::open(Box::new(bad)).is_err(), "{what}");
            }
        };
        for one in 0..blocks.len() {
            let mut lost = blocks.clone();
            lost.remove(one);
            refuse(&lost, "lost");
            let mut zero = blocks.clone();
            zero[one] = &[0; SMALL][..blocks[one].len()];
            refuse(&zero, "zero");
            for other in 0..blocks.len() {
                let mut twice = blocks.clone();
                twice.insert(other, blocks[one]);
                refuse(&twice, "twice");
                let mut alike = blocks.clone();
                alike[other] = blocks[one];
                refuse(&alike, "alike");
                let mut exchanged = blocks.clone();
                exchanged.swap(one, other);
                refuse(&exchanged, "exchanged");
            }
        }
    }
}
