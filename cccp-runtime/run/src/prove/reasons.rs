//! Why a run may not be like another one: found by trying, and by asking the precompiler about the source.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use cccp_ckpt::outcome::Failure;

use super::trial::{Bench, Conditions, Seen, Trial};
use crate::output::{contents, text_of};

/// Whether the addresses of a process can be the same in every run here.
pub fn can_fix_addresses() -> bool {
    let tried = Command::new("setarch").args(["-R", "true"]).output();
    tried.is_ok_and(|tried| tried.status.success())
}

/// Whether a word of the command is a program with a parallel region of OpenMP.
pub fn has_threads(command: &[OsString]) -> bool {
    // A name in the list of symbols; the library's own texts have these words, too.
    let marks: [&[u8]; 2] = [b"\0GOMP_parallel\0", b"\0__kmpc_fork_call\0"];
    let has = |word: &OsString| {
        let bytes = contents(Path::new(word)).unwrap_or_default();
        let holds = |mark: &&[u8]| bytes.windows(mark.len()).any(|part| part == *mark);
        bytes.starts_with(b"\x7fELF") && marks.iter().any(holds)
    };
    command.iter().any(has)
}

/// A run that was tried, and what was seen of it.
type Tried = (Trial, Seen);

/// What is said when none is found.
pub const NO_REASON: &str = "it does not come from addresses or the order of threads: it may be the time, a random seed, the number of \
                             the process, or the order in which ranks print";

/// Why two undisturbed runs are not alike: whatever makes them alike is the reason; none is found for times and the like.
pub fn unrepeatable(
    bench: &mut Bench,
    has_threads: bool,
    can_fix_addresses: bool,
    alike: &dyn Fn(&Tried, &Tried) -> Result<bool, Failure>,
) -> Result<Option<String>, Failure> {
    let one_thread = || vec![("OMP_NUM_THREADS", "1".to_string())];
    let mut tries = Vec::new();
    if can_fix_addresses {
        let words = "its addresses: without randomised ones (`setarch -R`) three runs are alike. The program prints or stores \
                     addresses, sorts or hashes by them, or reads memory that it has not set";
        tries.push((words, true, Vec::new()));
    }
    if has_threads {
        let words = "the order of its threads: with OMP_NUM_THREADS=1 three runs are alike. Try it that way, or with --tolerance when \
                     only the order of additions differs";
        tries.push((words, false, one_thread()));
        if can_fix_addresses {
            tries.push((
                "its addresses and the order of its threads",
                true,
                one_thread(),
            ));
        }
    }
    for (words, fixed, variables) in tries {
        let conditions = Conditions {
            fixed,
            variables,
            ..Conditions::default()
        };
        let mut once = || {
            let trial = bench.fresh()?;
            let seen = bench.run(&trial, &conditions)?;
            Ok::<_, Failure>((trial, seen))
        };
        let one = once()?;
        let mut is_it = true;
        // Two may be alike by chance: a clock of whole seconds.
        for _ in 0..2 {
            let other = once()?;
            is_it = alike(&one, &other)?;
            other.0.done();
            if !is_it {
                break;
            }
        }
        one.0.done();
        if is_it {
            return Ok(Some(format!("this comes from {words}")));
        }
    }
    Ok(None)
}

/// What the precompiler says of source files with marks: what a checkpoint lacks. Nothing when it or the files are not there, or
/// when none has marks, because auto mode made them. What it makes of them goes to `scratch`.
pub fn forgotten(files: &BTreeSet<PathBuf>, scratch: &Path) -> Vec<String> {
    let there: Vec<&PathBuf> = files.iter().filter(|file| file.is_file()).collect();
    let tool = std::env::current_exe()
        .ok()
        .map(|own| own.with_file_name("cccp-pp"));
    let has_marks = |file: &&PathBuf| text_of(file).contains("#pragma cccp");
    let Some(tool) = tool.filter(|tool| tool.is_file() && there.iter().any(has_marks)) else {
        return Vec::new();
    };
    let mut ask = Command::new(tool);
    ask.arg("-d").arg(scratch).args(there);
    let Ok(said) = ask.output() else {
        return Vec::new();
    };
    let text = String::from_utf8_lossy(&said.stderr).into_owned();
    let mut found = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((_, words)) = line.split_once("[CCCP302]: ") else {
            continue;
        };
        let place = lines
            .peek()
            .and_then(|next| next.trim().strip_prefix("--> "));
        found.push(match place {
            Some(place) => format!("{words} ({place}, says cccp-pp)"),
            None => format!("{words} (says cccp-pp)"),
        });
    }
    found
}
