//! For which machine a file was preprocessed.
//!
//! Descriptors, moved calls and temporaries hold what the preprocessor's headers said about the machine (`int64_t` is
//! `long` here and `long long` there), so a result is for one kind of machine. In: the compiler's own macros. Out: what
//! must not hold where the result is compiled. A compiler that does not define such macros is believed.

use super::SourceFile;

/// Sizes and formats that differ between machines.
const NUMBERS: [&str; 6] = [
    "__SIZEOF_LONG__",
    "__SIZEOF_POINTER__",
    "__SIZEOF_LONG_DOUBLE__",
    "__LDBL_MANT_DIG__",
    "__SIZEOF_WCHAR_T__",
    "__BYTE_ORDER__",
];

/// Architectures whose macros, or whose headers, differ where the numbers do not.
const ARCHITECTURES: [&str; 10] = [
    "__x86_64__",
    "__i386__",
    "__aarch64__",
    "__arm__",
    "__s390x__",
    "__powerpc64__",
    "__powerpc__",
    "__riscv",
    "__loongarch__",
    "__sparc__",
];

/// Conditions of the preprocessor, each of which holds on other machines only.
pub fn other_machine(file: &SourceFile) -> Vec<String> {
    let end = file.preprocessed.len();
    let numbers = NUMBERS.iter().filter_map(|name| {
        let body = &file.macro_at(name, end)?.body;
        Some(format!("{name} != {}", body.trim()))
    });
    let conditions: Vec<String> = numbers.collect();
    if conditions.len() < NUMBERS.len() {
        return Vec::new();
    }
    let architecture = ARCHITECTURES
        .iter()
        .find(|name| file.macro_at(name, end).is_some())
        .map(|name| format!("!defined {name}"));
    conditions.into_iter().chain(architecture).collect()
}
