//! Which lines of a text are the user's own.
//!
//! In: for every line of a text with added lines the user's line that it belongs to. Out: numbers for messages, for
//! what a checkpoint says about its registers, and for the compiler's line marks. The one idea: an added line has the
//! number of the user's line before which it stands, so that numbers never fall.
//!
//! ```text
//! int main(void)              1
//! {                           2
//! #pragma cccp init           3   (added)
//!     return work();          3
//! ```
//!
//! Not here: what is added, and why.

/// A line of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The user's line that it is, or a part of, or before which it was added; from 1.
    pub number: usize,
    /// It was added.
    pub is_added: bool,
}

/// The user's line of every line of a text. Without an entry a line has its own number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserLines {
    lines: Vec<Line>,
}

impl UserLines {
    /// All lines, in order.
    pub fn new(lines: Vec<Line>) -> UserLines {
        UserLines { lines }
    }

    /// A line of the text, from 1.
    pub fn line(&self, line: usize) -> Line {
        let known = line.checked_sub(1).and_then(|index| self.lines.get(index));
        known.copied().unwrap_or(Line {
            number: line,
            is_added: false,
        })
    }

    /// The user's line of a line of the text; both from 1.
    pub fn of(&self, line: usize) -> usize {
        self.line(line).number
    }

    /// Nothing was added.
    pub fn is_plain(&self) -> bool {
        self.lines.is_empty()
    }

    /// The text with a mark of the preprocessor before every line that does not follow the one before it. `name` gives the
    /// file's name in the mark, quoted, from the line of the text and the user's.
    pub fn marked(&self, text: &str, name: impl Fn(usize, usize) -> String) -> String {
        let mut marked = String::with_capacity(text.len() + text.len() / 8);
        let mut expected = 1;
        for (index, line) in text.split_inclusive('\n').enumerate() {
            let number = self.of(index + 1);
            if number != expected {
                let end = if line.ends_with("\r\n") { "\r\n" } else { "\n" };
                let name = name(index + 1, number);
                marked.push_str(&format!("#line {number} {name}{end}"));
            }
            marked.push_str(line);
            expected = number + 1;
        }
        marked
    }
}

/// Where a place of a text is after lines were added to it. None: it was on a line that is not the user's own.
pub fn moved(
    offset: usize,
    (before, lines): (&str, &UserLines),
    (after, new_lines): (&str, &UserLines),
) -> Option<usize> {
    let start = before[..offset].rfind('\n').map_or(0, |found| found + 1);
    let line = lines.line(1 + before[..start].matches('\n').count());
    if line.is_added {
        return None;
    }
    let column = offset - start;
    let is_there = |text: &str| {
        // A line that was cut in two: its second part keeps the column, with white space in front.
        let first = text.len() - text.trim_start().len();
        text.trim_end().len() > column && first <= column
    };
    let mut at = 0;
    for (index, text) in after.split_inclusive('\n').enumerate() {
        let new = new_lines.line(index + 1);
        if new.number == line.number && !new.is_added && is_there(text) {
            return Some(at + column);
        }
        at += text.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_move_with_their_lines() {
        let before = "a;\nb; c;\n";
        let after = "a;\n#\nb;\n#\n   c;\n";
        let line = |number, is_added| Line { number, is_added };
        let lines = [(1, false), (2, true), (2, false), (2, true), (2, false)];
        let new = UserLines::new(
            lines
                .map(|(number, is_added)| line(number, is_added))
                .into(),
        );
        let old = UserLines::default();
        let find = |what: &str| moved(before.find(what)?, (before, &old), (after, &new));
        for what in ["a", "b", "c"] {
            assert_eq!(find(what), after.find(what), "{what}");
        }
        let back = moved(3, (after, &new), (before, &old));
        assert_eq!(back, None, "an added line");
    }

    #[test]
    fn s03_lines_after_added_ones_have_the_users_numbers() {
        let line = |number, is_added| Line { number, is_added };
        let lines = vec![
            line(1, false),
            line(2, true),
            line(2, false),
            line(3, false),
        ];
        let lines = UserLines::new(lines);
        assert_eq!(
            lines.marked("a\nadded\nb\nc\n", |_, _| "\"x.c\"".to_string()),
            "a\nadded\n#line 2 \"x.c\"\nb\nc\n"
        );
        let plain = UserLines::default();
        assert_eq!(plain.marked("a\nb", |_, _| String::new()), "a\nb");
    }
}
