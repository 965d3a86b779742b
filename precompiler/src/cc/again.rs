//! Compiles again what the precompiler changed, with the command that compiled it first. Objects are kept by what they are
//! made of, so another link of the same text costs nothing.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::called::in_path;
use super::depends::checksum;
use super::program::Unit;
use super::scratch::{Scratch, command, in_file, put, show};
use crate::rewrite::calls::HEADER;

/// So many bytes of objects are kept.
const KEPT: u64 = 1 << 30;

/// What the compiler reads before the files of `-include`.
const FIRST: &str = "cccp_first.h";

/// The object of a changed text.
pub fn object(
    unit: &Unit,
    text: &[u8],
    include: &Path,
    scratch: &Path,
    is_verbose: bool,
) -> Result<PathBuf, String> {
    let words = words(unit, include);
    let text = as_named(text, unit);
    let name = Path::new(&unit.record.source).file_name();
    let name = name.unwrap_or_default().to_string_lossy().into_owned();
    let kept = cache().map(|directory| directory.join(key(unit, &text, &words)));
    if let Some(kept) = kept.as_deref().filter(|kept| kept.is_file()) {
        // What is used stays longest.
        let file = std::fs::File::options().append(true).open(kept);
        let _ = file.and_then(|file| file.set_modified(SystemTime::now()));
        let own = scratch.join(&name).with_extension("o");
        if std::fs::copy(kept, &own).is_ok() {
            return Ok(own);
        }
    }
    let source = scratch.join(&name);
    std::fs::write(&source, &text).map_err(|error| in_file(&source, &error))?;
    let mut words = words;
    if let Some(word) = words.iter_mut().find(|word| *word == FIRST) {
        let first = source.with_extension("first.h");
        std::fs::write(&first, beginning(&text)).map_err(|error| in_file(&first, &error))?;
        *word = first.display().to_string();
    }
    let result = source.with_extension("o");
    let (first, rest) = words.split_at(words.len() - unit.record.after.len() - 4);
    let mut words = first.to_vec();
    words.push(source.display().to_string());
    words.extend(rest.iter().cloned());
    // A debugger finds the user's text.
    let directory = Path::new(&unit.record.source)
        .parent()
        .unwrap_or(Path::new(""));
    let directory = Path::new(&unit.record.directory).join(directory);
    let (there, here) = (scratch.display(), directory.display());
    words.push(format!("-fdebug-prefix-map={there}={here}"));
    words.extend(["-c", "-o"].map(str::to_string));
    words.push(result.display().to_string());
    show(is_verbose, &words);
    let output = command(&words)
        .current_dir(&unit.record.directory)
        .output()
        .map_err(|error| format!("cannot start `{}`: {error}", words[0]))?;
    if !output.status.success() {
        return Err(format!(
            "the text with checkpoints of {} does not compile:\n{}",
            unit.path,
            String::from_utf8_lossy(&output.stderr).trim_end()
        ));
    }
    if let Some(kept) = kept {
        keep(&kept, &result);
    }
    Ok(result)
}

/// All words but the source and the result.
fn words(unit: &Unit, include: &Path) -> Vec<String> {
    let record = unit.record;
    let mut words = record.compiler.clone();
    // The text lies elsewhere: what its own directory has is looked for there first, as before.
    let directory = Path::new(&record.directory).join(&record.source);
    let directory = directory.parent().unwrap_or(Path::new("/"));
    words.extend(["-iquote".to_string(), directory.display().to_string()]);
    // What functions of headers call has its meaning there, too, wherever the header comes from.
    if record
        .before
        .iter()
        .chain(&record.after)
        .any(|word| includes(word))
    {
        words.extend(["-include", FIRST].map(str::to_string));
    }
    words.extend(record.before.iter().cloned());
    words.extend(record.after.iter().cloned());
    words.extend(["-idirafter".to_string(), include.display().to_string()]);
    // Warnings about the user's text were given when it was compiled first.
    words.extend(["-w", "-Wno-error"].map(str::to_string));
    words
}

/// Whether a word makes the compiler read a file before the text.
fn includes(word: &str) -> bool {
    ["-include", "--include"]
        .iter()
        .any(|option| word.starts_with(option))
        && word != "-include-pch"
}

/// The lines of a text that say what the names of functions mean: all up to cccp's own header. They may come twice.
fn beginning(text: &[u8]) -> &[u8] {
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
    let (mut length, mut is_past) = (0, false);
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        // With the lines that give the macros back that the header must not see.
        if is_past && !line.starts_with(b"#pragma pop_macro(") {
            break;
        }
        is_past |= line == HEADER.as_bytes();
        length += line.len();
    }
    match is_past {
        true => &text[..length],
        false => &[],
    }
}

