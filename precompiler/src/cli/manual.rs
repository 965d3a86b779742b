//! Manual pages and completions, made of the same description as the command line itself.

use std::io::Write;

use super::options::Options;
use clap::{Arg, ArgAction, Command, CommandFactory, ValueHint};
use clap_complete::Shell;
use clap_mangen::Man;

/// What cccp-cc says about itself. It is no command line of clap's: the words of every compiler are welcome.
pub const CC: &str = "\
Usage: cccp-cc [--cccp-OPTION]... [COMPILER] [WORD]...

The C compiler with checkpoints: compiles and links as COMPILER does (cc, if none is named), and serves programs with
#pragma cccp directives when they are linked. For build systems:

  make CC=\"cccp-cc gcc\"
  ./configure CC=\"cccp-cc mpicc\"
  cmake -DCMAKE_C_COMPILER=cccp-cc

Options, wherever they stand:
  --cccp-auto          infer the directives of the program that is linked; so does CCCP_AUTO=1 in the environment
  --cccp-every=N       with --cccp-auto: a checkpoint at every N-th pass
  --cccp-explain=FILE  write the report about the checkpoints to FILE, for a browser
  --cccp-keep=DIR      keep the C text that was compiled for the program
  --cccp-deny=WHAT     make an error of a warning, as cccp-pp does: unknown, incomplete, assumed, repeated
  --cccp-catalog=FILE  what library functions do, as for cccp-pp
  --cccp-verbose       show what is done
  --cccp-off           be the plain compiler
  --cccp-completions=SHELL  print the completions for a shell: bash, zsh or fish
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

/// The completions of cccp-cc: its own options, and commands and files as for any command that begins another.
pub fn completions_of_cc(shell: Shell) -> Vec<u8> {
    let options = CC.lines().filter_map(|line| {
        let line = line.trim_start().strip_prefix("--")?;
        let (option, meaning) = line.split_once("  ")?;
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        let arg = Arg::new(name).long(name).help(meaning.trim_start());
        Some(match value {
            "" => arg.action(ArgAction::SetTrue),
            "FILE" | "DIR" => arg.value_hint(ValueHint::AnyPath),
            "SHELL" => arg.value_parser(["bash", "zsh", "fish"]),
            _ => arg,
        })
    });
    let words = Arg::new("words")
        .num_args(0..)
        .trailing_var_arg(true)
        .value_hint(ValueHint::CommandWithArguments);
    let mut command = Command::new("cccp-cc")
        .disable_help_flag(true)
        .args(options)
        .arg(words);
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command, "cccp-cc", &mut text);
    text
}

/// The completions for a shell.
pub fn completions(shell: Shell) -> Vec<u8> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Options::command(), "cccp-pp", &mut text);
    text
}
