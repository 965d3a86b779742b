//! Reductions beside the work of the program: one `MPI_Iallreduce` after the other, each begun without waiting.
//!
//! A reduction that some ranks have begun has to be begun by all of them, or MPI cannot end. So each carries, beside the
//! number, whether its rank takes part no more; where one does not, nobody begins another. At the end of MPI, where all
//! ranks are, each makes reductions until one has said so: at most two.
//!
//! Only the thread of the program that passes checkpoints calls MPI here, and only if MPI lets it.

use std::ffi::c_int;

use cccp::comm::{CommError, Numbers, Reduced};
use mpi::ffi;

use super::group::check;

/// The numbers, and whether a rank is gone.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    numbers: Numbers,
    gone: i64,
}

/// How many numbers a row is.
const ROW: usize = size_of::<Row>() / size_of::<i64>();

/// The reductions of a process.
#[derive(Debug, Default)]
pub struct Rounds {
    /// The one that is under way. MPI reads and writes the rows until it is complete, so they stay where they are.
    current: Option<Box<Round>>,
    /// Nobody begins another one.
    over: bool,
    /// This rank says so in its next one.
    leaves: bool,
}

#[derive(Debug)]
struct Round {
    request: ffi::MPI_Request,
    mine: Row,
    largest: Row,
}

// SAFETY: handles and rows are used under the lock of the owner only, in calls of the program.
unsafe impl Send for Rounds {}

impl Rounds {
    /// Begins one.
    ///
    /// # Safety
    ///
    /// MPI is running, and the communicator alive.
    pub unsafe fn begin(
        &mut self,
        communicator: ffi::MPI_Comm,
        numbers: Numbers,
    ) -> Result<(), CommError> {
        may_call()?;
        if self.current.is_some() || self.over {
            return Err(CommError::new(
                "a reduction is under way, or there will be none",
            ));
        }
        // SAFETY: a constant of MPI; the rows live in a box until the request is complete, and longer if it never is.
        unsafe {
            let mut round = Box::new(Round {
                request: ffi::RSMPI_REQUEST_NULL,
                mine: Row {
                    numbers,
                    gone: i64::from(self.leaves),
                },
                largest: Row::default(),
            });
            check(
                "MPI_Iallreduce",
                ffi::MPI_Iallreduce(
                    (&raw const round.mine).cast(),
                    (&raw mut round.largest).cast(),
                    ROW as c_int,
                    ffi::RSMPI_INT64_T,
                    ffi::RSMPI_MAX,
                    communicator,
                    &mut round.request,
                ),
            )?;
            self.current = Some(round);
        }
        Ok(())
    }

    /// The result, when it is there.
    pub fn reduced(&mut self) -> Result<Option<Reduced>, CommError> {
        if self.over {
            return Ok(Some(Reduced::Gone));
        }
        may_call()?;
        let Some(round) = &mut self.current else {
            return Err(CommError::new("nothing was begun"));
        };
        let mut done = 0;
        // SAFETY: the request is one of MPI; nothing is asked of its status.
        check("MPI_Test", unsafe {
            ffi::MPI_Test(&mut round.request, &mut done, ffi::RSMPI_STATUS_IGNORE)
        })?;
        Ok((done != 0).then(|| self.complete()).flatten())
    }

    fn complete(&mut self) -> Option<Reduced> {
        let round = self.current.take()?;
        self.over |= round.largest.gone != 0;
        Some(match self.over {
            true => Reduced::Gone,
            false => Reduced::Largest(round.largest.numbers),
        })
    }

    /// This rank takes part no more. Where one is under way it says so at the end of MPI.
    ///
    /// # Safety
    ///
    /// As for [`begin`](Rounds::begin).
    pub unsafe fn leave(&mut self, communicator: ffi::MPI_Comm) {
        self.leaves = true;
        let idle = match &self.current {
            Some(_) => self.reduced().is_ok_and(|result| result.is_some()),
            None => true,
        };
        if idle && !self.over {
            // SAFETY: the promise of the caller. Where it fails nothing can be done here.
            let _ = unsafe { self.begin(communicator, Numbers::default()) };
        }
    }

    /// MPI ends, and all ranks are here.
    ///
    /// # Safety
    ///
    /// As for [`begin`](Rounds::begin).
    pub unsafe fn end(&mut self, communicator: ffi::MPI_Comm) {
        self.leaves = true;
        loop {
            if let Some(round) = &mut self.current {
                // SAFETY: as for MPI_Test.
                let code = unsafe { ffi::MPI_Wait(&mut round.request, ffi::RSMPI_STATUS_IGNORE) };
                if check("MPI_Wait", code).is_err() {
                    return;
                }
                self.complete();
            }
            // SAFETY: the promise of the caller.
            if self.over || unsafe { self.begin(communicator, Numbers::default()) }.is_err() {
                return;
            }
        }
    }
}

/// An error where MPI may not be called by this thread.
fn may_call() -> Result<(), CommError> {
    let (mut level, mut is_main) = (0, 0);
    // SAFETY: MPI is running; numbers are stored.
    let serialized = unsafe {
        ffi::MPI_Query_thread(&mut level);
        ffi::MPI_Is_thread_main(&mut is_main);
        // The constants of MPI grow with what is allowed.
        ffi::RSMPI_THREAD_SERIALIZED
    };
    match level >= serialized || is_main != 0 {
        true => Ok(()),
        false => Err(CommError::new(
            "MPI may be called by the initial thread only",
        )),
    }
}
