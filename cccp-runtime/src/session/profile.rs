//! Choosing among the places of checkpoints: the setting `profile`.
//!
//! A run with the setting and without its file looks at every place that the program passes: when, and how many bytes are
//! registered there. At its end, or when it is asked to leave, it chooses (`trigger`), and writes the file. Later runs with it take checkpoints by time at the
//! chosen places only, early enough that the interval is kept; at any place when none of those comes for as long again.
//! Checkpoints by calls, by a signal and before the end of the job are taken where they are due.
//!
//! What a place is called is known where a checkpoint is taken, so a place is looked at once before it is used. A profile of another
//! program, or a file that is none, is left alone and told; one of another version of the program is made anew.
//! Of several ranks the first one looks; the file is used by programs of one process.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::store::{NoProfile, Profile, Profiled, Why};
use crate::trigger::{Passage, choose, longest};

use super::Session;

/// So many passages are remembered; of more, each second one of a place, and so on.
const MOST: usize = 100_000;

/// A file and a line.
type Site = (String, u32);

/// What is done with the setting.
#[derive(Debug, Default)]
pub struct Places {
    task: Task,
    path: PathBuf,
    /// The place at which the program is: an address, or a number by hand.
    at: usize,
    /// The next call of a checkpoint is for looking only.
    looks: bool,
    /// What places are called.
    names: HashMap<usize, Site>,
    /// Something is due, and its place has not come.
    pub waits: bool,
}

#[derive(Debug, Default)]
enum Task {
    #[default]
    None,
    Look(Looked),
    Use(HashSet<Site>),
}

/// What was seen.
#[derive(Debug)]
struct Looked {
    sites: Vec<Site>,
    /// How often each was passed, and the bytes of all of that.
    counts: Vec<(u64, u128)>,
    passages: Vec<Passage>,
    /// Of each place every n-th passage is remembered.
    stride: u64,
}

impl Default for Looked {
    fn default() -> Looked {
        Looked {
            sites: Vec::new(),
            counts: Vec::new(),
            passages: Vec::new(),
            stride: 1,
        }
    }
}

impl Looked {
    fn pass(&mut self, site: Site, time: f64, bytes: u64) {
        let place = self.sites.iter().position(|known| *known == site);
        let place = place.unwrap_or_else(|| {
            self.sites.push(site);
            self.counts.push((0, 0));
            self.sites.len() - 1
        });
        let (count, sum) = &mut self.counts[place];
        let number = *count;
        (*count, *sum) = (number + 1, *sum + u128::from(bytes));
        if !number.is_multiple_of(self.stride) {
            return;
        }
        self.passages.push(Passage { place, time, bytes });
        if self.passages.len() > MOST {
            self.stride *= 2;
            let mut seen = vec![0u64; self.sites.len()];
            self.passages.retain(|one| {
                seen[one.place] += 1;
                seen[one.place] % 2 == 1
            });
        }
    }
}

impl Places {
    /// Whether the next call has to be looked at, whatever the time.
    pub fn looks_at_the_next(&self) -> bool {
        self.waits || matches!(self.task, Task::Look(_))
    }
}

impl Session {
    /// At `init`: what the setting and its file ask for.
    pub(super) fn begin_profile(&mut self) {
        let Some(path) = self.settings.profile.clone() else {
            return;
        };
        let shown = path.display().to_string();
        let task = match Profile::open(&path) {
            Err(NoProfile::Absent) => Task::Look(Looked::default()),
            Err(NoProfile::Other) => {
                self.say(format!(
                    "warning: {shown} is no profile that can be read: it is left as it is, and not used; the setting profile names a \
                     file that is not there, or one that a run has written"
                ));
                Task::None
            }
            Ok(profile) if profile.program != self.name => {
                self.say(format!(
                    "warning: {shown} is the profile of {}, this is {}: it is left as it is, and not used",
                    profile.program, self.name
                ));
                Task::None
            }
            Ok(profile) if profile.text != self.text_shown() => {
                self.say(format!(
                    "{shown} is the profile of another version of this program: this run makes it anew"
                ));
                Task::Look(Looked::default())
            }
            Ok(_) if self.group.size() > 1 => {
                if self.group.rank() == 0 {
                    self.say(format!(
                        "{shown}: ranks take checkpoints at all places; cccp-pp --profile leaves out those that are not chosen"
                    ));
                }
                Task::None
            }
            Ok(profile) => {
                self.when.take_early(profile.early);
                let chosen = profile.places.into_iter().filter(|one| one.taken > 0);
                Task::Use(chosen.map(|one| (one.file, one.line)).collect())
            }
        };
        let is_first = self.group.rank() == 0;
        self.places = Places {
            task: if is_first { task } else { Task::None },
            path,
            ..Places::default()
        };
    }

