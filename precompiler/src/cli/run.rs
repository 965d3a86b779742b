//! From the command line to the exit status.
//!
//! Nothing is written when there is an error. Exit status 0: all is well (there may be warnings); 1: errors in the
//! program; 2: the command line is wrong.

use super::analyses;
use super::annotate;
use super::auto::{self, Others};
use super::clock::Clock;
use super::depends;
use super::emit;
use super::explain;
use super::flags;
use super::inferred::in_users_words;
use super::manual;
use super::options::{Annotate, Denied, DispatchChoice, Explain, HeapChoice, Options, Stage};
use super::outputs::{included_from, outputs, put};
use super::planned::plan_errors;
use super::profile;
use crate::analysis::noted;
use crate::analysis::unknown::{entries_file, unknown_findings, unknown_functions};
use crate::analysis::{Finding, directive_place};
use crate::auto::LEFT_OUT;
use crate::catalog::Catalogue;
use crate::dataflow::{check_program, is_whole};
use crate::diagnostic::{Code, Diagnostic, Place, Severity, grouped, has_errors, render};
use crate::plan::{Dispatch, plan_program};
use crate::program::{
    Directive, Program, Text, Unit, before_headers, load, load_texts, with_headers,
};
use crate::rewrite::{for_one_machine, rewrite_file};
use crate::source::{Preprocessor, other_machine};
use crate::syntax::with_stack;
use std::collections::HashSet;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The tool.
pub fn main() -> ExitCode {
    let options = match Options::read(std::env::args_os()) {
        Ok(options) => options,
        Err(error) => {
            let status = u8::try_from(error.exit_code()).unwrap_or(2);
            let _ = error.print();
            return ExitCode::from(status);
        }
    };
    // Every room walks trees that are as deep as the program's nesting.
    match with_stack(|| run(&options)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(message) => {
            eprintln!("cccp-pp: {message}");
            ExitCode::from(2)
        }
    }
}

/// `Ok(false)`: there were errors, which have been shown.
fn run(options: &Options) -> Result<bool, String> {
    if let Some(Explain::Code(code)) = &options.explain {
        return put(None, explain::page(code)?.as_bytes()).map(|()| true);
    }
    if let Some(directory) = &options.man {
        for (name, page) in manual::pages().map_err(|error| error.to_string())? {
            put(Some(&directory.join(name)), &page)?;
        }
        return Ok(true);
    }
    if let Some(shell) = options.completions {
        return put(None, &manual::completions(shell)).map(|()| true);
    }
    if options.cflags || options.libs {
        let tool = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut parts = Vec::new();
        if options.cflags {
            parts.push(flags::cflags(&tool));
        }
        if options.libs {
            parts.push(flags::libs(&tool, options.mpi, options.target.as_deref())?);
        }
        return put(None, format!("{}\n", parts.join(" ")).as_bytes()).map(|()| true);
    }
    if options.files.is_empty() {
        return Err("no file given; try --help".to_string());
    }
    if options.files.len() > 1
        && options.directory.is_none()
        && options.emit.is_none()
        && options.explain.is_none()
        && options.annotate != Some(Annotate::Patch)
    {
        return Err("several files need `-d DIR` for the results".to_string());
    }
    no_objects(&options.files)?;
    let is_c = options.emit.is_none_or(|stage| stage == Stage::Rewrite)
        && options.annotate != Some(Annotate::Patch);
    let outputs = match &options.explain {
        Some(_) => Vec::new(),
        None => outputs(options)?,
    };
    let catalogue = catalogue(&options.catalog)?;
    let compiled = match options.places() {
        Some(profile) => compile_chosen(options, &catalogue, profile)?,
        None => compile(options, &catalogue),
    };
    if options.timing {
        eprint!("{}", compiled.clock.text());
    }
    tell(&compiled, std::io::stderr().is_terminal());
    let is_refused = has_errors(&compiled.diagnostics);
    if is_refused && (options.annotate.is_none() || compiled.results.is_empty()) {
        return Ok(false);
    }
    if let Some(form) = &options.explain {
        let told = explain::report(options, form, &compiled.program, &catalogue)?;
        put(
            explain::output(options, form).as_deref(),
            told.text.as_bytes(),
        )?;
        let denied = told.incomplete && options.denies(Denied::Incomplete)
            || told.assumes && options.denies(Denied::Assumed);
        return Ok(!denied);
    }
    for ((source, bytes), output) in compiled.results.iter().zip(&outputs) {
        match output {
            Some(output) if is_c => put(Some(output), &included_from(output, source, bytes))?,
            _ => put(output.as_deref(), bytes)?,
        }
    }
    if let Some(rules) = &options.rules {
        for (path, text) in depends::files(rules, options, &compiled.program, &outputs)? {
            put(Some(&path), text.as_bytes())?;
        }
    }
    if is_refused {
        eprintln!(
            "cccp-pp: what is shown are the directives that could be inferred; they are not enough, for the reasons above"
        );
    }
    Ok(!is_refused)
}

