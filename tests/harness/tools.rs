//! What is installed, and where this build's own tools and libraries are.
//!
//! The libraries are built on first use, beside the precompiler that cargo built for this test, because that is
//! where `cccp-pp --libs` looks for them; `cccp-ckpt` comes with them. Without MPI the drivers skip what needs it, with a word; when the
//! variable CCCP_REQUIRE_MPI is set, as `tests/run` does, they fail instead.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use super::run::without_settings;
use super::workplace::Workplace;

/// A C compiler to prove things with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiler {
    Gcc,
    Clang,
}

impl Compiler {
    /// The command.
    pub fn command(self) -> &'static str {
        match self {
            Compiler::Gcc => "gcc",
            Compiler::Clang => "clang",
        }
    }
}

/// The top of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The precompiler of this build.
pub fn precompiler() -> &'static Path {
    libraries();
    Path::new(env!("CARGO_BIN_EXE_cccp-pp"))
}

/// Where the tools of this build are.
pub fn tools_directory() -> &'static Path {
    precompiler().parent().expect("a directory")
}

/// A command line of `cccp-run`, without the settings of whoever runs the tests.
pub fn cccp_run() -> Command {
    let mut command = Command::new(tools_directory().join("cccp-run"));
    without_settings(&mut command);
    command
}

/// Whether a command can be run.
pub fn have(command: &str) -> bool {
    Command::new(command)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok()
}

/// A number that the environment gives for a driver: how many programs, which seed.
pub fn setting(name: &str, otherwise: usize) -> usize {
    let given = std::env::var(name).ok();
    given
        .and_then(|text| text.parse().ok())
        .unwrap_or(otherwise)
}

/// Whether the full product of all combinations was asked for (CCCP_TEST_EVERYTHING=1) instead of a choice in
/// which every pair occurs.
pub fn everything() -> bool {
    std::env::var_os("CCCP_TEST_EVERYTHING").is_some_and(|value| value == "1")
}

/// Whether MPI programs can be built and run; says so when not.
pub fn mpi_or_word() -> bool {
    static MPI: OnceLock<bool> = OnceLock::new();
    *MPI.get_or_init(|| {
        let found = have("mpicc") && have("mpirun");
        assert!(
            found || std::env::var_os("CCCP_REQUIRE_MPI").is_none(),
            "mpicc and mpirun are required"
        );
        if !found {
            eprintln!("no mpicc or mpirun here: the MPI half of this test is skipped");
        }
        found
    })
}

/// Whether Python can be run; says so when not. With CCCP_REQUIRE_PYTHON it has to.
pub fn python_or_word() -> bool {
    let found = have("python3");
    assert!(
        found || std::env::var_os("CCCP_REQUIRE_PYTHON").is_none(),
        "python3 is required"
    );
    if !found {
        eprintln!("no python3 here: this test is skipped");
    }
    found
}

/// Whether programs with FFTW can be built; says so when not. With CCCP_REQUIRE_FFTW it has to.
pub fn fftw_or_word() -> bool {
    header_or_word("fftw3.h", "FFTW")
}

/// The same with GSL and CCCP_REQUIRE_GSL.
pub fn gsl_or_word() -> bool {
    header_or_word("gsl/gsl_rng.h", "GSL")
}

/// The same with zlib and CCCP_REQUIRE_ZLIB.
pub fn zlib_or_word() -> bool {
    header_or_word("zlib.h", "ZLIB")
}

/// The same with GMP and CCCP_REQUIRE_GMP.
pub fn gmp_or_word() -> bool {
    header_or_word("gmp.h", "GMP")
}

fn header_or_word(header: &str, library: &str) -> bool {
    let mut compiler = Command::new("gcc");
    compiler.args(["-include", header, "-fsyntax-only", "-x", "c", "/dev/null"]);
    let status = compiler.stderr(Stdio::null()).status();
    let found = status.is_ok_and(|status| status.success());
    assert!(
        found || std::env::var_os(format!("CCCP_REQUIRE_{library}")).is_none(),
        "{header} is required"
    );
    if !found {
        eprintln!("no {library} here: this test is skipped");
    }
    found
}

/// Whether clang can build programs with OpenMP; says so when not.
pub fn has_libomp() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| {
        let place = Workplace::new("libomp");
        let text = "#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }\n";
        let probe = place.write("probe.c", text);
        let mut clang = Command::new("clang");
        clang.args(["-fopenmp", "-o"]).arg(place.join("probe"));
        let built = have("clang")
            && clang
                .arg(&probe)
                .output()
                .is_ok_and(|it| it.status.success());
        if !built {
            eprintln!("skipped: clang cannot build programs with OpenMP here (libomp-dev)");
        }
        built
    })
}

/// Builds the libraries once per test process.
fn libraries() {
    static BUILT: OnceLock<()> = OnceLock::new();
    BUILT.get_or_init(|| {
        // By tests/drivers.
        if std::env::var_os("CCCP_BUILT").is_some() {
            return;
        }
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet"]).current_dir(root());
        // Whole, as everybody builds it: a choice of packages has other features, and everything is compiled again.
        if mpi_or_word() {
            cargo.arg("--workspace");
        }
        cargo.arg("--target-dir").arg(target_directory());
        if !cfg!(debug_assertions) {
            cargo.arg("--release");
        }
        let done = cargo.status().expect("cargo can be run");
        assert!(done.success(), "the libraries and cccp-ckpt do not build");
    });
}

/// What links a program with the shared library of this build. The static one, which `cccp-pp --libs` names, is a hundred times as long
/// in a build for tests, and takes the linker longer, too.
pub fn shared_library(mpi: bool) -> Vec<String> {
    let name = if mpi { "libcccp_mpi.so" } else { "libcccp.so" };
    let place = tools_directory().join("shared");
    // Programs look for it by the name that it has where it is installed.
    let called = place.join(format!("{name}.0"));
    std::fs::create_dir_all(&place).expect("a directory for links");
    match std::os::unix::fs::symlink(Path::new("..").join(name), &called) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => panic!("{error}"),
        _ => {}
    }
    let path = |path: &Path| path.to_str().expect("a path in UTF-8").to_owned();
    vec![
        path(&called),
        format!("-Wl,-rpath,{}", path(&place)),
        "-lpthread".to_owned(),
    ]
}

/// The directory of all build results: two above the precompiler (`target/debug/cccp-pp`).
fn target_directory() -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_cccp-pp"))
        .ancestors()
        .nth(2)
        .expect("a target directory")
        .to_owned()
}
