//! A directive as plain data.

use std::ops::Range;

use pest::Parser;
use pest::iterators::Pair;

use crate::error::{ErrorKind, SyntaxError};

#[derive(pest_derive::Parser)]
#[grammar = "directives.pest"]
struct DirectiveParser;

/// A piece of the directive's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// On one line, without comments and line splices.
    pub text: String,
    /// Its bytes in the text given.
    pub range: Range<usize>,
}

/// Where a thread stands still while others take a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stands {
    /// Right before a barrier.
    Barrier,
    /// Right before a statement that takes a lock.
    Lock,
}

impl Stands {
    /// The word of the clause.
    pub fn word(self) -> &'static str {
        match self {
            Stands::Barrier => "barrier",
            Stands::Lock => "lock",
        }
    }
}

/// What a directive says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Directive {
    /// `init [comm(EXPR)] [heap(fixed)]`
    Init {
        /// The communicator.
        comm: Option<Text>,
        /// Allocated memory lies at the same addresses in every process, and is saved as it is.
        heap_fixed: bool,
    },
    /// `register(ITEM, …)`
    Register {
        /// At least one.
        items: Vec<Item>,
    },
    /// `unregister(NAME, …)`
    Unregister {
        /// At least one.
        names: Vec<Item>,
    },
    /// `checkpoint [every(EXPR)] [if(EXPR)] [ranks(NUMBERS)] [messages(counted)] [name(IDENT)] [barrier] [lock]`
    Checkpoint {
        /// Every n-th passage.
        every: Option<Text>,
        /// Only when it holds.
        condition: Option<Text>,
        /// Only with these numbers of ranks: `1-4, 8, even`, without any other blanks.
        ranks: Option<Text>,
        /// The library counts messages, and does not restart from a checkpoint that one crosses.
        messages_counted: bool,
        /// Its name.
        name: Option<Text>,
        /// No thread takes one of its own accord there, but it stands still while others take one.
        stands: Option<Stands>,
    },
    /// `execute on restart [each]`
    ExecuteOnRestart {
        /// All its executions run again, not only the latest one in a loop around the checkpoint.
        each: bool,
    },
    /// `end execute`
    EndExecute,
    /// `shutdown`
    Shutdown,
    /// `client(NAME, …)`
    Client {
        /// At least one.
        names: Vec<Text>,
    },
}

/// A variable or a part of one: a name and what follows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The variable.
    pub name: Text,
    /// Members and brackets, in order.
    pub parts: Vec<ItemPart>,
    /// What is registered with it.
    pub brings: Brings,
    /// The whole item.
    pub range: Range<usize>,
}

/// What an item brings besides itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Brings {
    /// Nothing.
    #[default]
    Itself,
    /// `p[]`: the block of allocated memory that the pointer points to.
    Block,
    /// `follow(x)`: everything that can be reached.
    Everything,
    /// `file(fd)`: the open files with these numbers.
    File,
}

/// A step from a variable to a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemPart {
    /// `.name`
    Member(Text),
    /// `->name`
    Pointed(Text),
    /// `[n]` or `[lo:n]`
    Bracket(Bracket),
}

/// `[n]` or `[lo:n]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bracket {
    /// `lo`
    pub lower: Option<Text>,
    /// `n`
    pub count: Text,
    /// With its brackets.
    pub range: Range<usize>,
}

/// Deeper nesting of brackets is refused, so that no input can exhaust the stack.
const DEEPEST: usize = 64;

/// Reads what follows `#pragma cccp`.
pub fn parse_directive(text: &str) -> Result<Directive, SyntaxError> {
    if let Some(at) = too_deep(text) {
        return Err(SyntaxError {
            kind: ErrorKind::Malformed,
            range: at..at + 1,
            found: text[at..at + 1].to_string(),
            expected: vec![format!("at most {DEEPEST} nested brackets")],
            nearest: None,
        });
    }
    let mut pairs = DirectiveParser::parse(Rule::directive, text)
        .map_err(|error| SyntaxError::from_pest(text, &error))?;
    let inner = pairs
        .next()
        .and_then(|directive| directive.into_inner().next());
    match inner {
        Some(pair) => lower(text, pair),
        None => Err(SyntaxError::new(text, 0, &[])),
    }
}

pub(crate) fn too_deep(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            // `?` opens a nest of the grammar, too.
            b'(' | b'[' | b'{' | b'?' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return Some(at);
        }
    }
    None
}

