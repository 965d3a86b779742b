//! What the user may say.
//!
//! Options of the preprocessor are taken as `cc` takes them, `-include` and `-std` with one dash included, and handed
//! on in their order.

use super::depends::quoted;
use super::words::in_our_form;
use crate::analysis::load::Profile;
use clap::{CommandFactory, FromArgMatches, Parser, ValueEnum};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// C in, C out: turns #pragma cccp directives into code that survives a crash
#[derive(Parser, Clone, Debug)]
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
    /// Write FILE.c to DIR/FILE.c instead of standard output; with their directories when two have the same name. A result
    /// that is there already is not touched
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
    /// Hand any other flag to the preprocessor; those that compilers take (-O2 -g -fopenmp -Wall -march=native -isystem DIR) are
    /// handed on as they are
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    pub cpp_flag: Vec<String>,
    /// Write what the results depend on, as a rule for make, to OUT.d (`-MD` works, too, and so do the following)
    #[arg(long = "MD")]
    pub depends: bool,
    /// The same without headers of the system
    #[arg(long = "MMD")]
    pub depends_own: bool,
    /// With -MD and -MMD: one rule for all results, in FILE
    #[arg(long = "MF", value_name = "FILE")]
    pub rules_file: Option<PathBuf>,
    /// With -MD and -MMD: what depends, instead of the results
    #[arg(long = "MT", value_name = "TARGET")]
    pub targets: Vec<String>,
    /// The same, with what make reads otherwise quoted
    #[arg(long = "MQ", value_name = "TARGET")]
    pub quoted_targets: Vec<String>,
    /// With -MD and -MMD: a rule without a recipe for every header, so that it may go away
    #[arg(long = "MP")]
    pub phony: bool,
    /// The compiler whose preprocessor is used; for MPI programs mpicc
    #[arg(long, value_name = "CC", default_value = "cc")]
    pub cc: String,
    /// Learn what library functions do from FILE; see precompiler/catalog for the form
    #[arg(long, value_name = "FILE")]
    pub catalog: Vec<PathBuf>,
    /// Make an error of what is a warning otherwise, or only assumed; may be given several times
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',')]
    pub deny: Vec<Denied>,
    /// Print a stage instead of the result
    #[arg(long, value_name = "STAGE", value_enum)]
    pub emit: Option<Stage>,
    /// Choose loops by what a profiler measured: lines `FUNCTION:LINE SECONDS`, or what `gprof -b -p` or `perf report
    /// --stdio` prints. Or choose among checkpoints, those of --auto, too, by what a run with CCCP_PROFILE=FILE has
    /// written: those that it does not choose are left out
    #[arg(long, value_name = "FILE", value_parser = measured)]
    pub profile: Option<Measured>,
    /// Say on standard error how long each pass took
    #[arg(long)]
    pub timing: bool,
    /// Infer the directives that are missing: the program may have none at all
    #[arg(long)]
    pub auto: bool,
    /// Print the files with the directives that --auto infers, each with its reason; `patch`: as a patch
    #[arg(
        long,
        value_name = "text|patch",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "text"
    )]
    pub annotate: Option<Annotate>,
    /// With --auto and --annotate: a checkpoint at every N-th pass, as the clause every(N) says it; without it by time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub every: Option<u64>,
    /// With --auto and --annotate: where allocated memory comes back. A fixed heap serves more programs, and restarts on the same kind of
    /// machine with the same executable only
    #[arg(long, value_name = "HOW", value_enum, default_value = "auto")]
    pub heap: HeapChoice,
    /// For tests: under the setting `poison`, a restart fills all variables that it does not restore with values that show
    #[arg(long)]
    pub poison: bool,
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
    /// Write the manual pages of cccp-pp and cccp-cc into DIR
    #[arg(long, value_name = "DIR")]
    pub man: Option<PathBuf>,
    /// Print the completions for a shell
    #[arg(long, value_name = "SHELL")]
    pub completions: Option<clap_complete::Shell>,
    /// Say what the checkpoints of the files hold and what not, and why: as text, json or html; with the CODE of a
    /// message, say more about it
    #[arg(
        long,
        value_name = "text|json|html|CODE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "text"
    )]
    pub explain: Option<Explain>,
    /// With --explain: the value of a name that sizes depend on, such as n=1000, mesh.cells=1e6 or solve:n=20
    #[arg(long, value_name = "NAME=NUMBER", requires = "explain")]
    pub size: Vec<String>,
    /// Options of the preprocessor in the order given.
    #[arg(skip)]
    pub preprocessor: Vec<String>,
    /// What -MD and its like ask for.
    #[arg(skip)]
    pub rules: Option<Rules>,
    /// The files and lines in which auto mode puts checkpoints, when a profile chooses them.
    #[arg(skip)]
    pub only: Option<BTreeSet<(String, usize)>>,
}

