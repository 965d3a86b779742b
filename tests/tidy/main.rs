//! The rules of the house, kept by reading the source text. They are explained in HOUSE.md beside this folder; what each one
//! is good for stands there.
//!
//! The text is looked at without comments and string literals, so a word in a comment is no offence.

mod assumptions;
mod contract;
mod map;
mod source;

use source::{Source, files, room_of, sources, top};

/// The lowest rooms of the precompiler but the last, in a crate of their own.
const BASE: [&str; 1] = ["solver"];
/// The other rooms of the precompiler; each uses only rooms before it.
const PRECOMPILER: [&str; 13] = [
    "memory",
    "diagnostic",
    "syntax",
    "directive",
    "program",
    "catalog",
    "dataflow",
    "analysis",
    "plan",
    "rewrite",
    "explain",
    "auto",
    "cli",
];
/// The rooms of the runtime; each uses only rooms before it.
const RUNTIME: [&str; 14] = [
    "format",
    "store",
    "settings",
    "memory",
    "registry",
    "comm",
    "messages",
    "libraries",
    "generation",
    "heap",
    "restore",
    "trigger",
    "session",
    "tool",
];
/// The rooms of the inspection tool; each uses only rooms before it.
const CKPT: [&str; 10] = [
    "outcome", "output", "select", "check", "render", "elements", "measure", "compare", "forms",
    "commands",
];
/// The rooms of the tool that starts programs; each uses only rooms before it.
const RUN: [&str; 9] = [
    "output", "place", "account", "child", "retry", "slurm", "status", "report", "prove",
];
/// The folders with rooms, and their last room: it may use all and be used by none.
const HOUSES: [(&str, &[&str], &str); 5] = [
    ("precompiler/base/src/", &BASE, "source"),
    ("precompiler/src/", &PRECOMPILER, "cc"),
    ("cccp-runtime/src/", &RUNTIME, "ffi"),
    ("cccp-runtime/ckpt/src/", &CKPT, "cli"),
    ("cccp-runtime/run/src/", &RUN, "cli"),
];
/// What may stand at the top, beside names that begin with a dot.
const TOP: [&str; 9] = [
    "Cargo.toml",
    "Cargo.lock",
    "LICENSE",
    "README.md",
    "grammar",
    "precompiler",
    "cccp-runtime",
    "samples",
    "tests",
];
/// The longest file.
const LINES: usize = 800;

/// Fails with all offences at once.
fn none(rule: &str, offences: Vec<String>) {
    assert!(offences.is_empty(), "{rule}:\n  {}", offences.join("\n  "));
}

/// Numbered lines of code in which one of these words stands.
fn lines_with(source: &Source, words: &[&str]) -> Vec<String> {
    let offends = |line: &str| words.iter().any(|word| stands_in(line, word));
    let name =
        |(number, line): (usize, &str)| format!("{}:{}: {}", source.path, number + 1, line.trim());
    source
        .code
        .lines()
        .enumerate()
        .filter(|(_, line)| offends(line))
        .map(name)
        .collect()
}

/// Whether `word` stands in `line` and not only as the end of a longer one.
fn stands_in(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

/// Every use of a room by a room: file, the room it lies in, the room it uses.
fn uses(folder: &str, rooms: &[&str]) -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    for source in sources() {
        let Some(room) = source.below(folder).and(room_of(&source.path)) else {
            continue;
        };
        for room_used in rooms {
            let direct = source.code.contains(&format!("crate::{room_used}"));
            if direct
                || source
                    .code
                    .split("use crate::{")
                    .skip(1)
                    .any(|list| names_room(list, room_used))
            {
                found.push((
                    source.path.clone(),
                    room.to_owned(),
                    (*room_used).to_owned(),
                ));
            }
        }
    }
    found
}

/// Whether a list `{a, b::c}` after `use crate::` names this room.
fn names_room(list: &str, room: &str) -> bool {
    let list = list.split(';').next().unwrap_or_default();
    list.split([',', '{', '}'])
        .any(|item| item.trim().split("::").next() == Some(room))
}

#[test]
fn a_room_uses_only_rooms_before_it() {
    let mut offences = Vec::new();
    for (folder, rooms, last) in HOUSES {
        let all: Vec<&str> = rooms.iter().copied().chain([last]).collect();
        let place = |room: &str| all.iter().position(|&known| known == room);
        for (path, room, room_used) in uses(folder, &all) {
            let (Some(here), Some(there)) = (place(&room), place(&room_used)) else {
                continue;
            };
            if there > here {
                offences.push(format!("{path}: {room} uses {room_used}"));
            }
        }
    }
    none("a room uses only rooms before it", offences);
}

