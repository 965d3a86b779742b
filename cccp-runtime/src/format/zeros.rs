//! Memory that is all zero: a program's large arrays are often touched in part only, and what it never touched costs nothing as
//! long as nobody writes there.
//!
//! The one idea: zeros are copied by looking whether they are there already. To look at a page that nobody has touched takes no
//! memory.

/// Zeros are looked for in so many bytes at a time.
pub const RUN: usize = 1 << 16;

/// What zeros are compared with; both stay in the fastest cache.
static ZERO: [u8; 4096] = [0; 4096];

/// Whether all bytes are zero.
pub fn is_zero(bytes: &[u8]) -> bool {
    let mut blocks = bytes.chunks(ZERO.len());
    blocks.all(|block| *block == ZERO[..block.len()])
}

/// Lets all bytes be zero, without a write where they are.
pub fn clear(bytes: &mut [u8]) {
    for run in bytes.chunks_mut(RUN) {
        if !is_zero(run) {
            run.fill(0);
        }
    }
}

/// Lets `act` put the bytes of `from` into `to`, which is as long, word by word; zeros where there are none yet.
#[inline]
pub fn put(from: &[u8], to: &mut [u8], mut act: impl FnMut(&[u8], &mut [u8])) {
    if from.len() < RUN {
        return act(from, to);
    }
    for (from, to) in from.chunks(RUN).zip(to.chunks_mut(RUN)) {
        match is_zero(from) {
            true => clear(to),
            false => act(from, to),
        }
    }
}

/// The length of the first run of pieces that are alike: all zero, or not. `piece` is in bytes.
pub fn first_run(bytes: &[u8], piece: usize) -> (usize, bool) {
    let mut pieces = bytes
        .chunks(piece.max(1))
        .map(|one| (one.len(), is_zero(one)));
    let Some((first, zero)) = pieces.next() else {
        return (0, true);
    };
    let alike = pieces.take_while(|(_, other)| *other == zero);
    (first + alike.map(|(length, _)| length).sum::<usize>(), zero)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_byte_that_is_not_zero_is_found_wherever_it_is() {
        for length in [0, 1, 255, 256, 257, 1000] {
            let mut bytes = vec![0; length];
            assert!(is_zero(&bytes));
            for at in 0..length {
                bytes[at] = 1;
                assert!(!is_zero(&bytes));
                bytes[at] = 0;
            }
        }
    }

    #[test]
    fn runs_are_as_long_as_their_pieces_are_alike() {
        let mut bytes = vec![0; 40];
        assert_eq!(first_run(&bytes, 16), (40, true));
        bytes[39] = 1;
        assert_eq!(first_run(&bytes, 16), (32, true));
        assert_eq!(first_run(&bytes[32..], 16), (8, false));
        bytes[16] = 1;
        assert_eq!(first_run(&bytes, 16), (16, true));
        assert_eq!(first_run(&bytes[16..], 16), (24, false));
        assert_eq!(first_run(&[], 16), (0, true));
        clear(&mut bytes);
        assert_eq!(bytes, [0; 40]);
    }
}
