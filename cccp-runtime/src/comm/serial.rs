//! A job of one process: everything is agreed at once.

use super::{CommError, Group};

/// The only process of its job.
#[derive(Clone, Copy, Debug, Default)]
pub struct Serial;

impl Group for Serial {
    fn rank(&self) -> u32 {
        0
    }

    fn size(&self) -> u32 {
        1
    }

    fn min(&mut self, _values: &mut [i64]) -> Result<(), CommError> {
        Ok(())
    }

    fn sum(&mut self, _values: &mut [u64]) -> Result<(), CommError> {
        Ok(())
    }

    fn abort(&self, status: i32) -> ! {
        std::process::exit(status)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_process_keeps_its_values() {
        let mut values = [3, -1, i64::MAX];
        assert_eq!((Serial.rank(), Serial.size()), (0, 1));
        assert_eq!(Serial.min(&mut values), Ok(()));
        assert_eq!(values, [3, -1, i64::MAX]);
        let mut values = [3, u64::MAX];
        assert_eq!(Serial.sum(&mut values), Ok(()));
        assert_eq!(values, [3, u64::MAX]);
    }
}