fn lower(text: &str, pair: Pair<Rule>) -> Result<Directive, SyntaxError> {
    let rule = pair.as_rule();
    let inner: Vec<Pair<Rule>> = pair.into_inner().collect();
    Ok(match rule {
        Rule::init => init(text, inner)?,
        Rule::register => Directive::Register {
            items: items(inner, Rule::item),
        },
        Rule::unregister => Directive::Unregister {
            names: items(inner, Rule::path),
        },
        Rule::checkpoint => checkpoint(text, inner)?,
        Rule::execute => Directive::ExecuteOnRestart {
            each: inner.iter().any(|one| one.as_rule() == Rule::word_each),
        },
        Rule::end_execute => Directive::EndExecute,
        Rule::shutdown => Directive::Shutdown,
        _ => Directive::Client {
            names: inner
                .into_iter()
                .filter(|p| p.as_rule() == Rule::name)
                .map(|p| piece(&p))
                .collect(),
        },
    })
}

/// The clauses of `init`, as they are written.
pub(crate) const INIT_CLAUSES: [(Rule, &str); 2] = [
    (Rule::comm, "comm(COMMUNICATOR)"),
    (Rule::heap, "heap(fixed)"),
];

/// The clauses of `checkpoint`, as they are written.
pub(crate) const CHECKPOINT_CLAUSES: [(Rule, &str); 7] = [
    (Rule::every, "every(N)"),
    (Rule::condition, "if(CONDITION)"),
    (Rule::ranks, "ranks(NUMBERS)"),
    (Rule::messages, "messages(counted)"),
    (Rule::label, "name(NAME)"),
    (Rule::barrier, "barrier"),
    (Rule::lock, "lock"),
];

/// The clauses among the parts of a directive, each of which may be there once.
fn clauses<'i>(
    text: &str,
    parts: Vec<Pair<'i, Rule>>,
    known: &[(Rule, &str)],
) -> Result<Vec<Pair<'i, Rule>>, SyntaxError> {
    let is_clause =
        |part: &Pair<Rule>| matches!(part.as_rule(), Rule::init_clause | Rule::checkpoint_clause);
    let mut found: Vec<Pair<Rule>> = Vec::new();
    for clause in parts
        .into_iter()
        .filter(is_clause)
        .flat_map(Pair::into_inner)
    {
        let rule = clause.as_rule();
        if found.iter().any(|one| one.as_rule() == rule) {
            let others = known.iter().filter(|one| one.0 != rule);
            let others: Vec<&str> = others.map(|one| one.1).collect();
            let mut error = SyntaxError::new(text, clause.as_span().start(), &others);
            error.nearest = None;
            return Err(error);
        }
        found.push(clause);
    }
    Ok(found)
}

fn init(text: &str, parts: Vec<Pair<Rule>>) -> Result<Directive, SyntaxError> {
    let (mut comm, mut heap_fixed) = (None, false);
    for clause in clauses(text, parts, &INIT_CLAUSES)? {
        match clause.as_rule() {
            Rule::comm => comm = argument(clause),
            Rule::heap => heap_fixed = true,
            _ => {}
        }
    }
    Ok(Directive::Init { comm, heap_fixed })
}

fn checkpoint(text: &str, parts: Vec<Pair<Rule>>) -> Result<Directive, SyntaxError> {
    let (mut every, mut condition, mut name, mut ranks) = (None, None, None, None);
    let (mut messages_counted, mut stands) = (false, None);
    for clause in clauses(text, parts, &CHECKPOINT_CLAUSES)? {
        match clause.as_rule() {
            Rule::every => every = argument(clause),
            Rule::condition => condition = argument(clause),
            Rule::ranks => ranks = Some(numbers(text, clause)?),
            Rule::messages => messages_counted = true,
            Rule::label => name = argument(clause),
            Rule::barrier => stands = Some(Stands::Barrier),
            Rule::lock => stands = Some(Stands::Lock),
            _ => {}
        }
    }
    Ok(Directive::Checkpoint {
        every,
        condition,
        ranks,
        messages_counted,
        name,
        stands,
    })
}

