//! `cccp-cc` in the place of the compiler: with make, CMake and the autotools, unchanged projects are built, and their programs
//! survive. Where there is nothing to do for cccp, nobody notices it.
//!
//! The project is [build_systems/heat]: `heat` has no mark, `walk` is marked by hand, in `mean` nothing takes time; all use a
//! static library of their own.

mod harness;
#[path = "build_systems/project.rs"]
mod project;
#[path = "build_systems/reached.rs"]
mod reached;
#[path = "build_systems/several.rs"]
mod several;
#[path = "build_systems/unseen.rs"]
mod unseen;

use harness::{finish, have, mpi_or_word, root, tools_directory};
use project::{Project, printed};

/// The programs of the project, in this directory, survive as far as they should.
fn all_survive(project: &Project, directory: &str, is_auto: bool, heat: &str) {
    let path = |name: &str| format!("{directory}/{name}");
    let walk = project.run(&[&path("walk"), "40"]);
    project.survives(&path("walk"), &["40"], &walk);
    assert_eq!(project.run(&[&path("mean")]), "mean 0.5\n");
    let undisturbed = project.run(&[&path("heat"), "50", "40"]);
    assert_eq!(undisturbed, heat);
    if is_auto {
        project.survives(&path("heat"), &["50", "40"], &undisturbed);
    }
}

