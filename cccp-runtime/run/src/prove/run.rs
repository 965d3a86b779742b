//! Trying it.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use cccp::store::{Past, history};
use cccp_ckpt::compare::Tolerance;
use cccp_ckpt::outcome::Failure;
use cccp_ckpt::render::count;

use super::answer::{Answer, Difference, Tried, Verdict};
use super::compare::{Extent, files, outputs, registers, texts};
use super::places::Places;
use super::plan::{Planned, With, checkpoints, often, plan};
use super::reasons::{NO_REASON, can_fix_addresses, forgotten, has_threads, unrepeatable};
use super::text;
use super::trial::{Bench, Conditions, Seen, Trial};
use super::varying::{Allowed, Varying};
use crate::child::{CANNOT_RESTART, Ending};
use crate::output::{json, print, say};
use crate::place::settings;

/// What to try.
#[derive(Debug)]
pub struct Options<'a> {
    /// The command.
    pub command: &'a [OsString],
    /// After which checkpoints it is killed; the sample says when there are none.
    pub at: &'a [u64],
    /// After how many.
    pub sample: u64,
    /// The files to compare; all that both undisturbed runs leave alike when there are none.
    pub compare: &'a [PathBuf],
    /// How far floating-point numbers may be apart.
    pub tolerance: Tolerance,
    /// The answer as JSON.
    pub json: bool,
}

/// What a run prints.
pub(super) const OUTPUT: &str = "standard output";

/// So many numbers that vary are shown.
const MOST: usize = 5;

/// So many undisturbed runs are made at most where restarts differ in registers alone.
const MORE_RUNS: u32 = 3;

/// A resumed run has so many times the time of an undisturbed one, and a little more.
const PATIENCE: u32 = 10;
const MORE: Duration = Duration::from_secs(60);

/// What all restarts are held against.
struct Reference {
    trial: Trial,
    seen: Seen,
    files: BTreeMap<PathBuf, Vec<u8>>,
    /// Those that are compared.
    names: Vec<PathBuf>,
    /// The standard output is compared.
    output: bool,
    /// All checkpoints stand at one place. Calls are counted for each place, from the restart on, so those of several places come at
    /// other moments then.
    at_one_place: bool,
    /// Registers that undisturbed runs do not have in common.
    unlike: BTreeSet<String>,
    /// So many undisturbed runs may be made yet, to find such registers.
    more_runs: u32,
    /// Files and registers that nothing can be held against.
    not_compared: Vec<String>,
    allowed: Allowed,
}

impl Reference {
    fn compares(&self, one: &Difference) -> bool {
        !self.unlike.contains(&one.register)
    }

    /// Judges a restart again by what later runs have shown: registers in which undisturbed runs differ are not compared, whenever that was
    /// seen. Whether it ended like the undisturbed run after all.
    fn acquits(&self, tried: &mut Tried) -> bool {
        let is_different = !tried.differences.is_empty();
        tried.differences.retain(|one| self.compares(one));
        tried.at_next_checkpoint.retain(|one| self.compares(one));
        let is_acquitted = is_different && tried.differences.is_empty();
        if is_acquitted {
            tried.same = Some(true);
        }
        is_acquitted
    }

    /// These registers are not compared any more: undisturbed runs differ in them.
    fn leave_out(&mut self, apart: Vec<Difference>) {
        for one in apart {
            if self.unlike.insert(one.register.clone()) {
                self.not_compared.push(one.register);
            }
        }
    }
}

/// Tries it, and says what came out.
pub fn run(options: &Options) -> Result<ExitCode, Failure> {
    let answer = prove(options)?;
    match options.json {
        true => json("prove", &answer)?,
        false => print(text::text(&answer))?,
    }
    Ok(match answer.verdict {
        Verdict::Proved => ExitCode::SUCCESS,
        Verdict::Different | Verdict::Refused => ExitCode::from(1),
        Verdict::Untried => ExitCode::from(2),
    })
}

fn untried(reason: String) -> Answer {
    Answer {
        verdict: Verdict::Untried,
        reason: Some(reason),
        unrepeatable: Vec::new(),
        checkpoints: 0,
        every: None,
        spread: None,
        of_setting: None,
        at_one_place: true,
        places: Vec::new(),
        files: Vec::new(),
        registers: 0,
        not_compared: Vec::new(),
        trials: Vec::new(),
        likely: Vec::new(),
    }
}

