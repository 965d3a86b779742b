//! What signals do in the process, and its environment variables, where the program has changed that since `init`.
//!
//! In: what is in force at a checkpoint and was at `init`. Out: a register of the library for each of the two, and the same in force again
//! when a restart ends, whatever was executed again on the way. What nobody has changed stays as the restart began with it: a restart may
//! ignore SIGHUP, and have another `PATH`.
//!
//! A handler is known by the name of its function, and where it has none by its place in the program. One of a shared library is its
//! library's, which installs it again.

use crate::generation::only_name;
use crate::memory::{
    Action, SIGNALS, Variables, action, fixed, set_action, set_variable, variables,
};
use crate::restore::{Replay, Stop};

use super::Session;
use super::library::Kept;

const ACTIONS: &str = "signal handlers";
const VARIABLES: &str = "environment variables";

/// The words for actions without a handler of the program, by their numbers.
const USUAL: [&str; 2] = ["SIG_DFL", "SIG_IGN"];
/// That for a handler of a shared library.
const OF_LIBRARY: &str = "?";

/// How the names of variables begin in which a launcher tells a rank of its job: a restart is another one.
const OF_LAUNCHERS: [&[u8]; 6] = [b"HYDI_", b"HYDRA_", b"MPI", b"OMPI_", b"PMI", b"PRTE_"];

fn is_of_launcher(name: &[u8]) -> bool {
    OF_LAUNCHERS.iter().any(|begin| name.starts_with(begin))
}

/// What they were at `init`.
#[derive(Debug, Default)]
pub struct Dispositions {
    actions: Vec<Option<Action>>,
    variables: Variables,
}

impl Dispositions {
    /// What is in force.
    pub fn now() -> Dispositions {
        Dispositions {
            actions: (1..=SIGNALS).map(action).collect(),
            variables: own_variables(),
        }
    }
}

/// The variables that are no launcher's.
fn own_variables() -> Variables {
    let mut all = variables();
    all.retain(|name, _| !is_of_launcher(name));
    all
}

impl Session {
    /// The word by which a restart finds a handler.
    fn handler_word(&self, handler: usize) -> String {
        if let Some(usual) = USUAL.get(handler) {
            return (*usual).to_string();
        }
        if let Some(name) = only_name(&self.names, handler) {
            return name.clone();
        }
        match self.program.image_offset(handler) {
            Some(offset) => format!("+{offset:x}"),
            None => OF_LIBRARY.to_string(),
        }
    }

    /// The handler of this word.
    fn handler_of(&self, word: &str, is_same_build: bool) -> Option<usize> {
        if let Some(usual) = USUAL.iter().position(|usual| *usual == word) {
            return Some(usual);
        }
        if let Some(offset) = word.strip_prefix('+') {
            let offset = u64::from_str_radix(offset, 16).ok()?;
            return self.program.image_address(offset).filter(|_| is_same_build);
        }
        let mut named = self.names.iter().filter(|(_, name)| *name == word);
        let (&address, _) = named.next()?;
        named.next().is_none().then_some(address)
    }

    /// What a checkpoint keeps of both.
    pub(super) fn dispositions(&self) -> Vec<Kept> {
        let mut lines = String::new();
        for (signal, begun) in (1..=SIGNALS).zip(&self.at_init.actions) {
            if let Some(now) = action(signal).filter(|now| Some(*now) != *begun) {
                let Action {
                    handler,
                    flags,
                    mask,
                } = now;
                lines += &format!("{signal} {flags} {mask} {}\n", self.handler_word(handler));
            }
        }
        let (now, begun) = (own_variables(), &self.at_init.variables);
        let mut changed = Vec::new();
        for (name, (value, place)) in &now {
            let is_in_heap = fixed::holds(*place);
            let is_as_begun =
                |(begun, at): &(Vec<u8>, usize)| begun == value && (!is_in_heap || at == place);
            if begun.get(name).is_some_and(is_as_begun) {
                continue;
            }
            match is_in_heap {
                // Whoever calls `putenv` may store there later.
                true => changed.extend(format!("@{place:x}").bytes()),
                false => changed.extend([b"=", name.as_slice(), b"=", value].concat()),
            }
            changed.push(0);
        }
        for name in begun.keys().filter(|name| !now.contains_key(*name)) {
            changed.extend([b"-", name.as_slice(), b"\0"].concat());
        }
        let mut kept = Vec::new();
        if !lines.is_empty() {
            kept.push(Kept::text(ACTIONS.to_string(), 0, lines.into_bytes()));
        }
        if !changed.is_empty() {
            kept.push(Kept::text(VARIABLES.to_string(), 0, changed));
        }
        kept
    }

