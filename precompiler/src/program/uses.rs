//! Directives with their names resolved.

use cccp_grammar as grammar;
use cccp_grammar::ItemPart;

use super::builder::Builder;
use super::model::{
    ClauseExpression, Directive, DirectiveId, DirectiveUse, Expression, ExpressionKind,
    StatementId, SymbolKind,
};
use super::types::TypeKind;
use crate::diagnostic::{Code, Diagnostic, Place};
use crate::directive::Clause;
use crate::source::lexer::{TokenKind, tokens};
use crate::source::{SourceRange, Span};

impl Builder<'_> {
    /// Handles the directives at file scope before an offset.
    pub fn file_scope_directives(&mut self, offset: usize) {
        while self
            .placed
            .get(self.next_directive)
            .is_some_and(|placed| placed.span.start < offset)
        {
            self.directive(None);
        }
    }

    /// Resolves the next directive.
    pub fn directive(&mut self, statement: Option<StatementId>) -> DirectiveId {
        let placed = &self.placed[self.next_directive];
        self.next_directive += 1;
        let line = &self.file.directive_lines[placed.line];
        let mut clauses = placed.clauses.iter();
        let span = placed.span;
        let start = line.body.start;
        let own = |text: &grammar::Text| {
            let mut all = placed.clauses.iter();
            all.find(|one| one.place.start == start + text.range.start)
        };
        let directive = match &placed.directive {
            grammar::Directive::Init { comm, heap_fixed } => Directive::Init {
                communicator: { comm.as_ref().and_then(own) }
                    .map(|clause| self.clause(clause, span)),
                heap_fixed: *heap_fixed,
            },
            grammar::Directive::Checkpoint {
                every,
                condition,
                ranks,
                messages_counted,
                name,
                stands,
            } => {
                let every = every.as_ref().and_then(own);
                let every = every.map(|clause| self.clause(clause, span));
                let condition = condition.as_ref().and_then(own);
                let condition = condition.map(|clause| self.clause(clause, span));
                if let Some(every) = &every {
                    self.expect(every, "every", "an integer", |kind| {
                        matches!(
                            kind,
                            TypeKind::Integer(_) | TypeKind::Enum(_) | TypeKind::Bool
                        )
                    });
                }
                if let Some(condition) = &condition {
                    self.expect(condition, "if", "a number or a pointer", |kind| {
                        !matches!(kind, TypeKind::Record(_) | TypeKind::Void)
                    });
                }
                Directive::Checkpoint {
                    every,
                    condition,
                    ranks: ranks.as_ref().map(|ranks| ranks.text.clone()),
                    messages_counted: *messages_counted,
                    name: name.as_ref().map(|name| name.text.clone()),
                    stands: *stands,
                }
            }
            grammar::Directive::Register { items } => {
                let mut resolved = Vec::new();
                for item in items {
                    let count = 1 + trailing(item)
                        .map(|bracket| 1 + usize::from(bracket.lower.is_some()))
                        .sum::<usize>();
                    let own: Vec<&Clause> = clauses.by_ref().take(count).collect();
                    match self.item(item, &own, line.body.start, span) {
                        Ok(item) => resolved.push(item),
                        Err(diagnostic) => self.diagnostics.push(*diagnostic),
                    }
                }
                Directive::Register { items: resolved }
            }
            grammar::Directive::Unregister { names } => Directive::Unregister {
                names: names
                    .iter()
                    .map(|one| {
                        let text = crate::directive::base_text(one).0;
                        self.registered_name(&one.name.text, &text)
                    })
                    .collect(),
            },
            grammar::Directive::ExecuteOnRestart { each } => {
                Directive::ExecuteOnRestart { each: *each }
            }
            grammar::Directive::EndExecute => Directive::EndExecute,
            grammar::Directive::Shutdown => Directive::Shutdown,
            grammar::Directive::Client { names } => {
                for name in names {
                    self.check_client(name, line.body.start);
                }
                Directive::Client {
                    names: names.iter().map(|name| name.text.clone()).collect(),
                }
            }
        };
        let id = DirectiveId(self.directives.len());
        self.directives.push(DirectiveUse {
            directive,
            lines: line.lines,
            line: self.file.lines.of(line.line),
            span,
            function: self.current,
            statement,
            scope: self.scope(),
            partner: placed.partner.map(DirectiveId),
        });
        id
    }

    pub fn clause(&mut self, clause: &Clause, span: Span) -> ClauseExpression {
        let mut resolve = |tree| {
            self.within_directive = Some((span, clause.place));
            let expression = self.expression(tree);
            self.within_directive = None;
            Box::new(expression)
        };
        let expression = clause.tree.as_ref().map(&mut resolve);
        let meant = clause.meant.as_ref().map(resolve);
        match &expression {
            Some(expression) => self.names_are_known(expression, clause, span),
            None => self.is_for_the_compiler(clause, span),
        }
        let meant = meant.filter(|e| resolved(e) && self.has_its_members(e));
        let expression = expression.filter(|e| resolved(e) && meant.is_none());
        let macros = match expression {
            Some(_) => Vec::new(),
            None => self.macros_in(&clause.text, span),
        };
        ClauseExpression {
            text: clause.text.clone(),
            place: clause.place,
            expression,
            meant,
            macros,
        }
    }

    /// Whether every member in it is one: `s.s.sum` is what a macro `sum` would make of its own text.
    fn has_its_members(&self, expression: &Expression) -> bool {
        let mut all = true;
        expression.walk(&mut |inner| {
            all &= !matches!(inner.kind, ExpressionKind::Member { .. })
                || !matches!(self.kind(inner.ty), TypeKind::Unknown);
        });
        all
    }

    /// The words of a text that are macros.
    fn macros_in(&self, text: &str, span: Span) -> Vec<String> {
        let words = tokens(text.as_bytes()).into_iter();
        let words = words.filter(|token| token.kind == TokenKind::Word);
        let words = words.map(|token| text[token.start..token.end].to_string());
        words
            .filter(|word| self.file.is_macro(word, span.start))
            .collect()
    }

    /// What cannot be parsed is left to the compiler when macros are in it, and wrong otherwise.
    fn is_for_the_compiler(&mut self, clause: &Clause, span: Span) {
        if self.macros_in(&clause.text, span).is_empty() {
            let message = format!("`{}` is no expression of C", clause.text.trim());
            self.diagnostics.push(
                Diagnostic::error(Code::MALFORMED_DIRECTIVE, self.at(clause.place), message)
                    .label("not understood"),
            );
        }
    }

    /// Names in a clause are declared, or macros, or the compiler's own.
    fn names_are_known(&mut self, expression: &Expression, clause: &Clause, span: Span) {
        let mut unknown = Vec::new();
        expression.walk(&mut |inner| {
            if let ExpressionKind::Name { name, symbol: None } = &inner.kind
                && !self.file.is_macro(name, span.start)
                && !name.starts_with("__")
                && !unknown.contains(name)
            {
                unknown.push(name.clone());
            }
        });
        for name in unknown {
            let in_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
            let found = clause
                .text
                .match_indices(&name)
                .map(|(at, _)| at)
                .find(|&at| {
                    !in_word(clause.text[..at].chars().next_back())
                        && !in_word(clause.text[at + name.len()..].chars().next())
                });
            let start = clause.place.start + found.unwrap_or(0);
            let place = match found {
                Some(_) => SourceRange::new(start, start + name.len()),
                None => clause.place,
            };
            self.diagnostics.push(self.unknown(&name, place));
        }
    }

    pub fn at(&self, place: SourceRange) -> Place {
        Place::Range {
            path: self.file.path.clone(),
            range: place.start..place.end,
        }
    }

    fn expect(
        &mut self,
        clause: &ClauseExpression,
        name: &str,
        what: &str,
        accepted: fn(&TypeKind) -> bool,
    ) {
        let Some(expression) = &clause.expression else {
            return;
        };
        let kind = self.kind(expression.ty);
        if *kind != TypeKind::Unknown && !accepted(kind) {
            let message = format!("`{name}(…)` takes {what}");
            let diagnostic =
                Diagnostic::error(Code::WRONG_CLAUSE_TYPE, self.at(clause.place), message);
            self.diagnostics
                .push(diagnostic.label("this is something else"));
        }
    }

    fn check_client(&mut self, name: &grammar::Text, body: usize) {
        let place = SourceRange::new(body + name.range.start, body + name.range.end);
        match self
            .lookup(&name.text)
            .map(|symbol| self.symbols[symbol.0].kind)
        {
            Some(SymbolKind::Function) => {}
            Some(_) => self.diagnostics.push(Diagnostic::error(
                Code::NO_MEMORY,
                self.at(place),
                format!("`{}` is not a function", name.text),
            )),
            None => {
                let diagnostic = self.unknown(&name.text, place);
                self.diagnostics.push(diagnostic.reason(
                    "the declaration tells the types of its parameters, which are needed to call it again on restart",
                ));
            }
        }
    }

    pub fn unknown(&self, name: &str, place: SourceRange) -> Diagnostic {
        let offset = self.placed[self.next_directive.saturating_sub(1)]
            .span
            .start;
        let diagnostic = Diagnostic::error(
            Code::UNKNOWN_NAME,
            self.at(place),
            format!("`{name}` is not declared here"),
        )
        .label("unknown name");
        if self.file.is_macro(name, offset) {
            return diagnostic
                .reason(format!(
                    "`{name}` is a macro, and macros are not expanded in the names of directives"
                ))
                .help("write the variable that it stands for");
        }
        match grammar::nearest(name, self.visible_names()) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => diagnostic,
        }
    }
}

/// The brackets at the end of an item.
pub(super) fn trailing(item: &grammar::Item) -> impl Iterator<Item = &grammar::Bracket> {
    let kept = crate::directive::base_text(item).1;
    item.parts[kept..].iter().filter_map(|part| match part {
        ItemPart::Bracket(bracket) => Some(bracket),
        _ => None,
    })
}

/// Whether all names in it are known.
fn resolved(expression: &Expression) -> bool {
    let mut all = true;
    expression
        .walk(&mut |inner| all &= !matches!(inner.kind, ExpressionKind::Name { symbol: None, .. }));
    all
}
