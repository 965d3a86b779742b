//! Files that earlier versions wrote stay readable.
//!
//! They lie in `tests/formats` at the top, one per encoding. They are never written again; a new version of the format
//! adds its own. `CCCP_TEST_WRITE_FORMATS=1` writes those that are missing.

use std::path::PathBuf;

use super::samples::{bytes, checkpoint};
use crate::format::*;

fn golden(name: &str, encoding: Encoding, compress: u32) -> (Vec<u8>, Checkpoint) {
    let top = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/formats");
    let path = top.join(format!("{name}.cccp"));
    let original = checkpoint(encoding);
    if std::env::var_os("CCCP_TEST_WRITE_FORMATS").is_some() && !path.exists() {
        std::fs::create_dir_all(&top).unwrap();
        std::fs::write(&path, bytes(&original, compress)).unwrap();
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
    assert_eq!(found, original);
}

#[test]
fn s23_files_of_version_1_stay_readable() {
    check("v1-xdr", Encoding::Xdr, 0);
    check("v1-native", Encoding::Native, 0);
    check("v1-compressed", Encoding::Xdr, 6);
}

#[test]
fn s22_version_1_is_written_to_the_byte() {
    for (name, encoding) in [("v1-xdr", Encoding::Xdr), ("v1-native", Encoding::Native)] {
        let (expected, original) = golden(name, encoding, 0);
        assert_eq!(
            bytes(&original, 0),
            expected,
            "{name}: bytes that change need a new version of the format"
        );
    }
}
