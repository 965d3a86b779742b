//! From the solution to the answers: objects get their cells, values their sets.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::calls::Caller;
use super::graph::{NodeId, UNSEEN};
use super::instance::ValueNode;
use super::query::{PointsTo, Why};
use super::set::Set;
use super::solver::Solver;
use super::{Scope, names, single};
use crate::analysis::memory::{Cell, CellId, CellSet, Memory, Object, ObjectId, ObjectKind, Shape};
use crate::analysis::unknown::Use;
use crate::dataflow::steps::{Combination, RoutineId, StepKind, TypeRef, VariableId};
use crate::program::TypeKind;
use crate::solver::closure;
use rustc_hash::FxHashMap;

/// Sets of cells, each once.
#[derive(Debug, Default)]
pub struct Pool {
    /// The first one is empty.
    pub sets: Vec<Vec<CellId>>,
    known: FxHashMap<Vec<NodeId>, u32>,
    /// Nodes of which the sets are equal share one.
    by_targets: FxHashMap<Set, u32>,
}

impl Solver<'_> {
    /// Makes the answers.
    pub fn freeze(mut self) -> PointsTo {
        let mut memory = Memory::default();
        for object in 0..self.objects.len() as u32 {
            self.add_cells(object, &mut memory);
        }
        let mut pool = Pool {
            sets: vec![Vec::new()],
            known: FxHashMap::default(),
            by_targets: FxHashMap::default(),
        };
        let contents = self.contents(&memory, &mut pool);
        let mut values = FxHashMap::default();
        let mut sizes = FxHashMap::default();
        for (scope, instances) in self.instances_by_scope() {
            values.insert(scope, self.values(scope, &instances, &memory, &mut pool));
            sizes.insert(scope, self.sizes(scope));
        }
        let is_pointed: CellSet = pool
            .sets
            .iter()
            .flatten()
            .map(|cell| cell.0 as usize)
            .collect();
        let activity = single::Activity::of(&self);
        for object in &mut memory.objects {
            object.is_single = activity.is_single(&self, object, &is_pointed);
            if matches!(object.kind, ObjectKind::Heap { .. }) && !object.is_single {
                // Several blocks that hold one element each.
                let first = object.first.0 as usize;
                let cells = &mut memory.cells[first..first + object.count as usize];
                cells.iter_mut().for_each(|cell| cell.is_many = true);
            }
        }
        let mut escaped = CellSet::with_capacity(memory.cells.len());
        let mut why: FxHashMap<ObjectId, Vec<Why>> = FxHashMap::default();
        for (index, entry) in self.objects.iter().enumerate() {
            let object = &memory.objects[index];
            if entry.is_escaped {
                let first = object.first.0 as usize;
                escaped.insert_range(first..first + object.count as usize);
            }
            let reasons = why.entry(ObjectId(index as u32)).or_default();
            if let Some(collapse) = &entry.collapsed {
                reasons.push(Why::Collapsed {
                    at: collapse.at,
                    used_as: collapse.used_as.clone(),
                });
            }
            if let Some(at) = entry.blurred {
                reasons.push(Why::Arithmetic(at));
            }
            if let ObjectKind::Variable(id) = entry.kind
                && entry.is_escaped
                && self.steps.variables[id.0 as usize].is_shared
            {
                reasons.push(Why::Shared);
            }
        }
        let outside = self.blame(&memory, &mut why);
        let is_closed = outside.is_empty() && self.main().is_some();
        let names = names::of(&self, &memory);
        let variables = self
            .by_kind
            .iter()
            .filter_map(|(kind, id)| match kind {
                ObjectKind::Variable(variable) => Some((*variable, ObjectId(*id))),
                _ => None,
            })
            .collect();
        let mut allocated: FxHashMap<_, Vec<ObjectId>> = FxHashMap::default();
        for (index, object) in memory.objects.iter().enumerate() {
            if let ObjectKind::Heap { routine, call, .. } = object.kind {
                let here = allocated.entry((routine, call)).or_default();
                here.push(ObjectId(index as u32));
            }
        }
        let within = self.copies_within().into_iter();
        let within = within.filter_map(|(at, object, last)| {
            let object = &memory.objects[object as usize];
            let array = object.first.0 + last;
            let mut behind = array + 1..object.first.0 + object.count;
            let holds = |cell: u32| contents.get(cell as usize).is_some_and(|set| *set != 0);
            behind.any(holds).then_some((at, CellId(array)))
        });
        let within = within.collect();
        PointsTo {
            within,
            allocated,
            recursive: activity.recursive(),
            found: RefCell::default(),
            lists: RefCell::default(),
            touched: RefCell::default(),
            behind: RefCell::default(),
            teams: activity.teams(),
            misfits: self.misfits,
            by_kind: self
                .by_kind
                .into_iter()
                .map(|(kind, id)| (kind, ObjectId(id)))
                .collect(),
            escaped_cells: escaped
                .ones()
                .map(|cell| CellId(cell as u32))
                .filter(|cell| cell.0 != 0)
                .collect(),
            memory,
            escaped,
            layouts: self.layouts,
            object_layouts: self.objects.iter().map(|entry| entry.layout).collect(),
            sets: pool.sets,
            values,
            contents,
            sizes,
            variables,
            names,
            why,
            is_closed,
            is_open: self.is_open,
            declared: self.declared,
            unknown_functions: outside,
        }
    }

    /// The cells of an object.
    fn add_cells(&mut self, object: u32, memory: &mut Memory) {
        let entry = self.objects[object as usize].clone();
        let first = CellId(memory.cells.len() as u32);
        let id = ObjectId(object);
        let layout = self.layouts.get(entry.layout);
        let is_one = match entry.kind {
            ObjectKind::Variable(_) | ObjectKind::Function(_) => true,
            ObjectKind::Heap { .. } => matches!(layout.shape, Shape::Array(_, Some(1))),
            _ => false,
        };
        let is_many = !is_one;
        if entry.collapsed.is_some() || layout.leaves.len() <= 1 {
            let leaf = layout.leaves.first();
            let path = match (&entry.kind, leaf) {
                (ObjectKind::Heap { .. } | ObjectKind::Text(_), _) => "[]".to_string(),
                (_, Some(leaf)) if entry.collapsed.is_none() => leaf.path.clone(),
                _ => String::new(),
            };
            let ty = match entry.collapsed {
                Some(_) => None,
                None => self.leaf_types(entry.ty).into_iter().next().flatten(),
            };
            let is_many =
                is_many || entry.collapsed.is_none() && leaf.is_some_and(|leaf| leaf.is_many);
            memory.cells.push(Cell {
                object: id,
                path,
                ty,
                is_many,
            });
        } else {
            let types = self.leaf_types(entry.ty);
            for (index, leaf) in layout.leaves.iter().enumerate() {
                memory.cells.push(Cell {
                    object: id,
                    path: leaf.path.clone(),
                    ty: types.get(index).copied().flatten(),
                    is_many: leaf.is_many,
                });
            }
        }
        memory.objects.push(Object {
            kind: entry.kind,
            ty: entry.ty.filter(|_| entry.collapsed.is_none()),
            first,
            count: memory.cells.len() as u32 - first.0,
            is_single: false,
            is_said: entry.is_said,
            collapsed: entry.collapsed,
        });
    }

    fn leaf_types(&self, ty: Option<TypeRef>) -> Vec<Option<TypeRef>> {
        ty.map(|ty| self.layouts.leaf_types(self.program, ty))
            .unwrap_or_default()
    }

    /// The cell of a target.
    fn cell(&self, memory: &Memory, target: u32) -> CellId {
        let (object, leaf) = self.locate(target);
        let object = &memory.objects[object as usize];
        CellId(object.first.0 + leaf.min(object.count.saturating_sub(1)))
    }

    /// The set of what is in some nodes.
    fn pooled(&self, nodes: impl Iterator<Item = NodeId>, memory: &Memory, pool: &mut Pool) -> u32 {
        let mut roots: Vec<NodeId> = nodes.map(|node| self.graph.find(node)).collect();
        roots.sort_unstable();
        roots.dedup();
        roots.retain(|node| !self.graph.targets(*node).is_empty());
        if roots.is_empty() {
            return 0;
        }
        if let Some(known) = pool.known.get(&roots) {
            return *known;
        }
        let mut all = Set::default();
        for node in &roots {
            all.unite(self.graph.targets(*node));
        }
        if let Some(known) = pool.by_targets.get(&all) {
            pool.known.insert(roots, *known);
            return *known;
        }
        let mut cells: Vec<CellId> = all.iter().map(|target| self.cell(memory, target)).collect();
        cells.sort_unstable();
        cells.dedup();
        let id = pool.sets.len() as u32;
        pool.sets.push(cells);
        pool.known.insert(roots, id);
        pool.by_targets.insert(all, id);
        id
    }

    fn contents(&self, memory: &Memory, pool: &mut Pool) -> Vec<u32> {
        let mut own: FxHashMap<VariableId, Vec<&Vec<NodeId>>> = FxHashMap::default();
        for instance in &self.instances {
            for (variable, nodes) in &instance.own {
                own.entry(*variable).or_default().push(nodes);
            }
        }
        let mut contents = Vec::with_capacity(memory.cells.len());
        for (index, object) in memory.objects.iter().enumerate() {
            for leaf in 0..object.count {
                let node = self.node_of(index as u32, leaf);
                let more = match object.kind {
                    ObjectKind::Variable(id) => own.get(&id).map_or(&[][..], Vec::as_slice),
                    _ => &[],
                };
                let more = more
                    .iter()
                    .filter_map(|nodes| nodes.get(leaf as usize).copied());
                contents.push(self.pooled(more.chain([node]), memory, pool));
            }
        }
        contents
    }

    fn instances_by_scope(&self) -> Vec<(Scope, Vec<usize>)> {
        let mut all: std::collections::BTreeMap<Scope, Vec<usize>> = Default::default();
        for (index, instance) in self.instances.iter().enumerate() {
            all.entry(instance.scope).or_default().push(index);
        }
        all.into_iter().collect()
    }

    fn values(
        &self,
        scope: Scope,
        instances: &[usize],
        memory: &Memory,
        pool: &mut Pool,
    ) -> Vec<u32> {
        let count = self.steps_of(scope).values.len();
        (0..count)
            .map(|value| {
                let nodes = instances.iter().filter_map(|instance| {
                    match self.instances[*instance].values[value] {
                        ValueNode::Node(node) => Some(node),
                        _ => None,
                    }
                });
                self.pooled(nodes, memory, pool)
            })
            .collect()
    }

    /// Sizes in bytes of what values point to, by their types before they became `void *`.
    fn sizes(&mut self, scope: Scope) -> Vec<u32> {
        let routine = self.steps_of(scope);
        let mut sizes = Vec::with_capacity(routine.values.len());
        for value in &routine.values {
            let bits = self.pointee_bits(value.ty);
            sizes.push(bits.map_or(0, |bits| (bits / 8) as u32));
        }
        routine.walk(&mut |step| {
            if let StepKind::Combine {
                from,
                into,
                how: Combination::Cast,
            } = &step.kind
                && let [from] = from[..]
                && sizes[into.0 as usize] == 0
            {
                sizes[into.0 as usize] = sizes[from.0 as usize];
            }
        });
        sizes
    }

    fn pointee_bits(&mut self, ty: TypeRef) -> Option<u64> {
        let unit = &self.program.units[ty.unit];
        let inner = unit.pointee(ty.id)?;
        if matches!(
            unit.kind(inner),
            TypeKind::Void | TypeKind::Unknown | TypeKind::Function { .. }
        ) {
            return None;
        }
        let layout = self.layout(TypeRef { id: inner, ..ty });
        self.layouts.get(layout).size
    }

    /// Which functions that nobody knows are to blame for what escaped.
    fn blame(&self, memory: &Memory, why: &mut FxHashMap<ObjectId, Vec<Why>>) -> Vec<String> {
        let mut handed: BTreeMap<&str, Set> = BTreeMap::new();
        for (site, name) in &self.unknown_sites {
            let all = handed.entry(name.as_str()).or_default();
            let arguments = self.sites[*site as usize].arguments.iter().enumerate();
            let arguments = arguments.filter(|(index, given)| {
                self.takes(Some(name.as_str()), *index, given) == Use::Anything
            });
            for node in arguments.flat_map(|(_, one)| &one.nodes) {
                all.unite(self.graph.targets(*node));
            }
        }
        for (name, targets) in &handed {
            let objects = |targets: &Set, open: &mut Vec<u32>| {
                let seen = targets.iter().filter(|target| *target != UNSEEN);
                open.extend(seen.map(|target| self.locate(target).0));
            };
            let mut first = Vec::new();
            objects(targets, &mut first);
            let all = closure(first, |object, open| {
                for leaf in 0..memory.objects[object as usize].count {
                    objects(self.graph.targets(self.node_of(object, leaf)), open);
                }
            });
            for object in all {
                let reasons = why.entry(ObjectId(object)).or_default();
                reasons.push(Why::MentionedFunction((*name).to_string()));
            }
        }
        handed.keys().map(|name| (*name).to_string()).collect()
    }

    /// Who calls a function.
    pub fn edges(&self) -> impl Iterator<Item = (Caller, Caller)> + '_ {
        self.call_edges.iter().copied()
    }

    /// The function whose name is `main`.
    pub fn main(&self) -> Option<RoutineId> {
        self.steps
            .routine_ids()
            .find(|id| self.routine(*id).name == "main")
    }
}
