//! The words of a command that are for cccp-cc itself: all begin with `--cccp-`, wherever they stand.

use clap::ValueEnum;
use clap_complete::Shell;
use std::path::PathBuf;

/// What is said about cccp itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Own {
    /// Directives are inferred.
    pub auto: bool,
    /// The compiler alone.
    pub off: bool,
    /// Every command is shown.
    pub verbose: bool,
    /// Help is asked for.
    pub help: bool,
    /// Completions are asked for.
    pub completions: Option<Shell>,
    /// Where generated C is kept.
    pub keep: Option<PathBuf>,
    /// Where the report goes.
    pub explain: Option<PathBuf>,
    /// Words for the precompiler as they are.
    pub precompiler: Vec<String>,
}

/// Splits our words from the compiler's. A wrong one is an error with its reason.
pub fn split(words: Vec<String>) -> Result<(Own, Vec<String>), String> {
    let mut own = Own {
        auto: is_set("CCCP_AUTO"),
        ..Own::default()
    };
    let mut rest = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let Some(ours) = word.strip_prefix("--cccp-") else {
            rest.push(word);
            continue;
        };
        let (name, given) = match ours.split_once('=') {
            Some((name, value)) => (name, Some(value.to_string())),
            None => (ours, None),
        };
        let mut value = || {
            given
                .clone()
                .or_else(|| words.next())
                .ok_or_else(|| format!("`--cccp-{name}` needs a value"))
        };
        match name {
            "auto" => own.auto = true,
            "off" => own.off = true,
            "verbose" => own.verbose = true,
            "help" => own.help = true,
            "completions" => {
                own.completions = Some(Shell::from_str(&value()?, true)?);
            }
            "keep" => own.keep = Some(value()?.into()),
            "explain" => own.explain = Some(value()?.into()),
            "every" | "deny" | "catalog" | "profile" => {
                own.precompiler.push(format!("--{name}={}", value()?));
            }
            _ => return Err(format!("unknown option `{word}`; try --cccp-help")),
        }
    }
    Ok((own, rest))
}

/// Whether a variable of the environment says yes.
fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_words_are_taken_out_wherever_they_stand() {
        let words = ["gcc", "-c", "--cccp-every=3", "a.c", "--cccp-keep", "d"];
        let (own, rest) = split(words.map(str::to_string).into()).expect("good words");
        assert_eq!(rest, ["gcc", "-c", "a.c"]);
        assert_eq!(own.keep, Some("d".into()));
        assert_eq!(own.precompiler, ["--every=3"]);
        assert!(split(vec!["--cccp-autos".to_string()]).is_err());
        assert!(split(vec!["--cccp-keep".to_string()]).is_err());
    }
}
