//! Reading the three places: the file first, so that the environment and the command line overrule it.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};

use super::clock::CallClock;
use super::error::{SettingsError, nearest};
use super::kill::KillAt;
use super::table::{TABLE, names};
use super::values::{Origin, Settings};
use crate::store::Store;

/// Settings, and what the program gets to see of its command line.
#[derive(Clone, Debug)]
pub struct Found {
    /// The settings.
    pub settings: Settings,
    /// The positions of the words in `argv` that are the program's own, ascending.
    pub kept: Vec<usize>,
}

/// What a batch system calls the number of a task of an array; LSF has 0 for a job that is none.
const TASKS: [&str; 4] = [
    "SLURM_ARRAY_TASK_ID",
    "PBS_ARRAY_INDEX",
    "PBS_ARRAYID",
    "LSB_JOBINDEX",
];

/// Variables that cccp-cc reads when a program is built; a shell that built it may start it.
const OF_BUILDS: [&str; 2] = ["CCCP_AUTO", "CCCP_CC"];

/// Reads the settings of a run. `arguments` is the whole of `argv`, the program's name included; every word
/// that begins with `--cccp-` is ours, wherever it stands. `store` reads the configuration file.
pub fn read(
    arguments: &[Vec<u8>],
    environment: impl IntoIterator<Item = (OsString, OsString)>,
    store: &dyn Store,
) -> Result<Found, SettingsError> {
    let mut settings = Settings::default();
    let mut variables: Vec<(String, String)> = Vec::new();
    let mut config = None;
    for (name, value) in environment {
        let name = name.to_str().unwrap_or_default();
        if TASKS.contains(&name) {
            let number = value.to_str().and_then(|value| value.parse().ok());
            settings.task = settings
                .task
                .or(number.filter(|number| *number != 0 || name != "LSB_JOBINDEX"));
        }
        if !name.starts_with("CCCP_") {
            continue;
        }
        match name {
            "CCCP_CONFIG" => config = Some(PathBuf::from(value)),
            "CCCP_DIRECTORIES" => settings.told = Some(PathBuf::from(value)),
            name if OF_BUILDS.contains(&name) => {}
            _ => variables.push((name.to_string(), text(value.as_encoded_bytes(), name)?)),
        }
    }
    if let Some((path, text)) = config_file(config, store)? {
        from_file(&mut settings, &path, &text)?;
    }
    for (name, value) in variables {
        from_variable(&mut settings, &name, &value)?;
    }
    let mut kept = Vec::new();
    for (index, word) in arguments.iter().enumerate() {
        match word.strip_prefix(b"--cccp-") {
            Some(rest) if index > 0 => from_word(&mut settings, rest)?,
            _ => kept.push(index),
        }
    }
    Ok(Found { settings, kept })
}

fn text(bytes: &[u8], place: &str) -> Result<String, SettingsError> {
    String::from_utf8(bytes.to_vec()).map_err(|_| error(place, "the value is not UTF-8"))
}

fn error(place: impl Into<String>, reason: impl Into<String>) -> SettingsError {
    SettingsError {
        place: place.into(),
        reason: reason.into(),
    }
}

fn unknown(place: &str, name: &str, known: impl Iterator<Item = &'static str>) -> SettingsError {
    let known: Vec<&str> = known.collect();
    let reason = match nearest(name, known.iter().copied()) {
        hint if hint.is_empty() => format!("; there are {}", known.join(", ")),
        hint => hint,
    };
    error(place, format!("there is no setting {name}{reason}"))
}

/// The configuration file, if there is one. One that was asked for must be there.
fn config_file(
    asked: Option<PathBuf>,
    store: &dyn Store,
) -> Result<Option<(PathBuf, String)>, SettingsError> {
    let path = asked.clone().unwrap_or_else(|| PathBuf::from("cccp.toml"));
    match store.read(&path) {
        Ok(text) => Ok(Some((path, text))),
        Err(missing) if asked.is_none() && missing.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(refused) if asked.is_some() => {
            let place = format!("{} (named by CCCP_CONFIG)", path.display());
            Err(error(place, refused.to_string()))
        }
        Err(refused) => Err(error(path.display().to_string(), refused.to_string())),
    }
}

