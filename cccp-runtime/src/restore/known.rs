//! What the program says about the functions and registers of a checkpoint before anything of them runs.
//!
//! In: the functions that the program's files announced. Out: for each function of the checkpoint the program's own, for
//! each register the program's type of an element. A register of another kind of machine has structs that are laid
//! out differently here; only the program knows how. What does not fit, or is not announced, is not known here; that it
//! does not fit is found when its directive runs.

use std::collections::HashMap;
use std::rc::Rc;

use crate::format::{self, Checkpoint, Fit, Payload};
use crate::registry::{Function, TypeTable};

/// The program's functions, by their indices in the checkpoint.
pub(super) fn functions<'f>(
    checkpoint: &Checkpoint,
    announced: impl Iterator<Item = &'f Rc<Function>>,
) -> Vec<Option<Rc<Function>>> {
    let mut named: HashMap<&str, Vec<&Rc<Function>>> = HashMap::new();
    for function in announced {
        named.entry(&function.name).or_default().push(function);
    }
    let own = |saved: &format::Function| {
        let candidates = named.get(saved.name.as_str())?;
        let same_file = || candidates.iter().find(|one| one.file == saved.file);
        match candidates.as_slice() {
            [one] => Some(Rc::clone(one)),
            // Static functions of one name.
            _ => same_file().map(|one| Rc::clone(one)),
        }
    };
    checkpoint.functions.iter().map(own).collect()
}

/// The program's types of registers, by the registers' numbers.
pub(super) fn types(
    checkpoint: &Checkpoint,
    functions: &[Option<Rc<Function>>],
    program_types: &TypeTable,
    fit: Fit,
) -> HashMap<u64, u32> {
    let file = checkpoint.layout();
    let program = program_types.layout();
    let sections = checkpoint.sections.iter();
    let saved: HashMap<u64, (&str, u32)> = sections
        .flat_map(|section| &section.registers)
        .map(|one| (one.id, (one.name.as_str(), one.type_index)))
        .collect();
    let mut known = HashMap::new();
    for node in &checkpoint.trace.nodes {
        let Some(Some(function)) = functions.get(node.function as usize) else {
            continue;
        };
        let links = node.entries.iter().flat_map(|entry| match &entry.payload {
            Payload::Register(links) => links.as_slice(),
            _ => &[],
        });
        for link in links {
            let found = link.register.and_then(|id| {
                let item = function.items.get(link.item as usize)?;
                let type_index = item.type_index?;
                let &(name, saved) = saved.get(&id)?;
                let fits = || format::fits(fit, file, saved, program, type_index).is_ok();
                (item.name == name && fits()).then_some((id, type_index))
            });
            known.extend(found);
        }
    }
    known
}
