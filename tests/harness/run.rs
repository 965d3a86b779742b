//! Running a program: ranks, arguments, environment, a time limit, a death on the way.
//!
//! Deaths are real: `CCCP_KILL_AT=<point>:<count>[@<rank>]` makes the library raise SIGKILL. Whoever does not end
//! within the limit is killed with all its processes, and the test fails with what was printed.

use std::fs::{File, OpenOptions};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::build::Program;
use super::tools::tools_directory;

/// So many times its limit a run may wait for a processor, or for nothing at all.
const BUSY: u32 = 8;

/// The time of the processor that a process has had.
fn worked(process: u32) -> Duration {
    let told = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // Behind the name, which may be anything, the eleventh and twelfth are hundredths of seconds.
    let behind = told.rsplit_once(')').map_or("", |(_, behind)| behind);
    let ticks = behind.split_whitespace().skip(11).take(2);
    let ticks: u64 = ticks.filter_map(|one| one.parse::<u64>().ok()).sum();
    Duration::from_millis(10 * ticks)
}

/// A run to be started.
#[derive(Clone)]
pub struct Run {
    program: Program,
    directory: PathBuf,
    ranks: usize,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
    limit: Duration,
    wrapper: Vec<String>,
    /// After how many checkpoints `cccp-run --prove` kills it.
    sample: Option<usize>,
}

/// How a run ended.
#[derive(Debug)]
pub struct Outcome {
    /// The exit status of the program, or of mpirun.
    pub status: ExitStatus,
    /// Standard output.
    pub output: String,
    /// Standard error.
    pub errors: String,
}

impl Run {
    pub(super) fn new(program: &Program, directory: &Path) -> Run {
        Run {
            program: program.clone(),
            directory: directory.to_owned(),
            ranks: 1,
            arguments: Vec::new(),
            environment: Vec::new(),
            limit: Duration::from_secs(90),
            wrapper: Vec::new(),
            sample: None,
        }
    }

    /// On so many ranks (MPI programs only).
    pub fn ranks(mut self, ranks: usize) -> Run {
        self.ranks = ranks;
        self
    }

    /// With these arguments.
    pub fn arguments(mut self, arguments: &[&str]) -> Run {
        self.arguments = arguments
            .iter()
            .map(|&argument| argument.to_owned())
            .collect();
        self
    }

