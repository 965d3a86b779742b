//! What every end-to-end driver shares: build a C program the way a user does, run it, kill it, look at its
//! checkpoint files.
//!
//! In: a sample or a C file, a compiler, flags, a number of ranks. Out: an [`Outcome`] to compare.
//! The one idea: a test does what a user would type, with the tools of this build, in a directory of its own.
//! A step that fails ends the test with everything that is known; a program that hangs is killed and reported.
//! Not here: what is expected. That stands in the drivers.
#![allow(dead_code, reason = "each driver uses a part of the harness")]
#![allow(unused_imports, reason = "each driver uses a part of the harness")]

mod build;
mod files;
mod mounts;
mod run;
mod samples;
mod tools;
mod trouble;
mod workplace;

pub use build::{Build, Program, finish};
pub use files::{Checkpoints, left};
pub use mounts::Mounts;
pub use run::{Outcome, Run, without_settings};
pub use samples::{SAMPLES, Sample};
pub use tools::{
    Compiler, cccp_run, everything, fftw_or_word, gmp_or_word, gsl_or_word, has_libomp, have,
    mpi_or_word, precompiler, python_or_word, root, setting, shared_library, tools_directory,
    zlib_or_word,
};
pub use trouble::{Case, assert_one_warning, lines, trouble};
pub use workplace::Workplace;
