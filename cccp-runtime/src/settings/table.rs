//! All settings in one table: names, values, meaning, and how a value is taken in and shown.

use std::path::PathBuf;

use super::error::nearest;
use super::kill::POINTS;
use super::time::{duration, written};
use super::values::{
    AtWalltime, Changed, Interval, Numbers, Protocol, Restart, Settings, Signals, TeamSize, Writing,
};
use crate::format::Encoding;

/// A setting.
pub(super) struct Setting {
    pub(super) name: &'static str,
    pub(super) values: &'static str,
    pub(super) default: &'static str,
    pub(super) meaning: &'static str,
    /// Takes a value, or says what is wrong with it.
    pub(super) set: fn(&mut Settings, &str) -> Result<(), String>,
    pub(super) show: fn(&Settings) -> String,
}

/// All settings, in the order in which people read about them.
pub(super) const TABLE: [Setting; 26] = [
    Setting {
        name: "dir",
        values: "PATH",
        default: "<program>.cccp",
        meaning: "where the checkpoints live",
        set: |settings, value| {
            if value.is_empty() {
                return Err("a path is needed".to_string());
            }
            settings.dir = Some(PathBuf::from(value));
            Ok(())
        },
        show: |settings| {
            settings
                .dir
                .as_ref()
                .map_or_else(String::new, |dir| dir.display().to_string())
        },
    },
    Setting {
        name: "every",
        values: "N",
        default: "the directive's clause, or by time",
        meaning: "checkpoint at every N-th call; 0: never, whatever else is set",
        set: |settings, value| {
            number(value, 0, u64::MAX).map(|number| settings.every = Some(number))
        },
        show: |settings| {
            settings
                .every
                .map_or("as the directives say".to_string(), |every| {
                    every.to_string()
                })
        },
    },
    Setting {
        name: "spread",
        values: "N",
        default: "0",
        meaning: "of the calls of a place that `every` takes: the first N, every second one up to 2 N, every fourth one up to 4 N, and so on; 0: all",
        set: |settings, value| number(value, 0, u64::MAX).map(|number| settings.spread = number),
        show: |settings| settings.spread.to_string(),
    },
    Setting {
        name: "interval",
        values: "auto|TIME|off",
        default: "auto",
        meaning: "checkpoints without a clause every: as their cost says, after 90, 30s, 10m or 2h, or never by time",
        set: |settings, value| {
            settings.interval = match value {
                "auto" => Interval::Auto,
                "off" => Interval::Off,
                _ => Interval::Seconds(duration(value).ok_or_else(|| {
                    format!("{value} is neither auto, off nor a time such as 30s, 10m or 2h")
                })?),
            };
            Ok(())
        },
        show: |settings| match settings.interval {
            Interval::Auto => "auto".to_string(),
            Interval::Off => "off".to_string(),
            Interval::Seconds(seconds) => written(seconds),
        },
    },
    Setting {
        name: "overhead",
        values: "PERCENT",
        default: "1%",
        meaning: "the share of the run time that checkpoints by time take at most",
        set: |settings, value| {
            let percent = value.strip_suffix('%').unwrap_or(value).trim();
            match percent.parse::<f64>() {
                Ok(percent) if percent > 0.0 && percent <= 100.0 => {
                    settings.overhead = percent / 100.0;
                    Ok(())
                }
                _ => Err(format!("{value} is not a share such as 1% or 0.5%")),
            }
        },
        show: |settings| format!("{}%", settings.overhead * 100.0),
    },
    Setting {
        name: "mtbf",
        values: "auto|TIME",
        default: "auto",
        meaning: "the mean time between failures; auto: from the deaths of earlier runs, at first 24h",
        set: |settings, value| {
            settings.mtbf = match value {
                "auto" => None,
                _ => Some(some_time(value, "auto")?),
            };
            Ok(())
        },
        show: |settings| settings.mtbf.map_or("auto".to_string(), written),
    },
    Setting {
        name: "walltime",
        values: "auto|TIME",
        default: "auto",
        meaning: "how long the run may take; auto: until the batch system ends the job",
        set: |settings, value| {
            settings.walltime = match value {
                "auto" => None,
                _ => Some(some_time(value, "auto")?),
            };
            Ok(())
        },
        show: |settings| settings.walltime.map_or("auto".to_string(), written),
    },
    Setting {
        name: "at_walltime",
        values: "exit|continue",
        default: "exit",
        meaning: "after the checkpoint before that: end with exit status 85, or continue",
        set: |settings, value| {
            let words = [
                ("exit", AtWalltime::Exit),
                ("continue", AtWalltime::Continue),
            ];
            word(value, words).map(|value| settings.at_walltime = value)
        },
        show: |settings| match settings.at_walltime {
            AtWalltime::Exit => "exit".to_string(),
            AtWalltime::Continue => "continue".to_string(),
        },
    },
    Setting {
        name: "signals",
        values: "on|interrupt|off",
        default: "on",
        meaning: "SIGUSR1: a checkpoint; SIGTERM: one, then exit status 85; interrupt: SIGINT as SIGTERM",
        set: |settings, value| {
            let words = [
                ("on", Signals::On),
                ("interrupt", Signals::Interrupt),
                ("off", Signals::Off),
            ];
            word(value, words).map(|value| settings.signals = value)
        },
        show: |settings| match settings.signals {
            Signals::On => "on".to_string(),
            Signals::Interrupt => "interrupt".to_string(),
            Signals::Off => "off".to_string(),
        },
    },
    Setting {
        name: "keep",
        values: "N",
        default: "2",
        meaning: "how many complete generations stay",
        set: |settings, value| {
            number(value, 1, u64::from(u32::MAX)).map(|number| settings.keep = number as u32)
        },
        show: |settings| settings.keep.to_string(),
    },
    Setting {
        name: "encoding",
        values: "xdr|native",
        default: "xdr",
        meaning: "portable values, or memory as it is",
        set: |settings, value| {
            let words = Encoding::ALL.map(|one| (one.word(), one));
            word(value, words).map(|value| settings.encoding = value)
        },
        show: |settings| settings.encoding.word().to_string(),
    },
    Setting {
        name: "compress",
        values: "off|1..9",
        default: "off",
        meaning: "DEFLATE level, 1 fast, 9 small",
        set: |settings, value| {
            let level = match value {
                "off" => Ok(0),
                _ => number(value, 1, 9)
                    .map_err(|_| format!("{value} is neither off nor a level from 1 to 9")),
            };
            level.map(|level| settings.compress = level as u32)
        },
        show: |settings| match settings.compress {
            0 => "off".to_string(),
            level => level.to_string(),
        },
    },
    Setting {
        name: "write",
        values: "background|synchronous",
        default: "background",
        meaning: "write a copy beside the program, or let it wait to spare memory",
        set: |settings, value| {
            let words = [
                ("background", Writing::Background),
                ("synchronous", Writing::Synchronous),
            ];
            word(value, words).map(|value| settings.write = value)
        },
        show: |settings| match settings.write {
            Writing::Background => "background".to_string(),
            Writing::Synchronous => "synchronous".to_string(),
        },
    },
    Setting {
        name: "restart",
        values: "auto|force|fresh",
        default: "auto",
        meaning: "from the newest checkpoint; even with other arguments; from the beginning beside the old ones",
        set: |settings, value| {
            let words = [
                ("auto", Restart::Auto),
                ("force", Restart::Force),
                ("fresh", Restart::Fresh),
            ];
            word(value, words).map(|value| settings.restart = value)
        },
        show: |settings| match settings.restart {
            Restart::Auto => "auto".to_string(),
            Restart::Force => "force".to_string(),
            Restart::Fresh => "fresh".to_string(),
        },
    },
    Setting {
        name: "changes",
        values: "refuse|accept|strict",
        default: "refuse",
        meaning: "what to do when the program was changed since the checkpoint",
        set: |settings, value| {
            let words = [
                ("refuse", Changed::Refuse),
                ("accept", Changed::Accept),
                ("strict", Changed::Strict),
            ];
            word(value, words).map(|value| settings.changes = value)
        },
        show: |settings| match settings.changes {
            Changed::Refuse => "refuse".to_string(),
            Changed::Accept => "accept".to_string(),
            Changed::Strict => "strict".to_string(),
        },
    },
    Setting {
        name: "ranks",
        values: "warn|stop",
        default: "warn",
        meaning: "where no checkpoint is taken with this number of ranks: continue without, or stop",
        set: |settings, value| {
            let words = [("warn", Numbers::Warn), ("stop", Numbers::Stop)];
            word(value, words).map(|value| settings.ranks = value)
        },
        show: |settings| match settings.ranks {
            Numbers::Warn => "warn".to_string(),
            Numbers::Stop => "stop".to_string(),
        },
    },
    Setting {
        name: "threads",
        values: "saved|given",
        default: "saved",
        meaning: "in a restart, threads of OpenMP: as many as the checkpoint has, or as this start gives",
        set: |settings, value| {
            let words = [("saved", TeamSize::Saved), ("given", TeamSize::Given)];
            word(value, words).map(|value| settings.threads = value)
        },
        show: |settings| match settings.threads {
            TeamSize::Saved => "saved".to_string(),
            TeamSize::Given => "given".to_string(),
        },
    },
    Setting {
        name: "protocol",
        values: "blocking|nonblocking",
        default: "blocking",
        meaning: "at a checkpoint, threads of OpenMP wait at once, or only before they change what it saves",
        set: |settings, value| {
            let words = [
                ("blocking", Protocol::Blocking),
                ("nonblocking", Protocol::Nonblocking),
            ];
            word(value, words).map(|value| settings.protocol = value)
        },
        show: |settings| match settings.protocol {
            Protocol::Blocking => "blocking".to_string(),
            Protocol::Nonblocking => "nonblocking".to_string(),
        },
    },
    Setting {
        name: "poison",
        values: "off|on",
        default: "off",
        meaning: "in a restart, fill memory that is not restored with values that show",
        set: |settings, value| {
            word(
                value,
                [("off", false), ("on", true), ("0", false), ("1", true)],
            )
            .map(|value| settings.poison = value)
        },
        show: |settings| match settings.poison {
            true => "on".to_string(),
            false => "off".to_string(),
        },
    },
    Setting {
        name: "suspects",
        values: "check|trust",
        default: "check",
        meaning: "look at values that may be pointers to what no checkpoint holds, or trust that none is",
        set: |settings, value| {
            word(value, [("check", true), ("trust", false)]).map(|value| settings.suspects = value)
        },
        show: |settings| match settings.suspects {
            true => "check".to_string(),
            false => "trust".to_string(),
        },
    },
    Setting {
        name: "moments",
        values: "check|trust",
        default: "check",
        meaning: "compare whether ranks pass their checkpoints equally often, or trust that any passages of theirs go together",
        set: |settings, value| {
            word(value, [("check", true), ("trust", false)]).map(|value| settings.moments = value)
        },
        show: |settings| match settings.moments {
            true => "check".to_string(),
            false => "trust".to_string(),
        },
    },
    Setting {
        name: "removed_files",
        values: "BYTES",
        default: "1G",
        meaning: "the most bytes of an open file without a name, or of one that is copied before it changes, that a checkpoint keeps: a number, or 20K, 300M, 4G, 1T",
        set: |settings, value| bytes(value).map(|bytes| settings.removed_files = bytes),
        show: |settings| shown_bytes(settings.removed_files),
    },
    Setting {
        name: "summary",
        values: "off|on",
        default: "off",
        meaning: "at the end three lines about checkpoints and their cost; after a restart always",
        set: |settings, value| {
            let words = [("off", false), ("on", true), ("0", false), ("1", true)];
            word(value, words).map(|value| settings.summary = value)
        },
        show: |settings| match settings.summary {
            true => "on".to_string(),
            false => "off".to_string(),
        },
    },
    Setting {
        name: "profile",
        values: "PATH",
        default: "none",
        meaning: "a file: written by a run that looks at all places of checkpoints, and used by later ones to choose among them",
        set: |settings, value| {
            if value.is_empty() {
                return Err("a path is needed".to_string());
            }
            let path = PathBuf::from(value);
            settings.profile = Some(std::path::absolute(&path).unwrap_or(path));
            Ok(())
        },
        show: |settings| {
            let path = settings.profile.as_ref();
            path.map_or("none".to_string(), |path| path.display().to_string())
        },
    },
    Setting {
        name: "final",
        values: "PATH",
        default: "nowhere",
        meaning: "a directory for the values that registers have at the end, to compare runs",
        set: |settings, value| {
            if value.is_empty() {
                return Err("a path is needed".to_string());
            }
            // From where the program begins, wherever it goes.
            let path = PathBuf::from(value);
            settings.last = Some(std::path::absolute(&path).unwrap_or(path));
            Ok(())
        },
        show: |settings| match &settings.last {
            Some(path) => path.display().to_string(),
            None => "nowhere".to_string(),
        },
    },
    Setting {
        name: "verbose",
        values: "0|1",
        default: "0",
        meaning: "print these settings, one line per checkpoint, and the disk space needed",
        set: |settings, value| {
            word(value, [("0", false), ("1", true)]).map(|value| settings.verbose = value)
        },
        show: |settings| u8::from(settings.verbose).to_string(),
    },
];

