//! From the text of the catalogue to entries.
//!
//! Errors say what was found and what was expected, with its bytes.

use std::ops::Range;

use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};
use pest::iterators::Pair;

use super::entry::{
    Amount, CatalogueError, Clause, Condition, Entry, Extent, FunctionEntry, Measure, Place, Root,
    Value,
};
use crate::directive::Text;

#[derive(pest_derive::Parser)]
#[grammar = "catalogue.pest"]
struct CatalogueParser;

/// Deeper nesting of parentheses is refused, so that no input can exhaust the stack.
const DEEPEST: usize = 32;

/// Reads one entry.
pub fn parse_catalogue_entry(text: &str) -> Result<Entry, CatalogueError> {
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return Err(CatalogueError {
                range: at..at + 1,
                message: format!("more than {DEEPEST} nested parentheses"),
            });
        }
    }
    let mut pairs =
        CatalogueParser::parse(Rule::entry, text).map_err(|error| from_pest(text, &error))?;
    let pair = pairs
        .next()
        .and_then(|entry| entry.into_inner().next())
        .ok_or_else(|| CatalogueError {
            range: 0..text.len(),
            message: "an entry is missing".to_string(),
        })?;
    entry(pair)
}

/// What may stand where a rule failed; empty for what says nothing.
fn expectation(rule: Rule) -> &'static str {
    match rule {
        Rule::clause => {
            "a clause (reads, writes, fills, frees, stores, keeps, creates, destroys, calls, returns, nullable, replaces, in place, role, never returns)"
        }
        Rule::name | Rule::called => "a name",
        Rule::part => "a part of a name",
        Rule::place | Rule::places | Rule::root => "a place in memory",
        Rule::value => "what is returned",
        Rule::sum | Rule::product | Rule::factor => "an amount",
        Rule::extent => "an extent in brackets",
        Rule::hidden => "hidden state, `@name`",
        Rule::role => "a role",
        Rule::text => "a text",
        Rule::argument => "an argument or `_`",
        Rule::condition => "`at`, `until`, `if`, `unless` or `counting`",
        Rule::function => "a function",
        Rule::EOI => "the end of the entry",
        _ => "",
    }
}

fn from_pest(text: &str, error: &pest::error::Error<Rule>) -> CatalogueError {
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at.min(text.len()),
    };
    let rules = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => positives.as_slice(),
        ErrorVariant::CustomError { .. } => &[],
    };
    let mut expected: Vec<&str> = rules.iter().map(|rule| expectation(*rule)).collect();
    expected.retain(|words| !words.is_empty());
    expected.sort_unstable();
    expected.dedup();
    let rest = &text[at..];
    let length = rest
        .find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .unwrap_or(rest.len());
    let length = length.max(rest.chars().next().map_or(0, char::len_utf8));
    let found = match rest[..length].trim() {
        "" => "the end of the line".to_string(),
        found => format!("`{found}`"),
    };
    let message = match expected.as_slice() {
        [] => format!("{found} cannot stand here"),
        expected => format!(
            "{found} cannot stand here; expected {}",
            expected.join(" or ")
        ),
    };
    CatalogueError {
        range: at..at + length,
        message,
    }
}

type Parsed<T> = Result<T, CatalogueError>;

fn piece(pair: &Pair<Rule>) -> Text {
    let span = pair.as_span();
    let text = span.as_str();
    let start = span.start() + (text.len() - text.trim_start().len());
    let text = text.trim();
    Text {
        text: text.to_string(),
        range: start..start + text.len(),
    }
}

/// The children that are not keywords.
fn children(pair: Pair<Rule>) -> Vec<Pair<Rule>> {
    let keyword = |pair: &Pair<Rule>| {
        let text = pair.as_str();
        matches!(
            pair.as_rule(),
            Rule::word_chapter
                | Rule::word_handle
                | Rule::word_generator
                | Rule::word_reader
                | Rule::word_state
                | Rule::word_cite
                | Rule::word_family
                | Rule::word_variable
                | Rule::word_reads
                | Rule::word_writes
                | Rule::word_fills
                | Rule::word_frees
                | Rule::word_keeps
                | Rule::word_stores
                | Rule::word_in
                | Rule::word_creates
                | Rule::word_destroys
                | Rule::word_calls
                | Rule::word_returns
                | Rule::word_or
                | Rule::word_new
                | Rule::word_into
                | Rule::word_nullable
                | Rule::word_replaces
                | Rule::word_by
                | Rule::word_in_place
                | Rule::word_for
                | Rule::word_role
                | Rule::word_of
        ) && !text.is_empty()
    };
    pair.into_inner().filter(|pair| !keyword(pair)).collect()
}

