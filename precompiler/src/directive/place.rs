//! Checks where directives stand: between the statements of a block, each `execute on restart` with its `end execute`
//! in the same block.

use cccp_grammar::Directive;

use super::read::Placed;
use super::report::at;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceFile, SourceRange, Span};
use crate::syntax::tree::{Statement, StatementKind, TopLevel, Tree};

/// Where an offset lies. The number of the block is the offset of its `{`.
enum Position {
    Block(usize),
    /// The same, after a label or in it.
    Label(usize),
    FileScope,
    Wrong(&'static str, &'static str),
}

const BRACES: &str = "put braces `{ … }` around the directive and the statement that follows it";
const OUTSIDE: &str = "move it before or after";

/// Removes directives that stand at wrong places, pairs the execute blocks, and says so.
pub fn check_places(
    file: &SourceFile,
    tree: &Tree,
    placed: &mut Vec<Placed>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut blocks = Vec::new();
    placed.retain(|one| {
        let lines = lines_of(file, one);
        if moved_by_macro(file, one) {
            diagnostics.push(
                Diagnostic::error(
                    Code::IN_MACRO_ARGUMENTS,
                    at(file, lines),
                    "a directive in the arguments of a macro",
                )
                .reason("the preprocessor takes it out of its place")
                .help("move it before or after the macro"),
            );
            return false;
        }
        let client = matches!(one.directive, Directive::Client { .. });
        match position(file, tree, one.span) {
            Position::Block(block) | Position::Label(block) => {
                blocks.push(block);
                true
            }
            Position::FileScope if client => {
                blocks.push(usize::MAX);
                true
            }
            Position::FileScope => {
                diagnostics.push(
                    Diagnostic::error(
                        Code::MISPLACED,
                        at(file, lines),
                        "a directive outside of a function",
                    )
                    .reason("a directive is executed where it stands; only `client` may stand here")
                    .help("move it into the function in which it is to happen"),
                );
                false
            }
            Position::Wrong(reason, help) => {
                let message = "a directive cannot stand here";
                let diagnostic = Diagnostic::error(Code::MISPLACED, at(file, lines), message);
                diagnostics.push(
                    diagnostic
                        .label("no statement may stand here")
                        .reason(reason)
                        .help(help),
                );
                false
            }
        }
    });
    pair_execute_blocks(file, placed, &blocks, diagnostics);
}

pub fn lines_of(file: &SourceFile, one: &Placed) -> SourceRange {
    let lines = file.directive_lines[one.line].lines;
    let text = file.original_text(lines);
    let first = text.lines().next().unwrap_or("");
    let start = lines.start + (first.len() - first.trim_start().len());
    SourceRange::new(start, lines.end)
}

/// The preprocessor emits a pragma among macro arguments before the expansion: the next text is from an earlier line.
fn moved_by_macro(file: &SourceFile, one: &Placed) -> bool {
    let line = file.directive_lines[one.line].line;
    let bytes = file.normalised_text().as_bytes();
    let mut next = one.span.end;
    while next < bytes.len() && bytes[next].is_ascii_whitespace() {
        next += 1;
    }
    next < bytes.len()
        && file
            .origin(next)
            .is_some_and(|origin| origin.own && (origin.line as usize) < line)
}

fn position(file: &SourceFile, tree: &Tree, pragma: Span) -> Position {
    let offset = pragma.start;
    for item in &tree.items {
        let span = match item {
            TopLevel::Declaration(declaration) => declaration.span,
            TopLevel::Function(function) => function.span,
        };
        if !(span.start < offset && offset < span.end) {
            continue;
        }
        return match item {
            TopLevel::Declaration(_) => {
                Position::Wrong("it stands in the middle of a declaration", OUTSIDE)
            }
            TopLevel::Function(function) if function.body.span.has(offset) => {
                match inside(&function.body, offset, true, 0) {
                    Position::Label(block) if follows_colon(file, offset) => Position::Block(block),
                    Position::Label(_) => {
                        Position::Wrong("it stands in the middle of a label", OUTSIDE)
                    }
                    found => found,
                }
            }
            TopLevel::Function(_) => Position::Wrong(
                "it stands before the body of a function",
                "move it into the body",
            ),
        };
    }
    Position::FileScope
}

