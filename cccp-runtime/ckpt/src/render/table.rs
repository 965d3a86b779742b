//! Tables whose columns are aligned.

use crate::outcome::Failure;
use crate::output::{Look, Output};

/// On which side of a column its text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A cell: text and what it is.
pub type Cell = (String, Look);

/// Rows of cells under titles.
pub struct Table {
    titles: Vec<(&'static str, Side)>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table with these columns.
    pub fn new(titles: &[(&'static str, Side)]) -> Table {
        Table {
            titles: titles.to_vec(),
            rows: Vec::new(),
        }
    }

    /// Adds a row; it has as many cells as there are titles.
    pub fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells);
    }

    /// Prints it, each line after an indentation. Nothing stands behind the last word of a line.
    pub fn print(&self, indent: usize, output: &mut Output) -> Result<(), Failure> {
        let length = |text: &str| text.chars().count();
        let widths: Vec<usize> = (0..self.titles.len())
            .map(|column| {
                let cells = self.rows.iter().filter_map(|row| row.get(column));
                cells
                    .map(|(text, _)| length(text))
                    .chain([length(self.titles[column].0)])
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        let titles = self
            .titles
            .iter()
            .map(|(title, _)| (title.to_string(), Look::Title))
            .collect();
        for row in std::iter::once(&titles).chain(&self.rows) {
            let (mut line, mut owed) = (String::new(), indent);
            for ((text, look), (width, (_, side))) in
                row.iter().zip(widths.iter().zip(&self.titles))
            {
                let room = width - length(text).min(*width);
                if text.is_empty() {
                    owed += width + 2;
                    continue;
                }
                let before = owed + if *side == Side::Right { room } else { 0 };
                line.push_str(&" ".repeat(before));
                line.push_str(&output.paint(*look, text));
                owed = 2 + if *side == Side::Left { room } else { 0 };
            }
            output.line(line)?;
        }
        Ok(())
    }
}

/// A cell without a colour.
pub fn plain(text: impl Into<String>) -> Cell {
    (text.into(), Look::Plain)
}

/// A cell of less importance.
pub fn faint(text: impl Into<String>) -> Cell {
    (text.into(), Look::Faint)
}
