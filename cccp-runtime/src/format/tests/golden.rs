//! Files that earlier versions wrote stay readable.
//!
//! They lie in `tests/formats` at the top, one per version and encoding. They are never written again; a new version of
//! the format adds its own. `CCCP_TEST_WRITE_FORMATS=1` writes those of the version in force that are missing.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::everything::everything;
use super::samples::{bytes, checkpoint};
use crate::format::*;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/formats")
}

/// The bytes of the file, and what it says.
fn golden(name: &str, encoding: Encoding, compress: u32) -> (Vec<u8>, Checkpoint) {
    let top = folder();
    let path = top.join(format!("{name}.cccp"));
    let mut original = match name.contains("everything") {
        true => everything(encoding),
        false => checkpoint(encoding),
    };
    let current = name.starts_with(&format!("v{MAJOR}.{MINOR}-"));
    if current && std::env::var_os("CCCP_TEST_WRITE_FORMATS").is_some() && !path.exists() {
        std::fs::create_dir_all(&top).unwrap();
        std::fs::write(&path, bytes(&original, compress)).unwrap();
    }
    if name.starts_with("v1.0-") {
        original.plans.clear();
    }
    let mut registers = original
        .sections
        .iter_mut()
        .flat_map(|one| &mut one.registers);
    if let (true, Some(kept)) = (
        name.starts_with("v1.1-"),
        registers.find(|one| one.flags == LIBRARY),
    ) {
        kept.flags = 1;
    }
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (bytes, original)
}

fn check(name: &str, encoding: Encoding, compress: u32) {
    let (bytes, original) = golden(name, encoding, compress);
    let file = File::open(Box::new(bytes)).unwrap();
    let mut found = file.checkpoint.clone();
    for register in found
        .sections
        .iter_mut()
        .flat_map(|section| &mut section.registers)
    {
        register.data = Data::Encoded(file.load(register).unwrap());
    }
    assert_eq!(found, original, "{name}");
}

#[test]
fn s23_files_of_every_version_stay_readable() {
    for minor in 0..=MINOR {
        let version = format!("v{MAJOR}.{minor}");
        for encoding in Encoding::ALL {
            check(&format!("{version}-{}", encoding.word()), encoding, 0);
        }
        check(&format!("{version}-compressed"), Encoding::Xdr, 6);
        if minor > 0 {
            check(&format!("{version}-everything"), Encoding::Xdr, 0);
            check(&format!("{version}-everything-native"), Encoding::Native, 6);
        }
    }
}

/// The files that README.md of `tests/formats` knows: their lengths and checksums.
fn known() -> BTreeMap<String, (usize, String)> {
    let text = std::fs::read_to_string(folder().join("README.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| v"));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let name = cells[0].to_string();
        (name, (cells[1].parse().unwrap(), cells[2].to_string()))
    })
    .collect()
}

#[test]
fn s23_the_kept_files_are_those_of_the_list_and_never_change() {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "cccp") {
            let bytes = std::fs::read(&path).unwrap();
            File::open(Box::new(bytes.clone()))
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let checksum = format!("{:08x}", crc32fast::hash(&bytes));
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            found.insert(name, (bytes.len(), checksum));
        }
    }
    let known = known();
    for (name, file) in &found {
        assert_eq!(
            known.get(name),
            Some(file),
            "{name}: not the file that README.md knows; kept files are never written again"
        );
    }
    let missing: Vec<_> = known
        .keys()
        .filter(|name| !found.contains_key(*name))
        .collect();
    assert!(missing.is_empty(), "missing: {missing:?}");
    for version in 0..=MINOR {
        let prefix = format!("v{MAJOR}.{version}-");
        assert!(
            found.keys().any(|name| name.starts_with(&prefix)),
            "{prefix}"
        );
    }
}

#[test]
fn s22_the_version_in_force_is_written_to_the_byte() {
    for encoding in Encoding::ALL {
        let name = format!("v{MAJOR}.{MINOR}-{}", encoding.word());
        let (expected, original) = golden(&name, encoding, 0);
        assert_eq!(
            bytes(&original, 0),
            expected,
            "{name}: bytes that change need a new version of the format"
        );
    }
}
