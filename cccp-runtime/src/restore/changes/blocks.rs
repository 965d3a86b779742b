//! The blocks of a function, old to new.
//!
//! Calls, blocks that are executed and checkpoints keep their order: they are paired in it, by kind, callee or name, and
//! what they read. Register statements are found by the items they name, wherever they stand; one whose items all have
//! other names now is found by its place between the others.

use super::align::{Partner, align};
use crate::format::{BlockKind, Plan, PlannedBlock, PlannedField};

/// The names of the items of a register block (numbered from 1).
pub fn item_names(plan: &Plan, block: usize) -> Vec<&str> {
    let items = plan
        .items
        .iter()
        .filter(|item| item.block as usize == block);
    items.map(|item| item.name.as_str()).collect()
}

/// What each old block (block 1 at index 0) became: an index into the new ones.
pub fn pair_blocks(old: &Plan, new: &Plan) -> Vec<Partner> {
    if same_outline(old, new) {
        return (0..old.blocks.len()).map(Partner::One).collect();
    }
    let mut pairs = vec![Partner::None; old.blocks.len()];
    let ordered = |plan: &Plan, registers: bool| -> Vec<usize> {
        let kind = |&index: &usize| (plan.blocks[index].kind == BlockKind::Register) == registers;
        (0..plan.blocks.len()).filter(kind).collect()
    };
    let (olds, news) = (ordered(old, false), ordered(new, false));
    let likeness = |i: usize, j: usize| alike(&old.blocks[olds[i]], &new.blocks[news[j]]);
    for (i, partner) in align(olds.len(), news.len(), &likeness)
        .into_iter()
        .enumerate()
    {
        pairs[olds[i]] = through(partner, &news);
    }
    pair_registers(
        old,
        new,
        &ordered(old, true),
        &ordered(new, true),
        &mut pairs,
    );
    pairs
}

/// Whether both have the same blocks with the same items, one by one.
fn same_outline(old: &Plan, new: &Plan) -> bool {
    let blocks = |plan: &Plan| -> Vec<(BlockKind, Option<String>)> {
        let blocks = plan.blocks.iter();
        blocks.map(|one| (one.kind, one.name.clone())).collect()
    };
    let items = |plan: &Plan| -> Vec<(u32, String)> {
        let items = plan.items.iter();
        items.map(|one| (one.block, one.name.clone())).collect()
    };
    blocks(old) == blocks(new) && items(old) == items(new)
}

fn through(partner: Partner, numbers: &[usize]) -> Partner {
    match partner {
        Partner::One(index) => Partner::One(numbers[index]),
        other => other,
    }
}

/// How well two blocks go together that are no register statements.
fn alike(one: &PlannedBlock, other: &PlannedBlock) -> u64 {
    let names = |fields: &[PlannedField]| -> Vec<String> {
        fields.iter().map(|field| field.name.clone()).collect()
    };
    let same_name = u64::from(one.name == other.name);
    if one.kind != other.kind {
        return 0;
    }
    match one.kind {
        BlockKind::Call if same_name == 0 => 0,
        // The name of a checkpoint is for people; its place counts.
        BlockKind::Checkpoint => 2 + same_name,
        _ => 2 + u64::from(names(&one.values) == names(&other.values)),
    }
}

fn pair_registers(old: &Plan, new: &Plan, olds: &[usize], news: &[usize], pairs: &mut [Partner]) {
    let common = |i: usize, j: usize| {
        let theirs = item_names(new, j + 1);
        let ours = item_names(old, i + 1);
        ours.iter().filter(|name| theirs.contains(name)).count() as u64
    };
    // Those that have items in common with each other only.
    let mut taken = Vec::new();
    for &i in olds {
        let mut theirs = news.iter().copied().filter(|&j| common(i, j) > 0);
        if let (Some(j), None) = (theirs.next(), theirs.next())
            && olds.iter().filter(|&&other| common(other, j) > 0).count() == 1
        {
            pairs[i] = Partner::One(j);
            taken.push(j);
        }
    }
    let left: Vec<usize> = olds
        .iter()
        .copied()
        .filter(|&i| pairs[i] == Partner::None)
        .collect();
    let free: Vec<usize> = news
        .iter()
        .copied()
        .filter(|j| !taken.contains(j))
        .collect();
    let likeness = |i: usize, j: usize| common(left[i], free[j]);
    for (i, partner) in align(left.len(), free.len(), &likeness)
        .into_iter()
        .enumerate()
    {
        pairs[left[i]] = through(partner, &free);
    }
    pair_by_place(new, &left, pairs);
}

/// The block of the new program that a block became.
fn partner(pairs: &[Partner], index: usize) -> Option<usize> {
    match pairs[index] {
        Partner::One(new) => Some(new),
        _ => None,
    }
}

/// A register statement that is alone between its neighbours on both sides.
fn pair_by_place(new: &Plan, left: &[usize], pairs: &mut [Partner]) {
    let due: Vec<usize> = left
        .iter()
        .copied()
        .filter(|&i| pairs[i] == Partner::None)
        .collect();
    let gap = |pairs: &[Partner], i: usize| {
        let before = (0..i).rev().find_map(|index| partner(pairs, index));
        let after = (i + 1..pairs.len()).find_map(|index| partner(pairs, index));
        (
            before.map_or(0, |index| index + 1),
            after.unwrap_or(new.blocks.len()),
        )
    };
    let known = pairs.to_vec();
    for &i in &due {
        let (from, to) = gap(&known, i);
        if due
            .iter()
            .any(|&other| other != i && gap(&known, other) == (from, to))
        {
            continue;
        }
        let mut free = (from..to).filter(|&j| {
            new.blocks[j].kind == BlockKind::Register && !known.contains(&Partner::One(j))
        });
        if let (Some(j), None) = (free.next(), free.next()) {
            pairs[i] = Partner::One(j);
        }
    }
}
