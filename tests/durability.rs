//! Trouble at run time, on real file systems: a disk that is full, goes away, becomes read-only; limits; a clock that
//! goes back; a second run in the same directory.
//!
//! The promise is the same each time: the run goes on and ends with the results of an undisturbed one, one line says
//! why a checkpoint could not be written, the older checkpoints stay valid, the next one is tried, and whatever comes
//! then, a kill included, costs no result. Nobody hangs.
//!
//! The trouble comes at a step of the program (see `programs/trouble.c`), so nothing depends on time.

mod harness;

use harness::{Build, Mounts, Outcome, Program, Run, Workplace};

/// What the program says when checkpoints work again.
const AGAIN: &str = "checkpoints are written again";

fn trouble() -> Build {
    Build::files(&["tests/programs/trouble.c"])
}

/// A program, and what it prints when nothing disturbs it.
struct Case {
    place: Workplace,
    program: Program,
    expected: String,
}

impl Case {
    fn new(name: &str) -> Case {
        Case::built(Workplace::new(name), &trouble(), 1)
    }

    fn built(place: Workplace, build: &Build, ranks: usize) -> Case {
        let program = build.to(place.path(), "trouble");
        let undisturbed = program.run(&place.directory("undisturbed")).ranks(ranks);
        let outcome = undisturbed.well();
        assert!(!outcome.errors.contains("cccp:"), "{}", outcome.errors);
        Case {
            place,
            program,
            expected: outcome.output,
        }
    }

    /// A run with its checkpoints in `disk/ckpt`, written at once, so that what is there at a step is certain.
    fn run(&self) -> Run {
        let disk = self.place.directory("disk");
        self.program
            .run(self.place.path())
            .set("CCCP_DIR", disk.join("ckpt").to_str().expect("UTF-8"))
            .set("CCCP_WRITE", "synchronous")
    }

    /// It ended, with the right results.
    fn assert_right(&self, outcome: &Outcome) {
        assert!(
            outcome.status.success(),
            "{}\n{}",
            outcome.status,
            outcome.errors
        );
        assert_eq!(outcome.output, self.expected, "{}", outcome.errors);
    }
}

/// The lines of the library that hold these words.
fn lines<'a>(outcome: &'a Outcome, words: &str) -> Vec<&'a str> {
    let all = outcome.errors.lines();
    all.filter(|line| line.starts_with("cccp: ") && line.contains(words))
        .collect()
}

/// One line warns, with these words; one says so when it is over, if it is; apart from a restart there is no other.
fn assert_one_warning(outcome: &Outcome, words: &[&str], over: bool) {
    let warnings = lines(outcome, "warning: ");
    assert_eq!(warnings.len(), 1, "{}", outcome.errors);
    for word in words {
        assert!(
            warnings[0].contains(word),
            "{word:?} is not in {}",
            warnings[0]
        );
    }
    let again = lines(outcome, AGAIN).len();
    assert_eq!(again, usize::from(over), "{}", outcome.errors);
    let restarts = lines(outcome, "cccp: restart of").len();
    assert_eq!(
        outcome.errors.lines().count(),
        1 + again + restarts,
        "{}",
        outcome.errors
    );
}

/// Trouble that begins before the fifth checkpoint and may end before the ninth.
struct Trouble<'a> {
    begin: &'a str,
    end: &'a str,
    words: &'a [&'a str],
}

impl Trouble<'_> {
    /// It comes and goes while the program runs; a run killed afterwards goes on from what was written then.
    fn comes_and_goes(&self, case: &Case, run: &dyn Fn() -> Run) {
        for write in ["synchronous", "background"] {
            let disturbed = run()
                .set("CCCP_WRITE", write)
                .set("AT_4", self.begin)
                .set("AT_8", self.end);
            let outcome = disturbed.clone().go();
            case.assert_right(&outcome);
            assert_one_warning(&outcome, self.words, true);
            disturbed.kill_at("checkpoint:12");
            let outcome = run().go();
            case.assert_right(&outcome);
            outcome.assert_resumed();
            assert!(lines(&outcome, "warning").is_empty(), "{}", outcome.errors);
        }
    }

    /// It comes and stays: killed in the middle of it, the run goes on from the last generation before it, and ends; when
    /// it is over nothing is lost.
    fn stays(&self, case: &Case, run: &dyn Fn() -> Run, over: &dyn Fn()) {
        run().set("AT_4", self.begin).kill_at("checkpoint:8");
        let outcome = run().go();
        case.assert_right(&outcome);
        outcome.assert_said(&["restart of trouble from generation 4,"]);
        assert_one_warning(&outcome, self.words, false);
        over();
        let outcome = run().go();
        case.assert_right(&outcome);
        assert!(lines(&outcome, "warning").is_empty(), "{}", outcome.errors);
    }
}

/// Trouble on a file system of its own, mounted at `disk` by this script.
fn on_a_disk(name: &str, mount: &str, trouble: &Trouble<'_>) {
    let case = Case::new(name);
    let Some(mounts) = Mounts::new(case.place.path(), mount) else {
        return;
    };
    let run = || {
        mounts
            .inside(case.run(), case.place.path())
            .set("PLACE", case.place.path().to_str().expect("UTF-8"))
    };
    trouble.comes_and_goes(&case, &run);
    mounts.script(case.place.path(), "rm -rf $1/disk/ckpt");
    trouble.stays(&case, &run, &|| {
        mounts.script(case.place.path(), &trouble.end.replace("$PLACE", "$1"));
    });
}

const FILL: &str = "head -c 9M /dev/zero > $PLACE/disk/ballast 2> $PLACE/full || true";
const EMPTY: &str = "rm $PLACE/disk/ballast";

#[test]
fn s25_a_full_memory_disk_has_room_later() {
    let trouble = Trouble {
        // But for a page: the checkpoint fails in its middle.
        begin: &format!("{FILL}; truncate -s -4096 $PLACE/disk/ballast"),
        end: EMPTY,
        words: &["No space left on device", "disk/ckpt/0000"],
    };
    let mount = "mkdir -p $1/disk; mount -t tmpfs -o size=256k tmpfs $1/disk";
    on_a_disk("full-memory", mount, &trouble);
}

const EXT4: &str = "mkdir -p $1/disk; truncate -s 4M $1/image; mkfs.ext4 -q $1/image; mount -o loop $1/image $1/disk";

#[test]
fn s25_a_full_disk_has_room_later() {
    let trouble = Trouble {
        begin: FILL,
        end: EMPTY,
        words: &["No space left on device", "disk/ckpt/0000"],
    };
    on_a_disk("full-disk", EXT4, &trouble);
}

#[test]
fn s25_a_disk_becomes_read_only_and_a_run_restarts_from_it() {
    let trouble = Trouble {
        // A second mount over the first one: what is open stays open, as when the kernel gives a disk up.
        begin: "mount --bind $PLACE/disk $PLACE/disk && mount -o remount,ro,bind $PLACE/disk",
        end: "umount $PLACE/disk",
        words: &["Read-only file system", "disk/ckpt"],
    };
    let mount = "mkdir -p $1/disk; mount -t tmpfs -o size=256k tmpfs $1/disk";
    on_a_disk("read-only", mount, &trouble);
}
