//! The directives of OpenMP in a unit, each with its place.
//!
//! What they say is [`openmp::Construct`]'s business; here is where they stand, and which of them belong to a statement.

use std::collections::BTreeSet;
use std::ops::{Deref, Range};

use cccp_grammar::openmp::{self, ClauseKind, Content, DirectiveName, ListItem};

use super::arithmetic::Types;
use super::builder::Builder;
use super::model::{ExpressionKind, ForStart, Statement, StatementKind, SymbolId, SymbolKind};
use super::types::TypeKind;
use crate::source::{SourceFile, SourceRange, Span};

/// A directive of OpenMP in the text.
#[derive(Clone, Debug)]
pub struct Construct {
    /// What it says.
    pub says: openmp::Construct,
    /// Its line in the preprocessed text.
    pub span: Span,
    /// All its lines in the user's file; none when it comes from a macro or an included file.
    pub place: Option<SourceRange>,
    /// Where a line begins above which other lines stand before it: its own, or that of the macro from which it comes.
    pub begins: Option<usize>,
    /// Where the text begins that [`Construct::says`] is about.
    begin: usize,
}

impl Deref for Construct {
    type Target = openmp::Construct;

    fn deref(&self) -> &openmp::Construct {
        &self.says
    }
}

impl Construct {
    /// All of a file, in the order of the preprocessed text.
    pub fn all(file: &SourceFile) -> Vec<Construct> {
        let pragmas = file.pragmas().iter();
        let own = pragmas.filter_map(|pragma| {
            let text = pragma.text.strip_prefix("omp")?;
            if text.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
                return None;
            }
            let span = Span::new(pragma.offset, pragma.end);
            let line = file.preprocessed_text(span).trim_end();
            let place = file.openmp_place(pragma.offset);
            Some(Construct {
                says: openmp::Construct::read(text),
                span,
                place,
                begins: match place {
                    Some(place) => Some(place.start),
                    None => file.line_of_macro(pragma.offset),
                },
                begin: (span.start + line.len()).saturating_sub(text.len()),
            })
        });
        own.collect()
    }

    /// Where a part of it stands in the preprocessed text.
    pub fn span_of(&self, range: &Range<usize>) -> Span {
        Span::new(self.begin + range.start, self.begin + range.end)
    }

    /// A clause as a compiler reads it, on one line or several.
    pub fn text_of(&self, file: &SourceFile, clause: &openmp::Clause) -> String {
        match clause.kind {
            // Perhaps it stands for `default(…)`.
            ClauseKind::Private | ClauseKind::Firstprivate => {
                let names: Vec<&str> = clause.variables().map(|one| one.text.as_str()).collect();
                format!("{}({})", clause.kind, names.join(", "))
            }
            _ => file
                .preprocessed_text(self.span_of(&clause.range))
                .trim()
                .to_string(),
        }
    }

    /// Something happens where it stands, and it belongs to no statement.
    pub fn is_statement(&self) -> bool {
        self.stands_alone() && !self.is_declarative()
    }
}