fn entry(pair: Pair<Rule>) -> Parsed<Entry> {
    let rule = pair.as_rule();
    let parts = children(pair);
    Ok(match rule {
        Rule::chapter => Entry::Chapter(parts.first().map_or(empty(), piece)),
        Rule::handle | Rule::generator | Rule::reader => {
            Entry::Handles(parts.iter().map(piece).collect())
        }
        Rule::state => Entry::State {
            name: parts.first().map_or(empty(), hidden),
            meaning: parts.get(1).map_or(empty(), piece),
        },
        Rule::variable => {
            let (state, names) = parts.split_last().ok_or_else(|| CatalogueError {
                range: 0..0,
                message: "names are missing".to_string(),
            })?;
            let names = { names.iter() }.filter(|one| one.as_rule() != Rule::inside);
            Entry::Variables {
                names: names.map(piece).collect(),
                state: hidden(state),
            }
        }
        Rule::family => Entry::Family {
            name: parts.first().map_or(empty(), piece),
            parts: parts.iter().skip(1).map(piece).collect(),
        },
        _ => Entry::Function(function(parts)?),
    })
}

fn empty() -> Text {
    Text {
        text: String::new(),
        range: 0..0,
    }
}

/// The name after an `@`.
fn hidden(pair: &Pair<Rule>) -> Text {
    let with = piece(pair);
    Text {
        text: with.text.trim_start_matches('@').to_string(),
        range: with.range,
    }
}

fn function(parts: Vec<Pair<Rule>>) -> Parsed<FunctionEntry> {
    let mut entry = FunctionEntry {
        names: Vec::new(),
        parameters: Vec::new(),
        variadic: false,
        citation: None,
        clauses: Vec::new(),
    };
    for part in parts {
        match part.as_rule() {
            Rule::called => entry.names.push(piece(&part)),
            Rule::parameters => {
                for parameter in part.into_inner() {
                    match parameter.as_rule() {
                        Rule::rest => entry.variadic = true,
                        _ => entry.parameters.push(piece(&parameter)),
                    }
                }
            }
            Rule::citation => entry.citation = children(part).first().map(piece),
            Rule::clause => {
                for inner in part.into_inner() {
                    entry.clauses.push(clause(inner)?);
                }
            }
            _ => {}
        }
    }
    Ok(entry)
}

fn clause(pair: Pair<Rule>) -> Parsed<Clause> {
    let rule = pair.as_rule();
    let mut parts = children(pair);
    let texts = |parts: &[Pair<Rule>]| parts.iter().map(piece).collect::<Vec<Text>>();
    Ok(match rule {
        Rule::reads => Clause::Reads(memory(parts.remove(0))?),
        Rule::writes => Clause::Writes(memory(parts.remove(0))?),
        Rule::fills => Clause::Fills(memory(parts.remove(0))?),
        Rule::frees => Clause::Frees(memory(parts.remove(0))?),
        Rule::creates => Clause::Creates(memory(parts.remove(0))?),
        Rule::destroys => Clause::Destroys(memory(parts.remove(0))?),
        Rule::stores => Clause::Stores {
            places: memory(parts.pop().expect("the grammar asks for it"))?,
            values: parts.into_iter().map(value).collect::<Parsed<_>>()?,
        },
        Rule::keeps => Clause::Keeps {
            places: memory(parts.remove(0))?,
            state: parts.first().map(hidden),
        },
        Rule::calls => {
            let callback = place(parts.remove(0))?;
            let values = |argument: Pair<Rule>| {
                let values = children(argument).into_iter();
                let values = values.filter(|inner| inner.as_rule() == Rule::value);
                values.map(value).collect::<Parsed<Vec<Value>>>()
            };
            Clause::Calls {
                callback,
                arguments: parts.into_iter().map(values).collect::<Parsed<_>>()?,
            }
        }
        Rule::returns => Clause::Returns(parts.into_iter().map(value).collect::<Parsed<_>>()?),
        Rule::nullable => Clause::Nullable(texts(&parts)),
        Rule::replaces => Clause::Replaces(texts(&parts)),
        Rule::in_place => Clause::InPlace {
            sent: piece(&parts[0]),
            received: piece(&parts[1]),
        },
        Rule::roles => Clause::Roles(texts(&parts)),
        _ => Clause::NeverReturns,
    })
}

/// Places between commas.
fn memory(pair: Pair<Rule>) -> Parsed<Vec<Place>> {
    pair.into_inner().map(place).collect()
}