/// All that there is to say.
pub fn tell(compiled: &Compiled, colour: bool) {
    for diagnostic in grouped(&compiled.diagnostics) {
        let texts = UnitTexts(&compiled.program);
        eprint!("{}", render::render(&diagnostic, &texts, colour));
    }
    if !has_errors(&compiled.diagnostics) {
        for line in &compiled.checkpoints {
            eprintln!("{line}");
        }
    }
}

/// The catalogue that comes with the tool, and the user's files.
pub fn catalogue(files: &[PathBuf]) -> Result<Catalogue, String> {
    let mut catalogue = Catalogue::builtin();
    for path in files {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
        if let Err(faults) = catalogue.add(&name, text) {
            let shown: Vec<String> = faults.iter().map(ToString::to_string).collect();
            return Err(shown.join("\n"));
        }
    }
    Ok(catalogue)
}

/// A word about files that are no C.
fn no_objects(files: &[PathBuf]) -> Result<(), String> {
    for file in files {
        let mut first = [0; 7];
        let read = std::fs::File::open(file).and_then(|mut file| file.read(&mut first));
        let is_object =
            first.starts_with(b"\x7fELF") || &first == b"!<arch>" || &first == b"!<thin>";
        if read.is_ok() && is_object {
            return Err(format!(
                "`{}` is an object file or a library, not C: give the files that it was compiled from, or let \
                 cccp-cc compile and link them",
                file.display()
            ));
        }
    }
    Ok(())
}

/// What came of all files.
pub struct Compiled {
    /// The program, for the texts of its files.
    pub program: Program,
    /// What there is to say.
    pub diagnostics: Vec<Diagnostic>,
    /// One result per file: its path and bytes. Of no use when there are errors.
    pub results: Vec<(String, Vec<u8>)>,
    /// How long it took, pass by pass.
    pub clock: Clock,
    /// Checkpoints would hold pointers in numbers, unions or bytes, as far as the program shows.
    pub are_disguised: bool,
    /// Loops of auto mode go without a checkpoint because there would be this error.
    pub left_out: Option<Diagnostic>,
    /// Other choices of loops were not tried, because of what memory holds: how to go on with them.
    pending: Option<Others>,
    /// The checkpoints of auto mode, a line each: where, why there, and how many bytes.
    pub checkpoints: Vec<String>,
}

/// The straight list of stages.
pub fn compile(options: &Options, catalogue: &Catalogue) -> Compiled {
    let mut clock = Clock::start();
    let _shown = clock.show();
    let preprocessor = preprocessor(options);
    let loaded = load(&paths(options), &preprocessor, |(pass, spent)| {
        clock.add(pass, spent)
    });
    stages(options, catalogue, &preprocessor, loaded, clock)
}

/// The same without the marks that a profile does not choose.
fn compile_chosen(
    options: &Options,
    catalogue: &Catalogue,
    profile: &Path,
) -> Result<Compiled, String> {
    let mut clock = Clock::start();
    let _shown = clock.show();
    let preprocessor = preprocessor(options);
    let mut loaded = load(&paths(options), &preprocessor, |(pass, spent)| {
        clock.add(pass, spent)
    });
    let mut options = options.clone();
    if !has_errors(&loaded.1) {
        let chosen = profile::choose(profile, &loaded.0)?;
        for note in chosen.notes {
            eprintln!("cccp-pp: profile: {note}");
        }
        options.only = chosen.only;
        if let Some(texts) = chosen.texts {
            loaded = load_texts(texts, &preprocessor, |(pass, spent)| clock.add(pass, spent));
        }
    }
    Ok(stages(&options, catalogue, &preprocessor, loaded, clock))
}