/// What becomes of allocated memory in auto mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum HeapChoice {
    /// By its types where that serves, otherwise in a fixed heap
    Auto,
    /// By its types: it is restored anywhere
    Typed,
    /// As it is, at its old addresses
    Fixed,
}

/// Rules for make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The headers of the system are named, too.
    pub with_system: bool,
    /// The one file for all; otherwise each result has its own.
    pub file: Option<PathBuf>,
    /// What depends, as make reads it; otherwise the results.
    pub targets: Vec<String>,
    /// Headers get rules of their own.
    pub phony: bool,
}

/// What is explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Explain {
    /// The checkpoints, as text.
    Text,
    /// The same as JSON.
    Json,
    /// The same as a page for a browser.
    Html,
    /// A message, by its code.
    Code(String),
}

impl FromStr for Explain {
    type Err = String;

    fn from_str(word: &str) -> Result<Explain, String> {
        match word {
            "text" => Ok(Explain::Text),
            "json" => Ok(Explain::Json),
            "html" => Ok(Explain::Html),
            code if is_code(code) => Ok(Explain::Code(code.to_string())),
            _ => Err("say text, json, html or the code of a message such as CCCP107".to_string()),
        }
    }
}

/// What was measured.
#[derive(Debug, Clone)]
pub enum Measured {
    /// How long loops take.
    Loops(Profile),
    /// What checkpoints bring at their places: the file.
    Places(PathBuf),
}

fn measured(path: &str) -> Result<Measured, String> {
    let text = std::fs::read(path).unwrap_or_default();
    match text.starts_with(b"{\"event\":") {
        true => Ok(Measured::Places(PathBuf::from(path))),
        false => profile(path).map(Measured::Loops),
    }
}

/// A profile, from the file with this name.
fn profile(path: &str) -> Result<Profile, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    Profile::read(&text)
}

/// `CCCP107` or `107`, in any case.
fn is_code(word: &str) -> bool {
    let digits = word
        .get(..4)
        .filter(|start| start.eq_ignore_ascii_case("cccp"))
        .map_or(word, |_| &word[4..]);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
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
    /// What pointers may point to
    PointsTo,
    /// The catalogue's entries to write for unknown functions
    Unknown,
    /// What every function reads, writes, allocates and calls on
    Effects,
    /// Which loops and calls overwrite whole arrays
    Coverage,
    /// How much work each loop does, and which are worth a checkpoint
    Load,
    /// Where no message is in flight, and why
    Communication,
    /// What is live at every checkpoint, and why
    Liveness,
    /// What a restart does about it, and what registers are needed for
    Completeness,
    /// What every client function turns into
    Plan,
    /// The result
    Rewrite,
}

impl Stage {
    /// One text for all files together.
    pub fn is_of_the_program(self) -> bool {
        match self {
            Stage::Source
            | Stage::Syntax
            | Stage::Directive
            | Stage::Program
            | Stage::Analysis
            | Stage::Plan
            | Stage::Rewrite => false,
            Stage::Steps
            | Stage::PointsTo
            | Stage::Unknown
            | Stage::Effects
            | Stage::Coverage
            | Stage::Load
            | Stage::Communication
            | Stage::Liveness
            | Stage::Completeness => true,
        }
    }
}