/// The page about build systems: under each heading the commands are what a user types, and the programs survive.
#[test]
fn the_page_of_each_build_system_works_as_written() {
    let path = root().join("precompiler/src/cc/README.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let sections = page.split("\n## ").skip(1);
    let mut seen = Vec::new();
    for section in sections {
        let name = section.lines().next().unwrap_or_default();
        let Some((_, rest)) = section.split_once("```sh\n") else {
            continue;
        };
        seen.push(name);
        let (script, _) = rest.split_once("```").expect("the end of the commands");
        let needed = match name {
            "Autotools" => "automake",
            "Meson" => "meson",
            "SCons" => "scons",
            "CMake" => "cmake",
            _ => "make",
        };
        if !have(needed) {
            eprintln!("no {needed} here: its commands are not tried");
            continue;
        }
        let project = Project::new("page");
        project.run(&["sh", "-e", "-c", script]);
        let directory = match project.place.join("build").is_dir() {
            true => "build",
            false => ".",
        };
        let walk = format!("{directory}/walk");
        let undisturbed = project.run(&[&walk, "40"]);
        project.survives(&walk, &["40"], &undisturbed);
    }
    assert_eq!(seen, ["make", "CMake", "Autotools", "Meson", "SCons"]);
}

#[test]
fn with_make_one_word_is_changed() {
    let project = Project::new("make");
    project.run(&["make"]);
    let heat = project.run(&["./heat", "50", "40"]);
    project.run(&["sh", "-c", "cp heat plain && touch src/*.c lib/*.c"]);

    // Without a mark and without CCCP_AUTO the program is the compiler's own, to the last byte.
    let told = project.run(&["make", "CC=cccp-cc cc"]);
    assert!(!told.contains("cccp-cc:"), "{told}");
    project.run(&["cmp", "heat", "plain"]);
    all_survive(&project, ".", false, &heat);

    project.run(&["rm", "heat", "walk", "mean"]);
    let told = project.run(&["make", "-j3", "CC=cccp-cc cc", "CCCP_AUTO=1"]);
    assert!(told.contains("no loop of mean does enough work"), "{told}");
    all_survive(&project, ".", true, &heat);
}

/// What a link has to do is what changed since the last one.
#[test]
fn a_second_link_compiles_what_changed() {
    let project = Project::new("second-link");
    let make = ["make", "CC=cccp-cc cc --cccp-verbose --cccp-auto", "heat"];
    let again = |told: &str| {
        let lines = told.lines().filter(|line| line.contains("-iquote"));
        lines.count()
    };
    assert_eq!(again(&project.run(&make)), 3);
    project.run(&["rm", "heat"]);
    assert_eq!(again(&project.run(&make)), 0);
    project.edit("src/solve.c", "0.25", "0.2");
    assert_eq!(again(&project.run(&make)), 1);
}

/// A refusal is the linker's error, and yesterday's program is gone.
#[test]
fn a_refusal_is_an_error_at_the_link() {
    let project = Project::new("refusal");
    let make = ["make", "CC=cccp-cc cc", "walk"];
    project.run(&make);
    project.edit("src/walk.c", "register(steps,", "register(stepps,");
    let refused = project.attempt(&make);
    let told = printed(&refused);
    assert_eq!(refused.status.code(), Some(2), "make: {told}");
    assert!(told.contains("`stepps` is not declared here"), "{told}");
    assert!(told.contains("--> src/walk.c:13:"), "{told}");
    assert!(!project.place.join("walk").exists());
    project.edit("src/walk.c", "stepps", "steps");
    project.run(&make);
}

/// An object and the headers that it was made with belong together.
#[test]
fn a_header_that_changed_since_is_told() {
    let project = Project::new("header-changed");
    project.edit("Makefile", "-include", "#");
    project.run(&["make", "CC=cccp-cc cc", "walk"]);
    project.edit("include/grid.h", "long n;", "int n;");
    project.run(&["rm", "walk"]);
    let told = printed(&project.attempt(&["make", "CC=cccp-cc cc", "walk"]));
    assert!(
        told.contains("src/walk.o was compiled with another `include/grid.h` than is there now"),
        "{told}"
    );
    project.run(&["rm", "src/walk.o", "lib/grid.o"]);
    project.run(&["make", "CC=cccp-cc cc", "walk"]);
}

/// In one step, with several sources, as small programs are built.
#[test]
fn one_step_is_enough() {
    let project = Project::new("one-step");
    let sources = ["src/heat.c", "src/solve.c", "lib/grid.c"];
    let build = |compiler: &[&str]| {
        let words = [compiler, &["-O2", "-Iinclude"], &sources, &["-o", "heat"]].concat();
        project.run(&words)
    };
    build(&["cc"]);
    let undisturbed = project.run(&["./heat", "50", "40"]);
    let told = build(&["cccp-cc", "--cccp-auto"]);
    assert!(told.contains(": checkpoint in "), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    project.survives("./heat", &["50", "40"], &undisturbed);
    assert!(!project.place.join("heat.o").exists());
}

/// A compiler that is called without OpenMP leaves its directives alone: there are no threads, and no variables of theirs.
#[test]
fn openmp_that_is_off_means_nothing() {
    let project = Project::new("openmp-off");
    project.write("sums.c", include_str!("build_systems/sums.c"));
    project.run(&["cc", "-O2", "sums.c", "-o", "sums"]);
    let undisturbed = project.run(&["./sums"]);
    let build = [
        "cccp-cc",
        "--cccp-auto",
        "cc",
        "-O2",
        "sums.c",
        "-o",
        "sums",
    ];
    let told = project.run(&build);
    assert!(told.starts_with("sums.c:17: checkpoint in main"), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    project.survives("./sums", &[], &undisturbed);
}

/// Objects, the preprocessor, questions, faults: the same words, the same status.
#[test]
fn nobody_notices_where_there_is_nothing_to_do() {
    let project = Project::new("unnoticed");
    project.write("conftest.c", "int main(void) { return 0; }\n");
    project.write("bad.c", "int main(void) { int unused; return missing; }\n");
    project.write(
        "undefined.c",
        "int f(void); int main(void) { return f(); }\n",
    );
    project.write(
        "words",
        "-O2 '-DTEXT=\"a b\"' -c conftest.c -o from-words.o\n",
    );
    let commands: [&[&str]; 13] = [
        &["--version"],
        &["-v"],
        &["-print-prog-name=ld"],
        &["-dumpmachine"],
        &["conftest.c"],
        &["conftest.c", "-o", "conftest", "-lm"],
        &["-Wall", "-c", "bad.c"],
        &["bad.c"],
        &["undefined.c"],
        &["-E", "src/solve.c", "-Iinclude"],
        &["-S", "src/solve.c", "-Iinclude", "-o", "-"],
        &["-no-such-option", "-c", "conftest.c"],
        &["@words"],
    ];
    for words in commands {
        for compiler in ["gcc", "clang"].into_iter().filter(|one| have(one)) {
            let plain = project.attempt(&[&[compiler], words].concat());
            let ours = project.attempt(&[&["cccp-cc", compiler], words].concat());
            assert_eq!(ours.status.code(), plain.status.code(), "{words:?}");
            // Temporary files of the compiler have other names each time.
            if words != ["undefined.c"] && words != ["-v"] {
                assert_eq!(printed(&ours), printed(&plain), "{words:?}");
            }
        }
    }
}

/// A program of a configuration that runs leaves nothing beside itself, whatever is set.
#[test]
fn s36_programs_of_a_configuration_are_left_alone_by_auto_mode() {
    let project = Project::new("configuration");
    let sums = include_str!("build_systems/sums.c");
    project.write("conftest.c", sums);
    project.run(&["mkdir", "CMakeScratch"]);
    project.write("CMakeScratch/works.c", sums);
    project.run(&["cc", "conftest.c", "-o", "plain"]);
    let undisturbed = project.run(&["./plain"]);
    for words in [
        &["conftest.c", "-o", "conftest"][..],
        &["CMakeScratch/works.c", "-o", "works"],
        &["-c", "CMakeScratch/works.c", "-o", "works.o"],
        &["works.o", "-o", "cmTC_5f2a1"],
    ] {
        let told = project.run(&[&["cccp-cc", "--cccp-auto", "cc"], words].concat());
        assert_eq!(told, "", "{words:?}");
    }
    for program in ["./conftest", "./works", "./cmTC_5f2a1"] {
        assert_eq!(project.run(&[program]), undisturbed, "{program}");
    }
    let left = project.run(&["sh", "-c", "ls -d *.cccp 2>/dev/null || true"]);
    assert_eq!(left, "");
}

/// What an object is made of is carried by archives and by objects of objects, and ends with the linker.
#[test]
fn records_are_carried_by_what_holds_objects() {
    let project = Project::new("carried");
    let has = |file: &str| {
        project
            .run(&["readelf", "-SW", file])
            .contains(".debug_cccp_source")
    };
    project.run(&["cccp-cc", "-Iinclude", "-c", "src/walk.c", "lib/grid.c"]);
    assert!(has("walk.o"));
    project.run(&["ld", "-r", "walk.o", "grid.o", "-o", "both.o"]);
    assert!(has("both.o"));
    project.run(&["objcopy", "walk.o", "copy.o"]);
    assert!(has("copy.o"));
    project.run(&["sh", "-c", "ar rc libw.a walk.o && ranlib libw.a"]);
    assert!(has("libw.a"));
    project.run(&["cc", "walk.o", "grid.o", "-o", "plain"]);
    assert!(!has("plain"), "a plain linker leaves it out");
    let told = printed(&project.attempt(&["cccp-cc", "both.o", "-o", "both"]));
    assert!(told.contains("joined with `ld -r`"), "{told}");
    let told = project.run(&[
        "cccp-cc",
        "-L.",
        "-Wl,--whole-archive",
        "-lw",
        "-Wl,--no-whole-archive",
        "grid.o",
        "-o",
        "walk",
    ]);
    assert_eq!(told, "");
    let undisturbed = project.run(&["./walk", "40"]);
    project.survives("./walk", &["40"], &undisturbed);
    // A thin archive holds the names of objects only; the mark is in one of them.
    project.run(&["sh", "-c", "rm walk && ar rcT libthin.a walk.o grid.o"]);
    project.run(&["cccp-cc", "libthin.a", "-o", "walk"]);
    project.survives("./walk", &["40"], &undisturbed);
    // A Makefile that names an object twice makes two members of it, of which the linker takes one.
    project.run(&[
        "sh",
        "-c",
        "rm walk && ar rc libtwice.a walk.o grid.o walk.o grid.o",
    ]);
    project.run(&["cccp-cc", "libtwice.a", "-o", "walk"]);
    project.survives("./walk", &["40"], &undisturbed);
    // What is stripped is a plain object.
    project.run(&["strip", "--strip-debug", "walk.o", "libw.a"]);
    assert!(!has("walk.o") && !has("libw.a"));
    let told = printed(&project.attempt(&["cccp-cc", "walk.o", "grid.o", "-o", "walk"]));
    assert_eq!(told.matches("cccp-cc:").count(), 0, "{told}");
}

/// Where the compiler cannot be named, links with compilers' names stand in front of them in PATH, as those of a compiler's
/// cache do, which may stand there, too. No compiler is then found twice.
#[test]
fn links_with_the_names_of_compilers_stand_for_cccp_cc() {
    let project = Project::new("links");
    let tool = tools_directory().join("cccp-cc");
    let links = project.place.join("links");
    std::fs::create_dir(&links).expect("a directory");
    for name in ["gcc", "cc", "mpicc"] {
        std::os::unix::fs::symlink(&tool, links.join(name)).expect("a link");
    }
    project.run(&["make", "CC=gcc", "heat"]);
    let undisturbed = project.run(&["./heat", "50", "40"]);
    let path = project.run(&["printenv", "PATH"]);
    let path = path.trim();
    let ours = format!("PATH={}:{path}", links.display());
    let mut paths = vec![ours.clone()];
    if have("ccache") {
        // A cache of compilers, which looks for the next one of a name: behind the links and before them.
        let cache = project.place.join("caches");
        std::fs::create_dir(&cache).expect("a directory");
        let ccache = project.run(&["sh", "-c", "command -v ccache"]);
        std::os::unix::fs::symlink(ccache.trim(), cache.join("gcc")).expect("a link");
        let (links, cache) = (links.display(), cache.display());
        paths.push(format!("PATH={links}:{cache}:{path}"));
        paths.push(format!("PATH={cache}:{links}:{path}"));
    }
    for path in paths {
        for compiler in ["gcc", "cccp-cc gcc"] {
            project.run(&["make", "clean"]);
            let compiler = format!("CC={compiler}");
            let told = project.run(&["env", &path, "CCCP_AUTO=1", "make", &compiler, "heat"]);
            assert!(!told.contains("cccp-cc: "), "{path}, {compiler}: {told}");
            project.survives("./heat", &["50", "40"], &undisturbed);
        }
    }
    let real = project.attempt(&["gcc", "--version"]);
    let linked = project.attempt(&["env", &ours, "gcc", "--version"]);
    assert_eq!(printed(&linked), printed(&real));
    // mpicc calls gcc, and finds the link.
    if mpi_or_word() {
        project.write(
            "rank.c",
            "#include <mpi.h>\nint main(void) { return MPI_SUCCESS; }\n",
        );
        let told = project.run(&["env", &ours, "mpicc", "rank.c", "-o", "rank"]);
        assert_eq!(told, "");
    }
    let alone = format!("PATH={}", links.display());
    let linked = links.join("gcc").display().to_string();
    let told = project.attempt(&["env", &alone, &linked, "-c", "src/heat.c"]);
    assert!(printed(&told).contains("PATH has no `gcc` but cccp-cc itself"));
}

/// With link-time optimisation, behind a compiler's cache, and with a shared library beside.
#[test]
fn what_stands_around_the_compiler_does_no_harm() {
    let project = Project::new("around");
    let heat = |compiler: &str, flags: &str| {
        project.run(&["make", "clean"]);
        let words = [
            format!("CC={compiler}"),
            format!("CFLAGS=-O2 -Iinclude {flags}"),
        ];
        project.run(&["make", &words[0], &words[1], "LDFLAGS=-O2 -flto", "heat"]);
        project.run(&["sh", "-c", "rm -rf heat.cccp"]);
        project.run(&["./heat", "50", "40"])
    };
    let undisturbed = heat("cc", "");
    assert_eq!(heat("cccp-cc --cccp-auto gcc", "-flto"), undisturbed);
    project.survives("./heat", &["50", "40"], &undisturbed);
    for compiler in [
        "cccp-cc --cccp-auto ccache gcc",
        "ccache cccp-cc --cccp-auto gcc",
    ] {
        if have("ccache") {
            assert_eq!(heat(compiler, ""), undisturbed);
            assert_eq!(heat(compiler, ""), undisturbed, "from the cache");
            project.survives("./heat", &["50", "40"], &undisturbed);
        }
    }

    let told = project.run(&[
        "cccp-cc",
        "-shared",
        "-fPIC",
        "-Iinclude",
        "src/walk.c",
        "-o",
        "libw.so",
    ]);
    assert!(
        told.contains("warning: the directives in libw.so do not count"),
        "{told}"
    );
}

/// A program whose main loop is in a shared library of its own: by name, by `-l`, with one library using another, inferred and
/// marked by hand. The library itself stays what it is.
#[test]
fn a_shared_library_of_the_project_is_part_of_the_program() {
    let project = Project::new("shared");
    project.write(
        "front.c",
        "int run(int, char **);\nint main(int argc, char **argv) { return run(argc, argv); }\n",
    );
    project.edit("src/heat.c", "int main(", "int run(");
    let build = |compiler: &str, flags: &str| {
        let script = format!(
            "set -e; for one in src/heat src/solve lib/grid front; do {compiler} -O2 -fPIC -Iinclude -c $one.c -o $one.o; done\n\
             {compiler} -shared -Wl,-soname,libgrid.so -o libgrid.so lib/grid.o\n\
             {compiler} -shared -o libheat.so src/heat.o src/solve.o -L. -lgrid -lm -Wl,-rpath,$PWD\n\
             {compiler} -o by-name front.o libheat.so {flags} -Wl,-rpath,$PWD\n\
             {compiler} -o by-option front.o -L. -lheat -lgrid {flags} -Wl,-rpath,$PWD"
        );
        project.run(&["sh", "-c", &script])
    };
    build("cc", "-L.");
    let undisturbed = project.run(&["./by-name", "50", "40"]);
    let needed = |file: &str| {
        project
            .run(&["readelf", "-d", file])
            .contains("[libheat.so]")
    };

    // Without marks and without CCCP_AUTO nothing is done.
    build("cccp-cc", "");
    assert!(needed("by-option"));
    assert_eq!(project.run(&["./by-name", "50", "40"]), undisturbed);
    let plain = project.run(&[
        "sh",
        "-c",
        "cc -o plain front.o libheat.so -L. -Wl,-rpath,$PWD && ./plain 50 40",
    ]);
    assert_eq!(plain, undisturbed);

    let told = build("cccp-cc --cccp-auto", "");
    assert!(
        told.contains("libheat.so") && told.contains("becomes part of by-name"),
        "{told}"
    );
    for program in ["./by-name", "./by-option"] {
        assert!(!needed(program));
        project.survives(program, &["50", "40"], &undisturbed);
        project.run(&["sh", "-c", "rm -rf *.cccp"]);
    }

    // A library that is older than its objects is told, and one without them is linked along.
    project.run(&[
        "cccp-cc",
        "-O1",
        "-fPIC",
        "-Iinclude",
        "-c",
        "src/solve.c",
        "-o",
        "src/solve.o",
    ]);
    let link = [
        "cccp-cc",
        "--cccp-auto",
        "-o",
        "again",
        "front.o",
        "libheat.so",
    ];
    let told = printed(&project.attempt(&link));
    assert!(
        told.contains("was linked from another") && told.contains("solve.o"),
        "{told}"
    );
    project.run(&["rm", "src/solve.o"]);
    let told = printed(&project.attempt(&[&link[..], &["-L.", "-Wl,-rpath,."]].concat()));
    assert!(
        told.contains("what it does is not seen: libheat.so"),
        "{told}"
    );
}

/// Marks in the library, none in the program that is linked with it.
#[test]
fn marks_in_a_shared_library_count_where_a_program_is_linked() {
    let project = Project::new("shared-marks");
    project.edit("src/walk.c", "int main(", "int run(");
    project.write(
        "front.c",
        "int run(int, char **);\nint main(int argc, char **argv) { return run(argc, argv); }\n",
    );
    let build = |compiler: &str| {
        let script = format!(
            "set -e; for one in src/walk lib/grid front; do {compiler} -O2 -fPIC -Iinclude -c $one.c -o $one.o; done\n\
             {compiler} -shared -o libwalk.so src/walk.o lib/grid.o\n\
             {compiler} -o walk front.o libwalk.so -Wl,-rpath,$PWD"
        );
        project.run(&["sh", "-c", &script])
    };
    build("cc");
    let undisturbed = project.run(&["./walk", "40"]);
    build("cccp-cc");
    project.survives("./walk", &["40"], &undisturbed);
    let before = project.run(&["sh", "-c", "cksum libwalk.so"]);
    project.run(&[
        "cccp-cc",
        "-o",
        "walk",
        "front.o",
        "libwalk.so",
        "-Wl,-rpath,.",
    ]);
    assert_eq!(project.run(&["sh", "-c", "cksum libwalk.so"]), before);
}

#[test]
fn with_cmake_the_compiler_is_named() {
    if !have("cmake") {
        eprintln!("no cmake here: this test is skipped");
        return;
    }
    let project = Project::new("cmake");
    project.run(&[
        "cmake",
        "-S",
        ".",
        "-B",
        "build",
        "-DCMAKE_C_COMPILER=cccp-cc",
    ]);
    project.run(&["cmake", "--build", "build"]);
    all_survive(
        &project,
        "build",
        false,
        &project.run(&["./build/heat", "50", "40"]),
    );
    project.run(&[
        "sh",
        "-c",
        "rm build/heat && CCCP_AUTO=1 cmake --build build -j2",
    ]);
    let heat = project.run(&["./build/heat", "50", "40"]);
    all_survive(&project, "build", true, &heat);
}

#[test]
fn with_the_autotools_the_compiler_is_named() {
    if !have("automake") {
        eprintln!("no automake here: this test is skipped");
        return;
    }
    let project = Project::new("autotools");
    project.run(&["autoreconf", "-i"]);
    let configure = |compiler: &str, directory: &str| {
        let script = format!("mkdir {directory} && cd {directory} && ../configure {compiler}");
        let told = project.run(&["sh", "-c", &script]);
        let answers = told
            .lines()
            .filter(|line| !line.contains("for gcc") && !line.contains("for cccp-cc"));
        answers.map(str::to_string).collect::<Vec<_>>()
    };
    configure("CC='cccp-cc gcc'", "build");
    project.run(&["make", "-C", "build", "CCCP_AUTO=1"]);
    let heat = project.run(&["./build/heat", "50", "40"]);
    all_survive(&project, "build", true, &heat);
}

/// One command installs everything; the tree works where it was moved to.
#[test]
fn an_installed_tree_may_be_moved() {
    let project = Project::new("installed");
    let install = root().join("cccp-runtime/install").display().to_string();
    let from = tools_directory().display().to_string();
    let destination = project.place.join("staged").display().to_string();
    finish(
        project
            .command(&[&install, "--prefix=/opt/cccp", "--from", &from])
            .env("DESTDIR", &destination),
    );
    project.run(&["mv", "staged/opt/cccp", "moved"]);
    let moved = project.place.join("moved");
    let cc = format!("CC={} gcc", moved.join("bin/cccp-cc").display());
    project.run(&["make", &cc, "walk"]);
    let undisturbed = project.run(&["./walk", "40"]);
    project.survives("./walk", &["40"], &undisturbed);
    // A static program gets the archive, and behind it the libraries that this needs.
    let cc = moved.join("bin/cccp-cc").display().to_string();
    let words = [&cc, "gcc", "-static", "-O2", "-Iinclude", "--cccp-auto"];
    let sources = ["src/heat.c", "src/solve.c", "lib/grid.c", "-lm"];
    project.run(&[&words[..], &sources, &["-o", "static-heat"]].concat());
    let undisturbed = project.run(&["./static-heat", "50", "40"]);
    project.survives("./static-heat", &["50", "40"], &undisturbed);
    if have("pkg-config") {
        let pages = moved.join("lib/pkgconfig").display().to_string();
        let told = finish(
            project
                .command(&["pkg-config", "--cflags", "--libs", "cccp"])
                .env("PKG_CONFIG_PATH", pages),
        );
        assert!(printed(&told).contains("-lcccp"));
    }
    if have("cmake") {
        let text = "cmake_minimum_required(VERSION 3.21)\nproject(own C)\nfind_package(cccp REQUIRED)\n\
                    add_executable(heat src/heat.c src/solve.c lib/grid.c)\n\
                    target_include_directories(heat PRIVATE include)\ncccp_target(heat AUTO EVERY 1)\n";
        project.write("CMakeLists.txt", text);
        let prefix = format!("-DCMAKE_PREFIX_PATH={}", moved.display());
        project.run(&["cmake", "-S", ".", "-B", "build", &prefix]);
        project.run(&["cmake", "--build", "build"]);
        let undisturbed = project.run(&["build/heat", "50", "40"]);
        project.survives("build/heat", &["50", "40"], &undisturbed);
    }
    for name in ["pp", "cc", "ckpt", "run"] {
        let page = moved.join(format!("share/man/man1/cccp-{name}.1"));
        assert!(page.is_file(), "{}", page.display());
    }
    // bash takes the scripts, and completes with them.
    for (name, begun, whole) in [
        ("pp", "--expl", "--explain"),
        ("cc", "--cccp-ex", "--cccp-explain"),
        ("ckpt", "ver", "verify"),
        ("run", "--prov", "--prove"),
    ] {
        let words = moved.join(format!("share/bash-completion/completions/cccp-{name}"));
        let script = format!(
            "{{ . {0}; COMP_WORDS=(cccp-{name} {begun}); COMP_CWORD=1; \
             $(complete -p cccp-{name} | sed 's/.*-F \\([^ ]*\\) .*/\\1/') cccp-{name} {begun} cccp-{name}; \
             printf '%s\\n' \"${{COMPREPLY[@]}}\"; }}",
            words.display()
        );
        let told = project.run(&["bash", "-c", &script]);
        assert_eq!(told.lines().next(), Some(whole), "cccp-{name}: {told}");
    }
    // What cccp adds to a program is the library's, not the program's.
    let size = |program: &str| {
        project.run(&["strip", program]);
        project
            .place
            .join(program)
            .metadata()
            .expect("a program")
            .len()
    };
    let with = size("walk");
    project.run(&["make", "clean"]);
    project.run(&["make", "walk"]);
    let more = with.saturating_sub(size("walk"));
    assert!(more <= 600_000, "{more} bytes more in a stripped program");
    // Other libraries in Rust, and programs with names like ours, are in nobody's way.
    let archive = moved.join("lib/libcccp.a").display().to_string();
    let told = project.run(&["nm", "--extern-only", "--defined-only", &archive]);
    let names = told
        .lines()
        .filter_map(|line| line.split_whitespace().nth(2));
    let strange: Vec<&str> = names
        .filter(|name| !name.to_lowercase().starts_with("cccp_"))
        .collect();
    assert!(strange.is_empty(), "{strange:?}");
    // What is removed is what was installed.
    let own = moved.join("share/own");
    std::fs::write(&own, "").expect("a file");
    let remove = [
        &install,
        "--uninstall",
        "--prefix",
        &moved.display().to_string(),
    ];
    project.run(&remove);
    let left = project.run(&["find", "moved", "-type", "f"]);
    assert_eq!(left, "moved/share/own\n");
    let told = printed(&project.attempt(&remove));
    assert!(told.contains("nothing of cccp is installed in"), "{told}");
}

/// An MPI program of several files with a library of its own, as `make CC="cccp-cc mpicc"` builds it: without marks it is the
/// compiler's, inferred and marked by hand it survives.
#[test]
fn with_mpi_the_library_for_it_is_linked() {
    if !mpi_or_word() {
        return;
    }
    let project = Project::new("mpi");
    project.write(
        "halo.h",
        "#include <mpi.h>\nvoid exchange(double *u, int n, int rank, int size);\n",
    );
    project.write(
        "halo.c",
        "#include \"halo.h\"\nvoid exchange(double *u, int n, int rank, int size)\n{\n    \
         int up = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, down = rank ? rank - 1 : MPI_PROC_NULL;\n    \
         MPI_Sendrecv(u + n, 1, MPI_DOUBLE, up, 1, u, 1, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n    \
         MPI_Sendrecv(u + 1, 1, MPI_DOUBLE, down, 2, u + n + 1, 1, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n}\n",
    );
    project.write("step.c", "void step(double *to, const double *from, int n)\n{\n    for (int i = 1; i <= n; i++)\n        \
         to[i] = from[i] + 0.25 * (from[i - 1] - 2.0 * from[i] + from[i + 1]);\n}\n");
    let program = |init: &str, marks: &str, shutdown: &str| {
        format!(
            "#include <stdio.h>\n#include <stdlib.h>\n#include \"halo.h\"\nvoid step(double *, const double *, int);\n\
             int main(int argc, char **argv)\n{{\n    int rank, size, n = 200, now;\n    MPI_Init(&argc, &argv);\n{init}    \
             MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    MPI_Comm_size(MPI_COMM_WORLD, &size);\n    \
             double *u = calloc(n + 2, sizeof *u), *v = calloc(n + 2, sizeof *v), all, sum = 0.0;\n    \
             if (rank == 0) u[1] = 100.0;\n    for (now = 0; now < 300; now++) {{\n{marks}        \
             exchange(u, n, rank, size);\n        step(v, u, n);\n        double *t = u; u = v; v = t;\n    }}\n    \
             for (int i = 1; i <= n; i++) sum += i * u[i];\n    \
             MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);\n    \
             if (rank == 0) printf(\"%.17g\\n\", all);\n{shutdown}    MPI_Finalize();\n    free(u);\n    free(v);\n    return 0;\n}}\n"
        )
    };
    project.write("bare.c", &program("", "", ""));
    project.write(
        "marked.c",
        &program(
            "#pragma cccp init\n#pragma cccp execute on restart\n    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    \
             MPI_Comm_size(MPI_COMM_WORLD, &size);\n#pragma cccp end execute\n",
            "#pragma cccp register(now, u[n + 2], v[n + 2], sum)\n#pragma cccp checkpoint every(1)\n",
            "#pragma cccp shutdown\n",
        ),
    );
    project.write(
        "GNUmakefile",
        "CC = mpicc\nCFLAGS = -O2 -Wno-unknown-pragmas -MMD\nall: bare marked\nbare: bare.o libhalo.a\nmarked: marked.o libhalo.a\n\
         bare marked:\n\t$(CC) -o $@ $< -L. -lhalo\nlibhalo.a: halo.o step.o\n\t$(AR) rcs $@ $^\n",
    );
    let mpirun = ["mpirun", "-n", "2"];
    project.run(&["make"]);
    let undisturbed = project.run(&[&mpirun[..], &["./bare"]].concat());
    project.run(&["sh", "-c", "cp bare plain && rm *.o *.a bare marked"]);
    project.run(&["make", "CC=cccp-cc mpicc"]);
    project.run(&["cmp", "bare", "plain"]);
    let survives = |program: &str| {
        let words = [&mpirun[..], &[program]].concat();
        let mut killed = project.command(&words);
        killed
            .env("CCCP_KILL_AT", "checkpoint:9@1")
            .env("CCCP_EVERY", "1");
        assert!(
            !killed.output().expect("a run").status.success(),
            "{program} was not killed"
        );
        let resumed = project.attempt(&words);
        let errors = String::from_utf8_lossy(&resumed.stderr);
        assert!(errors.contains("restart of"), "{program}: {errors}");
        assert_eq!(String::from_utf8_lossy(&resumed.stdout), undisturbed);
    };
    survives("./marked");
    project.run(&["rm", "bare"]);
    project.run(&["make", "CC=cccp-cc mpicc", "CCCP_AUTO=1", "bare"]);
    survives("./bare");

    // Where the library for serial programs is linked by hand, the linker says which one it has to be.
    project.run(&[
        "cccp-pp", "--cc", "mpicc", "marked.c", "halo.c", "step.c", "-d", "out",
    ]);
    let told = printed(&project.attempt(&[
        "sh",
        "-c",
        "mpicc -I. $(cccp-pp --cflags) out/*.c -o wrong $(cccp-pp --libs)",
    ]));
    assert!(
        told.contains("cccp_an_MPI_program_needs_libcccp_mpi_instead_of_libcccp"),
        "{told}"
    );
}