fn paths(options: &Options) -> Vec<String> {
    let paths = options.files.iter();
    paths
        .map(|path| path.to_string_lossy().into_owned())
        .collect()
}

fn preprocessor(options: &Options) -> Preprocessor {
    Preprocessor {
        compiler: options.cc.clone(),
        arguments: options.preprocessor.clone(),
        ..Preprocessor::default()
    }
}

/// The same for texts at hand, each with the preprocessor that `preprocessor` has for it.
pub fn compile_texts(
    options: &Options,
    catalogue: &Catalogue,
    preprocessor: &Preprocessor,
    texts: Vec<Text>,
) -> Compiled {
    let mut clock = Clock::start();
    let _shown = clock.show();
    let loaded = load_texts(texts, preprocessor, |(pass, spent)| clock.add(pass, spent));
    stages(options, catalogue, preprocessor, loaded, clock)
}

/// All stages. Where auto mode cannot serve a program whose allocated memory is restored by its types, or some of its loops, once more
/// with a fixed heap. That comes before other loops are tried with either: it may serve all that are worth a checkpoint.
fn stages(
    options: &Options,
    catalogue: &Catalogue,
    preprocessor: &Preprocessor,
    loaded: (Program, Vec<Diagnostic>),
    mut clock: Clock,
) -> Compiled {
    let own = analyses::catalogue_for(&loaded.0, catalogue);
    let catalogue = own.as_ref().unwrap_or(catalogue);
    let mut begins = loaded.0.units.iter().flat_map(|unit| &unit.directives);
    let has_own = begins.any(|one| matches!(one.directive, Directive::Init { .. }));
    let may_be_fixed = options.infers() && options.heap == HeapChoice::Auto && !has_own;
    if !may_be_fixed {
        let headers = &mut None;
        return stages_with_headers(
            options,
            catalogue,
            preprocessor,
            loaded,
            headers,
            Others::Now(None),
            clock,
        );
    }
    let mut headers = None;
    let before = loaded.0.texts();
    let fixed = Options {
        heap: HeapChoice::Fixed,
        ..options.clone()
    };
    let by_types = stages_with_headers(
        options,
        catalogue,
        preprocessor,
        loaded,
        &mut headers,
        Others::Later,
        clock,
    );
    clock = by_types.clock.clone();
    let mut again = |options: &Options, others: Others| {
        let texts = before.clone();
        let loaded = load_texts(texts, preprocessor, |(pass, spent)| clock.add(pass, spent));
        let known = clock.clone();
        let compiled = stages_with_headers(
            options,
            catalogue,
            preprocessor,
            loaded,
            &mut headers,
            others,
            known,
        );
        clock = compiled.clock.clone();
        compiled
    };
    if !is_about_memory(&by_types) {
        return by_types;
    }
    let as_it_is = again(&fixed, Others::Later);
    let is_all = by_types.pending.is_none() && as_it_is.pending.is_none();
    if is_all || !has_errors(&as_it_is.diagnostics) {
        return better(by_types, as_it_is);
    }
    let mut with_others = |options: &Options, mut compiled: Compiled| match compiled.pending.take()
    {
        Some(others) => again(options, others),
        None => compiled,
    };
    let by_types = with_others(options, by_types);
    let as_it_is = with_others(&fixed, as_it_is);
    better(by_types, as_it_is)
}