#[test]
fn every_source_lies_in_a_known_room() {
    let mut offences = Vec::new();
    for source in sources() {
        for (folder, rooms, last) in HOUSES {
            let Some(rest) = source.below(folder) else {
                continue;
            };
            let room = rest
                .split('/')
                .next()
                .unwrap_or_default()
                .trim_end_matches(".rs");
            if room != "lib" && room != last && !rooms.contains(&room) {
                offences.push(format!("{}: {room} is not a room", source.path));
            }
        }
    }
    none("the rooms are fixed", offences);
}

#[test]
fn the_precompiler_and_the_runtime_do_not_depend_on_each_other() {
    let read = |path: &str| std::fs::read_to_string(top().join(path)).expect("a manifest");
    assert!(!read("precompiler/Cargo.toml").contains("cccp-runtime"));
    assert!(!read("cccp-runtime/Cargo.toml").contains("cccp-precompiler"));
    assert!(!read("cccp-runtime/mpi/Cargo.toml").contains("cccp-precompiler"));
    assert!(!read("cccp-runtime/ckpt/Cargo.toml").contains("cccp-precompiler"));
    assert!(!read("cccp-runtime/run/Cargo.toml").contains("cccp-precompiler"));
}

/// Where the precompiler goes round by itself, and why that is nothing for the solver.
const GO_ROUND: [(&str, &str); 9] = [
    (
        "analysis/communication/safety.rs",
        "runs of a program, each with more answers assumed",
    ),
    (
        "analysis/completeness/names.rs",
        "the shortest name comes first",
    ),
    ("analysis/origins/unions.rs", "a path, from its end"),
    (
        "analysis/points_to/graph.rs",
        "waves over a graph that changes meanwhile",
    ),
    (
        "analysis/points_to/recent.rs",
        "each node once, along chains",
    ),
    (
        "analysis/points_to/solver.rs",
        "functions whose constraints are still to be made",
    ),
    ("analysis/points_to/supply.rs", "a search with a bound"),
    ("analysis/unknown/find.rs", "in the order of the text"),
    (
        "plan/pointers.rs",
        "types are described one after the other, each with what holds it",
    ),
];

#[test]
fn going_round_until_nothing_is_new_is_left_to_the_solver() {
    let mut offences = Vec::new();
    let mut met = Vec::new();
    for source in sources().iter().filter(|source| !source.is_test()) {
        let Some(path) = source.in_precompiler() else {
            continue;
        };
        let words = ["pop()", "pop_front()", "pop_first()"];
        let is_worklist = |line: &String| line.contains("while let Some(");
        let mut found = lines_with(source, &words);
        found.retain(is_worklist);
        found.extend(lines_with(
            source,
            &["while std::mem::", "while changed", "while news"],
        ));
        if source.in_rooms(&["solver"]) || found.is_empty() {
            continue;
        }
        match GO_ROUND.iter().any(|(file, _)| *file == path) {
            true => met.push(path.to_owned()),
            false => offences.extend(found),
        }
    }
    let gone = GO_ROUND
        .iter()
        .filter(|(file, _)| !met.iter().any(|one| one == file));
    offences.extend(gone.map(|(file, _)| format!("{file} does not go round any more")));
    none(
        "closure, settle, solve and rounds of the room solver go round",
        offences,
    );
}

/// What stands in the parentheses behind each of these words.
fn arguments<'t>(code: &'t str, words: &[&str]) -> Vec<(usize, &'t str)> {
    let mut found = Vec::new();
    for word in words {
        for (at, _) in code.match_indices(word) {
            if !stands_in(&code[..at + word.len()], word) {
                continue;
            }
            let start = at + word.len();
            let mut open = 1;
            let end = code[start..].find(|c| {
                open += i32::from(c == '(') - i32::from(c == ')');
                open == 0
            });
            found.push((at, &code[start..end.map_or(code.len(), |end| start + end)]));
        }
    }
    found
}

