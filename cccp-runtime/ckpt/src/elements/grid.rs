//! Positions in a register as the indices that C uses.

use cccp::format::Register;

/// The extents of a register and where its first element stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Row-major; empty for a single object.
    pub extents: Vec<u64>,
    /// Elements before the first one saved.
    pub first: u64,
}

impl Grid {
    /// That of a register.
    pub fn of(register: &Register) -> Grid {
        Grid {
            extents: register.extents.clone(),
            first: register.first,
        }
    }

    /// The indices of the element number `position`: those that lead to it from the pointer or array that was
    /// registered. None for a single object.
    pub fn indices(&self, position: u64) -> Vec<u64> {
        let mut indices = vec![0; self.extents.len()];
        // What the first extent leaves over counts on: `p[lo:n]` begins at lo.
        let mut rest = position.saturating_add(self.first);
        for (place, extent) in self.extents.iter().enumerate().rev() {
            if place == 0 {
                indices[0] = rest;
            } else {
                indices[place] = rest % (*extent).max(1);
                rest /= (*extent).max(1);
            }
        }
        indices
    }

    /// The same in brackets, with the member: `[3][4].x`.
    pub fn spell(&self, position: u64, member: &str) -> String {
        let mut text: String = self
            .indices(position)
            .iter()
            .map(|index| format!("[{index}]"))
            .collect();
        if !member.is_empty() {
            text.push('.');
            text.push_str(member);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_the_one_that_c_uses() {
        let grid = |extents: &[u64], first| Grid {
            extents: extents.to_vec(),
            first,
        };
        assert_eq!(grid(&[30, 10], 0).spell(123, ""), "[12][3]");
        assert_eq!(grid(&[5], 100).spell(2, "x[1]"), "[102].x[1]");
        assert_eq!(grid(&[5, 10], 20).spell(11, ""), "[3][1]");
        assert_eq!(grid(&[], 0).spell(0, "a.b"), ".a.b");
        assert_eq!(grid(&[], 0).spell(0, ""), "");
    }
}
