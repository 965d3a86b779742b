//! Datatypes as words, so that another process can make them again.
//!
//! In: an elementary type or a filetype, or any type that the program holds. Out: words that say how it was made, down to basic
//! types, of which a file needs only the length: in the native representation it holds bytes. `vector 3 0 1 2 1 4 bytes 8` is a vector of three
//! numbers (two blocks of one, four apart), no addresses and one type of eight bytes. How MPI calls the ways to
//! make a type is learned from examples, as those constants differ between implementations. A type whose making is not known
//! is refused.

use std::ffi::c_int;
use std::sync::OnceLock;

use cccp::comm::CommError;
use mpi::ffi;
use mpi::ffi::{MPI_Aint as Address, MPI_Datatype as Type};

use crate::comm::check;
use crate::handles::predefined_type;
use crate::success::succeeded;

/// How types are made, and what MPI calls that.
fn ways() -> &'static [(c_int, &'static str)] {
    static WAYS: OnceLock<Vec<(c_int, &'static str)>> = OnceLock::new();
    WAYS.get_or_init(|| {
        let words = [
            "dup",
            "contiguous",
            "vector",
            "hvector",
            "indexed",
            "hindexed",
            "indexed_block",
            "hindexed_block",
            "struct",
            "subarray",
            "darray",
            "resized",
        ];
        // SAFETY: a constant of MPI.
        let basic = unsafe { ffi::RSMPI_INT32_T };
        let (order, whole) = (ffi::MPI_ORDER_C as c_int, ffi::MPI_DISTRIBUTE_NONE as c_int);
        let numbers = |word: &str| match word {
            "contiguous" => vec![1],
            "vector" => vec![1, 1, 1],
            "hvector" | "indexed_block" | "hindexed_block" => vec![1, 1, 0],
            "indexed" => vec![1, 1, 0],
            "hindexed" | "struct" => vec![1, 1],
            "subarray" => vec![1, 1, 1, 0, order],
            "darray" => vec![1, 0, 1, 1, whole, ffi::MPI_DISTRIBUTE_DFLT_DARG, 1, order],
            _ => vec![],
        };
        let mut known = Vec::new();
        for word in words {
            let made = Made {
                word,
                numbers: numbers(word),
                addresses: vec![0, 4],
                types: vec![basic],
            };
            // SAFETY: the lists are long enough; the type is freed again.
            unsafe {
                if let Some(Ok(mut example)) = made.make() {
                    if let Ok(envelope) = envelope(example) {
                        known.push((envelope.way, word));
                    }
                    ffi::MPI_Type_free(&mut example);
                }
            }
        }
        known
    })
}

/// What went into a type.
struct Made<'a> {
    word: &'a str,
    numbers: Vec<c_int>,
    addresses: Vec<Address>,
    types: Vec<Type>,
}

