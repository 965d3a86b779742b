//! The values of a register one by one, or as many at a time as there are.

use cccp::format::{File, FormatError, Register, Scalar, Values};

/// Gives the values of a register in the order of elements and members, with a batch of them in memory.
pub struct Scalars<'a> {
    values: Values<'a>,
    batch: Vec<Scalar>,
    /// Values of the batch that were taken.
    taken: usize,
    ended: bool,
}

impl<'a> Scalars<'a> {
    /// From the first one on.
    pub fn new(file: &'a File, register: &Register) -> Result<Scalars<'a>, FormatError> {
        Ok(Scalars {
            values: file.values(register)?,
            batch: Vec::new(),
            taken: 0,
            ended: false,
        })
    }

    /// The next ones; empty after the last, when all of them have been verified.
    pub fn ready(&mut self) -> Result<&[Scalar], FormatError> {
        if self.taken == self.batch.len() && !self.ended {
            self.taken = 0;
            self.ended = !self.values.next(&mut self.batch)?;
        }
        Ok(&self.batch[self.taken..])
    }

    /// Passes over some of those that are ready.
    pub fn pass(&mut self, count: usize) {
        self.taken = self.batch.len().min(self.taken + count);
    }

    /// The next one; none after the last.
    pub fn pull(&mut self) -> Result<Option<Scalar>, FormatError> {
        if self.ready()?.is_empty() {
            return Ok(None);
        }
        let scalar = std::mem::replace(&mut self.batch[self.taken], Scalar::Bool(false));
        self.taken += 1;
        Ok(Some(scalar))
    }

    /// The next one, where the type says that there is one.
    pub fn take(&mut self) -> Result<Scalar, FormatError> {
        self.pull()?.ok_or_else(|| FormatError::Damaged {
            offset: 0,
            reason: "the values end before the type does".to_string(),
        })
    }
}
