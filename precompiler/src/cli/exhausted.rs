//! What both tools say when the system has no memory left.

use std::io::Write;

/// Errors of the tools themselves have it, too.
const STATUS: i32 = 2;

/// Says so without allocating anything, and ends.
pub fn exhausted(bytes: usize) -> ! {
    let mut errors = std::io::stderr().lock();
    // There is nobody left to tell when this fails.
    let _ = writeln!(
        errors,
        "\ncccp: no memory is left: {bytes} bytes more were refused. The analysis looks at the whole program at once; raise the limit \
         (`ulimit -v`), use a machine with more memory, or compile without cccp (`cccp-cc --cccp-off`)"
    );
    std::process::exit(STATUS)
}
