//! `--cflags` and `--libs`: where the header and the libraries are.
//!
//! Installed tools find them in `../include` and `../lib`. Tools in a build tree find the libraries beside themselves
//! and the header in the source tree. Tools that cargo has put elsewhere find both where they were built.

use std::path::{Path, PathBuf};

/// What the compiler needs.
pub fn cflags(tool: &Path) -> String {
    format!("-I{}", include_directory(tool).display())
}

/// What the linker needs, in one line.
pub fn libs(tool: &Path, mpi: bool, target: Option<&str>) -> Result<String, String> {
    link_words(tool, mpi, (target, false)).map(|words| words.join(" "))
}

/// What the linker needs. A build tree has no versioned shared library, so its archive is linked; so it is into a static program.
pub fn link_words(
    tool: &Path,
    mpi: bool,
    (target, is_static): (Option<&str>, bool),
) -> Result<Vec<String>, String> {
    let name = if mpi { "cccp_mpi" } else { "cccp" };
    let places = library_directories(tool).into_iter();
    let mut places = places.map(|place| match target {
        Some(target) => foreign_directory(&place, target),
        None => place,
    });
    let has_library = |place: &PathBuf| {
        let mut ends = ["so", "a", "dylib"].iter();
        ends.any(|end| place.join(format!("lib{name}.{end}")).is_file())
    };
    let Some(directory) = places.find(has_library) else {
        let source = source_tree();
        return Err(format!(
            "lib{name} is not installed with {}: install it by `{} --prefix DIR`, where DIR/bin has the tools",
            tool.display(),
            source.join("cccp-runtime/install").display()
        ));
    };
    let directory = directory.canonicalize().unwrap_or(directory);
    let archive = directory.join(format!("lib{name}.a"));
    let text = directory.display();
    let has_shared = directory.join(format!("lib{name}.so.0")).exists();
    if archive.is_file() && (is_static || !has_shared) {
        // The archive holds Rust's own routines for complex numbers and the like under the names that the compiler
        // calls. The program has to keep those of its compiler: they round differently, and on 32-bit ARM are called
        // differently.
        let own = cfg!(target_os = "linux").then(|| "-lgcc".to_string());
        let mut words: Vec<String> = own.into_iter().collect();
        words.push(archive.display().to_string());
        words.extend(["-lpthread", "-ldl", "-lm"].map(str::to_string));
        return Ok(words);
    }
    Ok(vec![
        format!("-L{text}"),
        format!("-Wl,-rpath,{text}"),
        format!("-l{name}"),
    ])
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
    source_tree().join("cccp-runtime/include")
}

/// Where the tool was built.
fn source_tree() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_path_buf()
}

/// `target/release` has its foreign twin in `target/TRIPLE/release`.
fn foreign_directory(directory: &Path, target: &str) -> PathBuf {
    match (directory.parent(), directory.file_name()) {
        (Some(parent), Some(profile)) => parent.join(target).join(profile),
        _ => directory.join(target),
    }
}

/// Where libraries may be, the nearest place first.
fn library_directories(tool: &Path) -> Vec<PathBuf> {
    let beside = tool.parent().map(Path::to_path_buf).unwrap_or_default();
    let built = source_tree().join("target");
    let installed = beside.join("../lib");
    let mut all = vec![beside, installed];
    // Where cargo built this very tool; what it depends on lies one deeper until somebody asks for it.
    let profile = Path::new(env!("OUT_DIR")).ancestors().nth(3);
    all.extend(profile.map(Path::to_path_buf));
    all.extend(profile.map(|profile| profile.join("deps")));
    all.extend(["installed", "release", "debug"].map(|profile| built.join(profile)));
    all
}
