//! Lines of the preprocessed text: which file and line each comes from, which macros are defined where, which pragmas
//! stand between them.
//!
//! The preprocessor's own lines (`# 12 "file" 2`, `#define …`, `#undef …`) are read once and blanked, so that the rest
//! of the program sees clean C text with the same offsets. `#pragma` lines stay.

use super::position::Span;
use super::preprocess::shift;
use memchr::memchr;
use std::collections::{BTreeSet, HashMap};

/// Where one line of the preprocessed text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineOrigin {
    /// Offset of its first byte.
    pub start: usize,
    /// Index into [`Markers::files`].
    pub file: u32,
    /// Line number there, from 1.
    pub line: u32,
    /// It is a line of the user's own file.
    pub own: bool,
}

/// A pragma in the preprocessed text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pragma {
    /// Offset of its `#`.
    pub offset: usize,
    /// One past its last byte.
    pub end: usize,
    /// What follows `#pragma`.
    pub text: String,
}

/// A definition of a macro.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Macro {
    /// Parameter names; `None` for an object-like macro.
    pub parameters: Option<Vec<String>>,
    /// The last parameter takes any number of arguments.
    pub variadic: bool,
    /// What it stands for.
    pub body: String,
}

/// A file that a line of the user's own file includes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inclusion {
    /// Its name as the preprocessor writes it.
    pub name: String,
    /// What it became in the preprocessed text, with all that it includes itself.
    pub span: Span,
    /// The last line of the directive.
    pub last_line: usize,
}

/// What was read from the preprocessor's own lines.
#[derive(Debug, Default)]
pub struct Markers {
    /// File names as the preprocessor writes them.
    pub files: Vec<String>,
    /// Those of them that the compiler takes for headers of the system.
    pub system: BTreeSet<u32>,
    /// One per line of the preprocessed text.
    pub lines: Vec<LineOrigin>,
    /// In the order of the text.
    pub inclusions: Vec<Inclusion>,
    /// In the order of the text.
    pub pragmas: Vec<Pragma>,
    /// For each macro name: from which offset on it has which definition (`None`: it is undefined again).
    pub macros: HashMap<String, Vec<(usize, Option<Macro>)>>,
}

impl Markers {
    /// Where the line around `offset` comes from.
    pub fn origin(&self, offset: usize) -> Option<LineOrigin> {
        let index = self.lines.partition_point(|line| line.start <= offset);
        index.checked_sub(1).map(|index| self.lines[index])
    }

    /// The definition of `name` at `offset`, if it is a macro there.
    pub fn macro_at(&self, name: &str, offset: usize) -> Option<&Macro> {
        let history = self.macros.get(name)?;
        let index = history.partition_point(|(from, _)| *from <= offset);
        history[..index].last()?.1.as_ref()
    }

    /// Whether `name` is a macro at `offset`, those of the compiler included.
    pub fn is_macro(&self, name: &str, offset: usize) -> bool {
        const BUILTIN: [&str; 8] = [
            "__FILE__",
            "__LINE__",
            "__DATE__",
            "__TIME__",
            "__COUNTER__",
            "__TIMESTAMP__",
            "_Pragma",
            "__INCLUDE_LEVEL__",
        ];
        BUILTIN.contains(&name) || self.macro_at(name, offset).is_some()
    }

    /// Leaves out the directives of OpenMP where the compiler does: it defines `_OPENMP` when it reads them.
    pub fn leave_out_openmp_that_is_off(&mut self) {
        if !self.macros.contains_key("_OPENMP") {
            let is_openmp = |one: &Pragma| one.text.split_whitespace().next() == Some("omp");
            self.pragmas.retain(|one| !is_openmp(one));
        }
    }
}

