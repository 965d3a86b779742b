//! Manual pages and completions, made of the same description as the command line itself.

use std::io::Write;

use super::options::Options;
use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

/// What cccp-cc says about itself. It is no command line of clap's: the words of every compiler are welcome.
pub const CC: &str = "\
Usage: cccp-cc [--cccp-OPTION]... [COMPILER] [WORD]...

The C compiler with checkpoints: compiles and links as COMPILER does (cc, if none is named), and serves programs with
#pragma cccp marks when they are linked. For build systems:

  make CC=\"cccp-cc gcc\"
  ./configure CC=\"cccp-cc mpicc\"
  cmake -DCMAKE_C_COMPILER=cccp-cc

Options, wherever they stand:
  --cccp-auto          infer the marks of the program that is linked; so does CCCP_AUTO=1 in the environment
  --cccp-every=N       with --cccp-auto: a checkpoint at every N-th pass
  --cccp-explain=FILE  write the report about the checkpoints to FILE, for a browser
  --cccp-keep=DIR      keep the C text that was compiled for the program
  --cccp-deny=WHAT     make an error of a warning, as cccp-pp does: unknown, incomplete, assumed, repeated
  --cccp-catalog=FILE  what library functions do, as for cccp-pp
  --cccp-verbose       show what is done
  --cccp-off           be the plain compiler
  --cccp-help          this text

Compiled texts are kept in $XDG_CACHE_HOME/cccp, or ~/.cache/cccp.
";

/// The pages, with their names.
pub fn pages() -> std::io::Result<[(&'static str, Vec<u8>); 2]> {
    let mut pp = Vec::new();
    Man::new(Options::command()).render(&mut pp)?;
    let mut cc = Vec::new();
    let version = env!("CARGO_PKG_VERSION");
    writeln!(cc, ".TH cccp-cc 1 \"\" \"cccp {version}\"\n.SH NAME")?;
    writeln!(
        cc,
        "cccp\\-cc \\- the C compiler with checkpoints\n.SH SYNOPSIS\n.nf"
    )?;
    for line in CC.trim_start_matches("Usage: ").lines() {
        writeln!(cc, "\\&{}", line.replace('\\', "\\e").replace('-', "\\-"))?;
    }
    Ok([("cccp-pp.1", pp), ("cccp-cc.1", cc)])
}

/// The completions for a shell.
pub fn completions(shell: Shell) -> Vec<u8> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Options::command(), "cccp-pp", &mut text);
    text
}
