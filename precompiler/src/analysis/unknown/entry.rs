//! The entry of the catalogue for a function of which only the declaration is known: the worst that it allows.
//!
//! `const` counts as a promise, for the memory that it is said of and not for what pointers in there lead to.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::declared::is_only_read;
use super::find::MentionedFunction;
use crate::analysis::handles::named;
use crate::catalog::Catalogue;
use crate::program::{IntegerKind, RecordId, SymbolId, TypeId, TypeKind, Unit};
use crate::source::SourceFile;

/// Words that mean something in an entry.
const WORDS: [&str; 18] = [
    "all",
    "at",
    "cite",
    "count",
    "for",
    "if",
    "in",
    "into",
    "length",
    "max",
    "min",
    "new",
    "null",
    "of",
    "or",
    "size",
    "terminated",
    "until",
];

/// What can be done with an argument.
struct Argument {
    name: String,
    /// Its place as a clause names it: `p`, or `all of p` when there may be pointers behind it.
    place: String,
    /// It can be stored to.
    writable: bool,
    /// Pointers can be stored there.
    takes_pointers: bool,
    /// Nobody stores the pointer.
    is_only_read: bool,
    /// It is a function: which of its parameters are pointers.
    function: Option<Vec<bool>>,
}

/// The entry, with the declaration as a remark above it.
pub(super) fn entry(unit: &Unit, catalogue: &Catalogue, unknown: &MentionedFunction) -> String {
    let types = Types { unit, catalogue };
    let ty = unknown.symbol.map(|symbol| unit.symbols[symbol.0].ty);
    let mut out = String::new();
    let (result, parameters, variadic) = match ty.map(|ty| unit.kind(ty)) {
        Some(TypeKind::Function {
            result,
            parameters,
            variadic,
            prototype,
        }) => {
            if let Some(text) = ty.and_then(|ty| unit.spell(ty, &unknown.name).ok()) {
                let _ = writeln!(
                    out,
                    "# {}",
                    text.split_whitespace().collect::<Vec<_>>().join(" ")
                );
            }
            if *prototype || unknown.arguments.is_empty() {
                (*result, parameters.clone(), *variadic)
            } else {
                let _ = writeln!(
                    out,
                    "# declared without parameters: these are those of its first call"
                );
                (*result, unknown.arguments.clone(), false)
            }
        }
        _ => {
            let _ = writeln!(
                out,
                "# not declared: these are the parameters of its first call"
            );
            (TypeId::UNKNOWN, unknown.arguments.clone(), false)
        }
    };
    let names = names(unit, unknown, parameters.len());
    let arguments: Vec<Argument> = names
        .iter()
        .zip(&parameters)
        .filter_map(|(name, ty)| types.argument(name, *ty))
        .collect();
    let mut list = names;
    if variadic {
        list.push("...".to_string());
    }
    let _ = writeln!(out, "{}({})", unknown.name, list.join(", "));
    clauses(&mut out, &arguments, variadic, types.may_point(result));
    out
}

fn clauses(out: &mut String, arguments: &[Argument], variadic: bool, returns: bool) {
    let memory = || arguments.iter().filter(|one| one.function.is_none());
    let mut reads: Vec<&str> = memory().map(|one| one.place.as_str()).collect();
    let writable = memory().filter(|one| one.writable);
    let mut writes: Vec<&str> = writable.map(|one| one.place.as_str()).collect();
    let stored = || arguments.iter().filter(|one| !one.is_only_read);
    let mut kept: Vec<&str> = stored().map(|one| one.name.as_str()).collect();
    if variadic {
        reads.push("all of ...");
        writes.push("all of ...");
        kept.push("...");
    }
    reads.push("@escaped");
    writes.push("@escaped");
    // Pointers that it can lay hands on; those that it stores.
    let hands = |is_stored: bool| {
        let taken = arguments
            .iter()
            .filter(|one| !is_stored || !one.is_only_read);
        let mut hands: Vec<String> = taken
            .map(|one| match one.function {
                Some(_) => one.name.clone(),
                None => format!("into {}", one.place),
            })
            .collect();
        if variadic {
            hands.push("into all of ...".to_string());
        }
        hands.extend(["into @escaped", "new", "null"].map(String::from));
        hands.join(" or ")
    };
    let (stores, hands) = (hands(true), hands(false));
    let _ = writeln!(
        out,
        "    reads {}\n    writes {}",
        reads.join(", "),
        writes.join(", ")
    );
    let targets = memory().filter(|one| one.takes_pointers);
    let targets: Vec<&str> = targets.map(|one| one.place.as_str()).collect();
    if !targets.is_empty() {
        let _ = writeln!(out, "    stores {stores} in {}", targets.join(", "));
    }
    if !kept.is_empty() {
        let _ = writeln!(out, "    keeps {} in @escaped", kept.join(", "));
    }
    for one in arguments {
        if let Some(parameters) = &one.function {
            let given = |pointer: &bool| if *pointer { hands.as_str() } else { "_" };
            let given: Vec<&str> = parameters.iter().map(given).collect();
            let _ = writeln!(out, "    calls {}({})", one.name, given.join(", "));
        }
    }
    if returns {
        let _ = writeln!(out, "    returns {hands}");
    }
}

