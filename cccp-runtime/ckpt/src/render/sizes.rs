//! Numbers and sizes that can be read.

use cccp::format::amount;

/// A number with its thousands apart: `12 345 678`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// So many of something: `1 file`, `12 files`.
pub fn count(number: u64, word: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {word}{ending}", thousands(number))
}

/// A number of bytes: three digits and a binary unit, or all digits when `exact`.
pub fn size(bytes: u64, exact: bool) -> String {
    match exact {
        true => thousands(bytes),
        false => amount(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1000), "1 000");
        assert_eq!(thousands(12_345_678), "12 345 678");
    }

    #[test]
    fn one_is_no_plural() {
        assert_eq!(count(1, "file"), "1 file");
        assert_eq!(count(0, "file"), "0 files");
        assert_eq!(count(1000, "rank"), "1 000 ranks");
    }

    #[test]
    fn sizes_have_three_digits_and_a_unit() {
        assert_eq!(size(0, false), "0 B");
        assert_eq!(size(1023, false), "1023 B");
        assert_eq!(size(1024, false), "1.00 KiB");
        assert_eq!(size(10 * 1024 + 512, false), "10.5 KiB");
        assert_eq!(size(1024 * 1024 - 1, false), "1.00 MiB");
        assert_eq!(size(300 << 30, false), "300 GiB");
        assert_eq!(size(u64::MAX, false), "16.0 EiB");
        assert_eq!(size(1 << 20, true), "1 048 576");
    }
}
