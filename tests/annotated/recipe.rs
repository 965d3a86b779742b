//! Programs that others wrote, annotated by a recipe: which Debian source package, which files, and which lines go where.
//! None of their text is kept here.
//!
//! A recipe is lines of `word value`, then places, each followed by the lines to put there, indented:
//!
//! ```text
//! before ep.c: MPI_Finalize();
//!     #pragma cccp shutdown
//! ```
//!
//! A place is the first line of the file that contains the text; `A … B` is the first line with B behind the first one with
//! A. `write FILE` makes a file. The sources are where CCCP_PROGRAMS says; `tests/annotated/run` fetches them.

use std::path::{Path, PathBuf};

use super::harness::Build;

/// A recipe.
#[derive(Debug, Default)]
pub struct Recipe {
    /// Its name.
    pub name: String,
    package: String,
    folder: String,
    files: Vec<String>,
    headers: Vec<String>,
    flags: Vec<String>,
    /// How many ranks; none when it is no MPI program.
    pub ranks: Option<usize>,
    /// Arguments for a short run.
    pub arguments: Vec<String>,
    /// The checkpoints of such a run.
    pub checkpoints: u64,
    /// In auto mode, passes for one checkpoint.
    pub every: u64,
    /// Registers that the check keeps although the oracle sees no need.
    pub surplus: usize,
    /// It is not tried in auto mode. `unserved REASON`
    pub is_unserved: bool,
    /// What the check calls missing although neither the kill tests nor the oracle need it. `accepted NAME: REASON`
    pub accepted: Vec<String>,
    places: Vec<(Place, Vec<String>)>,
}

#[derive(Debug)]
enum Place {
    Write(String),
    Before(String, String),
    After(String, String),
}

/// The programs that are marked by hand.
const MARKED: &[&str] = &["nas-ep", "nas-is", "omp-matinv", "comd"];
/// Those that are tried in auto mode; the last one takes longest.
const UNMARKED: &[&str] = &["npb-cg", "npb-mg", "omp-matinv", "nas-is", "nas-ep"];

/// The recipes of marked programs, when their sources are here; says so when not.
pub fn recipes() -> Vec<Recipe> {
    if std::env::var_os("CCCP_PROGRAMS").is_none() {
        eprintln!("no CCCP_PROGRAMS here: skipped; tests/annotated/run fetches them");
        return Vec::new();
    }
    MARKED.iter().map(|name| Recipe::read(name)).collect()
}

/// The recipes of programs for auto mode; their directives are left out.
pub fn unmarked() -> Vec<Recipe> {
    match recipes().is_empty() {
        true => Vec::new(),
        false => UNMARKED.iter().map(|name| Recipe::read(name)).collect(),
    }
}

/// Where a file of the program is made.
fn own(directory: &Path, name: &str) -> PathBuf {
    directory.join(Path::new(name).file_name().expect("a file"))
}

impl Recipe {
    /// The recipe in `annotated/NAME.txt`.
    pub fn read(name: &str) -> Recipe {
        let path = super::harness::root().join(format!("tests/annotated/{name}.txt"));
        let text = std::fs::read_to_string(path).expect("a recipe");
        let mut recipe = Recipe {
            name: name.to_owned(),
            every: 1,
            ..Recipe::default()
        };
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        for line in lines.filter(|line| !line.trim().is_empty()) {
            if let Some(own) = line.strip_prefix("    ") {
                let (_, lines) = recipe.places.last_mut().expect("a place before its lines");
                lines.push(own.to_owned());
                continue;
            }
            let (word, value) = line.split_once(' ').expect("a word and a value");
            let words = || value.split_whitespace().map(str::to_owned).collect();
            let place = || {
                let (file, text) = value.split_once(": ").expect("a file and a text");
                (file.to_owned(), text.to_owned())
            };
            let new = match word {
                "package" => {
                    recipe.package = value.to_owned();
                    continue;
                }
                "folder" => {
                    recipe.folder = value.to_owned();
                    continue;
                }
                "files" => {
                    recipe.files = words();
                    continue;
                }
                "headers" => {
                    recipe.headers = words();
                    continue;
                }
                "flags" => {
                    recipe.flags = words();
                    continue;
                }
                "arguments" => {
                    recipe.arguments = words();
                    continue;
                }
                "ranks" => {
                    recipe.ranks = value.parse().ok();
                    continue;
                }
                "checkpoints" => {
                    recipe.checkpoints = value.parse().expect("a number");
                    continue;
                }
                "every" => {
                    recipe.every = value.parse().expect("a number");
                    continue;
                }
                "surplus" => {
                    recipe.surplus = value.parse().expect("a number");
                    continue;
                }
                "unserved" => {
                    recipe.is_unserved = true;
                    continue;
                }
                "accepted" => {
                    let (name, _reason) = value.split_once(": ").expect("a name and a reason");
                    recipe.accepted.push(name.to_owned());
                    continue;
                }
                "write" => Place::Write(value.to_owned()),
                "before" => {
                    let (file, text) = place();
                    Place::Before(file, text)
                }
                "after" => {
                    let (file, text) = place();
                    Place::After(file, text)
                }
                other => panic!("{other} is no word of a recipe"),
            };
            recipe.places.push((new, Vec::new()));
        }
        recipe
    }

