//! All files of the catalogue, and where in them a function stands.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::ops::Range;

use cccp_grammar::{Entry, catalogue_entries, parse_catalogue_entry};

use super::builtin::FILES;
use super::check::{Fault, Names, functions};
use super::model::LibraryFunction;

/// What is known of library functions.
#[derive(Debug, Default)]
pub struct Catalogue {
    files: Vec<File>,
    /// Where the entry of a function stands: file, bytes, chapter.
    functions: HashMap<String, Standing>,
    handles: BTreeSet<String>,
    states: BTreeSet<String>,
}

#[derive(Debug)]
struct File {
    name: String,
    text: std::borrow::Cow<'static, str>,
}

#[derive(Clone, Debug)]
struct Standing {
    file: usize,
    entry: Range<usize>,
    chapter: Range<usize>,
}

/// Something wrong in a file of the catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogueFault {
    /// The file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The line itself.
    pub text: String,
    /// How many characters it is about.
    pub length: usize,
    /// One sentence without a full stop.
    pub message: String,
}

impl fmt::Display for CatalogueFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            file,
            line,
            column,
            text,
            length,
            message,
        } = self;
        let number = line.to_string();
        let margin = " ".repeat(number.len());
        writeln!(out, "error: {message}")?;
        writeln!(out, "{margin}--> {file}:{line}:{column}")?;
        writeln!(out, "{margin} |")?;
        writeln!(out, "{number} | {text}")?;
        let blanks = " ".repeat(column - 1);
        write!(out, "{margin} | {blanks}{}", "^".repeat((*length).max(1)))
    }
}

impl Catalogue {
    /// The files that come with the precompiler.
    pub fn builtin() -> Catalogue {
        let mut catalogue = Catalogue::default();
        for (name, text) in FILES {
            catalogue.index(name, std::borrow::Cow::Borrowed(text));
        }
        catalogue
    }

    /// A user's file; its functions take the place of known ones with the same names. Everything in it is looked at.
    pub fn add(&mut self, name: &str, text: String) -> Result<(), Vec<CatalogueFault>> {
        let number = self.files.len();
        self.index(name, std::borrow::Cow::Owned(text));
        let faults = self.faults_of(number);
        if faults.is_empty() {
            Ok(())
        } else {
            Err(faults)
        }
    }

    /// What is known of a function; `None` when it is not in the catalogue. `PMPI_Send` is what `MPI_Send` is.
    pub fn find(&self, name: &str) -> Option<LibraryFunction> {
        let name = match name.strip_prefix('P') {
            Some(plain) if plain.starts_with("MPI_") => plain,
            _ => name,
        };
        let standing = self.functions.get(name)?;
        let all = self.read(standing).ok()?;
        all.into_iter().find(|function| function.name == name)
    }

    /// Whether a typedef name stands for something that only a library understands.
    pub fn is_handle(&self, name: &str) -> bool {
        self.handles.contains(name)
    }

