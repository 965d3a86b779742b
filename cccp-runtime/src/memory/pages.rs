//! Memory for copies that are large: in large pages where the system has some, because to get many small ones takes longer than to
//! copy.

/// Below so many bytes it makes no difference.
const LARGE: usize = 1 << 22;

/// Says that a buffer is to be in large pages; a wish.
fn in_large_pages(buffer: &[u8], room: usize) {
    if room < LARGE {
        return;
    }
    let page = super::probe::page_size();
    let start = buffer.as_ptr() as usize;
    let (first, end) = (start.next_multiple_of(page), (start + room) / page * page);
    // SAFETY: whole pages of the buffer, whose bytes stay what they are.
    unsafe { libc::madvise(first as *mut libc::c_void, end - first, libc::MADV_HUGEPAGE) };
}

/// Empties a buffer and lets it have room for so many bytes.
pub fn make_room(buffer: &mut Vec<u8>, length: usize) {
    buffer.clear();
    if buffer.capacity() >= length {
        return;
    }
    buffer.reserve(length);
    in_large_pages(buffer, buffer.capacity());
}

/// So many zeros, which nobody has touched where they are many.
pub fn new_room(length: usize) -> Vec<u8> {
    let buffer = vec![0; length];
    in_large_pages(&buffer, length);
    buffer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_is_empty_and_has_room() {
        for length in [0, 100, LARGE, 3 * LARGE + 5] {
            let mut buffer = vec![1; 50];
            make_room(&mut buffer, length);
            assert!(buffer.is_empty() && buffer.capacity() >= length);
            buffer.resize(length, 7);
            let room = buffer.as_ptr();
            make_room(&mut buffer, length);
            assert_eq!(buffer.as_ptr(), room);
            assert!(new_room(length).iter().all(|byte| *byte == 0));
        }
    }
}
