//! Reads the pragma lines that survived preprocessing.

use cccp_grammar::{Brings, Directive, Item, ItemPart, Text, parse_directive};

use super::place::check_places;
use super::report::{misspelt, syntax_error, untagged};
use crate::diagnostic::Diagnostic;
use crate::source::{SourceFile, SourceRange, Span};
use crate::syntax::parse_expressions;
use crate::syntax::tree::{Declaration, Expression, StorageWord, TopLevel, Tree};

/// A C expression in a directive.
#[derive(Debug)]
pub struct Clause {
    /// As written, on one line.
    pub text: String,
    /// Where it stands in the user's file.
    pub place: SourceRange,
    /// Its tree, with spans that count bytes of [`Clause::text`]; `None` when it does not parse.
    pub tree: Option<Expression>,
    /// The tree of what it becomes when its macros are expanded; `None` without macros, or when they are not simple.
    pub meant: Option<Expression>,
}

/// A directive at its place.
#[derive(Debug)]
pub struct Placed {
    /// What it says.
    pub directive: Directive,
    /// Its C expressions, in the order of the text; the base of an item (without extents) comes before its extents.
    pub clauses: Vec<Clause>,
    /// Index into [`SourceFile::directive_lines`].
    pub line: usize,
    /// Its pragma in the preprocessed text.
    pub span: Span,
    /// `execute on restart` ↔ `end execute`: index of the other one among the directives placed.
    pub partner: Option<usize>,
}

/// The directives that can be used, in the order of the text.
pub fn read_directives(
    file: &SourceFile,
    tree: &Tree,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Placed> {
    let mut placed = Vec::new();
    diagnostics.extend(file.pragmas().iter().filter_map(|one| misspelt(file, one)));
    for pragma in file.active_pragmas() {
        let Some(line) = pragma.line else {
            diagnostics.push(untagged(file, pragma.span.start));
            continue;
        };
        let body = file.directive_lines[line].body;
        match parse_directive(file.original_text(body)) {
            Ok(directive) => {
                let clauses = clauses(file, body.start, &directive);
                placed.push(Placed {
                    directive,
                    clauses,
                    line,
                    span: pragma.span,
                    partner: None,
                });
            }
            Err(error) => diagnostics.push(syntax_error(file, body.start, body.end, &error)),
        }
    }
    parse_clauses(file, &mut placed, tree);
    check_places(file, tree, &mut placed, diagnostics);
    placed
}

/// The base of an item as C text: everything but the brackets at its end.
pub fn base_text(item: &Item) -> (String, usize) {
    let kept = match item.brings {
        Brings::Itself => item
            .parts
            .iter()
            .rposition(|part| !matches!(part, ItemPart::Bracket(_)))
            .map_or(0, |last| last + 1),
        // No extents: brackets choose an element.
        Brings::Block | Brings::Everything | Brings::File => item.parts.len(),
    };
    let mut text = item.name.text.clone();
    for part in &item.parts[..kept] {
        match part {
            ItemPart::Member(name) => text.push_str(&format!(".{}", name.text)),
            ItemPart::Pointed(name) => text.push_str(&format!("->{}", name.text)),
            ItemPart::Bracket(bracket) => text.push_str(&format!("[{}]", bracket.count.text)),
        }
    }
    (text, kept)
}

fn clauses(file: &SourceFile, body: usize, directive: &Directive) -> Vec<Clause> {
    let mut all = Vec::new();
    let mut take = |text: &str, range: &std::ops::Range<usize>| {
        let place = SourceRange::new(
            body + range.start,
            (body + range.end).min(file.original.len()),
        );
        all.push(Clause {
            text: text.to_string(),
            place,
            tree: None,
            meant: None,
        });
    };
    let whole = |text: &Text| take(&text.text, &text.range);
    match directive {
        Directive::Init {
            comm,
            heap_fixed: _,
        } => comm.iter().for_each(whole),
        // Expressions only.
        Directive::Checkpoint {
            every,
            condition,
            ranks: _,
            messages_counted: _,
            name: _,
            stands: _,
        } => every.iter().chain(condition).for_each(whole),
        Directive::Register { items } => {
            for item in items {
                let (text, kept) = base_text(item);
                take(&text, &item.range);
                for part in &item.parts[kept..] {
                    let ItemPart::Bracket(bracket) = part else {
                        continue;
                    };
                    for bound in bracket.lower.iter().chain(std::iter::once(&bracket.count)) {
                        take(&bound.text, &bound.range);
                    }
                }
            }
        }
        Directive::Unregister { .. }
        | Directive::ExecuteOnRestart { .. }
        | Directive::EndExecute
        | Directive::Shutdown
        | Directive::Client { .. } => {}
    }
    all
}

fn parse_clauses(file: &SourceFile, placed: &mut [Placed], tree: &Tree) {
    let texts: Vec<String> = placed
        .iter()
        .flat_map(|one| one.clauses.iter().map(|clause| clause.text.clone()))
        .collect();
    if texts.is_empty() {
        return;
    }
    let expanded: Vec<String> = placed
        .iter()
        .flat_map(|one| one.clauses.iter().map(|clause| (one.span.start, clause)))
        .map(|(offset, clause)| match file.is_added(clause.place.start) {
            // Names that were chosen here, not text that somebody wrote.
            true => String::new(),
            false => file.expanded(&clause.text, offset).unwrap_or_default(),
        })
        .collect();
    let texts: Vec<&str> = texts.iter().chain(&expanded).map(String::as_str).collect();
    let typedefs = typedef_names(tree, &texts);
    let mut parsed = parse_expressions(&texts, &typedefs);
    let mut meant = parsed.split_off(expanded.len()).into_iter();
    let mut parsed = parsed.into_iter();
    for one in placed {
        for clause in &mut one.clauses {
            clause.tree = parsed.next().flatten();
            clause.meant = meant.next().flatten();
        }
    }
}

/// The file's typedef names that occur in the texts.
fn typedef_names(tree: &Tree, texts: &[&str]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for item in &tree.items {
        let TopLevel::Declaration(Declaration {
            specifiers,
            declarators,
            ..
        }) = item
        else {
            continue;
        };
        if !specifiers.storage.contains(&StorageWord::Typedef) {
            continue;
        }
        for (name, _) in declarators
            .iter()
            .filter_map(|one| one.declarator.name.as_ref())
        {
            if texts.iter().any(|text| text.contains(name.as_str())) && !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    names
}
