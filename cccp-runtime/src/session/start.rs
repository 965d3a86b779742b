//! `init` and `shutdown`: how a run begins and how it ends.
//!
//! In: the settings and the processes of the job. Out: a session, with a restart in progress when all ranks agreed on
//! a generation. Nothing that exists is ever deleted here.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use rustc_hash::FxHashMap;

use crate::comm::Group;
use crate::format::{Header, age};
use crate::generation::Writer;
use crate::memory::{
    Arguments, Program, Team, TeamControls, blocks, cannot_be_asked, without_writing_signals,
};
use crate::registry::{BlockKind, Registers, Trace, TypeTable};
use crate::restore::{Decision, Expected, Files, Mode, Standing, Stop, agree};
use crate::settings::{Restart, Settings};
use crate::store::{Directory, Event, FileSystem, History, Journal, Printed, Started, tell};

use super::Session;
use super::claim::{Claim, PATIENCE, claim};
use super::dispositions::Dispositions;
use super::fixed::FixedHeap;
use super::kill::Killer;
use super::messages::{Looks, nothing_under_way};
use super::opened;
use super::process::Process;
use super::summary::Tally;
use super::suspects::Suspect;
use super::when::When;

/// What is known of the program before anything is looked for on disk.
pub struct Start {
    /// Its memory.
    pub program: Program,
    /// Its command line, without our words.
    pub arguments: Arguments,
    /// Its name, without the directory.
    pub name: String,
    /// What the user wants.
    pub settings: Settings,
    /// The processes of the job.
    pub group: Box<dyn Group>,
    /// The C library's generators of random numbers that it uses: a sum of `memory::RANDOM` and the like.
    pub generators: u32,
    /// Nothing before `init` depends on the number of threads.
    pub threads_later: bool,
    /// A number of what the program's text says; 0 when that is not known.
    pub text: u64,
    /// Values that each checkpoint looks at.
    pub suspects: Vec<Suspect>,
    /// Prints a line at once, with the rank that says it, while there is no session yet that keeps messages.
    pub say: fn(Option<u32>, &str),
}

impl Session {
    /// Begins a run. `standing` are the activations on the stack, outermost first. The reason of a stop is empty where
    /// another rank gives it.
    pub fn start(
        mut start: Start,
        functions: FxHashMap<usize, std::rc::Rc<crate::registry::Function>>,
        names: HashMap<usize, String>,
        types: TypeTable,
        standing: &[Standing],
    ) -> Result<Session, Stop> {
        if cannot_be_asked() {
            return Err(
                "the program is linked statically without the function of OpenMP that says how many threads regions have: link it \
                 with -Wl,-u,omp_get_max_threads, or dynamically"
                    .to_string(),
            );
        }
        let directory = Arc::new(Directory::new(
            Arc::new(FileSystem),
            start.settings.directory(&start.name),
        ));
        let say = start.say;
        let claim = claim(&directory, &mut *start.group, PATIENCE, &|line: &str| {
            say(None, line)
        })
        .map_err(|reason| stop_together(&mut *start.group, reason, say))?;
        let counts = nothing_under_way(&mut *start.group, say)?;
        let begun = Session::begin(
            start, counts, directory, claim, functions, names, types, standing,
        );
        let mut session = begun.map_err(|reason| match reason.is_empty() {
            true => reason,
            false => format!("cannot restart: {reason}"),
        })?;
        let profile = session.settings.profile.is_some();
        let same = same_calls(&mut *session.group, session.settings.every, profile);
        let same = same.and_then(|profile| match profile {
            true => without_writing_signals(|| session.begin_profile()),
            false => Ok(()),
        });
        match same.and_then(|()| session.look_at_numbers()) {
            Ok(()) => Ok(session),
            Err(reason) => Err(stop_together(&mut *session.group, reason, say)),
        }
    }

