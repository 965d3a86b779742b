//! `--cflags` and `--libs`: where the header and the libraries are.
//!
//! Installed tools find them in `../include` and `../lib`. Tools in a build tree find the libraries beside themselves
//! and the header in the source tree.

use std::path::{Path, PathBuf};

/// What the compiler needs.
pub fn cflags(tool: &Path) -> String {
    format!("-I{}", include_directory(tool).display())
}

/// What the linker needs, in one line.
pub fn libs(tool: &Path, mpi: bool, target: Option<&str>) -> String {
    link_words(tool, mpi, target).join(" ")
}

/// What the linker needs. A build tree has no versioned shared library, so its archive is linked.
pub fn link_words(tool: &Path, mpi: bool, target: Option<&str>) -> Vec<String> {
    let directory = match target {
        Some(target) => foreign_directory(&library_directory(tool), target),
        None => library_directory(tool),
    };
    let name = if mpi { "cccp_mpi" } else { "cccp" };
    let archive = directory.join(format!("lib{name}.a"));
    let text = directory.display();
    if archive.is_file() && !directory.join(format!("lib{name}.so.0")).exists() {
        // The archive holds Rust's own routines for complex numbers and the like under the names that the compiler
        // calls. The program has to keep those of its compiler: they round differently, and on 32-bit ARM are called
        // differently.
        let own = cfg!(target_os = "linux").then(|| "-lgcc".to_string());
        let mut words: Vec<String> = own.into_iter().collect();
        words.push(archive.display().to_string());
        words.extend(["-lpthread", "-ldl", "-lm"].map(str::to_string));
        return words;
    }
    vec![
        format!("-L{text}"),
        format!("-Wl,-rpath,{text}"),
        format!("-l{name}"),
    ]
}

/// Where `cccp.h` is.
pub fn include_directory(tool: &Path) -> PathBuf {
    let beside = tool.parent().map(Path::to_path_buf).unwrap_or_default();
    let installed = beside.join("../include");
    if installed.join("cccp.h").is_file() {
        return installed.canonicalize().unwrap_or(installed);
    }
    for directory in tool.ancestors() {
        let source = directory.join("cccp-runtime/include");
        if source.join("cccp.h").is_file() {
            return source;
        }
    }
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .with_file_name("cccp-runtime")
        .join("include")
}

/// `target/release` has its foreign twin in `target/TRIPLE/release`.
fn foreign_directory(directory: &Path, target: &str) -> PathBuf {
    match (directory.parent(), directory.file_name()) {
        (Some(parent), Some(profile)) => parent.join(target).join(profile),
        _ => directory.join(target),
    }
}

fn library_directory(tool: &Path) -> PathBuf {
    let beside = tool.parent().map(Path::to_path_buf).unwrap_or_default();
    let installed = beside.join("../lib");
    let has_library = |directory: &Path| {
        ["libcccp.so", "libcccp.a", "libcccp.dylib"]
            .iter()
            .any(|name| directory.join(name).is_file())
    };
    if !has_library(&beside) && has_library(&installed) {
        return installed.canonicalize().unwrap_or(installed);
    }
    beside
}
