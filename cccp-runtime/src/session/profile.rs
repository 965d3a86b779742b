//! Choosing among the places of checkpoints: the setting `profile`.
//!
//! A run with the setting and without its file looks at every place that the program passes: when, and how many bytes are
//! registered there, on all ranks. What was seen up to a checkpoint is kept beside it, and a run that goes on from there goes on looking.
//! When all ranks have come to their ends, or were asked to leave, the last of them chooses (`trigger`), and writes the file. Later
//! runs with it take checkpoints by time at the chosen places only, early enough that the interval is kept; at any place when none of
//! those comes for as long again. Checkpoints by calls, by a signal and before the end of the job are taken where they are due.
//!
//! Ranks have one file: the first one reads it, and tells all what it says (S17). When they have agreed that a checkpoint is due by time,
//! at a call that is the same for all, each of them takes it at the first chosen place that it passes from that call on. They pass the
//! same ones, so nothing more is said (S18); where they do not, no generation is complete, which all see, and they do without.
//! In regions of several threads, which look ahead, ranks take one wherever it is due.
//!
//! What a place is called is known where a checkpoint is taken, so a place is looked at once before it is used. A profile of another
//! program, or a file that is none, is left alone and told; one of another version of the program is made anew.

use std::collections::{HashMap, HashSet};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::comm::brought;
use crate::store::{NoProfile, Passed, Profile, Profiled, Seen, Whose, Why};
use crate::trigger::{choose, longest};

use super::Session;
use super::looked::{Joined, Looked, Site};

/// So many times in a row ranks may have had their latest checkpoints at different calls.
const MOST_APART: u32 = 2;

/// What is done with the setting.
#[derive(Debug, Default)]
pub struct Places {
    task: Task,
    path: PathBuf,
    /// The generation from which the run goes on.
    pub resumed: Option<u64>,
    /// The place at which the program is: an address, or a number by hand.
    at: usize,
    /// The next call of a checkpoint is for looking only.
    looks: bool,
    /// What places are called.
    names: HashMap<usize, Site>,
    /// Something is due, and its place has not come.
    waits: bool,
    /// Of several ranks: the call from which on that is so.
    waits_from: Option<u64>,
    /// They had their latest checkpoints at different calls, so often in a row.
    apart: u32,
}

#[derive(Debug, Default)]
enum Task {
    #[default]
    None,
    Look(Looked, Passed),
    Use {
        chosen: HashSet<Site>,
        /// One of so many calls is at one of them.
        calls: u64,
    },
}

/// Where the program comes to a checkpoint.
#[derive(Clone, Copy, Debug)]
pub struct Passing {
    /// The place: an address, or a number by hand.
    pub at: usize,
    /// It is the turn of this one.
    pub by_calls: bool,
    /// Threads of a region may have to be told some calls ahead.
    pub with_threads: bool,
}

impl Places {
    /// Whether the next call has to be looked at, whatever the time.
    pub fn looks_at_the_next(&self) -> bool {
        self.waits || matches!(self.task, Task::Look(..))
    }

    /// Whether ranks have agreed on a checkpoint whose place has not come.
    pub fn wait_from_a_call(&self) -> bool {
        self.waits_from.is_some()
    }

    /// A checkpoint was taken, or could not be.
    pub fn wait_no_more(&mut self) {
        self.waits_from = None;
        self.waits = false;
    }
}

impl Session {
    /// At `init`, on all ranks when the setting is there on the first one: what it and its file ask for.
    pub(super) fn begin_profile(&mut self) -> Result<(), String> {
        let whose = Whose {
            program: self.name.clone(),
            text: format!("{:016x}", self.text),
            size: self.group.size(),
        };
        let mut passed = Passed::new(self.directory.path(), self.group.rank(), whose);
        // Before the others can come to their ends.
        let seen = passed.take_over(self.places.resumed);
        let own = match self.group.rank() {
            0 => self.what_the_profile_says(),
            _ => Vec::new(),
        };
        let told = brought(&mut *self.group, &own).map_err(|error| error.to_string())?;
        let mut words = told.splitn(3, |&byte| byte == 0);
        let path = words.next().unwrap_or_default().to_vec();
        self.places.path = PathBuf::from(std::ffi::OsString::from_vec(path));
        let task = words.next().unwrap_or_default();
        let profile = String::from_utf8_lossy(words.next().unwrap_or_default()).into_owned();
        self.places.task = match (task, Profile::parse(&profile)) {
            (b"look", _) => Task::Look(Looked::after(seen), passed),
            (b"use", Some(profile)) => {
                self.when.take_early(profile.early);
                let chosen = profile.places.into_iter().filter(|one| one.taken > 0);
                Task::Use {
                    chosen: chosen.map(|one| (one.file, one.line)).collect(),
                    calls: profile.calls,
                }
            }
            _ => Task::None,
        };
        Ok(())
    }