    /// Looks for something to restart from. The directory is ours.
    #[expect(clippy::too_many_arguments, reason = "each is given on as it is")]
    fn begin(
        start: Start,
        counts: bool,
        directory: Arc<Directory>,
        claim: Claim,
        functions: FxHashMap<usize, std::rc::Rc<crate::registry::Function>>,
        names: HashMap<usize, String>,
        types: TypeTable,
        standing: &[Standing],
    ) -> Result<Session, Stop> {
        let Start {
            program,
            arguments,
            name,
            settings,
            mut group,
            generators,
            threads_later,
            text,
            suspects,
            say,
        } = start;
        blocks::begin();
        let rank = group.rank();
        // Left-overs of runs that died while writing; whether they can be removed matters to nobody now.
        let _ = directory.clean(rank);
        let mut files = Files::new(directory.clone(), rank);
        let words: Vec<Vec<u8>> = arguments.words().into_iter().skip(1).collect();
        let expected = Expected {
            program: &name,
            arguments: &words,
            mode: match settings.restart {
                Restart::Auto => Mode::Auto,
                Restart::Force => Mode::Force,
                Restart::Fresh => Mode::Fresh,
            },
            counts,
            compares: settings.moments,
        };
        let agreement =
            agree(&mut *group, &mut files, &expected).map_err(|error| error.to_string())?;
        let generation = match agreement.decision {
            Decision::Stop(reason) if group.size() == 1 => return Err(reason.unwrap_or_default()),
            Decision::Stop(reason) => {
                let reason = reason.map(|reason| format!("cannot restart: {reason}"));
                return Err(stop_together(&mut *group, reason.unwrap_or_default(), say));
            }
            Decision::Fresh => None,
            Decision::Restart(generation) => Some(generation),
        };
        directory.passed_over(generation.unwrap_or(0), agreement.next);
        opened::decided(directory.path(), generation.is_some())?;
        let base = std::env::current_dir().unwrap_or_default();
        opened::keep_journal(
            Journal::new(directory.path(), rank, &base),
            group.size(),
            settings.removed_files,
        );
        let when = When::new(&settings, rank, &directory);
        let printed_in = directory.clone();
        let mut session = Session {
            build: program.build(),
            program,
            arguments,
            name,
            types,
            functions,
            names,
            trace: Trace::default(),
            registers: Registers::default(),
            killer: Arc::new(Killer::new(settings.kill_at.clone(), rank)),
            settings,
            group,
            history: Arc::new(History::new(directory.path(), rank == 0)),
            directory,
            lock: claim.lock,
            writer: Writer::default(),
            buffers: Vec::new(),
            first_generation: agreement.next,
            latest_generation: agreement.next - 1,
            when,
            section: 0,
            standing: standing.to_vec(),
            places: Default::default(),
            printed: Printed::new(printed_in.path(), rank),
            printed_now: None,
            untaken: None,
            replay: None,
            zeroed: Vec::new(),
            differences: Vec::new(),
            messages: claim.warning.into_iter().chain(agreement.notes).collect(),
            warned_growth: false,
            warned: HashSet::new(),
            failing: claim.failing,
            tally: Tally::new(),
            is_resumed: generation.is_some(),
            cost: Default::default(),
            disk_told: false,
            contents_of_views: Default::default(),
            process: Process::now(),
            error: 0,
            process_at_init: Process::now(),
            at_init: Dispositions::now(),
            generators,
            crew: None,
            team: Team::now(),
            team_controls: TeamControls::now(),
            fixed_at_init: FixedHeap::now(),
            threads_later,
            text,
            suspects,
            directory_at_init: std::env::current_dir().ok(),
            compared: Default::default(),
            calls: HashMap::new(),
            counts,
            looks: Looks::default(),
            is_idle: false,
        };
        if session.settings.verbose && rank == 0 {
            let described = session.settings.describe(&session.name);
            for line in described.lines() {
                session.say(format!("setting {line}"));
            }
        }
        if let Some(generation) = generation {
            let file = files.take(generation).map_err(|error| error.to_string())?;
            let line = restart_line(&session, &file.checkpoint.header);
            if rank == 0 {
                session.say(line);
            }
            session.begin_replay(file, standing)?;
        }
        session.places.resumed = generation;
        opened::begun();
        let attempt = session.settings.attempt;
        let started = Started::here(&session.name, session.group.size(), generation, attempt);
        without_writing_signals(|| session.history.started(&started));
        if let Some(told) = session.settings.told.as_ref().filter(|_| rank == 0) {
            without_writing_signals(|| tell(told, session.directory.path()));
        }
        Ok(session)
    }