    /// With this variable in the environment.
    pub fn set(mut self, name: &str, value: &str) -> Run {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Under another program, such as valgrind.
    pub fn under(mut self, wrapper: &[&str]) -> Run {
        self.wrapper = wrapper.iter().map(|&word| word.to_owned()).collect();
        self
    }

    /// By `cccp-run --prove`, which kills it after so many checkpoints and finds that each restart ends like an undisturbed run.
    pub fn proved(mut self, sample: usize) {
        self.sample = Some(sample);
        self.limit *= 10;
        let outcome = self.set("OMPI_MCA_odls_base_sigkill_timeout", "0").well();
        assert!(
            outcome.output.starts_with("proved: "),
            "{}{}",
            outcome.output,
            outcome.errors
        );
    }

    /// Dies at this point: `checkpoint:3@1`.
    pub fn kill_at(self, point: &str) -> Outcome {
        let outcome = self
            .set("CCCP_KILL_AT", point)
            // The other ranks die at once as well: mpirun would give them a second.
            .set("OMPI_MCA_odls_base_sigkill_timeout", "0")
            .go();
        outcome.assert_killed(point);
        outcome
    }

    /// To the end, which has to be a good one.
    pub fn well(self) -> Outcome {
        let outcome = self.go();
        assert!(
            outcome.status.success(),
            "{}\n{}{}",
            outcome.status,
            outcome.output,
            outcome.errors
        );
        outcome
    }

    /// To whatever end, within the limit.
    pub fn go(self) -> Outcome {
        self.attempt().unwrap_or_else(|hanging| panic!("{hanging}"))
    }

    /// To whatever end; none when it has to be ended because it has worked for so long: see [`Run::has_to_end`].
    pub fn within(mut self, limit: Duration) -> Option<Outcome> {
        self.limit = limit;
        self.attempt().ok()
    }

    /// To its end, or what it had said when it had to be ended.
    fn attempt(self) -> Result<Outcome, String> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let [output, errors] = ["out", "err"].map(|what| {
            self.program
                .path
                .with_extension(format!("{what}-{number}.txt"))
        });
        let mut command = self.command(&errors);
        // Jobs that begin and end at the same time make and remove one directory in the place that they share.
        let own = std::env::temp_dir().join(format!("cccp-{}-{number}", std::process::id()));
        if self.program.mpi {
            std::fs::create_dir_all(&own).expect("a directory for the files of a job");
            command.env("OMPI_MCA_orte_tmpdir_base", &own);
        }
        command.stdout(File::create(&output).expect("a file for the output"));
        let appending = OpenOptions::new().create(true).append(true).open(&errors);
        command.stderr(appending.expect("a file for the errors"));
        let mut child = command
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().expect("the child can be waited for") {
                break Some(status);
            }
            if self.has_to_end(start.elapsed(), child.id()) {
                // OpenMPI's mpirun sometimes never ends when a rank has died or left while another one is in
                // `MPI_Finalize`, also with programs without this library: what the ranks were asked for has happened.
                let told = std::fs::read_to_string(&errors).unwrap_or_default();
                let is_reported = [KILLED_RANK, ABORTED].iter().any(|one| told.contains(one));
                let done = self.program.mpi && is_reported && !self.has_ranks();
                let status = self.end(&mut child);
                break done.then_some(status);
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        if self.program.mpi {
            std::fs::remove_dir_all(&own).ok();
        }
        // They stay: a later run must not happen to get a file with the same number, into which a restart puts back what was printed.
        let [output, errors] = [output, errors].map(|path| {
            let bytes = std::fs::read(&path).expect("what was printed");
            String::from_utf8_lossy(&bytes).into_owned()
        });
        let Some(status) = status else {
            return Err(format!("{command:?} hangs:\n{output}{errors}"));
        };
        Ok(Outcome {
            status,
            output,
            errors,
        })
    }

    /// Whether it hangs: on a busy machine it is the time of the processor that says so. Ranks that wait for each other use it up.
    fn has_to_end(&self, elapsed: Duration, process: u32) -> bool {
        if elapsed <= self.limit {
            return false;
        }
        let worked = match self.program.mpi {
            true => match self.processes().map(worked).reduce(|all, one| all + one) {
                Some(worked) => worked,
                None => return true,
            },
            false => worked(process),
        };
        elapsed > self.limit * BUSY || worked > self.limit
    }

    /// Whether a rank is still there.
    fn has_ranks(&self) -> bool {
        self.processes().next().is_some()
    }

    /// The processes whose executable is the program.
    fn processes(&self) -> impl Iterator<Item = u32> {
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        processes
            .filter(|one| {
                let executable = std::fs::read_link(one.path().join("exe"));
                executable.is_ok_and(|executable| executable == self.program.path)
            })
            .filter_map(|one| one.file_name().to_str()?.parse().ok())
    }

    /// Ends a run that does not end by itself, with all its ranks.
    fn end(&self, child: &mut Child) -> ExitStatus {
        let kill = format!("kill -KILL -{}", child.id());
        let _ = Command::new("sh").args(["-c", &kill]).status();
        let status = child.wait().expect("the child can be waited for");
        let path = self.program.path.to_str().expect("a path in UTF-8");
        let mut ranks = Command::new("pkill");
        ranks.args(["-KILL", "-f", path]);
        while ranks.status().is_ok_and(|found| found.success()) {}
        status
    }

    fn command(&self, errors: &Path) -> Command {
        let mut words: Vec<String> = Vec::new();
        if let Some(sample) = self.sample {
            let tool = tools_directory().join("cccp-run");
            words.push(tool.to_str().expect("a path in UTF-8").to_owned());
            words.extend(["--prove", "--sample", &sample.to_string(), "--"].map(str::to_owned));
        }
        if self.program.mpi {
            words.extend(["mpirun", "-n", &self.ranks.to_string()].map(str::to_owned));
        }
        // What a proof hears of its runs is its own.
        if self.program.mpi && self.sample.is_none() {
            // Each rank writes its errors itself: of a job that ends badly mpirun does not pass on all of them.
            let errors = errors.to_str().expect("a path in UTF-8");
            let redirected = [
                "sh",
                "-c",
                "errors=$1; shift; exec \"$@\" 2>> \"$errors\"",
                "sh",
            ];
            words.extend(redirected.map(str::to_owned));
            words.push(errors.to_owned());
        }
        words.extend(self.wrapper.iter().cloned());
        words.push(
            self.program
                .path
                .to_str()
                .expect("a path in UTF-8")
                .to_owned(),
        );
        words.extend(self.arguments.iter().cloned());
        let mut command = Command::new(&words[0]);
        command
            .args(&words[1..])
            .current_dir(&self.directory)
            .process_group(0);
        without_settings(&mut command);
        command
            .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
            .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        command.env("OMPI_MCA_rmaps_base_oversubscribe", "1");
        // A run that is told when by time takes no others.
        let by_time = |(name, _): &(String, String)| name == "CCCP_INTERVAL";
        if self.program.each && !self.environment.iter().any(by_time) {
            command.env("CCCP_EVERY", "1");
        }
        command.env("CCCP_POISON", "on");
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }
}

/// What this process was told about its tests is none of the business of a command.
pub fn without_settings(command: &mut Command) {
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("CCCP_")) {
        command.env_remove(name);
    }
}

