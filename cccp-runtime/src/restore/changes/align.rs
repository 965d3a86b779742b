//! Two lists paired in order, and how sure each pair is.
//!
//! In: how well an element of one list goes with one of the other (0: not at all). Out: the pairing with the largest
//! sum that keeps the order. An element is unsure when another pairing with the same sum treats it differently.

/// What an element of the old list became.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partner {
    /// It has none.
    None,
    /// This element of the new list.
    One(usize),
    /// Nobody can say.
    Unsure,
}

/// Pairs `old` elements with `new` ones.
pub fn align(old: usize, new: usize, score: &dyn Fn(usize, usize) -> u64) -> Vec<Partner> {
    let width = new + 1;
    // The best sum of what stands before a place, and of what stands from there on.
    let mut before = vec![0u64; (old + 1) * width];
    let mut after = before.clone();
    for i in 1..=old {
        for j in 1..=new {
            let pair = score(i - 1, j - 1);
            let both = match pair {
                0 => 0,
                _ => before[(i - 1) * width + j - 1] + pair,
            };
            let one = before[(i - 1) * width + j].max(before[i * width + j - 1]);
            before[i * width + j] = one.max(both);
        }
    }
    for i in (0..old).rev() {
        for j in (0..new).rev() {
            let pair = score(i, j);
            let both = match pair {
                0 => 0,
                _ => after[(i + 1) * width + j + 1] + pair,
            };
            let one = after[(i + 1) * width + j].max(after[i * width + j + 1]);
            after[i * width + j] = one.max(both);
        }
    }
    let best = after[0];
    let partner = |i: usize| {
        let alone = (0..=new).any(|j| before[i * width + j] + after[(i + 1) * width + j] == best);
        let mut partners = (0..new).filter(|&j| {
            let pair = score(i, j);
            pair > 0 && before[i * width + j] + pair + after[(i + 1) * width + j + 1] == best
        });
        match (partners.next(), partners.next(), alone) {
            (None, _, _) => Partner::None,
            (Some(one), None, false) => Partner::One(one),
            _ => Partner::Unsure,
        }
    };
    (0..old).map(partner).collect()
}
