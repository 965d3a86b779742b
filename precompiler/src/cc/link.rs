//! The link step: from the objects that the linker takes to a program with checkpoints.

use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::again;
use super::archive::patched;
use super::command::{Command, Kind, Part};
use super::compile::{self, sources};
use super::object::thin_members;
use super::own::Own;
use super::program::{Outcome, Unit, faults, translate, units};
use super::quiet::quiet;
use super::reach;
use super::record::{Glance, UNSERVED, glance, has_directive};
use super::scratch::{Scratch, become_compiler, command, show, status};
use super::shared;
use super::taken::{Taken, taken};
use crate::cli::flags;
use crate::syntax::with_stack;

/// So many names of a kind stand in a message.
const FEW: usize = 3;

/// What stands in front of every word of ours.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "cccp-cc: {text}");
}

/// Links. `Ok` is the status; a program that is none of ours is linked by the compiler in our place.
pub fn link(step: &Command, own: &Own) -> Result<u8, String> {
    // What asks how a machine is would find our files beside its own.
    let is_auto = own.auto && !step.is_configuration();
    let found = inputs(step);
    let is_ours = found.is_marked || own.auto && found.has_records;
    if !is_ours {
        tell_unserved(step, own);
        show(own.verbose, &[&step.compiler[..], &step.given[..]].concat());
        return Err(become_compiler(&step.compiler, &step.given));
    }
    let scratch = Scratch::new()?;
    let (status, parts) = compiled(step, own, &scratch)?;
    if status != 0 {
        return Ok(status);
    }
    let output = step.output().unwrap_or_else(|| "a.out".into());
    let plain = words(&step.compiler, &parts, &[]);
    let named = Command {
        parts,
        ..step.clone()
    };
    let silent = quiet(&named, |part| file_of(&named, part), &[], &scratch)?;
    let silent = words(&named.compiler, &named.parts, &silent);
    let (step, libraries) = shared::opened(&named).inspect_err(|_| remove(&output))?;
    let opened = words(&step.compiler, &step.parts, &[]);
    let archives: Vec<PathBuf> = step
        .parts
        .iter()
        .filter_map(|part| file_of(&step, part))
        .collect();
    let Some(taken) = taken(&opened, &archives, own.verbose, &scratch) else {
        if !libraries.is_empty() && run(&plain, &output, own)? == 0 {
            run(&opened, &output, own)?;
            remove(&output);
            return Err(format!(
                "what {} is made of cannot become part of {}, for the reason above: link the program with a static library",
                list(&libraries),
                output.display()
            ));
        }
        // The linker says why, unless it is only the question that it does not understand.
        let status = tried(&plain, &output, own)?;
        if status == 0 {
            remove(&output);
            return Err("the linker does not say which objects it takes".to_string());
        }
        return Ok(status);
    };
    let units = units(&taken);
    if units.is_empty() || !is_auto && !units.iter().any(|unit| unit.record.is_marked) {
        return run(&silent, &output, own);
    }
    let faults = faults(&units, &taken);
    if !faults.is_empty() {
        remove(&output);
        return Err(faults.join("\ncccp-cc: "));
    }
    if own.verbose {
        let names: Vec<&str> = units.iter().map(|unit| unit.path.as_str()).collect();
        say(&format!(
            "the program {}: {}",
            output.display(),
            names.join(" ")
        ));
    }
    let are_users = are_users(&step, &taken);
    tell_unknown(own, &taken, &are_users).inspect_err(|_| remove(&output))?;
    let linked = reach::linked(&taken, &are_users);
    match with_stack(|| translate(&units, linked, own, is_coloured(&step)))? {
        Outcome::Plain => run(&silent, &output, own),
        Outcome::Idle => {
            say(&format!(
                "no loop of {} does enough work for a checkpoint: it is linked as it is",
                output.display()
            ));
            run(&silent, &output, own)
        }
        Outcome::Refused => {
            remove(&output);
            Ok(1)
        }
        Outcome::Changed {
            texts,
            has_fixed_heap,
        } => {
            if !libraries.is_empty() {
                say(&format!(
                    "note: {} becomes part of {}, so that a restart finds its way through it",
                    list(&libraries),
                    output.display()
                ));
            }
            let step = match has_fixed_heap {
                // In its memory there are addresses of its functions and variables.
                true => at_one_place(&step),
                false => step,
            };
            let linked = changed_program(&step, own, (&taken, &units), &texts, &scratch);
            linked.inspect_err(|_| remove(&output))
        }
    }
}

