//! Files that earlier versions wrote stay readable.
//!
//! They lie in `tests/formats` at the top, one per version and encoding. They are never written again; a new version of
//! the format adds its own. `CCCP_TEST_WRITE_FORMATS=1` writes those of the version in force that are missing.

use std::path::PathBuf;

use super::samples::{bytes, checkpoint};
use crate::format::*;

/// The bytes of the file, and what it says.
fn golden(name: &str, encoding: Encoding, compress: u32) -> (Vec<u8>, Checkpoint) {
    let top = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/formats");
    let path = top.join(format!("{name}.cccp"));
    let mut original = checkpoint(encoding);
    let current = name.starts_with(&format!("v{MAJOR}.{MINOR}-"));
    if current && std::env::var_os("CCCP_TEST_WRITE_FORMATS").is_some() && !path.exists() {
        std::fs::create_dir_all(&top).unwrap();
        std::fs::write(&path, bytes(&original, compress)).unwrap();
    }
    if name.starts_with("v1.0-") {
        original.plans.clear();
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
    for version in ["v1.0", "v1.1"] {
        check(&format!("{version}-xdr"), Encoding::Xdr, 0);
        check(&format!("{version}-native"), Encoding::Native, 0);
        check(&format!("{version}-compressed"), Encoding::Xdr, 6);
    }
}

#[test]
fn s22_the_version_in_force_is_written_to_the_byte() {
    for (name, encoding) in [
        ("v1.1-xdr", Encoding::Xdr),
        ("v1.1-native", Encoding::Native),
    ] {
        let (expected, original) = golden(name, encoding, 0);
        assert_eq!(
            bytes(&original, 0),
            expected,
            "{name}: bytes that change need a new version of the format"
        );
    }
}