    /// Makes the annotated program in a directory; its C files.
    pub fn make(&self, directory: &Path) -> Vec<PathBuf> {
        let programs = PathBuf::from(std::env::var_os("CCCP_PROGRAMS").expect("the sources"));
        let from = programs.join(&self.package).join(&self.folder);
        let is_written = |name: &str| {
            let mut places = self.places.iter();
            places.any(|(place, _)| matches!(place, Place::Write(file) if file == name))
        };
        for name in self.files.iter().chain(&self.headers) {
            if is_written(name) {
                continue;
            }
            // Bytes: old programs are not UTF-8.
            std::fs::copy(from.join(name), own(directory, name))
                .unwrap_or_else(|error| panic!("{}: {error}", from.join(name).display()));
        }
        for (place, lines) in &self.places {
            let (file, text, behind) = match place {
                Place::Write(file) => {
                    let path = directory.join(file);
                    std::fs::create_dir_all(path.parent().expect("a directory"))
                        .expect("a directory for a header");
                    std::fs::write(path, lines.join("\n") + "\n").expect("a header");
                    continue;
                }
                Place::Before(file, text) => (file, text, 0),
                Place::After(file, text) => (file, text, 1),
            };
            let path = directory.join(file);
            let own = std::fs::read_to_string(&path).expect("a file of the program");
            let mut own: Vec<&str> = own.lines().collect();
            let mut line = 0;
            for (number, part) in text.split(" … ").enumerate() {
                let start = line + usize::from(number > 0);
                let found = own[start..].iter().position(|line| line.contains(part));
                line = start + found.unwrap_or_else(|| panic!("{file}: no {part}"));
            }
            let at = line + behind;
            own.splice(at..at, lines.iter().map(String::as_str));
            std::fs::write(&path, own.join("\n") + "\n").expect("a file of the program");
        }
        self.files.iter().map(|name| own(directory, name)).collect()
    }

    /// The same without the directives.
    pub fn make_plain(&self, directory: &Path) -> Vec<PathBuf> {
        let files = self.make(directory);
        for path in &files {
            let bytes = std::fs::read(path).expect("a file of the program");
            let is_kept = |line: &&[u8]| !line.starts_with(b"#pragma cccp");
            let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').filter(is_kept).collect();
            std::fs::write(path, lines.join(&b'\n')).expect("a file of the program");
        }
        files
    }

    /// Options of the preprocessor for what `make` made.
    pub fn options(&self, directory: &Path) -> Vec<String> {
        let flags = self.flags.iter();
        let mut options: Vec<String> = flags
            .flat_map(|flag| ["--cpp-flag".to_owned(), flag.clone()])
            .collect();
        options.push(format!("-I{}", directory.display()));
        options
    }

    /// How to build what `make_plain` made in auto mode.
    pub fn automatic(&self, directory: &Path, files: &[PathBuf]) -> Build {
        let every = self.every.to_string();
        let build = self.build(directory, files);
        build.tool_flags(&["--auto", "--every", &every])
    }

    /// How to build what `make` made.
    pub fn build(&self, directory: &Path, files: &[PathBuf]) -> Build {
        let include = format!("-I{}", directory.display());
        let mut flags = vec!["-O2", &include];
        flags.extend(self.flags.iter().map(String::as_str));
        let options = self.options(directory);
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        Build::files(files)
            .with(super::harness::Compiler::Gcc, &flags)
            .tool_flags(&options)
            .mpi(self.ranks.is_some())
            .careless()
    }
}
