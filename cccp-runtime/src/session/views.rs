//! Files that the program has mapped to read them, in a checkpoint and back.
//!
//! In: the views that there are. Out: a register of the library for each, with the file and where it lies; nothing of what is in
//! it. On restart the file is found as those are that were open, and mapped at the same place. What would be another content stops:
//! the checkpoint where the file was replaced, removed or written in memory, the restart where it has changed. Not here: where views
//! lie (`memory`).

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::format::{Access, OpenFile};
use crate::generation::Extent;
use crate::memory::views::{self, View};
use crate::registry::RegisterId;
use crate::restore::{Replay, Stop};
use crate::store::{Details, Undo, beside, checksum, examine, find, which};

use super::Session;
use super::library::Kept;

/// What the registers are called.
const VIEW: &str = "view of a file";
/// As long as it is the same, so is a file: path, length and time.
pub type Stamp = (PathBuf, u64, (i64, u32));

/// How the file is opened.
const READING: Access = Access {
    read: true,
    write: false,
    append: false,
};

/// The line before what is said of the file: where it lies, which part, what it holds.
fn line(view: &View, contents: u32) -> String {
    let (start, length) = (view.addresses.start, view.addresses.len());
    let (offset, shared) = (view.offset, u8::from(view.is_shared));
    format!("{start} {length} {offset} {shared} {contents}\n")
}

/// The view and its contents; which file it is, is unknown yet.
fn parsed(line: &str) -> Option<(View, u32)> {
    let numbers: Option<Vec<u64>> = line.split(' ').map(|word| word.parse().ok()).collect();
    let [start, length, offset, shared, contents] = numbers?[..] else {
        return None;
    };
    let start = usize::try_from(start).ok()?;
    let view = View {
        addresses: start..start.checked_add(usize::try_from(length).ok()?)?,
        file: (0, 0),
        offset,
        is_shared: shared != 0,
    };
    Some((view, u32::try_from(contents).ok()?))
}

impl Session {
    /// What a restart maps again. No register may lie there: its values could not be written back.
    pub(super) fn views_of_files(
        &self,
        extents: &BTreeMap<RegisterId, Extent>,
    ) -> Result<Vec<Kept>, String> {
        let is_there = |id: &RegisterId| {
            let extent = extents.get(id);
            extent.is_some_and(|one| one.elements > 0 && views::are_around(one.start as u64))
        };
        if let Some(one) = self.registers.iter().find(|one| is_there(&one.id)) {
            return Err(format!(
                "{} lies in a file that is mapped to be read: register the pointer alone, a restart maps the file again",
                one.described(&one.name)
            ));
        }
        let all = views::all();
        if all.is_empty() {
            return Ok(Vec::new());
        }
        let details = Details::now();
        let kept = all.into_iter().map(|view| {
            let (path, known) = self.file_of(&view, &details)?;
            let stamp = (path, known.length, known.modified);
            let sums = &mut *self.contents_of_views.borrow_mut();
            let contents = match sums.get(&stamp) {
                Some(contents) => *contents,
                None => {
                    let path = &stamp.0;
                    let contents = checksum(path, known.length)
                        .map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
                    *sums.entry(stamp).or_insert(contents)
                }
            };
            let mut text = line(&view, contents).into_bytes();
            text.extend(known.to_text());
            Ok(Kept::text(VIEW.to_string(), view.addresses.start, text))
        });
        kept.collect()
    }

    /// The file of a view, as a restart will find it.
    fn file_of(
        &self,
        view: &View,
        details: &Result<Details, String>,
    ) -> Result<(PathBuf, OpenFile), String> {
        let path = details.as_ref().map_err(String::clone);
        let path = path.and_then(|details| details.unwritten_file(&view.addresses));
        let path = path.map_err(|reason| {
            format!(
                "a file that the program has mapped to be read, at {:#x}, cannot be mapped again by a restart: {reason}. Map it with \
                 MAP_PRIVATE and PROT_WRITE if it is changed in memory",
                view.addresses.start
            )
        })?;
        let name = path.display();
        if which(&path).is_none_or(|(_, file)| file != view.file) {
            return Err(format!(
                "the program has mapped {name}, which was removed or replaced since: a restart could not map it again. Keep the file \
                 until the program ends, or map it with MAP_PRIVATE and PROT_WRITE, then it is saved"
            ));
        }
        let known = beside(&path, READING).map_err(|error| error.to_string());
        let known = known.and_then(|open| examine(&open, 0, self.directory_at_init.as_deref()));
        let known = known.map_err(|error| format!("{name} cannot be opened: {error}"))?;
        Ok((path, known))
    }

    /// Looks for the files. Changes nothing.
    pub(super) fn find_views(
        &self,
        replay: &mut Replay,
        later: &Undo,
    ) -> Result<Vec<(View, PathBuf)>, Stop> {
        let mut found = Vec::new();
        let library = replay.library.clone();
        for saved in library.iter().filter(|one| one.name == VIEW) {
            let text = self.text_of(replay, saved)?;
            let end = text.iter().position(|byte| *byte == b'\n');
            let parts = end.and_then(|end| {
                let first = std::str::from_utf8(&text[..end]).ok()?;
                Some((parsed(first)?, OpenFile::from_text(&text[end + 1..])?))
            });
            let ((view, contents), known) =
                parts.ok_or_else(|| format!("the checkpoint says nothing about a `{VIEW}`"))?;
            let file = OpenFile {
                offset: Some(known.length),
                ..known
            };
            let there = find(&file, self.directory_at_init.as_deref(), later)?;
            // One of which the dates alone are others is the same.
            let now = || checksum(&there.path, file.length);
            if there.changed && now().map_err(|error| error.to_string())? != contents {
                return Err(format!(
                    "{} was mapped at the checkpoint and has changed since: put it back as it was, or start from the beginning, beside \
                     the old generations: --cccp-restart=fresh",
                    there.path.display()
                ));
            }
            found.push((view, there.path));
        }
        Ok(found)
    }

    /// Maps them where they were.
    pub(super) fn views_again(&self, replay: Option<&mut Replay>) -> Result<(), Stop> {
        for (view, path) in replay.map(|replay| &replay.views).into_iter().flatten() {
            let mapped = beside(path, READING).map_err(|error| error.to_string());
            let mapped = mapped.and_then(|open| {
                let (_, file) = which(path).ok_or("it is gone")?;
                let view = View {
                    file,
                    ..view.clone()
                };
                views::map_again(view, &open)
            });
            mapped.map_err(|reason| {
                format!(
                    "{} was mapped at {:#x}, and cannot be mapped there again: {reason}",
                    path.display(),
                    view.addresses.start
                )
            })?;
        }
        Ok(())
    }
}
