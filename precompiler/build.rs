//! Lists the files of the catalogue, so that a new one needs no second place where it is named.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn texts(directory: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(directory).expect("the catalogue can be listed");
    for entry in entries {
        let path = entry.expect("a file of the catalogue").path();
        if path.is_dir() {
            texts(&path, found);
        } else if path.extension().is_some_and(|one| one == "txt") {
            found.push(path);
        }
    }
}

fn main() {
    println!("cargo::rerun-if-changed=catalog");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where we are"));
    let root = root.join("catalog");
    let mut found = Vec::new();
    texts(&root, &mut found);
    found.sort();
    let mut table = String::from("&[\n");
    for path in &found {
        let name = path.strip_prefix(&root).expect("a path below the root");
        let (name, path) = (name.display().to_string(), path.display().to_string());
        table += &format!("    ({name:?}, include_str!({path:?})),\n");
    }
    table += "]\n";
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where to write"));
    fs::write(out.join("catalogue.rs"), table).expect("the table can be written");
}