fn from_file(settings: &mut Settings, path: &Path, text: &str) -> Result<(), SettingsError> {
    let line_of = |offset: usize| text[..offset.min(text.len())].matches('\n').count() + 1;
    let table = DeTable::parse(text).map_err(|refused| {
        let line = refused.span().map_or(1, |span| line_of(span.start));
        let reason = refused.message().replace('\n', ", ");
        error(format!("{}:{line}", path.display()), reason)
    })?;
    for (key, value) in table.get_ref() {
        let line = line_of(key.span().start);
        let place = format!("{}:{line}", path.display());
        let name = key.get_ref();
        let known = names()
            .find(|known| known == name)
            .ok_or_else(|| unknown(&place, name, names()))?;
        let value = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            DeValue::Boolean(flag) => u8::from(*flag).to_string(),
            other => {
                return Err(error(
                    place,
                    format!("{name} cannot be a {}", other.type_str()),
                ));
            }
        };
        let origin = Origin::File {
            path: path.to_path_buf(),
            line,
        };
        apply(settings, known, &value, origin, &format!("{place}: {name}"))?;
    }
    Ok(())
}

fn from_variable(settings: &mut Settings, name: &str, value: &str) -> Result<(), SettingsError> {
    if name == "CCCP_KILL_AT" {
        let kill = KillAt::parse(value)
            .map_err(|reason| error(format!("CCCP_KILL_AT={value}"), reason))?;
        settings.kill_at = Some(kill);
        return Ok(());
    }
    if name == "CCCP_CLOCK" {
        let clock = CallClock::parse(value);
        settings.clock = Some(clock.map_err(|reason| error(format!("{name}={value}"), reason))?);
        return Ok(());
    }
    if name == "CCCP_ATTEMPT" {
        let attempt = value.parse();
        let attempt = attempt.map_err(|_| error(format!("{name}={value}"), "is not a number"))?;
        settings.attempt = Some(attempt);
        return Ok(());
    }
    let own = name.trim_start_matches("CCCP_").to_lowercase();
    let written = |known: &str| format!("CCCP_{}", known.to_uppercase());
    let Some(known) = names().find(|known| written(known) == name) else {
        return Err(unknown(
            name,
            &own,
            names().chain(["kill_at", "clock", "attempt", "directories", "config"]),
        ));
    };
    apply(
        settings,
        known,
        value,
        Origin::Environment(name.to_string()),
        &format!("{name}={value}"),
    )
}

fn from_word(settings: &mut Settings, rest: &[u8]) -> Result<(), SettingsError> {
    let rest = text(rest, "--cccp-…")?;
    let place = format!("--cccp-{rest}");
    if rest == "help" {
        settings.help = true;
        return Ok(());
    }
    let (name, value) = match rest.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (rest.as_str(), None),
    };
    let known = names()
        .find(|known| *known == name)
        .ok_or_else(|| unknown(&place, name, names().chain(["help"])))?;
    let value = value.ok_or_else(|| {
        error(
            place.as_str(),
            format!("a value is needed: --cccp-{name}=…"),
        )
    })?;
    apply(settings, known, value, Origin::CommandLine, &place)
}

fn apply(
    settings: &mut Settings,
    name: &'static str,
    value: &str,
    origin: Origin,
    place: &str,
) -> Result<(), SettingsError> {
    let setting = TABLE.iter().find(|setting| setting.name == name);
    let outcome = setting.map_or(Ok(()), |setting| (setting.set)(settings, value));
    outcome.map_err(|reason| error(place, reason))?;
    settings.origins.insert(name, origin);
    Ok(())
}
