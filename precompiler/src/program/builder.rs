//! Builds a [`Unit`] from a syntax tree: the state that grows on the way.
//!
//! One walk in the order of the text. Names are looked up in a stack of scopes, as C does it; types are interned.
//! `declare` handles declarations, `typing` specifiers and declarators, `resolve` expressions, `body` statements,
//! `uses` directives. What cannot be known becomes `Unknown` and never stops the walk.

use std::collections::HashMap;
use std::collections::{BTreeMap, BTreeSet};

use super::arithmetic::Types;
use super::model::{
    Construct, DirectiveUse, Expression, Function, FunctionId, Scope, ScopeId, Storage, Symbol,
    SymbolId, SymbolKind, Unit,
};
use super::types::{EnumId, Enumeration, Qualifiers, Record, RecordId, Type, TypeId, TypeKind};
use crate::diagnostic::Diagnostic;
use crate::directive::Placed;
use crate::source::{SourceFile, SourceRange, Span};
use crate::syntax::tree::{StorageWord, TopLevel, Tree};

/// A struct, union or enum by its tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    Record(RecordId),
    Enum(EnumId),
}

#[derive(Default)]
struct Names {
    scope: usize,
    ordinary: HashMap<String, SymbolId>,
    tags: HashMap<String, Tag>,
}

pub(super) struct Builder<'a> {
    pub file: &'a SourceFile,
    pub placed: &'a [Placed],
    /// Directives of OpenMP.
    pub openmp: Vec<Construct>,
    /// The next directive to be met.
    pub next_directive: usize,
    pub types: Vec<Type>,
    interned: HashMap<Type, TypeId>,
    pub records: Vec<Record>,
    pub enumerations: Vec<Enumeration>,
    /// See [`Unit::vectors`]; none for a name that stands for several types.
    pub vectors: BTreeMap<String, Option<TypeId>>,
    pub symbols: Vec<Symbol>,
    pub scopes: Vec<Scope>,
    stack: Vec<Names>,
    pub functions: Vec<Function>,
    pub directives: Vec<DirectiveUse>,
    pub diagnostics: Vec<Diagnostic>,
    /// The function whose body is walked.
    pub current: Option<FunctionId>,
    /// Statements met in it.
    pub statements: usize,
    /// See [`Unit::type_extents`].
    pub type_extents: Vec<Expression>,
    /// Whether parts of a directive are walked: then all spans and places are this.
    pub within_directive: Option<(Span, SourceRange)>,
}

impl Builder<'_> {
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(id) = self.interned.get(&ty) {
            return *id;
        }
        let id = TypeId(self.types.len());
        self.types.push(ty.clone());
        self.interned.insert(ty, id);
        id
    }

    pub fn plain(&mut self, kind: TypeKind) -> TypeId {
        self.intern(Type {
            kind,
            qualifiers: Qualifiers::default(),
            typedef_name: None,
            library_names: Vec::new(),
        })
    }

    /// What arrays and functions turn into is among the types, too.
    fn add_decayed_types(&mut self) {
        for index in 0..self.types.len() {
            self.decayed(TypeId(index));
        }
    }

    pub fn kind(&self, id: TypeId) -> &TypeKind {
        &self.types[id.0].kind
    }

    pub fn scope(&self) -> ScopeId {
        ScopeId(self.stack.last().map_or(0, |names| names.scope))
    }

    pub fn push_scope(&mut self) -> ScopeId {
        let id = ScopeId(self.scopes.len());
        let parent = (!self.stack.is_empty()).then(|| self.scope());
        self.scopes.push(Scope {
            parent,
            function: self.current,
            symbols: Vec::new(),
        });
        self.stack.push(Names {
            scope: id.0,
            ..Names::default()
        });
        id
    }

    pub fn pop_scope(&mut self) {
        self.stack.pop();
    }

    pub fn lookup(&self, name: &str) -> Option<SymbolId> {
        self.stack
            .iter()
            .rev()
            .find_map(|names| names.ordinary.get(name).copied())
    }

    /// What registers call a variable: by its name, with a number when it hides others of that name, which may have registers, too.
    pub fn registered_name(&self, name: &str, text: &str) -> String {
        let is_variable =
            |symbol: &&SymbolId| matches!(self.symbols[symbol.0].kind, SymbolKind::Variable);
        let all = self
            .stack
            .iter()
            .filter_map(|names| names.ordinary.get(name));
        match (all.filter(is_variable).count(), text.strip_prefix(name)) {
            (count @ 2.., Some(rest)) => format!("{name}@{count}{rest}"),
            _ => text.to_string(),
        }
    }

    /// The name in the innermost scope only.
    pub fn lookup_here(&self, name: &str) -> Option<SymbolId> {
        self.stack
            .last()
            .and_then(|names| names.ordinary.get(name).copied())
    }

    /// All names that can be seen from here.
    pub fn visible_names(&self) -> Vec<&str> {
        self.stack
            .iter()
            .rev()
            .flat_map(|names| names.ordinary.keys().map(String::as_str))
            .collect()
    }

    pub fn find_tag(&self, name: &str, here_only: bool) -> Option<Tag> {
        let here = self.stack.len().saturating_sub(1);
        let first = if here_only { here } else { 0 };
        self.stack[first..]
            .iter()
            .rev()
            .find_map(|names| names.tags.get(name).copied())
    }

    pub fn add_tag(&mut self, name: String, tag: Tag) {
        if let Some(names) = self.stack.last_mut() {
            names.tags.insert(name, tag);
        }
    }

    pub fn add_symbol(&mut self, symbol: Symbol) -> SymbolId {
        let id = SymbolId(self.symbols.len());
        if let Some(names) = self.stack.last_mut() {
            names.ordinary.insert(symbol.name.clone(), id);
        }
        self.scopes[symbol.scope.0].symbols.push(id);
        self.symbols.push(symbol);
        id
    }

    /// A name of the file's scope, from wherever it is.
    pub fn add_to_file(&mut self, symbol: Symbol) {
        let id = SymbolId(self.symbols.len());
        if let Some(names) = self.stack.first_mut() {
            names.ordinary.insert(symbol.name.clone(), id);
        }
        self.scopes[0].symbols.push(id);
        self.symbols.push(symbol);
    }

    pub fn place(&self, span: Span) -> Option<SourceRange> {
        match self.within_directive {
            Some(_) => None,
            None => self.file.place(span),
        }
    }
}