fn value(pair: Pair<Rule>) -> Parsed<Value> {
    let range = pair.as_span().start()..pair.as_span().end();
    let Some(inner) = pair.into_inner().next() else {
        return Ok(Value::Null);
    };
    Ok(match inner.as_rule() {
        Rule::new => Value::New(match children(inner).into_iter().next() {
            Some(inner) => Some(extent(inner)?),
            None => None,
        }),
        Rule::null => Value::Null,
        Rule::into => match children(inner).into_iter().next() {
            Some(inner) if inner.as_rule() == Rule::hidden => {
                Value::Into(hidden_place(&inner, range))
            }
            Some(inner) => Value::Into(place(inner)?),
            None => Value::Null,
        },
        Rule::hidden => Value::Same(hidden_place(&inner, range)),
        _ => Value::Same(place(inner)?),
    })
}

fn hidden_place(pair: &Pair<Rule>, range: Range<usize>) -> Place {
    Place {
        everything: false,
        stars: 0,
        root: Root::Hidden(hidden(pair)),
        members: Vec::new(),
        extent: None,
        condition: None,
        range,
    }
}

fn place(pair: Pair<Rule>) -> Parsed<Place> {
    let span = pair.as_span();
    let mut found = Place {
        everything: false,
        stars: 0,
        root: Root::Rest,
        members: Vec::new(),
        extent: None,
        condition: None,
        range: span.start()..span.start() + span.as_str().trim_end().len(),
    };
    for part in pair.into_inner() {
        match part.as_rule() {
            Rule::word_all => found.everything = true,
            Rule::star => found.stars += 1,
            Rule::root => {
                if let Some(inner) = part.into_inner().next() {
                    found.root = match inner.as_rule() {
                        Rule::rest => Root::Rest,
                        Rule::hidden => Root::Hidden(hidden(&inner)),
                        Rule::returned => Root::Returned,
                        _ => Root::Parameter(piece(&inner)),
                    };
                }
            }
            Rule::member => found
                .members
                .extend(part.into_inner().map(|name| piece(&name))),
            Rule::extent => found.extent = Some(extent(part)?),
            Rule::condition => {
                let mut inner = part.into_inner();
                if let (Some(word), Some(name)) = (inner.next(), inner.next()) {
                    let name = piece(&name);
                    found.condition = Some(match word.as_rule() {
                        Rule::word_at => Condition::At(name),
                        Rule::word_until => Condition::Until(name),
                        Rule::word_unless => Condition::Unless(name),
                        Rule::word_counting => Condition::Counting(name),
                        _ => Condition::If(name),
                    });
                }
            }
            _ => {}
        }
    }
    Ok(found)
}

fn extent(pair: Pair<Rule>) -> Parsed<Extent> {
    let inner = pair.into_inner().next();
    Ok(match inner {
        Some(inner) if inner.as_rule() == Rule::sum => Extent::Elements(sum(inner)?),
        _ => Extent::Terminated,
    })
}

fn sum(pair: Pair<Rule>) -> Parsed<Amount> {
    let (mut terms, mut minus) = (Vec::new(), false);
    for part in pair.into_inner() {
        match part.as_rule() {
            Rule::sign => minus = part.as_str().starts_with('-'),
            _ => terms.push((minus, product(part)?)),
        }
    }
    Ok(match terms.len() {
        1 => terms.remove(0).1,
        _ => Amount::Sum(terms),
    })
}

fn product(pair: Pair<Rule>) -> Parsed<Amount> {
    let (mut factors, mut datatype) = (Vec::new(), None);
    for part in children(pair) {
        match part.as_rule() {
            Rule::name => datatype = Some(piece(&part)),
            _ => factors.push(factor(part)?),
        }
    }
    let amount = match factors.len() {
        1 => factors.remove(0),
        _ => Amount::Product(factors),
    };
    Ok(match datatype {
        Some(datatype) => Amount::Of(Box::new(amount), datatype),
        None => amount,
    })
}

fn factor(pair: Pair<Rule>) -> Parsed<Amount> {
    let behind = pair.as_str().starts_with('*');
    let range = pair.as_span().start()..pair.as_span().end();
    let Some(inner) = pair.into_inner().next() else {
        return Ok(Amount::Number(0));
    };
    match inner.as_rule() {
        Rule::number => match inner.as_str().parse() {
            Ok(number) => Ok(Amount::Number(number)),
            Err(_) => Err(CatalogueError {
                range,
                message: format!("`{}` is too large", inner.as_str()),
            }),
        },
        Rule::name => Ok(Amount::Parameter {
            name: piece(&inner),
            behind,
        }),
        Rule::sum => sum(inner),
        _ => {
            let mut parts = inner.into_inner();
            let measure = match parts.next().map_or("", |name| name.as_str()) {
                "abs" => Measure::Absolute,
                "max" => Measure::Largest,
                "min" => Measure::Least,
                "size" => Measure::Size,
                "length" => Measure::Length,
                _ => Measure::Total,
            };
            Ok(Amount::Measure(
                measure,
                parts.map(sum).collect::<Parsed<_>>()?,
            ))
        }
    }
}
