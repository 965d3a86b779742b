//! What happens in the normal course of the program: blocks are recorded.

use std::rc::Rc;

use crate::registry::{
    BEHIND, Function, INDIRECT, LOCAL, LOCAL_POINTER, Left, NodeId, Register, RegisterId,
};

use crate::memory::{blocks, on_one_stack};

use super::Session;

/// More executions than this on the way deserve a warning (S11).
const MANY: usize = 100_000;

/// An item as the program hands it over.
#[derive(Clone, Debug)]
pub struct Handed {
    /// Number of the item in its function.
    pub item: u32,
    /// Type of one element.
    pub type_index: u32,
    /// Of the object, or of the pointer.
    pub address: usize,
    /// Elements skipped.
    pub first: u64,
    /// Row-major extents.
    pub extents: Vec<u64>,
    /// The extents are known; on restart they may not be.
    pub known: bool,
}

fn begins_block(address: usize) -> bool {
    blocks::length(address).is_some()
}

impl Session {
    /// A register block begins.
    pub fn register_begin(&mut self, node: NodeId, block: u32, counters: Vec<u64>) -> u64 {
        self.look(node);
        self.trace.forget_empty(node, block);
        let sequence = self
            .trace
            .push(node, block, counters, Left::Registers(Vec::new()));
        self.tidy();
        sequence
    }

    /// One item of the register block that began last in this activation.
    pub fn register(&mut self, node: NodeId, sequence: u64, handed: Handed) -> Option<RegisterId> {
        let function: Rc<Function> = self.trace.node(node).function.clone();
        let item = function.items.get(handed.item as usize)?;
        let older = self
            .registers
            .of(node, &item.name)
            .map(|found| (found.id, found.sequence));
        if let Some((id, place)) = older {
            if self.goes_on(id, (node, sequence, place), &handed) {
                return Some(id);
            }
            self.registers.remove(id);
            if place == sequence {
                self.trace.drop_item(node, sequence, id);
            } else {
                self.trace.unregister(node, place, id);
            }
        }
        let last = match item.flags & BEHIND {
            0 => 0,
            _ => self.program.pointer(handed.address),
        };
        let id = self.registers.add(Register {
            id: 0,
            name: item.name.clone(),
            line: item.line,
            flags: item.flags,
            function: function.clone(),
            item: handed.item,
            type_index: handed.type_index,
            address: handed.address,
            floating: None,
            last,
            block: if begins_block(last) { last } else { 0 },
            first: handed.first,
            extents: handed.extents,
            section: self.section,
            node,
            sequence,
        });
        self.trace.add_item(node, sequence, handed.item, id);
        Some(id)
    }

    /// Whether an older register of the same name stays the one that brings the value: another directive names the same variable of
    /// the program once more. Blocks and sizes between the two read it on a restart.
    fn goes_on(
        &self,
        id: RegisterId,
        (node, new, old): (NodeId, u64, u64),
        handed: &Handed,
    ) -> bool {
        let made = &self.trace.node(node).executions;
        let (Some(older), Some(new), Some(old)) =
            (self.registers.get(id), made.get(&new), made.get(&old))
        else {
            return false;
        };
        let function = &older.function;
        let flags = (function.items.get(handed.item as usize)).map_or(u32::MAX, |item| item.flags);
        let is_global = (flags | older.flags) & (LOCAL | LOCAL_POINTER | BEHIND | INDIRECT) == 0;
        is_global
            && (new.block, new.region) != (old.block, old.region)
            && new.region == old.region
            && flags == older.flags
            && (older.address, older.type_index) == (handed.address, handed.type_index)
            && (older.first, &older.extents) == (handed.first, &handed.extents)
    }

    /// Ends the register of this name made by one of these activations (innermost first), or else the youngest one
    /// that a function which has returned left behind. False when there is none.
    pub fn unregister(&mut self, chain: &[NodeId], name: &str) -> bool {
        let found = chain
            .iter()
            .find_map(|&node| self.registers.find(name, |one| one.node == node))
            .or_else(|| self.registers.find(name, |_| true))
            .map(|found| (found.id, found.node, found.sequence));
        let Some((id, node, sequence)) = found else {
            return false;
        };
        self.registers.remove(id);
        self.trace.unregister(node, sequence, id);
        true
    }

