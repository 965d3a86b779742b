//! Values that the trace keeps: parameters and recorded locals.

use super::builder::Builder;
use super::data::Value;
use super::table::Shape;
use crate::analysis::Finding;
use crate::analysis::handles::handle;
use crate::diagnostic::Code;
use crate::program::{SymbolId, TypeId, TypeKind};

impl Builder<'_> {
    pub(super) fn parameters(&mut self) {
        for (index, &symbol) in self.function.parameters.iter().enumerate() {
            let facts = self.symbol(symbol);
            if facts.name.is_empty() {
                self.plan.parameters.push(Value {
                    name: format!("cccp_unnamed{index}"),
                    declaration: "int @".to_string(),
                    read: "0".to_string(),
                    shape: Shape::Named("int"),
                    read_by_blocks: false,
                    unread: false,
                });
                continue;
            }
            let mut value = match self.value(symbol) {
                Ok(value) => value,
                Err(reason) => {
                    self.findings.push(
                        Finding::error(
                            Code::UNSAVABLE,
                            format!(
                                "the parameter `{}` of `{}` cannot be kept for a restart",
                                facts.name, self.function.name
                            ),
                        )
                        .at(None, facts.declared)
                        .reason(reason)
                        .help("pass a pointer to it instead"),
                    );
                    continue;
                }
            };
            // Every run gives `main` its own.
            value.read_by_blocks = self.function.name != "main"
                && self
                    .again_texts
                    .iter()
                    .any(|text| names_word(text, &facts.name));
            let unread = &self.proven.unread;
            value.unread = match self.unit.kind(facts.ty) {
                // A block that reads a member which nothing restores is found by the check.
                TypeKind::Record(_) => unread.contains_part(self.unit_index, symbol),
                _ => !value.read_by_blocks && unread.contains(self.unit_index, symbol),
            };
            self.plan.parameters.push(value);
        }
    }

    /// How a variable is kept in a record.
    pub fn value(&mut self, symbol: SymbolId) -> Result<Value, String> {
        let facts = self.symbol(symbol);
        let shape = self.shapes.value(self.unit, facts.ty)?;
        let (declaration, read) = self.field(facts.ty, &facts.name)?;
        Ok(Value {
            name: facts.name.clone(),
            declaration,
            read,
            shape,
            read_by_blocks: false,
            unread: false,
        })
    }

    /// Declaration of a field for a value of a type, and the expression that fills it.
    pub fn field(&self, ty: TypeId, name: &str) -> Result<(String, String), String> {
        let pointer = matches!(self.unit.kind(ty), TypeKind::Pointer(_));
        if pointer && (self.unit.is_variably_modified(ty) || self.unit.spell(ty, "@").is_err()) {
            return Ok(("void *@".to_string(), format!("(void *){name}")));
        }
        match self.unit.spell(ty, "@") {
            Ok(text) => Ok((text, name.to_string())),
            Err(reason) => Err(reason.reason().to_string()),
        }
    }

    /// Whether a type is a number or a pointer.
    pub fn is_scalar(&self, ty: TypeId) -> bool {
        matches!(
            self.unit.kind(ty),
            TypeKind::Bool
                | TypeKind::Integer(_)
                | TypeKind::Float(_)
                | TypeKind::Complex(_)
                | TypeKind::ComplexInteger(_)
                | TypeKind::Enum(_)
                | TypeKind::Pointer(_)
        )
    }

    /// Whether a type is a handle of a library.
    pub fn is_handle(&self, ty: TypeId) -> bool {
        handle(self.catalogue, self.unit, ty).is_some()
    }

    pub(super) fn names(&mut self) {
        let functions = Shape::Named("function");
        let members = self
            .plan
            .types
            .types
            .iter()
            .flat_map(|entry| &entry.members)
            .any(|one| one.shape == functions);
        let values = self
            .plan
            .parameters
            .iter()
            .chain(self.plan.blocks.iter().flat_map(|block| &block.values));
        let used = members
            || values.into_iter().any(|one| one.shape == functions)
            || self.plan.items.iter().any(|one| one.shape == functions);
        self.plan.says_functions |= used;
    }
}

/// Whether a text contains a name as a word.
pub fn names_word(text: &str, name: &str) -> bool {
    text.split(|character: char| !(character.is_alphanumeric() || character == '_'))
        .any(|word| word == name)
}
