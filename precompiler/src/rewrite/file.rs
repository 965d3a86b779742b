//! One file: its plan and its text in, the text to compile out.
//!
//! A file without directives and without client functions comes out byte for byte, unless the program has items that
//! bring allocated blocks and the file knows functions that allocate. Any other gets lines in front:
//! they stop a compiler for another machine, include the header, make the client functions known and set the line
//! number back, so that every message speaks about the user's own lines.

use std::collections::BTreeSet;

use super::calls::{
    ANNOUNCE, FIXED_HEAP, GENERATORS, HEADER, NOTE, RESIDE, SUSPECTS, TEXT, THREADS_LATER,
};
use super::descriptor::{elsewhere, end_of_file, literal};
use super::edits::{Edit, Overlap, apply};
use super::guard::{guarded, guarded_in_front, with_lines};
use super::steps::print;
use crate::analysis::generators::Generators;
use crate::analysis::settled::Settled;
use crate::analysis::suspects::{Doubt, Suspect};
use crate::plan::{FilePlan, OwnName, PlannedEdit, Step};
use crate::source::SourceFile;
use cccp_grammar::{
    COUNTED, ERROR_OF_CONTAINERS, FILES, HANDLES, MEMORY_OF_GMP, OF_CONTAINERS, is_seen,
};

/// Before `main` the library learns of all client functions: the linker puts what points to their descriptors into one
/// row. A restart then sees every difference at once, before anything has run.
fn announcement(plan: &FilePlan, file: &str, has_residents: bool) -> String {
    let threads = match plan.threads_later {
        true => format!("{THREADS_LATER}(); "),
        false => String::new(),
    };
    let row = |of: &str| {
        let one = |end: &str| {
            format!(
                "extern const cccp_{of} *const __{end}_cccp_{of}s[] \
                 __attribute__((weak, visibility(\"hidden\"))); "
            )
        };
        format!("{}{}", one("start"), one("stop"))
    };
    // Before anything of the program allocates.
    let fixed = match plan.heap_fixed {
        true => format!(
            "__attribute__((constructor(101))) static void cccp_fix{}(int cccp_c, char **cccp_v) {{ {FIXED_HEAP}(cccp_c, cccp_v); }} ",
            ending(file)
        ),
        false => String::new(),
    };
    let (mut residents, mut reside) = (String::new(), String::new());
    if has_residents {
        residents = row("resident");
        reside = format!("{RESIDE}(__start_cccp_residents, __stop_cccp_residents); ");
    }
    format!(
        "{}{residents}{fixed}__attribute__((constructor)) static void cccp_announcement{}(void) \
         {{ {ANNOUNCE}(__start_cccp_functions, __stop_cccp_functions); {reside}{TEXT}({:#x}ull); {}{threads}{}}}\n",
        row("function"),
        ending(file),
        plan.text,
        families(plan.generators),
        suspected(&plan.suspects)
    )
}

/// A header has a name of its own: what includes it may be another file of this kind.
fn ending(file: &str) -> String {
    if file.ends_with(".c") {
        return String::new();
    }
    let letter = |one: char| match one.is_ascii_alphanumeric() {
        true => one,
        false => '_',
    };
    format!("_of_{}", file.chars().map(letter).collect::<String>())
}

/// What tells the library at which values to look.
fn suspected(all: &BTreeSet<Suspect>) -> String {
    let entries: Vec<String> = all
        .iter()
        .map(|one| {
            let member = one
                .member
                .as_ref()
                .map_or("0".to_string(), |name| literal(name));
            let what = match one.doubt {
                Doubt::Number => "CCCP_SUSPECT_NUMBER",
                Doubt::Pointer => "CCCP_SUSPECT_POINTER",
                Doubt::Before => "CCCP_SUSPECT_BEFORE",
            };
            format!("{{{}, {member}, {what}}}", literal(&one.type_name))
        })
        .collect();
    match entries.is_empty() {
        true => String::new(),
        false => format!(
            "{{ static const cccp_suspect cccp_all[] = {{{}}}; {SUSPECTS}(cccp_all, {}); }} ",
            entries.join(", "),
            entries.len()
        ),
    }
}