    fn text_shown(&self) -> String {
        format!("{:016x}", self.text)
    }

    /// The program is at a place, at which a checkpoint is due or not. Whether it comes to the library for it.
    pub(super) fn choose_place(&mut self, at: usize, is_due: bool) -> bool {
        self.places.at = at;
        self.places.looks = false;
        self.places.waits = false;
        match &self.places.task {
            Task::None => is_due,
            Task::Look(_) => {
                self.places.looks = !is_due;
                true
            }
            Task::Use(chosen) => {
                if is_due && self.when.why != Why::Interval {
                    return true;
                }
                let Some(site) = self.places.names.get(&at) else {
                    self.places.looks = true;
                    self.places.waits = is_due;
                    return true;
                };
                if !is_due || chosen.contains(site) || chosen.is_empty() || self.is_late() {
                    return is_due;
                }
                self.places.waits = true;
                false
            }
        }
    }

    /// A checkpoint is called at a place. Whether that was for looking only.
    pub(super) fn look_at_place(&mut self, file: String, line: u32) -> bool {
        let site = (file, line);
        let (time, bytes) = (self.when.since_begin(), self.all_bytes());
        self.places
            .names
            .entry(self.places.at)
            .or_insert_with(|| site.clone());
        if let Task::Look(looked) = &mut self.places.task {
            looked.pass(site, time, bytes);
        }
        std::mem::take(&mut self.places.looks)
    }

    /// Whether the setting wants to know places.
    pub(super) fn knows_places(&self) -> bool {
        !matches!(self.places.task, Task::None)
    }

    /// At `shutdown`, or when the run leaves before it, which is then not whole: chooses, and writes the file. A part of a run that
    /// was too short to choose leaves it to the next one.
    pub(super) fn end_profile(&mut self, is_whole: bool) {
        let Task::Look(looked) = std::mem::take(&mut self.places.task) else {
            return;
        };
        let shown = self.places.path.display().to_string();
        if looked.passages.is_empty() {
            self.say(format!(
                "profile: no checkpoint was passed, {shown} is not written"
            ));
            return;
        }
        let length = self.when.since_begin();
        let sum: u128 = looked
            .passages
            .iter()
            .map(|one| u128::from(one.bytes))
            .sum();
        let mean = (sum / looked.passages.len() as u128) as u64;
        let interval = self.when.apart(mean);
        let chosen = choose(&looked.passages, interval, length);
        if chosen.is_empty() && !is_whole {
            return;
        }
        let mut taken = vec![0u64; looked.sites.len()];
        for &at in &chosen {
            taken[looked.passages[at].place] += 1;
        }
        let used = looked.passages.iter().filter(|one| taken[one.place] > 0);
        let places = looked.sites.iter().zip(&looked.counts).zip(&taken);
        let profile = Profile {
            program: self.name.clone(),
            text: self.text_shown(),
            seconds: length,
            interval,
            early: longest(used.map(|one| one.time), length).min(interval),
            places: places
                .map(|((site, (count, bytes)), taken)| Profiled {
                    file: site.0.clone(),
                    line: site.1,
                    passages: *count,
                    bytes: (bytes / u128::from(*count).max(1)) as u64,
                    taken: *taken,
                })
                .collect(),
        };
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
                "{} places, of which {} bring the fewest bytes when checkpoints are {interval:.1} s apart",
                profile.places.len(),
                named.join(", ")
            ),
        };
        self.say(format!("profile: {said}; written to {shown}"));
    }
}
