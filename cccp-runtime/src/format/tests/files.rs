//! Files as a whole: what goes in comes out, and nothing else ever does.

use super::samples::{bytes, checkpoint};
use crate::format::*;

fn opened(bytes: Vec<u8>) -> Result<File, FormatError> {
    File::open(Box::new(bytes))
}

/// The checkpoint with its data back in memory.
fn read_back(bytes: Vec<u8>) -> Result<Checkpoint, FormatError> {
    let file = opened(bytes)?;
    let mut checkpoint = file.checkpoint.clone();
    for register in checkpoint
        .sections
        .iter_mut()
        .flat_map(|section| &mut section.registers)
    {
        register.data = Data::Encoded(file.load(register)?);
    }
    Ok(checkpoint)
}

#[test]
fn s21_a_file_says_everything_by_itself() {
    for encoding in Encoding::ALL {
        for compress in [0, 1, 9] {
            let original = checkpoint(encoding);
            assert_eq!(read_back(bytes(&original, compress)).unwrap(), original);
        }
    }
}

#[test]
fn s22_compression_is_per_register_and_never_grows() {
    let original = checkpoint(Encoding::Xdr);
    let (plain, squeezed) = (bytes(&original, 0), bytes(&original, 6));
    assert!(squeezed.len() < plain.len());
    let file = opened(squeezed).unwrap();
    let compressed: Vec<bool> = file
        .checkpoint
        .sections
        .iter()
        .flat_map(|section| &section.registers)
        .map(|register| {
            matches!(
                register.data,
                Data::InFile {
                    compressed: true,
                    ..
                }
            )
        })
        .collect();
    assert!(compressed[0], "the field is smooth");
}

#[test]
fn s24_every_flipped_bit_is_detected() {
    for compress in [0, 6] {
        let good = bytes(&checkpoint(Encoding::Xdr), compress);
        for place in 0..good.len() * 8 {
            let mut bad = good.clone();
            bad[place / 8] ^= 1 << (place % 8);
            assert!(opened(bad).is_err(), "bit {place} of {}", good.len() * 8);
        }
    }
}

#[test]
fn s24_every_truncation_and_every_addition_is_detected() {
    let good = bytes(&checkpoint(Encoding::Native), 0);
    for length in 0..good.len() {
        assert!(opened(good[..length].to_vec()).is_err(), "{length} bytes");
    }
    for extra in 1..40 {
        let mut bad = good.clone();
        bad.resize(good.len() + extra, 0);
        assert!(opened(bad).is_err());
        let mut doubled = good.clone();
        doubled.extend_from_slice(&good[..extra * 20]);
        assert!(opened(doubled).is_err());
    }
}

/// Sets the checksums of a file right again after a change, so that the reader looks inside.
fn forge(bytes: &mut [u8]) {
    let end = bytes.len();
    let header = u64::from_be_bytes(bytes[16..24].try_into().unwrap()) as usize;
    let mut position = 0;
    for length in [24 + header, 8] {
        let length = match position {
            0 => length,
            _ => {
                8 + bytes[position..]
                    .first_chunk::<8>()
                    .map_or(0, |size| u64::from_be_bytes(*size)) as usize
            }
        };
        if position.saturating_add(length).saturating_add(4) > end {
            break;
        }
        let checksum = crc32fast::hash(&bytes[position..position + length]);
        bytes[position + length..][..4].copy_from_slice(&checksum.to_be_bytes());
        position += length + 4;
    }
    let checksum = crc32fast::hash(&bytes[..end - 4]);
    bytes[end - 4..].copy_from_slice(&checksum.to_be_bytes());
}

