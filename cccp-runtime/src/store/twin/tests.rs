//! The twin does what the real disk does, as far as a program can see, and loses what a disk may lose.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::{Tree, Twin};
use crate::store::{FileSystem, Store};

/// Places where things are made and removed: directories and files.
const DIRECTORIES: [&str; 3] = ["a", "a/b", "a/b/c"];
const FILES: [&str; 5] = ["x", "a/x", "a/y", "a/b/x", "a/b/c/y"];

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % most
    }
}

/// One operation out of all, at random places; what it gave.
fn operate(store: &dyn Store, top: &Path, dice: &mut Dice) -> Result<Vec<String>, ErrorKind> {
    let directory = top.join(DIRECTORIES[dice.below(3)]);
    let (file, other) = (FILES[dice.below(5)], dice.below(2));
    let other = Path::new(file).with_file_name(["x", "y"][other]);
    let (file, other, text) = (
        top.join(file),
        top.join(other),
        dice.below(1000).to_string(),
    );
    let nothing = |result: io::Result<()>| result.map(|()| Vec::new());
    let result = match dice.below(9) {
        0 | 1 => nothing(store.make_directory(&directory)),
        2 | 3 => store
            .create(&file)
            .and_then(|mut output| nothing(output.write_all(text.as_bytes()))),
        4 => nothing(store.rename(&file, &other)),
        5 => nothing(store.remove(&file)),
        6 => nothing(store.remove_directory(&directory)),
        7 => store.list(&directory).map(|mut names| {
            names.sort();
            names
        }),
        _ => store.read(&file).map(|text| vec![text]),
    };
    result.map_err(|error| error.kind())
}

#[test]
fn the_twin_answers_like_the_real_disk() {
    let top: PathBuf = std::env::temp_dir().join(format!("cccp-twin-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&top);
    std::fs::create_dir(&top).unwrap();
    let twin = Twin::default();
    let (mut one, mut other) = (Dice(1), Dice(1));
    let mut kinds = BTreeSet::new();
    for step in 0..3000 {
        let real = operate(&FileSystem, &top, &mut one);
        let played = operate(&twin, Path::new("/"), &mut other);
        assert_eq!(real, played, "step {step}");
        kinds.insert(format!("{:?}", real.err()));
    }
    assert!(kinds.len() >= 4, "{kinds:?}");
    std::fs::remove_dir_all(&top).unwrap();
}

/// Contents and names of what a crash may leave, for one file.
fn outcomes(twin: &Twin) -> BTreeSet<Option<Vec<u8>>> {
    let mut crashes = twin.crashes();
    while crashes.step() {}
    let file = |tree: &Tree| Some(tree.0.get("x")?.as_ref()?.bytes().to_vec());
    crashes.outcomes().iter().map(file).collect()
}

#[test]
fn what_is_not_durable_may_be_lost_torn_out_of_order_or_garbage() {
    let twin = Twin::default();
    let path = Path::new("/x");
    let mut output = twin.create(path).unwrap();
    output.write_all(&[1; 300]).unwrap();
    let all = outcomes(&twin);
    let is_there = |bytes: &[u8]| all.contains(&Some(bytes.to_vec()));
    assert!(all.contains(&None), "no name");
    assert!(is_there(&[]), "a name only");
    assert!(is_there(&[1; 300]), "all of it");
    assert!(is_there(&[1; 128]), "torn");
    assert!(is_there(&[0; 300]), "a length only");
    assert!(is_there(&[[0; 128], [1; 128]].concat()), "out of order");
    assert!(is_there(&[[1; 128], [0xa5; 128]].concat()), "garbage");
    output.sync().unwrap();
    let all = outcomes(&twin);
    assert_eq!(all, BTreeSet::from([None, Some(vec![1; 300])]));
    twin.sync_directory(Path::new("/")).unwrap();
    assert_eq!(outcomes(&twin), BTreeSet::from([Some(vec![1; 300])]));
}

#[test]
fn a_rename_is_the_old_file_or_the_new_one_and_may_come_before_the_contents() {
    let twin = Twin::default();
    for (name, byte, durable) in [("/x", 1, true), ("/y", 2, false)] {
        let mut output = twin.create(Path::new(name)).unwrap();
        output.write_all(&[byte; 4]).unwrap();
        if durable {
            output.sync().unwrap();
        }
    }
    twin.sync_directory(Path::new("/")).unwrap();
    twin.rename(Path::new("/y"), Path::new("/x")).unwrap();
    let all = outcomes(&twin);
    assert!(!all.contains(&None), "never no file");
    assert!(all.contains(&Some(vec![1; 4])) && all.contains(&Some(vec![2; 4])));
    assert!(
        all.contains(&Some(Vec::new())),
        "the new name before the contents"
    );
}

#[test]
fn an_fsync_that_failed_is_not_repaired_by_the_next_one() {
    let twin = Twin::default();
    let mut output = twin.create(Path::new("/x")).unwrap();
    output.write_all(&[1; 4]).unwrap();
    twin.refuse(0);
    output.sync().unwrap_err();
    output.sync().unwrap();
    assert!(outcomes(&twin).contains(&Some(vec![0; 4])));
}
