//! The trace: what ran on the way, activation by activation.
//!
//! In: blocks as they run. Out: for a checkpoint, everything that a restart has to run again, in the order of time.
//! The one idea: an activation gets a node when its first block leaves something behind, and so do its callers; a call
//! that has returned and left nothing is forgotten. Nodes refer to each other by number, never by reference, so that a
//! deep recursion of the program is no recursion here.
//!
//! When unsure an entry is kept: a restart then runs a block too many of the same kind, never one too few.
//!
//! Not here: what registers hold (`registers`), files (`generation`), the way back (`restore`).

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use super::Function;
use super::superseded::{differing_loop, forgettable};
use rustc_hash::FxHashMap;

/// Names a node.
pub type NodeId = usize;
/// Names a register.
pub type RegisterId = u64;

/// What a block left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Left {
    /// Item numbers with the registers that live.
    Registers(Vec<(u32, RegisterId)>),
    /// The record of an execute block.
    Executed(Vec<u8>),
    /// The record of a region's declaration.
    Entered(Vec<u8>),
    /// A call with the node of the callee.
    Called(NodeId),
}

/// One execution of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// The block.
    pub block: u32,
    /// All counters of the frame when it ran.
    pub counters: Vec<u64>,
    /// The region entry it lies in.
    pub region: Option<u64>,
    /// What it left.
    pub left: Left,
    /// How many executions inside this region entry are kept.
    inside: usize,
    /// Superseded, but needed by executions inside it.
    pub(super) released: bool,
    /// A call that is known to hold executions of blocks with `each`.
    adds_up: bool,
}

/// One activation.
#[derive(Debug)]
pub struct Node {
    /// What runs.
    pub function: Rc<Function>,
    /// Address of its frame; none after the return.
    pub frame: Option<usize>,
    /// The caller's node.
    pub caller: Option<NodeId>,
    /// Copy of its parameters.
    pub arguments: Vec<u8>,
    /// Executions by sequence number.
    pub executions: BTreeMap<u64, Execution>,
    /// Executions of each block, the oldest first.
    pub(super) by_block: FxHashMap<u32, VecDeque<u64>>,
    regions: FxHashMap<u32, u64>,
}

impl Node {
    /// Of an execution of a parallel block: which thread it is.
    pub(super) fn thread(&self, sequence: u64) -> Option<u64> {
        let execution = self.executions.get(&sequence)?;
        self.function.thread(&execution.counters)
    }
}

/// All activations.
#[derive(Debug, Default)]
pub struct Trace {
    pub(super) nodes: FxHashMap<NodeId, Node>,
    next_node: NodeId,
    sequence: u64,
    kept: usize,
    /// Nodes without a caller, in the order of time.
    pub roots: Vec<NodeId>,
    /// Registers whose executions were forgotten since somebody last asked.
    ended: Vec<RegisterId>,
    /// The latest execution of a block that does more than to register.
    executed: u64,
}

