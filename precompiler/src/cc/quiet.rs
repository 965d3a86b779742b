//! Objects that are linked by cccp-cc say nothing: the section of which linkers make a warning has another name in copies of
//! them. Nothing is moved in these, so archives stay what they are.

use std::path::{Path, PathBuf};

use super::archive::patched;
use super::command::{Command, Part};
use super::object::thin_members;
use super::record::{SECTION, WARNING};
use super::scratch::{Scratch, in_file};

/// Copies of the files of a command that would warn, by the numbers of their parts.
pub fn quiet(
    step: &Command,
    file_of: impl Fn(&Part) -> Option<PathBuf>,
    others: &[(usize, PathBuf)],
    scratch: &Scratch,
) -> Result<Vec<(usize, PathBuf)>, String> {
    let mut all = others.to_vec();
    for (at, part) in step.parts.iter().enumerate() {
        let known = others.iter().find(|(other, _)| *other == at);
        let Some(file) = known
            .map(|(_, path)| path.clone())
            .or_else(|| file_of(part))
        else {
            continue;
        };
        let Ok(mut bytes) = std::fs::read(&file) else {
            continue;
        };
        let directory = scratch.directory(&format!("quiet-{at}"))?;
        let members = thin_members(&file, &bytes);
        if members.iter().any(|(member, _)| warns(member)) {
            let whole = patched(&file, &[], &step.compiler, &directory, false)?;
            bytes = std::fs::read(&whole).map_err(|error| in_file(&whole, &error))?;
        }
        if !silence(&mut bytes) {
            continue;
        }
        let copy = directory.join(file.file_name().unwrap_or_default());
        std::fs::write(&copy, bytes).map_err(|error| in_file(&copy, &error))?;
        all.retain(|(other, _)| *other != at);
        all.push((at, copy));
    }
    Ok(all)
}

fn warns(file: &Path) -> bool {
    std::fs::read(file).is_ok_and(|mut bytes| silence(&mut bytes))
}

/// Gives the section another name wherever it stands behind ours; whether there was one.
fn silence(bytes: &mut [u8]) -> bool {
    let names = format!("{SECTION}\0{WARNING}\0").into_bytes();
    let mut found = false;
    let mut from = 0;
    let first = names[0];
    while let Some(at) = bytes[from..].iter().position(|&byte| byte == first) {
        let at = from + at;
        if bytes[at..].starts_with(&names) {
            bytes[at + SECTION.len() + 1] = b'_';
            found = true;
        }
        from = at + 1;
    }
    found
}
