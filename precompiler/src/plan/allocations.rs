//! Which functions of the C library, of FFTW and of GSL a program calls through the library, so that it knows the blocks.
//!
//! In: the whole program. Out: for each file the names that are given another meaning there. A block that one file
//! allocates another one may release, so all files that know such a function are concerned, those without directives
//! included. A name that the program defines itself keeps its meaning. So it is for programs with a fixed heap or items that bring blocks,
//! with items behind pointers that may point to blocks from before `init` or to such as are released before a checkpoint, that map memory,
//! and with values that each checkpoint has to look at (suspects): for these the library gives blocks of zeros.

use std::collections::BTreeSet;

use cccp_grammar::OF_CONTAINERS;

use crate::analysis::Proven;
use crate::analysis::allocators::{MAPS, known};
use crate::analysis::uses::library_names;
use crate::program::{
    Brings, Directive, DirectiveUse, ExpressionKind, ItemPlace, Program, SymbolKind, Unit,
};
use crate::source::Span;

/// Whether some item of the program brings allocated blocks.
pub fn brings_blocks(program: &Program) -> bool {
    let mut directives = program.units.iter().flat_map(|unit| &unit.directives);
    directives.any(|one| match &one.directive {
        Directive::Register { items } => items
            .iter()
            .any(|item| matches!(item.brings, Brings::Block | Brings::Everything)),
        _ => false,
    })
}

/// Whether a pointer with an item behind it may point to memory that every start allocates before `init`: which of its blocks
/// that is, a restart has to know, because other pointers lead there again.
fn has_early_blocks(program: &Program) -> bool {
    has_items_behind_pointers(program) && program.units.iter().any(calls_before_init)
}

fn has_items_behind_pointers(program: &Program) -> bool {
    let is_behind = |one: &&DirectiveUse| match &one.directive {
        Directive::Register { items } => {
            let mut items = items.iter();
            items.any(|item| item.kind == ItemPlace::BehindPointer)
        }
        _ => false,
    };
    let mut directives = program.units.iter().flat_map(|unit| &unit.directives);
    directives.any(|one| is_behind(&one))
}

/// Whether it maps memory: what a restart gives in its place is not to be unmapped.
fn maps_memory(program: &Program) -> bool {
    let mut units = program.units.iter();
    units.any(|unit| unit.mentions(&MAPS))
}

/// Whether a function with `init` calls something before it that may allocate.
fn calls_before_init(unit: &Unit) -> bool {
    let is_init = |one: &&DirectiveUse| matches!(one.directive, Directive::Init { .. });
    let mut inits = unit.directives.iter().filter(is_init);
    inits.any(|init| {
        let Some(function) = init.function else {
            return false;
        };
        let mut found = false;
        unit.function(function).body.walk_expressions(&mut |one| {
            let ExpressionKind::Call { callee, .. } = &one.kind else {
                return;
            };
            let is_harmless = match &callee.kind {
                ExpressionKind::Name { name, .. } => name.starts_with("MPI_"),
                _ => false,
            };
            found |= one.span.start < init.span.start && !is_harmless;
        });
        found
    })
}

/// Whether the library knows the blocks of a program of which this is proven.
pub fn knows_blocks(program: &Program, proven: &Proven) -> bool {
    // What was never set may look like what is doubted.
    let wants_zeros = !proven.suspects.is_empty() || !proven.optional.is_empty();
    // An item whose block is gone must not be taken for what lies there now.
    let may_lose = !proven.keeps_memory && has_items_behind_pointers(program);
    wants_zeros
        || may_lose
        || brings_blocks(program)
        || has_early_blocks(program)
        || program.has_fixed_heap()
        || maps_memory(program)
}

/// The names that change their meaning in a file of a program whose blocks the library knows.
pub fn renamed(program: &Program, unit: &Unit) -> Vec<&'static str> {
    let functions = unit.symbols.iter();
    let functions = functions.filter(|symbol| symbol.kind == SymbolKind::Function);
    let mut declared: BTreeSet<&str> = functions.map(|symbol| symbol.name.as_str()).collect();
    // Nobody declares what the compiler brings.
    for function in &unit.functions {
        function.body.walk_expressions(&mut |one| {
            if let ExpressionKind::Call { callee, .. } = &one.kind
                && let ExpressionKind::Name { name, .. } = &callee.kind
            {
                declared.insert(name);
            }
        });
    }
    let defined = |name: &str| {
        let functions = program.units.iter().flat_map(|unit| &unit.functions);
        functions
            .filter(|function| function.in_user_file)
            .any(|function| function.name == name)
    };
    // The headers of GSL declare all of them.
    let mut mentioned = BTreeSet::new();
    library_names(unit, &mut |name, _| {
        mentioned.insert(name);
    });
    let is_there = |name: &str| match OF_CONTAINERS.contains(&name) {
        true => mentioned.contains(name),
        false => declared.contains(name),
    };
    known()
        .filter(|name| is_there(name) && !defined(name))
        .collect()
}

/// Of the names that change their meaning in a file those that do so in the file itself only: the C library has declared them with
/// another symbol in its headers (`_FILE_OFFSET_BITS`).
pub fn own_only(unit: &Unit, names: &[&'static str]) -> Vec<&'static str> {
    let [map, wide] = MAPS;
    if !names.contains(&map) {
        return Vec::new();
    }
    let end = unit.file.normalised_text().len();
    let text = unit.file.preprocessed_text(Span { start: 0, end });
    match text.contains(&format!("\"{wide}\"")) {
        true => vec![map],
        false => Vec::new(),
    }
}

/// What gcc and clang know without a declaration.
const KNOWN: [&str; 8] = [
    "malloc",
    "calloc",
    "realloc",
    "free",
    "strdup",
    "strndup",
    "aligned_alloc",
    "posix_memalign",
];

/// Of the names that change their meaning in a file those that it calls without a declaration: the compiler knows their types, and
/// those of the functions that take their places it has to be told.
pub fn undeclared(unit: &Unit, names: &[&'static str]) -> Vec<&'static str> {
    let mut called: BTreeSet<&str> = BTreeSet::new();
    for function in &unit.functions {
        function.body.walk_expressions(&mut |one| {
            if let ExpressionKind::Call { callee, .. } = &one.kind
                && let ExpressionKind::Name { name, symbol: None } = &callee.kind
            {
                called.insert(name);
            }
        });
    }
    let is_declared = |name: &str| {
        let mut symbols = unit.symbols.iter();
        symbols.any(|one| one.kind == SymbolKind::Function && one.name == name)
    };
    (names.iter().copied())
        .filter(|name| KNOWN.contains(name) && called.contains(name) && !is_declared(name))
        .collect()
}
