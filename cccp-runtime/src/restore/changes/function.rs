//! A function, then and now.
//!
//! In: its plan in the checkpoint, how the trace uses it, and the function of the program. Out: rows, and what blocks,
//! items and counters became. What was not on the way may have changed in any way; what was must be found again without
//! doubt, and what is new must not stand where control has passed already: a restart would not run it.

use std::collections::{BTreeMap, BTreeSet};

use super::align::Partner;
use super::blocks::pair_blocks;
use super::items::placed;
use super::row::Row;
use super::usage::Usage;
use crate::format::{
    self, BlockKind, Checkpoint, Layout, Plan, PlannedField, Register, differences,
};
use crate::registry::{Function, TypeTable};

/// What a function's blocks and items became.
#[derive(Debug, Default)]
pub struct FunctionChange {
    /// All differences.
    pub rows: Vec<Row>,
    /// Blocks, old to new, both from 1.
    pub blocks: BTreeMap<u32, u32>,
    /// Items, old to new, both from 0.
    pub items: BTreeMap<u32, u32>,
    /// Counters of the frame, old to new.
    pub counters: BTreeMap<usize, usize>,
    /// New items with their (new) blocks.
    pub fresh: Vec<(u32, u32)>,
    /// Registers with more elements now: their extents.
    pub grown: Vec<(u64, Vec<u64>)>,
}

/// Both sides of a function.
pub(super) struct Sides<'a> {
    pub(super) checkpoint: &'a Checkpoint,
    pub(super) types: &'a TypeTable,
    pub(super) saved: &'a format::Function,
    pub(super) plan: &'a Plan,
    pub(super) usage: Usage,
    pub(super) function: &'a Function,
    pub(super) now: Plan,
}

/// Blocks in words.
fn title(kind: BlockKind, name: Option<&String>) -> String {
    match (kind, name) {
        (BlockKind::Init, _) => "init".to_string(),
        (BlockKind::Register, _) => "register statement".to_string(),
        (BlockKind::Execute, _) => "block that is executed on restart".to_string(),
        (BlockKind::Call, Some(name)) => format!("call of {name}"),
        (BlockKind::Call, None) => "call through a pointer".to_string(),
        (BlockKind::Region, _) => "declaration of variable length".to_string(),
        (BlockKind::Checkpoint, Some(name)) => format!("checkpoint `{name}`"),
        (BlockKind::Checkpoint, None) => "checkpoint".to_string(),
        (BlockKind::Parallel, _) => "parallel region".to_string(),
    }
}