impl Trace {
    /// The node with this name.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[&id]
    }

    /// The same, to change it.
    pub fn node_mut(&mut self, id: NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(&id)
    }

    /// The sequence number given last.
    pub fn now(&self) -> u64 {
        self.sequence
    }

    /// The region entry that a block of this activation lies in at present.
    pub fn region_of(&self, id: NodeId, block: u32) -> Option<u64> {
        let node = self.nodes.get(&id)?;
        let region = node.function.block(block)?.region;
        node.regions.get(&region).copied()
    }

    /// Whether executions of a block of this activation are kept.
    pub fn keeps(&self, id: NodeId, block: u32) -> bool {
        let node = self.nodes.get(&id);
        node.and_then(|node| node.by_block.get(&block))
            .is_some_and(|queue| !queue.is_empty())
    }

    /// The callees of the call in progress in this activation, of a parallel region those of all threads.
    pub fn open_callees(&self, id: NodeId) -> Vec<NodeId> {
        let executions = self.nodes.get(&id).map(|node| &node.executions);
        let latest = executions.into_iter().flat_map(|all| all.values().rev());
        let open = latest.map_while(|one| match one.left {
            Left::Called(callee) if self.is_open(callee) => Some(callee),
            _ => None,
        });
        open.collect()
    }

    fn is_open(&self, id: NodeId) -> bool {
        self.nodes.get(&id).is_some_and(|node| node.frame.is_some())
    }

    /// Executions that are kept at present.
    pub fn kept(&self) -> usize {
        self.kept
    }

    /// The block that is on the way most often.
    pub fn most(&self) -> Option<(Rc<Function>, u32)> {
        let mut counts: FxHashMap<(*const Function, u32), (usize, &Rc<Function>)> =
            FxHashMap::default();
        for node in self.nodes.values() {
            for (&block, executions) in &node.by_block {
                let key = (Rc::as_ptr(&node.function), block);
                counts.entry(key).or_insert((0, &node.function)).0 += executions.len();
            }
        }
        let largest = counts.iter().max_by_key(|(_, (count, _))| *count);
        largest.map(|((_, block), (_, function))| (Rc::clone(function), *block))
    }

    /// An activation that has no precompiled caller.
    pub fn root(&mut self, function: Rc<Function>, frame: usize, arguments: Vec<u8>) -> NodeId {
        let id = self.insert(function, frame, None, arguments);
        self.roots.push(id);
        id
    }

    /// What holds the items that a function has from `init` on: the node of no activation, and its only execution, of no
    /// block.
    pub fn residence(&mut self, function: Rc<Function>) -> (NodeId, u64) {
        let arguments = vec![0; function.arguments_size];
        let id = self.root(function, 0, arguments);
        if let Some(node) = self.nodes.get_mut(&id) {
            node.frame = None;
        }
        (
            id,
            self.push(id, 0, Vec::new(), Left::Registers(Vec::new())),
        )
    }

    /// An activation that was called in `block` of `caller`.
    pub fn call(
        &mut self,
        caller: NodeId,
        block: u32,
        counters: Vec<u64>,
        function: Rc<Function>,
        frame: usize,
        arguments: Vec<u8>,
    ) -> NodeId {
        let id = self.insert(function, frame, Some(caller), arguments);
        self.push(caller, block, counters, Left::Called(id));
        id
    }

    fn insert(
        &mut self,
        function: Rc<Function>,
        frame: usize,
        caller: Option<NodeId>,
        arguments: Vec<u8>,
    ) -> NodeId {
        let id = self.next_node;
        self.next_node += 1;
        self.nodes.insert(
            id,
            Node {
                function,
                frame: Some(frame),
                caller,
                arguments,
                executions: BTreeMap::new(),
                by_block: FxHashMap::default(),
                regions: FxHashMap::default(),
            },
        );
        id
    }

    /// A block has run. Earlier executions that nobody can need again are forgotten.
    pub fn push(&mut self, id: NodeId, block: u32, counters: Vec<u64>, left: Left) -> u64 {
        self.forget_old(id, block, &counters, None);
        self.sequence += 1;
        let sequence = self.sequence;
        let Some(node) = self.nodes.get_mut(&id) else {
            return sequence;
        };
        let outer = node.function.block(block).map_or(0, |found| found.region);
        let region = node.regions.get(&outer).copied();
        if let Some(entered) = region.and_then(|region| node.executions.get_mut(&region)) {
            entered.inside += 1;
        }
        if matches!(left, Left::Entered(_)) {
            node.regions.insert(block, sequence);
        }
        if matches!(left, Left::Entered(_) | Left::Executed(_)) {
            self.executed = sequence;
        }
        node.executions.insert(
            sequence,
            Execution {
                block,
                counters,
                region,
                left,
                inside: 0,
                released: false,
                adds_up: false,
            },
        );
        node.by_block.entry(block).or_default().push_back(sequence);
        self.kept += 1;
        sequence
    }

    /// Forgets the latest execution of a register block that registered nothing: older registers of the same variables have stayed.
    pub fn forget_empty(&mut self, id: NodeId, block: u32) {
        let Some(node) = self.nodes.get(&id) else {
            return;
        };
        let latest = node.by_block.get(&block).and_then(|queue| queue.back());
        let is_empty = |one: &&u64| node.executions[one].left == Left::Registers(Vec::new());
        if let Some(&latest) = latest.filter(is_empty) {
            self.forget(id, latest);
        }
    }

    /// Forgets the executions of a block that one with these counters supersedes for good; `latest` is that one when
    /// the trace has it already.
    fn forget_old(&mut self, id: NodeId, block: u32, counters: &[u64], latest: Option<u64>) {
        let mut kept = 0;
        loop {
            let Some(node) = self.nodes.get(&id) else {
                return;
            };
            let Some(&old) = node.by_block.get(&block).and_then(|queue| queue.get(kept)) else {
                return;
            };
            if latest == Some(old)
                || matches!(node.executions[&old].left, Left::Called(callee) if self.is_open(callee))
                || !forgettable(
                    &node.function,
                    block,
                    &node.executions[&old].counters,
                    counters,
                )
            {
                return;
            }
            if node.executions[&old].adds_up {
                kept += 1;
            } else if self.adds_up(node, old) {
                self.note_that_it_adds_up(id, old);
            } else if self.holds_more(node, block, kept) {
                kept += 1;
            } else {
                self.forget(id, old);
            }
        }
    }

    fn note_that_it_adds_up(&mut self, id: NodeId, sequence: u64) {
        let node = self.nodes.get_mut(&id);
        if let Some(execution) = node.and_then(|node| node.executions.get_mut(&sequence)) {
            execution.adds_up = true;
        }
    }

    /// A sequence number for an execution that is put in later.
    pub fn reserve(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }

    /// Puts in an execution of an earlier run, at a reserved place.
    pub fn put(
        &mut self,
        id: NodeId,
        sequence: u64,
        block: u32,
        counters: Vec<u64>,
        region: Option<u64>,
        left: Left,
    ) {
        let Some(node) = self.nodes.get_mut(&id) else {
            return;
        };
        if let Some(entered) = region.and_then(|region| node.executions.get_mut(&region)) {
            entered.inside += 1;
        }
        if matches!(left, Left::Entered(_) | Left::Executed(_)) {
            self.executed = self.executed.max(sequence);
        }
        let execution = Execution {
            block,
            counters,
            region,
            left,
            inside: 0,
            released: false,
            adds_up: false,
        };
        node.executions.insert(sequence, execution);
        let queue = node.by_block.entry(block).or_default();
        let at = queue.partition_point(|&other| other < sequence);
        queue.insert(at, sequence);
        self.kept += 1;
    }

    /// An activation of an earlier run, which has returned; [`Trace::put`] its call.
    pub fn returned_call(
        &mut self,
        caller: NodeId,
        function: Rc<Function>,
        arguments: Vec<u8>,
    ) -> NodeId {
        let id = self.insert(function, 0, Some(caller), arguments);
        if let Some(node) = self.nodes.get_mut(&id) {
            node.frame = None;
        }
        id
    }

    /// Takes an execution out of the trace, with everything below it.
    pub fn forget(&mut self, id: NodeId, sequence: u64) {
        let Some(node) = self.nodes.get_mut(&id) else {
            return;
        };
        let Some(old) = node.executions.get_mut(&sequence) else {
            return;
        };
        let block = old.block;
        if let Some(queue) = node.by_block.get_mut(&block) {
            queue.retain(|&other| other != sequence);
        }
        if old.inside > 0 {
            old.released = true;
            return;
        }
        let Some(old) = node.executions.remove(&sequence) else {
            return;
        };
        self.kept -= 1;
        if node.regions.get(&block) == Some(&sequence) {
            node.regions.remove(&block);
        }
        let region = old.region;
        match old.left {
            Left::Registers(items) => self.ended.extend(items.iter().map(|&(_, id)| id)),
            Left::Called(callee) => self.remove(callee),
            Left::Executed(_) | Left::Entered(_) => {}
        }
        if let Some(region) = region {
            self.leave(id, region);
        }
    }

    /// One execution less lies in a region entry.
    fn leave(&mut self, id: NodeId, region: u64) {
        let Some(entered) = self
            .nodes
            .get_mut(&id)
            .and_then(|node| node.executions.get_mut(&region))
        else {
            return;
        };
        entered.inside = entered.inside.saturating_sub(1);
        if entered.released && entered.inside == 0 {
            self.forget(id, region);
        }
    }

    /// Takes a node and all nodes below it out of the trace.
    fn remove(&mut self, id: NodeId) {
        let mut due = vec![id];
        while let Some(id) = due.pop() {
            let Some(node) = self.nodes.remove(&id) else {
                continue;
            };
            self.kept -= node.executions.len();
            for execution in node.executions.into_values() {
                match execution.left {
                    Left::Registers(items) => self.ended.extend(items.iter().map(|&(_, id)| id)),
                    Left::Called(callee) => due.push(callee),
                    Left::Executed(_) | Left::Entered(_) => {}
                }
            }
        }
    }

    /// Registers whose executions have been forgotten since the last question.
    pub fn ended(&mut self) -> Vec<RegisterId> {
        std::mem::take(&mut self.ended)
    }

    /// A register has ended: its execution goes when it was the last of it.
    pub fn unregister(&mut self, id: NodeId, sequence: u64, register: RegisterId) {
        let Some(execution) = self
            .nodes
            .get_mut(&id)
            .and_then(|node| node.executions.get_mut(&sequence))
        else {
            return;
        };
        if let Left::Registers(items) = &mut execution.left {
            items.retain(|&(_, other)| other != register);
            if items.is_empty() {
                self.forget(id, sequence);
            }
        }
    }

    /// An item of a register block that is running.
    pub fn add_item(&mut self, id: NodeId, sequence: u64, item: u32, register: RegisterId) {
        if let Some(Left::Registers(items)) = self.left(id, sequence) {
            items.push((item, register));
        }
    }

    /// Takes an item out of a register block that is running, which stays even when it is empty.
    pub fn drop_item(&mut self, id: NodeId, sequence: u64, register: RegisterId) {
        if let Some(Left::Registers(items)) = self.left(id, sequence) {
            items.retain(|&(_, other)| other != register);
        }
    }

    fn left(&mut self, id: NodeId, sequence: u64) -> Option<&mut Left> {
        self.nodes
            .get_mut(&id)
            .and_then(|node| node.executions.get_mut(&sequence))
            .map(|execution| &mut execution.left)
    }

    /// Forgets the register blocks of an activation that have no register left.
    pub fn drop_empty(&mut self, id: NodeId) {
        let empty: Vec<u64> = self.nodes.get(&id).map_or(Vec::new(), |node| {
            node.executions
                .iter()
                .filter(|(_, one)| one.left == Left::Registers(Vec::new()))
                .map(|(&sequence, _)| sequence)
                .collect()
        });
        for sequence in empty {
            self.forget(id, sequence);
        }
    }

    /// The innermost activation of this chain has returned. Says whether its node stays.
    pub fn returned(&mut self, id: NodeId) -> bool {
        let Some(node) = self.nodes.get_mut(&id) else {
            return false;
        };
        node.frame = None;
        if !node.executions.is_empty() {
            self.supersede_calls(id);
            return true;
        }
        match node.caller {
            None => {
                self.roots.retain(|&root| root != id);
                self.remove(id);
            }
            Some(caller) => {
                let found = self.nodes.get(&caller).and_then(|node| {
                    node.executions
                        .iter()
                        .rev()
                        .find(|(_, execution)| execution.left == Left::Called(id))
                        .map(|(&sequence, _)| sequence)
                });
                match found {
                    Some(sequence) => self.forget(caller, sequence),
                    None => self.remove(id),
                }
            }
        }
        false
    }

    /// The call of this node is over: it supersedes earlier ones whose registers it made again.
    fn supersede_calls(&mut self, id: NodeId) {
        let Some(caller) = self.nodes.get(&id).and_then(|node| node.caller) else {
            return;
        };
        let found = self.nodes.get(&caller).and_then(|node| {
            let mut latest = node.executions.iter().rev();
            let (sequence, call) = latest.find(|(_, one)| one.left == Left::Called(id))?;
            Some((*sequence, call.block, call.counters.clone()))
        });
        if let Some((sequence, block, counters)) = found {
            self.forget_old(caller, block, &counters, Some(sequence));
        }
    }

    /// The call of this node is over: where it and the two before it did nothing but register the same variables of the program, in one
    /// iteration after the other of the same loop, the one in the middle is forgotten. It would be on the way to the same checkpoints
    /// as the first of them; what runs between the others finds what the first brings. `same` says whether two registers are of the same variable.
    pub fn forget_between(&mut self, id: NodeId, same: &dyn Fn(RegisterId, RegisterId) -> bool) {
        let middle = self.nodes.get(&id).and_then(|node| {
            let caller = node.caller?;
            Some((caller, self.between(caller, id, same)?))
        });
        if let Some((caller, sequence)) = middle {
            self.forget(caller, sequence);
        }
    }

    /// The call before that of `id`, if it is one that [`Trace::forget_between`] means.
    fn between(
        &self,
        caller: NodeId,
        id: NodeId,
        same: &dyn Fn(RegisterId, RegisterId) -> bool,
    ) -> Option<u64> {
        let node = self.nodes.get(&caller)?;
        let mut latest = node.executions.values().rev();
        let block = latest.find(|one| one.left == Left::Called(id))?.block;
        let mut queue = node.by_block.get(&block)?.iter().rev();
        let (last, middle, first) = (*queue.next()?, *queue.next()?, *queue.next()?);
        let execution = |sequence: u64| node.executions.get(&sequence);
        let (a, b, c) = (execution(first)?, execution(middle)?, execution(last)?);
        let differ = |one: &Execution, other: &Execution| {
            differing_loop(&node.function, block, &one.counters, &other.counters)
        };
        let is_between = c.left == Left::Called(id)
            && first > self.executed
            && (a.region, a.inside, b.inside) == (b.region, 0, 0)
            && b.region == c.region
            && differ(a, b).is_some()
            && differ(a, b) == differ(b, c)
            && self.are_alike(a, b, same)
            && self.are_alike(b, c, same);
        is_between.then_some(middle)
    }

    /// Whether two calls that are over left nothing behind but registers of the same variables.
    fn are_alike(
        &self,
        one: &Execution,
        other: &Execution,
        same: &dyn Fn(RegisterId, RegisterId) -> bool,
    ) -> bool {
        let mut due = vec![(one, other)];
        let mut looked = 0;
        while let Some((one, other)) = due.pop() {
            looked += 1;
            match (&one.left, &other.left) {
                _ if one.block != other.block || looked > ALIKE => return false,
                (Left::Registers(here), Left::Registers(there)) => {
                    let is_same = |(here, there): (&(u32, RegisterId), &(u32, RegisterId))| {
                        here.0 == there.0 && same(here.1, there.1)
                    };
                    if here.len() != there.len() || !here.iter().zip(there).all(is_same) {
                        return false;
                    }
                }
                (Left::Called(here), Left::Called(there)) => {
                    let nodes = (self.nodes.get(here), self.nodes.get(there));
                    let (Some(here), Some(there)) = nodes else {
                        return false;
                    };
                    let is_over = here.frame.is_none() && there.frame.is_none();
                    let is_same = Rc::ptr_eq(&here.function, &there.function)
                        && here.executions.len() == there.executions.len();
                    if !is_over || !is_same {
                        return false;
                    }
                    due.extend(here.executions.values().zip(there.executions.values()));
                }
                _ => return false,
            }
        }
        true
    }
}

/// Calls with more executions in them are not compared.
const ALIKE: usize = 64;