/// Checkpoints are wanted in a program none of whose files was compiled by cccp-cc.
fn tell_unserved(step: &Command, own: &Own) {
    let mut objects = step.of(Kind::Object);
    if let (true, Some(first)) = (own.auto, objects.next()) {
        let output = step.output().unwrap_or_else(|| "a.out".into());
        say(&format!(
            "warning: {} is linked as it is, without checkpoints: none of its files was compiled by cccp-cc, {} for one; compile \
             them by `cccp-cc {}`, too",
            output.display(),
            first.value(),
            step.compiler.join(" ")
        ));
    }
}

/// A library or an object of objects: what is in it is decided where a program is linked.
pub fn library(step: &Command, own: &Own) -> Result<u8, String> {
    let is_shared = !step.says("-r") && !step.says("-Wl,-r") && !step.says("-Wl,--relocatable");
    let found = inputs(step);
    let output = step.output().unwrap_or_else(|| "a.out".into());
    let scratch = Scratch::new()?;
    // What becomes of the marks is said where a program is linked.
    let silent = match found.has_records {
        true => quiet(step, |part| file_of(step, part), &[], &scratch)?,
        false => Vec::new(),
    };
    let words = match silent.is_empty() {
        true => [&step.compiler[..], &step.given[..]].concat(),
        false => {
            let mut words = words(&step.compiler, &step.parts, &silent);
            words.extend(["-o".to_string(), output.display().to_string()]);
            words
        }
    };
    let has_sources = step.has(Kind::Source);
    if is_shared && has_sources && found.is_marked {
        say(&format!(
            "warning: the directives in {} do not count, as it is compiled and linked by one command: compile its sources \
             with -c first",
            output.display()
        ));
    }
    let is_remembered = is_shared && found.has_records && !has_sources;
    show(own.verbose, &words);
    if !is_remembered && silent.is_empty() {
        return Err(become_compiler(&step.compiler, &step.given));
    }
    let done = command(&words)
        .status()
        .map_err(|error| format!("cannot start `{}`: {error}", words[0]))?;
    if is_remembered && done.success() {
        shared::remember(step, &output, found.is_marked);
    }
    Ok(status(done))
}

/// The object or library that a part of a command stands for.
fn file_of(step: &Command, part: &Part) -> Option<PathBuf> {
    match part.kind {
        // `-x none` may stand before it.
        Kind::Object => match &part.words[..] {
            [_, _, file, ..] => Some(PathBuf::from(file)),
            _ => Some(PathBuf::from(part.value())),
        },
        Kind::Library => archive_of(step, part),
        _ => None,
    }
}

/// What the files carry that the command names.
fn inputs(step: &Command) -> Glance {
    let mut found = Glance::default();
    for part in &step.parts {
        let path = match part.kind {
            Kind::Source | Kind::Object => Some(PathBuf::from(part.value())),
            Kind::Library => shared::library_of(step, part),
            _ => None,
        };
        let Some(path) = path else { continue };
        let Ok(bytes) = std::fs::read(&path) else {
            continue;
        };
        let all = match part.kind {
            Kind::Source => vec![Glance {
                has_records: true,
                is_marked: has_directive(&bytes),
            }],
            _ => {
                let members = thin_members(&path, &bytes).into_iter();
                let read = members.filter_map(|(file, _)| std::fs::read(file).ok());
                let inside = read.map(|bytes| glance(&bytes));
                inside.chain([glance(&bytes)]).collect()
            }
        };
        for one in all {
            found.has_records |= one.has_records;
            found.is_marked |= one.is_marked;
        }
    }
    found
}

/// The archive that `-l` stands for, in the directories that the command names.
fn archive_of(step: &Command, part: &Part) -> Option<PathBuf> {
    let name = match part.value().strip_prefix(':') {
        Some(name) => name.to_string(),
        None => format!("lib{}.a", part.value()),
    };
    let mut places = step
        .of(Kind::SearchPath)
        .map(|one| Path::new(one.value()).join(&name));
    places.find(|path| path.is_file())
}