impl Made<'_> {
    /// Makes it; none when something is missing.
    ///
    /// # Safety
    ///
    /// The types are those of the running MPI.
    unsafe fn make(&self) -> Option<Result<Type, CommError>> {
        let numbers = self.numbers.as_slice();
        let first = numbers.first().copied().unwrap_or(0);
        let count = usize::try_from(first).ok()?;
        let &old = self.types.first()?;
        let from = |at: usize, length: usize| numbers.get(at..at.checked_add(length)?);
        let (second, third) = (numbers.get(1).copied(), numbers.get(2).copied());
        let addresses = self.addresses.as_slice();
        let places = addresses.get(..count).unwrap_or_default().as_ptr();
        let enough = addresses.len() >= count;
        let mut new = old;
        // SAFETY: the promise of the caller; every list has been asked for in the length that MPI reads.
        let code = unsafe {
            match self.word {
                "dup" => ffi::MPI_Type_dup(old, &mut new),
                "contiguous" => ffi::MPI_Type_contiguous(first, old, &mut new),
                "vector" => ffi::MPI_Type_vector(first, second?, third?, old, &mut new),
                "hvector" => {
                    ffi::MPI_Type_create_hvector(first, second?, *addresses.first()?, old, &mut new)
                }
                "indexed" => {
                    let (lengths, places) = (from(1, count)?, from(1 + count, count)?);
                    ffi::MPI_Type_indexed(first, lengths.as_ptr(), places.as_ptr(), old, &mut new)
                }
                "hindexed" if enough => {
                    let lengths = from(1, count)?;
                    ffi::MPI_Type_create_hindexed(first, lengths.as_ptr(), places, old, &mut new)
                }
                "indexed_block" => {
                    let places = from(2, count)?.as_ptr();
                    ffi::MPI_Type_create_indexed_block(first, second?, places, old, &mut new)
                }
                "hindexed_block" if enough => {
                    ffi::MPI_Type_create_hindexed_block(first, second?, places, old, &mut new)
                }
                "struct" if enough && self.types.len() >= count => {
                    let lengths = from(1, count)?.as_ptr();
                    ffi::MPI_Type_create_struct(
                        first,
                        lengths,
                        places,
                        self.types.as_ptr(),
                        &mut new,
                    )
                }
                "subarray" => {
                    let list = |at: usize| from(1 + at * count, count).map(<[c_int]>::as_ptr);
                    let (sizes, parts, starts) = (list(0)?, list(1)?, list(2)?);
                    let order = *numbers.get(1 + 3 * count)?;
                    ffi::MPI_Type_create_subarray(first, sizes, parts, starts, order, old, &mut new)
                }
                "darray" => {
                    let dimensions = usize::try_from(third?).ok()?;
                    let list =
                        |at: usize| from(3 + at * dimensions, dimensions).map(<[c_int]>::as_ptr);
                    let (sizes, ways) = (list(0)?, list(1)?);
                    let (arguments, processes) = (list(2)?, list(3)?);
                    let order = *numbers.get(3 + 4 * dimensions)?;
                    ffi::MPI_Type_create_darray(
                        first, second?, third?, sizes, ways, arguments, processes, order, old,
                        &mut new,
                    )
                }
                "resized" => {
                    let (&start, &extent) = (addresses.first()?, addresses.get(1)?);
                    ffi::MPI_Type_create_resized(old, start, extent, &mut new)
                }
                _ => return None,
            }
        };
        Some(check("a datatype of a view", code).map(|()| new))
    }
}

/// How a type was made, and how many numbers, addresses and types went into it.
struct Envelope {
    way: c_int,
    numbers: usize,
    addresses: usize,
    types: usize,
}

unsafe fn envelope(datatype: Type) -> Result<Envelope, CommError> {
    let (mut numbers, mut addresses, mut types, mut way) = (0, 0, 0, 0);
    // SAFETY: a datatype of the running MPI; numbers are stored.
    let code = unsafe {
        ffi::MPI_Type_get_envelope(datatype, &mut numbers, &mut addresses, &mut types, &mut way)
    };
    check("MPI_Type_get_envelope", code)?;
    let count = |number: c_int| usize::try_from(number).unwrap_or(0);
    Ok(Envelope {
        way,
        numbers: count(numbers),
        addresses: count(addresses),
        types: count(types),
    })
}

/// Whether a type is one of MPI's own.
///
/// # Safety
///
/// It is one of the running MPI.
pub unsafe fn is_own(datatype: Type) -> bool {
    // SAFETY: the promise of the caller.
    unsafe { envelope(datatype).is_ok_and(|made| is_basic(made.way)) }
}

/// Whether MPI calls the way in which a type is made that of basic types.
unsafe fn is_basic(way: c_int) -> bool {
    // SAFETY: a constant of MPI.
    unsafe { envelope(ffi::RSMPI_INT32_T) }.is_ok_and(|basic| basic.way == way)
}

/// Bytes of a type, where it has no gaps.
unsafe fn bytes(datatype: Type) -> Option<i64> {
    let (mut size, mut start, mut extent) = (0, 0, 0);
    // SAFETY: a datatype of the running MPI; numbers are stored.
    let known = unsafe {
        succeeded(ffi::MPI_Type_size(datatype, &mut size))
            && succeeded(ffi::MPI_Type_get_extent(datatype, &mut start, &mut extent))
    };
    (known && start == 0 && i64::from(size) == extent as i64).then_some(i64::from(size))
}

/// What the words say of a basic type.
pub type Basic = fn(Type) -> Option<[String; 2]>;

/// How many bytes it has, if it has no gaps.
pub fn length(datatype: Type) -> Option<[String; 2]> {
    // SAFETY: whoever asks has found it in a type of the running MPI.
    let bytes = unsafe { bytes(datatype) }?;
    Some(["bytes".to_string(), bytes.to_string()])
}