fn prove(options: &Options) -> Result<Answer, Failure> {
    let settings = settings(options.command)?;
    if settings.dir.as_ref().is_some_and(|dir| dir.is_absolute()) {
        return Err(Failure::said(
            "a proof has checkpoints of its own: leave out the setting `dir`, or make it a relative path",
        ));
    }
    // The first run only counts calls, unless the command itself says how often a checkpoint is taken, or that none is.
    let counts = settings.every != Some(0) && !says_how_often(options.command);
    let mut bench = Bench::new(options.command, counts.then_some(0))?;
    let compare = names(options.compare, &bench)?;
    let options = &Options {
        compare: &compare,
        ..*options
    };
    let fixed = can_fix_addresses();
    let threaded = has_threads(options.command);
    let counting = undisturbed(&mut bench)?;
    let mut of_setting = None;
    if let Some(reason) = not_begun(&counting) {
        return Ok(untried(reason));
    }
    let runs = history(&counting.0.checkpoints());
    let calls = runs.last().and_then(Past::calls).unwrap_or_default();
    let told = Places::told(&runs);
    let take = |bench: &mut Bench, places: u64| {
        // Which one is meant by `--at` the setting says.
        let needed = match options.at {
            [] => options.sample,
            _ => u64::MAX,
        };
        let often = often(settings.every, calls, places, needed);
        bench.every = Some(often.every).filter(|taken| settings.every != Some(*taken));
        bench.spread = often.spread;
        { settings.every }
            .filter(|asked| *asked < often.every || often.spread.is_some())
            .map(|asked| calls / asked)
    };
    if counts {
        of_setting = take(&mut bench, told.len() as u64);
    }
    let mut one = undisturbed(&mut bench)?;
    let mut places = Places::of(&history(&one.0.checkpoints()), &told);
    // Checkpoints of one place come at the same moments after a restart where each n-th call has one.
    if bench.spread.is_some() && places.is_one() && not_begun(&one).is_none() {
        one.0.done();
        of_setting = take(&mut bench, 1);
        one = undisturbed(&mut bench)?;
        places = Places::of(&history(&one.0.checkpoints()), &told);
    }
    let (other, counting) = match counts {
        true => (undisturbed(&mut bench)?, Some(counting)),
        false => (counting, None),
    };
    if let Some(reason) = not_begun(&one).or_else(|| not_begun(&other)) {
        return Ok(untried(reason));
    }
    let (all, at_one_place) = (places.all(), places.is_one());
    let (values, compared) = match all {
        0 => (Vec::new(), Extent::default()),
        _ => final_values(&one.0, &other.0, &options.tolerance, at_one_place)?,
    };
    let unlike_registers: BTreeSet<String> =
        values.iter().map(|one| one.register.clone()).collect();
    // Programs that print the time are compared by the files that are named.
    let plain = || Allowed {
        in_any_order: one.0.has_ranks(),
        ..Allowed::by(options.tolerance)
    };
    let (plain, mut allowed) = (plain(), plain());
    let apart = texts(OUTPUT, &one.1.output, &other.1.output, &allowed);
    let output = options.compare.is_empty() || apart.is_empty();
    let unlike = |one: &(Trial, Seen), other: &(Trial, Seen), allowed: &Allowed| {
        let mut found = unlike(options, one, other);
        if output {
            found.extend(texts(OUTPUT, &one.1.output, &other.1.output, allowed));
        }
        found
    };
    let mut differences = unlike(&one, &other, &allowed);
    let others: Vec<&[u8]> = { std::iter::once(&other).chain(&counting) }
        .map(|(_, seen)| &seen.output[..])
        .collect();
    let varying = Varying::of(&one.1.output, &others, &options.tolerance);
    // Lines of ranks that have changed places differ in numbers, too.
    let is_order = plain.in_any_order && apart.is_empty();
    let varying = varying.filter(|varying| output && !is_order && !varying.is_empty());
    // Where nearly all that the program computes is repeated, most of what it prints may be times.
    let varying = varying.filter(|varying| !varying.are_most() || compared.is_repeated());
    if !differences.is_empty() || varying.is_some() {
        say("two undisturbed runs are not alike; looking for the reason");
        let alike = |one: &_, other: &_| Ok(unlike(one, other, &plain).is_empty());
        let reason = unrepeatable(&mut bench, threaded, fixed, &alike)?;
        // Times and the like need not be repeated.
        if let (None, Some(varying)) = (&reason, varying) {
            allowed.varying = varying;
            differences = unlike(&one, &other, &allowed);
        }
        if !differences.is_empty() {
            differences.extend(values);
            let cure = match options.compare {
                [] => {
                    "; what they print is left out of it where files to compare are named with --compare"
                }
                _ => "",
            };
            let mut answer = untried(format!("two undisturbed runs are not alike{cure}"));
            answer.unrepeatable = differences;
            let likely = reason.unwrap_or_else(|| NO_REASON.to_string());
            answer.likely.push(likely);
            return Ok(answer);
        }
    }
    if let Some(counting) = counting {
        let differences = unlike(&counting, &one, &allowed);
        if !differences.is_empty() {
            let reason = "an undisturbed run with checkpoints is not like one without".to_string();
            return Ok(Answer {
                unrepeatable: differences,
                ..untried(reason)
            });
        }
        counting.0.done();
    }
    if all == 0 {
        return Ok(untried(match one.1.ending {
            Some(Ending::Status(status)) if status != 0 => format!(
                "the undisturbed run ends with exit status {status} before its first checkpoint (each run has a copy of the working \
                 directory, so what the program reads must lie in it, or be named from the root): {}",
                { one.1.errors.lines() }
                    .find(|line| line.contains(char::is_alphabetic))
                    .unwrap_or_default()
            ),
            _ => "the undisturbed run has published no checkpoint; is it a program with cccp, and does it come to one?".to_string(),
        }));
    }
    if let Some(name) = missing(options.compare, &one.0) {
        return Ok(untried(format!(
            "--compare {}: the undisturbed run leaves no such file, or leaves it as it was",
            name.display()
        )));
    }
    bench.limit = one.1.took * PATIENCE + MORE;
    let mut reference = Reference {
        at_one_place,
        ..reference(options, (output, allowed), (one, other), unlike_registers)
    };

    let chosen = checkpoints(all, options.at, || places.sample(options.sample))?;
    let threads = match threaded {
        true => other_threads(&mut bench, &reference)?,
        false => None,
    };
    let mut trials = Vec::new();
    for planned in plan(
        &chosen,
        (&places.shown(&chosen), places.middle(&chosen)),
        threads,
        fixed,
    ) {
        let tried = attempt(&mut bench, &mut reference, planned)?;
        say(text::line(&tried));
        trials.push(tried);
    }
    for tried in trials.iter_mut() {
        if reference.acquits(tried) {
            say(format!(
                "{} but for what undisturbed runs do not repeat either",
                text::line(tried)
            ));
        }
    }
    let is_different = trials.iter().any(|tried| tried.same == Some(false));
    let is_refused = trials.iter().any(|tried| tried.refused);
    let is_proved = trials.iter().any(|tried| tried.same == Some(true));
    let sources = match is_different {
        true => sources(&reference.trial)?,
        false => BTreeSet::new(),
    };
    Ok(Answer {
        verdict: match (is_different, is_refused, is_proved) {
            (true, _, _) => Verdict::Different,
            (false, true, _) => Verdict::Refused,
            (false, false, true) => Verdict::Proved,
            (false, false, false) => Verdict::Untried,
        },
        reason: None,
        unrepeatable: Vec::new(),
        checkpoints: all,
        every: bench.every,
        spread: bench.spread,
        of_setting,
        at_one_place,
        places: places.tried(&chosen),
        files: reference
            .names
            .iter()
            .map(|name| name.display().to_string())
            .collect(),
        registers: compared.registers - reference.unlike.len() as u64,
        not_compared: reference.not_compared,
        likely: text::likely(&trials, forgotten(&sources, &bench.scratch())),
        trials,
    })
}