    /// At the end of a restart: both are in force again.
    pub(super) fn dispositions_again(&mut self, replay: &mut Replay) -> Result<(), Stop> {
        self.actions_again(replay)?;
        self.variables_again(replay)
    }

    fn actions_again(&mut self, replay: &mut Replay) -> Result<(), Stop> {
        let mut wanted = self.at_init.actions.clone();
        let text = self.library_text(replay, ACTIONS)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        for line in text.lines() {
            let mut words = line.splitn(4, ' ');
            let mut number = || words.next()?.parse::<u64>().ok();
            let numbers = [number(), number(), number()];
            let ([Some(signal), Some(flags), Some(mask)], Some(word)) = (numbers, words.next())
            else {
                return Err(format!("{ACTIONS}: `{line}` is none"));
            };
            let at = usize::try_from(signal.wrapping_sub(1)).unwrap_or(usize::MAX);
            let Some(wanted) = wanted.get_mut(at) else {
                return Err(format!("{ACTIONS}: there is no signal {signal}"));
            };
            if word == OF_LIBRARY {
                *wanted = None;
                continue;
            }
            let Some(handler) = self.handler_of(word, replay.same_build) else {
                // What was executed on the way has installed one.
                if action(signal as u32) != *wanted {
                    *wanted = None;
                    continue;
                }
                return Err(format!(
                    "the handler of signal {signal} was the function {word}, which this program does not name; install it between \
                     `#pragma cccp execute on restart` and `#pragma cccp end execute`"
                ));
            };
            *wanted = Some(Action {
                handler,
                flags,
                mask,
            });
        }
        for (signal, wanted) in (1..=SIGNALS).zip(wanted) {
            let (Some(wanted), Some(now)) = (wanted, action(signal)) else {
                continue;
            };
            let is_of_library = self.handler_word(now.handler) == OF_LIBRARY;
            if now != wanted && !is_of_library && !set_action(signal, &wanted) {
                return Err(format!(
                    "{ACTIONS}: the system refuses that of signal {signal}"
                ));
            }
        }
        Ok(())
    }

    fn variables_again(&mut self, replay: &mut Replay) -> Result<(), Stop> {
        let text = self.library_text(replay, VARIABLES)?.unwrap_or_default();
        let mut wanted = self.at_init.variables.clone();
        let mut put = Vec::new();
        for entry in text
            .split(|byte| *byte == 0)
            .filter(|entry| !entry.is_empty())
        {
            let wrong = || format!("{VARIABLES}: `{}` is none", String::from_utf8_lossy(entry));
            let (kind, rest) = entry.split_at(1);
            match kind {
                b"@" => {
                    let place = std::str::from_utf8(rest).ok();
                    let place = place.and_then(|place| usize::from_str_radix(place, 16).ok());
                    put.push(
                        place
                            .filter(|place| fixed::holds(*place))
                            .ok_or_else(wrong)?,
                    );
                }
                b"=" => {
                    let at = rest
                        .iter()
                        .position(|byte| *byte == b'=')
                        .ok_or_else(wrong)?;
                    let value = rest[at + 1..].to_vec();
                    wanted.insert(rest[..at].to_vec(), (value, 0));
                }
                b"-" => drop(wanted.remove(rest)),
                _ => return Err(wrong()),
            }
        }
        let mut is_done = put.iter().all(|place| self.program.put_variable(*place));
        let now = own_variables();
        let is_there = |name: &Vec<u8>, wanted: Option<&Vec<u8>>| {
            let found = now.get(name);
            let is_put = found.is_some_and(|(_, place)| put.contains(place));
            is_put || found.map(|(value, _)| value) == wanted
        };
        for (name, (value, _)) in &wanted {
            if !is_there(name, Some(value)) {
                is_done &= set_variable(name, Some(value));
            }
        }
        for name in now.keys().filter(|name| !wanted.contains_key(*name)) {
            if !is_there(name, None) {
                is_done &= set_variable(name, None);
            }
        }
        match is_done {
            true => Ok(()),
            false => Err(format!("{VARIABLES}: the system refuses some")),
        }
    }
}
