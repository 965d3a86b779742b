//! What the user may say.
//!
//! Options of the preprocessor are taken as `cc` takes them, `-include` and `-std` with one dash included, and handed
//! on in their order.

use clap::{CommandFactory, FromArgMatches, Parser, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// C in, C out: turns #pragma cccp directives into code that survives a crash
#[derive(Parser, Debug)]
#[command(
    name = "cccp-pp",
    version,
    after_help = EXAMPLES,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
pub struct Options {
    /// C files; several are seen as one program, so that calls are followed across files
    #[arg(value_name = "FILE.c")]
    pub files: Vec<PathBuf>,
    /// Write FILE.c to DIR/FILE.c instead of standard output
    #[arg(short = 'd', value_name = "DIR")]
    pub directory: Option<PathBuf>,
    /// Write to OUT instead of standard output (one input file)
    #[arg(short = 'o', value_name = "OUT", conflicts_with = "directory")]
    pub output: Option<PathBuf>,
    /// Look for included files in DIR
    #[arg(short = 'I', value_name = "DIR")]
    pub include_directories: Vec<String>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME")]
    pub undefine: Vec<String>,
    /// Include FILE first (`-include FILE` works, too)
    #[arg(long = "include", value_name = "FILE")]
    pub include: Vec<String>,
    /// The C standard (`-std=c99` works, too)
    #[arg(long = "std", value_name = "STANDARD")]
    pub standard: Vec<String>,
    /// Hand any other flag to the preprocessor, such as --cpp-flag -fopenmp
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    pub cpp_flag: Vec<String>,
    /// The compiler whose preprocessor is used; for MPI programs mpicc
    #[arg(long, value_name = "CC", default_value = "cc")]
    pub cc: String,
    /// Learn what library functions do from FILE; see precompiler/catalog for the form
    #[arg(long, value_name = "FILE")]
    pub catalog: Vec<PathBuf>,
    /// Make an error of what is a warning otherwise; may be given several times
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',')]
    pub deny: Vec<Denied>,
    /// Print a stage instead of the result
    #[arg(long, value_name = "STAGE", value_enum)]
    pub emit: Option<Stage>,
    /// Say on standard error how long each pass took
    #[arg(long)]
    pub timing: bool,
    /// How control finds its block on restart
    #[arg(long, value_enum, default_value = "label")]
    pub dispatch: DispatchChoice,
    /// Print what the compiler needs
    #[arg(long)]
    pub cflags: bool,
    /// Print what the linker needs
    #[arg(long)]
    pub libs: bool,
    /// With --cflags and --libs: for an MPI program
    #[arg(long)]
    pub mpi: bool,
    /// With --libs: the libraries that cargo built with the same --target
    #[arg(long, value_name = "TRIPLE", requires = "libs")]
    pub target: Option<String>,
    /// Explain a message
    #[arg(long, value_name = "CODE")]
    pub explain: Option<String>,
    /// Options of the preprocessor in the order given.
    #[arg(skip)]
    pub preprocessor: Vec<String>,
}

/// Stages of the precompiler, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Stage {
    /// The preprocessed text
    Source,
    /// The syntax tree
    Syntax,
    /// The directives
    Directive,
    /// Symbols, types and statements
    Program,
    /// Which functions are clients, and what they reach
    Analysis,
    /// What every statement reads, writes and calls
    Steps,
    /// The catalogue's entries to write for functions that nobody knows
    Unknown,
    /// What every client function turns into
    Plan,
    /// The result
    Rewrite,
}

/// Warnings that can be made errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Denied {
    /// Functions that are neither in the files given nor in the catalogue
    Unknown,
    /// Variables that a restart needs and that nothing brings back
    Incomplete,
}

impl Options {
    /// Whether a warning is an error.
    pub fn denies(&self, what: Denied) -> bool {
        self.deny.contains(&what)
    }
}

/// Label addresses or a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DispatchChoice {
    /// A table of label addresses (gcc, clang and compatible compilers)
    Label,
    /// A switch with gotos (any compiler)
    Switch,
}

const EXAMPLES: &str = "Examples:
  cccp-pp heat.c > heat.cccp.c
  cc $(cccp-pp --cflags) heat.cccp.c -o heat $(cccp-pp --libs) -lm

  cccp-pp --cc mpicc main.c solver.c -d precompiled
  mpicc $(cccp-pp --cflags) precompiled/*.c -o solver $(cccp-pp --libs --mpi)

  cccp-pp --emit plan heat.c       what will be saved, and how a restart finds its way
  cccp-pp --emit unknown heat.c    what to write about functions that nobody knows
  cccp-pp --explain CCCP107        more about a message";

/// `-include` and `-std=` have one dash.
fn two_dashes(word: OsString) -> OsString {
    match word.to_str() {
        Some("-include") => "--include".into(),
        Some(text) if text.starts_with("-std=") => format!("-{text}").into(),
        _ => word,
    }
}

impl Options {
    /// Reads the command line; clap prints what is wrong with it.
    pub fn read(words: impl Iterator<Item = OsString>) -> Result<Options, clap::Error> {
        let matches = Options::command().try_get_matches_from(words.map(two_dashes))?;
        let mut options = Options::from_arg_matches(&matches)?;
        let mut ordered: Vec<(usize, Vec<String>)> = Vec::new();
        for (id, prefix) in [
            ("include_directories", "-I"),
            ("define", "-D"),
            ("undefine", "-U"),
            ("include", "-include"),
            ("standard", "-std="),
            ("cpp_flag", ""),
        ] {
            let (Some(places), Some(values)) =
                (matches.indices_of(id), matches.get_many::<String>(id))
            else {
                continue;
            };
            for (place, value) in places.zip(values) {
                let words = match prefix {
                    "-include" => vec![prefix.to_string(), value.clone()],
                    prefix => vec![format!("{prefix}{value}")],
                };
                ordered.push((place, words));
            }
        }
        ordered.sort();
        options.preprocessor = ordered.into_iter().flat_map(|(_, words)| words).collect();
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preprocessor_options_are_taken_as_cc_takes_them() {
        let words = [
            "cccp-pp",
            "-DN=3",
            "a.c",
            "-std=c99",
            "-U",
            "X",
            "-include",
            "x.h",
            "-Iinc",
            "--cpp-flag",
            "-fopenmp",
        ];
        let options =
            Options::read(words.iter().map(OsString::from)).expect("a valid command line");
        assert_eq!(
            options.preprocessor,
            [
                "-DN=3", "-std=c99", "-UX", "-include", "x.h", "-Iinc", "-fopenmp"
            ]
        );
        assert_eq!(options.files, [PathBuf::from("a.c")]);
    }
}
