//! A directive of OpenMP as plain data.

use std::ops::Range;

use super::names::{ClauseKind, DirectiveName};
use crate::directive::Text;

/// What stands after `#pragma omp`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Construct {
    /// All of it on one line, without comments and line splices.
    pub text: String,
    /// Of a combined directive each: `parallel for` are two. At least one.
    pub directives: Vec<DirectiveName>,
    /// What `cancel` and `cancellation point` are about.
    pub cancelled: Option<DirectiveName>,
    /// What stands in parentheses of the directive's own: `critical(name)`, `threadprivate(a, b)`, `flush(x)`. What is no list is
    /// one item without a variable.
    pub arguments: Vec<ListItem>,
    /// In the order of the text.
    pub clauses: Vec<Clause>,
}

/// A clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// What it is.
    pub kind: ClauseKind,
    /// Its bytes in the text given.
    pub range: Range<usize>,
    /// What stands in its parentheses.
    pub content: Content,
}

/// What stands in the parentheses of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Nothing, or there are no parentheses.
    Nothing,
    /// Variables, and what stands before and behind them.
    List {
        /// Before the colon: `conditional`, `always, tofrom`, `in`, `val`.
        modifiers: Vec<Text>,
        /// Of a reduction.
        operator: Option<Text>,
        /// The variables, array sections and expressions.
        items: Vec<ListItem>,
        /// Behind the colon: the step of `linear`, the alignment of `aligned`.
        after: Vec<Text>,
    },
    /// One of some words: `default(none)`.
    Word {
        /// Before the colon.
        modifiers: Vec<Text>,
        /// The word.
        word: Text,
    },
    /// `schedule([MODIFIER, … :] KIND [, CHUNK])`
    Schedule {
        /// `monotonic`, `nonmonotonic`, `simd`
        modifiers: Vec<Text>,
        /// `static`, `dynamic`, `guided`, `auto`, `runtime`
        kind: Text,
        /// How many iterations at a time.
        chunk: Option<Text>,
    },
    /// Expressions, mostly one.
    Expressions {
        /// Before the colon.
        modifiers: Vec<Text>,
        /// At least one.
        values: Vec<Text>,
    },
    /// `if([DIRECTIVE :] CONDITION)`
    Condition {
        /// Which directives it is for; empty for all.
        of: Vec<DirectiveName>,
        /// The condition.
        condition: Text,
    },
    /// Something else: all of it, with its parentheses.
    Other(Text),
}

/// A variable, a part of one, or another expression in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListItem {
    /// As written.
    pub text: Text,
    /// The variable that it begins with; none for other expressions (`*p`, `i - 1`).
    pub variable: Option<Text>,
    /// Indices and array sections behind it.
    pub sections: Vec<Section>,
}

/// `[i]`, `[lower : length]` or `[lower : length : stride]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// With its brackets.
    pub range: Range<usize>,
    /// The index, or the first element.
    pub lower: Option<Text>,
    /// How many.
    pub length: Option<Text>,
    /// How far from one to the next.
    pub stride: Option<Text>,
    /// A colon stands in it.
    pub is_section: bool,
}

impl ListItem {
    /// It is a variable as a whole.
    pub fn is_whole(&self) -> bool {
        self.variable.as_ref() == Some(&self.text)
    }
}

impl Clause {
    /// Whether a word stands before what it lists: `conditional`, `task`, `inscan`.
    pub fn has_modifier(&self, word: &str) -> bool {
        match &self.content {
            Content::List { modifiers, .. } => modifiers.iter().any(|one| one.text.trim() == word),
            _ => false,
        }
    }

    /// The variables that a list names, in the order of the text; empty for other clauses.
    pub fn variables(&self) -> impl Iterator<Item = &Text> {
        self.items()
            .iter()
            .filter_map(|item| item.variable.as_ref())
    }

    /// The items of a list; empty for other clauses.
    pub fn items(&self) -> &[ListItem] {
        match &self.content {
            Content::List { items, .. } => items,
            _ => &[],
        }
    }

    /// The first expression, the chunk of a schedule, or the condition.
    pub fn expression(&self) -> Option<&Text> {
        match &self.content {
            Content::Expressions { values, .. } => values.first(),
            Content::Schedule { chunk, .. } => chunk.as_ref(),
            Content::Condition { condition, .. } => Some(condition),
            _ => None,
        }
    }

    /// All of it that may be C: variables and expressions, and what stands before a colon.
    pub fn texts(&self) -> Vec<&Text> {
        match &self.content {
            Content::Nothing | Content::Word { .. } => Vec::new(),
            Content::List {
                modifiers,
                items,
                after,
                ..
            } => {
                let items = items.iter().map(|item| &item.text);
                modifiers.iter().chain(items).chain(after).collect()
            }
            Content::Schedule { chunk, .. } => chunk.iter().collect(),
            Content::Expressions { modifiers, values } => modifiers.iter().chain(values).collect(),
            Content::Condition { condition, .. } => vec![condition],
            Content::Other(text) => vec![text],
        }
    }

    /// The word it chooses: `none` of `default(none)`, `static` of `schedule(static, 4)`.
    pub fn word(&self) -> Option<&str> {
        match &self.content {
            Content::Word { word, .. } | Content::Schedule { kind: word, .. } => Some(&word.text),
            _ => None,
        }
    }
}
