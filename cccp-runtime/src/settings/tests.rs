//! Settings from all three places.

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;

use super::*;
use crate::format::Encoding;
use crate::store::Store;
use crate::store::twin::Twin;

fn found(
    words: &[&str],
    variables: &[(&str, &str)],
    file: Option<&str>,
) -> Result<Found, SettingsError> {
    let disk = Twin::default();
    if let Some(text) = file {
        disk.create(Path::new("cccp.toml"))
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap();
    }
    let arguments: Vec<Vec<u8>> = ["./heat"]
        .iter()
        .chain(words)
        .map(|word| word.as_bytes().to_vec())
        .collect();
    let environment = variables
        .iter()
        .map(|(name, value)| (OsString::from(name), OsString::from(value)));
    read(&arguments, environment, &disk)
}

#[test]
fn s05_the_command_line_counts_before_the_environment_before_the_file() {
    let Found { settings, kept } = found(
        &["-n", "--cccp-keep=5", "30", "--cccp-dir=/scratch/a b"],
        &[("CCCP_KEEP", "4"), ("CCCP_EVERY", "7"), ("HOME", "/home")],
        Some("keep = 3\nevery = 2\ncompress = 1\nencoding = 'native'\nverbose = true\n"),
    )
    .unwrap();
    assert_eq!(kept, [0, 1, 3]);
    assert_eq!(
        (settings.keep, settings.every, settings.compress),
        (5, Some(7), 1)
    );
    assert_eq!(
        (settings.encoding, settings.verbose),
        (Encoding::Native, true)
    );
    assert_eq!(
        settings.describe("heat"),
        "dir = /scratch/a b (command line)\n\
         every = 7 (CCCP_EVERY)\n\
         keep = 5 (command line)\n\
         encoding = native (cccp.toml:4)\n\
         compress = 1 (cccp.toml:3)\n\
         write = background (default)\n\
         restart = auto (default)\n\
         verbose = 1 (cccp.toml:5)\n"
    );
}

#[test]
fn s05_without_settings_everything_has_its_default() {
    let Found { settings, kept } =
        found(&["--", "--cccp-keep=5"], &[("CCCP_TEST_X", "1")], None).unwrap();
    assert_eq!(kept, [0, 1, 2], "what follows -- is the program's");
    assert_eq!(settings.directory("heat"), Path::new("heat.cccp"));
    assert_eq!(
        (settings.keep, settings.every, settings.kill_at),
        (2, None, None)
    );
}

#[test]
fn s05_what_is_unknown_is_an_error_with_the_nearest_word() {
    let sentence = |words: &[&str], variables: &[(&str, &str)], file| {
        found(words, variables, file).unwrap_err().to_string()
    };
    assert_eq!(
        sentence(&["--cccp-compres=1"], &[], None),
        "--cccp-compres=1: there is no setting compres; did you mean compress?"
    );
    assert_eq!(
        sentence(&[], &[("CCCP_EVRY", "1")], None),
        "CCCP_EVRY: there is no setting evry; did you mean every?"
    );
    assert_eq!(
        sentence(&[], &[], Some("# ours\nkepp = 1\n")),
        "cccp.toml:2: there is no setting kepp; did you mean keep?"
    );
    assert_eq!(
        sentence(&[], &[("CCCP_WRITE", "backgruond")], None),
        "CCCP_WRITE=backgruond: backgruond is not one of background, synchronous; did you mean background?"
    );
    assert_eq!(
        sentence(&[], &[], Some("compress = 10")),
        "cccp.toml:1: compress: 10 is neither off nor a level from 1 to 9"
    );
    assert_eq!(
        sentence(&["--cccp-keep"], &[], None),
        "--cccp-keep: a value is needed: --cccp-keep=…"
    );
    assert!(sentence(&["--cccp-keep=0"], &[], None).contains("from 1"));
    assert!(sentence(&[], &[], Some("keep = [1]")).contains("array"));
    assert!(sentence(&[], &[], Some("keep = \n")).starts_with("cccp.toml:1: "));
    assert!(sentence(&[], &[("CCCP_CONFIG", "other.toml")], None).starts_with("other.toml: "));
}

#[test]
fn s08_points_to_die_at_are_parsed() {
    let kill = |text: &str| {
        found(&[], &[("CCCP_KILL_AT", text)], None).map(|found| found.settings.kill_at)
    };
    assert_eq!(
        kill("published").unwrap(),
        Some(KillAt {
            point: "published",
            count: 1,
            rank: None
        })
    );
    let at = kill("writing:3@1").unwrap().unwrap();
    assert!(
        at.is_due("writing", 3, 1) && !at.is_due("writing", 3, 0) && !at.is_due("written", 3, 1)
    );
    assert!(
        kill("publish")
            .unwrap_err()
            .to_string()
            .contains("did you mean publish")
    );
    assert!(kill("writing:0").is_err() && kill("writing@x").is_err());
}

#[test]
fn the_help_names_every_setting_and_every_point() {
    let text = help();
    for name in super::table::names().chain(POINTS) {
        assert!(text.contains(name), "{name}");
    }
    assert!(found(&["--cccp-help"], &[], None).unwrap().settings.help);
}
