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
        let number = |name: &str| -> Option<u64> {
            let text = &file.macro_at(name, end)?.body;
            text.trim().parse().ok()
        };
        let pointer = number("__SIZEOF_POINTER__").unwrap_or(8);
        Machine {
            long: number("__SIZEOF_LONG__").unwrap_or(pointer),
            pointer,
            long_double: number("__SIZEOF_LONG_DOUBLE__").unwrap_or(16),
            // The System V ABI of 32-bit x86 aligns double and long long to four bytes in structs.
            most_alignment: if file.macro_at("__i386__", end).is_some() {
                4
            } else {
                16
            },
        }
    }
}
