//! Files that appear whole or not at all, wherever the machine stops.

mod retention;

use std::path::PathBuf;
use std::sync::Arc;

use super::twin::{Tree, Twin};
use super::*;
use crate::format::tests::samples::checkpoint;
use crate::format::tests::schema::Page;
use crate::format::{Checkpoint, Encoding, write};

fn of(generation: u64, rank: u32) -> Checkpoint {
    let mut sample = checkpoint(Encoding::Xdr);
    sample.header.generation = generation;
    sample.header.rank = rank;
    sample
}

fn save(directory: &Directory, generation: u64, rank: u32) -> Result<u64, StoreError> {
    let sample = of(generation, rank);
    directory.publish(generation, rank, &mut |_| {}, |out| write(&sample, 0, out))
}

/// A fresh directory on the real disk.
fn real(name: &str) -> (PathBuf, Directory) {
    let path = std::env::temp_dir().join(format!("cccp-store-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    (
        path.clone(),
        Directory::new(Arc::new(FileSystem), path.join("heat.cccp")),
    )
}

#[test]
fn s24_a_published_file_comes_back_from_the_real_disk() {
    let (path, directory) = real("back");
    assert!(directory.generations().unwrap().is_empty());
    let mut points = Vec::new();
    let sample = of(3, 1);
    let length = directory
        .publish(3, 1, &mut |point| points.push(point), |out| {
            write(&sample, 1, out)
        })
        .unwrap();
    assert_eq!(
        points,
        [
            Point::Writing,
            Point::Written,
            Point::Publishing,
            Point::Published
        ]
    );
    let file = directory.open(3, 1).unwrap();
    assert_eq!(
        (file.length, &file.checkpoint.header),
        (length, &sample.header)
    );
    assert!(
        directory
            .file(3, 1)
            .ends_with("heat.cccp/0000000003/000001.cccp")
    );
    assert!(directory.open(3, 0).unwrap_err().is_missing());
    std::fs::remove_dir_all(path).unwrap();
}

#[test]
fn s24_wherever_the_machine_stops_a_whole_generation_is_left() {
    let start = Twin::default();
    save(&Directory::new(Arc::new(start.clone()), "/heat.cccp"), 1, 0).unwrap();
    let before = start.steps();
    save(&Directory::new(Arc::new(start.clone()), "/heat.cccp"), 2, 0).unwrap();
    let (mut crashes, mut examined) = (start.crashes(), 0);
    while crashes.step() {
        let published = crashes.done() == start.steps();
        for tree in crashes.outcomes().iter() {
            let after = Directory::new(Arc::new(Twin::holding(tree)), "/heat.cccp");
            if crashes.done() >= before {
                after.open(1, 0).unwrap();
            }
            let found = after.ranks(2).unwrap().contains(&0);
            assert!(
                found || !published,
                "what was reported as published is there"
            );
            if found {
                after.open(2, 0).unwrap();
            }
            after.clean(0).unwrap();
            examined += 1;
        }
    }
    assert!(examined > 60, "only {examined} crash states");
}

/// What there is of the file of generation 2 on a disk: in the words of FORMAT.md.
fn left(tree: &Tree) -> &'static str {
    let of_it = |path: &str| path.starts_with("heat.cccp/0000000002/");
    let names: Vec<&str> = tree
        .files()
        .map(|(path, _)| path)
        .filter(|path| of_it(path))
        .collect();
    match names.as_slice() {
        [] => "nothing",
        names if names.iter().any(|name| name.ends_with(".cccp")) => "complete",
        _ => "unfinished",
    }
}

#[test]
fn s24_each_point_leaves_what_the_document_says() {
    let disk = Twin::default();
    let directory = Directory::new(Arc::new(disk.clone()), "/heat.cccp");
    save(&directory, 1, 0).unwrap();
    let (sample, mut points) = (of(2, 0), Vec::new());
    let mut reach = |point: Point| points.push((format!("{point:?}").to_lowercase(), disk.steps()));
    directory
        .publish(2, 0, &mut reach, |out| write(&sample, 0, out))
        .unwrap();
    let rows = Page::read().table("What a stop leaves");
    assert_eq!(rows.len(), points.len());
    for ((name, steps), row) in points.into_iter().zip(rows) {
        assert_eq!(row[0], name);
        assert_eq!(left(&disk.killed_at(steps).tree()), row[1], "{name}");
        let mut crashes = disk.crashes();
        while crashes.done() < steps && crashes.step() {}
        let mut found: Vec<&str> = crashes.outcomes().iter().map(left).collect();
        let order = ["nothing", "unfinished", "complete"];
        found.sort_by_key(|word| order.iter().position(|known| known == word));
        found.dedup();
        assert_eq!(found.join(", "), row[2], "{name}: after a power failure");
    }
}