#[test]
fn where_control_comes_to_is_asked_of_the_graphs_of_dataflow() {
    let mut offences = Vec::new();
    for source in sources().iter().filter(|source| !source.is_test()) {
        let is_precompiler = source.in_precompiler().is_some();
        if !is_precompiler || source.in_rooms(&["solver", "dataflow"]) {
            continue;
        }
        for (at, searched) in arguments(&source.code, &["closure(", "reached("]) {
            let edges = ["flow", ".next(", ".previous("];
            if edges.iter().any(|word| searched.contains(word)) {
                let line = source.code[..at].matches('\n').count() + 1;
                offences.push(format!("{}:{line}", source.path));
            }
        }
        // A search by hand.
        let words = ["while let Some(&node)"];
        offences.extend(lines_with(source, &words));
    }
    none(
        "Flow::along, Flow::nearest and Control of dataflow know where control comes to",
        offences,
    );
}

/// Who looks at the operators of arithmetic beside `program`, and what for: not to compute.
const OPERATORS: [(&str, &str); 7] = [
    (
        "analysis/communication/evaluate.rs",
        "a domain: terms and shapes of results",
    ),
    (
        "analysis/coverage/extents.rs",
        "by what a length is divided",
    ),
    ("analysis/load/halving.rs", "the form of a loop"),
    ("analysis/load/iterations.rs", "a domain: estimates"),
    ("analysis/load/repeats.rs", "the form of a condition"),
    (
        "dataflow/steps/evaluate.rs",
        "what an operator leaves of an address",
    ),
    ("explain/size/value.rs", "how an expression is written"),
];

#[test]
fn what_number_an_expression_is_says_one_place() {
    let mut offences = Vec::new();
    let mut met = Vec::new();
    for source in sources().iter().filter(|source| !source.is_test()) {
        let Some(path) = source.in_precompiler() else {
            continue;
        };
        let operators = ["Divide", "Modulo", "ShiftRight"]
            .map(|one| ["BinaryOperator", "B"].map(|ty| format!("{ty}::{one}")));
        let mut words: Vec<&str> = operators.iter().flatten().map(String::as_str).collect();
        words.extend(["UnaryOperator::Minus", "UnaryOperator::Complement"]);
        let found = lines_with(source, &words);
        if source.in_rooms(&["syntax", "program"]) || found.is_empty() {
            continue;
        }
        match OPERATORS.iter().any(|(file, _)| *file == path) {
            true => met.push(path.to_owned()),
            false => offences.extend(found),
        }
    }
    let gone = OPERATORS
        .iter()
        .filter(|(file, _)| !met.iter().any(|one| one == file));
    offences.extend(gone.map(|(file, _)| format!("{file} has no operators any more")));
    none(
        "program/value and program/arithmetic compute; a domain says what it knows",
        offences,
    );
}

#[test]
fn unsafe_code_stands_only_in_memory_comm_and_ffi() {
    let mut offences = Vec::new();
    for source in sources().iter().filter(|source| !source.is_test()) {
        let allowed = source.path.starts_with("cccp-runtime/mpi/")
            || source.in_rooms(&["memory", "comm", "ffi"]);
        if !allowed {
            offences.extend(lines_with(
                source,
                &["unsafe {", "unsafe fn", "unsafe impl", "unsafe extern"],
            ));
        }
    }
    none("unsafe only in memory, comm and ffi", offences);
}

#[test]
fn the_c_interface_stands_only_in_ffi() {
    let mut offences = Vec::new();
    for source in sources().iter().filter(|source| !source.is_test()) {
        if source.path.starts_with("cccp-runtime/mpi/") || source.in_rooms(&["ffi"]) {
            continue;
        }
        // Literals are blanked: `extern "C" fn` reads `extern  fn`.
        let definitions = |line: &&str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            words.windows(2).any(|pair| pair == ["extern", "fn"])
                && line.contains('{')
                && !line.contains("= ")
        };
        offences.extend(
            source
                .code
                .lines()
                .filter(definitions)
                .map(|line| format!("{}: {line}", source.path)),
        );
        offences.extend(lines_with(source, &["no_mangle", "export_name"]));
    }
    none("extern \"C\" only in ffi", offences);
}

#[test]
fn files_are_opened_only_in_store_output_source_cli_and_cc() {
    let mut offences = Vec::new();
    for source in sources().iter().filter(|source| !source.is_test()) {
        let allowed = match source.path.split('/').next() {
            Some("cccp-runtime") => source.in_rooms(&["store"]) || source.in_tool("output"),
            Some("precompiler") => {
                // cc is a command line of its own, and writes objects.
                source.in_rooms(&["source", "cli", "cc"]) || source.path.ends_with("build.rs")
            }
            _ => false,
        };
        if !allowed {
            offences.extend(lines_with(
                source,
                &["std::fs", "fs::", "File::", "OpenOptions"],
            ));
        }
    }
    none(
        "files are opened only in store (runtime), output (tools), source, cli and cc (precompiler)",
        offences,
    );
}