/// Whether the last character of C before `offset` is the colon of a label.
fn follows_colon(file: &SourceFile, offset: usize) -> bool {
    let end = file.end_of_previous_token(offset);
    file.normalised_text()[..end].ends_with(':')
}

fn inside(statement: &Statement, offset: usize, in_block: bool, block: usize) -> Position {
    let between = |body: &Statement, reason: &'static str| {
        if body.span.start < offset && offset < body.span.end {
            inside(body, offset, false, block)
        } else {
            Position::Wrong(reason, BRACES)
        }
    };
    match &statement.kind {
        StatementKind::Compound(items) => {
            let around = items
                .iter()
                .find(|item| item.span.start < offset && offset < item.span.end);
            match around {
                Some(item) => inside(item, offset, true, statement.span.start),
                None => Position::Block(statement.span.start),
            }
        }
        StatementKind::If {
            then, otherwise, ..
        } => match otherwise {
            Some(otherwise) if offset > then.span.end => between(
                otherwise,
                "it stands between `if (…) …` and `else`, or between `else` and its statement",
            ),
            _ => between(
                then,
                "it stands between `if (…)` and the statement that belongs to it",
            ),
        },
        StatementKind::While { body, .. }
        | StatementKind::For { body, .. }
        | StatementKind::Switch { body, .. } => between(
            body,
            "it stands between the head of a loop or switch and the statement that belongs to it",
        ),
        StatementKind::DoWhile { body, .. } => between(
            body,
            "it stands between `do` and the statement that belongs to it, or before `while`",
        ),
        StatementKind::Labelled { body, .. } => {
            if body.span.start < offset {
                inside(body, offset, in_block, block)
            } else if in_block {
                Position::Label(block)
            } else {
                Position::Wrong(
                    "the label before it does not stand directly in a block",
                    BRACES,
                )
            }
        }
        StatementKind::Declaration(_) => {
            Position::Wrong("it stands in the middle of a declaration", OUTSIDE)
        }
        _ => Position::Wrong("it stands in the middle of a statement", OUTSIDE),
    }
}

fn pair_execute_blocks(
    file: &SourceFile,
    placed: &mut [Placed],
    blocks: &[usize],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut open: Option<usize> = None;
    for index in 0..placed.len() {
        let lines = lines_of(file, &placed[index]);
        match placed[index].directive {
            Directive::ExecuteOnRestart { .. } => {
                if let Some(before) = open {
                    let first = lines_of(file, &placed[before]);
                    diagnostics.push(unclosed(file, first, Some(lines)));
                }
                open = Some(index);
            }
            Directive::EndExecute => match open.take() {
                Some(before) if blocks[before] == blocks[index] => {
                    placed[before].partner = Some(index);
                    placed[index].partner = Some(before);
                }
                Some(before) => {
                    let first = lines_of(file, &placed[before]);
                    diagnostics.push(
                        Diagnostic::error(
                            Code::UNBALANCED_EXECUTE,
                            at(file, lines),
                            "`end execute` stands in another block than its `execute on restart`",
                        )
                        .also(at(file, first), "begins here")
                        .help("put both directly into the same block `{ … }`"),
                    );
                }
                None => diagnostics.push(
                    Diagnostic::error(Code::UNBALANCED_EXECUTE, at(file, lines), "`end execute` without a beginning")
                        .help("put `#pragma cccp execute on restart` before the statements that run again on restart"),
                ),
            },
            _ => {}
        }
    }
    if let Some(before) = open {
        diagnostics.push(unclosed(file, lines_of(file, &placed[before]), None));
    }
}

fn unclosed(file: &SourceFile, first: SourceRange, next: Option<SourceRange>) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        Code::UNBALANCED_EXECUTE,
        at(file, first),
        "`execute on restart` without `end execute`",
    )
    .help("put `#pragma cccp end execute` after the last statement that is to run again");
    match next {
        Some(range) => diagnostic.also(at(file, range), "another one begins before it has ended"),
        None => diagnostic,
    }
}
