//! Every bit and every length of a small file with everything in it, in every encoding, compressed and not: as damage leaves them, and
//! with the checksums set right again, so that each check has to prove itself.

use std::rc::Rc;

use cccp::format::{Checkpoint, Data, Encoding};

use crate::anatomy::{Field, Role, Seal, assemble, checksums, dissect, places, seal};
use crate::everything::everything;
use crate::reader::{decode_all, examine};
use crate::samples::bytes as written;

/// Every value of these means something, and nothing else says what it has to be.
const FREE: [&str; 13] = [
    "fingerprint",
    "time",
    "line of the checkpoint",
    "line of a function",
    "fingerprint of a function",
    "line of a register",
    "address",
    "sequence",
    "block",
    "instance",
    "item",
    "number of the section",
    "region",
];

/// A file with a bit flipped here is refused, whatever its checksums say.
const NEVER: [&str; 21] = [
    "magic",
    "major version",
    "padding",
    "length of the header",
    "length of the description",
    "length of the head",
    "length of the file",
    "size of a pointer",
    "size of a long",
    "types",
    "functions",
    "nodes",
    "sections",
    "registers",
    "bytes per element",
    "elements",
    "extents",
    "extent",
    "raw length",
    "stored length",
    "callee",
];

fn each(work: impl Fn(Encoding, u32, &[u8])) {
    for encoding in Encoding::ALL {
        for compress in [0, 6] {
            let good = written(&everything(encoding), compress);
            work(encoding, compress, &good);
        }
    }
}

fn flipped(good: &[u8], bit: usize) -> Vec<u8> {
    let mut bad = good.to_vec();
    bad[bit / 8] ^= 1 << (bit % 8);
    bad
}

#[test]
fn s24_every_flipped_bit_of_every_encoding_is_detected() {
    each(|encoding, compress, good| {
        assert!(examine(good.to_vec()).unwrap() == everything(encoding));
        for bit in 0..good.len() * 8 {
            assert!(
                examine(flipped(good, bit)).is_err(),
                "{encoding:?} {compress}: bit {bit}"
            );
        }
    });
}

#[test]
fn s24_every_truncation_of_every_encoding_is_detected() {
    each(|encoding, compress, good| {
        for length in 0..good.len() {
            let mut short = good[..length].to_vec();
            assert!(
                examine(short.clone()).is_err(),
                "{encoding:?} {compress}: {length} bytes"
            );
            // With an end that says that nothing is missing.
            short.extend_from_slice(&(length as u64 + 12).to_be_bytes());
            short.extend_from_slice(&crc32fast::hash(&short).to_be_bytes());
            let whole = length == good.len() - 12;
            assert_eq!(
                examine(short).is_ok(),
                whole,
                "{encoding:?} {compress}: {length} bytes and an end"
            );
        }
    });
}

#[test]
fn s24_the_inner_checksums_detect_every_flipped_bit_alone() {
    each(|encoding, compress, good| {
        let fields = dissect(good);
        assert!(assemble(&fields, Seal::Lengths) == good);
        let end = good.len() - 4;
        for bit in 0..end * 8 {
            let mut bad = flipped(good, bit);
            let checksum = crc32fast::hash(&bad[..end]);
            bad[end..].copy_from_slice(&checksum.to_be_bytes());
            assert!(
                examine(bad).is_err(),
                "{encoding:?} {compress}: bit {bit} under a right CRC-32 of the file"
            );
        }
    });
}

/// Reads a file whose checksums are right. Where it is taken, it must be taken for what it is: what was read, written
/// again, is the file.
fn taken(bad: Vec<u8>, original: &Checkpoint, compress: u32, what: &str) -> bool {
    let Ok(found) = examine(bad.clone()) else {
        return false;
    };
    if found.types != original.types || found.sections != original.sections {
        decode_all(&found, original);
    }
    match what {
        // A newer minor version of the same file.
        "minor version" => assert!(found == *original),
        // How compressed chunks are arranged: other bytes for the same values, or other values.
        "word" if compress == 0 => assert!(found == *original),
        _ if compress > 0 => {
            if ["word", "data"].contains(&what) {
                assert_eq!(lengths(&found), lengths(original));
            }
            assert!(examine(written(&found, compress)).is_ok_and(|again| again == found));
        }
        _ => {
            let again = written(&found, compress);
            assert!(again == bad || without_words(&again) == without_words(&bad));
        }
    }
    true
}