/// The better of two: with memory that is restored by its types, and with a fixed heap.
fn better(compiled: Compiled, mut again: Compiled) -> Compiled {
    // Where both are refused, what has the fewest errors is nearest to being served.
    if has_errors(&again.diagnostics) && errors(&again) >= errors(&compiled) {
        return compiled;
    }
    // Where both are served, types serve as long as they leave no more out.
    let is_served = !has_errors(&compiled.diagnostics) && !compiled.are_disguised;
    if is_served && without_checkpoint(&again) >= without_checkpoint(&compiled) {
        return compiled;
    }
    let first = compiled.diagnostics.into_iter();
    let refused = { first }.find(|one| one.severity == Severity::Error);
    let why = match (refused, compiled.left_out) {
        (Some(why), None) => format!("by its types it cannot be restored: {}", cause(&why)),
        (_, Some(why)) if !compiled.are_disguised => {
            format!("by its types it cannot be restored in all loops that are worth a checkpoint: {}", cause(&why))
        }
        _ => "by its types it can be restored only as long as no number, union or array of bytes holds a pointer at a checkpoint".to_string(),
    };
    again.diagnostics.extend(fixed_heap(&again.program, why));
    again
}

fn errors(compiled: &Compiled) -> usize {
    let all = grouped(&compiled.diagnostics);
    let errors = all.iter().filter(|one| one.severity == Severity::Error);
    errors.count()
}

/// Whether what stands in the way of auto mode is what memory holds.
fn is_about_memory(compiled: &Compiled) -> bool {
    let mut all = compiled.diagnostics.iter().chain(&compiled.left_out);
    compiled.are_disguised || all.any(auto::is_about_memory)
}

/// How many loops that are worth a checkpoint go without one.
fn without_checkpoint(compiled: &Compiled) -> usize {
    let all = compiled.diagnostics.iter();
    all.filter(|one| one.message == LEFT_OUT).count()
}

/// That auto mode has given a program a fixed heap, and why; at its `init`.
fn fixed_heap(program: &Program, why: String) -> Option<Diagnostic> {
    let mut all = program.units.iter().flat_map(|unit| {
        let directives = unit.directives.iter();
        directives.map(move |one| (unit, one))
    });
    let (unit, init) = all.find(|(_, one)| matches!(one.directive, Directive::Init { .. }))?;
    let place = directive_place(unit, init);
    let message =
        "allocated memory is saved as it is, and restored at its old addresses (a fixed heap)";
    let mut told = Diagnostic::warning(Code::AUTO_FIXED_HEAP, place, message).label(
        "a restart needs the same executable, linked with -no-pie, on the same kind of machine",
    );
    told.reason = Some(why);
    let help = "--heap=typed does without, and says all that is in the way";
    in_users_words(vec![told.help(help)], program).pop()
}

/// What stands in the way, in one sentence.
fn cause(one: &Diagnostic) -> String {
    match &one.reason {
        Some(reason) => format!("{}: {reason}", one.message),
        None => one.message.clone(),
    }
}

/// All stages; when it turns out that a function in a header has to change, once more with the headers taken in that define
/// functions. `headers`: these texts, once they are known; they are the same in each try.
fn stages_with_headers(
    options: &Options,
    catalogue: &Catalogue,
    preprocessor: &Preprocessor,
    loaded: (Program, Vec<Diagnostic>),
    headers: &mut Option<Vec<Text>>,
    others: Others,
    clock: Clock,
) -> Compiled {
    // Without a file that cannot be read nothing is tried again: the others are not the program.
    let is_whole = !has_errors(&loaded.1);
    let before = { is_whole.then(|| before_headers(&loaded.0)) }.flatten();
    // What is known is about these texts, and not about those with headers.
    let next = match others {
        Others::Later => Others::Later,
        Others::Now(_) => Others::Now(None),
    };
    let compiled = stages_once(options, catalogue, preprocessor, loaded, others, clock);
    // A function in a header has to change: its loop is the only one, its statics are missing, a call in it leads on.
    let units = compiled.program.units.iter();
    let files: HashSet<&str> = units.map(|unit| unit.file.path.as_str()).collect();
    let is_elsewhere = |place: &Place| match place {
        Place::Range { path, .. } | Place::Line { path, .. } => !files.contains(path.as_str()),
        Place::File(_) | Place::Nowhere => true,
    };
    let is_about_them = |one: &Diagnostic| {
        let mut places = std::iter::once(&one.place).chain(one.others.iter().map(|(at, _)| at));
        let is_about_loops = [Code::AUTO_NO_PLACE, Code::AUTO_NO_CHECKPOINT].contains(&one.code);
        one.code == Code::NOT_A_CLIENT
            || options.infers() && (is_about_loops || places.any(is_elsewhere))
    };
    let mut errors = compiled
        .diagnostics
        .iter()
        .filter(|one| one.severity == Severity::Error)
        .peekable();
    // What is about other places is in the way with the headers, too.
    let may_help = errors.peek().is_some() && errors.all(is_about_them);
    let (Some(before), true) = (before, may_help) else {
        return compiled;
    };
    let texts = headers.get_or_insert_with(|| with_headers(&before, preprocessor));
    let texts = texts.clone();
    let mut clock = compiled.clock.clone();
    let loaded = load_texts(texts, preprocessor, |(pass, spent)| clock.add(pass, spent));
    let again = stages_once(options, catalogue, preprocessor, loaded, next, clock);
    match has_errors(&again.diagnostics) {
        true => compiled,
        false => again,
    }
}

