//! Blocks that hold a struct with something else behind it: `malloc(sizeof *head + length)`.
//!
//! A block has the type of the pointers that point to it, so what stands behind the struct would be saved as further
//! structs: text in the place of their pointers would not come back. With a flexible array member the struct itself says
//! what is there.

use std::collections::{BTreeMap, BTreeSet};

use super::proposal::Proposal;
use super::refusal::not_brought_back;
use crate::analysis::Analysed;
use crate::analysis::memory::ObjectKind;
use crate::dataflow::steps::TextPlace;
use crate::program::{
    BinaryOperator, Expression, ExpressionKind, Extent, Initialiser, RecordId, Statement, SymbolId,
    TypeId, TypeKind, Unit,
};

/// Refuses such blocks that live at a checkpoint.
pub(super) fn refuse(facts: &Analysed, proposal: &mut Proposal) {
    // What a block of the fixed heap holds need not be known.
    if facts.program.has_fixed_heap() {
        return;
    }
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
            let sizes = Sizes::of(unit, &function.body);
            function.body.walk_expressions(&mut |one| {
                let ExpressionKind::Call { arguments, .. } = &one.kind else {
                    return;
                };
                let record = arguments.iter().find_map(|size| sizes.mixed(size));
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

/// What the variables of a function are set to, so that a size is seen through the variable that holds it.
struct Sizes<'a> {
    unit: &'a Unit,
    /// By variable: with `=`, and with `+=`.
    set: BTreeMap<SymbolId, Vec<&'a Expression>>,
    added: BTreeMap<SymbolId, Vec<&'a Expression>>,
}

impl<'a> Sizes<'a> {
    fn of(unit: &'a Unit, body: &'a Statement) -> Sizes<'a> {
        let mut sizes = Sizes {
            unit,
            set: BTreeMap::new(),
            added: BTreeMap::new(),
        };
        body.walk_declarations(&mut |declaration| {
            for one in &declaration.declarators {
                if let Some(Initialiser::Expression(value)) = &one.initialiser {
                    sizes.set.entry(one.symbol).or_default().push(value);
                }
            }
        });
        body.walk_expressions(&mut |one| {
            let ExpressionKind::Assign {
                operator,
                target,
                value,
            } = &one.kind
            else {
                return;
            };
            if let ExpressionKind::Name {
                symbol: Some(symbol),
                ..
            } = target.kind
            {
                match operator {
                    None => sizes.set.entry(symbol).or_default().push(value),
                    Some(BinaryOperator::Add) => {
                        sizes.added.entry(symbol).or_default().push(value);
                    }
                    Some(_) => {}
                }
            }
        });
        sizes
    }

    /// The struct in a sum of its size and something else.
    fn mixed(&self, size: &'a Expression) -> Option<RecordId> {
        self.sums(size, &mut BTreeSet::new())
            .iter()
            .find_map(|summands| {
                let parts = summands.iter().map(|one| records(self.unit, one));
                let parts: Vec<BTreeSet<RecordId>> = parts.collect();
                let mut all = parts.iter().flatten();
                let record = *all.next()?;
                let is_more =
                    all.any(|other| *other != record) || parts.iter().any(BTreeSet::is_empty);
                (is_more && !is_flexible(self.unit, record)).then_some(record)
            })
    }

    /// The sums that a size may be: one for each value that a variable in it is set to.
    fn sums(
        &self,
        size: &'a Expression,
        seen: &mut BTreeSet<SymbolId>,
    ) -> Vec<Vec<&'a Expression>> {
        match &size.kind {
            ExpressionKind::Cast(inner) => self.sums(inner, seen),
            ExpressionKind::Binary(BinaryOperator::Add, left, right) => {
                let (left, right) = (self.sums(left, seen), self.sums(right, seen));
                pairs(&left, &right)
            }
            ExpressionKind::Name {
                symbol: Some(symbol),
                ..
            } if self.set.contains_key(symbol) && seen.insert(*symbol) => {
                let mut all: Vec<_> = self.set[symbol]
                    .iter()
                    .flat_map(|value| self.sums(value, seen))
                    .collect();
                for more in self.added.get(symbol).into_iter().flatten() {
                    all = pairs(&all, &self.sums(more, seen));
                }
                seen.remove(symbol);
                all
            }
            _ => vec![vec![size]],
        }
    }
}

/// Every sum of one with every sum of the other. Many are cut short: sizes are set once or twice.
fn pairs<'a>(
    left: &[Vec<&'a Expression>],
    right: &[Vec<&'a Expression>],
) -> Vec<Vec<&'a Expression>> {
    let both = left.iter().flat_map(|one| {
        right
            .iter()
            .map(move |other| one.iter().chain(other).copied().collect())
    });
    both.take(64).collect()
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
