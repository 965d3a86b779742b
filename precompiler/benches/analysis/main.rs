//! How long the precompiler takes, pass by pass, for programs of growing length, against `gcc -O2 -c` of the same
//! files.
//!
//! ```text
//! cargo bench -p cccp-precompiler --bench analysis [-- LINES...]     1000 10000 100000 when none are given
//! cargo bench -p cccp-precompiler --bench analysis -- --write DIR LINES     only writes the program
//! ```
//!
//! Every figure is the median of seven runs, of three beyond 50,000 lines. *analysis* are the passes that a program
//! without marks would not need; *growth* is the time of a line compared with the length before: 1.00 is linear. Passes
//! are measured by the clock on the wall, the compiler by the processor time it takes: on a busy machine the shares
//! become worse, never better.

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
    let mut lengths: Vec<usize> = words.iter().filter_map(|word| word.parse().ok()).collect();
    if lengths.is_empty() {
        lengths = vec![1_000, 10_000, 100_000];
    }
    let mut last: Option<(usize, f64)> = None;
    for lines in lengths {
        let analysis = measure(lines, last);
        last = Some(analysis);
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

/// One length: a table, and lines and seconds of the analysis.
fn measure(lines: usize, last: Option<(usize, f64)>) -> (usize, f64) {
    let directory = std::env::temp_dir().join(format!("cccp-analysis-{}", std::process::id()));
    let (sources, count) = put(&directory, lines);
    let times = if lines > 50_000 { 3 } else { 7 };
    let mut passes: BTreeMap<usize, (&'static str, Vec<f64>)> = BTreeMap::new();
    for _ in 0..times {
        for (place, (name, seconds)) in precompile(&sources).into_iter().enumerate() {
            passes
                .entry(place)
                .or_insert((name, Vec::new()))
                .1
                .push(seconds);
        }
    }
    let compiler = median((0..times).map(|_| gcc(&directory, &sources)).collect());
    let _ = std::fs::remove_dir_all(&directory);
    println!("{count} lines in {} files", sources.len());
    let (mut all, mut analysis) = (0.0, 0.0);
    for (name, seconds) in passes.into_values() {
        let seconds = median(seconds);
        all += seconds;
        if !AROUND.contains(&name) {
            analysis += seconds;
        }
        row(name, seconds, compiler);
    }
    row("analysis", analysis, compiler);
    row("all", all, compiler);
    row("gcc -O2 -c", compiler, compiler);
    if let Some((before, seconds)) = last {
        let growth = analysis / count as f64 / (seconds / before as f64);
        println!("    {:<14} {growth:10.2}", "growth");
    }
    println!();
    (count, analysis)
}

fn row(name: &str, seconds: f64, compiler: f64) {
    let share = 100.0 * seconds / compiler;
    println!(
        "    {name:<14} {:10.1} ms {share:8.2} % of gcc",
        seconds * 1e3
    );
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The passes and their seconds.
fn precompile(sources: &[PathBuf]) -> Vec<(&'static str, f64)> {
    let mut words = vec![OsString::from("cccp-pp"), "-d".into(), "out".into()];
    words.extend(sources.iter().map(|path| path.into()));
    let options = Options::read(words.into_iter()).expect("options");
    with_stack(|| {
        let compiled = compile(&options, &Catalogue::builtin());
        assert!(
            !has_errors(&compiled.diagnostics),
            "{:?}",
            compiled.diagnostics
        );
        let passes = compiled.clock.passes().iter();
        passes
            .map(|(name, spent)| (*name, spent.as_secs_f64()))
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