/// What a file says, but for the words of compression, which a writer may choose.
fn without_words(bytes: &[u8]) -> Vec<Rc<Vec<u8>>> {
    let kept = |field: &Field| field.what != "word" && !matches!(field.role, Role::Checksum(_));
    let fields = dissect(bytes).into_iter().filter(kept);
    fields.map(|field| field.bytes).collect()
}

fn lengths(checkpoint: &Checkpoint) -> Vec<usize> {
    let all = checkpoint.sections.iter().flat_map(|one| &one.registers);
    all.map(|register| match &register.data {
        Data::Encoded(data) => data.len(),
        Data::InFile { .. } => 0,
    })
    .collect()
}

#[test]
fn s25_a_flipped_bit_under_right_checksums_is_refused_or_read_as_it_stands() {
    each(|encoding, compress, good| {
        let original = everything(encoding);
        let fields = dissect(good);
        let checksums = checksums(&fields);
        // The head of a compressed file is that of the other.
        let first = match compress {
            0 => 0,
            _ => fields
                .iter()
                .position(|field| field.what == "sections")
                .unwrap(),
        };
        for (field, place) in fields.iter().zip(places(&fields)).skip(first) {
            if matches!(field.role, Role::Checksum(_)) {
                continue;
            }
            for bit in 0..place.len() * 8 {
                let mut bad = flipped(good, place.start * 8 + bit);
                seal(&mut bad, &checksums);
                let taken = taken(bad, &original, compress, field.what);
                let what = field.what;
                let place = place.start;
                if FREE.contains(&what) {
                    assert!(taken, "{encoding:?}: bit {bit} of {what} at {place}");
                }
                if NEVER.contains(&what) {
                    assert!(!taken, "{encoding:?}: bit {bit} of {what} at {place}");
                }
            }
        }
    });
}

#[test]
fn s24_what_is_added_at_the_end_is_detected_even_with_a_right_end() {
    each(|encoding, compress, good| {
        for extra in 1..80 {
            let mut long = good.to_vec();
            long.extend_from_slice(&good[..extra]);
            assert!(
                examine(long).is_err(),
                "{encoding:?} {compress}: {extra} more"
            );
            let mut fields = dissect(good);
            let at = fields.len() - 2;
            let mut added = fields[at].clone();
            added.role = Role::Content;
            added.bytes = Rc::new(vec![0; extra]);
            fields.insert(at, added);
            assert!(examine(assemble(&fields, Seal::Lengths)).is_err());
        }
    });
}

#[test]
fn s24_halves_of_two_generations_are_not_a_file() {
    let all = Encoding::ALL.map(|one| [(one, 0), (one, 6)]);
    for (encoding, compress) in all.concat() {
        let mut newer = everything(encoding);
        newer.header.generation += 1;
        newer.header.time += 60;
        for register in crate::reader::registers(&mut newer) {
            if let ("u", Data::Encoded(data)) = (register.name.as_str(), &mut register.data) {
                data.reverse();
            }
        }
        let (old, new) = (
            written(&everything(encoding), compress),
            written(&newer, compress),
        );
        for cut in 1..old.len().min(new.len()) {
            for (head, tail) in [(&old, &new), (&new, &old)] {
                let from = cut + tail.len() - old.len().min(new.len());
                let mixed = [&head[..cut], &tail[from.min(tail.len())..]].concat();
                if mixed != *head && mixed != *tail {
                    assert!(
                        examine(mixed).is_err(),
                        "{encoding:?} {compress}: cut at {cut}"
                    );
                }
            }
        }
    }
}
