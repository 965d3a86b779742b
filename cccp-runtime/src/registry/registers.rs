//! The live registers: items with the places where their values are.
//!
//! In: register and unregister directives. Out: for a checkpoint, each register with its address now. A register
//! belongs to one execution of a register block (`trace`); it lives as long as that execution is kept.
//!
//! The same name in the same activation replaces the older register (S14). When an activation ends, its own objects go;
//! memory behind its pointers stays, at the address the pointer had last.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::descriptor::{BEHIND, INDIRECT, LOCAL, LOCAL_POINTER};
use super::{Function, NodeId, RegisterId};
use rustc_hash::FxHashMap;

/// An item with its type and place.
#[derive(Clone, Debug)]
pub struct Register {
    /// Names it in this run.
    pub id: RegisterId,
    /// Who registered it.
    pub function: Rc<Function>,
    /// Which item of the function.
    pub item: u32,
    /// Its name.
    pub name: String,
    /// Line of the directive.
    pub line: u32,
    /// `CCCP_ITEM_…`.
    pub flags: u32,
    /// Type of one element.
    pub type_index: u32,
    /// Of the object, or of the pointer to it.
    pub address: usize,
    /// Where the memory begins once the pointer is gone.
    pub floating: Option<usize>,
    /// What the pointer was when it was looked at last. When a function has returned it is too late to look: its part
    /// of the stack belongs to others.
    pub last: usize,
    /// Where a block of allocated memory began that the program knows, when the pointer was looked at last; 0: none.
    pub block: usize,
    /// Elements skipped at the start.
    pub first: u64,
    /// Row-major; empty for a single object.
    pub extents: Vec<u64>,
    /// Checkpoints taken before it was made.
    pub section: u64,
    /// The activation that registered it.
    pub node: NodeId,
    /// The execution that registered it.
    pub sequence: u64,
}

impl Register {
    /// How messages call it, or something that it brought, by its name: "register `p` of solve (heat.c:12)".
    pub fn described(&self, name: &str) -> String {
        format!(
            "register `{name}` of {} ({}:{})",
            self.function.name, self.function.file, self.line
        )
    }

    /// How many elements are saved.
    pub fn elements(&self) -> u64 {
        self.extents
            .iter()
            .fold(1, |product, &extent| product.saturating_mul(extent))
    }

    /// Whether it goes when its activation does: a local object, or what only a local pointer points to that nobody sets when
    /// the directive is executed again.
    fn ends_with_its_activation(&self) -> bool {
        self.flags & LOCAL != 0 && (self.flags & BEHIND == 0 || self.flags & INDIRECT != 0)
    }

    /// The pointer points here now: a block that begins here is remembered.
    fn see(&mut self, pointer: usize, is_block: impl Fn(usize) -> bool) {
        if pointer != self.block && is_block(pointer) {
            self.block = pointer;
        }
    }

    /// Whether the address is that of a pointer to the memory.
    pub fn is_behind(&self) -> bool {
        self.flags & BEHIND != 0
    }
}

/// All live registers.
#[derive(Debug, Default)]
pub struct Registers {
    live: BTreeMap<RegisterId, Register>,
    by_name: FxHashMap<NodeId, FxHashMap<String, RegisterId>>,
    /// The registers behind pointers that end with an activation.
    pointers: FxHashMap<NodeId, Vec<RegisterId>>,
    next: RegisterId,
}

