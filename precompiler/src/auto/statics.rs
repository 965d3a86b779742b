//! Static locals: registered right behind their declarations, where nobody has to execute the directive.
//!
//! In: an item that is wanted. Out: the place behind the declaration of its variable. Not here: which directives are
//! registered from `init` on ([`Residents`](crate::analysis::Residents)).

use super::births;
use super::items::Wanted;
use crate::analysis::Analysed;
use crate::analysis::completeness::Site;
use crate::dataflow::steps::VariableId;
use crate::program::Storage;

/// Where the register of a static local stands that needs no code; none for other items.
pub fn site(facts: &Analysed, item: &Wanted) -> Option<Site> {
    let variable = static_local(facts, item)?;
    let routine = facts.steps.variable(variable).owner?;
    match facts.inits().any(|(holder, _)| holder == routine) {
        // What has to be executed must not stand before `init`.
        true => None,
        false => births::of(facts, variable),
    }
}

/// Whether an item is a static local as a whole, with what it leads to or without.
pub fn is_whole(facts: &Analysed, item: &Wanted) -> bool {
    static_local(facts, item).is_some()
}

fn static_local(facts: &Analysed, item: &Wanted) -> Option<VariableId> {
    let followed = item.text.strip_prefix("follow(");
    let name = match followed.and_then(|rest| rest.strip_suffix(')')) {
        Some(name) => name,
        None => item.text.strip_suffix("[]").unwrap_or(&item.text),
    };
    let one = facts.steps.variable(item.variable?);
    let is_it = one.owner.is_some() && one.storage == Storage::Static && one.name == name;
    is_it.then_some(item.variable).flatten()
}
