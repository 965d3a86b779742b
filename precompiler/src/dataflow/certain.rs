//! Conditions that always hold, or never: `if (DEBUG)`.
//!
//! In: the units. Out: the values of variables that nobody ever stores to ([`Settled`]), and whether a condition always
//! holds ([`Settled::truth`]). Such a variable has static storage, is no external one unless the whole program is there,
//! is no volatile, has a constant initialiser or none, and nobody takes its address.
//!
//! ```text
//! enum { DEBUG = 0 };  static int verbose;      if (DEBUG || verbose > 1) …      never
//! ```
//!
//! Errors fall on the side of *not known*.
//!
//! Not here: what becomes of the ways that are never gone (`lowering`).

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::catalog::Catalogue;
use crate::program::{
    Declaration, Expression, ExpressionKind, Initialiser, Program, StatementKind, Storage, Symbol,
    SymbolId, SymbolKind, TypeKind, UnaryOperator, Unit, converted,
};

/// Variables that keep the value they have when the program starts, by unit.
#[derive(Debug, Default)]
pub struct Settled(Vec<HashMap<SymbolId, i128>>);

impl Settled {
    /// Looks at all units.
    pub fn of(program: &Program, catalogue: &Catalogue) -> Settled {
        let is_whole = is_whole(program, catalogue);
        // Of a name with external linkage every unit has a symbol.
        let mut shared: HashMap<&str, Option<i128>> = HashMap::new();
        let mut all = Vec::new();
        for unit in &program.units {
            let values = values(unit);
            let mut settled = HashMap::new();
            for (id, value) in values {
                let symbol = &unit.symbols[id.0];
                match symbol.storage {
                    Storage::Static => {
                        settled.extend(value.map(|value| (id, value)));
                    }
                    _ => {
                        let known = shared.entry(symbol.name.as_str()).or_insert(Some(0));
                        // At most one unit has an initialiser that is not 0; the others say nothing.
                        *known = match (*known, value) {
                            (Some(0), Some(value)) => Some(value),
                            (Some(known), Some(0)) => Some(known),
                            _ => None,
                        };
                    }
                }
            }
            all.push(settled);
        }
        for (unit, settled) in program.units.iter().zip(&mut all) {
            if !is_whole {
                break;
            }
            for (index, symbol) in unit.symbols.iter().enumerate() {
                let is_shared = symbol.kind == SymbolKind::Variable
                    && !matches!(symbol.storage, Storage::Static)
                    && has_static_storage(symbol);
                if let Some(Some(value)) = shared.get(symbol.name.as_str())
                    && is_shared
                {
                    settled.insert(SymbolId(index), *value);
                }
            }
        }
        Settled(all)
    }

    /// Whether a condition always holds, or never.
    pub fn truth(&self, unit: &Unit, number: usize, condition: &Expression) -> Option<bool> {
        self.truth_with(unit, number, condition, &|_| None)
    }

    /// The same where more is known of what memory holds.
    pub fn truth_with(
        &self,
        unit: &Unit,
        number: usize,
        condition: &Expression,
        more: &dyn Fn(&Expression) -> Option<i128>,
    ) -> Option<bool> {
        let known = self.0.get(number)?;
        let of = |one: &Expression| more(one).or_else(|| known.get(&one.symbol()?).copied());
        unit.constant(condition, &mut |one| of(one))
            .map(|value| value != 0)
    }
}

