//! What a datatype of MPI is in the runtime's terms.
//!
//! The handles of the basic types are constants in C only, but the standard fixes their names, and MPI tells the name
//! of a handle. A type made by `MPI_Type_dup` or `MPI_Type_contiguous` leads to the type it was made from. How MPI
//! calls these two constructions is learned from examples, as those constants differ between implementations.
//! Any other type is refused: what it leaves out cannot be guessed.

use std::ffi::{c_char, c_int};

use cccp::comm::CommError;
use cccp::format::Kind;
use mpi::ffi;

use super::group::check;

/// Larger than the names of every MPI (`MPI_MAX_OBJECT_NAME` is at most 128 in those known).
const NAME: usize = 1024;

/// One element of a datatype.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// A scalar of C.
    Scalar(Kind),
    /// Memory without a shape.
    Byte,
    /// A value and its place, as `MPI_MINLOC` wants them: a struct of this and an `int`.
    Pair(Kind),
}

/// The element of `datatype` and how many of them one datatype is.
///
/// # Safety
///
/// `datatype` is a datatype of the running MPI, or `MPI_DATATYPE_NULL`.
pub unsafe fn elements(datatype: ffi::MPI_Datatype) -> Result<(Element, u64), CommError> {
    // SAFETY: a constant of MPI.
    if datatype == unsafe { ffi::RSMPI_DATATYPE_NULL } {
        return Err(CommError::new("the datatype is MPI_DATATYPE_NULL"));
    }
    // SAFETY: a basic type of MPI, and types made from it.
    let known = unsafe { Constructions::learn() }?;
    // SAFETY: the promise of the caller.
    unsafe { known.elements(datatype) }
}

/// The numbers by which MPI says how a type was made.
struct Constructions {
    named: c_int,
    duplicate: c_int,
    contiguous: c_int,
}

/// How a type was made, and how many numbers, addresses and types went into it.
#[derive(Clone, Copy, Default)]
struct Envelope {
    integers: c_int,
    addresses: c_int,
    types: c_int,
    construction: c_int,
}

impl Constructions {
    /// Makes one type of every kind and looks at it.
    unsafe fn learn() -> Result<Constructions, CommError> {
        // SAFETY: MPI is running; the two new types are freed again.
        unsafe {
            let basic = ffi::RSMPI_INT32_T;
            let (mut duplicate, mut contiguous) = (basic, basic);
            check("MPI_Type_dup", ffi::MPI_Type_dup(basic, &mut duplicate))?;
            check(
                "MPI_Type_contiguous",
                ffi::MPI_Type_contiguous(2, basic, &mut contiguous),
            )?;
            let learned = Constructions {
                named: envelope(basic)?.construction,
                duplicate: envelope(duplicate)?.construction,
                contiguous: envelope(contiguous)?.construction,
            };
            ffi::MPI_Type_free(&mut duplicate);
            ffi::MPI_Type_free(&mut contiguous);
            Ok(learned)
        }
    }

    /// See [`elements`].
    unsafe fn elements(&self, datatype: ffi::MPI_Datatype) -> Result<(Element, u64), CommError> {
        // SAFETY: the promise of the caller.
        let made = unsafe { envelope(datatype) }?;
        if made.construction == self.named {
            // SAFETY: the promise of the caller.
            let name = unsafe { name(datatype) }?;
            return match element(&name) {
                Some(element) => Ok((element, 1)),
                None => Err(CommError::new(format!("{name} is not a type of C"))),
            };
        }
        let contiguous = made.construction == self.contiguous;
        if !contiguous && made.construction != self.duplicate {
            return Err(CommError::new(
                "the datatype is neither basic nor made by MPI_Type_contiguous or MPI_Type_dup; register what it \
                 consists of with CCCP_Register",
            ));
        }
        // SAFETY: the promise of the caller.
        let (count, mut inner) = unsafe { contents(datatype, made) }?;
        // SAFETY: MPI just gave the inner type.
        unsafe {
            let result = self.elements(inner);
            if envelope(inner)?.construction != self.named {
                ffi::MPI_Type_free(&mut inner);
            }
            let (element, per_inner) = result?;
            let count = if contiguous { count } else { 1 };
            let total = per_inner.checked_mul(count);
            total
                .map(|total| (element, total))
                .ok_or_else(|| CommError::new("the datatype has too many elements"))
        }
    }
}

unsafe fn envelope(datatype: ffi::MPI_Datatype) -> Result<Envelope, CommError> {
    let mut made = Envelope::default();
    // SAFETY: a datatype of the running MPI; numbers are stored.
    let code = unsafe {
        ffi::MPI_Type_get_envelope(
            datatype,
            &mut made.integers,
            &mut made.addresses,
            &mut made.types,
            &mut made.construction,
        )
    };
    check("MPI_Type_get_envelope", code).map(|()| made)
}