    /// Ends a run that has come to so many calls of checkpoints: what is in flight is waited for, the run is marked complete (S6).
    pub fn shutdown(&mut self, calls: u64) {
        self.settle();
        self.group.leave();
        self.killer.reach("shutdown");
        if self.settings.every == Some(0) {
            self.tell_places();
        }
        self.note(Event::Ended(Some(calls)));
        without_writing_signals(|| self.end_profile(true));
        self.sum_up();
        let last = self.latest_generation;
        if last == 0 {
            return;
        }
        let marked = without_writing_signals(|| {
            self.lock.keep().map_err(|refusal| refusal.to_string())?;
            let marked = self.directory.mark_complete(self.group.rank(), last);
            marked.map_err(|error| error.to_string())
        });
        // Where checkpoints could not be written either, the reason has been said (S25).
        if let Err(error) = marked
            && !self.failing
        {
            self.say(format!(
                "warning: the run is complete, but could not be marked so ({error}); the next run will restart from \
                 the last checkpoint"
            ));
        }
    }
}

/// All ranks stop, and are here. The launcher ends them all when one has ended, so first the one that knows says why.
pub(super) fn stop_together(
    group: &mut dyn Group,
    reason: Stop,
    say: fn(Option<u32>, &str),
) -> Stop {
    if group.size() == 1 {
        return reason;
    }
    if !reason.is_empty() {
        say(Some(group.rank()), &reason);
    }
    let _ = group.min(&mut [0]);
    Stop::new()
}

impl Session {
    /// A run that takes no checkpoint tells where the program has some: whoever counts its calls wants to know.
    fn tell_places(&self) {
        let functions = self.functions.values();
        let places: BTreeSet<(&str, u32)> = functions
            .flat_map(|one| one.blocks.iter().map(|block| (&*one.file, block)))
            .filter(|(_, block)| block.kind == BlockKind::Checkpoint)
            .map(|(file, block)| (file, block.line))
            .collect();
        for (file, line) in places {
            self.note(Event::Place(file.to_string(), line));
        }
    }
}

/// An error when the ranks would count their calls in different ways. Whether the first one has a profile. All ranks call it.
fn same_calls(group: &mut dyn Group, every: Option<u64>, profile: bool) -> Result<bool, Stop> {
    let own = every.map_or(-1, |every| i64::try_from(every).unwrap_or(i64::MAX));
    let mut both = [own, -own, -i64::from(profile && group.rank() == 0)];
    group.min(&mut both).map_err(|error| error.to_string())?;
    match (both[0] == -both[1], group.rank()) {
        (true, _) => Ok(both[2] != 0),
        (false, 0) => Err(
            "cannot start: the setting every is not the same on all ranks; set it in cccp.toml or on the command line, or let \
             mpirun hand on CCCP_EVERY (-x CCCP_EVERY with Open MPI)"
                .to_string(),
        ),
        (false, _) => Err(String::new()),
    }
}

/// What the user reads at a restart.
fn restart_line(session: &Session, header: &Header) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |since| since.as_secs());
    let site = match &header.site.name {
        Some(name) => format!(" `{name}`"),
        None => String::new(),
    };
    format!(
        "restart of {} from generation {}, taken {} at checkpoint{site} in {} (line {}); files in {}",
        header.program,
        header.generation,
        age(header.time, now),
        header.site.function,
        header.site.line,
        session.directory.path().display()
    )
}
