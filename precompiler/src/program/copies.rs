//! Copies of structs that are declared in a block, for descriptors that stand where the block's names are not known.
//!
//! In: such a struct or union. Out: a name for a copy of it, and C text that defines all copies that this one needs. The one idea: a
//! descriptor needs sizes and offsets only, and the compiler gives the copy the same ones:
//!
//! ```c
//! void f(void) { struct node { double x; struct node *next; } *head; … }
//!      struct cccp_node_5d1…; struct cccp_node_5d1… { double x; struct cccp_node_5d1… *next; };
//! ```
//!
//! Where attributes or a pragma may change how it lies in memory, and where an extent is no plain number, there is none.

use super::layout::{Layout, has_attributes};
use super::model::{ScopeId, SymbolKind, Unit};
use super::spelling::Unspeakable;
use super::types::{Extent, Member, RecordId, TypeId, TypeKind};
use std::fmt::Write;

/// A struct declared once more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructCopy {
    /// `struct` or `union` and its tag.
    pub name: String,
    /// Its definition.
    pub definition: String,
}

impl Unit {
    /// The name of the copy, when there can be one.
    pub(super) fn copied_name(&self, id: RecordId) -> Result<String, Unspeakable> {
        let record = &self.records[id.0];
        let members = record.members.as_ref().ok_or(Unspeakable::Local)?;
        if Layout::of(self).is_laid_out_by_hand(members) {
            return Err(Unspeakable::Local);
        }
        for member in members {
            self.is_copied(member.ty)?;
            if member.is_bit_field && member.width.is_none() {
                return Err(Unspeakable::Local);
            }
        }
        let word = if record.is_union { "union" } else { "struct" };
        let own = record.tag.as_ref().or(record.typedef_name.as_ref());
        let own = own.map_or("local", String::as_str);
        // Other files, and other functions, may have one of that name.
        let before = self.records[..id.0].iter();
        let number = before.filter(|one| one.scope != ScopeId(0)).count();
        let bytes = self.file.path.bytes().chain(number.to_le_bytes());
        let hash = bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Ok(format!("{word} cccp_{own}_{hash:016x}"))
    }

    /// Whether a value of the type lies in memory as its spelling says.
    fn is_copied(&self, ty: TypeId) -> Result<(), Unspeakable> {
        let alias = self.ty(ty).typedef_name.as_ref();
        if alias.is_some_and(|name| self.has_attributes(name)) {
            return Err(Unspeakable::Local);
        }
        match self.kind(ty) {
            TypeKind::Array { element, extent } => match extent {
                Extent::Constant(_) | Extent::Flexible => self.is_copied(*element),
                Extent::Variable(_) => Err(Unspeakable::Variable),
                _ => Err(Unspeakable::Local),
            },
            TypeKind::Record(id) if self.records[id.0].scope != ScopeId(0) => {
                self.copied_name(*id).map(|_| ())
            }
            TypeKind::Pointer(_) => Ok(()),
            _ => self.spell_copied(ty, "").map(|_| ()),
        }
    }

    /// Whether a typedef of that name has attributes.
    fn has_attributes(&self, name: &str) -> bool {
        let text = &self.file.preprocessed;
        let mut all = self.symbols.iter();
        all.any(|one| {
            let declared = one.declared;
            one.kind == SymbolKind::Typedef && one.name == name && {
                let ends = [';', '{', '}'];
                let before = text.get(..declared.start).unwrap_or_default();
                let start = before.rfind(ends).map_or(0, |at| at + 1);
                let rest = text.get(declared.start..).unwrap_or_default();
                let end = declared.start + rest.find(';').unwrap_or(rest.len());
                has_attributes(&text[start..end])
            }
        })
    }

    /// The copies that a descriptor of a struct needs, those that are parts of others first. None for a struct that has a name at file
    /// scope.
    pub fn copies(&self, id: RecordId) -> Vec<StructCopy> {
        let mut all = Vec::new();
        self.copy(id, &mut Vec::new(), &mut all);
        all
    }

    fn copy(&self, id: RecordId, seen: &mut Vec<RecordId>, all: &mut Vec<StructCopy>) {
        let record = &self.records[id.0];
        let Some(members) = &record.members else {
            return;
        };
        if record.scope == ScopeId(0) || seen.contains(&id) {
            return;
        }
        seen.push(id);
        let Ok(name) = self.copied_name(id) else {
            return;
        };
        let (parts, targets): (Vec<_>, Vec<_>) = self.records_of(members).partition(|one| one.1);
        for (part, _) in parts {
            self.copy(part, seen, all);
        }
        let definition = format!("{name} {{ {}}};", self.members_text(members));
        all.push(StructCopy { name, definition });
        for (target, _) in targets {
            self.copy(target, seen, all);
        }
    }

    /// The structs that members speak of, and whether they are parts of them.
    fn records_of<'u>(
        &'u self,
        members: &'u [Member],
    ) -> impl Iterator<Item = (RecordId, bool)> + 'u {
        members.iter().filter_map(|member| {
            let (mut ty, mut is_part) = (member.ty, true);
            loop {
                match self.kind(ty) {
                    TypeKind::Pointer(target) => (ty, is_part) = (*target, false),
                    TypeKind::Array { element, .. } => ty = *element,
                    TypeKind::Record(id) => return Some((*id, is_part)),
                    _ => return None,
                }
            }
        })
    }

    fn members_text(&self, members: &[Member]) -> String {
        let mut text = String::new();
        for member in members {
            let name = member.name.as_deref().unwrap_or_default();
            let declaration = match self.kind(member.ty) {
                TypeKind::Record(id) if name.is_empty() => {
                    let record = &self.records[id.0];
                    let word = if record.is_union { "union" } else { "struct" };
                    let inner = self.members_text(record.members.as_deref().unwrap_or_default());
                    format!("{word} {{ {inner}}}")
                }
                _ => self
                    .spell_copied_qualified(member.ty, name)
                    // Of pointers only.
                    .unwrap_or_else(|_| format!("void *{name}")),
            };
            let width = member.width.filter(|_| member.is_bit_field);
            let width = width.map_or(String::new(), |bits| format!(" : {bits}"));
            let _ = write!(text, "{declaration}{width}; ");
        }
        text
    }
}
