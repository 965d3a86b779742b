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
         spread = 0 (default)\n\
         interval = auto (default)\noverhead = 1% (default)\nmtbf = auto (default)\n\
         walltime = auto (default)\nat_walltime = exit (default)\nsignals = on (default)\n\
         keep = 5 (command line)\n\
         encoding = native (cccp.toml:4)\n\
         compress = 1 (cccp.toml:3)\n\
         write = background (default)\n\
         restart = auto (default)\nchanges = refuse (default)\n\
         ranks = warn (default)\nthreads = saved (default)\nprotocol = blocking (default)\npoison = off (default)\nsuspects = check (default)\nmoments = check (default)\nremoved_files = 1G (default)\nsummary = off (default)\nprofile = none (default)\nfinal = nowhere (default)\n\
         verbose = 1 (cccp.toml:5)\n"
    );
}

#[test]
fn s05_without_settings_everything_has_its_default() {
    let Found { settings, kept } = found(
        &["--", "-x"],
        &[("CC", "cc"), ("MYCCCP_X", "1"), ("CCCP_AUTO", "1")],
        None,
    )
    .unwrap();
    assert_eq!(kept, [0, 1, 2]);
    assert_eq!(settings.directory("heat"), Path::new("heat.cccp"));
    assert_eq!(
        (settings.keep, settings.every, settings.kill_at),
        (2, None, None)
    );
}

#[test]
fn tasks_of_an_array_of_batch_jobs_have_directories_of_their_own() {
    let directory = |variables: &[(&str, &str)]| {
        let found = found(&[], variables, None).unwrap();
        found.settings.directory("heat")
    };
    for name in ["SLURM_ARRAY_TASK_ID", "PBS_ARRAY_INDEX", "LSB_JOBINDEX"] {
        assert_eq!(directory(&[(name, "7")]), Path::new("heat.7.cccp"));
    }
    assert_eq!(
        directory(&[("SLURM_ARRAY_TASK_ID", "0")]),
        Path::new("heat.0.cccp")
    );
    // A job of LSF that is no array.
    assert_eq!(directory(&[("LSB_JOBINDEX", "0")]), Path::new("heat.cccp"));
    let named = [("SLURM_ARRAY_TASK_ID", "7"), ("CCCP_DIR", "here")];
    assert_eq!(directory(&named), Path::new("here"));
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
    assert!(
        sentence(&[], &[("CCCP_CONFIG", "other.toml")], None)
            .starts_with("other.toml (named by CCCP_CONFIG): ")
    );
    assert_eq!(
        sentence(&["--cccp-frobnicate=1"], &[], None),
        "--cccp-frobnicate=1: there is no setting frobnicate; there are dir, every, spread, interval, overhead, mtbf, walltime, \
         at_walltime, signals, keep, encoding, compress, write, restart, changes, ranks, threads, protocol, poison, suspects, moments, \
         removed_files, summary, profile, final, verbose, help"
    );
    assert!(
        sentence(&["--cccp-"], &[], None)
            .starts_with("--cccp-: there is no setting ; there are dir,")
    );
    assert!(sentence(&[], &[("CCCP_", "1")], None).starts_with("CCCP_: there is no setting "));
    assert!(sentence(&[], &[("CCCP_TEST_X", "1")], None).contains("there is no setting test_x"));
    assert!(sentence(&["--cccp-compress=0"], &[], None).contains("from 1 to 9"));
    assert!(sentence(&["--cccp-dir="], &[], None).contains("a path is needed"));
    // Also where another place would have counted.
    assert!(sentence(&["--cccp-keep=1"], &[], Some("keep = 0")).starts_with("cccp.toml:1: keep: "));
    for text in ["keep = 2\nevery == 3\n", "keep = 2\nkeep = 3\n"] {
        let refused = sentence(&[], &[], Some(text));
        assert!(refused.starts_with("cccp.toml:2: "), "{refused}");
        assert_eq!(refused.lines().count(), 1, "{refused}");
    }
}

