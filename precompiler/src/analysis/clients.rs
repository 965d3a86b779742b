//! Client functions: those that contain a directive or call a client function, across all files seen together.
//!
//! A register that nobody has to execute ([`Residents`]) is none of these directives.
//!
//! In: the program. Out: for every function whether it is a client, whether a checkpoint or `init` may be reached in
//! it, and what every call may lead to. Calls through pointers may lead to every function whose address is taken somewhere and
//! which takes arguments of the same kinds: programs cast pointers to functions, as in `(int (*)(void *))solve` where `solve` takes a
//! pointer to a struct. When unsure a function is a client: its calls become blocks, nothing gets lost.

use crate::catalog::Catalogue;
use crate::dataflow::steps::Steps;
use crate::program::{
    Directive, DirectiveId, Expression, ExpressionKind, FunctionId, IntegerKind, Program,
    StatementKind, Storage, SymbolKind, TypeId, TypeKind, UnaryOperator, Unit,
};
use crate::solver::rounds;
use std::collections::{BTreeMap, BTreeSet};

use super::residents::Residents;

/// The steps of a program, of which calls of client functions become statements of their own.
pub fn lowered(program: &Program, catalogue: &Catalogue) -> Steps {
    let clients = Clients::of(program);
    let is_client_call =
        |unit: usize, one: &Expression| clients.callee(program, unit, one).is_some();
    Steps::of(program, catalogue, &is_client_call)
}

/// A function definition of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionKey {
    /// Index of its unit.
    pub unit: usize,
    /// Its definition there.
    pub function: FunctionId,
}

/// What a call of a client function leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Callee {
    /// A definition that we see.
    Known(FunctionKey),
    /// Named in a `client` directive.
    Promised(String),
    /// Through a pointer: the functions it may call.
    Pointer(Vec<Target>),
}

/// A function whose address is taken.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// A definition that we see.
    Known(FunctionKey),
    /// One that no file defines.
    Named(String),
}

/// What a function may reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// It contains or reaches a directive.
    pub client: bool,
    /// It contains or reaches a checkpoint.
    pub checkpoint: bool,
    /// It contains or reaches `init`.
    pub init: bool,
    /// It contains or reaches `shutdown`.
    pub shutdown: bool,
}

impl Reach {
    /// What another one reaches, too.
    fn add(&mut self, other: Reach) {
        self.client |= other.client;
        self.checkpoint |= other.checkpoint;
        self.init |= other.init;
        self.shutdown |= other.shutdown;
    }
}

/// The answer for the whole program.
#[derive(Debug, Default)]
pub struct Clients {
    reach: BTreeMap<FunctionKey, Reach>,
    promised: BTreeSet<String>,
    external: BTreeMap<String, FunctionKey>,
    /// Functions whose address is taken, by the [shape](function_shape) of their type.
    pointed_at: BTreeMap<String, BTreeSet<Target>>,
    /// Names of functions whose address is taken, per unit, as far as they are visible there.
    addresses: Vec<BTreeSet<String>>,
    promised_reach: Reach,
    /// All call sites are seen: `main` is here and nothing is promised.
    pub complete: bool,
    /// Registers that nobody has to execute.
    pub residents: Residents,
}

impl Clients {
    /// Finds them.
    pub fn of(program: &Program) -> Clients {
        let mut clients = Clients {
            residents: Residents::of(program),
            ..Clients::default()
        };
        clients.collect_definitions(program);
        for unit in &program.units {
            let mut names = BTreeSet::new();
            for function in &unit.functions {
                function.body.walk_expressions(&mut |expression| {
                    addresses_in(unit, expression, &mut names);
                });
            }
            file_scope_addresses(unit, &mut names);
            clients.addresses.push(names);
        }
        clients.collect_pointed_at(program);
        clients.close(program);
        clients
    }

    fn collect_definitions(&mut self, program: &Program) {
        let mut has_init = false;
        let mut has_main = false;
        for (index, unit) in program.units.iter().enumerate() {
            for (number, function) in unit.functions.iter().enumerate() {
                let key = FunctionKey {
                    unit: index,
                    function: FunctionId(number),
                };
                self.reach.insert(key, Reach::default());
                has_main |= function.name == "main";
                if !function.is_static {
                    self.external.insert(function.name.clone(), key);
                }
            }
            for (number, directive) in unit.directives.iter().enumerate() {
                if self.residents.contains(index, DirectiveId(number)) {
                    continue;
                }
                match &directive.directive {
                    Directive::Client { names } => self.promised.extend(names.iter().cloned()),
                    Directive::Init { .. } => has_init = true,
                    _ => {}
                }
                let Some(function) = directive.function else {
                    continue;
                };
                let reach = self
                    .reach
                    .entry(FunctionKey {
                        unit: index,
                        function,
                    })
                    .or_default();
                reach.client |= !matches!(directive.directive, Directive::Client { .. });
                reach.checkpoint |= matches!(directive.directive, Directive::Checkpoint { .. });
                reach.init |= matches!(directive.directive, Directive::Init { .. });
                reach.shutdown |= matches!(directive.directive, Directive::Shutdown);
            }
        }
        self.promised_reach = Reach {
            client: true,
            checkpoint: true,
            init: !has_init,
            shutdown: true,
        };
        self.complete = has_main && self.promised.is_empty();
    }

