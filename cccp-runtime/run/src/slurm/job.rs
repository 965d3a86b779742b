//! The first process of a submitted job: it runs the script, hands on what Slurm says, and has the job queued again.
//!
//! The script is a child with the interpreter that its first line names. Slurm's own signal before a time limit or a preemption
//! comes to this process alone and asks the programs for a checkpoint and their end; any other signal is passed on to the script, as
//! Slurm would have given it to it. A script that has asked Slurm for a signal of its own gets that one, and no other is ordered: its
//! programs leave by the time that is left to the job.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use cccp::store::{End, Event, History, Past, history, told};
use cccp_ckpt::outcome::Failure;
use cccp_ckpt::render::count;
use serde::Serialize;
use signal_hook::consts::{SIGTERM, SIGUSR1};

use super::after::{After, Next, Why, WhyNot, after};
use super::controller::JobId;
use super::wrap::{interpreter, unwrapped};
use crate::child::{CHECKPOINTED, Child, Ending, Signals, here, now, send};
use crate::output::{Log, Scratch, bytes_of, remove_file, say, write_file};
use crate::place::{DIRECTORIES, Place, holders};

/// A job as it was submitted.
#[derive(Debug)]
pub struct Options<'a> {
    /// The submitted script, as Slurm keeps it.
    pub whole: &'a Path,
    /// The arguments of the script.
    pub arguments: &'a [OsString],
    /// The script has ordered a signal of its own.
    pub own_signal: bool,
    /// Seconds before the end of its time at which programs are asked to leave, unless they do so by themselves.
    pub margin: u64,
    /// How often the job is queued again at most.
    pub retries: u64,
    /// Where the log goes.
    pub log: Option<&'a Path>,
}

/// With so many seconds left a job is at the end of its time.
const NEARLY: f64 = 180.0;
/// A program that was asked to leave is waited for when its script has ended first; Slurm ends this wait.
const LAST: Duration = Duration::from_secs(3600);
/// So long Slurm may take to end a job that it has queued again.
const UNTIL_GONE: Duration = Duration::from_secs(120);
const NAP: Duration = Duration::from_millis(100);

/// A line of the log.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Line<'a> {
    Start {
        time: f64,
        attempt: u64,
        job: &'a str,
    },
    Requeue {
        time: f64,
        attempt: u64,
        job: &'a str,
        how: &'a str,
        why: &'a str,
    },
    End {
        time: f64,
        attempt: u64,
        job: &'a str,
        how: &'a str,
        outcome: &'a str,
    },
}

/// Runs the script of this job.
pub fn run(options: &Options) -> Result<ExitCode, Failure> {
    let variable = |name: &str| std::env::var(name).ok();
    let job = JobId::of(variable).ok_or_else(|| {
        Failure::said("this is no job of Slurm; submit a script with cccp-run --slurm SCRIPT")
    })?;
    let restarts = variable("SLURM_RESTART_COUNT").and_then(|count| count.parse().ok());
    let restarts: u64 = restarts.unwrap_or(0);
    let attempt = restarts + 1;
    let whole = bytes_of(options.whole)?;
    let script = unwrapped(&whole);
    let script = script.ok_or_else(|| Failure::said("the submitted script is not one of ours"))?;
    let Some(mut words) = interpreter(script) else {
        return Err(Failure::said("the script names no interpreter"));
    };
    let scratch = Scratch::new("job")?;
    let name = variable("SLURM_JOB_NAME").unwrap_or_default();
    let path = scratch.path(&name.replace('/', "_"));
    let path = if name.is_empty() {
        scratch.path("script")
    } else {
        path
    };
    write_file(&path, script)?;
    words.push(path.to_string_lossy().into_owned());
    let command: Vec<OsString> = words.into_iter().map(OsString::from).collect();
    let command = [command, options.arguments.to_vec()].concat();

    let told_in = told_in(&job);
    let place = Place::of(&command[..1], None, &told_in)?;
    let end = variable("SLURM_JOB_END_TIME").and_then(|end| end.parse::<u64>().ok());
    let end = end.or_else(|| job.end());
    let mut variables: Vec<(&str, OsString)> = vec![
        ("CCCP_ATTEMPT", attempt.to_string().into()),
        (DIRECTORIES, told_in.as_os_str().to_owned()),
    ];
    // Not every Slurm says it.
    variables.extend(end.map(|end| ("SLURM_JOB_END_TIME", end.to_string().into())));

    let mut log = Log::open(options.log)?;
    let mut signals = Signals::take()?;
    let mut child = Child::start(&command, &variables, None)?;
    let begun = child.begun;
    log.line(&Line::Start {
        time: begun,
        attempt,
        job: &job.task,
    });
    let asked = Arc::new(AtomicBool::new(false));
    let ending = signals.wait_for(&mut child, &mut |child, signal| {
        let is_slurms = signal == SIGUSR1 && !options.own_signal;
        // Slurm is early, by up to a minute; a preemption has no time.
        let from = end.filter(|_| is_slurms && job.is_preempted() == Some(false));
        let from = from.map(|end| end as f64 - options.margin as f64);
        if is_slurms || signal == SIGTERM {
            let (job, place, asked) = (job.clone(), place.clone(), asked.clone());
            std::thread::spawn(move || {
                let early = from.map_or(0.0, |from| (from - now()).max(0.0));
                sleep(Duration::from_secs_f64(early));
                asked.store(true, Ordering::SeqCst);
                ask_to_leave(&job, &place, begun);
            });
        }
        if !is_slurms {
            child.send(signal);
        }
    })?;
    if asked.load(Ordering::SeqCst) || signals.asked().is_some() {
        wait_until_free(&told_in);
    }
    drop(scratch);

    let is_out_of_time = end.is_some_and(|end| now() > end as f64 - NEARLY);
    let runs = runs(&place, begun, ending);
    let next = after(&After {
        ending,
        runs: &runs,
        begun,
        is_out_of_time,
        is_held: is_held(&told_in),
        restarts,
        retries: options.retries,
    });
    let (how, place_of_last) = (ending.to_string(), newest(&runs));
    let outcome = match next {
        Next::Again(why) => {
            let words = again(why, ending, &place_of_last);
            if !job.is_wanted() {
                "ended by Slurm or its user, who has cancelled it or queued it again".to_string()
            } else {
                log.line(&Line::Requeue {
                    time: now(),
                    attempt,
                    job: &job.task,
                    how: &how,
                    why: &words,
                });
                say(format!("job {}: {words}; queued again", job.task));
                match job.requeue() {
                    Ok(()) => {
                        // Slurm ends what is left of this start.
                        sleep(UNTIL_GONE);
                        return Ok(ExitCode::from(ending.code()));
                    }
                    Err(reason) => {
                        say(format!(
                            "job {}: Slurm does not queue it again: {reason}; submit it again, and it resumes",
                            job.task
                        ));
                        return Ok(ExitCode::from(CHECKPOINTED as u8));
                    }
                }
            }
        }
        Next::Done => "done".to_string(),
        Next::Not(why) => not(why, ending, &place_of_last, options.retries),
    };
    log.line(&Line::End {
        time: now(),
        attempt,
        job: &job.task,
        how: &how,
        outcome: &outcome,
    });
    if attempt > 1 || next != Next::Done {
        let starts = count(attempt, "start");
        say(format!("job {}: {outcome}; {starts}", job.task));
    }
    remove_file(&told_in);
    Ok(ExitCode::from(ending.code()))
}