/// The text with the names of the source and of what was taken into it as the compiler knew them, which `__FILE__` gives.
fn as_named(text: &[u8], unit: &Unit) -> Vec<u8> {
    let (seen, named) = (&unit.path, &unit.record.source);
    if seen == named {
        return text.to_vec();
    }
    let above = |path: &str| Path::new(path).parent().map(Path::to_path_buf);
    let (seen_above, named_above) = (above(seen), above(named));
    // What lies below the source's directory is found from there.
    let other = |name: &str| -> Option<String> {
        if name == seen {
            return Some(named.clone());
        }
        let below = Path::new(name).strip_prefix(seen_above.as_ref()?).ok()?;
        let path = named_above.as_ref()?.join(below);
        Some(path.to_string_lossy().into_owned())
    };
    let mut all = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        match renamed(line, other) {
            Some(line) => all.extend(line),
            None => all.extend(line),
        }
    }
    all
}

/// A line `#line 12 "name"` with another name; `None` for another line, or one whose name stays.
fn renamed(line: &[u8], other: impl Fn(&str) -> Option<String>) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(line).ok()?;
    let (number, rest) = text.strip_prefix("#line ")?.split_once(" \"")?;
    let end = rest.rfind('"')?;
    let name = rest[..end].replace("\\\"", "\"").replace("\\\\", "\\");
    let name = other(&name)?.replace('\\', "\\\\").replace('"', "\\\"");
    Some(format!("#line {number} \"{name}{}", &rest[end..]).into_bytes())
}

/// A name for all that an object depends on.
fn key(unit: &Unit, text: &[u8], words: &[String]) -> String {
    let record = unit.record;
    let mut all = Vec::new();
    for word in words
        .iter()
        .chain([&record.version, &record.directory, &record.source])
    {
        all.extend(word.as_bytes());
        all.push(0);
    }
    for (name, sum) in &record.included {
        all.extend(name.as_bytes());
        all.extend(sum.to_le_bytes());
    }
    for program in &record.compiler {
        all.extend(identity(program).as_bytes());
    }
    all.extend(text);
    let first = checksum(&all);
    all.push(1);
    format!("{first:016x}{:016x}.o", checksum(&all))
}

/// Which compiler a name stands for today.
fn identity(program: &str) -> String {
    let found = in_path(program).find_map(|path| path.canonicalize().ok());
    let meta = found.as_ref().and_then(|path| path.metadata().ok());
    let stamp = meta.map(|meta| (meta.len(), meta.modified().ok()));
    format!("{found:?}{stamp:?}")
}

/// Where objects are kept.
fn cache() -> Option<PathBuf> {
    let of = |name: &str| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let own = of("XDG_CACHE_HOME").or_else(|| Some(of("HOME")?.join(".cache")));
    let directory = own?.join("cccp");
    std::fs::create_dir_all(&directory).ok()?;
    Some(directory)
}

/// Keeps an object, and forgets the oldest ones when there are too many. It does no harm when that fails.
fn keep(kept: &Path, object: &Path) {
    if let Ok(bytes) = std::fs::read(object) {
        let _ = put(kept, &bytes);
    }
    let Some(all) = kept
        .parent()
        .and_then(|directory| directory.read_dir().ok())
    else {
        return;
    };
    let mut all: Vec<(SystemTime, u64, PathBuf)> = all
        .flatten()
        .filter_map(|one| {
            let meta = one.metadata().ok()?;
            Some((meta.modified().ok()?, meta.len(), one.path()))
        })
        .collect();
    all.sort();
    let mut sum: u64 = all.iter().map(|(_, length, _)| length).sum();
    for (_, length, path) in all {
        if sum <= KEPT {
            break;
        }
        let _ = std::fs::remove_file(path);
        sum -= length;
    }
}

/// The objects of all changed texts, side by side where the machine has several processors.
pub fn objects(
    units: &[Unit],
    changed: &[(usize, Vec<u8>)],
    include: &Path,
    scratch: &Scratch,
    is_verbose: bool,
) -> Result<Vec<PathBuf>, String> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let mut all = Vec::new();
    for (group, some) in changed.chunks(processors).enumerate() {
        let made = std::thread::scope(|scope| {
            let started: Vec<_> = some
                .iter()
                .enumerate()
                .map(|(number, (unit, text))| {
                    scope.spawn(move || {
                        let directory = scratch.directory(&format!("unit-{group}-{number}"))?;
                        object(&units[*unit], text, include, &directory, is_verbose)
                    })
                })
                .collect();
            let joined = started.into_iter().map(|one| match one.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            joined.collect::<Result<Vec<PathBuf>, String>>()
        })?;
        all.extend(made);
    }
    Ok(all)
}