/// What tells the library of generators of random numbers.
fn families(generators: Generators) -> String {
    let random = generators.random.then_some("CCCP_GENERATORS_RANDOM");
    let drand48 = generators.drand48.then_some("CCCP_GENERATORS_DRAND48");
    let names: Vec<&str> = random.into_iter().chain(drand48).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("{GENERATORS}({}); ", names.join(" | ")),
    }
}

/// The text that is compiled.
pub fn rewrite_file(plan: &FilePlan, file: &SourceFile) -> Result<String, Overlap> {
    let (original, lines, name) = (&file.original, &file.lines, &file.path);
    if plan.edits.is_empty()
        && plan.functions.is_empty()
        && plan.heap.is_empty()
        && plan.opens.is_empty()
        && plan.own_names.is_empty()
        && plan.described.roots.is_empty()
        && plan.names.is_empty()
        && !plan.messages_counted
        && !plan.opens_files
        && !plan.notes_handles
        && plan.of_libraries.is_empty()
        && plan.watched.is_empty()
        && !plan.has_directives
    {
        return Ok(file.as_written().into_owned());
    }
    let line_mark = |at: usize| format!("#line {} {}", file.line_of(at), literal(file.name_at(at)));
    let edits = plan
        .edits
        .iter()
        .map(|edit| {
            let function = edit.function.and_then(|index| plan.functions.get(index));
            let mut text = print(&edit.steps, function);
            let line_ends = ['\n', '\r'];
            if text.contains(line_ends) {
                text = text.replace(line_ends, " ");
            }
            let line = line_mark(edit.start);
            let text = guarded(text, file, edit.at, &meant(edit), &line);
            Edit {
                start: edit.start,
                end: edit.end,
                order: edit.order,
                text,
            }
        })
        .collect();
    let mut body = apply(original, edits)?;
    if !lines.is_plain() {
        body = lines.marked(&body, |line| {
            let name = lines.name(line).unwrap_or(name);
            format!("#line {} {}", lines.of(line), literal(name))
        });
    }
    let body = with_lines(body);
    let mark = original.strip_prefix('\u{feff}').map_or("", |_| "\u{feff}");
    let body = body.strip_prefix('\u{feff}').unwrap_or(&body);
    let announcement = match plan.is_announced() {
        false => String::new(),
        true => {
            let mut items = plan.functions.iter().flat_map(|one| &one.items);
            announcement(plan, name, items.any(|item| item.block == 0))
        }
    };
    let (containers, heap): (Vec<&str>, Vec<&str>) =
        (plan.heap.iter()).partition(|name| OF_CONTAINERS.contains(name));
    let mut of_containers: String = (containers.iter())
        .map(|name| match file.own_macro(name) {
            Some(_) => for_linkers(name, name),
            None => format!("#define {name} cccp_{name}\n"),
        })
        .collect();
    if !containers.is_empty() {
        of_containers.insert_str(0, &format!("{NOTE}({ERROR_OF_CONTAINERS})\n"));
    }
    if plan.has_numbers_of_gmp {
        of_containers.push_str(&format!("{NOTE}({MEMORY_OF_GMP})\n"));
    }
    let heap: String = (heap.iter())
        .map(|name| match file.own_macro(name) {
            Some(_) => for_linkers(name, name),
            None if plan.heap_own_only.contains(name) => format!("#define CCCP_HEAP_{name} 2\n"),
            None if plan.heap_undeclared.contains(name) => {
                format!("#define CCCP_HEAP_{name}\n#define CCCP_HEAP_UNDECLARED_{name}\n")
            }
            None => format!("#define CCCP_HEAP_{name}\n"),
        })
        .collect();
    let opens: String = (plan.opens.iter())
        .map(|one| match (one.own_only, file.own_macro(one.name)) {
            (true, _) => format!("#define CCCP_OPENS_{} 2\n", one.name),
            (false, None) => format!("#define CCCP_OPENS_{}\n", one.name),
            (false, Some(_)) => for_linkers(one.name, one.name.trim_end_matches("64")),
        })
        .collect();
    let own = plan.own_names.iter();
    let (macros, own): (Vec<&OwnName>, Vec<_>) = own.partition(|one| one.is_macro);
    let own: String = (own.into_iter())
        .map(|OwnName { name, .. }| format!("#pragma redefine_extname {name} cccp_own_{name}\n"))
        .collect();
    let macros: String = (macros.into_iter())
        .map(|OwnName { name, .. }| format!("#define {name} cccp_own_{name}\n"))
        .collect();
    let counted = match (plan.messages_counted, plan.settled, plan.opens_files) {
        (true, Settled::All, _) => "#define CCCP_MESSAGES\n#define CCCP_REQUESTS_DROPPED\n",
        (true, Settled::Sends, _) => "#define CCCP_MESSAGES\n#define CCCP_SENDS_DROPPED\n",
        (true, Settled::Remade, _) => "#define CCCP_MESSAGES\n#define CCCP_SENDS_REMADE\n",
        (true, Settled::None, _) => "#define CCCP_MESSAGES\n",
        (false, _, true) => "#define CCCP_FILES\n",
        (false, _, false) => "",
    };
    let noted = match plan.notes_handles {
        true => "#define CCCP_HANDLES\n",
        false => "",
    };
    let threads = match plan.has_teams {
        true => "#define CCCP_PARALLEL\n",
        false => "",
    };
    let lists = [
        (plan.messages_counted, COUNTED),
        (plan.messages_counted || plan.opens_files, FILES),
        (plan.notes_handles, HANDLES),
    ];
    let of_mpi: BTreeSet<&str> = (lists.into_iter())
        .filter(|(is_meant, _)| *is_meant)
        .flat_map(|(_, names)| names)
        .copied()
        .filter(|name| file.own_macro(name).is_some())
        .collect();
    let of_mpi: String = (of_mpi.into_iter())
        .map(|name| format!("#undef {name}\n{}", for_linkers(name, name)))
        .collect();
    let of_libraries: String = { plan.of_libraries.iter() }
        .map(|name| {
            let renamed = match (is_seen(name), file.own_macro(name)) {
                (false, _) => String::new(),
                (true, Some(_)) => for_linkers(name, name),
                (true, None) => format!("#define {name} cccp_{name}\n"),
            };
            format!("{NOTE}({name})\n{renamed}")
        })
        .collect();
    let watched: String = { plan.watched.iter() }
        .map(|name| for_linkers(name, name))
        .collect();
    let header = guarded_in_front(HEADER, file);
    let known = format!("{}{announcement}", elsewhere(&plan.elsewhere));
    let known = guarded_in_front(&known, file);
    let end = file.preprocessed.len();
    let line = line_mark(original.len());
    let last = with_lines(guarded(end_of_file(plan), file, end, &[], &line));
    let end = match last.is_empty() || body.ends_with('\n') {
        true => "",
        false => "\n",
    };
    Ok(format!(
        "{mark}{own}{watched}{heap}{opens}{counted}{noted}{threads}{header}{of_mpi}{of_libraries}{of_containers}{macros}{known}#line 1 {}\n{body}{end}{last}",
        literal(name)
    ))
}

