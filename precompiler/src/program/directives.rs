//! Directives of the program's picture. Part of [`model`](super::model).

use super::expression::Expression;
use super::model::{DirectiveId, FunctionId, Program, ScopeId, StatementId, SymbolId};
use super::types::TypeId;
use crate::source::{SourceRange, Span};
pub use cccp_grammar::{Brings, Stands};

/// A directive with everything in it resolved.
#[derive(Clone, Debug)]
pub struct DirectiveUse {
    /// What it says.
    pub directive: Directive,
    /// Its physical lines in the user's file, without the last line's end.
    pub lines: SourceRange,
    /// Number of its first physical line, from 1.
    pub line: usize,
    /// Where it stands in the preprocessed text.
    pub span: Span,
    /// The function around it; `None` for `client` at file scope.
    pub function: Option<FunctionId>,
    /// The statement that stands for it in that function.
    pub statement: Option<StatementId>,
    /// The scope in which its names are looked up.
    pub scope: ScopeId,
    /// `execute on restart` ↔ `end execute`: the other one.
    pub partner: Option<DirectiveId>,
}

/// A clause's C expression.
#[derive(Clone, Debug)]
pub struct ClauseExpression {
    /// Its text as the user wrote it (pragmas are not macro-expanded).
    pub text: String,
    /// Where it stands in the user's file.
    pub place: SourceRange,
    /// Resolved and typed. `None` when it contains macro names or syntax that only the compiler can resolve. Spans
    /// and places in it are those of the directive as a whole.
    pub expression: Option<Box<Expression>>,
    /// The same with its macros expanded, when they are simple; otherwise none.
    pub meant: Option<Box<Expression>>,
    /// The words of its text that are macros.
    pub macros: Vec<String>,
}

/// What a directive says.
#[derive(Clone, Debug)]
pub enum Directive {
    /// `init [comm(EXPR)] [heap(fixed)]`
    Init {
        /// The communicator.
        communicator: Option<ClauseExpression>,
        /// Allocated memory lies at the same addresses in every process, and is saved as it is.
        heap_fixed: bool,
    },
    /// `register(ITEM, …)`
    Register {
        /// In order.
        items: Vec<Item>,
    },
    /// `unregister(NAME, …)`
    Unregister {
        /// Canonical names, like [`Item::name`].
        names: Vec<String>,
    },
    /// `checkpoint [every(EXPR)] [if(EXPR)] [ranks(NUMBERS)] [messages(counted)] [name(IDENT)] [barrier]`
    Checkpoint {
        /// Every n-th call.
        every: Option<ClauseExpression>,
        /// Only when this holds.
        condition: Option<ClauseExpression>,
        /// Only with these numbers of ranks: `1-4, 8, even`.
        ranks: Option<String>,
        /// A restart does not go on from one that a message crosses; the library counts them.
        messages_counted: bool,
        /// Its name.
        name: Option<String>,
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
        /// Functions defined in another file.
        names: Vec<String>,
    },
}

impl Directive {
    /// Before what a thread that stands there would do: `checkpoint barrier`, `checkpoint lock`.
    pub fn stands(&self) -> Option<Stands> {
        match self {
            Directive::Checkpoint { stands, .. } => *stands,
            _ => None,
        }
    }

    /// The expressions in its clauses: the program reads what is in them where it stands. Items have their own.
    pub fn expressions(&self) -> Vec<&ClauseExpression> {
        match self {
            Directive::Init {
                communicator,
                heap_fixed: _,
            } => communicator.iter().collect(),
            Directive::Checkpoint {
                every,
                condition,
                ranks: _,
                messages_counted: _,
                name: _,
                stands: _,
            } => every.iter().chain(condition).collect(),
            Directive::Register { .. }
            | Directive::Unregister { .. }
            | Directive::ExecuteOnRestart { each: _ }
            | Directive::EndExecute
            | Directive::Shutdown
            | Directive::Client { .. } => Vec::new(),
        }
    }

    /// The words in its clauses and items that are macros.
    pub fn macros(&self) -> Vec<String> {
        let items: &[Item] = match self {
            Directive::Register { items } => items,
            _ => &[],
        };
        let of_items = items.iter().flat_map(|item| {
            let extents = item.extents.iter().filter_map(|one| one.written.as_ref());
            extents.chain(&item.lower)
        });
        let clauses = self.expressions().into_iter().chain(of_items);
        let words = clauses.flat_map(|clause| &clause.macros);
        words.cloned().collect()
    }
}

/// How the memory of an item is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemPlace {
    /// A named object or a part of one (`x`, `a[n]` with an array, `s.f`).
    Object,
    /// The memory behind a pointer that is a named object or a part of one (`p[n]`, `s.p[n]`), or that lies in
    /// memory itself (`s->f[n]`). The pointer is [`Item::base_text`].
    BehindPointer,
    /// An object in memory that a pointer points to (`s->f`, `p[3].x`, a flexible array member).
    Indirect,
}

/// An item of a register directive.
#[derive(Clone, Debug)]
pub struct Item {
    /// Canonical name: as written, without white space and without the extents: `u`, `s->f`, `p[3].x`.
    pub name: String,
    /// Where it stands in the user's file.
    pub place: SourceRange,
    /// How its memory is reached.
    pub kind: ItemPlace,
    /// The base without extents as C text: an lvalue. `BehindPointer`: the pointer. Otherwise the object (the array).
    pub base_text: String,
    /// The base, resolved and typed.
    pub base: Option<Box<Expression>>,
    /// The variable the base starts from (`s` in `s->f`).
    pub symbol: SymbolId,
    /// The base is exactly that variable.
    pub is_whole_variable: bool,
    /// Type of one element: what the extents count. Of a whole object: its type with all array dimensions removed.
    pub element: TypeId,
    /// Type of the base lvalue.
    pub base_type: TypeId,
    /// Extents in row-major order as C text: those written, then those that the element's array type adds. Empty: a
    /// single object.
    pub extents: Vec<ItemExtent>,
    /// `lo` of `p[lo:n]`: how many elements of the first dimension are skipped.
    pub lower: Option<ClauseExpression>,
    /// What it brings besides itself: `p[]` and `follow(p)` are the object `p` and blocks of allocated memory.
    pub brings: Brings,
}

/// One extent of an item.
#[derive(Clone, Debug)]
pub struct ItemExtent {
    /// As C text.
    pub text: String,
    /// As written in the directive; `None` when it comes from the array's type.
    pub written: Option<ClauseExpression>,
    /// Its value when it is known.
    pub value: Option<u64>,
}

impl Program {
    /// Whether all allocated memory lies at the same addresses in every process, and is saved as it is: `init heap(fixed)`.
    pub fn has_fixed_heap(&self) -> bool {
        let mut directives = self.units.iter().flat_map(|unit| &unit.directives);
        directives.any(|one| {
            matches!(
                one.directive,
                Directive::Init {
                    heap_fixed: true,
                    ..
                }
            )
        })
    }
}