    /// The path, what to do, and the text of the file, with zeros between them.
    fn what_the_profile_says(&mut self) -> Vec<u8> {
        let Some(path) = self.settings.profile.clone() else {
            return Vec::new();
        };
        let shown = path.display().to_string();
        let (task, text) = match Profile::open(&path) {
            Err(NoProfile::Absent) => ("look", String::new()),
            Err(NoProfile::Other) => {
                self.say(format!(
                    "warning: {shown} is no profile that can be read: it is left as it is, and not used; the setting profile names a \
                     file that is not there, or one that a run has written"
                ));
                ("", String::new())
            }
            Ok(profile) if profile.program != self.name => {
                self.say(format!(
                    "warning: {shown} is the profile of {}, this is {}: it is left as it is, and not used",
                    profile.program, self.name
                ));
                ("", String::new())
            }
            Ok(profile) if profile.text != format!("{:016x}", self.text) => {
                self.say(format!(
                    "{shown} is the profile of another version of this program: this run makes it anew"
                ));
                ("look", String::new())
            }
            Ok(profile) => ("use", profile.text(0.0)),
        };
        [
            path.as_os_str().as_bytes(),
            task.as_bytes(),
            text.as_bytes(),
        ]
        .join(&0)
    }

    /// The program is at a place, at which a checkpoint is due or not. Whether it comes to the library for it.
    pub(super) fn choose_place(&mut self, passing: Passing, is_due: bool) -> bool {
        let is_alone = self.group.size() == 1;
        let places = &mut self.places;
        places.at = passing.at;
        places.looks = false;
        places.waits = false;
        let (chosen, calls) = match &places.task {
            Task::None => return is_due,
            Task::Look(..) => {
                places.looks = !is_due;
                return true;
            }
            Task::Use { chosen, calls } => (chosen, *calls),
        };
        let by_time = self.when.why == Why::Interval && !passing.by_calls;
        if is_due && !by_time {
            return true;
        }
        if !is_alone && passing.with_threads {
            places.waits_from = None;
            return is_due;
        }
        let known = places.names.get(&passing.at);
        let is_known = known.is_some();
        let is_chosen = known.is_some_and(|site| chosen.is_empty() || chosen.contains(site));
        if !is_alone && is_due {
            places.apart = match self.when.are_apart() {
                true => places.apart + 1,
                false => 0,
            };
            if places.apart > MOST_APART {
                self.use_no_more();
                return true;
            }
            if is_chosen {
                return true;
            }
            places.waits_from = Some(self.when.wait_for_a_place());
        }
        let waits = is_due || places.waits_from.is_some();
        if !is_known {
            (places.looks, places.waits) = (true, waits);
            return true;
        }
        let is_late = match places.waits_from {
            Some(from) => self.when.call > from.saturating_add(2 * calls),
            None => waits && self.when.is_late(self.all_bytes()),
        };
        let is_taken = waits && (is_chosen || is_late);
        if is_taken && !is_due {
            self.when.takes_by_time();
        }
        self.places.waits = waits && !is_taken;
        is_taken
    }

    fn use_no_more(&mut self) {
        self.places.task = Task::None;
        if self.group.rank() == 0 {
            let shown = self.places.path.display().to_string();
            self.say(format!(
                "{shown} is not used any more: ranks do not pass the chosen places at the same calls; checkpoints are taken at all places"
            ));
        }
    }

    /// A checkpoint is called at a place. Whether that was for looking only.
    pub(super) fn look_at_place(&mut self, file: String, line: u32) -> bool {
        let site = (file, line);
        let (time, bytes) = (self.when.since_begin(), self.all_bytes());
        let generation = self.generation_here();
        self.places
            .names
            .entry(self.places.at)
            .or_insert_with(|| site.clone());
        if let Task::Look(looked, passed) = &mut self.places.task
            && looked.pass(site, generation, time, bytes)
        {
            passed.thinned();
        }
        std::mem::take(&mut self.places.looks)
    }

