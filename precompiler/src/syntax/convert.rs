//! From the parser's tree to ours: declarations and statements. Expressions are in [`convert_expression`]
//! (super::convert_expression).
//!
//! Two things are put right on the way: the parser's spans, which may end in white space, and what the normaliser hid
//! (see [`NoteKind`]).

use lang_c::ast;
use lang_c::span::Node;

use super::tree::{
    ArraySize, Assembly, BuiltinWord, Declaration, Declarator, Derived, Field, ForStart, Function,
    InitDeclarator, Label, Parameter, Specifiers, Statement, StatementKind, StorageWord, TopLevel,
    Tree, TypeName, TypeWord,
};
use crate::source::Span;
use crate::source::lexer::plain_name;
use crate::source::normalise::{Note, NoteKind};

/// Converts the nodes of one text.
pub struct Converter<'a> {
    pub(super) text: &'a [u8],
    notes: &'a [Note],
    /// The text before it was normalised: names are as the program spells them.
    spelt: &'a str,
}

impl<'a> Converter<'a> {
    /// For a normalised text, its notes, and the text that was normalised.
    pub fn new(normalised: &'a str, notes: &'a [Note], spelt: &'a str) -> Converter<'a> {
        Converter {
            text: normalised.as_bytes(),
            notes,
            spelt,
        }
    }

    /// An identifier as the program spells it, universal character names written out.
    pub(super) fn name(&self, node: &Node<ast::Identifier>) -> String {
        let name = &node.node.name;
        if !name.contains('_') {
            return name.clone();
        }
        let start = self.span(node).start;
        match self.spelt.get(start..start + name.len()) {
            Some(spelt) if spelt != name && !spelt.contains(char::is_whitespace) => {
                plain_name(spelt)
            }
            _ => name.clone(),
        }
    }

    /// A piece of the text before it was normalised.
    pub(super) fn spelt(&self, span: Span) -> &str {
        self.spelt.get(span.start..span.end).unwrap_or("")
    }

    /// A whole file.
    pub fn unit(&self, unit: &ast::TranslationUnit) -> Tree {
        let mut items = Vec::with_capacity(unit.0.len());
        for node in &unit.0 {
            match &node.node {
                ast::ExternalDeclaration::Declaration(declaration) => {
                    items.push(TopLevel::Declaration(self.declaration(declaration)));
                }
                ast::ExternalDeclaration::FunctionDefinition(function) => {
                    items.push(TopLevel::Function(Box::new(self.function(function))));
                }
                ast::ExternalDeclaration::StaticAssert(_) => {}
            }
        }
        Tree { items }
    }

    pub(super) fn span<T>(&self, node: &Node<T>) -> Span {
        let (mut start, mut end) = (node.span.start, node.span.end.min(self.text.len()));
        while end > start && self.text[end - 1].is_ascii_whitespace() {
            end -= 1;
        }
        while start < end && self.text[start].is_ascii_whitespace() {
            start += 1;
        }
        Span::new(start, end)
    }

    pub(super) fn has_note(&self, span: Span, kind: NoteKind) -> bool {
        let first = self.notes.partition_point(|note| note.offset < span.start);
        self.notes[first..]
            .iter()
            .take_while(|note| note.offset < span.end)
            .any(|note| note.kind == kind)
    }

    /// Where a note is about what was blanked right before a span.
    fn note_before(&self, span: Span, kind: NoteKind) -> Option<usize> {
        let start = self.with_blanks_before(span).start;
        let mut notes = self.notes.iter().skip_while(|note| note.offset < start);
        let mut notes = notes.by_ref().take_while(|note| note.offset < span.start);
        notes.find(|note| note.kind == kind).map(|note| note.offset)
    }

    /// The span with what was blanked right before it.
    fn with_blanks_before(&self, span: Span) -> Span {
        let mut start = span.start;
        while start > 0 && self.text[start - 1].is_ascii_whitespace() {
            start -= 1;
        }
        Span::new(start, span.end)
    }

    fn function(&self, node: &Node<ast::FunctionDefinition>) -> Function {
        Function {
            span: self.span(node),
            specifiers: self.specifiers(&node.node.specifiers, self.span(node)),
            declarator: self.declarator(&node.node.declarator),
            old_style: node
                .node
                .declarations
                .iter()
                .map(|d| self.declaration(d))
                .collect(),
            body: self.statement(&node.node.statement),
        }
    }

    fn declaration(&self, node: &Node<ast::Declaration>) -> Declaration {
        let span = self.span(node);
        let mut specifiers = self.specifiers(&node.node.specifiers, span);
        if self.has_note(self.with_blanks_before(span), NoteKind::Thread) {
            specifiers.storage.push(StorageWord::Thread);
        }
        Declaration {
            span,
            specifiers,
            declarators: node
                .node
                .declarators
                .iter()
                .map(|d| self.init_declarator(d))
                .collect(),
        }
    }

    fn init_declarator(&self, node: &Node<ast::InitDeclarator>) -> InitDeclarator {
        InitDeclarator {
            span: self.span(node),
            declarator: self.declarator(&node.node.declarator),
            initialiser: node.node.initializer.as_ref().map(|i| self.initialiser(i)),
        }
    }

    fn specifiers(&self, nodes: &[Node<ast::DeclarationSpecifier>], whole: Span) -> Specifiers {
        let mut specifiers = Specifiers {
            span: Span::new(whole.start, whole.start),
            ..Specifiers::default()
        };
        for node in nodes {
            specifiers.span.end = self.span(node).end;
            match &node.node {
                ast::DeclarationSpecifier::StorageClass(class) => {
                    specifiers.storage.push(match class.node {
                        ast::StorageClassSpecifier::Typedef => StorageWord::Typedef,
                        ast::StorageClassSpecifier::Extern => StorageWord::Extern,
                        ast::StorageClassSpecifier::Static => StorageWord::Static,
                        ast::StorageClassSpecifier::ThreadLocal => StorageWord::Thread,
                        ast::StorageClassSpecifier::Auto => StorageWord::Auto,
                        ast::StorageClassSpecifier::Register => StorageWord::Register,
                    })
                }
                ast::DeclarationSpecifier::TypeSpecifier(word) => {
                    specifiers.types.push(self.type_word(word))
                }
                ast::DeclarationSpecifier::TypeQualifier(word) => {
                    qualify(&mut specifiers, &word.node)
                }
                ast::DeclarationSpecifier::Function(word) => {
                    specifiers.is_inline |= word.node == ast::FunctionSpecifier::Inline;
                }
                ast::DeclarationSpecifier::Alignment(_)
                | ast::DeclarationSpecifier::Extension(_) => {}
            }
        }
        specifiers
    }

    fn specifier_qualifiers(&self, nodes: &[Node<ast::SpecifierQualifier>]) -> Specifiers {
        let mut specifiers = Specifiers::default();
        for node in nodes {
            let span = self.span(node);
            if specifiers.span.end == 0 {
                specifiers.span = span;
            }
            specifiers.span.end = span.end;
            match &node.node {
                ast::SpecifierQualifier::TypeSpecifier(word) => {
                    specifiers.types.push(self.type_word(word))
                }
                ast::SpecifierQualifier::TypeQualifier(word) => {
                    qualify(&mut specifiers, &word.node)
                }
                ast::SpecifierQualifier::Extension(_) => {}
            }
        }
        specifiers
    }

    fn type_word(&self, node: &Node<ast::TypeSpecifier>) -> TypeWord {
        let span = self.span(node);
        let word = match &node.node {
            ast::TypeSpecifier::Void => BuiltinWord::Void,
            ast::TypeSpecifier::Char => BuiltinWord::Char,
            ast::TypeSpecifier::Short => BuiltinWord::Short,
            ast::TypeSpecifier::Int => BuiltinWord::Int,
            ast::TypeSpecifier::Long => BuiltinWord::Long,
            ast::TypeSpecifier::Float => BuiltinWord::Float,
            ast::TypeSpecifier::Double => BuiltinWord::Double,
            ast::TypeSpecifier::Signed => BuiltinWord::Signed,
            ast::TypeSpecifier::Unsigned => BuiltinWord::Unsigned,
            ast::TypeSpecifier::Bool => BuiltinWord::Bool,
            ast::TypeSpecifier::Complex => BuiltinWord::Complex,
            ast::TypeSpecifier::TS18661Float(_) => BuiltinWord::OtherFloat,
            ast::TypeSpecifier::Atomic(name) => {
                return TypeWord::Atomic(Box::new(self.type_name(name)));
            }
            ast::TypeSpecifier::Struct(record) => {
                return TypeWord::Record {
                    is_union: record.node.kind.node == ast::StructKind::Union,
                    tag: record.node.identifier.as_ref().map(|name| self.name(name)),
                    fields: record
                        .node
                        .declarations
                        .as_ref()
                        .map(|list| self.fields(list)),
                    span,
                };
            }
            ast::TypeSpecifier::Enum(list) => {
                let constants = list.node.enumerators.iter().map(|constant| {
                    let name = &constant.node.identifier;
                    let value = constant
                        .node
                        .expression
                        .as_ref()
                        .map(|value| self.expression(value));
                    (self.name(name), self.span(name), value)
                });
                return TypeWord::Enum {
                    tag: list.node.identifier.as_ref().map(|name| self.name(name)),
                    constants: constants.collect(),
                    span,
                };
            }
            ast::TypeSpecifier::TypedefName(name) => {
                return TypeWord::Named(self.name(name));
            }
            ast::TypeSpecifier::TypeOf(of) => {
                return match &of.node {
                    ast::TypeOf::Expression(value) => {
                        TypeWord::TypeOfValue(Box::new(self.expression(value)))
                    }
                    ast::TypeOf::Type(name) => TypeWord::TypeOfType(Box::new(self.type_name(name))),
                };
            }
        };
        TypeWord::Builtin(word, span.start)
    }

    fn fields(&self, nodes: &[Node<ast::StructDeclaration>]) -> Vec<Field> {
        let mut fields = Vec::new();
        for node in nodes {
            let ast::StructDeclaration::Field(field) = &node.node else {
                continue;
            };
            let declarators = field.node.declarators.iter().map(|declarator| {
                let width = declarator
                    .node
                    .bit_width
                    .as_ref()
                    .map(|width| self.expression(width));
                (
                    declarator
                        .node
                        .declarator
                        .as_ref()
                        .map(|d| self.declarator(d)),
                    width,
                )
            });
            fields.push(Field {
                specifiers: self.specifier_qualifiers(&field.node.specifiers),
                declarators: declarators.collect(),
            });
        }
        fields
    }

    pub(super) fn type_name(&self, node: &Node<ast::TypeName>) -> TypeName {
        TypeName {
            span: self.span(node),
            specifiers: self.specifier_qualifiers(&node.node.specifiers),
            declarator: node.node.declarator.as_ref().map(|d| self.declarator(d)),
        }
    }

    fn declarator(&self, node: &Node<ast::Declarator>) -> Declarator {
        let mut declarator = Declarator {
            span: self.span(node),
            ..Declarator::default()
        };
        self.unfold(&node.node, &mut declarator);
        declarator
    }

    fn unfold(&self, node: &ast::Declarator, into: &mut Declarator) {
        let mut suffixes = Vec::new();
        for derived in &node.derived {
            match &derived.node {
                ast::DerivedDeclarator::Pointer(words) | ast::DerivedDeclarator::Block(words) => {
                    into.derived.push(pointer(words));
                }
                ast::DerivedDeclarator::Array(array) => {
                    suffixes.push(Derived::Array(self.array_size(&array.node)))
                }
                ast::DerivedDeclarator::Function(function) => suffixes.push(Derived::Function {
                    parameters: function
                        .node
                        .parameters
                        .iter()
                        .map(|p| self.parameter(p))
                        .collect(),
                    variadic: function.node.ellipsis == ast::Ellipsis::Some,
                    names: Vec::new(),
                }),
                ast::DerivedDeclarator::KRFunction(names) => suffixes.push(Derived::Function {
                    parameters: Vec::new(),
                    variadic: false,
                    names: names
                        .iter()
                        .map(|name| (self.name(name), self.span(name)))
                        .collect(),
                }),
            }
        }
        suffixes.reverse();
        into.derived.extend(suffixes);
        match &node.kind.node {
            ast::DeclaratorKind::Abstract => {}
            ast::DeclaratorKind::Identifier(name) => {
                into.name = Some((self.name(name), self.span(name)))
            }
            ast::DeclaratorKind::Declarator(inner) => self.unfold(&inner.node, into),
        }
    }

    fn array_size(&self, array: &ast::ArrayDeclarator) -> ArraySize {
        match &array.size {
            ast::ArraySize::Unknown => ArraySize::Nothing,
            ast::ArraySize::VariableUnknown => ArraySize::Star,
            ast::ArraySize::VariableExpression(size) | ast::ArraySize::StaticExpression(size) => {
                ArraySize::Expression(Box::new(self.expression(size)))
            }
        }
    }

    fn parameter(&self, node: &Node<ast::ParameterDeclaration>) -> Parameter {
        let span = self.span(node);
        Parameter {
            span,
            specifiers: self.specifiers(&node.node.specifiers, span),
            declarator: node.node.declarator.as_ref().map(|d| self.declarator(d)),
        }
    }

    pub(super) fn statement(&self, node: &Node<ast::Statement>) -> Statement {
        let mut span = self.span(node);
        let boxed = |inner: &Node<ast::Statement>| Box::new(self.statement(inner));
        let kind = match &node.node {
            ast::Statement::Labeled(labelled) => StatementKind::Labelled {
                label: match &labelled.node.label.node {
                    ast::Label::Identifier(name) => Label::Name(self.name(name)),
                    ast::Label::Case(value) => Label::Case(self.expression(value)),
                    ast::Label::CaseRange(range) => Label::CaseRange(
                        self.expression(&range.node.low),
                        self.expression(&range.node.high),
                    ),
                    ast::Label::Default => Label::Default,
                },
                body: boxed(&labelled.node.statement),
            },
            ast::Statement::Compound(items) => StatementKind::Compound(self.block(items)),
            ast::Statement::Expression(None) => StatementKind::Expression(None),
            ast::Statement::Expression(Some(value)) => {
                if self.note_before(span, NoteKind::ComputedGoto).is_some() {
                    StatementKind::Goto(None)
                } else if let Some(start) = self.note_before(span, NoteKind::Assembly) {
                    span.start = start;
                    StatementKind::Assembly(self.assembly(value, span))
                } else {
                    StatementKind::Expression(Some(self.expression(value)))
                }
            }
            ast::Statement::If(inner) => StatementKind::If {
                condition: self.expression(&inner.node.condition),
                then: boxed(&inner.node.then_statement),
                otherwise: inner
                    .node
                    .else_statement
                    .as_ref()
                    .map(|otherwise| boxed(otherwise)),
            },
            ast::Statement::Switch(inner) => StatementKind::Switch {
                value: self.expression(&inner.node.expression),
                body: boxed(&inner.node.statement),
            },
            ast::Statement::While(inner) => StatementKind::While {
                condition: self.expression(&inner.node.expression),
                body: boxed(&inner.node.statement),
            },
            ast::Statement::DoWhile(inner) => StatementKind::DoWhile {
                body: boxed(&inner.node.statement),
                condition: self.expression(&inner.node.expression),
            },
            ast::Statement::For(inner) => StatementKind::For {
                start: match &inner.node.initializer.node {
                    ast::ForInitializer::Empty | ast::ForInitializer::StaticAssert(_) => {
                        ForStart::Nothing
                    }
                    ast::ForInitializer::Expression(value) => {
                        ForStart::Expression(self.expression(value))
                    }
                    ast::ForInitializer::Declaration(declaration) => {
                        ForStart::Declaration(self.declaration(declaration))
                    }
                },
                condition: inner
                    .node
                    .condition
                    .as_ref()
                    .map(|value| self.expression(value)),
                step: inner.node.step.as_ref().map(|value| self.expression(value)),
                body: boxed(&inner.node.statement),
            },
            ast::Statement::Goto(name) => StatementKind::Goto(Some(self.name(name))),
            ast::Statement::Continue => StatementKind::Continue,
            ast::Statement::Break => StatementKind::Break,
            ast::Statement::Return(value) => {
                StatementKind::Return(value.as_ref().map(|value| self.expression(value)))
            }
            // The normaliser has left none.
            ast::Statement::Asm(_) => StatementKind::Assembly(Assembly {
                template: String::new(),
                operands: Vec::new(),
                labels: Vec::new(),
                changes_memory: true,
                is_barrier: false,
                may_call: true,
            }),
        };
        Statement { span, kind }
    }

    fn block(&self, items: &[Node<ast::BlockItem>]) -> Vec<Statement> {
        let mut statements = Vec::with_capacity(items.len());
        for item in items {
            match &item.node {
                ast::BlockItem::Declaration(declaration) => {
                    let declaration = self.declaration(declaration);
                    statements.push(Statement {
                        span: declaration.span,
                        kind: StatementKind::Declaration(declaration),
                    });
                }
                ast::BlockItem::Statement(statement) => statements.push(self.statement(statement)),
                ast::BlockItem::StaticAssert(_) => {}
            }
        }
        statements
    }
}

fn qualify(specifiers: &mut Specifiers, word: &ast::TypeQualifier) {
    match word {
        ast::TypeQualifier::Const => specifiers.is_const = true,
        ast::TypeQualifier::Volatile => specifiers.is_volatile = true,
        ast::TypeQualifier::Restrict => specifiers.is_restrict = true,
        ast::TypeQualifier::Atomic => specifiers.is_atomic = true,
        _ => {}
    }
}

fn pointer(words: &[Node<ast::PointerQualifier>]) -> Derived {
    let has = |wanted: &ast::TypeQualifier| {
        words.iter().any(|word| matches!(&word.node, ast::PointerQualifier::TypeQualifier(q) if q.node == *wanted))
    };
    Derived::Pointer {
        is_const: has(&ast::TypeQualifier::Const),
        is_volatile: has(&ast::TypeQualifier::Volatile),
        is_restrict: has(&ast::TypeQualifier::Restrict),
        is_atomic: has(&ast::TypeQualifier::Atomic),
    }
}