/// Whether the command says how often a checkpoint is taken. What stands there goes before all other settings.
fn says_how_often(command: &[OsString]) -> bool {
    let says = |word: &OsString| word.as_encoded_bytes().starts_with(b"--cccp-every");
    command.iter().any(says)
}

/// A run that nobody kills.
fn undisturbed(bench: &mut Bench) -> Result<(Trial, Seen), Failure> {
    let trial = bench.fresh()?;
    let seen = bench.run(&trial, &Conditions::default())?;
    Ok((trial, seen))
}

/// What the files that are to be compared are called in copies of the working directory.
fn names(files: &[PathBuf], bench: &Bench) -> Result<Vec<PathBuf>, Failure> {
    let name = |file: &PathBuf| {
        bench.name(file).ok_or_else(|| {
            Failure::said(format!(
                "--compare {}: every run has a copy of the working directory, so only files in it can be compared",
                file.display()
            ))
        })
    };
    files.iter().map(name).collect()
}

/// A file that is to be compared, and that an undisturbed run does not leave.
fn missing<'a>(names: &'a [PathBuf], trial: &Trial) -> Option<&'a PathBuf> {
    let files = trial.files();
    names.iter().find(|name| !files.contains_key(*name))
}

/// Why an undisturbed run is nothing to compare with.
fn not_begun((_, seen): &(Trial, Seen)) -> Option<String> {
    let last = seen.errors.lines().last().unwrap_or_default();
    match seen.ending {
        None => Some("the undisturbed run does not end".to_string()),
        Some(Ending::Signal(signal)) => Some(format!(
            "the undisturbed run ends with {}: {last}",
            Ending::Signal(signal)
        )),
        Some(Ending::Status(CANNOT_RESTART)) => Some(format!("the undisturbed run stops: {last}")),
        Some(Ending::Status(_)) => None,
    }
}