/// The parts with objects in the places of the sources, and the worst status of a compilation.
fn compiled(step: &Command, own: &Own, scratch: &Scratch) -> Result<(u8, Vec<Part>), String> {
    let mut parts = step.parts.clone();
    let mut worst = 0;
    let mut language: Option<Vec<String>> = None;
    for (number, source) in sources(step).iter().enumerate() {
        let directory = scratch.directory(&format!("source-{number}"))?;
        let name = Path::new(source.path(step)).file_name().unwrap_or_default();
        let object = directory.join(name).with_extension("o");
        let words = source.words(step, &object);
        let to = compile::Object {
            is_verbose: own.verbose,
            warns: None,
        };
        worst = worst.max(compile::one(step, source, words, &object, to)?);
        let place = &mut parts[source.at()];
        place.kind = Kind::Object;
        place.words = vec![object.display().to_string()];
    }
    // An object is of no language.
    for part in &mut parts {
        match part.kind {
            Kind::Language => language = Some(part.words.clone()),
            Kind::Object => {
                if let Some(language) = &language {
                    let file = part.words.pop().into_iter();
                    let none = ["-x", "none"].map(str::to_string);
                    part.words = none
                        .into_iter()
                        .chain(file)
                        .chain(language.clone())
                        .collect();
                }
            }
            _ => {}
        }
    }
    Ok((worst, parts))
}

/// A link command; parts with these numbers have other words.
fn words(compiler: &[String], parts: &[Part], others: &[(usize, PathBuf)]) -> Vec<String> {
    let mut words = compiler.to_vec();
    for (number, part) in parts.iter().enumerate() {
        match others.iter().find(|(other, _)| *other == number) {
            Some((_, path)) => match &part.words[..] {
                // An object among texts, whose language stands around it.
                [option, none, _, rest @ ..] => {
                    words.extend([option, none].map(String::clone));
                    words.push(path.display().to_string());
                    words.extend(rest.iter().cloned());
                }
                _ => words.push(path.display().to_string()),
            },
            None if part.kind == Kind::Output => {}
            None => words.extend(part.words.iter().cloned()),
        }
    }
    words
}

/// Links for the user.
fn run(words: &[String], output: &Path, own: &Own) -> Result<u8, String> {
    let words = to(words, output, own);
    let done = command(&words).status();
    done.map(status)
        .map_err(|error| format!("cannot start `{}`: {error}", words[0]))
}

/// The same where the linker will say what is wrong, and nothing is said of objects that it warns of: it is ours.
fn tried(words: &[String], output: &Path, own: &Own) -> Result<u8, String> {
    let words = to(words, output, own);
    let done = command(&words).stdout(Stdio::inherit()).output();
    let done = done.map_err(|error| format!("cannot start `{}`: {error}", words[0]))?;
    let said = done.stderr.split_inclusive(|&byte| byte == b'\n');
    let is_ours = |line: &&[u8]| line.windows(UNSERVED.len()).any(|part| part == UNSERVED);
    for line in said.filter(|line| !is_ours(line)) {
        let _ = std::io::stderr().write_all(line);
    }
    Ok(status(done.status))
}

/// A command that links to a file, which is shown where that is wanted.
fn to(words: &[String], output: &Path, own: &Own) -> Vec<String> {
    let mut words = words.to_vec();
    words.extend(["-o".to_string(), output.display().to_string()]);
    show(own.verbose, &words);
    words
}

/// Files by their names.
fn list(files: &[PathBuf]) -> String {
    let names = files.iter().map(|path| path.display().to_string());
    names.collect::<Vec<_>>().join(", ")
}

/// A refused program is none, not the one of the day before.
fn remove(output: &Path) {
    if output.is_file() {
        let _ = std::fs::remove_file(output);
    }
}

/// The same command for a program that is loaded at the same addresses in every process.
fn at_one_place(step: &Command) -> Command {
    let mut step = step.clone();
    step.parts.push(Part {
        kind: Kind::LinkFlag,
        words: vec!["-no-pie".to_string()],
    });
    step
}

