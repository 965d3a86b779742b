//! Datatypes of MPI that stand for one object of C: how large it is.
//!
//! In: an argument of a call. Out: the [`Datatype`]. It is known by its name, as the program writes it or through a macro
//! of its own, and by what Open MPI and MPICH make of that name.
//!
//! ```text
//! #define KEY MPI_INT      MPI_Bcast(keys, n, KEY, 0, comm)      four bytes each
//! ```
//!
//! Errors fall on the side of *not known*: `MPI_LONG`, which is not the same everywhere, derived datatypes, variables.

use crate::source::{SourceFile, Span};

/// A datatype.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Datatype {
    /// `MPI_INT`
    pub name: &'static str,
    /// Without `MPI_` in the names of Open MPI.
    open_mpi: &'static str,
    /// What MPICH has for it.
    mpich: u32,
    /// Bytes.
    pub size: u64,
}

const fn datatype(name: &'static str, open_mpi: &'static str, mpich: u32, size: u64) -> Datatype {
    Datatype {
        name,
        open_mpi,
        mpich,
        size,
    }
}

const DATATYPES: [Datatype; 22] = [
    datatype("MPI_CHAR", "char", 0x4c00_0101, 1),
    datatype("MPI_SIGNED_CHAR", "signed_char", 0x4c00_0118, 1),
    datatype("MPI_UNSIGNED_CHAR", "unsigned_char", 0x4c00_0102, 1),
    datatype("MPI_BYTE", "byte", 0x4c00_010d, 1),
    datatype("MPI_C_BOOL", "c_bool", 0x4c00_013f, 1),
    datatype("MPI_SHORT", "short", 0x4c00_0203, 2),
    datatype("MPI_UNSIGNED_SHORT", "unsigned_short", 0x4c00_0204, 2),
    datatype("MPI_INT", "int", 0x4c00_0405, 4),
    datatype("MPI_UNSIGNED", "unsigned", 0x4c00_0406, 4),
    datatype("MPI_FLOAT", "float", 0x4c00_040a, 4),
    datatype("MPI_DOUBLE", "double", 0x4c00_080b, 8),
    datatype("MPI_LONG_LONG_INT", "long_long_int", 0x4c00_0809, 8),
    datatype("MPI_LONG_LONG", "long_long_int", 0x4c00_0809, 8),
    datatype(
        "MPI_UNSIGNED_LONG_LONG",
        "unsigned_long_long",
        0x4c00_0819,
        8,
    ),
    datatype("MPI_INT8_T", "int8_t", 0x4c00_0137, 1),
    datatype("MPI_UINT8_T", "uint8_t", 0x4c00_013b, 1),
    datatype("MPI_INT16_T", "int16_t", 0x4c00_0238, 2),
    datatype("MPI_UINT16_T", "uint16_t", 0x4c00_023c, 2),
    datatype("MPI_INT32_T", "int32_t", 0x4c00_0439, 4),
    datatype("MPI_UINT32_T", "uint32_t", 0x4c00_043d, 4),
    datatype("MPI_INT64_T", "int64_t", 0x4c00_083a, 8),
    datatype("MPI_UINT64_T", "uint64_t", 0x4c00_083e, 8),
];

impl Datatype {
    /// The datatype that an argument is.
    pub fn written(file: &SourceFile, argument: Span) -> Option<&'static Datatype> {
        let place = file.place(argument);
        let name = place.map_or("", |place| file.original_text(place).trim());
        let expanded = || {
            let words = file
                .preprocessed_text(argument)
                .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                .filter(|word| !word.is_empty())
                .filter(|word| !["MPI_Datatype", "void"].contains(word));
            let words: Vec<&str> = words.collect();
            let [word] = words[..] else { return None };
            let open_mpi = word.strip_prefix("ompi_mpi_");
            let mpich = word
                .strip_prefix("0x")
                .and_then(|digits| u32::from_str_radix(digits, 16).ok());
            DATATYPES
                .iter()
                .find(|one| open_mpi == Some(one.open_mpi) || mpich == Some(one.mpich))
        };
        DATATYPES
            .iter()
            .find(|one| one.name == name)
            .or_else(expanded)
    }
}
