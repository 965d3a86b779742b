//! Lines for people.

use std::io::Write;

use crate::memory::{standard_error, without_writing_signals};

/// How a line begins that is about one rank only.
const OWN: [&str; 3] = ["warning", "cannot", "checkpoints are"];

/// A line on standard error, or several for a table, with the rank when the job has several. What all ranks would say is said by one.
pub fn say(rank: Option<u32>, message: &str) {
    let rank = match rank {
        Some(rank) if OWN.iter().any(|word| message.starts_with(word)) => format!("rank {rank}: "),
        _ => String::new(),
    };
    // In one piece: other ranks write to the same place. Neither a closed standard error nor one that
    // may not grow is a reason to stop.
    let begin = line_begin(width());
    let text = message.replace('\n', "\ncccp: ");
    let line = format!("{begin}cccp: {rank}{text}\n");
    without_writing_signals(|| {
        let mut rest = line.as_bytes();
        while let Ok(written @ 1..) =
            rustix::io::retry_on_intr(|| rustix::io::write(standard_error(), rest))
        {
            rest = rest.get(written..).unwrap_or_default();
        }
    });
}

/// The columns of the terminal that standard error is, if it is one.
fn width() -> Option<u16> {
    let size = rustix::termios::tcgetwinsize(standard_error()).ok()?;
    Some(size.ws_col)
}

/// What comes before a line on a terminal of so many columns, where the cursor may stand behind something that the program
/// has written: a line of blanks leads to the next line from everywhere but the first column.
fn line_begin(width: Option<u16>) -> String {
    match width {
        Some(width @ 2..) => " ".repeat(usize::from(width)) + "\r",
        Some(_) => "\r\n".to_string(),
        None => String::new(),
    }
}

/// A text that was asked for, on standard output.
pub fn print(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::line_begin;

    /// The screen of a terminal with so many columns, whose cursor waits behind the last column.
    fn screen(text: &str, width: usize) -> Vec<String> {
        let (mut lines, mut column) = (vec![vec![' '; width]], 0);
        for one in text.chars() {
            match one {
                '\r' => column = 0,
                '\n' => lines.push(vec![' '; width]),
                one => {
                    if column == width {
                        lines.push(vec![' '; width]);
                        column = 0;
                    }
                    lines.last_mut().unwrap()[column] = one;
                    column += 1;
                }
            }
        }
        let text = |line: Vec<char>| line.into_iter().collect::<String>().trim_end().to_string();
        lines.into_iter().map(text).collect()
    }

    #[test]
    fn a_line_begins_in_the_first_column_wherever_the_cursor_is() {
        for (before, expected) in [
            ("", vec!["cccp: x"]),
            ("a", vec!["a", "cccp: x"]),
            ("50 % done", vec!["50 % done", "cccp: x"]),
            (
                "12345678901234567890",
                vec!["12345678901234567890", "cccp: x"],
            ),
            ("done\r\n", vec!["done", "cccp: x"]),
        ] {
            let text = format!("{before}{}cccp: x", line_begin(Some(20)));
            assert_eq!(screen(&text, 20), expected);
        }
        assert_eq!(line_begin(None), "");
    }
}
