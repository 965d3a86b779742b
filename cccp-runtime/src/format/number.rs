//! Integers and bit-fields in the memory of any machine.
//!
//! Everything goes through 128 bits, where every C integer has its own value; these are the slow paths, arrays of
//! whole words go through `words`.

use super::types::BitField;

/// Reads up to eight bytes as an unsigned number.
pub(super) fn unsigned(bytes: &[u8], big_endian: bool) -> u64 {
    let join = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
    if big_endian {
        bytes.iter().fold(0, join)
    } else {
        bytes.iter().rev().fold(0, join)
    }
}

/// Reads up to eight bytes as a number.
pub(super) fn integer(bytes: &[u8], big_endian: bool, signed: bool) -> i128 {
    extend(unsigned(bytes, big_endian), bytes.len() as u32 * 8, signed)
}

/// Writes the low bytes of a number.
pub(super) fn put(value: i128, big_endian: bool, bytes: &mut [u8]) {
    let size = bytes.len();
    for (index, byte) in bytes.iter_mut().enumerate() {
        let place = if big_endian { size - 1 - index } else { index };
        *byte = (value >> (8 * place)) as u8;
    }
}

/// Whether a value fits into so many bits.
pub(super) fn fits(value: i128, bits: u32, signed: bool) -> bool {
    let (low, high) = if signed {
        (-(1i128 << (bits - 1)), 1i128 << (bits - 1))
    } else {
        (0, 1i128 << bits)
    };
    (low..high).contains(&value)
}

/// Reads a bit-field of the struct in `memory`.
pub(super) fn bits(memory: &[u8], field: BitField, big_endian: bool) -> i128 {
    let mut value = 0u64;
    for index in 0..field.width {
        let at = field.start + u64::from(index);
        let byte = memory[(at / 8) as usize];
        if big_endian {
            value = value << 1 | u64::from(byte >> (7 - at % 8) & 1);
        } else {
            value |= u64::from(byte >> (at % 8) & 1) << index;
        }
    }
    extend(value, field.width, field.signed)
}

/// Writes a bit-field of the struct in `memory`; its other bits stay.
pub(super) fn put_bits(value: i128, memory: &mut [u8], field: BitField, big_endian: bool) {
    for index in 0..field.width {
        let at = field.start + u64::from(index);
        let (place, shift) = if big_endian {
            (7 - at % 8, field.width - 1 - index)
        } else {
            (at % 8, index)
        };
        let bit = (value >> shift & 1) as u8;
        let byte = &mut memory[(at / 8) as usize];
        *byte = *byte & !(1 << place) | bit << place;
    }
}

fn extend(value: u64, bits: u32, signed: bool) -> i128 {
    let value = i128::from(value);
    if signed && bits > 0 && value >> (bits - 1) & 1 == 1 {
        value - (1i128 << bits)
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_sign_and_byte_order() {
        assert_eq!(integer(&[0xfe, 0xff], false, true), -2);
        assert_eq!(integer(&[0xff, 0xfe], true, true), -2);
        assert_eq!(integer(&[0xff, 0xfe], true, false), 0xfffe);
        let mut bytes = [0; 3];
        put(-2, true, &mut bytes);
        assert_eq!(bytes, [0xff, 0xff, 0xfe]);
        assert!(
            fits(-128, 8, true)
                && !fits(128, 8, true)
                && fits(255, 8, false)
                && !fits(-1, 8, false)
        );
    }

    #[test]
    fn s15_a_bit_field_is_found_by_its_mask_in_both_byte_orders() {
        // struct { int a : 5; unsigned b : 9; } with b all ones
        let little = BitField::from_mask(&[0xe0, 0x3f, 0, 0], false, false).unwrap();
        assert_eq!(
            little,
            BitField {
                start: 5,
                width: 9,
                signed: false
            }
        );
        let big = BitField::from_mask(&[0x07, 0xfc, 0, 0], true, false).unwrap();
        assert_eq!(
            big,
            BitField {
                start: 5,
                width: 9,
                signed: false
            }
        );
        for (field, big_endian) in [(little, false), (big, true)] {
            let mut memory = [0xa5u8; 4];
            put_bits(0x12d, &mut memory, field, big_endian);
            assert_eq!(bits(&memory, field, big_endian), 0x12d);
            put_bits(0x1ff, &mut memory, field, big_endian);
            let untouched: [u8; 4] = if big_endian {
                [0xf8, 0x03, 0xff, 0xff]
            } else {
                [0x1f, 0xc0, 0xff, 0xff]
            };
            assert!(
                memory
                    .iter()
                    .zip(untouched)
                    .all(|(byte, mask)| byte & mask == 0xa5 & mask)
            );
        }
        assert_eq!(
            BitField::from_mask(&[0x05], false, false),
            None,
            "a gap is not a bit-field"
        );
        assert_eq!(BitField::from_mask(&[0, 0], false, false), None);
    }

    #[test]
    fn s15_a_signed_bit_field_keeps_negative_values() {
        let field = BitField {
            start: 3,
            width: 6,
            signed: true,
        };
        for big_endian in [false, true] {
            let mut memory = [0u8; 2];
            put_bits(-17, &mut memory, field, big_endian);
            assert_eq!(bits(&memory, field, big_endian), -17);
        }
    }
}
