//! What is wrong with a directive, from pest's point of failure to words for a scientist.

use std::ops::Range;

use pest::error::{ErrorVariant, InputLocation};

use crate::directive::{CHECKPOINT_CLAUSES, INIT_CLAUSES, Rule};
use crate::nearest::nearest;

/// What sort of mistake it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The first words are no directive.
    UnknownDirective,
    /// A clause that the directive does not have, or has already.
    UnknownClause,
    /// Anything else: a bracket that does not close, an empty list.
    Malformed,
}

/// A directive that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// What sort of mistake.
    pub kind: ErrorKind,
    /// The bytes it is about, in the text given.
    pub range: Range<usize>,
    /// What is there instead, as written; empty at the end of the line.
    pub found: String,
    /// What was expected, each in the form in which it would be written.
    pub expected: Vec<String>,
    /// The word that was probably meant.
    pub nearest: Option<String>,
}

const HEADS: [&str; 8] = [
    "init",
    "register",
    "unregister",
    "checkpoint",
    "execute on restart",
    "end execute",
    "shutdown",
    "client",
];

const INIT: [&str; INIT_CLAUSES.len()] = forms(&INIT_CLAUSES);
const CHECKPOINT: [&str; CHECKPOINT_CLAUSES.len()] = forms(&CHECKPOINT_CLAUSES);

/// How clauses are written.
const fn forms<const N: usize>(clauses: &[(Rule, &'static str); N]) -> [&'static str; N] {
    let mut forms = [""; N];
    let mut index = 0;
    while index < N {
        forms[index] = clauses[index].1;
        index += 1;
    }
    forms
}

/// What may stand where a rule failed.
fn expectations(rule: Rule) -> &'static [&'static str] {
    match rule {
        Rule::directive => &HEADS,
        Rule::init | Rule::word_init => &["init"],
        Rule::register | Rule::word_register => &["register"],
        Rule::unregister | Rule::word_unregister => &["unregister"],
        Rule::checkpoint | Rule::word_checkpoint => &["checkpoint"],
        Rule::execute => &["execute on restart"],
        Rule::end_execute | Rule::word_end => &["end execute"],
        Rule::word_execute => &["execute"],
        Rule::word_on => &["on"],
        Rule::word_restart => &["restart"],
        Rule::word_each => &["each"],
        Rule::shutdown | Rule::word_shutdown => &["shutdown"],
        Rule::client | Rule::word_client => &["client"],
        Rule::init_clause => &INIT,
        Rule::comm | Rule::word_comm => &["comm(COMMUNICATOR)"],
        Rule::heap | Rule::word_heap => &["heap(fixed)"],
        Rule::word_fixed => &["fixed"],
        Rule::checkpoint_clause => &CHECKPOINT,
        Rule::every | Rule::word_every => &["every(N)"],
        Rule::condition | Rule::word_if => &["if(CONDITION)"],
        Rule::ranks | Rule::word_ranks => &["ranks(NUMBERS)"],
        Rule::some_ranks | Rule::number | Rule::parity => &["numbers as in 1-4, 8, even"],
        Rule::messages | Rule::word_messages => &["messages(counted)"],
        Rule::word_counted => &["counted"],
        Rule::barrier => &["barrier"],
        Rule::label | Rule::word_name => &["name(NAME)"],
        Rule::item | Rule::name | Rule::path => &["a name"],
        Rule::follow | Rule::word_follow | Rule::file | Rule::word_file | Rule::whole => &[],
        Rule::member | Rule::pointed | Rule::bracket => &[],
        Rule::expression | Rule::bound | Rule::choice | Rule::group | Rule::literal => {
            &["an expression"]
        }
        Rule::EOI => &["the end of the line"],
        _ => &[],
    }
}

impl SyntaxError {
    pub(crate) fn from_pest(text: &str, error: &pest::error::Error<Rule>) -> SyntaxError {
        let at = match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at.min(text.len()),
        };
        let rules = match &error.variant {
            ErrorVariant::ParsingError { positives, .. } => positives.as_slice(),
            ErrorVariant::CustomError { .. } => &[],
        };
        let at = skip_blanks(text, at);
        let first = text[..at].trim().is_empty();
        let mut expected: Vec<&str> = rules
            .iter()
            .flat_map(|rule| expectations(*rule))
            .map(|form| match *form {
                "execute" if first => "execute on restart",
                form => form,
            })
            .collect();
        expected.sort_by_key(|word| {
            HEADS
                .iter()
                .position(|head| head == word)
                .unwrap_or(usize::MAX)
        });
        expected.dedup();
        SyntaxError::new(text, at, &expected)
    }

    pub(crate) fn new(text: &str, at: usize, expected: &[&str]) -> SyntaxError {
        let range = at..word_end(text, at);
        let found = text[range.clone()].to_string();
        let first = text[..at].trim().is_empty();
        if let Some(form) = parenthesised(text, &range)
            && (first || expected.contains(&form.1))
        {
            return SyntaxError {
                kind: ErrorKind::Malformed,
                found: text[form.0.clone()].to_string(),
                range: form.0,
                expected: vec![form.1.to_string()],
                nearest: None,
            };
        }
        let is_word = found.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let words = expected
            .iter()
            .map(|form| form.split(['(', ' ']).next().unwrap_or(form));
        let nearest = if is_word {
            nearest(&found, words).map(str::to_string)
        } else {
            None
        };
        // `execute` and `end` are the first of several words: propose the whole.
        let nearest = nearest.map(|word| {
            match HEADS
                .iter()
                .find(|head| first && head.starts_with(&format!("{word} ")))
            {
                Some(head) => head.to_string(),
                None => word,
            }
        });
        let clauses = expected.iter().any(|form| form.contains('('));
        let kind = if first {
            ErrorKind::UnknownDirective
        } else if is_word && (clauses || expected.contains(&"the end of the line")) {
            ErrorKind::UnknownClause
        } else {
            ErrorKind::Malformed
        };
        let mut forms: Vec<String> = expected.iter().map(|form| form.to_string()).collect();
        if forms.is_empty() {
            forms.extend(punctuation_expected(text, at));
        }
        SyntaxError {
            kind,
            range,
            found,
            expected: forms,
            nearest,
        }
    }

    /// One sentence without a full stop.
    pub fn message(&self) -> String {
        let found = if self.found.is_empty() {
            "the end of the line".to_string()
        } else {
            format!("`{}`", self.found)
        };
        match self.kind {
            ErrorKind::UnknownDirective if self.found.is_empty() => {
                "a directive is missing after `cccp`".to_string()
            }
            ErrorKind::UnknownDirective => format!("there is no directive {found}"),
            ErrorKind::UnknownClause => format!("{found} cannot stand here"),
            ErrorKind::Malformed => format!("{found} is not expected here"),
        }
    }

    /// What was expected, as half a sentence; empty when nothing useful can be said.
    pub fn expectation(&self) -> String {
        match self.expected.split_last() {
            None => String::new(),
            Some((last, [])) => format!("expected {}", quoted(last)),
            Some((last, rest)) => {
                let rest: Vec<String> = rest.iter().map(|form| quoted(form)).collect();
                format!("expected {} or {}", rest.join(", "), quoted(last))
            }
        }
    }
}