/// The program with the changed texts.
fn changed_program(
    step: &Command,
    own: &Own,
    (taken, units): (&[Taken], &[Unit]),
    changed: &[(usize, Vec<u8>)],
    scratch: &Scratch,
) -> Result<u8, String> {
    let tool = std::env::current_exe().map_err(|error| error.to_string())?;
    if let Some(keep) = &own.keep {
        for (unit, text) in changed {
            kept(keep, &units[*unit], text)?;
        }
    }
    let include = flags::include_directory(&tool);
    let objects = again::objects(units, changed, &include, scratch, own.verbose)?;
    let mut others = Vec::new();
    let mut archives: Vec<(&Path, Vec<(usize, &Path)>)> = Vec::new();
    for ((unit, _), object) in changed.iter().zip(&objects) {
        let one = &taken[units[*unit].object];
        if one.contents.records.len() > 1 {
            return Err(format!(
                "{} holds several objects that were joined with `ld -r`, and {} is one of those that have to change: \
                 link them one by one, or from an archive",
                one.name(),
                units[*unit].path
            ));
        }
        match &one.member {
            Some(member) => match archives.iter_mut().find(|(file, _)| *file == one.file) {
                Some((_, members)) => members.push((member.number, object)),
                None => archives.push((&one.file, vec![(member.number, object)])),
            },
            None => others.extend(places(step, &one.file)?.map(|at| (at, object.clone()))),
        }
    }
    for (number, (archive, members)) in archives.iter().enumerate() {
        let directory = scratch.directory(&format!("archive-{number}"))?;
        let copy = patched(archive, members, &step.compiler, &directory, own.verbose)?;
        others.extend(places(step, archive)?.map(|at| (at, copy.clone())));
    }
    let is_mpi = units.iter().any(|unit| {
        let mut included = unit.record.included.iter();
        included.any(|(name, _)| Path::new(name).file_name() == Some("mpi.h".as_ref()))
    });
    let others = quiet(step, |part| file_of(step, part), &others, scratch)?;
    let mut words = words(&step.compiler, &step.parts, &others);
    let is_static = step.says("-static") || step.says("-static-pie");
    if is_static && step.says("-fopenmp") {
        // The library asks OpenMP; a static program has only what something names.
        words.push("-Wl,-u,omp_get_max_threads".into());
    }
    words.extend(flags::link_words(&tool, is_mpi, (None, is_static))?);
    let output = step.output().unwrap_or_else(|| "a.out".into());
    run(&words, &output, own)
}

/// The parts of the command that stand for a file.
fn places<'a>(
    step: &'a Command,
    file: &'a Path,
) -> Result<impl Iterator<Item = usize> + 'a, String> {
    let same = move |other: &Path| {
        let real = |path: &Path| path.canonicalize().ok();
        other == file || real(other).is_some_and(|other| Some(other) == real(file))
    };
    let is_it =
        move |(_, part): &(usize, &Part)| file_of(step, part).is_some_and(|path| same(&path));
    let mut found = step
        .parts
        .iter()
        .enumerate()
        .filter(is_it)
        .map(|(at, _)| at)
        .peekable();
    match found.peek() {
        Some(_) => Ok(found),
        None => Err(format!(
            "{} has to change, and the command does not name it: name it, or its directory with -L",
            file.display()
        )),
    }
}

