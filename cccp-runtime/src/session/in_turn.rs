//! Values that are encoded when their turn to be written comes, instead of being copied first.
//!
//! In: where the registers' elements are; the program stands still. Out: their bytes, one register at a time. What holds
//! pointers has been encoded before, so that pointers that lead nowhere are known when the checkpoint is collected.

use std::collections::BTreeMap;

use crate::format::{self, Data, Elements, FormatError, Kind, PointerValue, Type};
use crate::generation::Extent;
use crate::registry::RegisterId;

use super::Session;
use super::in_parts::encoded_alone;

/// Whether values of a type have to be looked at for pointers that lead nowhere.
pub(super) fn holds_pointers(types: &[Type], type_index: u32) -> bool {
    let Some(one) = types.get(type_index as usize) else {
        return false;
    };
    // A struct stands after the types of its members, so this ends.
    matches!(one.kind, Kind::Pointer | Kind::Function)
        || one
            .members
            .iter()
            .any(|member| holds_pointers(types, member.type_index))
}

impl Session {
    /// Encodes the values that [`Copying::Later`] left where they are.
    pub fn values_in_turn(
        &self,
        extents: &BTreeMap<RegisterId, Extent>,
    ) -> impl FnMut(&format::Register, &mut Vec<u8>) -> Result<(), FormatError> {
        move |register, out| {
            match (&register.data, extents.get(&register.id)) {
                (Data::Encoded(copy), _) if !copy.is_empty() => {
                    out.clear();
                    out.extend_from_slice(copy);
                }
                (_, Some(extent)) => {
                    let layout = self.types.layout();
                    let memory = self
                        .program
                        .view(extent.start, extent.size * extent.elements);
                    let elements = Elements {
                        layout,
                        type_index: register.type_index,
                        encoding: self.encoding(),
                    };
                    if let Some(encoded) = encoded_alone(elements, &[memory], out)? {
                        *out = encoded;
                        return Ok(());
                    }
                    out.clear();
                    // Without pointers there is nothing to resolve.
                    let mut resolve = |raw, _| PointerValue::Unresolved { address: raw };
                    let (count, encoding) = (extent.elements as u64, self.encoding());
                    format::encode(
                        layout,
                        register.type_index,
                        memory,
                        count,
                        encoding,
                        &mut resolve,
                        out,
                    )?;
                }
                (_, None) => out.clear(),
            }
            Ok(())
        }
    }
}
