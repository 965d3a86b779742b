//! Plans of FFTW, generators of GSL and files that zlib reads, in memory that comes back: they are made again when a restart has put everything into its place.
//!
//! In: words for those in registers and blocks, and what makes them (`libraries`). Out: a register of the library with lines for them,
//! in which arrays are places that another process finds; on restart new ones where the old ones were. What a block of the program makes
//! has no words, and stays what the block has put there.

use std::collections::{BTreeMap, BTreeSet};

use crate::format::OBJECTS;
use crate::generation::Map;
use crate::libraries::{self, Maker, is_generator_line, is_input_line, is_plan_line, with_arrays};
use crate::restore::{Held, Obstacle, Replay, Stop};
use crate::store::Refused;

use super::Session;
use super::collected::Refusal;
use super::fixed::place_in_fixed_heap;
use super::held::{FIXED, HELD};
use super::library::Kept;
use super::prepared::{meant, saved_place};

/// The word for an array that is not in memory which is saved; its address follows.
const GONE: &str = "gone:";

/// What is found of them.
#[derive(Default)]
pub(super) struct FoundObjects {
    lines: String,
    words: BTreeSet<String>,
    /// Types of those that no call has made which the library has seen.
    pub unseen: BTreeSet<String>,
}

impl FoundObjects {
    /// Adds what lies at a place.
    pub fn add(&mut self, kind: &str, bytes: &[u8], place: &str) {
        match libraries::word(bytes) {
            Some(word) => {
                self.lines += &format!("{place} {word}\n");
                self.words.insert(word);
            }
            None if libraries::is_other(bytes) => {}
            None => drop(self.unseen.insert(kind.to_string())),
        }
    }

    /// Adds what a byte of the fixed heap begins to point to.
    pub fn add_in_fixed_heap(&mut self, byte: u64, word: &str) {
        self.lines += &format!("{FIXED} {byte} {word}\n");
        self.words.insert(word.to_string());
    }

    /// The register of the library.
    /// `inputs` are files of zlib whose descriptors cannot come back.
    pub fn kept(
        &self,
        map: &Map,
        inputs: &BTreeMap<usize, Refused>,
    ) -> Result<Option<Kept>, Refusal> {
        if self.words.is_empty() {
            return Ok(None);
        }
        let mut text = libraries::wisdom();
        for line in libraries::lines(&self.words).lines() {
            let maker = line.split(' ').nth(2).unwrap_or_default();
            let placed = with_arrays(line, |array| match saved_place(array, map) {
                Some(place) => Ok(place),
                None if libraries::executes_own_arrays(maker) => {
                    Err(Refusal::Obstacle(Obstacle::Everywhere(format!(
                        "a plan of FFTW cannot be restored: an array with which `{maker}` made it is not in memory that is saved: register it"
                    ))))
                }
                // Others name their arrays when they are executed.
                None => Ok(format!("{GONE}{array}")),
            });
            text += &(placed? + "\n");
        }
        let everywhere = |reason| Refusal::Obstacle(Obstacle::Everywhere(reason));
        text += &libraries::generator_lines(&self.words).map_err(everywhere)?;
        text += &libraries::input_lines(&self.words, inputs).map_err(everywhere)?;
        text += &self.lines;
        Ok(Some(Kept::text(OBJECTS.to_string(), 0, text.into_bytes())))
    }
}

impl Session {
    /// Makes them again, and puts them where they were. Everything else is in its place.
    pub(super) fn objects_again(&mut self, replay: &mut Replay) -> Result<(), Stop> {
        let text = self.library_text(replay, OBJECTS)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let mut lines: Vec<String> = { text.lines() }
            .filter(|line| is_plan_line(line))
            .map(str::to_string)
            .collect();
        Maker::sort(&mut lines);
        let mut maker = Maker::with(libraries::read_wisdom(text.lines()));
        let mut made = Vec::new();
        for line in &lines {
            let failed = |reason: String| format!("a plan of FFTW cannot be made again: {reason}");
            let mut placer = self.placer(
                &mut replay.places,
                &replay.registers,
                &replay.file.checkpoint,
                replay.same_build,
                true,
            );
            let line = with_arrays(line, |array| {
                if let Some(address) = array.strip_prefix(GONE) {
                    // Nobody looks there: FFTW wants to know how it is aligned.
                    let address: u64 = address.parse().unwrap_or_default();
                    return Ok((address as usize).to_string());
                }
                let place =
                    meant(array).ok_or_else(|| format!("its line is not understood: {line}"))?;
                placer.place(place).map(|address| address.to_string())
            });
            let one = libraries::make(&mut maker, &line.map_err(failed)?).map_err(failed)?;
            if one.is_other {
                self.say(
                    "warning: FFTW does not know here what it had measured when the checkpoint was taken: a plan is estimated, and the \
                     last bits of results may differ"
                        .to_string(),
                );
            }
            made.push(one);
        }
        for line in text.lines().filter(|line| is_generator_line(line)) {
            made.push(libraries::make_generator(line)?);
        }
        for line in text.lines().filter(|line| is_input_line(line)) {
            let now = |number: i32| {
                let mut files = replay.reopened.iter();
                let file = files.find(|one| i64::from(one.kept.number) == i64::from(number));
                file.map(|file| file.descriptor)
            };
            made.push(libraries::make_input(line, now)?);
        }
        let mut changed = BTreeSet::new();
        for line in text.lines().filter(|line| line.starts_with(HELD)) {
            let held = held(line).and_then(|(id, element, leaf, word)| {
                let made = made.iter().find(|one| one.word == word)?;
                let bytes = Some(made.bytes.clone());
                Some((
                    id,
                    Held {
                        element,
                        leaf,
                        bytes,
                    },
                ))
            });
            let (id, one) = held.ok_or_else(|| {
                format!("the checkpoint does not say which object of a library this was: {line}")
            })?;
            let all = replay.held.entry(id).or_default();
            all.push(one);
            all.sort_by_key(|one| one.element);
            changed.insert(id);
        }
        for id in changed {
            self.put_again(replay, id);
        }
        for line in text.lines().filter(|line| line.starts_with(FIXED)) {
            let mut words = line.split(' ').skip(1);
            let place = words.next().and_then(|byte| byte.parse().ok());
            let place = place.and_then(|byte| place_in_fixed_heap(replay, byte));
            let word = words.next().unwrap_or_default();
            let made = made.iter().find(|one| one.word == word);
            let (Some(place), Some(made)) = (place, made) else {
                return Err(format!(
                    "the checkpoint does not say which object of a library this was: {line}"
                ));
            };
            self.program.write(place, &made.bytes);
        }
        Ok(())
    }
}

/// Where one is: register, element, leaf; and its word.
fn held(line: &str) -> Option<(u64, u64, u64, &str)> {
    let mut words = line.split(' ').skip(1);
    let mut number = || words.next()?.parse().ok();
    let (id, element, leaf) = (number()?, number()?, number()?);
    Some((id, element, leaf, words.next()?))
}

#[cfg(test)]
mod tests {
    use super::held;

    #[test]
    fn a_line_says_where_an_object_is() {
        assert_eq!(held("held 7 0 2 p3"), Some((7, 0, 2, "p3")));
        assert_eq!(held("held 7 0"), None);
    }
}
