//! cccp.h is the contract between the precompiler, the library and whoever calls it by hand, and cccp_mpi.h adds what
//! needs mpi.h: each compiles alone, and the libraries export what they declare, no more and no less.

mod harness;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use cccp_grammar::{
    COUNTED, FILES, HANDLES, OF_CONTAINERS, OF_GENERATORS, OF_PLANS, OF_ZLIB, OPENING, PLANS,
};
use harness::{Workplace, have, mpi_or_word, root, tools_directory};

/// What cccp.h declares and libcccp_mpi alone has.
const OF_MPI_PROGRAMS: [&str; 2] = [
    "cccp_init_mpi",
    "cccp_an_MPI_program_needs_libcccp_mpi_instead_of_libcccp",
];
/// Where the headers are.
const HEADERS: &str = "cccp-runtime/include";

/// The text of a header without comments and preprocessor lines.
fn declarations(header: &str) -> String {
    let path = root().join(HEADERS).join(header);
    let text = std::fs::read_to_string(path).expect("the header");
    let mut code = String::new();
    let mut rest = text.as_str();
    while let Some((before, comment)) = rest.split_once("/*") {
        code += before;
        rest = comment.split_once("*/").expect("the end of a comment").1;
    }
    code += rest;
    // A macro may have several lines.
    let code = code.replace("\\\n", " ");
    code.lines()
        .filter(|line| !line.starts_with('#'))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The functions and variables that a header declares.
fn declared(header: &str) -> BTreeSet<String> {
    let code = declarations(header);
    let mut names = BTreeSet::new();
    for statement in code.split(';') {
        let statement = statement.rsplit(['{', '}']).next().unwrap_or_default();
        let is_type = statement.trim_start().starts_with("typedef ");
        let is_function = statement.contains('(') && !statement.contains("(*") && !is_type;
        let is_variable = statement.trim_start().starts_with("extern ");
        if !is_function && !is_variable {
            continue;
        }
        let head = statement.split('(').next().unwrap_or_default();
        let names_here = if is_variable { statement } else { head };
        for part in names_here.split(',') {
            let name = part
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .rfind(|w| !w.is_empty());
            let name = name.unwrap_or_default();
            // Each file of the program defines what its threads count.
            if name.to_lowercase().starts_with("cccp_") && name != "cccp_thread" {
                names.insert(name.to_owned());
            }
        }
    }
    names
}

/// Those of cccp.h, with what it includes.
fn of_cccp_h() -> BTreeSet<String> {
    let mut names = declared("cccp.h");
    names.extend(declared("cccp_heap.h"));
    names.extend(declared("cccp_opens.h"));
    // Of the C library, so that handlers of the program are heard of.
    names.extend(["sigaction", "signal"].map(str::to_owned));
    // Programs declare them by their names of POSIX: no type of <pthread.h> is needed for that.
    names.extend(["cccp_pthread_create", "cccp_pthread_join"].map(str::to_owned));
    names.extend(["cccp_fork", "cccp_popen", "cccp_vfork"].map(str::to_owned));
    // What tells how much time has passed.
    let of_time = [
        "clock",
        "clock_gettime",
        "getrusage",
        "omp_get_wtime",
        "times",
    ];
    names.extend(of_time.map(|name| format!("cccp_{name}")));
    // What fftw3.h, gsl_rng.h, zlib.h and the like declare.
    names.insert("cccp_gzdopen".to_string());
    let others = OF_GENERATORS.iter().chain(OPENING).chain(OF_ZLIB);
    names.extend(others.map(|name| format!("cccp_{name}")));
    names.extend(OF_CONTAINERS.iter().map(|name| format!("cccp_{name}")));
    for precision in ["fftw", "fftwf", "fftwl"] {
        let of_plans = PLANS.iter().chain(OF_PLANS);
        names.extend(of_plans.map(|name| format!("cccp_{precision}_{name}")));
    }
    for which in ["lock", "nest_lock"] {
        let of_openmp = ["set", "test", "unset", "destroy"];
        names.extend(of_openmp.map(|what| format!("cccp_omp_{what}_{which}")));
        names.extend(["", "_with_hint"].map(|more| format!("cccp_omp_init_{which}{more}")));
    }
    for which in ["mtx", "pthread_mutex", "pthread_rwlock"] {
        names.extend(["init", "destroy"].map(|what| format!("cccp_{which}_{what}")));
    }
    names
}

/// What a shared library exports.
fn exported(library: &str) -> BTreeSet<String> {
    symbols(library, &["-D", "--defined-only"])
}

/// What a static library defines for programs.
fn defined(library: &str) -> BTreeSet<String> {
    symbols(library, &["--extern-only", "--defined-only"])
}

fn symbols(library: &str, options: &[&str]) -> BTreeSet<String> {
    let path = tools_directory().join(library);
    let output = Command::new("nm")
        .args(options)
        .arg(&path)
        .output()
        .expect("nm");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines()
        .filter_map(|line| line.split_whitespace().nth(2).map(str::to_owned))
        .collect()
}

#[test]
fn the_header_alone_is_c99_c11_c17_and_cpp() {
    let place = Workplace::new("header");
    let file = place.write(
        "alone.c",
        "#include \"cccp.h\"\nint main(void) { return CCCP_OK; }\n",
    );
    for (compiler, language, standard) in [
        ("gcc", "c", "c99"),
        ("gcc", "c", "c11"),
        ("gcc", "c", "gnu17"),
        ("g++", "c++", "c++98"),
        ("g++", "c++", "c++17"),
        ("clang", "c", "c99"),
        ("clang", "c", "c11"),
        ("clang", "c", "gnu17"),
        ("clang", "c++", "c++17"),
    ] {
        if !have(compiler) {
            assert!(
                std::env::var_os("CCCP_REQUIRE_MPI").is_none(),
                "{compiler} is required"
            );
            continue;
        }
        compiles(Command::new(compiler), language, standard, &file);
    }
}

#[test]
fn the_mpi_header_alone_is_c99_c11_and_cpp() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("mpi-header");
    let file = place.write(
        "alone.c",
        "#include \"cccp_mpi.h\"\nint main(void) { return CCCP_OK; }\n",
    );
    compiles_with_mpi(&file);
}