#[test]
fn s19_an_old_file_goes_only_when_enough_newer_generations_are_complete() {
    let directory = Directory::new(Arc::new(Twin::default()), "/heat.cccp");
    let left = |rank: u32| -> Vec<u64> {
        let all = directory.generations().unwrap();
        all.into_iter()
            .filter(|generation| directory.ranks(*generation).unwrap().contains(&rank))
            .collect()
    };
    for generation in 1..=3 {
        save(&directory, generation, 0).unwrap();
    }
    save(&directory, 1, 1).unwrap();
    assert_eq!(
        directory.retain(0, 2, 1).unwrap(),
        0,
        "generations 2 and 3 are not complete"
    );
    save(&directory, 2, 1).unwrap();
    assert_eq!(directory.retain(0, 2, 2).unwrap(), 0);
    assert_eq!(
        directory.retain(0, 2, 0).unwrap(),
        1,
        "at least one is kept"
    );
    assert_eq!(
        (left(0), left(1)),
        (vec![3, 2], vec![2, 1]),
        "the other rank's file is its own business"
    );
    assert_eq!(directory.retain(1, 2, 1).unwrap(), 1);
    assert_eq!(left(1), [2]);
}

#[test]
fn s06_a_completed_run_is_remembered_with_its_last_generation() {
    let (path, directory) = real("complete");
    assert_eq!(directory.completed(0).unwrap(), None);
    directory.mark_complete(0, 17).unwrap();
    assert_eq!(directory.completed(0).unwrap(), Some(17));
    assert_eq!(directory.completed(1).unwrap(), None);
    let mark = directory.path().join("complete.000000");
    let text = std::fs::read_to_string(&mark).unwrap();
    std::fs::write(&mark, text.replace("17", "18")).unwrap();
    assert!(
        directory
            .completed(0)
            .unwrap_err()
            .to_string()
            .contains("remove it")
    );
    std::fs::remove_dir_all(path).unwrap();
}

#[test]
fn s25_what_a_dead_run_left_unfinished_is_cleaned_and_nothing_else() {
    let (path, directory) = real("clean");
    save(&directory, 1, 0).unwrap();
    let inner = directory.path().join("0000000001");
    let names = [
        "000000.cccp.77.tmp",
        "000001.cccp.77.tmp",
        "notes.tmp",
        "000000.cccp.bak",
    ];
    names
        .iter()
        .for_each(|name| std::fs::write(inner.join(name), "x").unwrap());
    std::fs::write(directory.path().join("complete.000000.5.tmp"), "x").unwrap();
    assert_eq!(directory.clean(0).unwrap(), 2);
    assert_eq!(std::fs::read_dir(&inner).unwrap().count(), 4);
    assert!(directory.open(1, 0).is_ok());
    std::fs::remove_dir_all(path).unwrap();
}

#[test]
fn s25_a_write_that_fails_leaves_the_old_file_and_says_where() {
    let (path, directory) = real("failing");
    save(&directory, 1, 0).unwrap();
    let refused = directory.publish(1, 0, &mut |_| {}, |out| {
        out.write_all(b"half a file").unwrap();
        Err(crate::format::FormatError::Storage {
            offset: 11,
            reason: "No space left on device".to_string(),
        })
    });
    let sentence = refused.unwrap_err().to_string();
    assert!(
        sentence.contains("000000.cccp") && sentence.ends_with("byte 11: No space left on device"),
        "{sentence}"
    );
    assert!(directory.open(1, 0).is_ok());
    assert_eq!(
        std::fs::read_dir(directory.path().join("0000000001"))
            .unwrap()
            .count(),
        1
    );
    std::fs::remove_dir_all(path).unwrap();
}

#[test]
fn s25_a_directory_in_the_way_is_an_error_with_its_path() {
    let (path, directory) = real("way");
    std::fs::create_dir_all(&path).unwrap();
    std::fs::write(path.join("heat.cccp"), "a file").unwrap();
    let sentence = save(&directory, 1, 0).unwrap_err().to_string();
    assert!(sentence.contains("heat.cccp"), "{sentence}");
    std::fs::remove_dir_all(path).unwrap();
}

#[test]
fn s25_a_pipe_with_the_name_of_a_checkpoint_is_refused_and_nobody_waits_at_it() {
    let (path, directory) = real("pipe");
    save(&directory, 1, 0).unwrap();
    for name in [
        directory.file(1, 1),
        directory.path().join("complete.000001"),
    ] {
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        rustix::fs::mknodat(rustix::fs::CWD, &name, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    }
    let refused = directory.open(1, 1).unwrap_err().to_string();
    assert!(refused.contains("000001.cccp: not a file"), "{refused}");
    let refused = directory.completed(1).unwrap_err().to_string();
    assert!(refused.contains("complete.000001: not a file"), "{refused}");
    std::fs::remove_dir_all(path).unwrap();
}