/// The names of all settings.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|setting| setting.name)
}

/// What `--cccp-help` prints.
pub fn help() -> String {
    let mut text = String::from(
        "Settings of libcccp. On the command line --cccp-NAME=VALUE, in the environment CCCP_NAME=VALUE, in cccp.toml\n\
         (or the file that CCCP_CONFIG names) NAME = VALUE; the first of these that sets it counts.\n\n",
    );
    for Setting {
        name,
        values,
        default,
        meaning,
        ..
    } in &TABLE
    {
        text.push_str(&format!(
            "  --cccp-{:<32} {meaning} [{default}]\n",
            format!("{name}={values}")
        ));
    }
    text.push_str(&format!(
        "\n  CCCP_KILL_AT=POINT[:N][@RANK] ends the process with SIGKILL at the N-th passage of a point, to rehearse a\n  \
         crash: {}\n  CCCP_CLOCK=SECONDS[+AHEAD][@RANK] is a clock that each call of a checkpoint moves by so much, to rehearse time\n",
        POINTS.join(", ")
    ));
    text
}

fn number(value: &str, least: u64, most: u64) -> Result<u64, String> {
    match value.parse() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(format!("{value} is not a whole number from {least}")),
    }
}

/// Units of bytes, the largest first.
const UNITS: [(char, u64); 4] = [
    ('T', 1 << 40),
    ('G', 1 << 30),
    ('M', 1 << 20),
    ('K', 1 << 10),
];