    /// Whether the setting wants to know places.
    pub(super) fn knows_places(&self) -> bool {
        !matches!(self.places.task, Task::None)
    }

    /// Before a checkpoint: what has been seen survives with it.
    pub(super) fn keep_places(&mut self) {
        if let Task::Look(looked, passed) = &mut self.places.task
            && let Err(error) = passed.keep(&looked.seen)
        {
            self.say_once(format!(
                "warning: what was seen of places cannot be kept ({error}): a restart will look at them from there on"
            ));
        }
    }

    /// At `shutdown`, or when the run leaves before it, which is then not whole: the last rank chooses, and writes the file. A part of a
    /// run that was too short to choose leaves it to the next one.
    pub(super) fn end_profile(&mut self, is_whole: bool) {
        let Task::Look(looked, mut passed) = std::mem::take(&mut self.places.task) else {
            return;
        };
        let shown = self.places.path.display().to_string();
        let length = looked.earlier + self.when.since_begin();
        let kept = passed.keep(&looked.seen).and_then(|()| passed.end());
        let all = match kept {
            Ok(None) => return,
            Ok(Some(all)) => all,
            // Nobody else is asked.
            Err(_) if self.group.size() == 1 => vec![looked.seen],
            Err(error) => {
                self.say(format!(
                    "warning: {shown} is not written: what this rank has seen of places cannot be kept ({error})"
                ));
                return;
            }
        };
        match self.chosen(all, length) {
            None => self.say(format!(
                "profile: no checkpoint was passed, {shown} is not written"
            )),
            Some(profile) if !is_whole && profile.places.iter().all(|one| one.taken == 0) => return,
            Some(profile) => self.write_profile(&profile),
        }
        passed.remove();
    }

    /// What comes of what all ranks have seen; none when that is nothing.
    fn chosen(&self, all: Vec<Seen>, length: f64) -> Option<Profile> {
        let first = all.first().filter(|first| !first.passages.is_empty())?;
        // Each rank writes its own bytes.
        let sum: u128 = { first.passages.iter() }
            .map(|one| u128::from(one.bytes))
            .sum();
        let mean = (sum / first.passages.len() as u128) as u64;
        let interval = self.when.apart(mean);
        let length = first
            .passages
            .iter()
            .fold(length, |most, one| most.max(one.time));
        let joined = Joined::of(all);
        let passages = &joined.passages;
        let chosen = choose(passages, interval, length);
        let mut taken = vec![0u64; joined.sites.len()];
        for &at in &chosen {
            for place in joined.places_at(&passages[at]) {
                taken[place] += 1;
            }
        }
        let used = || passages.iter().filter(|one| taken[one.place] > 0);
        let number = |one: &crate::store::Passage| one.generation as f64;
        let [begin, end] = [passages.first(), passages.last()].map(|one| one.map_or(0.0, number));
        let calls = longest(used().map(|one| number(one) - begin), end - begin);
        let places = joined.sites.iter().zip(&joined.counts).zip(&taken);
        Some(Profile {
            program: self.name.clone(),
            text: format!("{:016x}", self.text),
            ranks: self.group.size(),
            seconds: length,
            interval,
            early: longest(used().map(|one| one.time), length).min(interval),
            calls: calls as u64 + 1,
            places: places
                .map(|((site, (count, bytes)), taken)| Profiled {
                    file: site.0.clone(),
                    line: site.1,
                    passages: *count,
                    bytes: *bytes,
                    taken: *taken,
                })
                .collect(),
        })
    }

    fn write_profile(&mut self, profile: &Profile) {
        let shown = self.places.path.display().to_string();
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.map_or(0.0, |since| since.as_secs_f64());
        if let Err(error) = profile.save(&self.places.path, now) {
            self.say(format!("warning: {shown} cannot be written: {error}"));
            return;
        }
        let places = profile.places.iter().filter(|one| one.taken > 0);
        let named: Vec<String> = places
            .map(|one| format!("{}:{}", one.file, one.line))
            .collect();
        let said = match named.is_empty() {
            true => format!(
                "{} places; this run was too short to need a checkpoint",
                profile.places.len()
            ),
            false => format!(
                "{} places, of which {} bring the fewest bytes when checkpoints are {:.1} s apart",
                profile.places.len(),
                named.join(", "),
                profile.interval
            ),
        };
        self.say(format!("profile: {said}; written to {shown}"));
    }
}
