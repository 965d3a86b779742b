//! Finds the files of the catalogue and where in them every function stands. So a new file needs no second place where it
//! is named, and nothing is searched when the precompiler starts.

#[path = "../grammar/src/catalogue/heads.rs"]
mod heads;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use heads::{HeadKind, catalogue_heads};

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
    println!("cargo::rerun-if-changed=../grammar/src/catalogue/heads.rs");
    println!("cargo::rerun-if-changed=build.rs");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where we are"));
    let root = root.join("catalog");
    let mut found = Vec::new();
    texts(&root, &mut found);
    found.sort();
    let mut files = String::new();
    let (mut functions, mut handles) = (Vec::new(), Vec::new());
    let (mut generators, mut readers) = (Vec::new(), Vec::new());
    let (mut states, mut variables) = (Vec::new(), Vec::new());
    for (number, path) in found.iter().enumerate() {
        let name = path.strip_prefix(&root).expect("a path below the root");
        let (name, path) = (name.display().to_string(), path.display().to_string());
        let _ = writeln!(
            files,
            "    BuiltinFile {{ name: {name:?}, text: include_str!({path:?}) }},"
        );
        let text = fs::read_to_string(&path).expect("a file of the catalogue");
        for head in catalogue_heads(&text) {
            match head.kind {
                HeadKind::Chapter | HeadKind::Family => {}
                HeadKind::Handles(names) => handles.extend(names),
                HeadKind::Generators(names) => {
                    handles.extend(names.clone());
                    generators.extend(names);
                }
                HeadKind::Readers(names) => {
                    handles.extend(names.clone());
                    readers.extend(names);
                }
                HeadKind::State(name) => states.push(name),
                HeadKind::Variables(names, state, inside) => {
                    variables.extend(names.into_iter().map(|name| (name, state.clone(), inside)));
                }
                HeadKind::Functions(names) => {
                    let (entry, chapter) = (&head.entry, &head.chapter);
                    let place = format!(
                        "file: {number}, entry: ({}, {}), chapter: ({}, {})",
                        entry.start, entry.end, chapter.start, chapter.end
                    );
                    functions.extend(names.into_iter().map(|name| (name, place.clone())));
                }
            }
        }
    }
    functions.sort();
    let prefixes: Vec<usize> = (0..functions.len())
        .filter(|at| functions[*at].0.ends_with('*'))
        .collect();
    handles.sort();
    generators.sort();
    readers.sort();
    states.sort();
    variables.sort();
    let mut table = format!(
        "/// The files, in the order of their names.\npub(super) static FILES: &[BuiltinFile] = &[\n{files}];\n\
         /// Functions, in the order of their names.\npub(super) static FUNCTIONS: &[BuiltinFunction] = &[\n"
    );
    for (name, place) in functions {
        let _ = writeln!(table, "    BuiltinFunction {{ name: {name:?}, {place} }},");
    }
    let _ = writeln!(
        table,
        "];\n/// Types that are handles, in order.\npub(super) static HANDLES: &[&str] = &{handles:?};\n\
         /// Those that are generators of random numbers, in order.\npub(super) static GENERATORS: &[&str] = &{generators:?};\n\
         /// Those that are files which a library reads, in order.\npub(super) static READERS: &[&str] = &{readers:?};\n\
         /// States, in order.\npub(super) static STATES: &[&str] = &{states:?};\n\
         /// Variables and their states, in order, and whether they point to what is kept there only.\npub(super) static VARIABLES: &[(&str, &str, bool)] = &{variables:?};\n\
         /// Which of the functions are beginnings of names.\npub(super) static PREFIXES: &[usize] = &{prefixes:?};"
    );
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where to write"));
    fs::write(out.join("catalogue.rs"), table).expect("the table can be written");
}
