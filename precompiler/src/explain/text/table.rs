//! Tables whose columns are aligned and whose long cells are broken into lines.

/// How wide a line may be.
const WIDTH: usize = 100;
/// What stands between two columns.
const GAP: usize = 2;

/// A column: how wide it may become.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The widest it may be; the last column takes what is left.
    pub most: usize,
    /// Its text stands on the right side.
    pub right: bool,
}

/// The rows as lines, each after an indentation.
pub fn table(columns: &[Column], rows: &[Vec<String>], indent: usize) -> Vec<String> {
    let mut widths: Vec<usize> = (0..columns.len())
        .map(|index| {
            let cells = rows.iter().filter_map(|row| row.get(index));
            let natural = cells.map(|text| text.chars().count()).max().unwrap_or(0);
            natural.min(columns[index].most)
        })
        .collect();
    if let Some(last) = widths.last_mut() {
        *last = 0;
        let taken: usize = widths.iter().map(|width| width + GAP).sum();
        if let Some(last) = widths.last_mut() {
            *last = (WIDTH + GAP).saturating_sub(indent + taken).max(24);
        }
    }
    let mut lines = Vec::new();
    for row in rows {
        let cells: Vec<Vec<String>> = row
            .iter()
            .zip(&widths)
            .map(|(text, width)| wrapped(text, *width))
            .collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        for number in 0..height {
            let mut line = " ".repeat(indent);
            for ((cell, width), column) in cells.iter().zip(&widths).zip(columns) {
                let text = cell.get(number).map_or("", String::as_str);
                let room = " ".repeat(width.saturating_sub(text.chars().count()));
                if column.right {
                    line += &room;
                }
                line += text;
                if !column.right {
                    line += &room;
                }
                line += &" ".repeat(GAP);
            }
            lines.push(line.trim_end().to_string());
        }
    }
    lines
}

/// A text in lines of at most `width` characters, broken at spaces where there are any.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        let mut word: Vec<char> = word.chars().collect();
        let used = line.chars().count();
        if used > 0 && used + 1 + word.len() > width {
            lines.push(std::mem::take(&mut line));
        } else if used > 0 {
            line.push(' ');
        }
        while word.len() > width {
            // Behind a factor or a member, if there is one.
            let good = word[..width]
                .iter()
                .rposition(|c| matches!(c, '·' | '.' | ':' | ']' | '/'))
                .map(|at| at + 1)
                .filter(|at| *at > width / 3);
            let rest = word.split_off(good.unwrap_or(width));
            lines.push(word.into_iter().collect());
            word = rest;
        }
        line.extend(word);
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_are_cut_and_others_kept_whole() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrapped("8·main:rows·n", 12), ["8·main:rows·", "n"]);
        assert_eq!(wrapped("", 3), [""]);
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let columns = [
            Column {
                most: 10,
                right: false,
            },
            Column {
                most: 10,
                right: true,
            },
            Column {
                most: 0,
                right: false,
            },
        ];
        let row = |cells: [&str; 3]| cells.map(String::from).to_vec();
        let lines = table(&columns, &[row(["a", "1", "x"]), row(["bcd", "22", ""])], 2);
        assert_eq!(lines, ["  a     1  x", "  bcd  22"]);
    }
}
