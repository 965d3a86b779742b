//! The words of an `sbatch`: options, script, arguments of the script.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

/// Options without a value of their own, or with one that only an equals sign joins.
const FLAGS: [&str; 27] = [
    "contiguous",
    "exclusive",
    "get-user-env",
    "help",
    "hold",
    "ignore-pbs",
    "nice",
    "no-bell",
    "no-kill",
    "no-requeue",
    "overcommit",
    "oversubscribe",
    "parsable",
    "propagate",
    "quiet",
    "reboot",
    "requeue",
    "segment",
    "share",
    "spread-job",
    "stepmgr",
    "test-only",
    "usage",
    "use-min-nodes",
    "verbose",
    "version",
    "wait",
];
const LETTERS: &[u8] = b"hHIkOQsuvVWX";

/// What an `sbatch` would be given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// Its options, before the script.
    pub options: Vec<OsString>,
    /// The script.
    pub script: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

/// Takes the words apart; none where there is no script among them.
pub fn words(all: &[OsString]) -> Option<Words> {
    let mut at = 0;
    while at < all.len() {
        let word = all[at].as_bytes();
        if word == b"--" {
            at += 1;
            break;
        }
        if !word.starts_with(b"-") || word == b"-" {
            break;
        }
        at += 1 + usize::from(takes_the_next(word));
    }
    let script = all.get(at)?.clone();
    let options = all[..at].iter().filter(|word| *word != "--");
    Some(Words {
        options: options.cloned().collect(),
        script,
        arguments: all[at + 1..].to_vec(),
    })
}

/// Whether the value of an option is the next word.
fn takes_the_next(word: &[u8]) -> bool {
    if let Some(name) = word.strip_prefix(b"--") {
        let is_flag = || FLAGS.iter().any(|flag| flag.as_bytes() == name);
        return !name.contains(&b'=') && !is_flag();
    }
    // -vW is two letters; -n4 has its value with it, and -vn 4 takes the next.
    let letters = &word[1..];
    let first = letters.iter().position(|letter| !LETTERS.contains(letter));
    // What follows k or s is a value that may be left out.
    first.is_some_and(|at| at + 1 == letters.len())
}

/// Whether one of the options has this long name.
pub fn has(options: &[OsString], name: &str) -> bool {
    let is = |word: &OsStr| {
        let rest = word.as_bytes().strip_prefix(b"--");
        let name = name.as_bytes();
        rest.is_some_and(|rest| rest == name || rest.starts_with(&[name, b"="].concat()))
    };
    options.iter().any(|word| is(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apart(line: &str) -> (usize, String, usize) {
        let all: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let words = words(&all).expect("a script");
        let script = words.script.to_string_lossy().into_owned();
        (words.options.len(), script, words.arguments.len())
    }

    #[test]
    fn the_script_is_the_first_word_that_belongs_to_no_option() {
        let expected = |options, arguments| (options, "job.sh".to_string(), arguments);
        assert_eq!(apart("job.sh"), expected(0, 0));
        assert_eq!(apart("job.sh -p low --x"), expected(0, 3));
        assert_eq!(apart("-p low -n4 --time=5 job.sh 1 2"), expected(4, 2));
        assert_eq!(apart("--time 5 --exclusive --hold job.sh"), expected(4, 0));
        assert_eq!(apart("--exclusive=user -vW -vn 4 job.sh a"), expected(4, 1));
        assert_eq!(apart("--array 1-4 -W -- job.sh -- x"), expected(3, 2));
        assert_eq!(apart("-k job.sh"), expected(1, 0));
        let none: Vec<OsString> = ["--time", "5"].map(OsString::from).to_vec();
        assert_eq!(words(&none), None);
    }

    #[test]
    fn options_are_known_with_and_without_an_equals_sign() {
        let all = ["--signal=USR1", "--requeue"].map(OsString::from);
        assert!(has(&all, "signal") && has(&all, "requeue") && !has(&all, "sign"));
    }
}
