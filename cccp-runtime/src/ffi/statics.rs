//! The variables of cccp.h: the types of C, and the three that precompiled code looks at.
#![allow(non_upper_case_globals, reason = "the names are those of cccp.h")]

use std::ffi::{CStr, c_int, c_long, c_short, c_ulong};
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU64};

use super::mirror::{Frame, Type};
use crate::format::Kind;

/// A restart is in progress.
#[unsafe(no_mangle)]
pub static cccp_replaying: AtomicI32 = AtomicI32::new(0);

/// The next checkpoint call has to ask.
#[unsafe(no_mangle)]
pub static cccp_due: AtomicI32 = AtomicI32::new(0);

/// How many checkpoints the program has passed.
#[unsafe(no_mangle)]
pub static cccp_calls: AtomicU64 = AtomicU64::new(0);

/// How often the program has met loops and conditions around checkpoints.
#[unsafe(no_mangle)]
pub static cccp_turns: AtomicU64 = AtomicU64::new(0);

/// The frame that is about to call a client function.
#[unsafe(no_mangle)]
pub static cccp_calling: AtomicPtr<Frame> = AtomicPtr::new(std::ptr::null_mut());

/// As `Machine::host` says, which is no constant.
const LONG_DOUBLE: usize = if cfg!(target_arch = "x86") {
    12
} else if cfg!(all(
    target_pointer_width = "32",
    not(target_arch = "powerpc")
)) {
    8
} else {
    16
};

const fn scalar(kind: Kind, size: usize, name: &'static CStr) -> Type {
    Type {
        kind: kind as c_int,
        member_count: 0,
        size: size as c_ulong,
        name: name.as_ptr(),
        members: std::ptr::null(),
    }
}

/// `_Bool`
#[unsafe(no_mangle)]
pub static cccp_type_bool: Type = scalar(Kind::Bool, 1, c"_Bool");

/// `char`
#[unsafe(no_mangle)]
pub static cccp_type_char: Type = scalar(Kind::Char, 1, c"char");

/// `signed char`
#[unsafe(no_mangle)]
pub static cccp_type_schar: Type = scalar(Kind::SignedChar, 1, c"signed char");

/// `unsigned char`
#[unsafe(no_mangle)]
pub static cccp_type_uchar: Type = scalar(Kind::UnsignedChar, 1, c"unsigned char");

/// `short`
#[unsafe(no_mangle)]
pub static cccp_type_short: Type = scalar(Kind::Short, size_of::<c_short>(), c"short");

/// `unsigned short`
#[unsafe(no_mangle)]
pub static cccp_type_ushort: Type =
    scalar(Kind::UnsignedShort, size_of::<c_short>(), c"unsigned short");

/// `int`
#[unsafe(no_mangle)]
pub static cccp_type_int: Type = scalar(Kind::Int, size_of::<c_int>(), c"int");

/// `unsigned int`
#[unsafe(no_mangle)]
pub static cccp_type_uint: Type = scalar(Kind::UnsignedInt, size_of::<c_int>(), c"unsigned int");

/// `long`
#[unsafe(no_mangle)]
pub static cccp_type_long: Type = scalar(Kind::Long, size_of::<c_long>(), c"long");

/// `unsigned long`
#[unsafe(no_mangle)]
pub static cccp_type_ulong: Type =
    scalar(Kind::UnsignedLong, size_of::<c_long>(), c"unsigned long");

/// `long long`
#[unsafe(no_mangle)]
pub static cccp_type_llong: Type = scalar(Kind::LongLong, 8, c"long long");

/// `unsigned long long`
#[unsafe(no_mangle)]
pub static cccp_type_ullong: Type = scalar(Kind::UnsignedLongLong, 8, c"unsigned long long");

/// `float`
#[unsafe(no_mangle)]
pub static cccp_type_float: Type = scalar(Kind::Float, 4, c"float");

/// `double`
#[unsafe(no_mangle)]
pub static cccp_type_double: Type = scalar(Kind::Double, 8, c"double");

/// `long double`
#[unsafe(no_mangle)]
pub static cccp_type_ldouble: Type = scalar(Kind::LongDouble, LONG_DOUBLE, c"long double");

/// `float _Complex`
#[unsafe(no_mangle)]
pub static cccp_type_cfloat: Type = scalar(Kind::ComplexFloat, 8, c"float _Complex");

/// `double _Complex`
#[unsafe(no_mangle)]
pub static cccp_type_cdouble: Type = scalar(Kind::ComplexDouble, 16, c"double _Complex");

/// `long double _Complex`
#[unsafe(no_mangle)]
pub static cccp_type_cldouble: Type = scalar(
    Kind::ComplexLongDouble,
    2 * LONG_DOUBLE,
    c"long double _Complex",
);

/// `void *`
#[unsafe(no_mangle)]
pub static cccp_type_pointer: Type = scalar(Kind::Pointer, size_of::<usize>(), c"void *");

/// `FILE *`
#[unsafe(no_mangle)]
pub static cccp_type_stream: Type = Type {
    kind: 24,
    ..scalar(Kind::Pointer, size_of::<usize>(), c"FILE *")
};

/// `void (*)(void)`
#[unsafe(no_mangle)]
pub static cccp_type_function: Type = scalar(Kind::Function, size_of::<usize>(), c"void (*)(void)");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Machine;

    #[test]
    fn long_double_is_as_large_as_files_say() {
        assert_eq!(cccp_type_ldouble.size, Machine::host().long_double.into());
    }
}
