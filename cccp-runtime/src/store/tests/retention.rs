//! What retention leaves, and what a deletion that was interrupted leaves for the next one.

use std::path::Path;
use std::sync::Arc;

use crate::format::FormatError;
use crate::store::Directory;
use crate::store::twin::{Content, Tree, Twin};

/// A directory with these files, all durable.
fn holding(files: &[&str]) -> (Twin, Directory) {
    let mut tree = Tree::default();
    for file in files {
        let path = format!("d/{file}");
        for above in Path::new(&path).ancestors().skip(1) {
            let above = above.to_string_lossy().into_owned();
            if !above.is_empty() {
                tree.0.insert(above, None);
            }
        }
        tree.0.insert(path, Some(Content::new(Vec::new())));
    }
    on(Twin::holding(&tree))
}

fn on(disk: Twin) -> (Twin, Directory) {
    let directory = Directory::new(Arc::new(disk.clone()), "/d");
    (disk, directory)
}

fn save(directory: &Directory, generation: u64, rank: u32) {
    let written = directory.publish(generation, rank, &mut |_| {}, |out| {
        out.write_all(b"state")
            .map_err(|error| FormatError::Storage {
                offset: 0,
                reason: error.to_string(),
            })?;
        Ok(5)
    });
    written.unwrap();
}

/// Files of two ranks in these generations.
fn two_ranks(generations: std::ops::RangeInclusive<u64>) -> (Twin, Directory) {
    let (disk, directory) = on(Twin::default());
    for generation in generations {
        (0..2).for_each(|rank| save(&directory, generation, rank));
    }
    (disk, directory)
}

/// What is in the directory, directories too.
fn names(disk: &Twin) -> Vec<String> {
    let tree = disk.tree();
    let inside = |path: &String| Some(path.strip_prefix("d/")?.to_string());
    tree.0.keys().filter_map(inside).collect()
}

/// The generations that one of two ranks still has files of.
fn left(disk: &Twin) -> Vec<u64> {
    let names = names(disk);
    let files = names
        .iter()
        .filter_map(|name| name.strip_suffix("/000000.cccp"));
    files.map(|name| name.parse().unwrap()).collect()
}

#[test]
fn s19_the_newest_usable_generation_stays_when_none_of_the_newest_is_usable() {
    let retained = |usable: &[u64], passed_over: (u64, u64)| {
        let (disk, directory) = two_ranks(1..=6);
        directory.passed_over(passed_over.0, passed_over.1);
        let usable = |generation| Some(usable.contains(&generation));
        directory.retain_usable(0, 2, 2, &usable).unwrap();
        left(&disk)
    };
    assert_eq!(retained(&[1, 3, 5], (0, 1)), [5, 6]);
    assert_eq!(retained(&[1, 3], (0, 1)), [3, 5, 6]);
    assert_eq!(retained(&[], (0, 1)), [5, 6]);
    // What the last restart did not take does not count.
    assert_eq!(retained(&[1, 3], (1, 4)), [1, 5, 6]);
}

#[test]
fn s19_what_is_not_known_to_be_unusable_stays_until_something_newer_is_known_to_be_usable() {
    let retained = |usable: &[u64], unknown: &[u64]| {
        let (disk, directory) = two_ranks(1..=6);
        let usable = |one| (!unknown.contains(&one)).then(|| usable.contains(&one));
        directory.retain_usable(0, 2, 2, &usable).unwrap();
        left(&disk)
    };
    assert_eq!(retained(&[3], &[4, 6]), [3, 4, 5, 6]);
    assert_eq!(retained(&[3, 5], &[2, 4, 6]), [5, 6]);
    assert_eq!(retained(&[], &[1, 2, 3, 4, 5, 6]), [1, 2, 3, 4, 5, 6]);
    // What not all ranks have, and is older than what they have, will never be complete.
    let (disk, directory) = two_ranks(2..=4);
    save(&directory, 1, 0);
    directory.retain_usable(0, 2, 2, &|_| None).unwrap();
    assert_eq!(left(&disk), [2, 3, 4]);
}

#[test]
fn s19_the_newest_complete_generations_stay_and_empty_directories_go() {
    let (disk, directory) = two_ranks(1..=5);
    assert_eq!(directory.retain(0, 2, 2).unwrap(), 3);
    assert!(names(&disk).contains(&"0000000001/000001.cccp".to_string()));
    assert_eq!(directory.retain(1, 2, 2).unwrap(), 3);
    assert_eq!(
        names(&disk),
        [
            "0000000004",
            "0000000004/000000.cccp",
            "0000000004/000001.cccp",
            "0000000005",
            "0000000005/000000.cccp",
            "0000000005/000001.cccp"
        ]
    );
}

/// The power fails after every step of a deletion; whatever is left, the next one finishes it.
#[test]
fn s19_an_interrupted_deletion_is_finished_by_the_next_one() {
    let (disk, directory) = two_ranks(1..=4);
    let before = disk.steps();
    for rank in 0..2 {
        directory.retain(rank, 2, 1).unwrap();
    }
    let expected = names(&disk);
    assert_eq!(expected.len(), 3);
    let (mut crashes, mut examined) = (disk.crashes(), 0);
    while crashes.step() {
        if crashes.done() < before {
            continue;
        }
        for tree in crashes.outcomes().iter() {
            let (disk, directory) = on(Twin::holding(tree));
            for rank in 0..2 {
                directory.retain(rank, 2, 1).unwrap();
            }
            assert_eq!(names(&disk), expected, "{tree:?}");
            examined += 1;
        }
    }
    println!("{examined} interrupted deletions finished");
    assert!(examined > 400);
}