#[test]
fn s25_wrong_contents_under_right_checksums_never_crash_the_reader() {
    let good = bytes(&checkpoint(Encoding::Xdr), 6);
    let mut state = 7u64;
    let mut random = move || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize
    };
    let mut refused = 0;
    for round in 0..20_000 {
        let mut bad = good.clone();
        for _ in 0..=round % 3 {
            let place = 24 + random() % (good.len() - 40);
            bad[place] = [0, 1, 0xff, 0x7f, 0x80, random() as u8][random() % 6];
        }
        forge(&mut bad);
        refused += usize::from(read_back(bad).is_err());
    }
    assert!(refused > 1000, "{refused}");
}

#[test]
fn s25_garbage_never_crashes_the_reader() {
    let mut state = 99u64;
    for length in (0..3000).step_by(13) {
        let mut garbage: Vec<u8> = (0..length)
            .map(|_| {
                state = state
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                (state >> 56) as u8
            })
            .collect();
        assert!(opened(garbage.clone()).is_err());
        if length >= 40 {
            garbage[..8].copy_from_slice(&MAGIC);
            garbage[8..16].copy_from_slice(&[0, 0, 0, 1, 0, 0, 0, 0]);
            garbage[16..24].copy_from_slice(&8u64.to_be_bytes());
            garbage[length - 12..length - 4].copy_from_slice(&(length as u64).to_be_bytes());
            forge(&mut garbage);
            assert!(opened(garbage).is_err());
        }
    }
}

#[test]
fn s25_foreign_and_newer_files_get_a_sentence() {
    let good = bytes(&checkpoint(Encoding::Xdr), 0);
    let sentence = |bytes: Vec<u8>| opened(bytes).unwrap_err().to_string();
    assert_eq!(sentence(Vec::new()), "not a checkpoint file: it is empty");
    assert_eq!(
        sentence(b"#!/bin/sh\nexit 0\n".to_vec()),
        "not a checkpoint file: it begins with other bytes"
    );
    let mut text: Vec<u8> = good.clone();
    text.remove(4);
    assert!(sentence(text).contains("binary mode"));
    let mut newer = good.clone();
    newer[11] = 2;
    newer[15] = 0;
    assert_eq!(
        sentence(newer),
        "written in format version 2.0; this library reads versions up to 1"
    );
    assert!(sentence(good[..good.len() - 1].to_vec()).contains("cut short"));
}

#[test]
fn s22_the_writer_refuses_more_or_less_than_was_announced() {
    let original = checkpoint(Encoding::Xdr);
    let register = &original.sections[0].registers[0];
    let mut out = Vec::new();
    let mut writer = Writer::new(&mut out, &original, 1, 0).unwrap();
    assert!(writer.register(register, &[]).is_err());
    writer.section(0, 1).unwrap();
    assert!(writer.section(1, 1).is_err());
    assert!(writer.finish().is_err());
}

#[test]
fn s22_values_that_come_in_pieces_give_the_same_file() {
    let mut original = checkpoint(Encoding::Xdr);
    let field = &mut original.sections[0].registers[0];
    let numbers = 3 * CHUNK as u64 / 16;
    (field.elements, field.extents) = (numbers, vec![numbers]);
    field.data = Data::Encoded((0..numbers).flat_map(|n| (n / 9).to_be_bytes()).collect());
    for compress in [0, 1] {
        let whole = bytes(&original, compress);
        for piece in [999, CHUNK, CHUNK + 1] {
            let mut out = Vec::new();
            let mut writer = Writer::new(&mut out, &original, 3, compress).unwrap();
            for section in &original.sections {
                let registers = section.registers.len() as u32;
                writer.section(section.number, registers).unwrap();
                for register in &section.registers {
                    let Data::Encoded(data) = &register.data else {
                        panic!("its data are in memory");
                    };
                    writer.begin_register(register).unwrap();
                    for piece in data.chunks(piece) {
                        writer.values(piece).unwrap();
                    }
                    writer.end_register().unwrap();
                }
            }
            assert_eq!(writer.finish().unwrap(), whole.len() as u64);
            assert!(out == whole, "pieces of {piece}");
        }
    }
}
