//! What the descriptors of pointers say: what they lead to, and why nobody can follow them.
//!
//! In: a pointer type, and what is known about the blocks that its pointers point to (`described`). Out: entries of the table.

use std::collections::HashSet;

use super::described::Blocks;
use super::table::{Shape, TypeEntry, TypeTable};
use super::types::{Purpose, Reason, Shapes};
use crate::analysis::handles::handle;
use crate::program::{TypeId, TypeKind, Unit};

impl Shapes<'_> {
    /// Describes what pointers point to, one after the other.
    pub fn link(&mut self, unit: &Unit) {
        while let Some((entry, target, spelling)) = self.pending.pop() {
            let mut element = target;
            while let TypeKind::Array { element: inner, .. } = unit.kind(element) {
                element = *inner;
            }
            let described = match unit.kind(element) {
                TypeKind::Void => Err("the type of what it points to is not known".to_string()),
                TypeKind::Record(record) if unit.records[record.0].members.is_none() => {
                    Err("the members of the struct it points to are not declared here".to_string())
                }
                _ => self.of(unit, element, Purpose::Item, spelling.as_deref()),
            };
            match described {
                Ok(shape) => self.table.types[entry].target = Some(shape),
                Err(reason) => self.table.types[entry].opaque = Some(reason),
            }
        }
    }

    /// The first pointer that nobody can follow from a shape on: what holds it, and why.
    pub fn blocked(&self, from: &Shape) -> Option<(String, Reason)> {
        let mut seen: HashSet<(*const TypeTable, usize)> = HashSet::new();
        let mut due = vec![(&self.table, from.clone(), String::new())];
        while let Some((table, shape, holder)) = due.pop() {
            let index = match shape {
                Shape::Linked(index) => index,
                Shape::Elsewhere(name) => {
                    due.extend(
                        self.described
                            .find(&name)
                            .map(|(table, shape)| (table, shape, holder)),
                    );
                    continue;
                }
                Shape::Named(_) | Shape::Table(_) => continue,
            };
            let entry = &table.types[index];
            if let Some(reason) = &entry.opaque {
                let whom = match holder.is_empty() {
                    true => entry.name.clone(),
                    false => holder,
                };
                return Some((whom, reason.clone()));
            }
            if !seen.insert((std::ptr::from_ref(table), index)) {
                continue;
            }
            let blocks = entry.blocks.iter().flatten().map(|(shape, _)| shape);
            let targets = blocks.chain(&entry.target).cloned();
            due.extend(targets.map(|target| (table, target, holder.clone())));
            for member in entry.members.iter().rev() {
                let name = format!("member `{}` of `{}`", member.name, entry.name);
                due.push((table, member.shape.clone(), name));
            }
        }
        None
    }

    pub(super) fn pointer(
        &mut self,
        unit: &Unit,
        ty: TypeId,
        target: TypeId,
        spelling: Option<&str>,
    ) -> Shape {
        let name = unit.spell_copied(ty, "");
        let key = match (&name, spelling) {
            (Ok(name), _) => format!("pointer {name}"),
            (Err(_), Some(spelling)) => format!("pointer {spelling}"),
            (Err(_), None) => format!("pointer {ty:?}"),
        };
        if let Some(shape) = self.known.get(&key) {
            return shape.clone();
        }
        let name = name.and_then(|_| unit.spell_shown(ty));
        let whole = unit.spell_copied(target, "").ok();
        if let Some(blocks) = whole.and_then(|whole| self.described.of_target(&whole)) {
            return self.leading(&key, name.ok().as_deref(), blocks);
        }
        let spelling = spelling.map(|text| format!("__typeof__(*({text})0)"));
        self.pending
            .push((self.table.types.len(), target, spelling));
        self.add(
            &key,
            TypeEntry {
                kind: "POINTER",
                size: "sizeof(void *)".to_string(),
                name: name.unwrap_or_else(|_| "pointer".to_string()),
                ..TypeEntry::default()
            },
        )
    }

    /// A pointer that points to certain blocks.
    fn leading(&mut self, key: &str, name: Option<&str>, blocks: Blocks) -> Shape {
        let (blocks, opaque) = match blocks {
            Ok(blocks) => (Some(blocks), None),
            Err(reason) => (None, Some(reason)),
        };
        let entry = TypeEntry {
            kind: "POINTER",
            size: "sizeof(void *)".to_string(),
            name: name.unwrap_or("pointer").to_string(),
            blocks,
            opaque,
            ..TypeEntry::default()
        };
        self.add(key, entry)
    }

    /// The shape of a pointer that is a member, when more is known about it than its type says.
    pub(super) fn leading_member(
        &mut self,
        unit: &Unit,
        (record, member): (&str, &str),
        ty: TypeId,
    ) -> Option<Shape> {
        let is_pointer = matches!(unit.kind(ty), TypeKind::Pointer(_));
        if !self.linked || !is_pointer || handle(self.catalogue, unit, ty).is_some() {
            return None;
        }
        let blocks = self.described.of_member(record, member)?;
        let name = unit.spell_shown(ty).ok();
        Some(self.leading(
            &format!("pointer {member} of {record}"),
            name.as_deref(),
            blocks,
        ))
    }
}
