//! Whether a call allocates one struct, or an array: `malloc(sizeof *s)`, `calloc(1, sizeof(struct s))` are one.
//!
//! Only names in messages rest on it.

/// Whether the text of a call says that it allocates one object.
pub(super) fn allocates_one(call: &str) -> bool {
    let Some((_, inner)) = call.split_once('(') else {
        return false;
    };
    let Some((inner, _)) = inner.rsplit_once(')') else {
        return false;
    };
    let arguments = arguments(inner);
    let sizes = arguments.iter().filter(|one| is_size_of_one(one)).count();
    sizes == 1
        && arguments
            .iter()
            .all(|one| *one == "1" || is_size_of_one(one))
}

fn arguments(text: &str) -> Vec<&str> {
    let (mut depth, mut start) = (0, 0);
    let mut found = Vec::new();
    for (at, character) in text.char_indices() {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                found.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(text[start..].trim());
    found
}

/// `sizeof *s`, `sizeof(struct s)`, and nothing else.
fn is_size_of_one(text: &str) -> bool {
    let Some(operand) = text.strip_prefix("sizeof") else {
        return false;
    };
    let operand = operand.trim();
    if let Some(rest) = operand.strip_prefix('(') {
        let mut depth = 1;
        for (at, character) in rest.char_indices() {
            match character {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return rest[at + 1..].trim().is_empty();
            }
        }
        return false;
    }
    let name = operand.trim_start_matches(['*', ' ']);
    let is_part = |c: char| c.is_alphanumeric() || "_.->[]".contains(c);
    !name.is_empty() && name.chars().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_struct_or_an_array() {
        assert!(allocates_one("malloc(sizeof *s)"));
        assert!(allocates_one("malloc(sizeof(struct s))"));
        assert!(allocates_one("calloc(1, sizeof *s->box)"));
        assert!(allocates_one("xmalloc(sizeof (*s))"));
        assert!(!allocates_one("malloc(n * sizeof *s)"));
        assert!(!allocates_one("malloc(sizeof(double) * n)"));
        assert!(!allocates_one("malloc(sizeof *s * n)"));
        assert!(!allocates_one("calloc(n, sizeof *s)"));
        assert!(!allocates_one("rod(n)"));
    }
}