/// The unit of a file: its tree with names and types resolved and the directives in their places.
pub fn build(file: SourceFile, tree: &Tree, placed: &[Placed]) -> (Unit, Vec<Diagnostic>) {
    let mut builder = Builder {
        file: &file,
        placed,
        openmp: Construct::all(&file),
        next_directive: 0,
        types: Vec::new(),
        interned: HashMap::new(),
        records: Vec::new(),
        enumerations: Vec::new(),
        vectors: BTreeMap::new(),
        symbols: Vec::new(),
        scopes: Vec::new(),
        stack: Vec::new(),
        functions: Vec::new(),
        directives: Vec::new(),
        diagnostics: Vec::new(),
        current: None,
        statements: 0,
        type_extents: Vec::new(),
        within_directive: None,
    };
    // Number 0 is `Unknown`, see TypeId::UNKNOWN.
    builder.plain(TypeKind::Unknown);
    builder.push_scope();
    builder.predeclare();
    let mut globals = Vec::new();
    for item in &tree.items {
        match item {
            TopLevel::Declaration(declaration) => {
                builder.file_scope_directives(declaration.span.start);
                let initialised = declaration
                    .declarators
                    .iter()
                    .any(|declarator| declarator.initialiser.is_some());
                let keep = initialised
                    && !declaration
                        .specifiers
                        .storage
                        .contains(&StorageWord::Typedef);
                let declaration = builder.declaration(declaration);
                if keep {
                    globals.push(declaration);
                }
            }
            TopLevel::Function(function) => {
                builder.file_scope_directives(function.span.start);
                builder.function(function);
            }
        }
    }
    builder.file_scope_directives(usize::MAX);
    builder.add_decayed_types();
    let Builder {
        types,
        records,
        enumerations,
        vectors,
        mut symbols,
        scopes,
        functions,
        directives,
        openmp,
        diagnostics,
        mut type_extents,
        ..
    } = builder;
    type_extents.sort_by_key(|extent| extent.span.start);
    let uses_mpi = scopes[0]
        .symbols
        .iter()
        .any(|symbol| symbols[symbol.0].name == "MPI_Init");
    for (index, function) in functions.iter().enumerate() {
        symbols[function.symbol.0].definition = Some(FunctionId(index));
    }
    link_declarations_in_blocks(&scopes, &mut symbols);
    let mut unit = Unit {
        file,
        types,
        records,
        enumerations,
        vectors: { vectors.into_iter() }
            .filter_map(|(name, element)| Some((name, element?)))
            .collect(),
        symbols,
        scopes,
        functions,
        left_out: Vec::new(),
        emptied: Vec::new(),
        globals,
        directives,
        type_extents,
        openmp,
        uses_mpi,
        notes_handles: false,
        hidden_types: BTreeSet::new(),
    };
    super::facts::complete(&mut unit);
    (unit, diagnostics)
}

impl Types for Builder<'_> {
    fn kind_of(&self, ty: TypeId) -> &TypeKind {
        self.kind(ty)
    }

    fn meaning(&self, symbol: SymbolId) -> SymbolKind {
        self.symbols[symbol.0].kind
    }

    fn enumeration(&self, id: EnumId) -> &Enumeration {
        &self.enumerations[id.0]
    }

    fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0]
    }

    fn source(&self) -> &SourceFile {
        self.file
    }
}

/// A function that is declared in a block is the one of that name that the file defines, a static one too (C17 6.2.2, paragraphs 4
/// and 5).
fn link_declarations_in_blocks(scopes: &[Scope], symbols: &mut [Symbol]) {
    let file = scopes[0].symbols.iter().map(|one| &symbols[one.0]);
    let defined = file.filter(|one| one.kind == SymbolKind::Function && one.definition.is_some());
    let defined: HashMap<String, (Option<FunctionId>, Storage)> = defined
        .map(|one| (one.name.clone(), (one.definition, one.storage)))
        .collect();
    for symbol in symbols.iter_mut() {
        let is_open = symbol.kind == SymbolKind::Function && symbol.definition.is_none();
        if let Some((definition, storage)) = defined.get(&symbol.name).filter(|_| is_open) {
            (symbol.definition, symbol.storage) = (*definition, *storage);
        }
    }
}
