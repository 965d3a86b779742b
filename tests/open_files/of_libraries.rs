//! Files that a library opens by their names.

use std::process::Command;

use crate::harness::{Compiler, Workplace, finish, root};
use crate::{assert_same, build};

/// A program, and a library of our own with functions of the real one's names.
fn survives(name: &str, library: &str, words: &[&str]) {
    let place = Workplace::new(name);
    let object = place.join("library.o");
    let mut compiler = Command::new("gcc");
    compiler.args(["-O1", "-c", "-o"]).arg(&object);
    finish(compiler.arg(root().join(format!("tests/open_files/{library}.c"))));
    let object = object.to_str().expect("a path of text");
    let build = build(name).with(Compiler::Gcc, &["-O1", object]).careless();
    let plain = build.clone().plain().to(place.path(), "plain");
    let undisturbed = place.directory("undisturbed");
    let expected = plain.run(&undisturbed).well().output;
    let program = build.tool_flags(words).to(place.path(), name);
    for points in [&[2][..], &[21], &[9, 7, 5]] {
        let directory = place.directory(&format!("killed-{points:?}"));
        let run = || program.run(&directory).set("CCCP_WRITE", "synchronous");
        for point in points {
            run().kill_at(&format!("checkpoint:{point}"));
        }
        let resumed = run().well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, expected, "{points:?}");
        assert_same(&directory, &undisturbed, &format!("{points:?}"));
    }
}

#[test]
fn s35_a_file_that_zlib_writes_ends_as_undisturbed() {
    survives("zipped", "zlib", &["--auto", "--every", "1"]);
}

#[test]
fn s35_files_that_hdf5_and_netcdf_change_where_they_lie_end_as_undisturbed() {
    survives("scientific", "hdf5", &[]);
}
