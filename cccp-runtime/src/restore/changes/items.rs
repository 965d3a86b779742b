//! The items of a pair of register statements, and what they mean for values.
//!
//! In: two statements that belong together, the registers that the old one made. Out: rows, which old item is which new
//! one, which new ones need memory of their own, and which registers have become longer.

use std::collections::BTreeMap;

use super::function::{FunctionChange, Sides};
use super::row::Row;
use crate::format::{Difference, PlannedExtent, PlannedItem, Register, Subject, differences};
use crate::registry::{BEHIND, INDIRECT, Item, LOCAL, LOCAL_POINTER};

/// `double[10], heat.c:12`.
pub(super) fn described(type_name: &str, extents: &str, file: &str, line: u32) -> String {
    placed(&format!("{type_name}{extents}"), file, line)
}

pub(super) fn placed(text: &str, file: &str, line: u32) -> String {
    match (file, line) {
        ("", _) | (_, 0) => text.to_string(),
        _ if text.is_empty() => format!("{file}:{line}"),
        _ => format!("{text}, {file}:{line}"),
    }
}

/// `[10][n]` as the program spells it, constants by their values.
fn spelt(first: &PlannedExtent, extents: &[PlannedExtent]) -> String {
    let one = |extent: &PlannedExtent| match extent.value {
        Some(value) => value.to_string(),
        None => extent.text.clone(),
    };
    let begin = match first.value {
        Some(0) => String::new(),
        None if first.text.is_empty() => String::new(),
        _ => format!("{}:", one(first)),
    };
    let all = extents
        .iter()
        .enumerate()
        .map(|(index, extent)| match index {
            0 => format!("[{begin}{}]", one(extent)),
            _ => format!("[{}]", one(extent)),
        });
    all.collect()
}

fn counted(register: &Register) -> String {
    let all = register.extents.iter().enumerate();
    all.map(|(index, extent)| match (index, register.first) {
        (0, 1..) => format!("[{}:{extent}]", register.first),
        _ => format!("[{extent}]"),
    })
    .collect()
}

/// What kind of memory an item is.
fn memory(flags: u32) -> &'static str {
    match flags & (BEHIND | INDIRECT | LOCAL | LOCAL_POINTER) {
        flags if flags & BEHIND != 0 && flags & INDIRECT != 0 => {
            "the memory behind a pointer in such memory"
        }
        flags if flags & BEHIND != 0 && flags & LOCAL_POINTER != 0 => {
            "the memory behind a local pointer"
        }
        flags if flags & BEHIND != 0 => "the memory behind a pointer",
        flags if flags & INDIRECT != 0 => "an object that a pointer points to",
        flags if flags & LOCAL != 0 => "a local object",
        _ => "an object that is not local",
    }
}

/// Why other extents are refused, or else those that registers get.
type Longer = (Option<String>, Option<Vec<u64>>, Vec<u64>);