/// What OpenMPI's mpirun says of a rank that was killed.
const KILLED_RANK: &str = "exited on signal 9";

/// What it says when a rank has left with another status than 0.
const ABORTED: &str = "the job has been aborted";

impl Outcome {
    /// The exit code; mpirun's is that of the first rank that failed.
    pub fn code(&self) -> Option<i32> {
        self.status.code()
    }

    /// Whether SIGKILL ended it: a signal, or 137 from OpenMPI's mpirun; when mpirun itself crashes after that, what it
    /// has told.
    pub fn killed(&self) -> bool {
        self.status.signal() == Some(9)
            || self.status.code() == Some(137)
            || self.status.signal().is_some() && self.errors.contains(KILLED_RANK)
    }

    /// It died, and it died of SIGKILL.
    pub fn assert_killed(&self, point: &str) {
        assert!(
            self.killed(),
            "not killed at {point}: {}\n{}{}",
            self.status,
            self.output,
            self.errors
        );
    }

    /// The library said that it resumes from a checkpoint.
    pub fn assert_resumed(&self) {
        assert!(self.resumed(), "no restart:\n{}", self.errors);
    }

    /// Whether the library said that it resumes from a checkpoint.
    pub fn resumed(&self) -> bool {
        self.errors
            .lines()
            .any(|line| line.starts_with("cccp: restart"))
    }

    /// What was said, but for what a run says at its end about its checkpoints.
    pub fn told(&self) -> impl Iterator<Item = &str> {
        let lines = self.errors.lines();
        lines.filter(|line| !line.starts_with("cccp: summary: "))
    }

    /// It stopped with this exit code, and said all of these words.
    pub fn assert_stopped(&self, code: i32, words: &[&str]) {
        assert_eq!(
            self.code(),
            Some(code),
            "{}\n{}{}",
            self.status,
            self.output,
            self.errors
        );
        self.assert_said(words);
    }

    /// All of these words are on standard error.
    pub fn assert_said(&self, words: &[&str]) {
        for word in words {
            assert!(
                self.errors.contains(word),
                "{word:?} is not in:\n{}",
                self.errors
            );
        }
    }
}
