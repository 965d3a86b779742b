//! Blocks that hold a struct with something else behind it, `malloc(sizeof *head + length)`, or a table of pointers with what they
//! point to, `malloc(n * sizeof(double *) + n * m * sizeof(double))`.
//!
//! A block has the type of the pointers that point to it, so what stands behind the struct or the table would be saved as more of
//! them: text in the place of their pointers would not come back. With a flexible array member the struct itself says what is there.

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
                let Some(first) = mixed.get(place) else {
                    continue;
                };
                if !told.insert(*place) {
                    continue;
                }
                let finding = not_brought_back(
                    facts,
                    *place,
                    "what this call allocates",
                    &format!("{} with something else behind it", first.words()),
                )
                .reason(format!("a block has one type: what is behind the {} would be saved as more of {}, and not all of it would come back", first.word(), first.more()))
                .help(first.cure());
                proposal.findings.push((place.unit, finding));
            }
        }
    }
}

/// What stands first in a block that holds something else behind it.
#[derive(Clone)]
enum First {
    /// A struct, by its name.
    Struct(String),
    /// Pointers, by their type.
    Table(String),
}

impl First {
    fn word(&self) -> &'static str {
        match self {
            First::Struct(_) => "struct",
            First::Table(_) => "table",
        }
    }

    fn more(&self) -> &'static str {
        match self {
            First::Struct(_) => "them",
            First::Table(_) => "its pointers",
        }
    }

    fn words(&self) -> String {
        match self {
            First::Struct(name) => format!("a `{name}`"),
            First::Table(name) => format!("a table of `{name}`"),
        }
    }

    fn cure(&self) -> String {
        match self {
            First::Struct(name) => format!(
                "give `{name}` a flexible array member for what is behind it (`char text[];`), or allocate that by itself"
            ),
            First::Table(_) => {
                "allocate the table and what it points to each by itself".to_string()
            }
        }
    }
}

/// Calls with a size of this form, and what stands first.
fn calls(facts: &Analysed) -> BTreeMap<TextPlace, First> {
    let mut found = BTreeMap::new();
    for (index, unit) in facts.program.units.iter().enumerate() {
        for function in &unit.functions {
            let sizes = Sizes::of(unit, &function.body);
            function.body.walk_expressions(&mut |one| {
                let ExpressionKind::Call { arguments, .. } = &one.kind else {
                    return;
                };
                let first = arguments.iter().find_map(|size| sizes.mixed(size));
                if let Some(first) = first {
                    let span = one.span;
                    let place = TextPlace { unit: index, span };
                    found.insert(place, first);
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

    /// The struct or the table in a sum of its size and something else.
    fn mixed(&self, size: &'a Expression) -> Option<First> {
        let all = self.sums(size, &mut BTreeSet::new());
        all.iter().find_map(|summands| {
            let parts = summands.iter().map(|one| Part::of(self.unit, one));
            let parts: Vec<Part> = parts.collect();
            let behind_struct = || behind_struct(self.unit, &parts);
            behind_struct().or_else(|| behind_table(self.unit, &parts))
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
            // So many times a sum: how many does not matter.
            ExpressionKind::Binary(BinaryOperator::Multiply, left, right) => {
                let sides = [left, right].map(|side| self.sums(side, seen));
                let is_sum_of_sizes = |all: &Vec<Vec<&Expression>>| {
                    all.iter().any(|summands| {
                        let mut parts = summands.iter().map(|one| Part::of(self.unit, one));
                        summands.len() > 1 && parts.any(|part| !part.types.is_empty())
                    })
                };
                let sum = sides.into_iter().find(is_sum_of_sizes);
                sum.unwrap_or_else(|| vec![vec![size]])
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

/// A summand of a size.
struct Part {
    /// The types whose sizes it has in it.
    types: BTreeSet<TypeId>,
    /// It is the same in every run.
    is_constant: bool,
}

impl Part {
    fn of(unit: &Unit, size: &Expression) -> Part {
        let mut part = Part {
            types: BTreeSet::new(),
            is_constant: true,
        };
        size.walk(&mut |one| match &one.kind {
            ExpressionKind::Unevaluated(Some(of)) if *unit.kind(of.ty) != TypeKind::Unknown => {
                part.types.insert(of.ty);
            }
            ExpressionKind::Name {
                symbol: Some(_), ..
            }
            | ExpressionKind::Call { .. } => part.is_constant = false,
            _ => {}
        });
        part
    }

    fn records<'a>(&'a self, unit: &'a Unit) -> impl Iterator<Item = RecordId> + 'a {
        self.types.iter().filter_map(|ty| match unit.kind(*ty) {
            TypeKind::Record(record) => Some(*record),
            _ => None,
        })
    }
}

/// A struct, and something that is not more of it.
fn behind_struct(unit: &Unit, parts: &[Part]) -> Option<First> {
    let mut all = parts.iter().flat_map(|part| part.records(unit));
    let record = all.next()?;
    let is_more = all.any(|other| other != record)
        || parts.iter().any(|part| part.records(unit).next().is_none());
    (is_more && !is_flexible(unit, record)).then(|| First::Struct(name(unit, record)))
}

/// Pointers, and what holds none. A constant is room to spare.
fn behind_table(unit: &Unit, parts: &[Part]) -> Option<First> {
    let is_pointer = |ty: &&TypeId| matches!(unit.kind(**ty), TypeKind::Pointer(_));
    let mut pointers = parts.iter().flat_map(|part| part.types.iter());
    let table = pointers.find(is_pointer)?;
    let is_other = |part: &Part| {
        let mut types = part.types.iter();
        let is_spare = part.types.is_empty() && part.is_constant;
        !is_spare && !types.any(|ty| unit.holds_pointers(*ty))
    };
    let name = unit.spell_shown(*table);
    let name = name.unwrap_or_else(|_| "void *".to_string());
    parts.iter().any(is_other).then_some(First::Table(name))
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