/// What two undisturbed runs do not have in common, of what is compared beside what they print.
fn unlike(options: &Options, one: &(Trial, Seen), other: &(Trial, Seen)) -> Vec<Difference> {
    let mut found = statuses(&one.1, &other.1);
    let tolerance = &options.tolerance;
    found.extend(files(
        options.compare,
        &one.0.files(),
        &other.0.files(),
        tolerance,
    ));
    found
}

fn statuses(one: &Seen, other: &Seen) -> Vec<Difference> {
    if one.ending == other.ending {
        return Vec::new();
    }
    let word = |seen: &Seen| match seen.ending {
        Some(Ending::Status(status)) => status.to_string(),
        Some(signal) => signal.to_string(),
        None => "no end".to_string(),
    };
    vec![Difference {
        what: "exit status".to_string(),
        register: String::new(),
        place: None,
        expected: word(one),
        found: word(other),
        extent: None,
    }]
}

/// What differs at the end, and, where that is wanted, at the last checkpoint, when there was still all that is registered; and how
/// much was compared.
fn final_values(
    one: &Trial,
    other: &Trial,
    tolerance: &Tolerance,
    with_last: bool,
) -> Result<(Vec<Difference>, Extent), Failure> {
    // A program that never comes to `shutdown` has none at the end, and one of which not all ranks come to it has none of all ranks.
    let is_there = |trial: &Trial| {
        trial.last().is_dir() && registers(&trial.last(), &trial.last(), tolerance).is_ok()
    };
    let (mut found, at_end) = match is_there(one) && is_there(other) {
        true => registers(&one.last(), &other.last(), tolerance)?,
        false => (Vec::new(), Extent::default()),
    };
    let (before, extent) = match with_last {
        true => registers(&one.checkpoints(), &other.checkpoints(), tolerance)?,
        false => return Ok((found, at_end)),
    };
    let known: BTreeSet<String> = found.iter().map(|one| one.register.clone()).collect();
    let before = { before.into_iter() }.filter(|one| !known.contains(&one.register));
    found.extend(before.map(|one| Difference {
        what: format!("{} at the last checkpoint", one.what),
        ..one
    }));
    Ok((found, extent))
}

