//! What is left of a damaged file: every single damage is found, and what is called sound is what was written.

use super::samples::{bytes, checkpoint};
use crate::format::*;

/// All registers of a checkpoint with their encoded values.
fn registers(original: &Checkpoint) -> Vec<(u64, &Register, &[u8])> {
    let sections = original.sections.iter();
    sections
        .flat_map(|section| {
            section.registers.iter().map(|register| {
                let Data::Encoded(data) = &register.data else {
                    panic!("in memory")
                };
                (section.number, register, &data[..])
            })
        })
        .collect()
}

/// Salvages; checks that whatever is called sound is so. Gives how many registers could be read.
fn check(original: &Checkpoint, damaged: Vec<u8>, what: &str) -> Option<usize> {
    let remains = salvage(Box::new(damaged)).ok()?;
    assert!(!remains.damage.is_empty(), "{what}: nothing is wrong?");
    if let Some(header) = &remains.header {
        assert_eq!(header, &original.header, "{what}");
    }
    let known = registers(original);
    for one in remains.registers.iter().filter(|one| one.is_certain) {
        let plain = |register: &Register| Register {
            data: Data::Encoded(Vec::new()),
            ..register.clone()
        };
        let found = known.iter().any(|(section, register, _)| {
            *section == one.section && plain(register) == plain(&one.register)
        });
        assert!(found, "{what}: {:?}", one.register);
    }
    let file = remains.file?;
    assert_eq!(file.checkpoint.types, original.types, "{what}");
    let mut read = 0;
    let mut batch = Vec::new();
    for register in file.checkpoint.sections.iter().flat_map(|s| &s.registers) {
        let data = file
            .load(register)
            .unwrap_or_else(|error| panic!("{what}: {error}"));
        assert!(
            known.iter().any(|(_, _, known)| *known == data),
            "{what} {register:?} {data:?} {:?}",
            remains.damage
        );
        let mut values = file.values(register).unwrap();
        while matches!(values.next(&mut batch), Ok(true)) {}
        read += 1;
    }
    Some(read)
}

#[test]
fn s25_after_any_flipped_bit_what_is_called_sound_is_what_was_written() {
    // Every bit once; the other encodings differ in the data only.
    for (encoding, compress, step) in [
        (Encoding::Xdr, 0, 1),
        (Encoding::Native, 0, 13),
        (Encoding::Xdr, 6, 3),
    ] {
        let original = checkpoint(encoding);
        let whole = bytes(&original, compress);
        let (mut some, mut all) = (0, 0);
        for bit in (0..8 * whole.len()).step_by(step) {
            let mut damaged = whole.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            match check(&original, damaged, &format!("{encoding:?} bit {bit}")) {
                Some(3) => all += 1,
                Some(1..) => some += 1,
                _ => {}
            }
        }
        assert!(
            some > whole.len() / step && all > 0,
            "{some} and {all} of {}",
            8 * whole.len()
        );
    }
}

#[test]
fn s25_of_a_file_that_was_cut_short_the_registers_before_the_cut_are_read() {
    let original = checkpoint(Encoding::Xdr);
    let whole = bytes(&original, 0);
    let found: Vec<usize> = (0..whole.len())
        .map(|length| {
            check(
                &original,
                whole[..length].to_vec(),
                &format!("{length} bytes"),
            )
            .unwrap_or(0)
        })
        .collect();
    assert!(found.is_sorted(), "a longer piece never has less");
    assert_eq!(found.last(), Some(&3));
    assert!(found.contains(&1) && found.contains(&2));
}

#[test]
fn s25_random_damage_never_makes_salvage_panic_or_ask_for_much_memory() {
    let mut state = 7u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    let original = checkpoint(Encoding::Native);
    let whole = bytes(&original, 0);
    for round in 0..5_000 {
        let mut damaged = whole.clone();
        for _ in 0..=random(4) {
            let place = 16 + random(damaged.len() - 16);
            let length = (1 + random(8)).min(damaged.len() - place);
            let value = [0, 0xff, 0x7f, random(256) as u8][random(4)];
            damaged[place..place + length].fill(value);
        }
        if damaged != whole {
            check(&original, damaged, &format!("round {round}"));
        }
    }
}

#[test]
fn s21_the_header_is_read_alone_and_a_file_that_was_cut_short_shows_it() {
    let original = checkpoint(Encoding::Xdr);
    let whole = bytes(&original, 0);
    let head = Head::read(&whole).unwrap();
    assert_eq!(head.header, original.header);
    assert_eq!(head.version, (MAJOR, MINOR));
    assert!(head.is_whole);
    let short = whole[..whole.len() - 4].to_vec();
    assert!(!Head::read(&short).unwrap().is_whole);
    let mut damaged = whole.clone();
    damaged[40] ^= 1;
    assert!(matches!(
        Head::read(&damaged),
        Err(FormatError::Damaged { .. })
    ));
}
