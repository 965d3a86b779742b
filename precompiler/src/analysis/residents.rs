//! Register directives that nobody has to execute: those right behind the declarations of static locals.
//!
//! In: the program. Out: the directives whose items are registered from `init` on, whether their function is called or
//! not. The one idea: such an object is there all the time, its extents are constants, and whoever names it has passed the
//! directive; so it makes no difference when it is registered, and the function needs no code for it.
//!
//! ```text
//! static long calls;
//! #pragma cccp register(calls)        resident
//! calls++;
//! #pragma cccp register(calls)        executed: blocks that come before it may see another value
//! ```
//!
//! When unsure a directive is executed. Not here: elements behind a pointer (`p[n]`), whose number is known when control
//! comes there.

use std::collections::{BTreeSet, HashSet};

use crate::program::{
    Brings, Directive, DirectiveId, Function, FunctionId, Item, ItemPlace, Program, Statement,
    StatementKind, Storage, SymbolId, SymbolKind, Unit,
};

/// The directives of a program that are resident.
#[derive(Debug, Default)]
pub struct Residents {
    units: Vec<BTreeSet<DirectiveId>>,
}

impl Residents {
    /// Finds them.
    pub fn of(program: &Program) -> Residents {
        let directives = program.units.iter().flat_map(|unit| &unit.directives);
        let ended: HashSet<&str> = directives
            .flat_map(|one| match &one.directive {
                Directive::Unregister { names } => names.as_slice(),
                _ => &[],
            })
            .map(String::as_str)
            .collect();
        let units = program.units.iter();
        Residents {
            units: units.map(|unit| in_unit(unit, &ended)).collect(),
        }
    }

    /// Whether a directive is one.
    pub fn contains(&self, unit: usize, directive: DirectiveId) -> bool {
        let own = self.units.get(unit);
        own.is_some_and(|own| own.contains(&directive))
    }

    /// All of them, with their units.
    pub fn all(&self) -> impl Iterator<Item = (usize, DirectiveId)> {
        let units = self.units.iter().enumerate();
        units.flat_map(|(unit, own)| own.iter().map(move |one| (unit, *one)))
    }
}

fn in_unit(unit: &Unit, ended: &HashSet<&str>) -> BTreeSet<DirectiveId> {
    let mut found = BTreeSet::new();
    for (number, function) in unit.functions.iter().enumerate() {
        let items = items_in(unit, FunctionId(number));
        if items.is_empty() || !function.in_user_file || function.body_open.is_none() {
            continue;
        }
        let is_only_one = |item: &Item| {
            let mut same = items.iter();
            let same = same
                .by_ref()
                .filter(|one| one.name == item.name || one.symbol == item.symbol);
            same.count() == 1
        };
        let fits = |item: &Item| {
            is_static_object(unit, item) && is_only_one(item) && !ended.contains(&*item.name)
        };
        look(unit, function, &fits, &mut found);
    }
    found
}

/// The items that a function registers.
fn items_in(unit: &Unit, function: FunctionId) -> Vec<&Item> {
    let own = unit
        .directives
        .iter()
        .filter(|one| one.function == Some(function));
    own.flat_map(|one| match &one.directive {
        Directive::Register { items } => items.as_slice(),
        _ => &[],
    })
    .collect()
}

/// A whole static local of a size that is known.
fn is_static_object(unit: &Unit, item: &Item) -> bool {
    let symbol = &unit.symbols[item.symbol.0];
    let has_size = item.extents.iter().all(|extent| extent.value.is_some());
    symbol.kind == SymbolKind::Variable
        && symbol.storage == Storage::Static
        && symbol.function.is_some()
        && !symbol.per_thread
        && item.kind == ItemPlace::Object
        && item.is_whole_variable
        && item.lower.is_none()
        && item.brings != Brings::File
        && item.extents.iter().all(|extent| extent.written.is_none())
        && has_size
}

/// Looks through all braces of a function.
fn look(
    unit: &Unit,
    function: &Function,
    fits: &dyn Fn(&Item) -> bool,
    found: &mut BTreeSet<DirectiveId>,
) {
    function.body.walk(&mut |statement| {
        if let StatementKind::Compound { items, .. } = &statement.kind {
            in_order(unit, items, fits, found);
        }
        true
    });
}

/// Nothing is executed between the declaration of what is registered and the directive.
fn in_order(
    unit: &Unit,
    items: &[Statement],
    fits: &dyn Fn(&Item) -> bool,
    found: &mut BTreeSet<DirectiveId>,
) {
    let mut declared: HashSet<SymbolId> = HashSet::new();
    for statement in items {
        match &statement.kind {
            StatementKind::Declaration(declaration) => {
                let is_static = |symbol: SymbolId| {
                    unit.symbols[symbol.0].storage == Storage::Static
                        && unit.symbols[symbol.0].kind == SymbolKind::Variable
                };
                let mut all = declaration.declarators.iter();
                let is_quiet = !declaration.variably_modified
                    && all.all(|one| one.initialiser.is_none() || is_static(one.symbol));
                if !is_quiet {
                    declared.clear();
                    continue;
                }
                let own = declaration.declarators.iter().map(|one| one.symbol);
                declared.extend(own.filter(|symbol| is_static(*symbol)));
            }
            StatementKind::Directive(id) if statement.openmp.is_empty() => {
                let registered = match &unit.directives[id.0].directive {
                    Directive::Register { items } => items.as_slice(),
                    _ => &[],
                };
                let is_resident = !registered.is_empty()
                    && registered
                        .iter()
                        .all(|item| declared.contains(&item.symbol) && fits(item));
                if is_resident {
                    found.insert(*id);
                } else {
                    declared.clear();
                }
            }
            StatementKind::Expression(None) => {}
            _ => declared.clear(),
        }
    }
}
