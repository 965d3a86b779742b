//! Which lines of a text are the user's own, and of which of the user's files.
//!
//! In: for every line of a text with added lines, and with the texts of included files in it, the user's line that it
//! belongs to. Out: numbers for messages, for what a checkpoint says about its registers, and for the compiler's line
//! marks. The one idea: an added line has the number of the user's line before which it stands.
//!
//! ```text
//! int main(void)              1
//! {                           2
//! #pragma cccp init           3   (added)
//!     return work();          3
//! ```
//!
//! Not here: what is added or taken in, and why.

/// A line of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The user's line that it is, or a part of, or before which it was added; from 1.
    pub number: usize,
    /// The included file whose line it is, from 1 among [`UserLines::parts`]; 0 for the file itself.
    pub part: usize,
    /// It was added.
    pub is_added: bool,
}

/// The text of a file that stands in the place of the directive that included it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The file's name, as seen from where we are.
    pub name: String,
    /// The part in which the directive stood; 0 for the file itself.
    pub within: usize,
    /// All lines of the directive, with their ends.
    pub directive: String,
    /// The directive's first line.
    pub line: usize,
    /// It may be a header of a library: nothing says that it lies with the program.
    pub is_foreign: bool,
}

/// The user's line of every line of a text. Without an entry a line has its own number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserLines {
    lines: Vec<Line>,
    parts: Vec<Part>,
}

impl UserLines {
    /// All lines, in order, of a text with these parts.
    pub fn new(lines: Vec<Line>, parts: Vec<Part>) -> UserLines {
        UserLines { lines, parts }
    }

    /// A line of the text, from 1.
    pub fn line(&self, line: usize) -> Line {
        let known = line.checked_sub(1).and_then(|index| self.lines.get(index));
        known.copied().unwrap_or(Line {
            number: line,
            part: 0,
            is_added: false,
        })
    }

    /// Whether a line of the text is one of a header that may be a library's.
    pub fn is_foreign(&self, line: usize) -> bool {
        let part = self.line(line).part.checked_sub(1);
        part.is_some_and(|index| self.parts[index].is_foreign)
    }

    /// The user's line of a line of the text; both from 1.
    pub fn of(&self, line: usize) -> usize {
        self.line(line).number
    }

    /// The included files whose texts stand in it.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The name of the included file that a line of the text is from.
    pub fn name(&self, line: usize) -> Option<&str> {
        let part = self.line(line).part.checked_sub(1)?;
        self.parts.get(part).map(|part| part.name.as_str())
    }

    /// Nothing was added.
    pub fn is_plain(&self) -> bool {
        self.lines.is_empty()
    }

    /// The text with a mark of the preprocessor before every line that does not follow the one before it. `mark` gives the
    /// mark, without its line end, from the line of the text; several lines of it are parted by `\n`.
    pub fn marked(&self, text: &str, mark: impl Fn(usize) -> String) -> String {
        let mut marked = String::with_capacity(text.len() + text.len() / 8);
        let mut expected = (0, 1);
        for (index, line) in text.split_inclusive('\n').enumerate() {
            let own = self.line(index + 1);
            if (own.part, own.number) != expected {
                let end = if line.ends_with("\r\n") { "\r\n" } else { "\n" };
                marked.push_str(&mark(index + 1).replace('\n', end));
                marked.push_str(end);
            }
            marked.push_str(line);
            expected = (own.part, own.number + 1);
        }
        marked
    }

    /// The text of the file itself (0) or of a part, with the directives in it that included others, and its lines.
    pub fn alone(&self, text: &str, part: usize) -> (String, UserLines) {
        let mut alone = String::new();
        let mut lines = Vec::new();
        let mut inside = 0;
        for (index, line) in text.split_inclusive('\n').enumerate() {
            let own = self.line(index + 1);
            if own.part == part {
                alone.push_str(line);
                lines.push(Line { part: 0, ..own });
                inside = 0;
                continue;
            }
            // The part that begins here, as seen from the text wanted.
            let mut outer = own.part;
            while let Some(above) = outer.checked_sub(1).map(|at| self.parts[at].within) {
                if above == part {
                    break;
                }
                outer = above;
            }
            if outer == 0 || outer == inside {
                continue;
            }
            inside = outer;
            let included = &self.parts[outer - 1];
            alone.push_str(&included.directive);
            for number in 0..included.directive.matches('\n').count() {
                lines.push(Line {
                    number: included.line + number,
                    part: 0,
                    is_added: false,
                });
            }
        }
        let lines = UserLines::new(lines, Vec::new());
        (alone, lines)
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
        if (new.part, new.number) == (line.part, line.number) && !new.is_added && is_there(text) {
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
        let line = |number, is_added| Line {
            number,
            part: 0,
            is_added,
        };
        let lines = [(1, false), (2, true), (2, false), (2, true), (2, false)];
        let new = UserLines::new(
            lines
                .map(|(number, is_added)| line(number, is_added))
                .into(),
            Vec::new(),
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
        let line = |number, is_added| Line {
            number,
            part: 0,
            is_added,
        };
        let lines = vec![
            line(1, false),
            line(2, true),
            line(2, false),
            line(3, false),
        ];
        let lines = UserLines::new(lines, Vec::new());
        assert_eq!(
            lines.marked("a\nadded\nb\nc\n", |line| format!(
                "#line {} \"x.c\"",
                lines.of(line)
            )),
            "a\nadded\n#line 2 \"x.c\"\nb\nc\n"
        );
        let plain = UserLines::default();
        assert_eq!(plain.marked("a\nb", |_| String::new()), "a\nb");
    }

    #[test]
    fn a_text_and_the_parts_in_it_can_be_told_apart() {
        let part = |name: &str, within, directive: &str, line| Part {
            name: name.to_string(),
            within,
            directive: directive.to_string(),
            line,
            is_foreign: false,
        };
        let line = |part, number| Line {
            number,
            part,
            is_added: false,
        };
        // a.c has b.h twice, which has c.h.
        let text = "a1\nb1\nc1\nb3\nb1\nc1\nb3\na4\n";
        let of = [
            (0, 1),
            (1, 1),
            (2, 1),
            (1, 3),
            (3, 1),
            (4, 1),
            (3, 3),
            (0, 4),
        ];
        let parts = vec![
            part("b.h", 0, "in b\n", 2),
            part("c.h", 1, "in c\n", 2),
            part("b.h", 0, "in b\n", 3),
            part("c.h", 3, "in c\n", 2),
        ];
        let lines = UserLines::new(of.map(|(part, number)| line(part, number)).into(), parts);
        let alone = |part| lines.alone(text, part).0;
        assert_eq!(alone(0), "a1\nin b\nin b\na4\n");
        assert_eq!(alone(1), "b1\nin c\nb3\n");
        assert_eq!(alone(4), "c1\n");
        assert_eq!(lines.alone(text, 0).1.of(3), 3);
        assert_eq!(lines.name(6), Some("c.h"));
        let marked = lines.marked(text, |line| format!("{line}"));
        assert_eq!(
            marked,
            "a1\n2\nb1\n3\nc1\n4\nb3\n5\nb1\n6\nc1\n7\nb3\n8\na4\n"
        );
    }
}