fn bytes(value: &str) -> Result<u64, String> {
    let unit = UNITS.iter().find(|unit| value.ends_with(unit.0));
    let digits = unit.map_or(value, |_| &value[..value.len() - 1]);
    let number = digits.parse::<u64>().ok();
    number
        .and_then(|number| number.checked_mul(unit.map_or(1, |unit| unit.1)))
        .ok_or_else(|| format!("{value} is not a number of bytes such as 5000, 20K, 300M or 4G"))
}

fn shown_bytes(bytes: u64) -> String {
    let unit = UNITS
        .iter()
        .find(|unit| bytes != 0 && bytes.is_multiple_of(unit.1));
    unit.map_or(bytes.to_string(), |unit| {
        format!("{}{}", bytes / unit.1, unit.0)
    })
}

fn some_time(value: &str, other: &str) -> Result<f64, String> {
    let time = duration(value).filter(|time| *time > 0.0);
    time.ok_or_else(|| format!("{value} is neither {other} nor a time such as 30s, 10m or 2h"))
}

fn word<T, const N: usize>(value: &str, words: [(&'static str, T); N]) -> Result<T, String> {
    let names = words.each_ref().map(|(name, _)| *name);
    match words.into_iter().find(|(name, _)| *name == value) {
        Some((_, meaning)) => Ok(meaning),
        None => Err(format!(
            "{value} is not one of {}{}",
            names.join(", "),
            nearest(value, names)
        )),
    }
}