impl Builder<'_> {
    /// `default(private)` and `default(firstprivate)` of a team become lists of the variables that they are about: those of functions
    /// that the statement names and no other clause does (OpenMP 5.2, 5.1.1). What is named too often does no harm: an own copy that
    /// nobody uses.
    pub(super) fn name_private(&self, statement: &mut Statement) {
        let is_team = |one: &Construct| {
            let known = [
                DirectiveName::Parallel,
                DirectiveName::For,
                DirectiveName::Sections,
            ];
            one.is_parallel() && one.directives.iter().all(|name| known.contains(name))
        };
        let mut constructs = std::mem::take(&mut statement.openmp);
        for construct in &mut constructs {
            if !is_team(construct) || !construct.is_private_by_default() {
                continue;
            }
            let named = self.named_by_nobody(statement, construct);
            // Versions of clang differ in whether each thread has arrays and structs of its own then.
            let is_clang = self
                .file
                .macro_at("__clang__", construct.span.start)
                .is_some();
            let is_whole = |one: &SymbolId| {
                let kind = self.kind_of(self.symbols[one.0].ty);
                matches!(kind, TypeKind::Array { .. } | TypeKind::Record(_))
            };
            if is_clang && named.iter().any(is_whole) {
                continue;
            }
            let names = named.iter().map(|one| self.symbols[one.0].name.clone());
            let names: BTreeSet<String> = names.collect();
            for clause in &mut construct.says.clauses {
                let kind = match (&clause.kind, clause.word()) {
                    (ClauseKind::Default, Some("private")) => ClauseKind::Private,
                    (ClauseKind::Default, Some("firstprivate")) => ClauseKind::Firstprivate,
                    _ => continue,
                };
                let item = |name: &String| {
                    let text = cccp_grammar::Text {
                        text: name.clone(),
                        range: clause.range.clone(),
                    };
                    ListItem {
                        variable: Some(text.clone()),
                        text,
                        sections: Vec::new(),
                    }
                };
                clause.content = Content::List {
                    modifiers: Vec::new(),
                    operator: None,
                    items: names.iter().map(item).collect(),
                    after: Vec::new(),
                };
                clause.kind = kind;
            }
            if names.is_empty() {
                let lists = [ClauseKind::Private, ClauseKind::Firstprivate];
                let says = |one: &openmp::Clause| {
                    !lists.contains(&one.kind) || one.variables().next().is_some()
                };
                construct.says.clauses.retain(says);
            }
        }
        statement.openmp = constructs;
    }

    fn named_by_nobody(&self, statement: &Statement, construct: &Construct) -> BTreeSet<SymbolId> {
        let mut named: BTreeSet<SymbolId> = BTreeSet::new();
        statement.walk_expressions(&mut |one| {
            if let ExpressionKind::Name {
                symbol: Some(symbol),
                ..
            } = &one.kind
            {
                named.insert(*symbol);
            }
        });
        statement.walk(&mut |one| {
            let clauses = one.openmp.iter().flat_map(|inner| &inner.clauses);
            let names = clauses.flat_map(|clause| clause.variables());
            named.extend(names.filter_map(|name| self.lookup(&name.text)));
            true
        });
        // What the standard says itself.
        if construct.is_loop() {
            let mut inside = statement;
            for _ in 0..construct.loop_depth() {
                while let StatementKind::Compound { items, .. } = &inside.kind {
                    let Some(first) = items.first() else { break };
                    inside = first;
                }
                let StatementKind::For { start, body, .. } = &inside.kind else {
                    break;
                };
                if let ForStart::Expression(value) = start
                    && let ExpressionKind::Assign { target, .. } = &value.kind
                    && let Some(symbol) = target.symbol()
                {
                    named.remove(&symbol);
                }
                inside = body;
            }
        }
        let declared = { self.openmp.iter() }.filter(|one| one.has(&DirectiveName::Threadprivate));
        let declared = declared.flat_map(|one| &one.arguments);
        let declared = declared.filter_map(|one| one.variable.as_ref());
        let listed = construct.clauses.iter().flat_map(|one| one.variables());
        let said: BTreeSet<&str> = { declared.chain(listed) }
            .map(|one| one.text.as_str())
            .collect();
        let is_meant = |symbol: &SymbolId| {
            let known = &self.symbols[symbol.0];
            known.kind == SymbolKind::Variable
                && known.function.is_some()
                && !known.per_thread
                && !statement.span.contains(known.declared)
                && !said.contains(known.name.as_str())
                && self.lookup(&known.name) == Some(*symbol)
        };
        named.retain(is_meant);
        named
    }
}

impl Statement {
    /// The statements with constructs around a text inside, from the outside in, this one included.
    pub fn regions_around(&self, at: Span) -> Vec<&Statement> {
        let mut found = Vec::new();
        let mut inside = Some(self);
        while let Some(statement) = inside {
            if !statement.openmp.is_empty() {
                found.push(statement);
            }
            let mut children = statement.children().into_iter();
            inside = children.find(|child| child.span.contains(at));
        }
        found
    }

    /// In how many teams around a text inside several threads may come to it, each for itself, when it is so many around the
    /// statement: 0, 1, or 2 for more. With more than one team a construct for one thread is executed by one of each.
    pub fn teams_at(&self, at: Span, outside: usize) -> usize {
        let (mut teams, mut is_one) = (outside, false);
        for construct in self
            .regions_around(at)
            .into_iter()
            .flat_map(|one| &one.openmp)
        {
            if construct.runs_in_other_threads() {
                (teams, is_one) = (teams + 1, false);
            }
            is_one |= construct.is_by_one_thread();
        }
        match teams {
            1 if is_one => 0,
            _ => teams.min(2),
        }
    }
}
