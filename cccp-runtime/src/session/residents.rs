//! Static objects of functions that are items from `init` on.
//!
//! In: the objects, with the items that name them. Out: registers that no block of the program makes, and in a restart
//! their values before anything else runs. Each function has one residence in the trace for all of its own. One that the
//! checkpoint does not have keeps what it holds: it is new, as its function is.

use std::collections::HashMap;
use std::rc::Rc;

use crate::registry::Function;
use crate::restore::Stop;

use super::{Handed, Session};

/// A static object that is an item.
#[derive(Clone, Debug)]
pub struct Resident {
    /// The function in which it is declared.
    pub function: Rc<Function>,
    /// Which item of the function.
    pub item: u32,
    /// The object.
    pub address: usize,
}

impl Resident {
    fn handed(&self) -> Result<Handed, Stop> {
        let Function { name, items, .. } = &*self.function;
        let item = items.get(self.item as usize);
        let item = item.ok_or_else(|| format!("{name} has no item {}", self.item))?;
        let refuse = |what: &str| format!("`{}` of {name} {what}", item.name);
        let extents = item.extents.iter().map(|one| one.value).collect();
        let extents: Option<Vec<u64>> = extents;
        Ok(Handed {
            item: self.item,
            type_index: item.type_index.ok_or_else(|| refuse("has no type"))?,
            address: self.address,
            first: 0,
            extents: extents.ok_or_else(|| refuse("has extents that are not constant"))?,
            known: true,
        })
    }
}

impl Session {
    /// Registers them; a restart gives them their values.
    pub fn reside(&mut self, residents: Vec<Resident>) -> Result<(), Stop> {
        let mut functions: Vec<(Rc<Function>, Vec<Resident>)> = Vec::new();
        let mut known: HashMap<*const Function, usize> = HashMap::new();
        for one in residents {
            let at = *known
                .entry(Rc::as_ptr(&one.function))
                .or_insert(functions.len());
            match functions.get_mut(at) {
                Some((_, own)) => own.push(one),
                None => functions.push((Rc::clone(&one.function), vec![one])),
            }
        }
        // In the order of the text, whatever compiler and linker made of it.
        functions.sort_by(|(one, _), (other, _)| {
            (&one.file, one.line, &one.name).cmp(&(&other.file, other.line, &other.name))
        });
        for (function, mut own) in functions {
            own.sort_by_key(|one| one.item);
            self.take_residence(&function, &own)?;
        }
        Ok(())
    }

    fn take_residence(&mut self, function: &Rc<Function>, own: &[Resident]) -> Result<(), Stop> {
        let (node, sequence) = self.trace.residence(Rc::clone(function));
        let links = match &mut self.replay {
            Some(replay) => replay.residence(function)?,
            None => Vec::new(),
        };
        for one in own {
            let handed = one.handed()?;
            let saved = links.iter().find(|link| link.item == one.item);
            match saved.and_then(|link| link.register) {
                Some(id) => self.with_replay(|session, replay| {
                    session.restore(replay, id, node, sequence, handed)
                })?,
                None => {
                    self.register(node, sequence, handed);
                }
            }
        }
        Ok(())
    }
}