fn stages_once(
    options: &Options,
    catalogue: &Catalogue,
    preprocessor: &Preprocessor,
    (mut program, mut diagnostics): (Program, Vec<Diagnostic>),
    others: Others,
    mut clock: Clock,
) -> Compiled {
    let mut results = Vec::new();
    let (mut left_out, mut pending) = (None, None);
    program.note_handles(noted::is_wanted(&program, catalogue));
    if !has_errors(&diagnostics) && !options.infers() {
        // Auto mode is told so; otherwise it has to be seen.
        if is_whole(&program, catalogue) {
            program.close(&|name| catalogue.contains(name));
        }
        diagnostics.extend(check_program(&program, catalogue));
        clock.lap("dataflow");
        if !has_errors(&diagnostics) {
            let (stopping, more) =
                auto::with_barriers(catalogue, preprocessor, program, &mut clock);
            program = stopping;
            diagnostics.extend(more);
        }
    }
    if !has_errors(&diagnostics) && options.infers() {
        let inferred = auto::infer(
            options,
            catalogue,
            preprocessor,
            program,
            others,
            &mut clock,
        );
        (left_out, pending) = (inferred.left_out, inferred.pending);
        program = inferred.program;
        program.note_handles(noted::is_wanted(&program, catalogue));
        diagnostics.extend(inferred.told);
        let mut are_disguised = false;
        if options.annotate.is_some() && !has_errors(&diagnostics) {
            // What is written has to be good for a plan.
            let (found, disguised) = plan_errors(options, &program, catalogue, &mut clock);
            diagnostics.extend(found);
            are_disguised = disguised;
        }
        // A refused program gets what could be inferred: it is where marks by hand begin.
        if let Some(form) = options.annotate {
            for unit in &program.units {
                let text = annotate::text(unit, form);
                results.push((unit.file.path.clone(), unit.file.encode(&text)));
            }
            return Compiled {
                program,
                diagnostics,
                results,
                clock,
                are_disguised,
                left_out,
                pending,
                checkpoints: Vec::new(),
            };
        }
    }
    if !has_errors(&diagnostics) {
        let unknown = unknown_functions(&program, catalogue);
        clock.lap("unknown");
        let whole = match options.emit {
            Some(Stage::Unknown) => Some(entries_file(&program, catalogue, &unknown)),
            Some(stage) => analyses::emit(stage, options, &program, catalogue, &mut clock),
            None => None,
        };
        if let Some(text) = whole {
            results.push((String::new(), text.into_bytes()));
            return Compiled {
                program,
                diagnostics,
                results,
                clock,
                are_disguised: false,
                left_out,
                pending,
                checkpoints: Vec::new(),
            };
        }
        let denied = options.denies(Denied::Unknown);
        // In a program without directives nothing is saved, so nothing rests on what functions do.
        if denied || program.units.iter().any(|unit| !unit.directives.is_empty()) {
            let findings = unknown_findings(&program, catalogue, &unknown, denied);
            let findings = findings.iter();
            diagnostics.extend(findings.map(|(unit, one)| diagnostic(&program.units[*unit], one)));
        }
    }
    if has_errors(&diagnostics) {
        return Compiled {
            program,
            diagnostics,
            results,
            clock,
            are_disguised: false,
            left_out,
            pending,
            checkpoints: Vec::new(),
        };
    }
    let dispatch = match options.dispatch {
        DispatchChoice::Label => Dispatch::Label,
        DispatchChoice::Switch => Dispatch::Switch,
    };
    let is_shown = options.infers() && options.emit.is_none() && options.explain.is_none();
    let checked = analyses::check(options, &program, catalogue, is_shown, &mut clock);
    let plans = plan_program(&program, catalogue, &checked.proven, dispatch);
    clock.lap("plan");
    for (index, planned) in plans.iter().enumerate() {
        let unit = &program.units[index];
        let found = planned.findings.iter();
        let found = found.map(|finding| diagnostic(unit, finding)).collect();
        diagnostics.extend(in_users_words(found, &program));
        if has_errors(&diagnostics) {
            continue;
        }
        let shown = options
            .emit
            .and_then(|stage| emit::stage(stage, &program, index, planned));
        let text = match shown {
            Some(text) => text,
            None => match rewrite_file(&planned.plan, &unit.file) {
                Ok(text) => {
                    for_one_machine(text, &unit.file.as_written(), &other_machine(&unit.file))
                }
                Err(overlap) => {
                    let place = Place::Range {
                        path: unit.file.path.clone(),
                        range: overlap.start..overlap.start + 1,
                    };
                    diagnostics.push(
                        Diagnostic::error(Code::MACRO_TEXT, place, "this text cannot be rewritten")
                            .label("two changes are wanted at one place")
                            .help("write one statement per line here"),
                    );
                    continue;
                }
            },
        };
        results.push((unit.file.path.clone(), unit.file.encode(&text)));
    }
    clock.lap("rewrite");
    // A report says the same as the check, and more.
    if !has_errors(&diagnostics) && options.emit.is_none() && options.explain.is_none() {
        diagnostics.extend(in_users_words(checked.diagnostics, &program));
    }
    Compiled {
        program,
        diagnostics,
        results,
        clock,
        are_disguised: checked.proven.are_disguised,
        left_out,
        pending,
        checkpoints: checked.checkpoints,
    }
}