    /// An execute block runs.
    pub fn executed(&mut self, node: NodeId, block: u32, counters: Vec<u64>, record: Vec<u8>) {
        self.trace
            .push(node, block, counters, Left::Executed(record));
        self.tidy();
    }

    /// The declaration of a region runs.
    pub fn entered(&mut self, node: NodeId, block: u32, counters: Vec<u64>, record: Vec<u8>) {
        self.trace
            .push(node, block, counters, Left::Entered(record));
        self.tidy();
    }

    /// An activation without a caller begins at this address: those that stood there, or above it, have ended.
    pub fn roots_ended(&mut self, address: usize) {
        self.end_roots(&|frame| frame <= address);
    }

    /// A checkpoint is taken in this activation: those without a caller that stood below it on the stack have ended. Nobody has
    /// said so where a library called them and is through.
    pub fn roots_below_ended(&mut self, innermost: NodeId) {
        if let Some(here) = self.trace.node(innermost).frame {
            self.end_roots(&|frame| frame < here && on_one_stack(here, frame));
        }
    }

    fn end_roots(&mut self, has_ended: &dyn Fn(usize) -> bool) {
        let roots = self.trace.roots.clone();
        for root in roots {
            if self.trace.node(root).frame.is_some_and(has_ended) {
                self.returned(root);
                self.leave(root);
            }
        }
    }

    /// Looks at the pointers of an activation that is still there.
    pub fn look(&mut self, node: NodeId) {
        let program = &self.program;
        self.registers
            .look(node, |address| program.pointer(address), begins_block);
    }

    /// The same for all activations, for the blocks only.
    pub fn look_at_all(&mut self) {
        let program = &self.program;
        self.registers
            .look_at_all(|address| program.pointer(address), begins_block);
    }

    /// The call in progress in this activation has returned.
    pub fn returned(&mut self, caller: NodeId) {
        self.look(caller);
        // A jump out of deeper calls (longjmp) leaves them open.
        let mut due = self.trace.open_callees(caller);
        let mut at = 0;
        while let Some(&open) = due.get(at) {
            due.extend(self.trace.open_callees(open));
            at += 1;
        }
        for &node in due.iter().rev() {
            self.leave(node);
        }
    }

    fn leave(&mut self, node: NodeId) {
        let items: Vec<(u64, RegisterId)> = self
            .trace
            .node(node)
            .executions
            .iter()
            .filter_map(|(&sequence, execution)| match &execution.left {
                Left::Registers(items) => Some((sequence, items)),
                _ => None,
            })
            .flat_map(|(sequence, items)| items.iter().map(move |&(_, id)| (sequence, id)))
            .collect();
        let ids: Vec<RegisterId> = items.iter().map(|&(_, id)| id).collect();
        let ended = self.registers.leave(node, &ids);
        for (sequence, id) in items {
            if ended.contains(&id) {
                self.registers.remove(id);
                self.trace.unregister(node, sequence, id);
            }
        }
        self.trace.drop_empty(node);
        if self.trace.returned(node) {
            let registers = &self.registers;
            let same = |one, other| registers.are_alike(one, other);
            self.trace.forget_between(node, &same);
        }
        self.forget_ended();
    }

    fn tidy(&mut self) {
        self.forget_ended();
        if self.trace.kept() <= MANY || self.warned_growth {
            return;
        }
        self.warned_growth = true;
        let Some((function, block)) = self.trace.most() else {
            return;
        };
        let line = function.block(block).map_or(0, |one| one.line);
        self.say(format!(
            "warning: more than {MANY} blocks are on the way to here; a restart runs them all again. The \
             block at {}:{line} in {} grows; move it out of its loop, or the checkpoint into the loop",
            function.file, function.name
        ));
    }

    fn forget_ended(&mut self) {
        for id in self.trace.ended() {
            self.registers.remove(id);
        }
    }
}
