//! Statements and declarations of the program's picture. Part of [`model`](super::model).

use super::expression::{Expression, InitialiserList};
use super::model::{Construct, DirectiveId, ScopeId, StatementId, SymbolId};
use crate::source::{SourceRange, Span};
use cccp_grammar::openmp::DirectiveName;

/// A statement or declaration.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Number within the function.
    pub id: StatementId,
    /// What it is.
    pub kind: StatementKind,
    /// Its text, with its `;` and its labels.
    pub span: Span,
    /// The same in the user's file. `Some` when both ends are tokens of the user's file outside macros, or the
    /// statement begins or ends with a whole macro invocation (which then lies inside the range, with its `;`).
    pub place: Option<SourceRange>,
    /// Some token of it comes from a macro (so that inner places may be missing).
    pub touched_by_macro: bool,
    /// The scope in which it stands (for a compound: the scope around it).
    pub scope: ScopeId,
    /// It is an item of a compound statement, so that another statement may be put before it.
    pub in_compound: bool,
    /// `#pragma omp …` lines right before it that make it a region or a loop of OpenMP.
    pub openmp: Vec<Construct>,
}

impl Statement {
    /// Whether all threads of a team execute it, and it is nothing else: `#pragma omp parallel`.
    pub fn is_parallel_region(&self) -> bool {
        match self.openmp.as_slice() {
            [one] => one.directives == [DirectiveName::Parallel],
            _ => false,
        }
    }
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `{ … }`, with the scope it opens.
    Compound {
        /// Declarations, statements and directives.
        items: Vec<Statement>,
        /// Its own scope.
        scope: ScopeId,
    },
    /// `expression;` or `;`.
    Expression(Option<Expression>),
    /// `if`.
    If {
        /// Condition.
        condition: Expression,
        /// Statement when it holds.
        then: Box<Statement>,
        /// Statement when it does not.
        otherwise: Option<Box<Statement>>,
    },
    /// `while`.
    While {
        /// Condition.
        condition: Expression,
        /// Body.
        body: Box<Statement>,
    },
    /// `do … while`.
    DoWhile {
        /// Body.
        body: Box<Statement>,
        /// Condition.
        condition: Expression,
    },
    /// `for`.
    For {
        /// What stands before the first `;`.
        start: ForStart,
        /// Condition.
        condition: Option<Expression>,
        /// What happens after each iteration.
        step: Option<Expression>,
        /// Body.
        body: Box<Statement>,
        /// The scope of names declared in its head.
        scope: ScopeId,
    },
    /// `switch`.
    Switch {
        /// The value.
        value: Expression,
        /// Body.
        body: Box<Statement>,
    },
    /// A label, `case` or `default` and its statement.
    Labelled {
        /// The label.
        label: Label,
        /// What it labels.
        body: Box<Statement>,
    },
    /// `goto name;`. `None` for a computed goto.
    Goto(Option<String>),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return …;`
    Return(Option<Expression>),
    /// A declaration.
    Declaration(Declaration),
    /// One of our directives. Its place is its physical lines.
    Directive(DirectiveId),
    /// A directive of OpenMP that belongs to no statement: `barrier`, `flush`, `taskwait` … Its place is its physical lines.
    OpenMp(Construct),
    /// Inline assembly.
    Assembly(Assembly),
}

/// Inline assembly.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// The instructions.
    pub template: String,
    /// Outputs and inputs, in the order of the text.
    pub operands: Vec<AssemblyOperand>,
    /// Where `asm goto` may go.
    pub labels: Vec<String>,
    /// It may change memory that no operand names: it has no operands at all, or says so (`"memory"`), and does more than
    /// to put accesses into an order.
    pub changes_memory: bool,
    /// No instruction does anything with the operands.
    pub is_barrier: bool,
    /// It may call or go to other code.
    pub may_call: bool,
}

/// An operand of inline assembly.
#[derive(Clone, Debug)]
pub struct AssemblyOperand {
    /// `=r`, `+m`, `r` …
    pub constraint: String,
    /// What is handed over, or stored to.
    pub value: Expression,
}

impl Assembly {
    /// Whether instructions name something themselves, not as an operand.
    pub fn names(&self, name: &str) -> bool {
        let mut words = self
            .template
            .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
        words.any(|word| word == name)
    }
}

impl AssemblyOperand {
    /// It is stored to.
    pub fn is_output(&self) -> bool {
        self.constraint.starts_with(['=', '+'])
    }

    /// Its value is used.
    pub fn is_read(&self) -> bool {
        !self.constraint.starts_with('=')
    }

    /// Instructions may be given its address.
    pub fn in_memory(&self) -> bool {
        self.constraint
            .contains(['m', 'o', 'V', 'g', 'X', '<', '>', 'Q'])
    }
}

/// What stands before the first `;` of a `for`.
#[derive(Clone, Debug)]
pub enum ForStart {
    /// Nothing.
    Nothing,
    /// An expression.
    Expression(Expression),
    /// A declaration.
    Declaration(Declaration),
}

/// A label of a statement.
#[derive(Clone, Debug)]
pub enum Label {
    /// `name:`
    Name(String),
    /// `case value:`
    Case(Expression),
    /// `case low ... high:`
    CaseRange(Expression, Expression),
    /// `default:`
    Default,
}

/// A declaration with all its declarators.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// From the first specifier to the `;`.
    pub span: Span,
    /// The same in the user's file.
    pub place: Option<SourceRange>,
    /// What is declared. Empty for a mere `struct s { … };` and for typedefs.
    pub declarators: Vec<Declarator>,
    /// It is a typedef.
    pub is_typedef: bool,
    /// It declares or names a variably modified type, so that it must be executed to be entered.
    pub variably_modified: bool,
    /// The sizes it evaluates (extents of variable-length arrays, `typeof` and `sizeof` operands excluded).
    pub extents: Vec<Expression>,
    /// It also defines a struct, union or enum (so its specifiers cannot be repeated).
    pub defines_type: bool,
}

/// One declared name of a declaration.
#[derive(Clone, Debug)]
pub struct Declarator {
    /// What it declares.
    pub symbol: SymbolId,
    /// The declarator without initialiser.
    pub span: Span,
    /// The same in the user's file.
    pub place: Option<SourceRange>,
    /// What stands after `=`.
    pub initialiser: Option<Initialiser>,
}

/// What stands after `=` in a declaration.
#[derive(Clone, Debug)]
pub enum Initialiser {
    /// An expression.
    Expression(Expression),
    /// Braces.
    List(InitialiserList),
}
