//! Where the threads of a region stand that have come to a checkpoint, or back to it.

use std::ffi::c_int;

use super::frames;
use super::mirror::Frame;
use crate::session::{Place, Session};

/// Where a thread stands: its frame and the block in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stand {
    /// The innermost one.
    pub frame: usize,
    /// In its function.
    pub block: c_int,
    /// The description of the function; 0 at a checkpoint.
    pub function: usize,
}

/// Whether all threads stand in the same calls and the same block.
pub fn same_place(all: &[Stand]) -> bool {
    let way = |one: &Stand| {
        // SAFETY: the frames of threads that wait.
        let mut way: Vec<(usize, c_int)> = unsafe { frames::chain(one.frame as *mut Frame) }
            .into_iter()
            // SAFETY: as above.
            .map(|frame| unsafe { ((*frame).function as usize, (*frame).block) })
            .collect();
        if let Some(last) = way.last_mut() {
            last.1 = one.block;
        }
        way
    };
    all.windows(2).all(|pair| way(&pair[0]) == way(&pair[1]))
}

/// Where all activations stand: those of the initial thread last.
pub fn places_of(session: &mut Session, all: &[Stand]) -> Result<Vec<Place>, String> {
    let mut places: Vec<Place> = Vec::new();
    for one in all.iter().rev() {
        let block = u32::try_from(one.block).unwrap_or(0);
        // SAFETY: the frames of threads that wait.
        let own = unsafe { frames::places(session, one.frame as *mut Frame, block) }?;
        for place in own {
            if !places.iter().any(|other| other.node == place.node) {
                places.push(place);
            }
        }
    }
    Ok(places)
}
