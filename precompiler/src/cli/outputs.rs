//! Where results go, and how they find headers from there.

use super::options::{Options, Stage};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Component, Path, PathBuf};

/// Where each result goes.
pub fn outputs(options: &Options) -> Result<Vec<Option<PathBuf>>, String> {
    if options.emit.is_some_and(Stage::is_of_the_program) {
        // One file for the whole program.
        return Ok(vec![options.output.clone()]);
    }
    let mut outputs = Vec::new();
    let names = names(&options.files);
    for (file, name) in options.files.iter().zip(names) {
        let output = match (&options.directory, &options.output) {
            (Some(directory), _) => {
                let name = name.ok_or_else(|| format!("`{}` is not a file", file.display()))?;
                Some(directory.join(name))
            }
            (None, output) => output.clone(),
        };
        if let Some(output) = &output {
            let same = output
                .canonicalize()
                .ok()
                .zip(file.canonicalize().ok())
                .is_some_and(|(a, b)| a == b);
            if same {
                return Err(format!(
                    "`{}` would be overwritten by its own result",
                    file.display()
                ));
            }
            if outputs.contains(&Some(output.clone())) {
                return Err(format!(
                    "two files would both be written to `{}`",
                    output.display()
                ));
            }
        }
        outputs.push(output);
    }
    Ok(outputs)
}

/// What the results are called: like the files, and where two have the same name, all with their directories below the one
/// that they share.
fn names(files: &[PathBuf]) -> Vec<Option<PathBuf>> {
    let flat: Vec<_> = files
        .iter()
        .map(|file| file.file_name().map(PathBuf::from))
        .collect();
    let distinct: BTreeSet<_> = flat.iter().collect();
    if distinct.len() == flat.len() {
        return flat;
    }
    let whole = |file: &PathBuf| file.canonicalize().unwrap_or_else(|_| file.clone());
    let whole: Vec<PathBuf> = files.iter().map(whole).collect();
    let is_shared = |above: &&Path| whole.iter().all(|file| file.starts_with(above));
    let shared = whole
        .first()
        .and_then(|file| file.ancestors().skip(1).find(is_shared));
    let below = |file: &PathBuf| file.strip_prefix(shared?).ok().map(PathBuf::from);
    whole.iter().map(below).collect()
}

/// Writes a result, if it is not there already.
pub fn put(output: Option<&Path>, bytes: &[u8]) -> Result<(), String> {
    match output {
        None => {
            let mut out = std::io::stdout().lock();
            out.write_all(bytes)
                .and_then(|()| out.flush())
                .map_err(|error| format!("standard output: {error}"))
        }
        // What did not change has nothing to be made of it again.
        Some(path) if std::fs::read(path).is_ok_and(|old| old == bytes) => Ok(()),
        Some(path) => {
            if let Some(directory) = path.parent().filter(|one| !one.as_os_str().is_empty()) {
                std::fs::create_dir_all(directory)
                    .map_err(|error| format!("{}: {error}", directory.display()))?;
            }
            std::fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
        }
    }
}

/// A result as it is compiled from where `output` lies: a header that the source finds beside itself is found there.
/// What is included in angle brackets, or found by `-I`, is left as it is.
pub fn included_from(output: &Path, source: &str, bytes: &[u8]) -> Vec<u8> {
    let Some((from, to)) = directory(Path::new(source)).zip(directory(output)) else {
        return bytes.to_vec();
    };
    // Standard output or a pipe has no place.
    if from == to || output.exists() && !output.is_file() {
        return bytes.to_vec();
    }
    let mut result = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let seen = std::str::from_utf8(line).ok().and_then(|text| {
            let name = quoted_name(text)?;
            let beside = from.join(&text[name.clone()]);
            let path = beside.is_file().then(|| relative(&beside, &to))?;
            Some([&text[..name.start], &path, &text[name.end..]].concat())
        });
        result.extend_from_slice(seen.as_ref().map_or(line, |text| text.as_bytes()));
    }
    result
}

/// Where in a line of the preprocessor the name of a header stands in quotes.
fn quoted_name(line: &str) -> Option<std::ops::Range<usize>> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let end = rest.find(|one: char| !(one.is_ascii_alphabetic() || one == '_'));
    let (word, mut rest) = rest.split_at(end?);
    match word {
        "include" | "import" | "embed" => {}
        "if" | "elif" => {
            let asked = rest.find("__has_include").or(rest.find("__has_embed"))?;
            rest = &rest[asked + rest[asked..].find('(')? + 1..];
        }
        _ => return None,
    }
    let name = rest.trim_start().strip_prefix('"')?;
    let start = line.len() - name.len();
    Some(start..start + name.find('"')?)
}

/// The directory of a file, from the root, also when it is still to be made.
fn directory(file: &Path) -> Option<PathBuf> {
    let directory = std::path::absolute(file).ok()?;
    let directory = directory.parent()?;
    let mut above = directory.ancestors();
    let (there, real) = above.find_map(|one| Some((one, one.canonicalize().ok()?)))?;
    let missing = directory.strip_prefix(there).ok()?;
    let plain = missing
        .components()
        .all(|one| matches!(one, Component::Normal(_)));
    plain.then(|| real.join(missing))
}

/// The path to a file as seen from a directory; both begin at the root.
fn relative(file: &Path, directory: &Path) -> String {
    let mut plain = PathBuf::new();
    for part in file.components() {
        match part {
            Component::CurDir => {}
            // What stands in front is a directory's real place, or was left out before.
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    let shared = plain.components().zip(directory.components());
    let shared = shared.take_while(|(one, other)| one == other).count();
    let up = directory
        .components()
        .skip(shared)
        .map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(plain.components().skip(shared)).collect();
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_headers_are_found_in_lines_of_the_preprocessor() {
        for (line, name) in [
            ("#include \"a.h\"\n", Some("a.h")),
            ("  # import \"../a b.h\" /* why */", Some("../a b.h")),
            ("#include <a.h>", None),
            ("#include A_H", None),
            ("#define A \"a.h\"", None),
            ("#if !defined X && __has_include ( \"a.h\" )", Some("a.h")),
            ("#if __has_include(<a.h>)", None),
            ("f(\"a.h\");", None),
        ] {
            assert_eq!(quoted_name(line).map(|range| &line[range]), name, "{line}");
        }
    }

    #[test]
    fn a_file_is_seen_from_a_directory() {
        let seen = |file, directory| relative(Path::new(file), Path::new(directory));
        assert_eq!(seen("/p/src/../a.h", "/p/out/src"), "../../a.h");
        assert_eq!(seen("/p/out/./a.h", "/p/out"), "a.h");
        assert_eq!(seen("/p/a.h", "/q"), "../p/a.h");
    }
}