/// Names for parameters: those of the declaration where it has them.
fn names(unit: &Unit, unknown: &MentionedFunction, count: usize) -> Vec<String> {
    let declared = unknown
        .symbol
        .map_or_else(Vec::new, |symbol| declared_names(unit, symbol, count));
    let mut taken: BTreeSet<String> = BTreeSet::from([unknown.name.clone()]);
    let mut names = Vec::new();
    for number in 0..count {
        let name = declared.get(number).filter(|name| !name.is_empty());
        let mut name = name.map_or_else(|| format!("p{}", number + 1), String::clone);
        while WORDS.contains(&name.as_str()) || !taken.insert(name.clone()) {
            name.push('_');
        }
        names.push(name);
    }
    names
}

/// The names in a prototype: those of the first scope after the function's name.
fn declared_names(unit: &Unit, function: SymbolId, count: usize) -> Vec<String> {
    let function = &unit.symbols[function.0];
    let from = function.declared.end;
    let text = &unit.file.normalised_text()[from..];
    let end = from + text.find([';', '{']).unwrap_or(text.len());
    let scopes = unit.scopes.iter().filter(|scope| {
        scope.parent == Some(function.scope)
            && scope.symbols.len() == count
            && scope.symbols.iter().any(|symbol| {
                let declared = unit.symbols[symbol.0].declared;
                declared.start > from && declared.start < end
            })
    });
    // The parameters come first; a function that is returned has a scope of its own behind them.
    let first = scopes.min_by_key(|scope| {
        let starts = scope.symbols.iter();
        starts
            .map(|symbol| unit.symbols[symbol.0].declared.start)
            .min()
    });
    let symbols = first.map_or(&[][..], |scope| &scope.symbols);
    let names = symbols
        .iter()
        .map(|symbol| unit.symbols[symbol.0].name.clone());
    names.collect()
}

struct Types<'a> {
    unit: &'a Unit,
    catalogue: &'a Catalogue,
}

impl Types<'_> {
    /// `None` for what leads nowhere.
    fn argument(&self, name: &str, ty: TypeId) -> Option<Argument> {
        if !self.may_point(ty) || self.is_handle(ty) {
            return None;
        }
        let target = match self.unit.kind(ty) {
            TypeKind::Pointer(target)
            | TypeKind::Array {
                element: target, ..
            } => Some(*target),
            _ => None,
        };
        let mut argument = Argument {
            name: name.to_string(),
            place: format!("all of {name}"),
            writable: true,
            takes_pointers: true,
            is_only_read: is_only_read(self.unit, ty),
            function: None,
        };
        let Some(target) = target else {
            return Some(argument);
        };
        if let TypeKind::Function { parameters, .. } = self.unit.kind(target) {
            let pointers = parameters.iter().map(|one| self.may_point(*one)).collect();
            argument.function = Some(pointers);
            return Some(argument);
        }
        let deep = self.may_hold(target, &mut BTreeSet::new());
        let bytes = matches!(
            self.unit.kind(target),
            TypeKind::Integer(
                IntegerKind::Char | IntegerKind::SignedChar | IntegerKind::UnsignedChar
            )
        );
        let is_const = self.unit.ty(target).qualifiers.is_const;
        let behind = match self.unit.kind(target) {
            // Bytes of something that is not to be changed.
            TypeKind::Void => !is_const,
            _ => deep,
        };
        argument.writable = !is_const || behind;
        let handle = self.is_handle(target);
        argument.takes_pointers = argument.writable && deep && !handle;
        if !deep && !bytes || bytes && is_const || handle {
            argument.place = name.to_string();
        }
        Some(argument)
    }

    fn is_handle(&self, ty: TypeId) -> bool {
        named(self.catalogue, self.unit, ty).is_some()
    }

    /// Whether a value may be, or contain, a pointer.
    fn may_point(&self, ty: TypeId) -> bool {
        match self.unit.kind(ty) {
            TypeKind::Void => false,
            TypeKind::Array { .. } => true,
            _ => self.may_hold(ty, &mut BTreeSet::new()),
        }
    }

    /// Whether memory of this type may contain pointers.
    fn may_hold(&self, ty: TypeId, seen: &mut BTreeSet<RecordId>) -> bool {
        match self.unit.kind(ty) {
            TypeKind::Pointer(_)
            | TypeKind::Void
            | TypeKind::Unknown
            | TypeKind::Builtin(_)
            | TypeKind::Function { .. } => true,
            TypeKind::Array { element, .. } => self.may_hold(*element, seen),
            TypeKind::Record(id) => {
                let members = &self.unit.records[id.0].members;
                seen.insert(*id)
                    && members
                        .as_ref()
                        .is_none_or(|members| members.iter().any(|one| self.may_hold(one.ty, seen)))
            }
            TypeKind::Bool
            | TypeKind::Integer(_)
            | TypeKind::Float(_)
            | TypeKind::Complex(_)
            | TypeKind::ComplexInteger(_)
            | TypeKind::Enum(_) => false,
        }
    }
}

/// Where a function is declared: the chapter of its entry.
pub(super) fn chapter(file: &SourceFile, unit: &Unit, unknown: &MentionedFunction) -> String {
    let Some(symbol) = unknown.symbol else {
        return "functions that are declared nowhere".to_string();
    };
    let (path, _) = file.origin_text(unit.symbols[symbol.0].declared.start);
    let path: String = path.chars().filter(|c| !c.is_control()).collect();
    path.replace(" #", " ")
}