/// Variables with static storage and their first values; none when somebody may store to them.
fn values(unit: &Unit) -> HashMap<SymbolId, Option<i128>> {
    let mut initialised: HashMap<SymbolId, Option<i128>> = HashMap::new();
    let mut named: HashSet<SymbolId> = HashSet::new();
    let mut look = |declaration: &Declaration| {
        for one in &declaration.declarators {
            let found = match &one.initialiser {
                None => continue,
                Some(Initialiser::Expression(expression)) => {
                    unit.constant(expression, &mut |_| None).and_then(|value| {
                        let ty = unit.symbols[one.symbol.0].ty;
                        converted(unit, (value, expression.ty), ty)
                    })
                }
                Some(_) => None,
            };
            initialised.insert(one.symbol, found);
        }
        for expression in declaration.expressions() {
            expression.walk(&mut |inner| {
                if let ExpressionKind::Unary(UnaryOperator::Address, target) = &inner.kind {
                    named.extend(target.symbol());
                }
            });
        }
    };
    unit.globals.iter().for_each(&mut look);
    for function in &unit.functions {
        function.body.walk(&mut |statement| {
            if let StatementKind::Declaration(declaration) = &statement.kind {
                look(declaration);
            }
            true
        });
    }
    // Whatever a directive of OpenMP does with them.
    let pragmas = unit.openmp.iter().map(|one| one.text.as_str());
    let words = pragmas.flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_'));
    let in_pragmas: HashSet<&str> = words.collect();
    let symbols = unit.symbols.iter().enumerate();
    symbols
        .filter(|(_, symbol)| has_static_storage(symbol))
        .map(|(index, symbol)| {
            let id = SymbolId(index);
            let ty = unit.ty(symbol.ty);
            let is_plain = !ty.qualifiers.is_volatile
                && !ty.qualifiers.is_atomic
                && matches!(
                    ty.kind,
                    TypeKind::Integer(_) | TypeKind::Bool | TypeKind::Enum(_)
                );
            let is_left_alone = is_plain
                && !symbol.address_taken
                && !symbol.assigned_after_declaration
                && !named.contains(&id)
                && !in_pragmas.contains(symbol.name.as_str());
            let first = initialised.get(&id).copied().unwrap_or(Some(0));
            (id, first.filter(|_| is_left_alone))
        })
        .collect()
}

fn has_static_storage(symbol: &Symbol) -> bool {
    let is_global = symbol.function.is_none();
    symbol.kind == SymbolKind::Variable
        && match symbol.storage {
            Storage::Static => true,
            Storage::Automatic | Storage::Register => false,
            _ => is_global,
        }
}

/// Whether all code that can name external variables is there: `main`, nothing is called that nobody knows, and no variable
/// is defined elsewhere, which could hold pointers to functions of the program.
pub fn is_whole(program: &Program, catalogue: &Catalogue) -> bool {
    let mut defined: HashSet<&str> = HashSet::new();
    for unit in &program.units {
        defined.extend(unit.functions.iter().map(|one| one.name.as_str()));
    }
    if !defined.contains("main") {
        return false;
    }
    let symbols = program.units.iter().flat_map(|unit| {
        let symbols = unit.symbols.iter();
        symbols.map(move |symbol| (unit, symbol))
    });
    let external = symbols
        .filter(|(_, one)| one.kind == SymbolKind::Variable && one.storage == Storage::External);
    let (ours, others): (Vec<_>, Vec<_>) = external.partition(|(_, one)| one.is_defined);
    defined.extend(ours.iter().map(|(_, one)| one.name.as_str()));
    let unknown = (others.into_iter()).filter(|(unit, one)| {
        !defined.contains(one.name.as_str()) && !unit.file.is_system(one.declared.start)
    });
    // What MPI defines, as `ompi_mpi_comm_world`, holds nothing of the program.
    let mut whole = true;
    let mut headers: HashMap<&str, BTreeSet<u32>> = HashMap::new();
    for (unit, one) in unknown {
        let file = &unit.file;
        let of_mpi = (headers.entry(&file.path)).or_insert_with(|| file.headers_of_mpi());
        let origin = file.origin(one.declared.start);
        whole &= origin.is_some_and(|origin| of_mpi.contains(&origin.file));
    }
    for unit in &program.units {
        let mut look = |expression: &Expression| {
            if let ExpressionKind::Name { name, symbol } = &expression.kind {
                let is_function =
                    symbol.is_none_or(|symbol| unit.symbols[symbol.0].kind == SymbolKind::Function);
                whole &= !is_function
                    || defined.contains(name.as_str())
                    || catalogue.find(name).is_some();
            }
        };
        for function in &unit.functions {
            function.body.walk_expressions(&mut look);
        }
        for declaration in &unit.globals {
            for expression in declaration.expressions() {
                expression.walk(&mut look);
            }
        }
    }
    whole
}