/// The numbers of `ranks(1-4, 8, even)`.
fn numbers(text: &str, clause: Pair<Rule>) -> Result<Text, SyntaxError> {
    let span = clause.as_span();
    let mut parts = Vec::new();
    for part in clause
        .into_inner()
        .filter(|one| one.as_rule() == Rule::some_ranks)
    {
        let at = part.as_span().start();
        let words: Vec<&str> = part.into_inner().map(|one| one.as_str()).collect();
        let mut bounds = words.iter().filter_map(|word| word.parse::<u32>().ok());
        if let (Some(first), Some(last)) = (bounds.next(), bounds.next())
            && first > last
        {
            return Err(SyntaxError::new(text, at, &[&format!("{last}-{first}")]));
        }
        parts.push(words.join("-"));
    }
    Ok(Text {
        text: parts.join(", "),
        range: span.start()..span.end(),
    })
}

/// The expression or name in a clause's parentheses.
fn argument(clause: Pair<Rule>) -> Option<Text> {
    clause
        .into_inner()
        .find(|p| matches!(p.as_rule(), Rule::expression | Rule::name))
        .map(|p| piece(&p))
}

fn items(pairs: Vec<Pair<Rule>>, rule: Rule) -> Vec<Item> {
    pairs
        .into_iter()
        .filter(|pair| pair.as_rule() == rule)
        .filter_map(item)
        .collect()
}

fn item(pair: Pair<Rule>) -> Option<Item> {
    let span = pair.as_span();
    let mut inner = pair.into_inner().peekable();
    let brings = match inner.peek().map(Pair::as_rule) {
        Some(Rule::follow) => Some(Brings::Everything),
        Some(Rule::file) => Some(Brings::File),
        _ => None,
    };
    if let Some(brings) = brings {
        let mut parts = inner.next()?.into_inner();
        let named = item(parts.find(|one| one.as_rule() == Rule::path)?)?;
        return Some(Item {
            brings,
            range: span.start()..span.start() + pair_length(span.as_str()),
            ..named
        });
    }
    let name = piece(&inner.next()?);
    let mut parts = Vec::new();
    let mut brings = Brings::Itself;
    let mut end = name.range.end;
    for part in inner {
        end = part.as_span().end();
        if part.as_rule() == Rule::whole {
            brings = Brings::Block;
            continue;
        }
        parts.push(match part.as_rule() {
            Rule::member => ItemPart::Member(piece(&part.into_inner().next()?)),
            Rule::pointed => ItemPart::Pointed(piece(&part.into_inner().next()?)),
            _ => ItemPart::Bracket(bracket(part)?),
        });
    }
    Some(Item {
        name,
        parts,
        brings,
        range: span.start()..end,
    })
}

/// Without the blanks that the grammar took at the end.
fn pair_length(text: &str) -> usize {
    text.trim_end().len()
}

fn bracket(pair: Pair<Rule>) -> Option<Bracket> {
    let range = pair.as_span().start()..pair.as_span().end();
    let mut bounds: Vec<Text> = pair
        .into_inner()
        .filter(|p| p.as_rule() == Rule::bound)
        .map(|p| piece(&p))
        .collect();
    let count = bounds.pop()?;
    Some(Bracket {
        lower: bounds.pop(),
        count,
        range,
    })
}

fn piece(pair: &Pair<Rule>) -> Text {
    let span = pair.as_span();
    Text {
        text: one_line(pair.as_str()),
        range: span.start()..span.end(),
    }
}

/// The text without comments, splices and line ends.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut rest = text;
    let mut quote = None;
    while let Some(character) = rest.chars().next() {
        let after = &rest[character.len_utf8()..];
        match (quote, character) {
            (_, '\\') if after.starts_with('\n') || after.starts_with("\r\n") => {
                rest = after
                    .trim_start_matches('\r')
                    .strip_prefix('\n')
                    .unwrap_or(after);
                if quote.is_none() {
                    line.push(' ');
                }
                continue;
            }
            (Some(_), '\\') => {
                line.push(character);
                let escaped = after.chars().next();
                line.extend(escaped);
                rest = &after[escaped.map_or(0, char::len_utf8)..];
                continue;
            }
            (Some(open), _) if open == character => quote = None,
            (None, '"' | '\'') => quote = Some(character),
            (None, '/') if after.starts_with('*') => {
                line.push(' ');
                rest = after.find("*/").map_or("", |end| &after[end + 2..]);
                continue;
            }
            (None, '/') if after.starts_with('/') => {
                rest = after.find('\n').map_or("", |end| &after[end..]);
                continue;
            }
            (None, '\n' | '\r' | '\t') => {
                line.push(' ');
                rest = after;
                continue;
            }
            _ => {}
        }
        line.push(character);
        rest = after;
    }
    line.trim().to_string()
}
