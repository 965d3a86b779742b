//! The word that was probably meant.

/// The candidate that is closest to `word`, if one is close enough: at most one edit in three letters, where an edit
/// inserts, removes or replaces a letter or swaps two neighbours. Upper and lower case are the same.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let written: Vec<char> = word.chars().take(64).collect();
    let limit = (written.len() * 2 / 3).max(2);
    candidates
        .into_iter()
        .filter(|candidate| {
            *candidate != word && candidate.chars().count().abs_diff(written.len()) <= limit
        })
        .map(|candidate| {
            (
                distance(&written, &candidate.chars().take(64).collect::<Vec<_>>()),
                candidate,
            )
        })
        .filter(|(edits, _)| *edits <= limit)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, candidate)| candidate)
}

/// Twice the number of edits.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).map(|j| 2 * j).collect()];
    for i in 1..=a.len() {
        let mut row = vec![2 * i];
        for j in 1..=b.len() {
            let replace = if a[i - 1].eq_ignore_ascii_case(&b[j - 1]) {
                0
            } else {
                2
            };
            let mut best = (rows[i - 1][j] + 2)
                .min(row[j - 1] + 2)
                .min(rows[i - 1][j - 1] + replace);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 2);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn s02_the_nearest_word_is_found_or_none() {
        let words = ["checkpoint", "register", "init"];
        assert_eq!(nearest("chekpoint", words), Some("checkpoint"));
        assert_eq!(nearest("regsiter", words), Some("register"));
        assert_eq!(nearest("INIT", words), Some("init"));
        assert_eq!(nearest("parallel", words), None);
    }
}