/// The words for a datatype.
///
/// # Safety
///
/// It is one of the running MPI.
pub unsafe fn words(datatype: Type, basic: Basic, out: &mut Vec<String>) -> Result<(), CommError> {
    let refused = |reason: &str| CommError::new(format!("a datatype {reason}"));
    // SAFETY: the promise of the caller; the lists are as long as the envelope says.
    unsafe {
        let found = envelope(datatype)?;
        if is_basic(found.way) {
            out.extend(basic(datatype).ok_or_else(|| refused("of MPI has gaps, or no name in C"))?);
            return Ok(());
        }
        let word = ways().iter().find(|one| one.0 == found.way);
        let word =
            word.ok_or_else(|| refused("is made in a way that the library does not know"))?;
        let mut numbers = vec![0; found.numbers.max(1)];
        let mut addresses: Vec<Address> = vec![0; found.addresses.max(1)];
        let mut types = vec![datatype; found.types.max(1)];
        let length = |count: usize| c_int::try_from(count).unwrap_or(0);
        let code = ffi::MPI_Type_get_contents(
            datatype,
            length(found.numbers),
            length(found.addresses),
            length(found.types),
            numbers.as_mut_ptr(),
            addresses.as_mut_ptr(),
            types.as_mut_ptr(),
        );
        check("MPI_Type_get_contents", code)?;
        // A duplicate is what it duplicates; MPI makes some with every view.
        if word.1 != "dup" {
            out.push(word.1.to_string());
            out.extend([found.numbers, found.addresses, found.types].map(|one| one.to_string()));
            out.extend(numbers[..found.numbers].iter().map(c_int::to_string));
            out.extend(addresses[..found.addresses].iter().map(Address::to_string));
        }
        let mut result = Ok(());
        for mut inner in types[..found.types].iter().copied() {
            result = result.and_then(|()| words(inner, basic, out));
            free(&mut inner);
        }
        result
    }
}

/// Gives a type back, if it is none of MPI's own.
///
/// # Safety
///
/// It is one of the running MPI, and nobody has it any more.
pub unsafe fn free(datatype: &mut Type) {
    // SAFETY: the promise of the caller.
    unsafe {
        if envelope(*datatype).is_ok_and(|made| !is_basic(made.way)) {
            ffi::MPI_Type_free(datatype);
        }
    }
}

/// A datatype from its words.
///
/// # Safety
///
/// MPI is running.
pub unsafe fn datatype<'a>(words: &mut impl Iterator<Item = &'a str>) -> Result<Type, CommError> {
    let nonsense = || CommError::new("the checkpoint does not say what its datatype was");
    let word = words.next().ok_or_else(nonsense)?;
    if word == "named" {
        let known = words.next().and_then(predefined_type);
        return known.ok_or_else(nonsense);
    }
    // SAFETY: a constant of MPI.
    let byte = unsafe { ffi::RSMPI_UINT8_T };
    if word == "bytes" {
        let count = words.next().and_then(|one| one.parse().ok());
        let mut made = byte;
        // SAFETY: MPI is running; a type is stored.
        let code =
            unsafe { ffi::MPI_Type_contiguous(count.ok_or_else(nonsense)?, byte, &mut made) };
        return check("MPI_Type_contiguous", code).map(|()| made);
    }
    let mut count = || words.next().and_then(|one| one.parse::<usize>().ok());
    let counts = count().zip(count()).zip(count());
    let ((numbers, addresses), types) = counts.ok_or_else(nonsense)?;
    let numbers: Option<Vec<c_int>> = (0..numbers).map(|_| words.next()?.parse().ok()).collect();
    let places: Option<Vec<Address>> = (0..addresses).map(|_| words.next()?.parse().ok()).collect();
    let (numbers, addresses) = numbers.zip(places).ok_or_else(nonsense)?;
    let mut made = Made {
        word,
        numbers,
        addresses,
        types: Vec::new(),
    };
    let mut result = Ok(());
    for _ in 0..types {
        // SAFETY: the promise of the caller.
        match unsafe { datatype(words) } {
            Ok(inner) => made.types.push(inner),
            Err(error) => {
                result = Err(error);
                break;
            }
        }
    }
    // SAFETY: the types were made here, and a type that is made from them keeps what it needs.
    let result = result.and_then(|()| unsafe { made.make() }.unwrap_or_else(|| Err(nonsense())));
    for inner in &mut made.types {
        // SAFETY: see above.
        unsafe { free(inner) };
    }
    result
}
