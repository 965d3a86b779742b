//! Shared libraries that are built with the program: what they were linked from becomes part of the program itself.
//!
//! A checkpoint may be taken in any function, so that of a library has to be analysed and changed with all others, and
//! what it is changed to belongs to this program alone. When a library is linked, it gets a section with the words of that
//! command; where a program is linked with it, its objects stand in its place. The library stays as it is, for other programs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::command::{Command, Kind, Part, parts};
use super::compile::put_in;
use super::depends::Checksums;
use super::object::linked;
use super::record::{LIBRARY, Library, VERSION};

/// Options of the linker that say how the objects behind them are taken.
const ABOUT_OBJECTS: [&str; 12] = [
    "-Wl,--whole-archive",
    "-Wl,-whole-archive",
    "-Wl,--no-whole-archive",
    "-Wl,-no-whole-archive",
    "-Wl,--start-group",
    "-Wl,--end-group",
    "-Wl,-(",
    "-Wl,-)",
    "-Wl,--push-state",
    "-Wl,--pop-state",
    "-Wl,--as-needed",
    "-Wl,--no-as-needed",
];

/// Puts into a shared library what it was linked from. It stays as it is when that cannot be.
pub fn remember(step: &Command, output: &Path, is_marked: bool) {
    let mut sums = Checksums::default();
    let mut words = Vec::new();
    let mut files = Vec::new();
    for part in &step.parts {
        let word = part.words.first().map_or("", String::as_str);
        let file = match part.kind {
            Kind::Object => Some(PathBuf::from(part.value())),
            Kind::Library => library_of(step, part),
            _ => None,
        };
        if let Some(path) = file.and_then(|path| path.canonicalize().ok()) {
            let (Some(sum), Some(name)) = (sums.of(&path), path.to_str()) else {
                return;
            };
            files.push((name.to_string(), sum));
            words.push(name.to_string());
            continue;
        }
        let is_kept = match part.kind {
            Kind::Library => true,
            Kind::LinkFlag => ABOUT_OBJECTS.contains(&word) || word.starts_with("-Wl,-rpath"),
            Kind::Flag => word.starts_with("-fopenmp") || word == "-pthread",
            _ => false,
        };
        if is_kept {
            words.extend(part.words.iter().cloned());
        }
    }
    let library = Library {
        version: VERSION.to_string(),
        words,
        files,
    };
    if let Ok(bytes) = library.encode(is_marked) {
        put_in(output, &[(LIBRARY, &bytes)]);
    }
}

/// The library that `-l` stands for, in the directories that the command names: in each a shared one before an archive.
pub fn library_of(step: &Command, part: &Part) -> Option<PathBuf> {
    let names = match part.value().strip_prefix(':') {
        Some(name) => vec![name.to_string()],
        None if step.says("-static") || step.says("-static-pie") => {
            vec![format!("lib{}.a", part.value())]
        }
        None => ["so", "a"]
            .map(|end| format!("lib{}.{end}", part.value()))
            .into(),
    };
    let directories = step.of(Kind::SearchPath);
    let mut places =
        directories.flat_map(|one| names.iter().map(|name| Path::new(one.value()).join(name)));
    places.find(|path| path.is_file())
}

/// The command of a program with the objects of its libraries in their places, and these libraries.
pub fn opened(step: &Command) -> Result<(Command, Vec<PathBuf>), String> {
    let mut all = Opened {
        parts: Vec::new(),
        libraries: Vec::new(),
        files: BTreeSet::new(),
        sums: Checksums::default(),
    };
    all.take(step, &step.parts)?;
    let mut step = step.clone();
    step.parts = all.parts;
    if !all.libraries.is_empty() {
        // A library that is not seen, or loaded later, finds in the program what it found in the library.
        step.parts.push(Part {
            kind: Kind::LinkFlag,
            words: vec!["-rdynamic".to_string()],
        });
    }
    Ok((step, all.libraries))
}

struct Opened {
    parts: Vec<Part>,
    libraries: Vec<PathBuf>,
    /// What libraries were linked from: the same objects twice would be defined twice.
    files: BTreeSet<PathBuf>,
    sums: Checksums,
}

impl Opened {
    fn take(&mut self, step: &Command, parts: &[Part]) -> Result<(), String> {
        for part in parts {
            let path = match part.kind {
                Kind::Object => Some(PathBuf::from(part.value())),
                Kind::Library => library_of(step, part),
                _ => None,
            };
            let path = path.and_then(|path| path.canonicalize().ok());
            match path.and_then(|path| Some((linked_from(&path)?, path))) {
                Some((library, path)) => self.open(step, &library, path)?,
                None => self.parts.push(part.clone()),
            }
        }
        Ok(())
    }

    fn open(&mut self, step: &Command, library: &Library, path: PathBuf) -> Result<(), String> {
        if self.libraries.contains(&path) {
            return Ok(());
        }
        let name = path.display();
        if library.version != VERSION {
            return Err(format!(
                "{name} was linked by cccp-cc {}, and this is {VERSION}: build it again",
                library.version
            ));
        }
        for (file, sum) in &library.files {
            if self.sums.of(Path::new(file)) != Some(*sum) {
                return Err(format!(
                    "{name} was linked from another {file} than is there now: link it again"
                ));
            }
        }
        self.libraries.push(path);
        let mut words = Vec::new();
        for part in parts(&library.words) {
            let path = Path::new(part.value());
            let is_object = part.kind == Kind::Object && is_alone(path);
            if !is_object || self.files.insert(path.to_path_buf()) {
                words.push(part);
            }
        }
        self.take(step, &words)
    }
}

/// An object, no archive and no shared library: the linker takes it as often as it is named.
fn is_alone(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "o")
}

/// How the file was linked, if it is a library that carries that, and what it was made of is still there.
fn linked_from(path: &Path) -> Option<Library> {
    let name = path.file_name()?.to_str()?;
    if !name.ends_with(".so") && !name.contains(".so.") {
        return None;
    }
    let library = linked(&std::fs::read(path).ok()?)?;
    let mut files = library.files.iter();
    files
        .all(|(file, _)| Path::new(file).is_file())
        .then_some(library)
}