fn reference(
    options: &Options,
    (output, allowed): (bool, Allowed),
    (one, other): ((Trial, Seen), (Trial, Seen)),
    unlike: BTreeSet<String>,
) -> Reference {
    let (mine, theirs) = (one.0.files(), other.0.files());
    let both: BTreeSet<&PathBuf> = mine.keys().chain(theirs.keys()).collect();
    let alike = |name: &&PathBuf| mine.get(*name) == theirs.get(*name);
    let (names, mut not_compared) = match options.compare {
        [] => {
            let (alike, unlike): (Vec<&PathBuf>, Vec<_>) = both.into_iter().partition(alike);
            let shown = unlike.iter().map(|name| name.display().to_string());
            (alike.into_iter().cloned().collect(), shown.collect())
        }
        named => (named.to_vec(), Vec::new()),
    };
    not_compared.extend(unlike.iter().cloned());
    if !output {
        not_compared.insert(0, OUTPUT.to_string());
    }
    let shown = allowed.varying.shown().iter().take(MOST);
    not_compared.extend(shown.map(|one| format!("{one} of the {OUTPUT}")));
    let more = allowed.varying.shown().len().saturating_sub(MOST);
    not_compared.extend((more > 0).then(|| format!("{} of it", count(more as u64, "more number"))));
    other.0.done();
    Reference {
        at_one_place: true,
        trial: one.0,
        seen: one.1,
        files: mine,
        names,
        output,
        unlike,
        more_runs: MORE_RUNS,
        not_compared,
        allowed,
    }
}

/// Another number of threads, when an undisturbed run with it is like the others.
fn other_threads(bench: &mut Bench, reference: &Reference) -> Result<Option<u32>, Failure> {
    let now = std::thread::available_parallelism().map_or(1, |number| number.get() as u32);
    let asked = std::env::var("OMP_NUM_THREADS")
        .ok()
        .and_then(|text| text.parse().ok());
    let other = asked.unwrap_or(now) + 1;
    let trial = bench.fresh()?;
    let conditions = Conditions {
        variables: vec![("OMP_NUM_THREADS", other.to_string())],
        ..Conditions::default()
    };
    let seen = bench.run(&trial, &conditions)?;
    let own = &reference.seen;
    let allowed = &reference.allowed;
    let tolerance = &allowed.tolerance;
    let is_alike = statuses(own, &seen).is_empty()
        && (!reference.output || texts("", &own.output, &seen.output, allowed).is_empty())
        && files(
            &reference.names,
            &reference.files,
            &trial.files(),
            tolerance,
        )
        .is_empty();
    trial.done();
    Ok(is_alike.then_some(other))
}

/// Kills a run after a checkpoint, starts it again, and compares.
fn attempt(
    bench: &mut Bench,
    reference: &mut Reference,
    planned: Planned,
) -> Result<Tried, Failure> {
    let mut tried = Tried {
        checkpoint: planned.checkpoint,
        with: planned.with.words(),
        same: None,
        refused: false,
        reason: None,
        differences: Vec::new(),
        at_next_checkpoint: Vec::new(),
    };
    let (trial, killed) = killed(bench, planned.checkpoint)?;
    if killed
        .ending
        .is_some_and(|ending| !ending.is_from_outside())
    {
        tried.reason =
            Some("the run did not die there: it has not come to that checkpoint".to_string());
        return Ok(tried);
    }
    let (trial, conditions) = again(trial, planned.with)?;
    let resumed = bench.run(&trial, &conditions)?;
    let refused = resumed.ending == Some(Ending::Status(CANNOT_RESTART));
    let last = resumed
        .errors
        .lines()
        .rfind(|line| line.starts_with("cccp: "));
    let said = trial.shorter(last.unwrap_or_default().trim_start_matches("cccp: "));
    match resumed.ending {
        None => {
            tried.same = Some(false);
            tried.reason = Some(format!(
                "the restart did not end within {} s",
                bench.limit.as_secs()
            ));
        }
        Some(_) if refused => {
            // That is no wrong restart, and with the same number of threads there is one.
            tried.refused = !matches!(planned.with, With::Threads(_));
            tried.reason = Some(format!("the restart was refused: {said}"));
        }
        Some(_) => {
            let allowed = &reference.allowed;
            let tolerance = allowed.tolerance;
            let expected = &reference.seen;
            let mut found = statuses(expected, &resumed);
            if reference.output {
                found.extend(outputs(
                    &expected.output,
                    &killed.output,
                    &resumed.output,
                    allowed,
                ));
            }
            found.extend(files(
                &reference.names,
                &reference.files,
                &trial.files(),
                &tolerance,
            ));
            // What a run that came to another end had last says nothing.
            if resumed.ending == expected.ending {
                let (values, _) =
                    final_values(&reference.trial, &trial, &tolerance, reference.at_one_place)?;
                let mut values = values;
                values.retain(|one| reference.compares(one));
                while found.is_empty() && !values.is_empty() && reference.more_runs > 0 {
                    look_again(bench, reference)?;
                    values.retain(|one| reference.compares(one));
                }
                if found.is_empty() && !values.is_empty() {
                    look_at_checkpoint(bench, reference, planned.checkpoint)?;
                    values.retain(|one| reference.compares(one));
                }
                found.extend(values);
            }
            tried.same = Some(found.is_empty());
            tried.differences = found;
        }
    }
    trial.done();
    if !tried.differences.is_empty() && reference.at_one_place {
        tried.at_next_checkpoint = at_next(bench, reference, planned)?;
    }
    Ok(tried)
}