/// Reads the preprocessor's lines out of `text`, which stands for the file at `path`, and blanks them.
pub fn read_markers(text: &mut String, path: &str) -> Markers {
    let mut markers = Markers::default();
    let mut indices: HashMap<String, u32> = HashMap::new();
    let mut bytes = std::mem::take(text).into_bytes();
    let (mut file, mut line, mut depth, mut own) = (0u32, 0u32, 0i32, false);
    // The file that a line of the user's own file has entered, and where its text begins.
    let mut entered: Option<(String, usize)> = None;
    let mut at = 0;
    while at < bytes.len() {
        let end = memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length);
        if bytes[at] == b'#' {
            let content = String::from_utf8_lossy(&bytes[at + 1..end]).into_owned();
            let content = content.trim();
            let mut blank = true;
            let mut marker = false;
            if let Some(rest) = content.strip_prefix("define ") {
                if let Some((name, definition)) = parse_macro(rest) {
                    markers
                        .macros
                        .entry(name)
                        .or_default()
                        .push((at, Some(definition)));
                }
            } else if let Some(name) = content.strip_prefix("undef ") {
                markers
                    .macros
                    .entry(name.trim().to_string())
                    .or_default()
                    .push((at, None));
            } else if let Some(rest) = content.strip_prefix("pragma") {
                markers.pragmas.push(Pragma {
                    offset: at,
                    end,
                    text: rest.trim().to_string(),
                });
                blank = false;
            } else if let Some((mut number, mut name, flags)) = parse_marker(content) {
                marker = true;
                if let Some(shift) = shift(&name, path) {
                    number = u32::try_from(i64::from(number) + shift).unwrap_or(0);
                    name = path.to_string();
                }
                depth += i32::from(flags.contains('1')) - i32::from(flags.contains('2'));
                let was_own = own;
                own = depth <= 0 && name == path;
                if flags.contains('1') && depth == 1 && was_own {
                    entered = Some((name.clone(), at));
                }
                if let (true, Some((name, start))) = (own && flags.contains('2'), &entered) {
                    markers.inclusions.push(Inclusion {
                        name: name.clone(),
                        span: Span::new(*start, at),
                        last_line: number.saturating_sub(1) as usize,
                    });
                    entered = None;
                }
                let files = &mut markers.files;
                file = *indices.entry(name).or_insert_with_key(|name| {
                    files.push(name.clone());
                    u32::try_from(files.len() - 1).unwrap_or(0)
                });
                line = number;
                // Macros of the system make such a marker in any file, but no file begins there.
                if flags.contains('3') && flags.contains('1') {
                    markers.system.insert(file);
                }
            }
            if blank {
                bytes[at..end].fill(b' ');
            }
            if marker {
                markers.lines.push(LineOrigin {
                    start: at,
                    file,
                    line: line.saturating_sub(1),
                    own: false,
                });
                at = end + 1;
                continue;
            }
        }
        markers.lines.push(LineOrigin {
            start: at,
            file,
            line,
            own,
        });
        line += 1;
        at = end + 1;
    }
    *text = String::from_utf8(bytes).unwrap_or_default();
    markers
}

/// `12 "file" 1 3`: line, file, flags.
fn parse_marker(content: &str) -> Option<(u32, String, &str)> {
    let content = content.strip_prefix("line ").unwrap_or(content);
    let (number, rest) = content.split_once(' ')?;
    let number = number.parse().ok()?;
    let rest = rest.trim_start().strip_prefix('"')?;
    let mut name = String::new();
    let mut characters = rest.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((number, name, &rest[at + 1..])),
            '\\' => name.extend(characters.next().map(|(_, escaped)| escaped)),
            _ => name.push(character),
        }
    }
    None
}

/// `NAME(a, b...) body` after `#define`.
fn parse_macro(rest: &str) -> Option<(String, Macro)> {
    let rest = rest.trim_start();
    let end = rest
        .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
        .unwrap_or(rest.len());
    let name = rest[..end].to_string();
    let after = &rest[end..];
    if name.is_empty() {
        return None;
    }
    let Some(list) = after.strip_prefix('(') else {
        return Some((
            name,
            Macro {
                parameters: None,
                variadic: false,
                body: after.trim().to_string(),
            },
        ));
    };
    let close = list.find(')')?;
    let mut parameters: Vec<String> = list[..close]
        .split(',')
        .map(|p| p.trim().to_string())
        .collect();
    parameters.retain(|parameter| !parameter.is_empty());
    let mut variadic = false;
    if let Some(last) = parameters.last_mut()
        && let Some(stem) = last.strip_suffix("...")
    {
        variadic = true;
        *last = if stem.trim().is_empty() {
            "__VA_ARGS__".to_string()
        } else {
            stem.trim().to_string()
        };
    }
    let body = list[close + 1..].trim().to_string();
    Some((
        name,
        Macro {
            parameters: Some(parameters),
            variadic,
            body,
        },
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_none_of_the_system_because_a_macro_of_the_system_is_used_in_it() {
        let mut text = "# 1 \"/usr/include/stdio.h\" 1 3 4\nint puts(const char *);\n# 2 \"a.c\" 2\nint *p =\n\
                        # 3 \"a.c\" 3 4\n((void *)0)\n# 3 \"a.c\"\n;\n"
            .to_string();
        let markers = read_markers(&mut text, "a.c");
        let system = markers.system.iter();
        let system: Vec<&str> = system.map(|file| &*markers.files[*file as usize]).collect();
        assert_eq!(system, ["/usr/include/stdio.h"]);
    }
}