impl Registers {
    /// The live registers, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Register> {
        self.live.values()
    }

    /// A number that none of them has; nor have those after it.
    pub fn next(&self) -> RegisterId {
        self.next + 1
    }

    /// One of them.
    pub fn get(&self, id: RegisterId) -> Option<&Register> {
        self.live.get(&id)
    }

    /// The register that an activation has under a name, whichever of its directives made it.
    pub fn of(&self, node: NodeId, name: &str) -> Option<&Register> {
        let id = self.by_name.get(&node)?.get(name)?;
        self.live.get(id)
    }

    /// Adds a register and names it. The older one of the same name in the same activation must have been removed.
    pub fn add(&mut self, mut register: Register) -> RegisterId {
        self.next += 1;
        register.id = self.next;
        let names = self.by_name.entry(register.node).or_default();
        names.insert(register.name.clone(), register.id);
        if register.is_behind() && register.flags & LOCAL_POINTER != 0 {
            self.pointers
                .entry(register.node)
                .or_default()
                .push(register.id);
        }
        self.live.insert(register.id, register);
        self.next
    }

    /// Says how many checkpoints had been taken when a register was made.
    pub fn set_section(&mut self, id: RegisterId, section: u64) {
        if let Some(register) = self.live.get_mut(&id) {
            register.section = section;
        }
    }

    /// Ends a register.
    pub fn remove(&mut self, id: RegisterId) -> Option<Register> {
        let register = self.live.remove(&id)?;
        if let Some(names) = self.by_name.get_mut(&register.node) {
            if names.get(&register.name) == Some(&id) {
                names.remove(&register.name);
            }
            if names.is_empty() {
                self.by_name.remove(&register.node);
            }
        }
        if let Some(list) = self.pointers.get_mut(&register.node) {
            list.retain(|other| *other != id);
        }
        Some(register)
    }

    /// Looks at the pointers of an activation that is still there (`pointer` reads one; `is_block`: whether a known block of
    /// allocated memory begins at an address).
    pub fn look(
        &mut self,
        node: NodeId,
        pointer: impl Fn(usize) -> usize,
        is_block: impl Fn(usize) -> bool,
    ) {
        for id in self.pointers.get(&node).map_or(&[][..], Vec::as_slice) {
            if let Some(register) = self.live.get_mut(id)
                && register.floating.is_none()
            {
                register.last = pointer(register.address);
                register.see(register.last, &is_block);
            }
        }
    }

    /// Looks at the pointers of all activations that are still there, before a checkpoint, for the blocks that they point to.
    pub fn look_at_all(
        &mut self,
        pointer: impl Fn(usize) -> usize,
        is_block: impl Fn(usize) -> bool,
    ) {
        for register in self.live.values_mut() {
            // A pointer that lies in a block may have gone with it.
            let is_there = register.flags & INDIRECT == 0 && register.floating.is_none();
            if register.is_behind() && is_there {
                register.see(pointer(register.address), &is_block);
            }
        }
    }

    /// Whether two registers are of the same variable of the program, by the same directive.
    pub fn are_alike(&self, one: RegisterId, other: RegisterId) -> bool {
        let (Some(one), Some(other)) = (self.live.get(&one), self.live.get(&other)) else {
            return false;
        };
        Rc::ptr_eq(&one.function, &other.function)
            && (one.item, one.flags, other.flags) == (other.item, 0, 0)
            && (one.address, one.type_index) == (other.address, other.type_index)
            && (one.first, &one.extents) == (other.first, &other.extents)
    }

    /// The youngest register with this name that `accept` accepts.
    pub fn find(&self, name: &str, mut accept: impl FnMut(&Register) -> bool) -> Option<&Register> {
        self.live
            .values()
            .rev()
            .find(|register| register.name == name && accept(register))
    }

    /// An activation has ended: gives its registers that end with it; the others keep the address their pointers
    /// had when they were looked at last.
    pub fn leave(&mut self, node: NodeId, items: &[RegisterId]) -> Vec<RegisterId> {
        let mut ended = Vec::new();
        self.pointers.remove(&node);
        for &id in items {
            let Some(register) = self.live.get_mut(&id) else {
                continue;
            };
            if register.node != node {
                continue;
            }
            if register.ends_with_its_activation() {
                ended.push(id);
            } else if register.flags & LOCAL_POINTER != 0 && register.is_behind() {
                register.floating = Some(register.last);
            }
        }
        ended
    }
}