struct UnitTexts<'a>(&'a Program);

impl render::Texts for UnitTexts<'_> {
    fn text(&self, path: &str) -> Option<&str> {
        self.0
            .units
            .iter()
            .find(|unit| unit.file.path == path)
            .map(|unit| unit.file.original.as_str())
    }

    fn line(&self, path: &str, line: usize) -> (String, usize) {
        let mut units = self.0.units.iter();
        let unit = units.find(|unit| unit.file.path == path);
        let lines = unit.map(|unit| &unit.file.lines);
        let name = lines.and_then(|lines| lines.name(line));
        let name = name.unwrap_or(path).to_string();
        (name, lines.map_or(line, |lines| lines.of(line)))
    }
}

/// A finding with its place in the user's file.
pub(super) fn diagnostic(unit: &Unit, finding: &Finding) -> Diagnostic {
    let path = unit.file.path.clone();
    let place = match (finding.place, finding.span) {
        (Some(place), _) => Place::Range {
            path,
            range: place.start..place.end,
        },
        (None, Some(span)) => match unit.file.message_place(span) {
            Some(place) => Place::Range {
                path,
                range: place.start..place.end,
            },
            None => {
                let (path, line) = unit.file.origin_text(span.start);
                Place::Line { path, line }
            }
        },
        (None, None) => Place::File(path),
    };
    let mut diagnostic = Diagnostic::error(finding.code, place, finding.message.clone())
        .label(finding.label.clone());
    if finding.warning {
        diagnostic.severity = Severity::Warning;
    }
    diagnostic.reason = (!finding.reason.is_empty()).then(|| finding.reason.clone());
    diagnostic.help = (!finding.help.is_empty()).then(|| finding.help.clone());
    diagnostic.paste = finding.paste.clone();
    diagnostic
}
