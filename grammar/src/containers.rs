//! Functions of GSL that allocate and release vectors, matrices, blocks and permutations (GSL 2.7, 8 and 9): structs of types that programs
//! know, in memory that `malloc` has given. cccp-pp gives each of them another name where the library has to know the blocks of a program,
//! `libcccp` has it. And what numbers of GMP get their memory through.
//!
//! What makes a container on the elements of another one (`gsl_vector_alloc_from_block`) is not here.

macro_rules! of_elements {
    ($($elements:literal)*) => {
        &[
            $(
                concat!("gsl_block", $elements, "alloc"),
                concat!("gsl_block", $elements, "calloc"),
                concat!("gsl_block", $elements, "free"),
                concat!("gsl_vector", $elements, "alloc"),
                concat!("gsl_vector", $elements, "calloc"),
                concat!("gsl_vector", $elements, "free"),
                concat!("gsl_matrix", $elements, "alloc"),
                concat!("gsl_matrix", $elements, "calloc"),
                concat!("gsl_matrix", $elements, "free"),
            )*
            "gsl_permutation_alloc",
            "gsl_permutation_calloc",
            "gsl_permutation_free",
        ]
    };
}

/// All of them.
pub const OF_CONTAINERS: &[&str] = of_elements!(
    "_" "_float_" "_long_double_" "_complex_" "_complex_float_" "_complex_long_double_" "_char_" "_uchar_" "_short_" "_ushort_" "_int_"
    "_uint_" "_long_" "_ulong_"
);

/// What the names of all functions of GMP begin with, behind its macros (GMP 6.2).
pub const OF_GMP: &str = "__gmp";

/// The function that tells GMP where its numbers get their memory (GMP 6.2, 13). Before `main` `libcccp` says: from the program's allocator.
pub const MEMORY_OF_GMP: &str = "__gmp_set_memory_functions";

/// What the library calls where there is no memory for one: it ends the program, or does what the program has said.
pub const ERROR_OF_CONTAINERS: &str = "gsl_error";
