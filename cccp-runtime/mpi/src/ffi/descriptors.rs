//! MPI's elements as the type descriptions of cccp.h.

use std::ffi::{CStr, c_char, c_int, c_long, c_short, c_ulong, c_void};
use std::mem::offset_of;

use cccp::format::Kind;

use crate::comm::Element;

/// `cccp_type` of cccp.h.
#[repr(C)]
pub struct Type {
    kind: c_int,
    member_count: c_int,
    size: c_ulong,
    name: *const c_char,
    members: *const Member,
}

/// `cccp_member` of cccp.h.
#[repr(C)]
pub struct Member {
    name: *const c_char,
    kind: *const Type,
    offset: c_ulong,
    count: u64,
    mask: *const c_void,
}

// SAFETY: descriptions are constants.
unsafe impl Sync for Type {}
// SAFETY: descriptions are constants.
unsafe impl Sync for Member {}

unsafe extern "C" {
    static cccp_type_bool: Type;
    static cccp_type_char: Type;
    static cccp_type_schar: Type;
    static cccp_type_uchar: Type;
    static cccp_type_short: Type;
    static cccp_type_ushort: Type;
    static cccp_type_int: Type;
    static cccp_type_uint: Type;
    static cccp_type_long: Type;
    static cccp_type_ulong: Type;
    static cccp_type_llong: Type;
    static cccp_type_ullong: Type;
    static cccp_type_float: Type;
    static cccp_type_double: Type;
    static cccp_type_ldouble: Type;
    static cccp_type_cfloat: Type;
    static cccp_type_cdouble: Type;
    static cccp_type_cldouble: Type;
}

/// `CCCP_KIND_STREAM` of cccp.h.
const STREAM: c_int = 24;

static BYTE: Type = Type {
    kind: Kind::Bytes as c_int,
    member_count: 0,
    size: 1,
    name: c"MPI_BYTE".as_ptr(),
    members: std::ptr::null(),
};

/// `cccp_type_mpi_file` of cccp_mpi.h.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "a name of C")]
pub static cccp_type_mpi_file: Type = Type {
    kind: STREAM,
    member_count: 0,
    size: size_of::<mpi::ffi::MPI_File>() as c_ulong,
    name: c"MPI_File".as_ptr(),
    members: std::ptr::null(),
};

/// A handle that comes back by itself, as cccp_mpi.h describes it.
macro_rules! handles {
    ($($name:ident: $kind:ident $text:literal;)*) => {$(
        #[doc = concat!("`", stringify!($name), "` of cccp_mpi.h.")]
        #[unsafe(no_mangle)]
        #[allow(non_upper_case_globals, reason = "a name of C")]
        pub static $name: Type = Type {
            kind: Kind::Handle as c_int,
            member_count: 0,
            size: size_of::<mpi::ffi::$kind>() as c_ulong,
            name: CStr::as_ptr($text),
            members: std::ptr::null(),
        };
    )*};
}

handles! {
    cccp_type_mpi_comm: MPI_Comm c"MPI_Comm";
    cccp_type_mpi_datatype: MPI_Datatype c"MPI_Datatype";
    cccp_type_mpi_group: MPI_Group c"MPI_Group";
    cccp_type_mpi_op: MPI_Op c"MPI_Op";
    cccp_type_mpi_request: MPI_Request c"MPI_Request";
}

/// The description of an element; none for what MPI has no type for.
pub fn describe(element: Element) -> Option<&'static Type> {
    match element {
        Element::Byte => Some(&BYTE),
        Element::Scalar(kind) => scalar(kind),
        Element::Pair(kind) => pair(kind),
    }
}

fn scalar(kind: Kind) -> Option<&'static Type> {
    // SAFETY: constants of libcccp.
    unsafe {
        Some(match kind {
            Kind::Bool => &cccp_type_bool,
            Kind::Char => &cccp_type_char,
            Kind::SignedChar => &cccp_type_schar,
            Kind::UnsignedChar => &cccp_type_uchar,
            Kind::Short => &cccp_type_short,
            Kind::UnsignedShort => &cccp_type_ushort,
            Kind::Int => &cccp_type_int,
            Kind::UnsignedInt => &cccp_type_uint,
            Kind::Long => &cccp_type_long,
            Kind::UnsignedLong => &cccp_type_ulong,
            Kind::LongLong => &cccp_type_llong,
            Kind::UnsignedLongLong => &cccp_type_ullong,
            Kind::Float => &cccp_type_float,
            Kind::Double => &cccp_type_double,
            Kind::LongDouble => &cccp_type_ldouble,
            Kind::ComplexFloat => &cccp_type_cfloat,
            Kind::ComplexDouble => &cccp_type_cdouble,
            Kind::ComplexLongDouble => &cccp_type_cldouble,
            _ => return None,
        })
    }
}

/// A value and its place, as `MPI_MINLOC` wants them.
#[repr(C)]
struct Pair<T> {
    value: T,
    place: c_int,
}

/// The description of [`Pair`] with this type of value.
macro_rules! pair {
    ($name:literal, $value:ty, $kind:ident) => {{
        static MEMBERS: [Member; 2] = [
            member(c"value", &raw const $kind, offset_of!(Pair<$value>, value)),
            member(
                c"place",
                &raw const cccp_type_int,
                offset_of!(Pair<$value>, place),
            ),
        ];
        static TYPE: Type = Type {
            kind: Kind::Struct as c_int,
            member_count: 2,
            size: size_of::<Pair<$value>>() as c_ulong,
            name: CStr::as_ptr($name),
            members: MEMBERS.as_ptr(),
        };
        Some(&TYPE)
    }};
}

const fn member(name: &CStr, kind: *const Type, offset: usize) -> Member {
    Member {
        name: name.as_ptr(),
        kind,
        offset: offset as c_ulong,
        count: 1,
        mask: std::ptr::null(),
    }
}

fn pair(kind: Kind) -> Option<&'static Type> {
    match kind {
        Kind::Short => pair!(c"MPI_SHORT_INT", c_short, cccp_type_short),
        Kind::Int => pair!(c"MPI_2INT", c_int, cccp_type_int),
        Kind::Long => pair!(c"MPI_LONG_INT", c_long, cccp_type_long),
        Kind::Float => pair!(c"MPI_FLOAT_INT", f32, cccp_type_float),
        Kind::Double => pair!(c"MPI_DOUBLE_INT", f64, cccp_type_double),
        _ => None,
    }
}
