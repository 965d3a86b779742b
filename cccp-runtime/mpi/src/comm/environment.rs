//! Is MPI running, and did the right launcher start the job?
//!
//! The `mpirun` of another MPI does not fail: it starts every process as a job of its own, each of them rank 0 of 1.
//! Such processes would all write the same checkpoint, so this is looked for.

use cccp::comm::CommError;
use mpi::environment::is_initialized;
use mpi::ffi;

/// Where launchers say how many processes they started.
const SIZES: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"];
/// Where launchers say which process this is; not all of them say a size.
const RANKS: [&str; 3] = ["OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"];

/// An error unless MPI has been started and not ended.
pub fn check_running() -> Result<(), CommError> {
    if !is_initialized() {
        return Err(CommError::new(
            "MPI is not running yet: call MPI_Init before #pragma cccp init (or CCCP_Init_MPI)",
        ));
    }
    if is_finalized() {
        return Err(CommError::new("MPI has been ended by MPI_Finalize"));
    }
    Ok(())
}

/// Whether `MPI_Finalize` has been called; may be asked at any time.
pub(super) fn is_finalized() -> bool {
    let mut ended = 0;
    // SAFETY: MPI allows this call at any time; it stores one number.
    unsafe { ffi::MPI_Finalized(&mut ended) };
    ended != 0
}

/// An error when this process is a job of its own although a launcher started several.
pub fn check_launcher() -> Result<(), CommError> {
    check_running()?;
    let mut size = 0;
    // SAFETY: MPI is running; one number is stored.
    unsafe { ffi::MPI_Comm_size(ffi::RSMPI_COMM_WORLD, &mut size) };
    match foreign_launcher(size, |name| std::env::var(name).ok()) {
        None => Ok(()),
        Some(name) => Err(CommError::new(format!(
            "every process is a job of its own (MPI_COMM_WORLD has 1 process) although several were started \
             ({name}): use the mpirun of the MPI that the program was built with",
        ))),
    }
}

/// What a launcher says that does not go with a job of `size` processes.
fn foreign_launcher(size: i32, variable: impl Fn(&str) -> Option<String>) -> Option<String> {
    if size != 1 {
        return None;
    }
    let above = |name: &str, limit: i64| {
        let value: i64 = variable(name)?.trim().parse().ok()?;
        (value > limit).then(|| format!("{name}={value}"))
    };
    let sizes = SIZES.iter().find_map(|name| above(name, 1));
    sizes.or_else(|| RANKS.iter().find_map(|name| above(name, 0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(size: i32, variables: &[(&str, &str)]) -> Option<String> {
        foreign_launcher(size, |name| {
            let mut pairs = variables.iter();
            pairs
                .find(|pair| pair.0 == name)
                .map(|pair| pair.1.to_string())
        })
    }

    #[test]
    fn a_job_of_one_under_a_launcher_of_several_is_noticed() {
        let several = [("PMI_RANK", "0"), ("PMI_SIZE", "4")];
        assert_eq!(found(1, &several).as_deref(), Some("PMI_SIZE=4"));
        assert_eq!(
            found(1, &[("PMIX_RANK", "3")]).as_deref(),
            Some("PMIX_RANK=3")
        );
    }

    #[test]
    fn what_goes_together_is_accepted() {
        assert_eq!(found(4, &[("PMI_SIZE", "4")]), None);
        assert_eq!(found(1, &[("OMPI_COMM_WORLD_SIZE", "1")]), None);
        assert_eq!(found(1, &[]), None);
        assert_eq!(found(1, &[("PMI_SIZE", "many")]), None);
    }
}