impl<'a> Sides<'a> {
    pub(super) fn file(&self) -> Layout<'a> {
        self.checkpoint.layout()
    }

    pub(super) fn program(&self) -> Layout<'a> {
        self.types.layout()
    }

    /// Items of an old block.
    pub(super) fn items_of(&self, block: u32) -> Vec<usize> {
        let items = self.plan.items.iter().enumerate();
        items
            .filter(|(_, item)| item.block == block)
            .map(|(index, _)| index)
            .collect()
    }

    /// Items of a new block.
    pub(super) fn new_items_of(&self, block: u32) -> Vec<usize> {
        let items = self.function.items.iter().enumerate();
        items
            .filter(|(_, item)| item.block == block)
            .map(|(index, _)| index)
            .collect()
    }

    /// The registers that an old item made.
    pub(super) fn registers_of(&self, item: usize) -> Vec<&'a Register> {
        let ids = self.usage.registers.get(&(item as u32));
        let ids = ids.map_or(&[][..], Vec::as_slice);
        let sections = self.checkpoint.sections.iter();
        sections
            .flat_map(|section| &section.registers)
            .filter(|register| ids.contains(&register.id))
            .collect()
    }

    /// Everything that is different.
    pub(super) fn compare(&self) -> FunctionChange {
        let mut change = FunctionChange::default();
        // Where nothing is called again the parameters do not matter.
        if self.usage.blocks.iter().any(|&block| block != 0) {
            self.parameters(&mut change);
        }
        let pairs = pair_blocks(self.plan, &self.now);
        for (index, partner) in pairs.iter().enumerate() {
            if let Partner::One(new) = partner {
                change.blocks.insert(index as u32 + 1, *new as u32 + 1);
            }
        }
        self.loops(&mut change);
        self.order(&mut change);
        for (index, partner) in pairs.iter().enumerate() {
            let number = index as u32 + 1;
            match partner {
                Partner::One(new) => self.pair(number, *new as u32 + 1, &mut change),
                Partner::None => self.removed(number, &mut change),
                Partner::Unsure => self.unsure(number, &mut change),
            }
        }
        self.residents(&mut change);
        let found: BTreeSet<u32> = change.blocks.values().copied().collect();
        for number in 1..=self.now.blocks.len() as u32 {
            if !found.contains(&number) {
                self.added(number, &mut change);
            }
        }
        if change.rows.is_empty() && self.saved.fingerprint != self.function.fingerprint {
            let row = Row::new(
                format!("function {}", self.function.name),
                placed("", &self.saved.file, self.saved.line),
                placed("", &self.function.file, self.function.line),
            );
            let note = "its directives are the same, the code that finds them again is not";
            change.rows.push(row.note(note));
        }
        change
    }

    fn parameters(&self, change: &mut FunctionChange) {
        let (olds, news) = (&self.plan.parameters, &self.now.parameters);
        let same = olds.len() == news.len()
            && olds
                .iter()
                .zip(news)
                .all(|(one, other)| one.name == other.name && self.same_type(one, other));
        if same {
            return;
        }
        let list = |fields: &[PlannedField], types: &[format::Type]| {
            let one = |field: &PlannedField| {
                let kind = types.get(field.type_index as usize);
                format!(
                    "{} {}",
                    kind.map_or("?", |one| one.name.as_str()),
                    field.name
                )
            };
            format!(
                "({})",
                fields.iter().map(one).collect::<Vec<_>>().join(", ")
            )
        };
        let row = Row::new(
            format!("parameters of {}", self.function.name),
            placed(
                &list(olds, &self.checkpoint.types),
                &self.saved.file,
                self.saved.line,
            ),
            placed(
                &list(news, self.types.types()),
                &self.function.file,
                self.function.line,
            ),
        );
        let row = row.never("its calls are made again with the arguments they had");
        change.rows.push(row);
    }

    fn same_type(&self, one: &PlannedField, other: &PlannedField) -> bool {
        let (file, program) = (self.file(), self.program());
        differences(file, one.type_index, program, other.type_index).is_empty()
    }

    fn then(&self, number: u32, text: &str) -> String {
        let line = self.plan.blocks[number as usize - 1].line;
        placed(text, &self.saved.file, line)
    }

    fn new_place(&self, number: u32, text: &str) -> String {
        let line = self.now.blocks[number as usize - 1].line;
        placed(text, &self.function.file, line)
    }

    fn title(&self, number: u32) -> String {
        let block = &self.plan.blocks[number as usize - 1];
        let title = title(block.kind, block.name.as_ref());
        format!("{title} in {}", self.function.name)
    }

    fn names(&self, plan: &Plan, block: u32) -> String {
        let items = plan.items.iter().filter(|item| item.block == block);
        items
            .map(|item| item.name.as_str())
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// A block that is still there.
    fn pair(&self, old: u32, new: u32, change: &mut FunctionChange) {
        let (one, other) = (
            &self.plan.blocks[old as usize - 1],
            &self.now.blocks[new as usize - 1],
        );
        let row = |what: &str, then: &str, now: &str| {
            let what = format!("{what} {}", self.title(old));
            Row::new(what, self.then(old, then), self.new_place(new, now))
        };
        if one.kind == BlockKind::Register {
            self.statement(old, new, change);
        }
        if one.kind == BlockKind::Checkpoint && one.name != other.name {
            let name = |name: &Option<String>| name.clone().unwrap_or_default();
            let renamed = row("name of", &name(&one.name), &name(&other.name));
            change.rows.push(renamed.note("it is taken for the same"));
        }
        let used = self.usage.blocks.contains(&old);
        let region = match one.region {
            0 => Some(0),
            region => change.blocks.get(&region).copied(),
        };
        if used && region != Some(other.region) {
            let around = |region: u32| match region {
                0 => "in no such scope",
                _ => "in the scope of one",
            };
            let scope = row(
                "declarations of variable length around",
                around(one.region),
                around(other.region),
            );
            change
                .rows
                .push(scope.never("the way to it is another one"));
        }
        if matches!(one.kind, BlockKind::Execute | BlockKind::Region) {
            self.values(old, new, used, change);
        }
    }

    /// What a block reads.
    fn values(&self, old: u32, new: u32, used: bool, change: &mut FunctionChange) {
        let (olds, news) = (
            &self.plan.blocks[old as usize - 1].values,
            &self.now.blocks[new as usize - 1].values,
        );
        let known = |field: &PlannedField| {
            let mut same = olds.iter().filter(|one| one.name == field.name);
            same.any(|one| self.same_type(one, field))
        };
        let names = |fields: &[PlannedField]| {
            let names = fields.iter().map(|field| field.name.as_str());
            names.collect::<Vec<_>>().join(", ")
        };
        let missing = news.iter().find(|field| !known(field));
        if missing.is_none() && olds.len() == news.len() {
            return;
        }
        let row = Row::new(
            format!("locals read by {}", self.title(old)),
            self.then(old, &names(olds)),
            self.new_place(new, &names(news)),
        );
        let refused = missing.filter(|_| used).map(|field| {
            format!(
                "the checkpoint does not have the value that `{}` had there",
                field.name
            )
        });
        change.rows.push(row.refused(refused));
    }

    fn removed(&self, number: u32, change: &mut FunctionChange) {
        let block = &self.plan.blocks[number as usize - 1];
        let names = self.names(self.plan, number);
        let what = format!("{} removed", self.title(number));
        let row = Row::new(what, self.then(number, &names), "");
        let used = self.usage.blocks.contains(&number);
        let row = match block.kind {
            BlockKind::Register => row.note("its values are dropped"),
            BlockKind::Checkpoint if self.usage.active.contains(&number) => {
                row.never("the restart ends there")
            }
            _ if used => row.never("it is on the way to the checkpoint"),
            _ => row.note("it is not on the way to the checkpoint"),
        };
        change.rows.push(row);
    }

    fn unsure(&self, number: u32, change: &mut FunctionChange) {
        let names = self.names(self.plan, number);
        let row = Row::new(self.title(number), self.then(number, &names), "several");
        let used = self.usage.blocks.contains(&number);
        let reason = used.then(|| "it is unknown which of them it is".to_string());
        change.rows.push(
            row.refused(reason)
                .note("it is not on the way to the checkpoint"),
        );
    }

    fn added(&self, number: u32, change: &mut FunctionChange) {
        let block = &self.now.blocks[number as usize - 1];
        let what = title(block.kind, block.name.as_ref());
        let what = format!("{what} in {} added", self.function.name);
        let row = Row::new(
            what,
            "",
            self.new_place(number, &self.names(&self.now, number)),
        );
        let row = match block.kind {
            BlockKind::Checkpoint => row.note("the restart does not need it"),
            _ if self.comes_later(number, change) => {
                row.note("it was not yet reached at the checkpoint")
            }
            BlockKind::Register => row.never(
                "the restart would not run it; put what it names into a statement that is there",
            ),
            _ => row.never("the restart would not run it"),
        };
        change.rows.push(row);
    }

    /// Whether control cannot have passed a new block before the checkpoint.
    fn comes_later(&self, number: u32, change: &FunctionChange) -> bool {
        let loops: BTreeSet<usize> = self.function.path(number).into_iter().collect();
        !self.usage.returned
            && self.usage.active.iter().all(|active| {
                change.blocks.get(active).is_some_and(|&active| {
                    let around = self.function.path(active);
                    active < number && around.iter().all(|one| !loops.contains(one))
                })
            })
    }

    /// The order of the register statements among each other.
    fn order(&self, change: &mut FunctionChange) {
        let registers: Vec<(u32, u32)> = change
            .blocks
            .iter()
            .filter(|(old, _)| self.plan.blocks[**old as usize - 1].kind == BlockKind::Register)
            .map(|(&old, &new)| (old, new))
            .collect();
        if registers.iter().map(|(_, new)| new).is_sorted() {
            return;
        }
        let mut sorted = registers.clone();
        sorted.sort_unstable_by_key(|(_, new)| *new);
        let list = |names: Vec<String>| names.join(" | ");
        let then = registers.iter().map(|(old, _)| self.names(self.plan, *old));
        let now = sorted.iter().map(|(_, new)| self.names(&self.now, *new));
        let row = Row::new(
            format!("order of the register statements of {}", self.function.name),
            self.then(registers[0].0, &list(then.collect())),
            self.new_place(sorted[0].1, &list(now.collect())),
        );
        change.rows.push(row.note("they are run in the old order"));
    }

    /// The loops around blocks that are on the way.
    fn loops(&self, change: &mut FunctionChange) {
        let old = |number: u32| path(self.plan, number);
        let new = |number: u32| path(&self.now, number);
        let mut partners: BTreeMap<u32, u32> = BTreeMap::new();
        let mut wrong: BTreeSet<u32> = BTreeSet::new();
        let used = change
            .blocks
            .iter()
            .filter(|(old, _)| self.usage.blocks.contains(old));
        for (&block, &twin) in used {
            let (then, now) = (old(block), new(twin));
            let same = then.len() == now.len()
                && then.iter().zip(&now).all(|(one, other)| {
                    let before = *partners.entry(*one).or_insert(*other);
                    before == *other && self.same_loop(*one, *other, block)
                });
            if !same {
                wrong.insert(block);
            }
        }
        for (old, new) in &partners {
            let counter = |plan: &Plan, number: u32| {
                let found = plan.loops.get(number as usize - 1);
                found.and_then(|one| one.counter)
            };
            if let (Some(old), Some(new)) = (counter(self.plan, *old), counter(&self.now, *new)) {
                change.counters.insert(old as usize, new as usize);
            }
        }
        for block in wrong {
            let twin = change.blocks[&block];
            let loops = |count: usize| match count {
                1 => "1 loop".to_string(),
                count => format!("{count} loops"),
            };
            let row = Row::new(
                format!("loops around {}", self.title(block)),
                self.then(block, &loops(old(block).len())),
                self.new_place(twin, &loops(new(twin).len())),
            );
            change.rows.push(row.never(
                "what ran in them means something else, or was not kept for what follows them",
            ));
        }
    }

    /// Whether two loops count in the same way and keep the same.
    fn same_loop(&self, old: u32, new: u32, block: u32) -> bool {
        let (Some(one), Some(other)) = (
            self.plan.loops.get(old as usize - 1),
            self.now.loops.get(new as usize - 1),
        ) else {
            return false;
        };
        let kept = self.plan.blocks[block as usize - 1].kind == BlockKind::Checkpoint;
        one.counter.is_some() == other.counter.is_some()
            && (kept || !one.prunable || other.prunable)
    }
}

/// The loops around a block, the innermost first.
fn path(plan: &Plan, block: u32) -> Vec<u32> {
    let mut path = Vec::new();
    let found = plan.blocks.get(block as usize - 1);
    let mut number = found.map_or(0, |block| block.in_loop);
    while let Some(one) = plan.loops.get((number as usize).wrapping_sub(1)) {
        if path.len() > plan.loops.len() {
            break;
        }
        path.push(number);
        number = one.parent;
    }
    path
}

/// The functions that only the checkpoint has, in pairs with nothing.
pub(super) fn gone(saved: &format::Function) -> Row {
    Row::new(
        format!("function {}", saved.name),
        placed("", &saved.file, saved.line),
        "",
    )
    .never("it is on the way to the checkpoint")
}
