//! What differs between machines in the sizes of types, read from the compiler's own macros.
//!
//! A compiler that does not define them is taken for one of a 64-bit Linux machine.

use crate::source::SourceFile;

/// Sizes and alignments of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Bytes of `long`.
    pub long: u64,
    /// Bytes of a pointer.
    pub pointer: u64,
    /// Bytes of `long double`.
    pub long_double: u64,
    /// The largest alignment of a scalar inside a struct.
    pub most_alignment: u64,
}

impl Machine {
    /// The machine a file was preprocessed for.
    pub fn of(file: &SourceFile) -> Machine {
        let end = file.preprocessed.len();
        Machine {
            long: Machine::bytes_of_long(file),
            pointer: number(file, "__SIZEOF_POINTER__").unwrap_or(8),
            long_double: number(file, "__SIZEOF_LONG_DOUBLE__").unwrap_or(16),
            // The System V ABI of 32-bit x86 aligns double and long long to four bytes in structs.
            most_alignment: if file.macro_at("__i386__", end).is_some() {
                4
            } else {
                16
            },
        }
    }

    /// Bytes of `long` alone.
    pub fn bytes_of_long(file: &SourceFile) -> u64 {
        number(file, "__SIZEOF_LONG__")
            .or_else(|| number(file, "__SIZEOF_POINTER__"))
            .unwrap_or(8)
    }

    /// Whether `char` without a word before it has negative numbers.
    pub fn char_is_signed(file: &SourceFile) -> bool {
        let end = file.preprocessed.len();
        file.macro_at("__CHAR_UNSIGNED__", end).is_none()
    }
}

fn number(file: &SourceFile, name: &str) -> Option<u64> {
    let text = &file.macro_at(name, file.preprocessed.len())?.body;
    text.trim().parse().ok()
}