    /// The names of all functions, in no order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.functions.keys().map(String::as_str)
    }

    /// Everything that is wrong in any file: the text of an entry, names that mean nothing, functions that stand twice
    /// in one file or in two that come with the precompiler.
    pub fn faults(&self) -> Vec<CatalogueFault> {
        (0..self.files.len())
            .flat_map(|file| self.faults_of(file))
            .collect()
    }

    fn index(&mut self, name: &str, text: std::borrow::Cow<'static, str>) {
        let file = self.files.len();
        let mut chapter = 0..0;
        for entry in catalogue_entries(&text) {
            let body = &text[entry.clone()];
            let first = body.split([' ', '\t', '\n', '(', ',']).next().unwrap_or("");
            match first {
                "chapter" if body.starts_with("chapter ") => {
                    let line = body.lines().next().unwrap_or("");
                    chapter = entry.start..entry.start + line.len();
                }
                "handle" | "state" if body.starts_with(&format!("{first} ")) => {
                    // Both are few; the rest is read when it is asked for.
                    match parse_catalogue_entry(body) {
                        Ok(Entry::Handles(names)) => {
                            self.handles.extend(names.into_iter().map(|name| name.text));
                        }
                        Ok(Entry::State { name, .. }) => {
                            self.states.insert(name.text);
                        }
                        _ => {}
                    }
                }
                _ => {
                    let head = body.split('(').next().unwrap_or("");
                    for name in head.split(',').map(str::trim) {
                        let standing = Standing {
                            file,
                            entry: entry.clone(),
                            chapter: chapter.clone(),
                        };
                        self.functions.insert(name.to_string(), standing);
                    }
                }
            }
        }
        self.files.push(File {
            name: name.to_string(),
            text,
        });
    }

    fn read(&self, standing: &Standing) -> Result<Vec<LibraryFunction>, Fault> {
        let text = &self.files[standing.file].text;
        let chapter = text[standing.chapter.clone()]
            .trim_start_matches("chapter")
            .trim();
        let names = Names {
            chapter,
            states: &self.states,
        };
        let entry = parse_catalogue_entry(&text[standing.entry.clone()])
            .map_err(|error| (error.range, error.message))?;
        functions(&entry, &names)
    }

    fn faults_of(&self, number: usize) -> Vec<CatalogueFault> {
        let file = &self.files[number];
        let mut faults = Vec::new();
        let mut here: BTreeMap<String, usize> = BTreeMap::new();
        let mut chapter = 0..0;
        for entry in catalogue_entries(&file.text) {
            if file.text[entry.clone()].starts_with("chapter ") {
                chapter = entry.clone();
            }
            let standing = Standing {
                file: number,
                entry: entry.clone(),
                chapter: 0..0,
            };
            match self.read(&standing) {
                Err((range, message)) => {
                    faults.push(self.fault(
                        number,
                        entry.start + range.start,
                        range.len(),
                        message,
                    ));
                }
                Ok(functions) => {
                    for function in functions {
                        let other = self.functions.get(&function.name);
                        let elsewhere = other.is_none_or(|other| other.file != number);
                        if chapter.is_empty() {
                            let message = "a function before the first `chapter`".to_string();
                            faults.push(self.fault(number, entry.start, 1, message));
                        }
                        if elsewhere || here.insert(function.name.clone(), entry.start).is_some() {
                            let message =
                                format!("`{}` stands in the catalogue twice", function.name);
                            let length = function.name.len();
                            faults.push(self.fault(number, entry.start, length, message));
                        }
                    }
                }
            }
        }
        faults
    }

    fn fault(&self, file: usize, at: usize, length: usize, message: String) -> CatalogueFault {
        let File { name, text } = &self.files[file];
        let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let line = text[start..].lines().next().unwrap_or("");
        let column = text[start..at].chars().count();
        CatalogueFault {
            file: name.clone(),
            line: text[..at].matches('\n').count() + 1,
            column: column + 1,
            text: line.to_string(),
            length: length.min(line.chars().count().saturating_sub(column)),
            message,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Alternative, EffectKind, Role};

    const TEXT: &str = "chapter C17 7.24 String handling <string.h>\nstate @tokens: the string strtok is in\nhandle FILE\n\n\
        strtok(s, delim) cite 7.24.5.8\n    reads s[terminated], delim[terminated], @tokens\n    writes s, @tokens\n    \
        keeps s in @tokens\n    nullable s\n    returns into s or into @tokens or null\n\nlabs, abs(j) cite 7.22.6.1\n";

    fn catalogue(text: &str) -> (Catalogue, Vec<CatalogueFault>) {
        let mut catalogue = Catalogue::default();
        let faults = catalogue.add("own.txt", text.to_string()).err();
        (catalogue, faults.unwrap_or_default())
    }

    #[test]
    fn a_function_is_found_with_its_parameters_as_numbers() {
        let (catalogue, faults) = catalogue(TEXT);
        assert_eq!(faults, []);
        let found = catalogue.find("strtok").expect("strtok");
        assert_eq!(found.chapter, "C17 7.24 String handling <string.h>");
        assert_eq!(found.effects.len(), 6);
        assert_eq!(
            found.effects[5].kind,
            EffectKind::Keeps(Some("tokens".into()))
        );
        assert_eq!(found.nullable, [0]);
        assert!(matches!(&found.returns[0], Alternative::Into(place) if place.behind == 0));
        assert_eq!(catalogue.find("abs").expect("abs").effects, []);
        assert!(catalogue.find("strtokk").is_none());
        assert!(catalogue.is_handle("FILE"));
    }

    #[test]
    fn what_is_wrong_is_shown_with_its_line() {
        for (bad, words) in [
            ("f(a)\n    reads b\n", "no parameter `b`"),
            ("f(a)\n    reads a[n]\n", "no parameter `n`"),
            ("f(a)\n    role sendz\n", "`sends`?"),
            ("f(a)\n    reads @token\n", "`@tokens`?"),
            ("f(a)\n    reads ...\n", "no variable arguments"),
            ("f(a, a)\n", "`a` twice"),
            ("abs(j)\n", "stands in the catalogue twice"),
            ("f(a)\n    wreads a\n", "cannot stand here"),
        ] {
            let (_, faults) = catalogue(&format!("{TEXT}\n{bad}"));
            let shown: String = faults.iter().map(ToString::to_string).collect();
            assert!(
                shown.contains(words) && shown.contains("own.txt:1"),
                "{bad}: {shown}"
            );
        }
        let (_, faults) = catalogue("f(a)\n");
        assert!(faults[0].message.contains("chapter"));
    }

    #[test]
    fn a_users_entry_takes_the_place_of_a_known_one() {
        let (mut catalogue, _) = catalogue(TEXT);
        let own = "chapter ours\nstrtok(s, delim)\n    role exits\n";
        catalogue
            .add("mine.txt", own.to_string())
            .expect("a good file");
        assert!(catalogue.find("strtok").expect("strtok").is(Role::Exits));
    }
}