#[test]
fn s05_our_words_are_taken_from_the_arguments_wherever_they_stand() {
    let words = [
        "--cccp-keep=3",
        "500",
        "--",
        "--cccp-keep=4",
        "--cccpx",
        "--cccp-restart=force",
    ];
    let Found { settings, kept } = found(&words, &[], None).unwrap();
    assert_eq!(kept, [0, 2, 3, 5]);
    assert_eq!(settings.keep, 4, "the last one counts");
    assert_eq!(settings.restart, Restart::Force);
}

#[test]
fn s05_every_value_can_be_given_everywhere() {
    let values = [
        ("dir", "some where"),
        ("every", "0"),
        ("keep", "1"),
        ("encoding", "native"),
        ("compress", "9"),
        ("write", "synchronous"),
        ("restart", "fresh"),
        ("protocol", "nonblocking"),
        ("poison", "on"),
        ("suspects", "trust"),
        ("moments", "trust"),
        ("removed_files", "20M"),
        ("summary", "on"),
        ("final", "/f"),
        ("profile", "/p"),
        ("verbose", "1"),
    ];
    let words: Vec<String> = values
        .iter()
        .map(|(name, value)| format!("--cccp-{name}={value}"))
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let names: Vec<String> = values
        .iter()
        .map(|(name, _)| format!("CCCP_{}", name.to_uppercase()))
        .collect();
    let variables: Vec<(&str, &str)> = names
        .iter()
        .zip(values)
        .map(|(name, (_, value))| (name.as_str(), value))
        .collect();
    let file: String = values
        .iter()
        .map(|(name, value)| format!("{name} = \"{value}\"\n"))
        .collect();
    let all = [
        found(&words, &[], None),
        found(&[], &variables, None),
        found(&[], &[], Some(&file)),
    ];
    for settings in all.map(|found| found.unwrap().settings) {
        assert_eq!(settings.directory("heat"), Path::new("some where"));
        assert_eq!((settings.every, settings.keep), (Some(0), 1));
        assert_eq!(settings.encoding, Encoding::Native);
        assert_eq!((settings.compress, settings.verbose), (9, true));
        assert_eq!(settings.write, Writing::Synchronous);
        assert_eq!(settings.restart, Restart::Fresh);
    }
}

/// The table of settings in this crate's README.md: a name and the words that are values of it.
fn words_of_the_page() -> Vec<(String, Vec<String>)> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = std::fs::read_to_string(page).unwrap();
    let (_, table) = text.split_once("| setting | values |").unwrap();
    let rows = table.lines().skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let columns = |row: &str| -> Vec<String> {
        let code = |cell: &str| {
            cell.split('`')
                .skip(1)
                .step_by(2)
                .collect::<Vec<_>>()
                .join("|")
        };
        row.split(" | ").take(2).map(code).collect()
    };
    let words = |row: &str| match &columns(row)[..] {
        [name, values] => (name.clone(), words_among(values)),
        _ => panic!("{row}"),
    };
    rows.map(words).collect()
}

/// The words among the values that a setting may have: neither `N` nor `1..9`.
fn words_among(values: &str) -> Vec<String> {
    let is_word = |value: &&str| value.chars().all(|letter| letter.is_ascii_lowercase());
    let words = values.split('|').filter(is_word);
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

#[test]
fn s05_the_help_the_page_and_the_answer_to_a_wrong_word_name_the_words_that_are_taken() {
    let page = words_of_the_page();
    for setting in table::TABLE.iter() {
        let words = words_among(setting.values);
        let row = page.iter().find(|(name, _)| name == setting.name);
        assert_eq!(
            row.map(|(_, words)| words),
            Some(&words),
            "README.md: {}",
            setting.name
        );
        for word in &words {
            let given = format!("--cccp-{}={word}", setting.name);
            let settings = found(&[&given], &[], None).unwrap().settings;
            assert_eq!((setting.show)(&settings), *word, "{}", setting.name);
        }
        let wrong = found(&[&format!("--cccp-{}=xyzzy", setting.name)], &[], None);
        if setting.values == words.join("|") {
            let sentence = wrong.unwrap_err().to_string();
            let (_, named) = sentence.split_once("is not one of ").unwrap();
            // `0` and `1` are taken for off and on, too.
            let named = words_among(&named.replace(", ", "|"));
            assert_eq!(named, words, "{}: {sentence}", setting.name);
        }
    }
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
