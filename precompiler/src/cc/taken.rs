//! Which objects the linker takes: it is asked with `--trace`, and the result is thrown away.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::object::{Contents, contents, members, thin_members};
use super::scratch::{Scratch, command, show};

/// An object that is part of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The file as the linker names it.
    pub file: PathBuf,
    /// The member of the archive that the file is.
    pub member: Option<Place>,
    /// What is in it.
    pub contents: Contents,
}

/// A member of an archive. Several may have one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its name.
    pub name: String,
    /// How many are before it.
    pub number: usize,
}

impl Taken {
    /// How messages call it.
    pub fn name(&self) -> String {
        match &self.member {
            Some(member) => format!("{}({})", self.file.display(), member.name),
            None => self.file.display().to_string(),
        }
    }
}

/// All objects and libraries of a link; `None` when it fails, and the linker should say why. `archives` are those that the
/// command names: of a thin one the linker says the members' own names.
pub fn taken(
    words: &[String],
    archives: &[PathBuf],
    is_verbose: bool,
    scratch: &Scratch,
) -> Option<Vec<Taken>> {
    let mut words = words.to_vec();
    words.push("-o".to_string());
    words.push(scratch.file("traced").display().to_string());
    // Once names the files, twice the members of archives, too.
    words.extend(["-Wl,--trace", "-Wl,--trace", "-Wl,--no-fatal-warnings"].map(str::to_string));
    show(is_verbose, &words);
    let output = command(&words).output().ok()?;
    if !output.status.success() {
        return None;
    }
    let mut thin: BTreeMap<PathBuf, (&PathBuf, Place)> = BTreeMap::new();
    for archive in archives {
        let bytes = std::fs::read(archive).unwrap_or_default();
        for (number, (file, name)) in thin_members(archive, &bytes).into_iter().enumerate() {
            if let Ok(file) = file.canonicalize() {
                thin.entry(file)
                    .or_insert((archive, Place { name, number }));
            }
        }
    }
    let mut lines: Vec<(&str, usize)> = Vec::new();
    let output = String::from_utf8_lossy(&output.stdout);
    for line in output.lines() {
        match lines.iter_mut().find(|(known, _)| *known == line) {
            Some((_, times)) => *times += 1,
            None => lines.push((line, 1)),
        }
    }
    let mut all: Vec<Taken> = Vec::new();
    let mut read = BTreeMap::new();
    for (line, times) in lines {
        let mut alike: Vec<(Contents, usize)> = Vec::new();
        for mut one in named(line, &mut read) {
            // The line comes once for each member that is taken: of members that are the same, `ar r lib.a x.o x.o`, the first ones are.
            match alike.iter_mut().find(|(known, _)| *known == one.contents) {
                Some((_, count)) if *count == times => continue,
                Some((_, count)) => *count += 1,
                None => alike.push((one.contents.clone(), 1)),
            }
            let file = one.file.canonicalize().ok();
            if let Some((archive, place)) = file.and_then(|file| thin.get(&file)) {
                one.file = archive.to_path_buf();
                one.member = Some(place.clone());
            }
            let is_known = |known: &Taken| (&known.file, &known.member) == (&one.file, &one.member);
            if !all.iter().any(is_known) {
                all.push(one);
            }
        }
    }
    Some(all)
}

/// The objects that a line names; none when it is no name, or that of an archive as a whole.
fn named(line: &str, archives: &mut BTreeMap<PathBuf, Vec<(String, Contents)>>) -> Vec<Taken> {
    if Path::new(line).is_file() {
        let bytes = std::fs::read(line).unwrap_or_default();
        if bytes.starts_with(b"!<") {
            return Vec::new();
        }
        return vec![Taken {
            file: line.into(),
            member: None,
            contents: contents(&bytes),
        }];
    }
    // `(lib.a)member.o` or `lib.a(member.o)`.
    let older = line
        .strip_prefix('(')
        .and_then(|line| line.rsplit_once(')'));
    let newer = line
        .strip_suffix(')')
        .and_then(|line| line.rsplit_once('('));
    let Some((file, member)) = older.or(newer) else {
        return Vec::new();
    };
    let file = PathBuf::from(file);
    let all = archives.entry(file.clone()).or_insert_with(|| {
        let bytes = std::fs::read(&file).unwrap_or_default();
        let members = members(&file, &bytes).unwrap_or_default();
        let read = members
            .into_iter()
            .map(|one| (one.name, contents(&one.bytes)));
        read.collect()
    });
    let named = { all.iter().enumerate() }.filter(|(_, (name, _))| name == member);
    let taken = named.map(|(number, (name, contents))| Taken {
        file: file.clone(),
        member: Some(Place {
            name: name.clone(),
            number,
        }),
        contents: contents.clone(),
    });
    taken.collect()
}