    fn collect_pointed_at(&mut self, program: &Program) {
        for (index, unit) in program.units.iter().enumerate() {
            for name in self.addresses[index].clone() {
                let Some(symbol) = unit
                    .symbols
                    .iter()
                    .find(|symbol| symbol.kind == SymbolKind::Function && symbol.name == name)
                else {
                    continue;
                };
                let Some(shape) = function_shape(unit, symbol.ty) else {
                    continue;
                };
                let key = match symbol.definition {
                    Some(function) => Some(FunctionKey {
                        unit: index,
                        function,
                    }),
                    None => self.external.get(&name).copied(),
                };
                self.pointed_at
                    .entry(shape)
                    .or_default()
                    .insert(key.map_or(Target::Named(name), Target::Known));
            }
        }
    }

    fn close(&mut self, program: &Program) {
        rounds(|| {
            let mut changed = false;
            for (index, unit) in program.units.iter().enumerate() {
                for (number, function) in unit.functions.iter().enumerate() {
                    let key = FunctionKey {
                        unit: index,
                        function: FunctionId(number),
                    };
                    let mut reach = self.reach[&key];
                    function.body.walk_expressions(&mut |expression| {
                        if let Some(callee) = self.callee(program, index, expression) {
                            reach.add(self.reach_of(&callee));
                        }
                    });
                    if self.reach[&key] != reach {
                        self.reach.insert(key, reach);
                        changed = true;
                    }
                }
            }
            changed
        });
    }

    /// What a definition reaches.
    pub fn reach(&self, key: FunctionKey) -> Reach {
        self.reach.get(&key).copied().unwrap_or_default()
    }

    /// What a call reaches.
    pub fn reach_of(&self, callee: &Callee) -> Reach {
        match callee {
            Callee::Known(key) => self.reach(*key),
            Callee::Promised(_) => self.promised_reach,
            Callee::Pointer(targets) => {
                let mut all = Reach::default();
                for target in targets {
                    all.add(self.reach_of_target(target));
                }
                all
            }
        }
    }

    /// What a function whose address is taken reaches.
    pub fn reach_of_target(&self, target: &Target) -> Reach {
        match target {
            Target::Known(key) => self.reach(*key),
            Target::Named(name) if self.promised.contains(name) => self.promised_reach,
            Target::Named(_) => Reach::default(),
        }
    }

    /// The client function that a call expression calls; `None` for other calls and other expressions.
    pub fn callee(
        &self,
        program: &Program,
        unit: usize,
        expression: &Expression,
    ) -> Option<Callee> {
        let ExpressionKind::Call { callee, .. } = &expression.kind else {
            return None;
        };
        let picture = &program.units[unit];
        let target = strip(callee);
        if let ExpressionKind::Name { name, symbol } = &target.kind {
            match symbol.map(|symbol| &picture.symbols[symbol.0]) {
                Some(symbol) if symbol.kind == SymbolKind::Function => {
                    let key = symbol
                        .definition
                        .map(|function| FunctionKey { unit, function })
                        .or_else(|| {
                            (symbol.storage != Storage::Static)
                                .then(|| self.external.get(name).copied())
                                .flatten()
                        });
                    return match key {
                        Some(key) if self.reach(key).client => Some(Callee::Known(key)),
                        Some(_) => None,
                        None => self
                            .promised
                            .contains(name)
                            .then(|| Callee::Promised(name.clone())),
                    };
                }
                Some(_) => {}
                None => {
                    return self
                        .promised
                        .contains(name)
                        .then(|| Callee::Promised(name.clone()));
                }
            }
        }
        let targets = self.called_through(&function_shape(picture, target.ty)?);
        let mut reaches = targets.iter().map(|target| self.reach_of_target(target));
        reaches
            .any(|reach| reach.client)
            .then_some(Callee::Pointer(targets))
    }

    /// The functions that a call through a pointer to functions of this shape may call.
    fn called_through(&self, shape: &str) -> Vec<Target> {
        let is_called = |other: &str| shape == UNSPECIFIED || [shape, UNSPECIFIED].contains(&other);
        let all = { self.pointed_at.iter() }.filter(|(other, _)| is_called(other));
        let all: BTreeSet<&Target> = all.flat_map(|(_, targets)| targets).collect();
        all.into_iter().cloned().collect()
    }

