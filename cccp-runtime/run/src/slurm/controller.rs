//! What Slurm is asked and told, through its own commands.

use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// How often Slurm is asked to queue a job again, and how far apart: its controller may be restarting.
const TRIES: u32 = 5;
const APART: Duration = Duration::from_secs(5);

/// Steps that are the daemons of a launcher: a signal to them ends the ranks at once.
const DAEMONS: [&str; 4] = ["orted", "prted", "hydra", "pmi_proxy"];

/// The job in which this process runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobId {
    /// Its number: for a task of an array one of its own.
    pub number: String,
    /// What names this task alone. The number of one of the tasks also names the whole array.
    pub task: String,
}

impl JobId {
    /// From the variables of a job; none outside of one.
    pub fn of(variable: impl Fn(&str) -> Option<String>) -> Option<JobId> {
        let number = variable("SLURM_JOB_ID").filter(|number| !number.is_empty())?;
        let array = variable("SLURM_ARRAY_JOB_ID");
        let task = match array.zip(variable("SLURM_ARRAY_TASK_ID")) {
            Some((array, task)) => format!("{array}_{task}"),
            None => number.clone(),
        };
        Some(JobId { number, task })
    }

    /// When its time is up, in seconds since 1970.
    pub fn end(&self) -> Option<u64> {
        self.ask("%e")?.parse().ok()
    }

    /// Whether it is still to run: nobody has cancelled it or queued it again. A controller that does not answer leaves it so.
    /// Slurm ends a job that is not before this is known for sure.
    pub fn is_wanted(&self) -> bool {
        let is_running = || self.ask("%T").is_none_or(|state| state == "RUNNING");
        for _ in 0..TRIES * 4 {
            if is_running() {
                return true;
            }
            sleep(APART);
        }
        is_running()
    }

    /// Whether another job takes its place; none where Slurm does not say.
    pub fn is_preempted(&self) -> Option<bool> {
        let mut ask = Command::new("scontrol");
        let ask = ask.args(["show", "job", "--oneliner", &self.task]);
        let output = ask.stderr(Stdio::null()).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut words = text.split_whitespace();
        let time = words.find_map(|word| word.strip_prefix("PreemptTime="))?;
        Some(time != "None")
    }

    fn ask(&self, format: &str) -> Option<String> {
        let mut ask = Command::new("squeue");
        ask.args(["--noheader", "--jobs", &self.task, "--format", format]);
        let ask = ask.env("SLURM_TIME_FORMAT", "%s").stderr(Stdio::null());
        let output = ask.output().ok().filter(|output| output.status.success())?;
        let text = String::from_utf8_lossy(&output.stdout);
        let first = text.lines().next()?.trim();
        (!first.is_empty()).then(|| first.to_string())
    }

    /// Asks the processes of its steps on all its machines to end.
    pub fn end_steps(&self) {
        let mut ask = Command::new("squeue");
        ask.args(["--steps", "--noheader", "--jobs", &self.number]);
        ask.args(["--format", "%i %j"]).stderr(Stdio::null());
        let Ok(output) = ask.output() else {
            return;
        };
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        for line in text.lines() {
            let (step, name) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            let is_special = [".batch", ".extern", ".interactive"]
                .iter()
                .any(|end| step.ends_with(end));
            if !is_special && !DAEMONS.iter().any(|one| name.trim().starts_with(one)) {
                let mut tell = Command::new("scancel");
                tell.args(["--signal=TERM", step]).stderr(Stdio::null());
                let _ = tell.status();
            }
        }
    }

    /// Has it queued again; the reason, when Slurm refuses.
    pub fn requeue(&self) -> Result<(), String> {
        let mut said = String::new();
        for tries in 0..TRIES {
            if tries > 0 {
                sleep(APART);
            }
            let mut tell = Command::new("scontrol");
            match tell.args(["requeue", &self.task]).output() {
                Ok(output) if output.status.success() => return Ok(()),
                Ok(output) => {
                    said = String::from_utf8_lossy(&output.stderr).trim().to_string();
                    // Only a controller that cannot be reached may answer otherwise later.
                    let is_away = ["Unable to contact", "timed out", "Connection"];
                    if !is_away.iter().any(|word| said.contains(word)) {
                        return Err(said);
                    }
                }
                Err(error) => return Err(format!("scontrol: {error}")),
            }
        }
        Err(said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_of_an_array_is_named_so_that_no_other_is_meant() {
        let of = |variables: &[(&str, &str)]| {
            let found = |name: &str| {
                let mut all = variables.iter();
                let pair = all.find(|pair| pair.0 == name)?;
                Some(pair.1.to_string())
            };
            JobId::of(found)
        };
        assert_eq!(of(&[]), None);
        let plain = of(&[("SLURM_JOB_ID", "12")]).expect("a job");
        assert_eq!((plain.number.as_str(), plain.task.as_str()), ("12", "12"));
        let task = of(&[
            ("SLURM_JOB_ID", "12"),
            ("SLURM_ARRAY_JOB_ID", "12"),
            ("SLURM_ARRAY_TASK_ID", "3"),
        ]);
        assert_eq!(task.expect("a task").task, "12_3");
    }
}