impl Sides<'_> {
    fn new_type(&self, item: &Item) -> String {
        let found = item.type_index.and_then(|index| self.types.get(index));
        found.map_or_else(|| "?".to_string(), |one| one.name.clone())
    }

    fn old_item(&self, item: &PlannedItem, registers: &[&Register]) -> String {
        let type_index = registers
            .first()
            .map(|one| one.type_index)
            .or(item.type_index);
        let kind = type_index.and_then(|index| self.checkpoint.types.get(index as usize));
        let name = kind.map_or("?", |one| one.name.as_str());
        let extents = match registers.first() {
            Some(register) => counted(register),
            None => spelt(&item.first, &item.extents),
        };
        described(name, &extents, &self.saved.file, item.line)
    }

    fn new_item(&self, item: &Item) -> String {
        let extents = spelt(&item.first, &item.extents);
        described(
            &self.new_type(item),
            &extents,
            &self.function.file,
            item.line,
        )
    }

    fn register(&self, name: &str) -> String {
        format!("register `{name}` of {}", self.function.name)
    }

    /// Compares the items of the old block `old` (from 1) with those of the new block `new`.
    pub(super) fn statement(&self, old: u32, new: u32, change: &mut FunctionChange) {
        let (olds, news) = (self.items_of(old), self.new_items_of(new));
        let mut gone = Vec::new();
        let mut order = Vec::new();
        for &i in &olds {
            let name = &self.plan.items[i].name;
            // A name may stand there twice: `p, p[]`.
            let twin = news
                .iter()
                .copied()
                .find(|j| self.function.items[*j].name == *name && !order.contains(j));
            match twin {
                Some(j) => {
                    order.push(j);
                    change.items.insert(i as u32, j as u32);
                    self.item(i, j, change);
                }
                None => gone.push(i),
            }
        }
        if !order.is_sorted() {
            let names =
                |items: &mut dyn Iterator<Item = &str>| items.collect::<Vec<_>>().join(", ");
            let line = |items: &[usize], line: &dyn Fn(usize) -> u32| {
                items.first().map_or(0, |&index| line(index))
            };
            let then = names(&mut olds.iter().map(|&i| self.plan.items[i].name.as_str()));
            let now = names(&mut news.iter().map(|&j| self.function.items[j].name.as_str()));
            change.rows.push(Row::new(
                format!("order of a register statement of {}", self.function.name),
                placed(
                    &then,
                    &self.saved.file,
                    line(&olds, &|i| self.plan.items[i].line),
                ),
                placed(
                    &now,
                    &self.function.file,
                    line(&news, &|j| self.function.items[j].line),
                ),
            ));
        }
        let mut fresh: Vec<usize> = news
            .iter()
            .copied()
            .filter(|&j| {
                olds.iter()
                    .all(|&i| self.plan.items[i].name != self.function.items[j].name)
            })
            .collect();
        for i in gone {
            let renamed = fresh.iter().position(|&j| self.may_be_renamed(i, j));
            let name = &self.plan.items[i].name;
            let then = self.old_item(&self.plan.items[i], &self.registers_of(i));
            match renamed {
                Some(position) => {
                    let j = fresh.remove(position);
                    let item = &self.function.items[j];
                    let what = format!("register of {} renamed?", self.function.name);
                    let row = Row::new(
                        what,
                        format!("`{name}` {then}"),
                        format!("`{}` {}", item.name, self.new_item(item)),
                    );
                    let note = format!(
                        "`{name}` is dropped, `{}` begins with zeros; the name `{name}` would keep the values",
                        item.name
                    );
                    let row = row.refused(self.no_memory(j)).note(&note);
                    self.begin_with_zeros(new, j, row, change);
                }
                None => {
                    let row = Row::new(format!("{} removed", self.register(name)), then, "");
                    change.rows.push(row.note("its values are dropped"));
                }
            }
        }
        for j in fresh {
            let item = &self.function.items[j];
            let what = format!("{} added", self.register(&item.name));
            let row = Row::new(what, "", self.new_item(item)).refused(self.no_memory(j));
            let row = row.note("it begins with zeros");
            self.begin_with_zeros(new, j, row, change);
        }
    }

    /// The items that belong to no block: statics.
    pub(super) fn residents(&self, change: &mut FunctionChange) {
        let (olds, mut news) = (self.items_of(0), self.new_items_of(0));
        for i in olds {
            let name = &self.plan.items[i].name;
            let twin = news
                .iter()
                .position(|&j| self.function.items[j].name == *name);
            match twin {
                Some(twin) => {
                    let j = news.remove(twin);
                    change.items.insert(i as u32, j as u32);
                    self.item(i, j, change);
                }
                None => {
                    let then = self.old_item(&self.plan.items[i], &self.registers_of(i));
                    let row = Row::new(format!("{} removed", self.register(name)), then, "");
                    change.rows.push(row.note("its values are dropped"));
                }
            }
        }
        for j in news {
            let item = &self.function.items[j];
            let what = format!("{} added", self.register(&item.name));
            let before = self.plan.items.iter().find(|one| one.name == item.name);
            let refused = before.map(|one| {
                format!(
                    "line {} registered it before, when control came there",
                    one.line
                )
            });
            let row = Row::new(what, "", self.new_item(item)).refused(refused);
            change
                .rows
                .push(row.note("it keeps what the program begins with"));
        }
    }

    fn begin_with_zeros(&self, block: u32, item: usize, mut row: Row, change: &mut FunctionChange) {
        let name = &self.function.items[item].name;
        if let Some(i) = self.plan.items.iter().position(|one| one.name == *name) {
            row.refused = Some(format!(
                "it was registered at line {} before; move it back",
                self.plan.items[i].line
            ));
        }
        change.rows.push(row);
        change.fresh.push((block, item as u32));
    }

    /// Why an item that is new cannot get memory.
    fn no_memory(&self, item: usize) -> Option<String> {
        let item = &self.function.items[item];
        let unknown = item.extents.iter().find(|extent| extent.value.is_none());
        match unknown {
            Some(extent) if !item.sized => Some(format!(
                "a restart does not know its extent `{}`; register what is in it before it, in the same statement",
                extent.text
            )),
            _ => None,
        }
    }

    fn may_be_renamed(&self, old: usize, new: usize) -> bool {
        let (one, other) = (&self.plan.items[old], &self.function.items[new]);
        let registers = self.registers_of(old);
        let old_type = registers
            .first()
            .map(|register| register.type_index)
            .or(one.type_index);
        let (Some(old_type), Some(new_type)) = (old_type, other.type_index) else {
            return false;
        };
        let same_type = differences(self.file(), old_type, self.program(), new_type).is_empty();
        same_type
            && one.flags == other.flags
            && spelt(&one.first, &one.extents) == spelt(&other.first, &other.extents)
    }

    /// An item that has kept its name.
    fn item(&self, old: usize, new: usize, change: &mut FunctionChange) {
        let (one, other) = (&self.plan.items[old], &self.function.items[new]);
        let registers = self.registers_of(old);
        let places = (
            placed("", &self.saved.file, one.line),
            placed("", &self.function.file, other.line),
        );
        let both = |text: &str, place: &str| match place {
            "" => text.to_string(),
            _ => format!("{text}, {place}"),
        };
        if one.flags != other.flags {
            let row = Row::new(
                format!("kind of {}", self.register(&one.name)),
                both(memory(one.flags), &places.0),
                both(memory(other.flags), &places.1),
            );
            change
                .rows
                .push(row.never("its memory belongs to something else"));
        }
        let mut seen: Vec<u32> = registers.iter().map(|one| one.type_index).collect();
        seen.extend(one.type_index.filter(|_| registers.is_empty()));
        seen.dedup();
        for type_index in seen {
            let Some(new_type) = other.type_index else {
                continue;
            };
            for found in differences(self.file(), type_index, self.program(), new_type) {
                let row = self.type_row(&one.name, found, &places);
                if !change.rows.contains(&row) {
                    change.rows.push(row);
                }
            }
        }
        self.extents(old, new, &registers, change);
    }

    fn type_row(&self, name: &str, found: Difference, places: &(String, String)) -> Row {
        let (what, note) = match (&found.subject, &found.then, &found.now) {
            (Subject::Whole, ..) => (
                format!("type of {}", self.register(name)),
                "the values are converted",
            ),
            (Subject::Member { owner, name }, None, _) => (
                format!("{owner}: member `{name}` added"),
                "it begins with zeros",
            ),
            (Subject::Member { owner, name }, _, None) => (
                format!("{owner}: member `{name}` removed"),
                "its values are dropped",
            ),
            (Subject::Member { owner, name }, ..) => (
                format!("{owner}: member `{name}`"),
                "the values are converted",
            ),
            (Subject::Order(owner), ..) => (
                format!("{owner}: order of the members"),
                "members are found by their names",
            ),
        };
        let side = |text: Option<String>, place: &str| match (text, place) {
            (None, _) => String::new(),
            (Some(text), "") => text,
            (Some(text), place) => format!("{text}, {place}"),
        };
        Row::new(
            what,
            side(found.then, &places.0),
            side(found.now, &places.1),
        )
        .refused(found.refused)
        .note(note)
    }

    fn extents(
        &self,
        old: usize,
        new: usize,
        registers: &[&Register],
        change: &mut FunctionChange,
    ) {
        let (one, other) = (&self.plan.items[old], &self.function.items[new]);
        let then = |text: String| placed(&text, &self.saved.file, one.line);
        let now = match other.extents.is_empty() {
            true => "one object".to_string(),
            false => spelt(&other.first, &other.extents),
        };
        let now = placed(&now, &self.function.file, other.line);
        let what = format!("extents of {}", self.register(&one.name));
        // Constants are compared as numbers below; a text that changed means something else.
        let texts_differ = std::iter::once((&one.first, &other.first))
            .chain(one.extents.iter().zip(&other.extents))
            .any(|(one, other)| other.value.is_none() && one.text != other.text);
        let mut rows: BTreeMap<String, Longer> = BTreeMap::new();
        for register in registers {
            let numbers = other
                .extents
                .iter()
                .zip(&register.extents)
                .map(|(now, then)| now.value.unwrap_or(*then))
                .collect::<Vec<u64>>();
            let same_rank = other.extents.len() == register.extents.len();
            let first = other.first.value.unwrap_or(register.first);
            let same = same_rank && numbers == register.extents && first == register.first;
            let is_null = register.is_null(other.extents.len());
            if same || is_null || other.extents.is_empty() && other.type_index.is_none() {
                continue;
            }
            let (refused, grown) = if !same_rank {
                (Some("another number of dimensions".to_string()), None)
            } else if first != register.first {
                (Some("another first element".to_string()), None)
            } else if numbers[1..] != register.extents[1..] {
                (Some("elements would change their places".to_string()), None)
            } else if numbers[0] < register.extents[0] {
                (Some("not all elements fit".to_string()), None)
            } else {
                (None, Some(numbers))
            };
            let (_, _, ids) =
                rows.entry(then(counted(register)))
                    .or_insert((refused, grown, Vec::new()));
            ids.push(register.id);
        }
        if rows.is_empty() && texts_differ && !registers.is_empty() {
            let row = Row::new(what, then(spelt(&one.first, &one.extents)), now);
            let row = row.note("the restart compares the numbers and stops when they differ");
            let unknown =
                (!other.sized).then(|| "a restart cannot compare the numbers".to_string());
            change.rows.push(row.refused(unknown));
            return;
        }
        for (then, (refused, grown, ids)) in rows {
            let row = Row::new(what.clone(), then, now.clone()).refused(refused);
            change
                .rows
                .push(row.note("the new elements begin with zeros"));
            if let Some(grown) = grown {
                change
                    .grown
                    .extend(ids.into_iter().map(|id| (id, grown.clone())));
            }
        }
    }
}