#[test]
fn the_header_with_counted_messages_goes_before_mpi() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("counted-header");
    let file = place.write(
        "counted.c",
        "#define CCCP_MESSAGES\n#include \"cccp.h\"\n#include <mpi.h>\n\
         int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm) = MPI_Send;\n\
         int main(void) { return send == cccp_MPI_Send ? MPI_Barrier(MPI_COMM_WORLD) : 0; }\n",
    );
    compiles_with_mpi(&file);
}

/// Checks the syntax of a file with all compilers that MPI's may stand for.
fn compiles_with_mpi(file: &Path) {
    for compiler in ["gcc", "clang"].into_iter().filter(|name| have(name)) {
        for (language, standard) in [("c", "c99"), ("c", "c11"), ("c++", "c++17")] {
            let mut cc = Command::new("mpicc");
            cc.env("OMPI_CC", compiler).env("MPICH_CC", compiler);
            // mpicc adds libraries, which a check of the syntax does not use, and C++ of its own, which warns.
            cc.args([
                "-Wno-unused-command-line-argument",
                "-DOMPI_SKIP_MPICXX",
                "-DMPICH_SKIP_MPICXX",
            ]);
            compiles(cc, language, standard, file);
        }
    }
}

/// Checks the syntax of a file that includes a header; a warning is a failure.
fn compiles(mut compiler: Command, language: &str, standard: &str, file: &Path) {
    compiler.args(["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-pedantic"]);
    compiler.args(["-x", language]);
    // C++98 has no long long; that is the only thing it may complain about.
    compiler.args([&format!("-std={standard}"), "-Wno-long-long"]);
    compiler.arg("-I").arg(root().join(HEADERS)).arg(file);
    let output = compiler.output().expect("the compiler");
    assert!(
        output.status.success(),
        "{compiler:?}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn libcccp_exports_what_the_header_declares() {
    let mut declared = of_cccp_h();
    assert!(
        declared.contains("CCCP_Init") && declared.contains("cccp_due"),
        "{declared:?}"
    );
    for name in OF_MPI_PROGRAMS {
        assert!(declared.remove(name), "{name}");
    }
    assert_eq!(exported("libcccp.so"), declared);
}

#[test]
fn libcccp_mpi_exports_what_both_headers_declare() {
    if !mpi_or_word() {
        return;
    }
    let mut both = of_cccp_h();
    both.extend(declared("cccp_mpi.h"));
    assert!(both.contains("CCCP_Init_MPI"), "{both:?}");
    let wrapped = COUNTED.iter().chain(FILES).chain(HANDLES);
    both.extend(wrapped.map(|name| format!("cccp_{name}")));
    both.insert("cccp_MPI_Wtime".to_owned());
    assert_eq!(exported("libcccp_mpi.so"), both);
    let defined = defined("libcccp_mpi.a");
    let missing: Vec<_> = both.difference(&defined).collect();
    assert!(missing.is_empty(), "libcccp_mpi.a lacks {missing:?}");
}

#[test]
fn the_headers_name_the_functions_of_the_lists() {
    for (header, wanted) in [
        ("cccp_messages.h", COUNTED),
        ("cccp_files.h", FILES),
        ("cccp_handles.h", HANDLES),
    ] {
        let path = root().join(HEADERS).join(header);
        let text = std::fs::read_to_string(path).expect("the header");
        let names: Vec<String> = text
            .lines()
            .filter_map(|line| line.strip_prefix("#define MPI_")?.split_once(' '))
            // What a newer MPI has must not be linked.
            .filter(|(name, meaning)| *meaning != format!("cccp_has_no_MPI_{name}"))
            .map(|(name, meaning)| {
                assert_eq!(meaning, format!("cccp_MPI_{name}"));
                format!("MPI_{name}")
            })
            .collect();
        assert_eq!(names, wanted, "{header}");
    }
}

#[test]
fn a_shared_library_has_the_name_of_its_version() {
    let mut libraries = vec!["libcccp.so"];
    if mpi_or_word() {
        libraries.push("libcccp_mpi.so");
    }
    for library in libraries {
        let output = Command::new("readelf")
            .arg("-d")
            .arg(tools_directory().join(library))
            .output()
            .expect("readelf");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let name = format!("soname: [{library}.0]");
        assert!(text.contains(&name), "{library}:\n{text}");
    }
}

#[test]
fn the_static_library_without_mpi_asks_for_no_mpi() {
    let library = tools_directory().join("libcccp.a");
    let output = Command::new("nm")
        .arg("--undefined-only")
        .arg(library)
        .output()
        .expect("nm");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let wanted: Vec<&str> = text.lines().filter(|line| line.contains(" MPI_")).collect();
    assert!(wanted.is_empty(), "{wanted:?}");
}
