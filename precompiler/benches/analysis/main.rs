//! How long the precompiler takes, pass by pass: for programs of growing length, against `gcc -O2 -c` of the same files, and
//! for programs of the kind for which the figures of CPPC are known.
//!
//! ```text
//! cargo bench -p cccp-precompiler --bench analysis [-- LINES...]     1000 10000 100000 when none are given
//! cargo bench -p cccp-precompiler --bench analysis -- nas            NAS programs in C, when their sources are there
//! cargo bench -p cccp-precompiler --bench analysis -- --write DIR LINES     only writes the program
//! ```
//!
//! Every figure is the median of seven runs. *analysis* are the passes that a program without marks would not need. *growth*
//! is the exponent e of lines^e between the two lengths beside it: 1.00 is linear. Passes are measured by the clock on the wall,
//! the compiler by the processor time it takes: on a busy machine the shares become worse, never better.

mod nas;
mod synthetic;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use cccp_precompiler::catalog::Catalogue;
use cccp_precompiler::cli::options::Options;
use cccp_precompiler::cli::run::compile;
use cccp_precompiler::diagnostic::has_errors;
use cccp_precompiler::syntax::with_stack;

/// Each figure is the median of so many.
const TIMES: usize = 7;

/// Passes that are no analysis: reading, and writing what came of it.
const AROUND: [&str; 6] = [
    "source",
    "syntax",
    "directive",
    "program",
    "plan",
    "rewrite",
];

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    if let [write, directory, lines] = &words[..]
        && write == "--write"
    {
        put(Path::new(directory), lines.parse().expect("a number"));
        return;
    }
    let lengths: Vec<usize> = words.iter().filter_map(|word| word.parse().ok()).collect();
    if lengths.is_empty() || words.iter().any(|word| word == "nas") {
        nas::table();
    }
    let lengths = match words.is_empty() {
        true => vec![1_000, 10_000, 100_000],
        false => lengths,
    };
    let measured: Vec<Measured> = lengths.into_iter().map(measure).collect();
    if !measured.is_empty() {
        print(&measured);
    }
}

/// A length that has been measured.
struct Measured {
    lines: usize,
    /// Seconds of the passes, in their order.
    passes: Vec<(&'static str, f64)>,
    /// Seconds of the compiler.
    compiler: f64,
}

impl Measured {
    /// Seconds of the passes of which something is so.
    fn sum(&self, of: impl Fn(&str) -> bool) -> f64 {
        let passes = self.passes.iter().filter(|(name, _)| of(name));
        passes.map(|(_, seconds)| seconds).sum()
    }
}

/// Writes the program; gives its C files and their lines.
fn put(directory: &Path, lines: usize) -> (Vec<PathBuf>, usize) {
    std::fs::create_dir_all(directory).expect("a directory");
    let mut sources = Vec::new();
    let mut count = 0;
    for (name, text) in synthetic::program(lines) {
        let path = directory.join(&name);
        std::fs::write(&path, &text).expect("a file of the program");
        if name.ends_with(".c") {
            sources.push(path);
            count += text.lines().count();
        }
    }
    (sources, count)
}

/// One length.
fn measure(lines: usize) -> Measured {
    let directory = std::env::temp_dir().join(format!("cccp-analysis-{}", std::process::id()));
    let (sources, lines) = put(&directory, lines);
    let words = ["-d".into(), "out".into()];
    let words = words.into_iter().chain(sources.iter().map(OsString::from));
    let passes = medians(&words.collect::<Vec<_>>());
    let compiler = median((0..TIMES).map(|_| gcc(&directory, &sources)).collect());
    let _ = std::fs::remove_dir_all(&directory);
    Measured {
        lines,
        passes,
        compiler,
    }
}

/// Seconds of the passes, each the median of its times.
fn medians(words: &[OsString]) -> Vec<(&'static str, f64)> {
    let mut passes: BTreeMap<usize, (&'static str, Vec<f64>)> = BTreeMap::new();
    for _ in 0..TIMES {
        for (place, (name, seconds)) in precompile(words).into_iter().enumerate() {
            let here = passes.entry(place).or_insert((name, Vec::new()));
            here.1.push(seconds);
        }
    }
    let passes = passes.into_values();
    passes.map(|(name, times)| (name, median(times))).collect()
}

/// Lines by passes.
fn print(measured: &[Measured]) {
    let mut header = format!("{:<14}", "lines");
    for one in measured {
        header.push_str(&format!(
            " {:>11} {:>9} {:>6}",
            one.lines, "% of gcc", "growth"
        ));
    }
    println!("{header}");
    let names: Vec<&str> = measured[0].passes.iter().map(|(name, _)| *name).collect();
    for name in &names {
        row(measured, name, &|one| one.sum(|pass| pass == *name));
    }
    let is_analysis = |pass: &str| !AROUND.contains(&pass);
    row(measured, "analysis", &|one| one.sum(is_analysis));
    row(measured, "all", &|one| one.sum(|_| true));
    row(measured, "gcc -O2 -c", &|one| one.compiler);
}

fn row(measured: &[Measured], name: &str, seconds: &dyn Fn(&Measured) -> f64) {
    let mut line = format!("{name:<14}");
    let mut before: Option<&Measured> = None;
    for one in measured {
        let spent = seconds(one);
        let growth = before.map_or(String::new(), |before| {
            let lines = one.lines as f64 / before.lines as f64;
            format!("{:.2}", (spent / seconds(before)).ln() / lines.ln())
        });
        let share = 100.0 * spent / one.compiler;
        line.push_str(&format!(" {:8.1} ms {share:9.2} {growth:>6}", spent * 1e3));
        before = Some(one);
    }
    println!("{line}");
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The passes and their seconds.
fn precompile(words: &[OsString]) -> Vec<(&'static str, f64)> {
    let words = std::iter::once("cccp-pp".into()).chain(words.iter().cloned());
    let words: Vec<OsString> = words.collect();
    let options = Options::read(words.into_iter()).expect("options");
    with_stack(|| {
        let compiled = compile(&options, &Catalogue::builtin());
        assert!(
            !has_errors(&compiled.diagnostics),
            "{:?}",
            compiled.diagnostics
        );
        let passes = compiled.clock.passes();
        { passes.iter() }
            .map(|(name, spent, _)| (*name, spent.as_secs_f64()))
            .collect()
    })
}

/// Processor seconds of the compiler for all files, one after the other.
fn gcc(directory: &Path, sources: &[PathBuf]) -> f64 {
    let start = Instant::now();
    let before = children();
    for source in sources {
        let done = Command::new("gcc")
            .args(["-O2", "-w", "-c", "-o"])
            .arg(directory.join("object.o"))
            .arg(source)
            .status();
        assert!(done.is_ok_and(|status| status.success()), "gcc {source:?}");
    }
    match before.zip(children()) {
        Some((before, after)) => after - before,
        None => start.elapsed().as_secs_f64(),
    }
}

/// Processor seconds of all programs that were started here and have ended, where the system tells (in hundredths).
fn children() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = text.rsplit_once(')')?;
    let mut times = fields.split_whitespace().skip(13).take(2);
    let mut next = || times.next()?.parse::<f64>().ok();
    Some((next()? + next()?) / 100.0)
}