/// The first number (or 0) and the type that went into `datatype`.
unsafe fn contents(
    datatype: ffi::MPI_Datatype,
    made: Envelope,
) -> Result<(u64, ffi::MPI_Datatype), CommError> {
    let room = |count: c_int| usize::try_from(count).unwrap_or(0).max(1);
    let mut integers = vec![0; room(made.integers)];
    let mut addresses = vec![0; room(made.addresses)];
    let mut types = vec![datatype; room(made.types)];
    // SAFETY: the arrays are as long as the envelope says.
    let code = unsafe {
        ffi::MPI_Type_get_contents(
            datatype,
            made.integers,
            made.addresses,
            made.types,
            integers.as_mut_ptr(),
            addresses.as_mut_ptr(),
            types.as_mut_ptr(),
        )
    };
    check("MPI_Type_get_contents", code)?;
    Ok((u64::try_from(integers[0]).unwrap_or(0), types[0]))
}

unsafe fn name(datatype: ffi::MPI_Datatype) -> Result<String, CommError> {
    let mut text = [0u8; NAME];
    let mut length = 0;
    // SAFETY: a datatype of the running MPI; the buffer is larger than MPI's names.
    let code = unsafe {
        ffi::MPI_Type_get_name(datatype, text.as_mut_ptr().cast::<c_char>(), &mut length)
    };
    check("MPI_Type_get_name", code)?;
    let length = usize::try_from(length).unwrap_or(0).min(NAME);
    Ok(String::from_utf8_lossy(&text[..length]).into_owned())
}

/// The signed and the unsigned type of C with so many bytes.
fn integer(size: usize) -> (Kind, Kind) {
    match size {
        1 => (Kind::SignedChar, Kind::UnsignedChar),
        2 => (Kind::Short, Kind::UnsignedShort),
        4 => (Kind::Int, Kind::UnsignedInt),
        _ if size == size_of::<std::ffi::c_long>() => (Kind::Long, Kind::UnsignedLong),
        _ => (Kind::LongLong, Kind::UnsignedLongLong),
    }
}

/// A basic datatype by its name in the standard.
fn element(name: &str) -> Option<Element> {
    Some(Element::Scalar(match name {
        "MPI_CHAR" => Kind::Char,
        "MPI_SIGNED_CHAR" => Kind::SignedChar,
        "MPI_UNSIGNED_CHAR" => Kind::UnsignedChar,
        "MPI_SHORT" => Kind::Short,
        "MPI_UNSIGNED_SHORT" => Kind::UnsignedShort,
        "MPI_INT" => Kind::Int,
        "MPI_UNSIGNED" => Kind::UnsignedInt,
        "MPI_LONG" => Kind::Long,
        "MPI_UNSIGNED_LONG" => Kind::UnsignedLong,
        "MPI_LONG_LONG" | "MPI_LONG_LONG_INT" => Kind::LongLong,
        "MPI_UNSIGNED_LONG_LONG" => Kind::UnsignedLongLong,
        "MPI_FLOAT" => Kind::Float,
        "MPI_DOUBLE" => Kind::Double,
        "MPI_LONG_DOUBLE" => Kind::LongDouble,
        "MPI_C_BOOL" | "MPI_CXX_BOOL" => Kind::Bool,
        "MPI_C_COMPLEX" | "MPI_C_FLOAT_COMPLEX" | "MPI_CXX_FLOAT_COMPLEX" => Kind::ComplexFloat,
        "MPI_C_DOUBLE_COMPLEX" | "MPI_CXX_DOUBLE_COMPLEX" => Kind::ComplexDouble,
        "MPI_C_LONG_DOUBLE_COMPLEX" | "MPI_CXX_LONG_DOUBLE_COMPLEX" => Kind::ComplexLongDouble,
        "MPI_INT8_T" => integer(1).0,
        "MPI_INT16_T" => integer(2).0,
        "MPI_INT32_T" => integer(4).0,
        "MPI_INT64_T" | "MPI_OFFSET" | "MPI_COUNT" => integer(8).0,
        "MPI_UINT8_T" => integer(1).1,
        "MPI_UINT16_T" => integer(2).1,
        "MPI_UINT32_T" => integer(4).1,
        "MPI_UINT64_T" => integer(8).1,
        "MPI_AINT" => integer(size_of::<usize>()).0,
        "MPI_WCHAR" if libc::wchar_t::MIN == 0 => integer(size_of::<libc::wchar_t>()).1,
        "MPI_WCHAR" => integer(size_of::<libc::wchar_t>()).0,
        "MPI_BYTE" | "MPI_PACKED" => return Some(Element::Byte),
        "MPI_SHORT_INT" => return Some(Element::Pair(Kind::Short)),
        "MPI_2INT" => return Some(Element::Pair(Kind::Int)),
        "MPI_LONG_INT" => return Some(Element::Pair(Kind::Long)),
        "MPI_FLOAT_INT" => return Some(Element::Pair(Kind::Float)),
        "MPI_DOUBLE_INT" => return Some(Element::Pair(Kind::Double)),
        _ => return None,
    }))
}
