//! `--explain`: the report about checkpoints, or the page of a message.

use super::analyses::catalogue_for;
use super::options::{Explain, Options};
use crate::analysis::communication::Communication;
use crate::analysis::threads::Threads;
use crate::analysis::{Analysed, analyse};
use crate::catalog::Catalogue;
use crate::diagnostic::explain;
use crate::explain::collect::{Found, collect};
use crate::explain::html::html;
use crate::explain::json::json;
use crate::explain::report::Report;
use crate::explain::size::Sizes;
use crate::explain::text::text;
use crate::explain::words;
use crate::program::Program;
use std::cell::OnceCell;
use std::io::IsTerminal;
use std::path::PathBuf;

/// The page of a message.
pub fn page(code: &str) -> Result<&'static str, String> {
    explain(code).ok_or_else(|| format!("there is no message `{code}`"))
}

/// Where the report goes; `None`: to standard output.
pub fn output(options: &Options, form: &Explain) -> Option<PathBuf> {
    let name = match form {
        Explain::Json => "explain.json",
        Explain::Html => "explain.html",
        Explain::Text | Explain::Code(_) => "explain.txt",
    };
    match &options.directory {
        Some(directory) => Some(directory.join(name)),
        None => options.output.clone(),
    }
}

/// A report.
pub struct Told {
    /// In the form that the user wants.
    pub text: String,
    /// Something is missing at a checkpoint.
    pub incomplete: bool,
    /// Something is assumed.
    pub assumes: bool,
}

/// The report about a program, in one of its forms.
pub fn report(
    options: &Options,
    form: &Explain,
    program: &Program,
    catalogue: &Catalogue,
) -> Result<Told, String> {
    let mut sizes = Sizes::read(&options.size)?;
    let own = catalogue_for(program, catalogue);
    let catalogue = own.as_ref().unwrap_or(catalogue);
    let report = analyse(program, catalogue, &mut |_| (), |found| {
        collected(options, found, false, &mut sizes)
    });
    sizes.check()?;
    let text = match form {
        Explain::Json => json(&report)?,
        Explain::Html => html(&report),
        Explain::Text | Explain::Code(_) => {
            let colour = output(options, form).is_none() && std::io::stdout().is_terminal();
            text(&report, colour)
        }
    };
    let mut checkpoints = report.checkpoints.iter();
    Ok(Told {
        text,
        incomplete: checkpoints.any(|one| one.counts.missing > 0),
        assumes: !report.assumed.is_empty(),
    })
}

/// The checkpoints of a program in the order of files and lines, a line each: where, why there, and how many bytes.
pub fn checkpoints(options: &Options, found: &Analysed) -> Vec<String> {
    // Sizes that are wrong are the report's to refuse.
    let mut sizes = Sizes::read(&options.size).unwrap_or_default();
    let report = collected(options, found, true, &mut sizes);
    report.checkpoints.iter().map(words::line).collect()
}

fn collected(options: &Options, found: &Analysed, is_brief: bool, sizes: &mut Sizes) -> Report {
    let mut load = found.load(options.loops());
    load.choose(|_| true);
    let threads = Threads::of(found);
    // To find it out takes long, and who wants a line only may never ask.
    let messages = OnceCell::new();
    let safety = |routine, node| {
        let messages: &Communication = messages.get_or_init(|| found.communication());
        messages.safety(routine, node)
    };
    let found = Found {
        load: &load,
        safety: &safety,
        threads: threads.as_ref(),
        analysed: found,
        is_brief,
    };
    collect(&found, sizes)
}
