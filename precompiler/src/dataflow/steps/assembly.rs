//! Inline assembly: operands are evaluated, outputs are written, and what the operands point to may be read and written.
//!
//! What is written to an output comes from the inputs, and a pointer for which there is none may be any. An instruction can
//! only touch memory whose address it has: what its operands point to and, when it says that it changes memory, all
//! statics. Assumed: no instruction keeps an address for a later statement that is not given it again.
//!
//! ```text
//! asm ("lock; xaddl %0, %1" : "+r"(old), "+m"(*next));
//!
//! v0 = read old   v1 = read next   v2 = read *v1   v3 = arithmetic(v0, v2)   write old = v3   write *v1 = v3
//! ```

use super::lower::Lowerer;
use super::model::{Combination, Location, StepKind, ValueId};
use crate::program::{
    Assembly, AssemblyOperand, ExpressionKind, Storage, SymbolId, SymbolKind, TypeId, TypeKind,
    UnaryOperator,
};
use crate::source::Span;

impl<'a> Lowerer<'a, '_> {
    /// The steps of a statement.
    pub fn assembly(&mut self, assembly: &'a Assembly, span: Span) {
        let (mut given, mut outputs) = (Vec::new(), Vec::new());
        for operand in &assembly.operands {
            let ty = operand.value.ty;
            if !(operand.is_output() || operand.in_memory() && is_place(operand)) {
                given.push(self.value(&operand.value));
                continue;
            }
            let place = self.place(&operand.value);
            if operand.is_read() {
                let into = self.fresh(ty);
                let from = place.clone();
                self.push(StepKind::Read { place: from, into }, span);
                given.push(into);
            }
            if operand.in_memory() && assembly.changes_memory {
                let pointer = self.pointer_to(ty);
                given.push(self.address(place.clone(), pointer, span));
            }
            if operand.is_output() {
                outputs.push((operand, place));
            }
        }
        let made = self.touched(assembly, &given, &outputs, span);
        for ((operand, place), made) in outputs.into_iter().zip(made) {
            let ty = operand.value.ty;
            let mut from: Vec<ValueId> = given.clone();
            if let Some(made) = made {
                from.push(self.load_place(made, ty, span));
            }
            let value = self.combined(ty, from, Combination::Arithmetic, span);
            // How much of an array or a struct is written, only the instructions say.
            let weak = self.is_weak(&place)
                || matches!(self.kind(ty), TypeKind::Array { .. } | TypeKind::Record(_));
            let value = Some(value);
            self.push(StepKind::Write { place, value, weak }, span);
        }
    }

    /// What instructions do to memory. For each output: what may be put into it besides what comes from the inputs.
    fn touched(
        &mut self,
        assembly: &Assembly,
        given: &[ValueId],
        outputs: &[(&AssemblyOperand, Location)],
        span: Span,
    ) -> Vec<Option<Location>> {
        let mut named = Vec::new();
        let mut gives_pointer = false;
        for &value in given.iter().filter(|_| !assembly.is_barrier) {
            let ty = self.values[value.0 as usize].ty.id;
            if self.constant_of(value).is_some() || self.is_opaque(ty) {
                continue;
            }
            let target = self.unit.pointee(ty).unwrap_or(TypeId::UNKNOWN);
            gives_pointer |= self.unit.pointee(ty).is_some();
            if self.may_hold_pointers(target) || self.layout.bytes(target) == Some(1) {
                named.push(self.behind(value, target));
            } else {
                let from = vec![value, self.constant(TypeId::UNKNOWN, None)];
                let all = self.combined(ty, from, Combination::PointerStep, span);
                let place = self.behind(all, target);
                self.touch(place, span);
            }
        }
        if assembly.changes_memory {
            self.all_statics(assembly, &mut named, span);
        }
        // A pointer that comes from no operand, or from memory, may be any.
        let is_from_elsewhere = !assembly.is_barrier && (!gives_pointer || !named.is_empty());
        let mut made = Vec::new();
        for (operand, _) in outputs {
            let ty = operand.value.ty;
            made.push((is_from_elsewhere && self.may_hold_pointers(ty)).then(|| {
                let temporary = self.temporary(ty, span);
                self.whole(temporary, ty)
            }));
        }
        named.extend(made.iter().flatten().cloned());
        if !named.is_empty() {
            self.push(
                StepKind::Assembly {
                    named,
                    keeps_pointers: false,
                },
                span,
            );
        }
        made
    }

    /// Something may be read and stored to.
    fn touch(&mut self, place: Location, span: Span) {
        let into = self.fresh(place.ty.id);
        let from = place.clone();
        self.push(StepKind::Read { place: from, into }, span);
        let (value, weak) = (None, true);
        self.push(StepKind::Write { place, value, weak }, span);
    }

    /// All statics, and what they point to, may be read and stored to. Pointers may come into those that the instructions name, or that a function
    /// may name which they call.
    fn all_statics(&mut self, assembly: &Assembly, named: &mut Vec<Location>, span: Span) {
        let mut reached = Vec::new();
        for symbol in (0..self.unit.symbols.len()).map(SymbolId) {
            let facts = &self.unit.symbols[symbol.0];
            let lasts = facts.kind == SymbolKind::Variable
                && matches!(facts.storage, Storage::Static | Storage::External);
            let Some(variable) = self.variable(symbol).filter(|_| lasts) else {
                continue;
            };
            let place = self.whole(variable, facts.ty);
            let is_known = assembly.may_call || assembly.names(&facts.name);
            if is_known && self.may_hold_pointers(facts.ty) {
                named.push(place);
            } else {
                reached.push(place);
            }
        }
        let step = StepKind::Assembly {
            named: reached,
            keeps_pointers: true,
        };
        self.push(step, span);
    }

    fn may_hold_pointers(&self, ty: TypeId) -> bool {
        match self.kind(ty) {
            TypeKind::Array { element, .. } => self.may_hold_pointers(*element),
            TypeKind::Record(record) => {
                let members = self.unit.records[record.0].members.iter().flatten();
                members
                    .map(|member| member.ty)
                    .any(|ty| self.may_hold_pointers(ty))
            }
            kind => matches!(
                kind,
                TypeKind::Pointer(_) | TypeKind::Builtin(_) | TypeKind::Unknown
            ),
        }
    }
}

/// Whether an operand is an object, not only a value.
fn is_place(operand: &AssemblyOperand) -> bool {
    matches!(
        operand.value.kind,
        ExpressionKind::Name { .. }
            | ExpressionKind::Member { .. }
            | ExpressionKind::Index { .. }
            | ExpressionKind::Compound(_)
            | ExpressionKind::Unary(UnaryOperator::Indirection, _)
    )
}
