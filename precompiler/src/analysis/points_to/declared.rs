//! What the declarations of library functions say of pointers: `int *flag` leads to a number.
//!
//! A function may copy pointers from one parameter to another (`memcpy`) when both lead to memory in which pointers can
//! be, by its declaration: bytes, `void`, pointers, structs with any of them. What a caller casts makes no difference:
//! the function reads and stores numbers.

use super::solver::Solver;
use crate::analysis::memory::LeafKind;
use crate::catalog::{EffectKind, LibraryFunction, Place, Root};
use crate::program::{IntegerKind, SymbolKind, TypeId, TypeKind};
use rustc_hash::FxHashMap;

/// The declared types of functions, by name.
pub type Prototypes<'a> = FxHashMap<&'a str, TypeId>;

impl<'a> Solver<'a> {
    /// Whether pointers can be in the memory that a place of a library function names.
    pub fn may_hold(&mut self, function: &LibraryFunction, unit: usize, place: &Place) -> bool {
        let Root::Parameter(position) = place.root else {
            return true;
        };
        if place.behind > 0 || !place.members.is_empty() || place.everything {
            return true;
        }
        let Some(pointee) = self.declared_pointee(unit, &function.name, position) else {
            return true;
        };
        match self.program.units[unit].kind(pointee) {
            TypeKind::Bool | TypeKind::Float(_) | TypeKind::Enum(_) => false,
            // Bytes can be anything, and what is as long as a pointer, too.
            TypeKind::Integer(kind) => !matches!(
                kind,
                IntegerKind::Short
                    | IntegerKind::UnsignedShort
                    | IntegerKind::Int
                    | IntegerKind::UnsignedInt
            ),
            TypeKind::Record(_) => {
                let id = pointee;
                let layout = self.layout(crate::dataflow::steps::TypeRef { unit, id });
                let leaves = &self.layouts.get(layout).leaves;
                let holds = |kind| {
                    matches!(
                        kind,
                        LeafKind::Pointer | LeafKind::Opaque | LeafKind::Union(true)
                    )
                };
                leaves.is_empty() || leaves.iter().any(|leaf| holds(leaf.kind))
            }
            _ => true,
        }
    }

    /// Whether all that a function stores in a place is a handle that it makes.
    pub fn is_made(function: &LibraryFunction, place: &Place) -> bool {
        function.effects.iter().any(|effect| {
            effect.kind == EffectKind::Creates
                && effect.place.root == place.root
                && effect.place.behind == place.behind
                && effect.place.members == place.members
        })
    }

    /// What a parameter of a function points to, as its declaration says.
    pub fn declared_pointee(&mut self, unit: usize, name: &str, position: usize) -> Option<TypeId> {
        let ty = self.declared(unit, name)?;
        let unit = self.program.units.get(unit)?;
        match unit.kind(ty) {
            TypeKind::Function { parameters, .. } => unit.pointee(*parameters.get(position)?),
            _ => None,
        }
    }

    fn declared(&mut self, unit: usize, name: &str) -> Option<TypeId> {
        let program = self.program;
        let known = self.prototypes.entry(unit).or_insert_with(|| {
            let Some(unit) = program.units.get(unit) else {
                return Prototypes::default();
            };
            let file = unit.scopes.first().into_iter();
            let symbols = file.flat_map(|scope| &scope.symbols);
            symbols
                .map(|id| &unit.symbols[id.0])
                .filter(|symbol| symbol.kind == SymbolKind::Function)
                .map(|symbol| (symbol.name.as_str(), symbol.ty))
                .collect()
        });
        known.get(name).copied()
    }
}
