//! Diagnostics about the text of directives.

use cccp_grammar::{ErrorKind, SyntaxError, nearest};

use crate::diagnostic::{Code, Diagnostic, Place};
use crate::source::markers::Pragma;
use crate::source::{SourceFile, SourceRange};

/// A place in the user's file.
pub fn at(file: &SourceFile, range: SourceRange) -> Place {
    Place::Range {
        path: file.path.clone(),
        range: range.start..range.end,
    }
}

/// A directive that the grammar does not accept. `body` is where its text begins in the user's file.
pub fn syntax_error(file: &SourceFile, body: usize, end: usize, error: &SyntaxError) -> Diagnostic {
    let code = match error.kind {
        ErrorKind::UnknownDirective if error.found.is_empty() => Code::MALFORMED_DIRECTIVE,
        ErrorKind::UnknownDirective => Code::UNKNOWN_DIRECTIVE,
        ErrorKind::UnknownClause => Code::UNKNOWN_CLAUSE,
        ErrorKind::Malformed => Code::MALFORMED_DIRECTIVE,
    };
    let start = (body + error.range.start).min(end);
    let range = SourceRange::new(start, (body + error.range.end).min(end).max(start));
    let mut diagnostic =
        Diagnostic::error(code, at(file, range), error.message()).label(error.expectation());
    if let Some(word) = &error.nearest {
        diagnostic = diagnostic.help(format!("did you mean `{word}`?"));
    } else if error.found == "*" {
        diagnostic = diagnostic.help("the object behind a pointer `p` is written `p[1]`");
    }
    diagnostic
}

/// A directive that does not come from a line of this file.
pub fn untagged(file: &SourceFile, offset: usize) -> Diagnostic {
    if file.is_own(offset) {
        let line = file.origin(offset).map_or(1, |origin| origin.line as usize);
        let place = file
            .line_range(line)
            .map_or(Place::File(file.path.clone()), |range| at(file, range));
        Diagnostic::error(Code::FROM_MACRO, place, "a macro makes a directive here")
            .reason("directives are replaced line by line; one that a macro makes has no line of its own")
            .help("write the directive as a line `#pragma cccp …`")
    } else {
        let (path, line) = file.origin_text(offset);
        let message = format!("a directive in the included file `{path}`");
        Diagnostic::error(
            Code::IN_INCLUDED_FILE,
            Place::Line {
                path: path.clone(),
                line,
            },
            message,
        )
        .reason(
            "an included file that has to change is taken into the one that includes it, but not a header of the system, nor one \
             whose text would mean something else there; so this directive would have no effect",
        )
        .help(format!(
            "precompile `{path}` by itself and include the result, or move this code into `{}`",
            file.path
        ))
    }
}

/// A warning for a pragma in the user's file whose first word is nearly `cccp` and that goes on like a directive.
pub fn misspelt(file: &SourceFile, pragma: &Pragma) -> Option<Diagnostic> {
    const HEADS: [&str; 8] = [
        "init",
        "register",
        "unregister",
        "checkpoint",
        "execute",
        "end",
        "shutdown",
        "client",
    ];
    let word_end = |text: &str| {
        text.find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(text.len())
    };
    let (word, rest) = pragma.text.split_at(word_end(&pragma.text));
    let rest = rest.trim_start();
    let like_ours = HEADS.contains(&&rest[..word_end(rest)]);
    if !like_ours || !file.is_own(pragma.offset) {
        return None;
    }
    nearest(word, ["cccp"])?;
    let line = file.origin(pragma.offset)?.line as usize;
    let whole = file.line_range(line)?;
    let start = whole.start + file.original_text(whole).find(word)?;
    let place = at(file, SourceRange::new(start, start + word.len()));
    Some(
        Diagnostic::warning(
            Code::MISSPELT_PRAGMA,
            place,
            format!("a pragma of `{word}`, which is unknown here"),
        )
        .label("has no effect")
        .help("did you mean `#pragma cccp`?"),
    )
}
