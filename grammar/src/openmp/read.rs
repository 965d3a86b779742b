//! From text to a [`Construct`].

use pest::Parser;
use pest::iterators::{Pair, Pairs};

use super::construct::{Clause, Construct, Content, ListItem, Section};
use super::names::{ClauseKind, DirectiveName};
use crate::directive::{Text, one_line, too_deep};

#[derive(pest_derive::Parser)]
#[grammar = "openmp.pest"]
struct OpenMpParser;

impl Construct {
    /// Reads what follows `#pragma omp`. What is not understood is unknown.
    pub fn read(text: &str) -> Construct {
        let mut construct = Construct {
            text: one_line(text),
            directives: Vec::new(),
            cancelled: None,
            arguments: Vec::new(),
            clauses: Vec::new(),
        };
        let parsed = match too_deep(text) {
            Some(_) => None,
            None => OpenMpParser::parse(Rule::construct, text).ok(),
        };
        let pairs = parsed.into_iter().flatten().flat_map(Pair::into_inner);
        for pair in pairs {
            match pair.as_rule() {
                Rule::cancel | Rule::combined | Rule::directive | Rule::unknown_directive => {
                    construct.directives.push(directive(&pair));
                }
                Rule::cancelled => construct.cancelled = Some(directive(&pair)),
                Rule::arguments => construct.arguments.extend(items(pair.into_inner())),
                Rule::clause => construct.clauses.extend(pair.into_inner().map(clause)),
                Rule::rest => construct.clauses.push(unknown(&pair)),
                _ => {}
            }
        }
        if construct.directives.is_empty() {
            let words = construct.text.clone();
            construct.directives.push(DirectiveName::Unknown(words));
        }
        construct
    }
}

fn directive(pair: &Pair<Rule>) -> DirectiveName {
    let words = one_line(pair.as_str());
    let words: Vec<&str> = words.split_whitespace().collect();
    DirectiveName::of(&words.join(" "))
}

fn piece(pair: &Pair<Rule>) -> Text {
    let span = pair.as_span();
    let trimmed = span.as_str().trim_end();
    Text {
        text: one_line(trimmed),
        range: span.start()..span.start() + trimmed.len(),
    }
}

fn unknown(pair: &Pair<Rule>) -> Clause {
    let text = piece(pair);
    let name = pair
        .clone()
        .into_inner()
        .find(|one| one.as_rule() == Rule::word);
    let name = name.map_or_else(|| text.text.clone(), |name| name.as_str().to_string());
    // A known clause whose parentheses hold what they should not is none.
    Clause {
        kind: ClauseKind::Unknown(name),
        range: text.range.clone(),
        content: Content::Other(text),
    }
}

fn clause(pair: Pair<Rule>) -> Clause {
    let whole = piece(&pair);
    let rule = pair.as_rule();
    if rule == Rule::unknown {
        return unknown(&pair);
    }
    let mut kind = ClauseKind::of(&whole.text);
    let (mut modifiers, mut after, mut listed, mut of) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut operator, mut word) = (None, None);
    for part in pair.into_inner() {
        match part.as_rule() {
            Rule::word_if
            | Rule::word_reduction
            | Rule::word_linear
            | Rule::word_aligned
            | Rule::word_schedule
            | Rule::word_listing
            | Rule::word_choice
            | Rule::word_valued => kind = ClauseKind::of(part.as_str()),
            Rule::modifier | Rule::modifier_name => modifiers.push(piece(&part)),
            Rule::modifiers => modifiers.extend(part.into_inner().map(|one| piece(&one))),
            Rule::condition_of => of.extend(part.into_inner().map(|one| directive(&one))),
            Rule::operator => operator = Some(piece(&part)),
            Rule::kind => word = Some(piece(&part)),
            Rule::item => listed.push(item(part)),
            Rule::expression => after.push(piece(&part)),
            _ => {}
        }
    }
    let content = match (rule, word) {
        (Rule::condition, _) => after
            .pop()
            .map(|condition| Content::Condition { of, condition }),
        (Rule::schedule, Some(kind)) => Some(Content::Schedule {
            modifiers,
            kind,
            chunk: after.pop(),
        }),
        (Rule::choice, Some(word)) => Some(Content::Word { modifiers, word }),
        (Rule::valued, _) if !after.is_empty() => Some(Content::Expressions {
            modifiers,
            values: after,
        }),
        (Rule::reduction | Rule::linear | Rule::aligned | Rule::listing, _) => {
            Some(Content::List {
                modifiers,
                operator,
                items: listed,
                after,
            })
        }
        _ => None,
    };
    Clause {
        kind,
        range: whole.range,
        content: content.unwrap_or(Content::Nothing),
    }
}

fn items(pairs: Pairs<Rule>) -> Vec<ListItem> {
    pairs
        .map(|pair| match pair.as_rule() {
            Rule::item => item(pair),
            _ => ListItem {
                text: piece(&pair),
                variable: None,
                sections: Vec::new(),
            },
        })
        .collect()
}

fn item(pair: Pair<Rule>) -> ListItem {
    let mut found = ListItem {
        text: piece(&pair),
        variable: None,
        sections: Vec::new(),
    };
    for part in pair.into_inner() {
        match part.as_rule() {
            Rule::variable => found.variable = Some(piece(&part)),
            Rule::part => found.sections.extend(part.into_inner().filter_map(section)),
            _ => {}
        }
    }
    found
}

/// The bounds of `[…]`, told apart by the colons between them.
fn section(pair: Pair<Rule>) -> Option<Section> {
    if pair.as_rule() != Rule::section {
        return None;
    }
    let mut found = Section {
        range: piece(&pair).range,
        lower: None,
        length: None,
        stride: None,
        is_section: false,
    };
    let mut colons = 0;
    for part in pair.into_inner() {
        let place = match (part.as_rule(), colons) {
            (Rule::colon, _) => {
                colons += 1;
                continue;
            }
            (_, 0) => &mut found.lower,
            (_, 1) => &mut found.length,
            _ => &mut found.stride,
        };
        *place = Some(piece(&part));
    }
    found.is_section = colons > 0;
    Some(found)
}
