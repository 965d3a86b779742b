//! The NAS programs that are written in C, in auto mode, beside the figures of CPPC for the same programs.
//!
//! The sources are those of the Debian package simgrid, which `tests/real/run nas-is` fetches to `target/programs` (`DIR` names
//! another place). CPPC's figures are those of its paper, on a machine of 2011; EP was a program in Fortran there.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Milliseconds that CPPC took with Cetus and with LLVM.
struct Known {
    program: &'static str,
    files: &'static [&'static str],
    parsing: [u32; 2],
    communications: [u32; 2],
    checkpoints: [u32; 2],
    registration: [u32; 2],
    instrumentation: [u32; 2],
}

const PROGRAMS: [Known; 2] = [
    Known {
        program: "IS",
        files: &["is.c", "nas_common.c"],
        parsing: [766, 33],
        communications: [1842, 20],
        checkpoints: [73, 1],
        registration: [119, 1],
        instrumentation: [131, 1],
    },
    Known {
        program: "EP",
        files: &["ep.c", "nas_common.c"],
        parsing: [292, 27],
        communications: [106, 12],
        checkpoints: [13, 1],
        registration: [222, 1],
        instrumentation: [48, 2],
    },
];

/// Prints it, or says that the sources are not there.
pub fn table() {
    let Some(sources) = sources() else {
        println!("no NAS programs: `tests/real/run nas-is` fetches them\n");
        return;
    };
    let directory = std::env::temp_dir().join(format!("cccp-nas-{}", std::process::id()));
    shim(&directory);
    for known in &PROGRAMS {
        one(known, &sources, &directory);
    }
    let _ = std::fs::remove_dir_all(&directory);
}

fn sources() -> Option<PathBuf> {
    let given = std::env::var_os("DIR").map(PathBuf::from);
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let programs = given.unwrap_or_else(|| target.unwrap_or(root.join("target")).join("programs"));
    let sources = programs.join("simgrid/examples/smpi/NAS");
    sources.join("is.c").exists().then_some(sources)
}

/// What the sources want of the simulator that they come with.
fn shim(directory: &Path) {
    let files = [
        (
            "simgrid/instr.h",
            "#define TRACE_smpi_set_category(c) ((void)0)\n",
        ),
        (
            "smpi/mpi.h",
            "#include <stdlib.h>\n#include <mpi.h>\n#define SMPI_SHARED_MALLOC(n) malloc(n)\n\
             #define SMPI_SHARED_FREE(p) free(p)\n#define SMPI_SAMPLE_GLOBAL(i,c,n,m,t) for(i;c;n)\n",
        ),
    ];
    for (name, text) in files {
        let path = directory.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).expect("a directory");
        }
        std::fs::write(path, text).expect("a file");
    }
}

fn one(known: &Known, sources: &Path, directory: &Path) {
    let compiler = std::env::var_os("MPICC").unwrap_or_else(|| "mpicc".into());
    let mut common: Vec<OsString> = vec!["--cc".into(), compiler, "-I".into(), directory.into()];
    common.extend(["-I".into(), sources.into()]);
    let files = known.files.iter().map(|file| sources.join(file).into());
    let files: Vec<OsString> = files.collect();
    let measure = |more: &[&str]| {
        let mut words = common.clone();
        words.extend(more.iter().map(OsString::from));
        words.extend(files.iter().cloned());
        super::medians(&words)
    };
    let auto = measure(&["--auto", "-d", "out"]);
    let communication = measure(&["--emit", "communication"]);
    let load = measure(&["--emit", "load"]);
    let sum = |passes: &[(&'static str, f64)], names: &[&str]| -> f64 {
        let passes = passes.iter().filter(|(name, _)| names.contains(name));
        passes.map(|(_, seconds)| seconds * 1e3).sum()
    };
    let all: f64 = auto.iter().map(|(_, seconds)| seconds * 1e3).sum();
    let once = sum(&communication, &["communication"]);
    let loops = sum(&load, &["load"]);
    let reading = sum(
        &auto,
        &["source", "syntax", "directive", "program", "dataflow"],
    );
    let analysis = [
        "unknown",
        "steps",
        "points-to",
        "effects",
        "coverage",
        "liveness",
    ];
    let registration = sum(&auto, &analysis) + sum(&auto, &["completeness", "auto"]) - once - loops;
    let rewriting = sum(&auto, &["plan", "rewrite"]);
    println!(
        "{:<16} {:>9} {:>9} {:>9}   milliseconds",
        known.program, "cccp", "Cetus", "LLVM"
    );
    let rows = [
        ("parsing", reading, known.parsing),
        ("communications", once, known.communications),
        ("checkpoints", loops, known.checkpoints),
        ("registration", registration.max(0.0), known.registration),
        ("instrumentation", rewriting, known.instrumentation),
    ];
    let mut theirs = [0, 0];
    for (name, ours, cppc) in rows {
        theirs = [theirs[0] + cppc[0], theirs[1] + cppc[1]];
        line(name, ours, cppc);
    }
    line("all", all, theirs);
    println!();
}

fn line(name: &str, ours: f64, cppc: [u32; 2]) {
    let [cetus, llvm] = cppc;
    println!("    {name:<16} {ours:5.1} {cetus:>9} {llvm:>9}");
}
