//! Typedefs whose names mean something else in some function: `void train(network *network)`.
//!
//! A struct without a tag has no other name than its typedef, and inside of that function nobody can write it. Generated text
//! there speaks of it by a second name, which each file that has it declares before its first function.

use super::model::{Program, ScopeId, SymbolKind, Unit};
use std::collections::{BTreeSet, HashSet};

/// What stands before the second name of a type.
const PREFIX: &str = "cccp_type_named_";

impl Program {
    /// Finds such names in all files: a type is spelt the same in each of them.
    pub(super) fn find_hidden_types(&mut self) {
        let names: BTreeSet<String> = self.units.iter().flat_map(hidden).collect();
        for unit in &mut self.units {
            unit.hidden_types.clone_from(&names);
        }
    }
}

/// Typedefs at file scope whose names are declared once more further in.
fn hidden(unit: &Unit) -> BTreeSet<String> {
    let symbols = unit.symbols.iter();
    let inner = symbols.filter(|one| unit.scopes[one.scope.0].function.is_some());
    let inner: HashSet<&str> = inner.map(|one| one.name.as_str()).collect();
    let names = untagged(unit).filter(|name| inner.contains(name));
    names.map(str::to_string).collect()
}

/// The names of structs, unions and enums that have no tag.
fn untagged(unit: &Unit) -> impl Iterator<Item = &str> {
    let records = unit.records.iter();
    let records = records.map(|one| (one.scope, &one.tag, &one.typedef_name));
    let enumerations = unit.enumerations.iter();
    let all = records.chain(enumerations.map(|one| (one.scope, &one.tag, &one.typedef_name)));
    all.filter(|(scope, tag, _)| *scope == ScopeId(0) && tag.is_none())
        .filter_map(|(_, _, name)| name.as_deref())
}

impl Unit {
    /// The second name of such a type, and the typedef's own name for all others.
    pub(super) fn visible_name(&self, typedef_name: &str) -> String {
        match self.hidden_types.contains(typedef_name) {
            true => format!("{PREFIX}{typedef_name}"),
            false => typedef_name.to_string(),
        }
    }

    /// The declarations of second names that this file needs, and where in the preprocessed text the last of these types has
    /// been declared.
    pub fn second_names(&self) -> Option<(String, usize)> {
        let (mut text, mut last) = (String::new(), 0);
        for name in &self.hidden_types {
            let here = self.symbols.iter().find(|one| {
                one.scope == ScopeId(0) && one.kind == SymbolKind::Typedef && one.name == *name
            });
            if let Some(symbol) = here {
                text.push_str(&format!("typedef {name} {PREFIX}{name}; "));
                last = last.max(symbol.declared.end);
            }
        }
        (!text.is_empty()).then_some((text, last))
    }
}