fn quoted(form: &str) -> String {
    if form.starts_with("a ") || form.starts_with("an ") || form.starts_with("the ") {
        form.to_string()
    } else {
        format!("`{form}`")
    }
}

/// A directive or clause at `range` whose parenthesis is missing: what stands there instead, and the form it should have.
fn parenthesised(text: &str, range: &Range<usize>) -> Option<(Range<usize>, &'static str)> {
    const DIRECTIVES: [&str; 3] = [
        "register(ITEM, ...)",
        "unregister(NAME, ...)",
        "client(NAME, ...)",
    ];
    let forms = DIRECTIVES.iter().chain(&INIT).chain(&CHECKPOINT);
    let mut forms = forms.filter_map(|form| Some((form.split_once('(')?.0, *form)));
    let (_, form) = forms.find(|(word, _)| *word == &text[range.clone()])?;
    let after = skip_blanks(text, range.end);
    (!text[after..].starts_with('(')).then(|| (after..word_end(text, after), form))
}

/// Which bracket is open at `at`.
fn punctuation_expected(text: &str, at: usize) -> Option<String> {
    let mut open = Vec::new();
    for character in text[..at].chars() {
        match character {
            '(' => open.push(")"),
            '[' => open.push("]"),
            '{' => open.push("}"),
            ')' | ']' | '}' => {
                open.pop();
            }
            _ => {}
        }
    }
    Some(open.pop().unwrap_or("(").to_string())
}

fn skip_blanks(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    at + (rest.len()
        - rest
            .trim_start_matches(|c: char| c.is_whitespace() || c == '\\')
            .len())
}

fn word_end(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let word = rest
        .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
        .unwrap_or(rest.len());
    at + if word == 0 {
        rest.chars().next().map_or(0, char::len_utf8)
    } else {
        word
    }
}
