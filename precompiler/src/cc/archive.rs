//! An archive with other members: everything the linker does with the old one (groups, order, whole archives) it does
//! with this one.

use std::path::{Path, PathBuf};

use super::object::members;
use super::response;
use super::scratch::{command, in_file, show};

/// A copy of an archive, in which the members with these numbers have other contents, and so have members that are the same: which of
/// them the linker takes is its own affair.
pub fn patched(
    archive: &Path,
    changed: &[(usize, &Path)],
    compiler: &[String],
    scratch: &Path,
    is_verbose: bool,
) -> Result<PathBuf, String> {
    let bytes = std::fs::read(archive).map_err(|error| in_file(archive, &error))?;
    let members = members(archive, &bytes)
        .ok_or_else(|| format!("{}: this archive cannot be read", archive.display()))?;
    let mut files = Vec::new();
    for (number, member) in members.iter().enumerate() {
        let is_same = |changed: usize| {
            members
                .get(changed)
                .is_some_and(|one| (&one.name, &one.bytes) == (&member.name, &member.bytes))
        };
        let other = { changed.iter() }.find(|(changed, _)| *changed == number);
        let other = other.or_else(|| changed.iter().find(|(changed, _)| is_same(*changed)));
        // Names may occur twice, and are paths in thin archives.
        let directory = scratch.join(number.to_string());
        std::fs::create_dir_all(&directory).map_err(|error| in_file(&directory, &error))?;
        let name = Path::new(&member.name).file_name().unwrap_or_default();
        let file = directory.join(name);
        match other {
            Some((_, object)) => std::fs::copy(object, &file).map(|_| ()),
            None => std::fs::write(&file, &member.bytes),
        }
        .map_err(|error| in_file(&file, &error))?;
        files.push(file.display().to_string());
    }
    let result = scratch.join(archive.file_name().unwrap_or_default());
    let list = scratch.join("members");
    std::fs::write(&list, response::text(&files)).map_err(|error| in_file(&list, &error))?;
    let mut words = vec![archiver(compiler), "qcs".to_string()];
    words.push(result.display().to_string());
    words.push(format!("@{}", list.display()));
    show(is_verbose, &words);
    let output = command(&words)
        .output()
        .map_err(|error| format!("cannot start `{}`: {error}", words[0]))?;
    match output.status.success() {
        true => Ok(result),
        false => Err(String::from_utf8_lossy(&output.stderr)
            .trim_end()
            .to_string()),
    }
}

/// The archiver that belongs to the compiler.
fn archiver(compiler: &[String]) -> String {
    let mut words = compiler.to_vec();
    words.push("-print-prog-name=ar".to_string());
    let output = command(&words).output().ok();
    let name = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string());
    name.filter(|name| !name.is_empty())
        .unwrap_or_else(|| "ar".to_string())
}
