//! Blocks that hold a struct with something else behind it: `malloc(sizeof *head + length)`.
//!
//! A block has the type of the pointers that lead to it, so what stands behind the struct would be saved as further
//! structs: text in the place of their pointers would not come back. With a flexible array member the struct itself says
//! what is there.

use std::collections::{BTreeMap, BTreeSet};

use super::proposal::Proposal;
use super::refusal::not_brought_back;
use crate::analysis::Analysed;
use crate::analysis::memory::ObjectKind;
use crate::dataflow::steps::TextPlace;
use crate::program::{
    BinaryOperator, Expression, ExpressionKind, Extent, RecordId, TypeId, TypeKind, Unit,
};

/// Refuses such blocks that live at a checkpoint.
pub(super) fn refuse(facts: &Analysed, proposal: &mut Proposal) {
    let mixed = calls(facts);
    if mixed.is_empty() {
        return;
    }
    let memory = &facts.points_to.memory;
    let mut told: BTreeSet<TextPlace> = BTreeSet::new();
    for live in facts.liveness.checkpoints() {
        for cell in live.everywhere() {
            let object = memory.cells[cell.0 as usize].object;
            let ObjectKind::Heap { call, through, .. } = &memory.objects[object.0 as usize].kind
            else {
                continue;
            };
            for place in std::iter::once(call).chain(through) {
                let Some(name) = mixed.get(place) else {
                    continue;
                };
                if !told.insert(*place) {
                    continue;
                }
                let finding = not_brought_back(
                    facts,
                    *place,
                    "what this call allocates",
                    &format!("a `{name}` with something else behind it"),
                )
                .reason("a block has one type: what is behind the struct would be saved as more of them, and not all of it would come back")
                .help(format!(
                    "give `{name}` a flexible array member for what is behind it (`char text[];`), or allocate that by itself"
                ));
                proposal.findings.push((place.unit, finding));
            }
        }
    }
}

/// Calls with a size of this form, and the structs.
fn calls(facts: &Analysed) -> BTreeMap<TextPlace, String> {
    let mut found = BTreeMap::new();
    for (index, unit) in facts.program.units.iter().enumerate() {
        for function in &unit.functions {
            function.body.walk_expressions(&mut |one| {
                let ExpressionKind::Call { arguments, .. } = &one.kind else {
                    return;
                };
                let record = arguments.iter().find_map(|size| mixed(unit, size));
                if let Some(record) = record {
                    let span = one.span;
                    let place = TextPlace { unit: index, span };
                    found.insert(place, name(unit, record));
                }
            });
        }
    }
    found
}

/// The struct in a sum of its size and something else.
fn mixed(unit: &Unit, size: &Expression) -> Option<RecordId> {
    match &size.kind {
        ExpressionKind::Cast(inner) => mixed(unit, inner),
        ExpressionKind::Binary(BinaryOperator::Add, left, right) => {
            let (left, right) = (records(unit, left), records(unit, right));
            let mut both = left.union(&right).copied();
            let record = both.next()?;
            let is_more = both.next().is_some() || left.is_empty() || right.is_empty();
            (is_more && !is_flexible(unit, record)).then_some(record)
        }
        _ => None,
    }
}

/// Structs whose sizes an expression has in it.
fn records(unit: &Unit, size: &Expression) -> BTreeSet<RecordId> {
    let mut found = BTreeSet::new();
    size.walk(&mut |one| {
        if let ExpressionKind::Unevaluated(Some(of)) = &one.kind
            && let TypeKind::Record(record) = unit.kind(of.ty)
        {
            found.insert(*record);
        }
    });
    found
}

/// Whether the last member is an array that goes on behind the struct. One of one element, as in old C, has that one only.
fn is_flexible(unit: &Unit, record: RecordId) -> bool {
    let last = unit.records[record.0]
        .members
        .as_ref()
        .and_then(|all| all.last());
    let is_open = |ty: TypeId| match unit.kind(ty) {
        TypeKind::Array { extent, .. } => matches!(extent, Extent::Flexible | Extent::Constant(0)),
        _ => false,
    };
    last.is_some_and(|member| is_open(member.ty))
}

fn name(unit: &Unit, record: RecordId) -> String {
    let one = &unit.records[record.0];
    let tag = one.tag.as_ref().map(|tag| format!("struct {tag}"));
    let name = one.typedef_name.clone().or(tag);
    name.unwrap_or_else(|| "struct".to_string())
}