    /// The definition of a function that other files can call.
    pub fn external(&self, name: &str) -> Option<FunctionKey> {
        self.external.get(name).copied()
    }

    /// Names of functions whose address a unit takes.
    pub fn addresses(&self, unit: usize) -> &BTreeSet<String> {
        &self.addresses[unit]
    }
}

/// Without casts, `*` and `&` that do not change which function is meant.
fn strip(expression: &Expression) -> &Expression {
    match &expression.kind {
        ExpressionKind::Unary(UnaryOperator::Indirection | UnaryOperator::Address, inner) => {
            strip(inner)
        }
        _ => expression,
    }
}

/// The shape of a function whose parameters are not told (`int f()`): it may be that of any.
const UNSPECIFIED: &str = "?";

/// What a call and a function have to have in common behind any pointers, whatever a cast has made of the type: how arguments are
/// handed over, and the result. The same in all units.
fn function_shape(unit: &Unit, ty: TypeId) -> Option<String> {
    match unit.kind(ty) {
        TypeKind::Pointer(target) => function_shape(unit, *target),
        TypeKind::Function {
            prototype: false, ..
        } => Some(UNSPECIFIED.to_string()),
        TypeKind::Function {
            result, parameters, ..
        } => {
            let result = match unit.kind(*result) {
                TypeKind::Float(_) | TypeKind::Complex(_) | TypeKind::Record(_) => {
                    kind_of_argument(unit, *result)
                }
                _ => String::new(),
            };
            let parameters = parameters.iter().map(|one| kind_of_argument(unit, *one));
            let parameters: Vec<String> = parameters.collect();
            Some(format!("{result}({})", parameters.join(",")))
        }
        _ => None,
    }
}

/// How an argument is handed over: pointers and the integers in which programs keep them are alike.
fn kind_of_argument(unit: &Unit, ty: TypeId) -> String {
    use IntegerKind::*;
    let kind = match unit.kind(ty) {
        TypeKind::Pointer(_)
        | TypeKind::Integer(Long | UnsignedLong | LongLong | UnsignedLongLong) => "word",
        TypeKind::Integer(Int | UnsignedInt) | TypeKind::Enum(_) => "int",
        TypeKind::Integer(Short | UnsignedShort) => "short",
        TypeKind::Integer(Char | SignedChar | UnsignedChar) | TypeKind::Bool => "char",
        _ => return unit.spell(ty, "").unwrap_or_default(),
    };
    kind.to_string()
}

/// Names of functions that are used other than by calling them.
fn addresses_in(unit: &Unit, expression: &Expression, names: &mut BTreeSet<String>) {
    let mut note = |value: &Expression| {
        let value = match &value.kind {
            ExpressionKind::Unary(UnaryOperator::Address | UnaryOperator::Indirection, inner) => {
                inner
            }
            _ => value,
        };
        if let ExpressionKind::Name {
            name,
            symbol: Some(symbol),
        } = &value.kind
            && unit.symbols[symbol.0].kind == SymbolKind::Function
        {
            names.insert(name.clone());
        }
    };
    match &expression.kind {
        ExpressionKind::Call { arguments, .. } => arguments.iter().for_each(note),
        // The whole of an initialiser or of a returned value is visited as an expression of its own.
        ExpressionKind::Name { .. } => {}
        _ => expression.children().into_iter().for_each(&mut note),
    }
}

/// The same for whole expressions: initialisers, returned values, and tables at file scope.
fn file_scope_addresses(unit: &Unit, names: &mut BTreeSet<String>) {
    for function in &unit.functions {
        function.body.walk(&mut |statement| {
            if let StatementKind::Declaration(_) | StatementKind::Return(_) = statement.kind {
                for expression in statement.expressions() {
                    if let ExpressionKind::Name {
                        name,
                        symbol: Some(symbol),
                    } = &expression.kind
                        && unit.symbols[symbol.0].kind == SymbolKind::Function
                    {
                        names.insert(name.clone());
                    }
                }
            }
            true
        });
    }
    // Initialisers outside functions are known by their text only.
    let functions: BTreeSet<&str> = unit
        .symbols
        .iter()
        .filter(|symbol| symbol.kind == SymbolKind::Function)
        .map(|symbol| symbol.name.as_str())
        .collect();
    for symbol in &unit.symbols {
        let Some(fact) = &symbol.initialiser else {
            continue;
        };
        if symbol.function.is_some() {
            continue;
        }
        let text = unit.file.preprocessed_text(fact.span);
        for word in text.split(|character: char| !(character.is_alphanumeric() || character == '_'))
        {
            if functions.contains(word) {
                names.insert(word.to_string());
            }
        }
    }
}
