//! Which compiler is meant where cccp-cc stands in PATH under its name, as a link `gcc` or `mpicc`; it never starts itself.
//!
//! Compilers call compilers: `mpicc` calls `gcc`, a cache the next one in PATH. What cccp-cc starts knows by a variable which
//! programs are above it, and a cccp-cc below another is the compiler alone.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The programs above, in the form of PATH.
const ABOVE: &str = "CCCP_CC_ABOVE";

/// What ccache tells its results apart by.
const CACHED: &str = "CCACHE_NAMESPACE";

/// Whether a cccp-cc above this one does all there is to do.
pub fn is_below() -> bool {
    std::env::var_os(ABOVE).is_some_and(|all| !all.is_empty())
}

/// The variables of a compiler that is started here: what it has above it. A cache keeps what it makes here
/// apart from what this program makes above it, where both are called by links of one name.
pub fn below(compiler: &str) -> [(&'static str, OsString); 2] {
    let mut all = programs_above();
    all.extend(std::env::current_exe());
    all.push(PathBuf::from(compiler));
    // A path with a colon cannot be told: it is found again at worst.
    let all = std::env::join_paths(all).unwrap_or_else(|_| OsString::from("cccp-cc"));
    let mut space = std::env::var_os(CACHED).unwrap_or_default();
    space.push(" below cccp-cc");
    [(ABOVE, all), (CACHED, space)]
}

fn programs_above() -> Vec<PathBuf> {
    let all = std::env::var_os(ABOVE).unwrap_or_default();
    std::env::split_paths(&all)
        .filter(|path| !path.as_os_str().is_empty())
        .collect()
}

/// The compiler whose name this program was called by; `None` for its own name.
pub fn compiler_named(called: &str) -> Result<Option<String>, String> {
    name_of_another(called)
        .map(|name| another(&name))
        .transpose()
}

fn name_of_another(called: &str) -> Option<String> {
    let name = Path::new(called).file_name()?.to_string_lossy();
    (!name.starts_with("cccp-cc")).then(|| name.into_owned())
}

/// The program behind a name that is no path, where the first one in PATH is this program itself.
pub fn other_than_this(name: &str) -> Result<String, String> {
    match in_path(name).next() {
        Some(first) if !name.contains('/') && is_one_of(&first, &these()) => another(name),
        _ => Ok(name.to_string()),
    }
}

/// The first program of a name that is neither this one nor above it, from this one's place in PATH on: what stands before
/// it would find this one again.
fn another(name: &str) -> Result<String, String> {
    let these = these();
    let all: Vec<PathBuf> = in_path(name).collect();
    let own = all.iter().position(|path| is_one_of(path, &these));
    let (before, behind) = all.split_at(own.unwrap_or(0));
    let mut found = behind.iter().chain(before);
    found
        .find(|path| !is_one_of(path, &these))
        .map(|path| path.to_string_lossy().into_owned())
        .ok_or_else(|| format!("PATH has no `{name}` but cccp-cc itself"))
}

fn these() -> Vec<PathBuf> {
    let mut all = programs_above();
    all.extend(std::env::current_exe());
    all
}

/// A link that stands for several compilers, as those of a cache do, is known by its place; a copy or link of cccp-cc by what
/// it leads to.
fn is_one_of(path: &Path, all: &[PathBuf]) -> bool {
    let real = path.canonicalize().ok();
    all.iter()
        .any(|one| one == path || Some(one) == real.as_ref())
}

/// All programs of a name, in the order of PATH.
pub fn in_path(name: &str) -> impl Iterator<Item = PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let name = name.to_string();
    let all = places.into_iter().map(move |place| place.join(&name));
    all.filter(|path| can_be_started(path))
}

/// Whether a path is that of a program.
pub fn can_be_started(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}