/// Two undisturbed runs may be alike by chance in what no run repeats: in the second of the clock at which they began, or in what a
/// program finds in memory that it has not set. Another one tells.
fn look_again(bench: &mut Bench, reference: &mut Reference) -> Result<(), Failure> {
    reference.more_runs -= 1;
    let (trial, seen) = undisturbed(bench)?;
    if seen.ending == reference.seen.ending {
        let tolerance = &reference.allowed.tolerance;
        let (apart, _) = final_values(&reference.trial, &trial, tolerance, reference.at_one_place)?;
        reference.leave_out(apart);
    }
    trial.done();
    Ok(())
}

/// The same of two runs that are killed after this checkpoint: until then nothing has disturbed them.
fn look_at_checkpoint(
    bench: &mut Bench,
    reference: &mut Reference,
    checkpoint: u64,
) -> Result<(), Failure> {
    let (one, _) = killed(bench, checkpoint)?;
    let (other, _) = killed(bench, checkpoint)?;
    let tolerance = &reference.allowed.tolerance;
    // Without such a checkpoint of both there is nothing to hold against each other.
    if let Ok((apart, _)) = registers(&one.checkpoints(), &other.checkpoints(), tolerance) {
        reference.leave_out(apart);
    }
    one.done();
    other.done();
    Ok(())
}

fn killed(bench: &mut Bench, checkpoint: u64) -> Result<(Trial, Seen), Failure> {
    let trial = bench.fresh()?;
    let conditions = Conditions {
        kill: Some(format!("published:{checkpoint}")),
        ..Conditions::default()
    };
    let seen = bench.run(&trial, &conditions)?;
    Ok((trial, seen))
}

/// Under which conditions it is started again.
fn again(trial: Trial, with: With) -> Result<(Trial, Conditions), Failure> {
    let mut conditions = Conditions::default();
    let variables = &mut conditions.variables;
    let trial = match with {
        With::AnotherDirectory => trial.moved()?,
        _ => trial,
    };
    match with {
        With::Poison => variables.push(("CCCP_POISON", "on".to_string())),
        With::Threads(number) => variables.push(("OMP_NUM_THREADS", number.to_string())),
        With::FixedAddresses => conditions.fixed = true,
        With::Nothing | With::AnotherDirectory => {}
    }
    Ok((trial, conditions))
}

/// What differs at the first checkpoint after the restart already: nearer to the reason than what differs at the end.
fn at_next(
    bench: &mut Bench,
    reference: &Reference,
    planned: Planned,
) -> Result<Vec<Difference>, Failure> {
    let (expected, _) = killed(bench, planned.checkpoint + 1)?;
    let (trial, _) = killed(bench, planned.checkpoint)?;
    let (trial, mut conditions) = again(trial, planned.with)?;
    conditions.kill = Some("published:1".to_string());
    bench.run(&trial, &conditions)?;
    let found = registers(
        &expected.checkpoints(),
        &trial.checkpoints(),
        &reference.allowed.tolerance,
    );
    expected.done();
    trial.done();
    // Where there is no such checkpoint there is nothing to say about it.
    let mut found = found.map_or_else(|_| Vec::new(), |found| found.0);
    found.retain(|one| reference.compares(one));
    Ok(found)
}

/// The user's files that the checkpoints of a run name.
fn sources(trial: &Trial) -> Result<BTreeSet<PathBuf>, Failure> {
    let found = history(&trial.checkpoints());
    let taken = found.iter().flat_map(Past::taken);
    Ok(taken.map(|(_, taken)| PathBuf::from(&taken.file)).collect())
}
