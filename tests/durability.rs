//! Trouble at run time, on real file systems: a disk that is full, goes away, becomes read-only; limits; a clock that
//! goes back.
//!
//! The promise is the same each time: the run goes on and ends with the results of an undisturbed one, one line says
//! why a checkpoint could not be written, the older checkpoints stay valid, the next one is tried, and whatever comes
//! then, a kill included, costs no result. Nobody hangs.
//!
//! The trouble comes at a step of the program (see `programs/trouble.c`), so nothing depends on time.

mod harness;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use harness::{
    Case, Checkpoints, Mounts, Run, Workplace, assert_one_warning, finish, lines, trouble,
};

/// Both ways of writing.
const BOTH: [&str; 2] = ["synchronous", "background"];

/// Trouble that begins before the fifth checkpoint and may end before the ninth.
struct Trouble<'a> {
    begin: &'a str,
    end: &'a str,
    words: &'a [&'a str],
}

impl Trouble<'_> {
    /// It comes and goes while the program runs; a run killed afterwards goes on from what was written then.
    fn comes_and_goes(&self, case: &Case, ways: &[&str], run: &dyn Fn() -> Run) {
        for &write in ways {
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

/// Trouble on a file system of its own, mounted at `disk` by this script; so many generations stay.
fn on_a_disk(name: &str, mount: &str, keep: u32, trouble: &Trouble<'_>) {
    let case = Case::new(name);
    let Some(mounts) = Mounts::new(case.place.path(), mount) else {
        return;
    };
    let run = || {
        mounts
            .inside(case.run(), case.place.path())
            .set("PLACE", case.place.path().to_str().expect("UTF-8"))
            .set("CCCP_KEEP", &keep.to_string())
    };
    trouble.comes_and_goes(&case, &BOTH, &run);
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
    on_a_disk("full-memory", mount, 2, &trouble);
}

const EXT4: &str = "mkdir -p $1/disk; truncate -s 4M $1/image; mkfs.ext4 -q $1/image; mount -o loop $1/image $1/disk";

#[test]
fn s25_a_full_disk_has_room_later() {
    let trouble = Trouble {
        begin: FILL,
        end: EMPTY,
        words: &["No space left on device", "disk/ckpt/0000"],
    };
    // Nothing is removed: what goes in the background after the disk was filled would make room for the next generation.
    on_a_disk("full-disk", EXT4, 50, &trouble);
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
    on_a_disk("read-only", mount, 2, &trouble);
}

#[test]
fn s25_a_disk_that_the_kernel_has_given_up_is_restarted_from() {
    let case = Case::new("given-up");
    let Some(mounts) = Mounts::new(case.place.path(), EXT4) else {
        return;
    };
    let run = || mounts.inside(case.run(), case.place.path());
    let disk = case.place.join("disk");
    // What the kernel does by itself when it cannot trust a file system any more.
    let abort = format!("mount -o remount,abort {}", disk.display());
    run().set("AT_4", &abort).kill_at("checkpoint:8");
    let outcome = run().go();
    case.assert_right(&outcome);
    outcome.assert_said(&["restart of trouble from generation 4,"]);
    assert_one_warning(&outcome, &["Read-only file system"], false);
    mounts.script(
        case.place.path(),
        "umount $1/disk; mount -o loop $1/image $1/disk",
    );
    let outcome = run().go();
    case.assert_right(&outcome);
    outcome.assert_said(&["restart of trouble from generation 4,"]);
    assert!(lines(&outcome, "warning").is_empty(), "{}", outcome.errors);
}

#[test]
fn s25_a_directory_that_is_removed_is_made_again() {
    let case = Case::new("removed");
    let ckpt = case.place.join("disk/ckpt");
    let remove = format!("rm -r {}", ckpt.display());
    for write in ["synchronous", "background"] {
        let disturbed = case.run().set("CCCP_WRITE", write).set("AT_4", &remove);
        disturbed.kill_at("checkpoint:9");
        assert!(ckpt.join("lock.000000").exists());
        let outcome = case.run().go();
        case.assert_right(&outcome);
        outcome.assert_resumed();
        assert_eq!(outcome.told().count(), 1, "{}", outcome.errors);
    }
}

#[test]
fn s25_a_directory_that_is_away_for_a_while_costs_one_warning() {
    let case = Case::new("away");
    let (ckpt, away) = (case.place.join("disk/ckpt"), case.place.join("away"));
    let (ckpt, away) = (ckpt.display(), away.display());
    // A file in its place, or the run would make it again.
    let trouble = Trouble {
        begin: &format!("mv {ckpt} {away}; touch {ckpt}"),
        end: &format!("rm {ckpt}; mv {away} {ckpt}"),
        words: &["Not a directory", "disk/ckpt"],
    };
    // What is in flight would make it again in the midst of the command.
    trouble.comes_and_goes(&case, &BOTH[..1], &|| case.run());
}

#[test]
fn s25_a_file_in_the_place_of_the_directory_is_told_at_the_start() {
    let case = Case::new("in-the-way");
    case.place.write("in-the-way", "");
    let outcome = case.run().set("CCCP_DIR", "in-the-way").go();
    case.assert_right(&outcome);
    assert_one_warning(&outcome, &["in-the-way", "Not a directory"], false);
}

/// Runs as somebody who may not write everywhere. Root becomes nobody for that.
fn without_rights(run: Run) -> Run {
    let id = finish(std::process::Command::new("id").arg("-u"));
    match id.stdout.as_slice() {
        b"0\n" => run.under(&[
            "setpriv",
            "--reuid=65534",
            "--regid=65534",
            "--clear-groups",
        ]),
        _ => run,
    }
}

fn allow(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("permissions can be set");
}

#[test]
fn s25_where_nothing_may_be_written_a_run_starts_and_restarts_with_one_warning() {
    // Everybody can come here, whatever the way to this build's directory.
    let case = Case::built(Workplace::new("no-rights"), &trouble(), 1);
    let disk = case.place.directory("disk");
    let refused = ["Permission denied", "disk/ckpt"];
    allow(&disk, 0o555);
    let outcome = without_rights(case.run()).go();
    case.assert_right(&outcome);
    assert_one_warning(&outcome, &refused, false);
    // Checkpoints of somebody else: they can be restarted from.
    allow(&disk, 0o755);
    case.run().kill_at("checkpoint:6");
    allow(&disk.join("ckpt"), 0o555);
    allow(&disk.join("ckpt/lock.000000"), 0o444);
    for generation in Checkpoints::at(disk.join("ckpt")).generations() {
        allow(&disk.join(format!("ckpt/{generation:010}")), 0o555);
    }
    let outcome = without_rights(case.run()).go();
    case.assert_right(&outcome);
    outcome.assert_resumed();
    assert_one_warning(&outcome, &refused, false);
    for generation in Checkpoints::at(disk.join("ckpt")).generations() {
        allow(&disk.join(format!("ckpt/{generation:010}")), 0o755);
    }
    allow(&disk.join("ckpt"), 0o755);
    allow(&disk.join("ckpt/lock.000000"), 0o644);
    let outcome = case.run().go();
    case.assert_right(&outcome);
    outcome.assert_resumed();
}

#[test]
fn s25_a_limit_of_open_files_costs_one_warning() {
    let trouble = Trouble {
        begin: "@nofile 0",
        end: "@nofile -1",
        words: &["Too many open files", "disk/ckpt"],
    };
    let case = Case::new("open-files");
    trouble.comes_and_goes(&case, &BOTH, &|| case.run());
}

#[test]
fn s25_a_limit_of_file_sizes_costs_one_warning_and_not_the_program() {
    let trouble = Trouble {
        begin: "@fsize 4096",
        end: "@fsize -1",
        words: &["File too large", "disk/ckpt"],
    };
    let case = Case::new("file-size");
    trouble.comes_and_goes(&case, &BOTH, &|| case.run());
    // Not even the words of the lock and the warning itself fit.
    let outcome = case
        .run()
        .set("CCCP_RESTART", "fresh")
        .under(&["prlimit", "--fsize=48:"])
        .go();
    case.assert_right(&outcome);
}

#[test]
fn s25_a_clock_that_goes_back_changes_nothing() {
    let case = Case::new("clock");
    let days = |days: i64| (days * 86_400).to_string();
    case.run()
        .set("CLOCK_AHEAD", &days(400))
        .kill_at("checkpoint:5");
    // Generation 4 lies in the future, generation 5 in the past of it.
    let back = case.run().kill_at("checkpoint:3");
    back.assert_said(&[
        "restart of trouble from generation 4, taken on 20",
        "clock is behind",
    ]);
    let outcome = case.run().set("CLOCK_AHEAD", &days(-20_000)).go();
    case.assert_right(&outcome);
    outcome.assert_said(&["restart of trouble from generation 6,", "clock is behind"]);
    assert_eq!(outcome.told().count(), 1, "{}", outcome.errors);
}

/// A disk with room for two generations, but not for the third one that stands beside them while it is written.
#[test]
fn the_need_of_disk_space_is_told_before_it_is_missing() {
    let case = Case::new("need");
    let mount = "mkdir -p $1/disk; mount -t tmpfs -o size=32k tmpfs $1/disk";
    let Some(mounts) = Mounts::new(case.place.path(), mount) else {
        return;
    };
    let run = || mounts.inside(case.run(), case.place.path());
    let outcome = run().go();
    case.assert_right(&outcome);
    let warnings = lines(&outcome, "warning: ");
    assert_eq!(warnings.len(), 2, "{}", outcome.errors);
    assert!(warnings[0].contains("almost full"), "{}", warnings[0]);
    assert!(warnings[0].contains("disk/ckpt"), "{}", warnings[0]);
    assert!(warnings[1].contains("No space left"), "{}", warnings[1]);
    mounts.script(case.place.path(), "rm -r $1/disk/ckpt");
    let outcome = run().set("CCCP_VERBOSE", "1").set("CCCP_KEEP", "1").go();
    case.assert_right(&outcome);
    let told = lines(&outcome, "cccp: disk: generation ");
    assert_eq!(told.len(), 1, "{}", outcome.errors);
    assert!(
        told[0].contains("with keep = 1 and one in flight"),
        "{}",
        told[0]
    );
    assert!(told[0].contains("are free now"), "{}", told[0]);
}
