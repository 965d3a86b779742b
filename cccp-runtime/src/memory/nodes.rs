//! Machines whose memory has several parts, each near to some processors (NUMA): pages go to the thread that uses them.
//!
//! The system does that at the first touch, and a restart touches arrays before the threads of their region are there. So each
//! thread moves its part of them to where it runs. Pages that cannot be moved, because a device uses them or they are shared,
//! stay; what is in them is the same before and behind.

/// Pages asked about in one call.
const PAGES: usize = 512;
/// `MPOL_MF_MOVE`: pages that only this process uses.
const MOVE: libc::c_int = 2;

/// The node that this thread runs on.
fn here() -> Option<libc::c_int> {
    let (mut processor, mut node) = (0u32, 0u32);
    // SAFETY: two numbers are written.
    let result = unsafe {
        libc::syscall(
            libc::SYS_getcpu,
            &raw mut processor,
            &raw mut node,
            std::ptr::null_mut::<u8>(),
        )
    };
    (result == 0).then_some(libc::c_int::try_from(node).ok()?)
}

/// Moves the pages that begin in these bytes to the node that this thread runs on. They may be any memory of this process.
pub fn bring_near(start: usize, length: usize) {
    let page = super::probe::page_size();
    let Some(node) = here() else {
        return;
    };
    let end = start.saturating_add(length);
    let pages: Vec<usize> = (start.next_multiple_of(page)..end).step_by(page).collect();
    for some in pages.chunks(PAGES) {
        let nodes = [node; PAGES];
        let mut states = [0 as libc::c_int; PAGES];
        // SAFETY: the lists are as long as said; what lies at the addresses stays as it is, whatever they are.
        unsafe {
            libc::syscall(
                libc::SYS_move_pages,
                0,
                some.len(),
                some.as_ptr(),
                nodes.as_ptr(),
                states.as_mut_ptr(),
                MOVE,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_pages_that_are_moved_stays() {
        let memory: Vec<u64> = (0..1_000_000).collect();
        bring_near(memory.as_ptr() as usize, memory.len() * 8);
        assert!(memory.iter().copied().eq(0..1_000_000));
        bring_near(8, 1 << 20);
    }
}
