//! Small programs for the tests of this room: statements of C in which every expression is a name or a number.
//!
//! `f(g(x))` is a call like any other; only the places of names matter.

use super::{Flow, Loops};
use crate::catalog::Catalogue;
use crate::program::*;
use crate::source::Span;

pub(super) struct Mini {
    source: String,
    function: Function,
}

impl Mini {
    pub(super) fn new(source: &str) -> Mini {
        let source = format!("{{ {source} }}");
        let mut reader = Reader {
            source: &source,
            at: 0,
            statements: 0,
        };
        let body = reader.statement();
        let function = Function {
            name: "f".to_string(),
            symbol: SymbolId(0),
            span: body.span,
            in_user_file: true,
            body_open: None,
            body_close: None,
            line: 1,
            parameters: Vec::new(),
            return_type: TypeId(0),
            variadic: false,
            old_style: false,
            is_static: false,
            is_inline: false,
            scope: ScopeId(0),
            body,
            statement_count: reader.statements,
        };
        Mini { source, function }
    }

    pub(super) fn flow(&self) -> Flow {
        Flow::of(&self.function, &Catalogue::builtin())
    }

    pub(super) fn loops(&self) -> Loops {
        Loops::of(&self.function)
    }

    pub(super) fn text(&self, span: Span) -> &str {
        &self.source[span.start..span.end]
    }

    /// Where a name stands.
    pub(super) fn at(&self, name: &str) -> usize {
        self.all(name).first().copied().expect("the name occurs")
    }

    /// Everywhere it stands, labels excluded.
    pub(super) fn all(&self, name: &str) -> Vec<usize> {
        let mut places = Vec::new();
        self.function.body.walk_expressions(&mut |expression| {
            if matches!(&expression.kind, ExpressionKind::Name { name: found, .. } if found == name)
            {
                places.push(expression.span.start);
            }
        });
        places
    }
}

struct Reader<'a> {
    source: &'a str,
    at: usize,
    statements: usize,
}

impl<'a> Reader<'a> {
    /// The next word or character, and where it begins.
    fn peek(&self) -> (&'a str, usize) {
        let rest = self.source[self.at..].trim_start();
        let start = self.source.len() - rest.len();
        let word = rest
            .find(|c: char| !c.is_alphanumeric())
            .unwrap_or(rest.len())
            .max(usize::from(!rest.is_empty()));
        (&rest[..word], start)
    }

    fn next(&mut self) -> (&'a str, usize) {
        let (word, start) = self.peek();
        self.at = start + word.len();
        (word, start)
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.peek().0 == word;
        if found {
            self.next();
        }
        found
    }

    #[track_caller]
    fn expect(&mut self, word: &str) {
        assert!(
            self.take(word),
            "{word} expected at {}",
            &self.source[self.at..]
        );
    }

    fn expression(&mut self) -> Expression {
        let (word, start) = self.next();
        let kind = match word.parse() {
            Ok(number) => ExpressionKind::Number(Some(number)),
            Err(_) => ExpressionKind::Name {
                name: word.to_string(),
                symbol: None,
            },
        };
        let mut value = expression(kind, start, self.at);
        if self.take("(") {
            let arguments = vec![self.expression()];
            self.expect(")");
            let callee = Box::new(value);
            value = expression(ExpressionKind::Call { callee, arguments }, start, self.at);
        }
        value
    }

    /// `( … )`
    fn condition(&mut self) -> Expression {
        self.expect("(");
        let value = self.expression();
        self.expect(")");
        value
    }

    fn optional(&mut self, end: &str) -> Option<Expression> {
        let value = (self.peek().0 != end).then(|| self.expression());
        self.expect(end);
        value
    }

    fn body(&mut self) -> Box<Statement> {
        Box::new(self.statement())
    }

    fn statement(&mut self) -> Statement {
        let id = StatementId(self.statements);
        self.statements += 1;
        let start = self.peek().1;
        let kind = self.kind();
        Statement {
            id,
            kind,
            span: Span::new(start, self.at),
            place: None,
            touched_by_macro: false,
            scope: ScopeId(0),
            in_compound: true,
            openmp: Vec::new(),
        }
    }

    fn kind(&mut self) -> StatementKind {
        let before = self.at;
        match self.next().0 {
            "{" => {
                let mut items = Vec::new();
                while !self.take("}") {
                    items.push(self.statement());
                }
                StatementKind::Compound {
                    items,
                    scope: ScopeId(0),
                }
            }
            ";" => StatementKind::Expression(None),
            "if" => StatementKind::If {
                condition: self.condition(),
                then: self.body(),
                otherwise: self.take("else").then(|| self.body()),
            },
            "while" => StatementKind::While {
                condition: self.condition(),
                body: self.body(),
            },
            "switch" => StatementKind::Switch {
                value: self.condition(),
                body: self.body(),
            },
            "do" => {
                let body = self.body();
                self.expect("while");
                let condition = self.condition();
                self.expect(";");
                StatementKind::DoWhile { body, condition }
            }
            "for" => {
                self.expect("(");
                StatementKind::For {
                    start: self
                        .optional(";")
                        .map_or(ForStart::Nothing, ForStart::Expression),
                    condition: self.optional(";"),
                    step: self.optional(")"),
                    body: self.body(),
                    scope: ScopeId(0),
                }
            }
            "break" => self.simple(StatementKind::Break),
            "continue" => self.simple(StatementKind::Continue),
            "return" => StatementKind::Return(self.optional(";")),
            "goto" => {
                let target = match self.next().0 {
                    "*" => {
                        self.next();
                        None
                    }
                    name => Some(name.to_string()),
                };
                self.simple(StatementKind::Goto(target))
            }
            "case" => {
                let label = Label::Case(self.expression());
                self.labelled(label)
            }
            "default" => self.labelled(Label::Default),
            name if self.peek().0 == ":" => self.labelled(Label::Name(name.to_string())),
            _ => {
                self.at = before;
                let value = self.expression();
                self.simple(StatementKind::Expression(Some(value)))
            }
        }
    }

    fn simple(&mut self, kind: StatementKind) -> StatementKind {
        self.expect(";");
        kind
    }

    fn labelled(&mut self, label: Label) -> StatementKind {
        self.expect(":");
        StatementKind::Labelled {
            label,
            body: self.body(),
        }
    }
}

fn expression(kind: ExpressionKind, start: usize, end: usize) -> Expression {
    Expression {
        kind,
        span: Span::new(start, end),
        place: None,
        ty: TypeId(0),
    }
}