/// Warnings that can be made errors, and assumptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Denied {
    /// Functions that are neither in the files given nor in the catalogue
    Unknown,
    /// Variables that a restart needs and that nothing restores
    Incomplete,
    /// What has to hold for a right restart, and cannot be checked
    Assumed,
    /// Effects beyond the process that every start repeats
    Repeated,
}

impl Options {
    /// Directives are inferred.
    pub fn infers(&self) -> bool {
        self.auto || self.annotate.is_some()
    }

    /// Whether a warning is an error.
    pub fn denies(&self, what: Denied) -> bool {
        self.deny.contains(&what)
    }
}

/// The form of annotated files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Annotate {
    /// The files as a whole
    Text,
    /// What is added, for `patch -p0`
    Patch,
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

  cccp-pp --auto --every 100 heat.c > heat.cccp.c     a program without any mark
  cccp-pp --annotate=patch main.c solver.c            the directives it would get, with their reasons

  cccp-pp --deny incomplete heat.c forgotten registers are errors, not warnings
  cccp-pp --emit plan heat.c       what will be saved, and how a restart finds its way
  cccp-pp --emit unknown heat.c    what to write about unknown functions
  cccp-pp --explain heat.c         what the checkpoints hold and what not, and why
  cccp-pp --explain=html heat.c -o heat.html     the same beside the source, for a browser
  cccp-pp --explain heat.c --size n=1e6          the same with numbers of bytes
  cccp-pp --explain CCCP107        more about a message";

impl Options {
    /// How long loops take, as measured.
    pub fn loops(&self) -> Option<&Profile> {
        match &self.profile {
            Some(Measured::Loops(profile)) => Some(profile),
            _ => None,
        }
    }

    /// The file that chooses among checkpoints.
    pub fn places(&self) -> Option<&Path> {
        match &self.profile {
            Some(Measured::Places(path)) => Some(path),
            _ => None,
        }
    }

    /// Reads the command line; clap prints what is wrong with it.
    pub fn read(words: impl Iterator<Item = OsString>) -> Result<Options, clap::Error> {
        let matches = Options::command().try_get_matches_from(in_our_form(words))?;
        let mut options = Options::from_arg_matches(&matches)?;
        if options.every.is_some() && !options.infers() {
            let reason = "--every says how often the checkpoints that --auto finds are taken; for your own write \
                          `#pragma cccp checkpoint every(N)`, or start the program with --cccp-every=N";
            let kind = clap::error::ErrorKind::MissingRequiredArgument;
            return Err(Options::command().error(kind, reason));
        }
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
        options.rules = (options.depends || options.depends_own).then(|| {
            let quoted = options.quoted_targets.iter().map(|one| quoted(one));
            Rules {
                with_system: options.depends,
                file: options.rules_file.clone(),
                targets: options.targets.iter().cloned().chain(quoted).collect(),
                phony: options.phony,
            }
        });
        options.preprocessor = ordered.into_iter().flat_map(|(_, words)| words).collect();
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stage_that_can_be_printed_is_on_the_page() {
        let page = std::fs::read_to_string("README.md").expect("the page");
        let (_, list) = page.split_once("`--emit STAGE` prints").expect("the list");
        let list = list.split("[the theory]").next().unwrap_or_default();
        let told: Vec<&str> = list.split('`').skip(1).step_by(2).collect();
        let there = Stage::value_variants()
            .iter()
            .filter_map(Stage::to_possible_value);
        let there: Vec<String> = there.map(|one| one.get_name().to_string()).collect();
        assert_eq!(told, there, "README.md, Everything that can be printed");
    }

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
            "-O2",
            "-Wall",
            "-c",
            "-isystem",
            "sys",
            "-isystemother",
            "-lm",
        ];
        let options =
            Options::read(words.iter().map(OsString::from)).expect("a valid command line");
        assert_eq!(
            options.preprocessor,
            [
                "-DN=3",
                "-std=c99",
                "-UX",
                "-include",
                "x.h",
                "-Iinc",
                "-fopenmp",
                "-O2",
                "-Wall",
                "-isystem",
                "sys",
                "-isystemother"
            ]
        );
        assert_eq!(options.files, [PathBuf::from("a.c")]);
    }
}
