//! Files that a library opens by their names.

use std::process::Command;

use crate::harness::{Compiler, Workplace, finish, root};
use crate::{assert_same, build};

#[test]
fn s35_a_file_that_zlib_writes_ends_as_undisturbed() {
    let place = Workplace::new("zipped");
    let library = place.join("zlib.o");
    let mut compiler = Command::new("gcc");
    compiler.args(["-O1", "-c", "-o"]).arg(&library);
    finish(compiler.arg(root().join("tests/open_files/zlib.c")));
    let library = library.to_str().expect("a path of text");
    let build = build("zipped").with(Compiler::Gcc, &["-O1", library]);
    let plain = build.clone().plain().to(place.path(), "plain");
    let undisturbed = place.directory("undisturbed");
    let expected = plain.run(&undisturbed).well().output;
    let words = ["--auto", "--every", "1"];
    let program = build.tool_flags(&words).to(place.path(), "zipped");
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