#[test]
fn only_the_edge_prints() {
    let mut offences = Vec::new();
    for source in sources().iter().filter(|source| !source.is_test()) {
        let allowed = source.in_rooms(&["cli", "cc", "tool"])
            || source.in_tool("output")
            || source.path.ends_with("build.rs");
        if !allowed {
            offences.extend(lines_with(
                source,
                &[
                    "println!",
                    "eprintln!",
                    "print!",
                    "eprint!",
                    "dbg!",
                    "stdout()",
                    "stderr()",
                ],
            ));
        }
    }
    none(
        "printing only in cli, cc and tool, and output of the tools",
        offences,
    );
}

#[test]
fn lib_and_mod_files_hold_only_declarations() {
    let mut offences = Vec::new();
    for source in sources() {
        if source.path.ends_with("/lib.rs") || source.path.ends_with("/mod.rs") {
            let words = ["fn ", "struct ", "enum ", "trait ", "impl ", "static "];
            offences.extend(lines_with(&source, &words));
        }
    }
    none(
        "lib.rs and mod.rs hold declarations and re-exports",
        offences,
    );
}

#[test]
fn every_file_says_what_it_is() {
    let silent =
        |source: &Source| !source.text.starts_with("//!") && !source.text.starts_with("//");
    none(
        "a file begins with a header",
        sources()
            .into_iter()
            .filter(silent)
            .map(|source| source.path)
            .collect(),
    );
}

#[test]
fn no_file_is_longer_than_800_lines() {
    let endings = ["rs", "c", "h", "sh", "pest", "py"];
    let long = files(top()).into_iter().filter_map(|path| {
        let end = path.extension()?.to_str()?;
        let count = endings.contains(&end).then(|| {
            std::fs::read_to_string(&path)
                .unwrap_or_default()
                .lines()
                .count()
        })?;
        (count > LINES).then(|| format!("{}: {count} lines", path.display()))
    });
    none("a file is about one thing", long.collect());
}

#[test]
fn the_top_holds_only_its_rooms() {
    let names = std::fs::read_dir(top()).expect("the top").flatten();
    let names = names.map(|entry| entry.file_name().into_string().expect("UTF-8"));
    let strange = names
        .filter(|name| !name.starts_with('.') && name != "target" && !TOP.contains(&name.as_str()));
    none("nothing else at the top", strange.collect());
}

#[test]
fn nothing_is_left_for_later() {
    // Spelt in two parts, so that this file is no offence itself.
    let words =
        [["TO", "DO"], ["FIX", "ME"], ["XX", "X"], ["HA", "CK"]].map(|parts| parts.concat());
    let macros = [["todo", "!("], ["unimplemented", "!("]].map(|parts| parts.concat());
    let endings = ["rs", "c", "h", "toml", "pest", "md"];
    let mut offences = Vec::new();
    for path in files(top()) {
        if !path
            .extension()
            .and_then(|end| end.to_str())
            .is_some_and(|end| endings.contains(&end))
        {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a text file");
        for (number, line) in text.lines().enumerate() {
            if words
                .iter()
                .chain(&macros)
                .any(|word| stands_alone(line, word))
            {
                offences.push(format!(
                    "{}:{}: {}",
                    path.display(),
                    number + 1,
                    line.trim()
                ));
            }
        }
    }
    none("nothing is left for later", offences);
}

/// Whether `word` stands in `line` as a whole word.
fn stands_alone(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let outside = |c: Option<char>| !c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        outside(line[..at].chars().next_back())
            && (word.ends_with('(') || outside(line[at + word.len()..].chars().next()))
    })
}

#[test]
fn no_lint_is_silenced_without_a_reason() {
    let mut offences = Vec::new();
    for source in sources() {
        let code = source.text.replace("\n    ", " ");
        for (at, _) in code.match_indices("[allow(") {
            let attribute = &code[at..code[at..].find(")]").map_or(code.len(), |end| at + end)];
            if !attribute.contains("reason") && !source.path.starts_with("tests/tidy/") {
                offences.push(format!("{}: #{attribute})]", source.path));
            }
        }
    }
    none("a silenced lint has a reason", offences);
}
