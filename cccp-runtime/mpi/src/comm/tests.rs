//! The communicator under a real `mpirun` (or the one that `MPIRUN` names): the test starts itself as the ranks.

use std::process::Command;

use cccp::comm::Group;
use cccp::format::Kind;
use mpi::ffi;

use super::{Communicator, Element, check_launcher, elements};

/// Tells the test that it is a rank.
const RANK: &str = "CCCP_TEST_IS_A_RANK";

/// Runs the test with this name as `ranks` ranks; true in the process that did so, false in a rank.
fn started(test: &str, ranks: u32) -> bool {
    if std::env::var_os(RANK).is_some() {
        return false;
    }
    let launcher = std::env::var("MPIRUN").unwrap_or_else(|_| "mpirun".to_string());
    let output = Command::new(&launcher)
        .args(["-n", &ranks.to_string()])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", &format!("comm::tests::{test}"), "--nocapture"])
        .env(RANK, "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .env("OMPI_MCA_rmaps_base_oversubscribe", "1")
        .output()
        .unwrap_or_else(|error| panic!("{launcher}: {error}"));
    let text = String::from_utf8_lossy(&output.stdout);
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}\n{complaints}");
    let passed = text.matches("1 passed").count();
    assert_eq!(passed, ranks as usize, "{text}\n{complaints}");
    true
}

#[test]
fn s17_all_ranks_get_the_smallest_values_and_sums_and_an_error_after_the_end() {
    if started(
        "s17_all_ranks_get_the_smallest_values_and_sums_and_an_error_after_the_end",
        4,
    ) {
        return;
    }
    let universe = mpi::initialize().unwrap();
    check_launcher().unwrap();
    // SAFETY: MPI is running.
    let mut group = unsafe { Communicator::new(ffi::RSMPI_COMM_WORLD) }.unwrap();
    assert_eq!(group.size(), 4);
    for round in 0..10 {
        let rank = i64::from(group.rank());
        let mut values = [rank + round, -rank, i64::MIN, i64::MAX];
        group.min(&mut values).unwrap();
        assert_eq!(values, [round, -3, i64::MIN, i64::MAX]);
    }
    group.min(&mut []).unwrap();
    let mut sums = [u64::MAX, u64::from(group.rank())];
    group.sum(&mut sums).unwrap();
    assert_eq!(sums, [u64::MAX - 3, 6]);
    drop(universe);
    assert!(
        group
            .min(&mut [1])
            .unwrap_err()
            .reason
            .contains("MPI_Finalize")
    );
}

#[test]
fn what_mpi_refuses_is_an_error_with_its_text() {
    if started("what_mpi_refuses_is_an_error_with_its_text", 1) {
        return;
    }
    // SAFETY: refused before the communicator is looked at.
    let early = unsafe { Communicator::new(ffi::RSMPI_COMM_WORLD) };
    assert!(early.unwrap_err().reason.contains("MPI_Init"));
    let universe = mpi::initialize().unwrap();
    // SAFETY: MPI is running.
    let nobody = unsafe { Communicator::new(ffi::RSMPI_COMM_NULL) };
    assert!(nobody.unwrap_err().reason.contains("MPI_COMM_NULL"));
    let error = super::group::check("MPI_Example", 1).unwrap_err();
    assert!(error.reason.starts_with("MPI_Example: "), "{error}");
    drop(universe);
    // SAFETY: refused before the communicator is looked at.
    let late = unsafe { Communicator::new(ffi::RSMPI_COMM_WORLD) };
    assert!(late.unwrap_err().reason.contains("MPI_Finalize"));
}

#[test]
fn datatypes_are_what_they_are_made_of() {
    if started("datatypes_are_what_they_are_made_of", 1) {
        return;
    }
    let universe = mpi::initialize().unwrap();
    // SAFETY: MPI is running; the types made here are freed.
    unsafe {
        let double = ffi::RSMPI_DOUBLE;
        let (mut row, mut twin, mut rows, mut column) = (double, double, double, double);
        ffi::MPI_Type_contiguous(3, double, &mut row);
        ffi::MPI_Type_dup(row, &mut twin);
        ffi::MPI_Type_contiguous(5, twin, &mut rows);
        ffi::MPI_Type_vector(2, 1, 7, double, &mut column);
        let doubles = |count| Ok((Element::Scalar(Kind::Double), count));
        assert_eq!(elements(double), doubles(1));
        assert_eq!(elements(rows), doubles(15));
        ffi::MPI_Type_free(&mut row);
        ffi::MPI_Type_free(&mut twin);
        assert_eq!(elements(rows), doubles(15));
        let integer = if size_of::<std::ffi::c_long>() == 8 {
            Kind::UnsignedLong
        } else {
            Kind::UnsignedLongLong
        };
        let wide = elements(ffi::RSMPI_UINT64_T);
        assert_eq!(wide, Ok((Element::Scalar(integer), 1)));
        let complex = elements(ffi::RSMPI_FLOAT_COMPLEX);
        assert_eq!(complex, Ok((Element::Scalar(Kind::ComplexFloat), 1)));
        let strided = elements(column).unwrap_err();
        assert!(strided.reason.contains("MPI_Type_contiguous"), "{strided}");
        let none = elements(ffi::RSMPI_DATATYPE_NULL).unwrap_err();
        assert!(none.reason.contains("MPI_DATATYPE_NULL"), "{none}");
        ffi::MPI_Type_free(&mut rows);
        ffi::MPI_Type_free(&mut column);
    }
    drop(universe);
}