/// Writes generated C for the user to look at.
fn kept(directory: &Path, unit: &Unit, text: &[u8]) -> Result<(), String> {
    let named = Path::new(&unit.path).components();
    let plain = named.filter(|part| matches!(part, std::path::Component::Normal(_)));
    let path = directory.join(plain.collect::<PathBuf>());
    let above = path.parent().unwrap_or(directory);
    std::fs::create_dir_all(above)
        .and_then(|()| std::fs::write(&path, text))
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// Names what is not seen: objects and libraries of the user's that were not compiled by cccp-cc. What they use of the
/// program is used behind the analyses' back; auto mode, which is to find everything by itself, is refused then.
fn tell_unknown(own: &Own, taken: &[Taken], are_users: &[bool]) -> Result<(), String> {
    let defined: BTreeSet<&String> = taken
        .iter()
        .filter(|one| !one.contents.records.is_empty())
        .flat_map(|one| &one.contents.defined)
        .collect();
    let mut names = BTreeSet::new();
    let mut uses = Vec::new();
    let each = taken.iter().zip(are_users);
    for (one, _) in each.filter(|(_, is_users)| **is_users) {
        names.insert(one.file.display().to_string());
        for name in one
            .contents
            .wanted
            .iter()
            .filter(|name| defined.contains(name))
        {
            uses.push(format!("{} uses `{name}`", one.name()));
        }
    }
    if !names.is_empty() {
        let names: Vec<String> = names.into_iter().collect();
        say(&format!(
            "note: not compiled by cccp-cc, so what it does is not seen: {}",
            names.join(", ")
        ));
    }
    tell_kept(taken, are_users);
    let uses = uses.join(", ");
    match (uses.is_empty(), own.auto) {
        (true, _) => Ok(()),
        (false, true) => Err(format!(
            "{uses} of the program, and what it does with that is not seen, so it cannot be inferred what a restart \
             needs: compile it with cccp-cc, too, or write the directives by hand"
        )),
        (false, false) => {
            say(&format!(
                "warning: {uses} of the program, and what it does with that is not seen: register what it reads"
            ));
            Ok(())
        }
    }
}

/// Names variables that only objects have which are not seen: a restart finds in them what they begin with. One message for all objects:
/// an archive may have hundreds.
fn tell_kept(taken: &[Taken], are_users: &[bool]) {
    let seen = taken.iter().filter(|one| !one.contents.records.is_empty());
    let wanted: BTreeSet<&String> = seen.flat_map(|one| &one.contents.wanted).collect();
    let own = { taken.iter().zip(are_users) }
        .filter(|(one, is_users)| **is_users && !one.contents.is_shared);
    let (mut objects, mut names, mut bytes) = (Vec::new(), Vec::new(), 0u64);
    for (one, _) in own {
        let before = names.len();
        for (name, length) in &one.contents.kept {
            if !wanted.contains(name) {
                names.push(format!("`{name}`"));
                bytes += length;
            }
        }
        if names.len() > before {
            objects.push(one.name());
        }
    }
    let few = |all: &[String]| {
        let more = if all.len() > FEW { ", ..." } else { "" };
        all[..all.len().min(FEW)].join(", ") + more
    };
    let (have, their) = match objects.len() {
        0 => return,
        1 => ("has", "its"),
        _ => ("have", "their"),
    };
    say(&format!(
        "warning: {} {have} {bytes} bytes of variables of {their} own, which no checkpoint holds ({}): a restart is right only if nothing \
         is kept in them from call to call",
        few(&objects),
        few(&names)
    ));
}

/// Which objects and libraries are the user's own and were not compiled by cccp-cc.
fn are_users(step: &Command, taken: &[Taken]) -> Vec<bool> {
    let is_named = |one: &Taken| {
        let mut named = step.of(Kind::Object).map(|part| Path::new(part.value()));
        named.any(|path| path == one.file)
    };
    let place = |one: &Taken| one.file.parent()?.canonicalize().ok();
    // The compiler's own libraries lie beside the objects with which it begins programs (`crt1.o`, `crtbegin.o`), and may be named by
    // their paths, as build systems name that of OpenMP.
    let begins = |one: &&Taken| {
        let name = one.file.file_name().unwrap_or_default().to_string_lossy();
        one.file.is_absolute() && name.ends_with(".o") && name.contains("crt") && !is_named(one)
    };
    let of_compiler: BTreeSet<PathBuf> = taken.iter().filter(begins).filter_map(place).collect();
    let is_users = |one: &&Taken| {
        let mut searched = step
            .of(Kind::SearchPath)
            .map(|part| Path::new(part.value()));
        let is_found = is_named(one) || searched.any(|path| one.file.starts_with(path));
        is_found && place(one).is_none_or(|place| !of_compiler.contains(&place))
    };
    let is_unseen = |one: &Taken| one.contents.records.is_empty();
    let each = taken.iter();
    each.map(|one| is_unseen(one) && is_users(&one)).collect()
}

/// Whether messages are coloured, as the compiler's are.
fn is_coloured(step: &Command) -> bool {
    let says = |word: &str| step.says(word);
    let is_wanted = says("-fdiagnostics-color=always") || says("-fdiagnostics-color");
    let is_unwanted = says("-fdiagnostics-color=never") || says("-fno-diagnostics-color");
    is_wanted || !is_unwanted && std::io::stderr().is_terminal()
}