#[test]
fn s19_a_rank_that_lags_behind_keeps_all_that_it_may_need() {
    let (disk, directory) = two_ranks(1..=3);
    (4..=9).for_each(|generation| save(&directory, generation, 0));
    for _ in 0..3 {
        directory.retain(0, 2, 2).unwrap();
        directory.retain(1, 2, 2).unwrap();
    }
    let left = names(&disk);
    for generation in 2..=3 {
        for rank in 0..2 {
            let file = format!("{generation:010}/{rank:06}.cccp");
            assert!(left.contains(&file), "{file}: {left:?}");
        }
    }
    save(&directory, 9, 1);
    directory.retain(0, 2, 1).unwrap();
    directory.retain(1, 2, 1).unwrap();
    let left = names(&disk);
    assert_eq!(left.len(), 3, "{left:?}");
}

#[test]
fn s19_files_of_ranks_that_no_longer_exist_are_removed_too() {
    let (disk, directory) = on(Twin::default());
    (0..5).for_each(|rank| save(&directory, 1, rank));
    for generation in 2..=3 {
        (0..2).for_each(|rank| save(&directory, generation, rank));
    }
    assert_eq!(
        directory.retain(1, 2, 2).unwrap(),
        2,
        "those of ranks 1 and 3"
    );
    assert_eq!(directory.retain(0, 2, 2).unwrap(), 3);
    assert!(!names(&disk).iter().any(|name| name.contains("0000000001")));
}

#[test]
fn s19_what_was_passed_over_at_the_start_does_not_count_as_complete() {
    let (disk, directory) = two_ranks(1..=4);
    directory.passed_over(2, 5);
    directory.retain(0, 2, 2).unwrap();
    assert_eq!(names(&disk).len(), 12, "only 2 and 1 count");
    for rank in 0..2 {
        save(&directory, 5, rank);
        directory.retain(rank, 2, 2).unwrap();
    }
    let kept = |generation: u64| directory.is_complete(generation, 2).unwrap();
    assert!(kept(2) && kept(5), "5 and 2 are those that count");
    for rank in 0..2 {
        save(&directory, 6, rank);
        directory.retain(rank, 2, 2).unwrap();
    }
    for rank in 0..2 {
        directory.retain(rank, 2, 2).unwrap();
    }
    assert_eq!(directory.generations().unwrap(), [6, 5]);
}

#[test]
fn s19_nothing_but_our_names_is_touched() {
    let foreign = [
        "0000000001/000000.cccp.bak",
        "0000000001/0.cccp",
        "0000000001/core",
        "1/000000.cccp",
        "complete.000000",
        "lock.000000",
        "notes",
        "old/0000000001/000000.cccp",
    ];
    let ours = [1, 2, 3].map(|generation| format!("{generation:010}/000000.cccp"));
    let all: Vec<&str> = foreign
        .into_iter()
        .chain(ours.iter().map(String::as_str))
        .collect();
    let (disk, directory) = holding(&all);
    assert_eq!(directory.retain(0, 1, 1).unwrap(), 2);
    directory.clean(0).unwrap();
    let left = names(&disk);
    for name in foreign.into_iter().chain([ours[2].as_str()]) {
        assert!(left.contains(&name.to_string()), "{name}: {left:?}");
    }
    assert!(!left.contains(&"0000000002".to_string()));
}

/// The power fails after every step of a removal by hand: what stays is complete, and the next removal finishes it.
#[test]
fn s19_an_interrupted_removal_by_hand_takes_nothing_that_stays() {
    let (disk, directory) = two_ranks(1..=4);
    let before = disk.steps();
    let gone = directory.discard(&[4, 3], &[2, 1]).unwrap();
    assert_eq!((gone.generations, gone.files), (2, 4));
    let expected = names(&disk);
    assert_eq!(expected.len(), 6);
    let (mut crashes, mut examined) = (disk.crashes(), 0);
    while crashes.step() {
        if crashes.done() < before {
            continue;
        }
        for tree in crashes.outcomes().iter() {
            let (disk, directory) = on(Twin::holding(tree));
            for kept in [3, 4] {
                assert!(directory.is_complete(kept, 2).unwrap(), "{tree:?}");
            }
            let mut older = directory.generations().unwrap();
            older.retain(|generation| *generation < 3);
            directory.discard(&[4, 3], &older).unwrap();
            assert_eq!(names(&disk), expected, "{tree:?}");
            examined += 1;
        }
    }
    assert!(examined > 4, "{examined}");
}

#[test]
fn s19_a_removal_by_hand_without_anything_newer_is_refused() {
    let (disk, directory) = two_ranks(1..=3);
    let before = names(&disk);
    for (kept, going) in [(&[][..], &[1][..]), (&[2], &[2]), (&[2], &[1, 3])] {
        assert!(
            directory.discard(kept, going).is_err(),
            "{kept:?} {going:?}"
        );
        assert_eq!(names(&disk), before);
    }
}