/// A name that the program makes a macro, too: it keeps its meaning in the text, whatever becomes of the macro, and what it
/// declares is a function of the library for linkers.
fn for_linkers(name: &str, of_library: &str) -> String {
    let more = match name {
        // What the GNU C library makes of getline.
        "getline" => "#pragma redefine_extname __getdelim cccp_getdelim\n",
        _ => "",
    };
    format!("#pragma redefine_extname {name} cccp_{of_library}\n{more}")
}

/// The words that the user means as macros.
fn meant(edit: &PlannedEdit) -> Vec<&str> {
    let words = edit.steps.iter().filter_map(|step| match step {
        Step::Macros(words) => Some(words),
        _ => None,
    });
    words.flatten().map(String::as_str).collect()
}

/// The same text, which refuses to be compiled where one of the conditions holds: for another machine than the one it
/// was made for. A text that came out as it went in is for every machine.
pub fn for_one_machine(text: String, original: &str, other_machine: &[String]) -> String {
    if text == original || other_machine.is_empty() {
        return text;
    }
    let mark = text.strip_prefix('\u{feff}').map_or("", |_| "\u{feff}");
    format!(
        "{mark}#if defined __SIZEOF_LONG__ && ({})\n#error \"precompiled for another machine: run cccp-pp once per kind of \
         machine, with --cc and the flags of that compiler\"\n#endif\n{}",
        other_machine.join(" || "),
        &text[mark.len()..]
    )
}
