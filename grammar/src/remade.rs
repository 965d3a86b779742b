//! Functions of FFTW, GSL and zlib that make and destroy plans, generators of random numbers and files that zlib reads, which the library
//! makes again where they are registered, and those of libraries that open files: it has to see them. cccp-pp gives each of them another name, `libcccp` has it.

/// The types of plans: in double, single and extended precision.
pub const PLAN_TYPES: &[&str] = &["fftw_plan", "fftwf_plan", "fftwl_plan"];

/// What makes plans, behind `fftw_`, `fftwf_` or `fftwl_` (FFTW 3.3, 4.3 to 4.5).
pub const PLANS: &[&str] = &[
    "plan_dft",
    "plan_dft_1d",
    "plan_dft_2d",
    "plan_dft_3d",
    "plan_dft_c2r",
    "plan_dft_c2r_1d",
    "plan_dft_c2r_2d",
    "plan_dft_c2r_3d",
    "plan_dft_r2c",
    "plan_dft_r2c_1d",
    "plan_dft_r2c_2d",
    "plan_dft_r2c_3d",
    "plan_guru64_dft",
    "plan_guru64_dft_c2r",
    "plan_guru64_dft_r2c",
    "plan_guru64_r2r",
    "plan_guru64_split_dft",
    "plan_guru64_split_dft_c2r",
    "plan_guru64_split_dft_r2c",
    "plan_guru_dft",
    "plan_guru_dft_c2r",
    "plan_guru_dft_r2c",
    "plan_guru_r2r",
    "plan_guru_split_dft",
    "plan_guru_split_dft_c2r",
    "plan_guru_split_dft_r2c",
    "plan_many_dft",
    "plan_many_dft_c2r",
    "plan_many_dft_r2c",
    "plan_many_r2r",
    "plan_r2r",
    "plan_r2r_1d",
    "plan_r2r_2d",
    "plan_r2r_3d",
];

/// What else the library has to see: which plans are gone, and how many threads the next ones have.
pub const OF_PLANS: &[&str] = &[
    "cleanup",
    "cleanup_threads",
    "destroy_plan",
    "plan_with_nthreads",
];

/// What the library calls itself, of each precision that makes plans.
pub const WISDOM: &[&str] = &["export_wisdom_to_string", "import_wisdom_from_string"];

/// The precision of a function of FFTW, and what follows it: `fftwf_` and `execute`.
pub fn of_fftw(name: &str) -> Option<(&'static str, &str)> {
    ["fftw_", "fftwf_", "fftwl_"]
        .into_iter()
        .find_map(|precision| Some((precision, name.strip_prefix(precision)?)))
}

/// Whether the library makes again the plan that this function makes.
pub fn makes_plan(name: &str) -> bool {
    of_fftw(name).is_some_and(|(_, rest)| PLANS.binary_search(&rest).is_ok())
}

/// The type of a generator of random numbers of GSL, a pointer to this.
pub const GENERATOR_TYPE: &str = "gsl_rng";

/// What makes and frees generators (GSL 2.7, 18.3).
pub const OF_GENERATORS: &[&str] = &["gsl_rng_alloc", "gsl_rng_clone", "gsl_rng_free"];

/// What the library calls itself where generators are made.
pub const STATE_OF_GENERATORS: &[&str] = &[
    "gsl_rng_name",
    "gsl_rng_size",
    "gsl_rng_state",
    "gsl_rng_types_setup",
];

/// The type of a file of zlib.
pub const ZLIB_TYPE: &str = "gzFile";

/// What opens files of zlib (1.2.13).
pub const OPENING_ZLIB: &[&str] = &["gzdopen", "gzopen", "gzopen64"];

/// What else changes which there are, or what they give besides what is in them.
pub const OF_ZLIB: &[&str] = &["gzclose", "gzclose_r", "gzclose_w", "gzungetc"];

/// What reads files of zlib.
pub const READING_ZLIB: &[&str] = &["gzfread", "gzgetc", "gzgetc_", "gzgets", "gzread"];

/// What the library calls itself where a program reads files of zlib.
pub const STATE_OF_ZLIB: &[&str] = &["gzdopen", "gzeof", "gzerror", "gzread", "gztell64"];

/// What opens files by name, as `fopen` does (HDF5 1.10, zlib 1.2.13, netCDF 4.9).
pub const OPENING: &[&str] = &[
    "H5Fcreate",
    "H5Fopen",
    "gzopen",
    "gzopen64",
    "nc__create",
    "nc__open",
    "nc_create",
    "nc_create_par",
    "nc_open",
    "nc_open_par",
];

/// Whether the library has to see calls of a function.
pub fn is_seen(name: &str) -> bool {
    makes_plan(name)
        || OPENING.contains(&name)
        || of_fftw(name).is_some_and(|(_, rest)| OF_PLANS.contains(&rest))
        || OF_GENERATORS.contains(&name)
        || OPENING_ZLIB.contains(&name)
        || OF_ZLIB.contains(&name)
}

/// Whether the library makes again what this function makes.
pub fn makes_again(name: &str) -> bool {
    makes_plan(name) || OF_GENERATORS.contains(&name) || OPENING_ZLIB.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::{PLANS, is_seen, makes_plan};

    #[test]
    fn a_plan_is_made_in_three_precisions() {
        assert!(PLANS.is_sorted_by(|one, next| one < next));
        assert!(makes_plan("fftw_plan_dft_1d") && makes_plan("fftwl_plan_guru64_r2r"));
        assert!(!makes_plan("fftw_plan_with_nthreads") && is_seen("fftwf_plan_with_nthreads"));
        assert!(!makes_plan("fftw_mpi_plan_dft_3d") && !is_seen("fftw_execute"));
    }
}
