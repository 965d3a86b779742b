//! All settings in one table: names, values, meaning, and how a value is taken in and shown.

use std::path::PathBuf;

use super::error::nearest;
use super::kill::POINTS;
use super::values::{Changed, Numbers, Restart, Settings, Writing};
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
pub(super) const TABLE: [Setting; 11] = [
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
        default: "the directive's clause, or 1",
        meaning: "checkpoint at every N-th call; 0: never",
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
            word(
                value,
                [("xdr", Encoding::Xdr), ("native", Encoding::Native)],
            )
            .map(|value| settings.encoding = value)
        },
        show: |settings| match settings.encoding {
            Encoding::Xdr => "xdr".to_string(),
            Encoding::Native => "native".to_string(),
        },
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
        values: "refuse|accept",
        default: "refuse",
        meaning: "what to do when the program was changed since the checkpoint",
        set: |settings, value| {
            let words = [("refuse", Changed::Refuse), ("accept", Changed::Accept)];
            word(value, words).map(|value| settings.changes = value)
        },
        show: |settings| match settings.changes {
            Changed::Refuse => "refuse".to_string(),
            Changed::Accept => "accept".to_string(),
        },
    },
    Setting {
        name: "ranks",
        values: "warn|stop",
        default: "warn",
        meaning: "where no checkpoint is taken with this number of ranks: go on without, or stop",
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
         crash: {}\n",
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