/// The file in which the runs of all starts of a job tell their directories: where every machine sees it, if possible.
fn told_in(job: &JobId) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    here.join(format!(".cccp-run-{}", job.task))
}

/// Asks the programs for a checkpoint and their end.
fn ask_to_leave(job: &JobId, place: &Place, begun: f64) {
    let runs = place.all_since(begun);
    let here = here(runs.iter().map(|(path, _)| &**path));
    // One rank that knows is enough.
    send(&here, SIGTERM);
    if here.is_empty() && runs.iter().any(|(path, _)| !holders(path).is_empty()) {
        job.end_steps();
    }
}

fn is_held(told_in: &Path) -> bool {
    told(told_in).iter().any(|path| !holders(path).is_empty())
}

/// A script that a signal ends leaves its programs behind, and they may be writing.
fn wait_until_free(told_in: &Path) {
    let mut waited = Duration::ZERO;
    while is_held(told_in) && waited < LAST {
        sleep(NAP);
        waited += NAP;
    }
}

/// All runs of the directories in which one began in this start. Those that died are known to have done so from here on.
fn runs(place: &Place, begun: f64, ending: Ending) -> Vec<Vec<Past>> {
    let how = match ending {
        Ending::Status(0) => "a death that its script passed over".to_string(),
        ending => ending.to_string(),
    };
    let known = place.all_since(begun).into_iter().map(|(path, last)| {
        if last.end() == End::Open && holders(&path).is_empty() {
            History::new(&path, true).note(&Event::Died(how.clone()));
        }
        history(&path)
    });
    known.collect()
}

/// The last checkpoint, for people.
fn newest(runs: &[Vec<Past>]) -> String {
    let last = runs.iter().flatten().flat_map(|run| {
        let program = &run.started.program;
        run.taken().map(move |(time, taken)| (time, program, taken))
    });
    match last.max_by(|one, other| one.0.total_cmp(&other.0)) {
        Some((_, program, taken)) => format!("behind generation {} of {program}", taken.generation),
        None => "without a checkpoint".to_string(),
    }
}

fn again(why: Why, ending: Ending, newest: &str) -> String {
    match why {
        Why::Left => format!("left {newest}"),
        Why::Asked => format!("the script ended with {ending}, {newest}"),
        Why::Died => format!("ended with {ending}, {newest}"),
        Why::Held => "the run of before is not over yet".to_string(),
    }
}

fn not(why: WhyNot, ending: Ending, newest: &str, retries: u64) -> String {
    match why {
        WhyNot::Refused => format!(
            "{ending}: a program cannot begin or resume, for the reason above; not queued again"
        ),
        WhyNot::SamePlace => format!(
            "failed twice with {ending} {newest}; it would fail there again, so it is not queued again"
        ),
        WhyNot::TooShort => format!(
            "ended with {ending} by its time limit, and brought no new checkpoint: the limit is too short for one, so it is not \
             queued again"
        ),
        WhyNot::TooOften => format!(
            "ended with {ending}, {newest}; queued again {} already (--retries)",
            count(retries, "time")
        ),
        WhyNot::Failed => format!(
            "the script ended with {ending}, and no program with checkpoints failed in it; not queued again"
        ),
    }
}
