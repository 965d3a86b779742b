//! Locals without a value: at their declaration, and on a restart, which jumps behind it.
//!
//! An array that is filled little by little holds in its rest what was on the stack before. Where each checkpoint looks
//! whether registered values are what their types say (suspects), that rest could look like an address of something else and
//! stop the run; so it begins as zero, as blocks of the heap do in such programs.
//!
//! ```c
//! struct leaf *found[64]; __builtin_memset(&found, 0, sizeof found);
//! ```

use super::builder::Builder;
use super::statements::text;
use crate::analysis::uses;
use crate::program::{
    Declaration, Directive, DirectiveUse, Expression, ExpressionKind, Item, ItemPlace, Statement,
    StatementKind, SymbolId, SymbolKind, TypeKind, Unit,
};

impl<'a> Builder<'a> {
    /// Plans zeros for what a declaration leaves without a value.
    pub(super) fn begin_unset(&mut self, s: &'a Statement, declaration: &'a Declaration) {
        let looks = !self.proven.suspects.is_empty() || !self.proven.optional.is_empty();
        if !looks || declaration.variably_modified {
            return;
        }
        let mut steps = Vec::new();
        for declarator in &declaration.declarators {
            let symbol = declarator.symbol;
            if declarator.initialiser.is_none()
                && self.is_automatic(symbol)
                && self.is_registered_here(symbol)
            {
                let name = &self.symbol(symbol).name;
                steps.push(text(format!(
                    " __builtin_memset(&{name}, 0, sizeof {name});"
                )));
            }
        }
        if !steps.is_empty() {
            self.after(s, self.depth * 10, steps);
        }
    }

    /// Whether the pointer of an item holds on a restart what was on the stack before: a local that no code sets which runs
    /// again. Such a pointer would lead anywhere, and what is behind it would be restored there.
    pub(super) fn is_unset_on_restart(&self, item: &Item, at: usize) -> bool {
        let is_early = self.init_at.is_some_and(|init| {
            self.picture.loop_at(init).is_some() || self.uses.set_before(item.symbol, init)
        });
        self.is_automatic(item.symbol)
            && self.symbol(item.symbol).parameter.is_none()
            && self.base_is_object(item)
            && !self.begins_with_value(item.symbol, self.home(item.symbol, at))
            && !is_early
            && !self.is_set_in_block(item.symbol)
    }

    /// Whether a block that is executed on restart may set a local: it names it, or may set what pointers lead to.
    fn is_set_in_block(&self, symbol: SymbolId) -> bool {
        let is_taken = self.symbol(symbol).address_taken;
        self.program.units.iter().any(|unit| {
            let is_block =
                |one: &&DirectiveUse| matches!(one.directive, Directive::ExecuteOnRestart { .. });
            let mut all = unit.directives.iter().filter(is_block);
            all.any(|one| {
                let Some(of) = one.function else {
                    return true;
                };
                let function = &unit.functions[of.0];
                let end = one.partner.map(|end| &unit.directives[end.0]);
                let end = end.map_or(function.body.span.end, |end| end.span.start);
                let inside = one.span.end..end;
                let is_own = std::ptr::eq(unit, self.unit) && of == self.key.function;
                let mut found = is_own && inside.contains(&self.symbol(symbol).declared.start);
                function.body.walk_expressions(&mut |one| {
                    found |= inside.contains(&one.span.start)
                        && (is_own && one.symbol() == Some(symbol)
                            || is_taken && self.may_set_memory(unit, one));
                });
                function.body.walk(&mut |one| {
                    found |= inside.contains(&one.span.start)
                        && matches!(one.kind, StatementKind::Assembly(_));
                    !found
                });
                found
            })
        })
    }

    /// Whether an expression itself may set what a pointer leads to: functions of libraries do so where they are handed one.
    fn may_set_memory(&self, unit: &Unit, one: &Expression) -> bool {
        match &one.kind {
            ExpressionKind::Assign { target, .. } | ExpressionKind::Step(_, target) => {
                uses::root(unit, target).is_none()
            }
            ExpressionKind::Call { callee, arguments } => {
                let name = callee.symbol().map(|symbol| &unit.symbols[symbol.0]);
                let name = name.filter(|one| one.kind == SymbolKind::Function);
                let is_of_library = name.is_some_and(|symbol| {
                    let mut all = self.program.units.iter().flat_map(|unit| &unit.functions);
                    !all.any(|function| function.name == symbol.name)
                });
                let is_number = |one: &Expression| {
                    matches!(
                        unit.kind(one.ty),
                        TypeKind::Integer(_)
                            | TypeKind::Float(_)
                            | TypeKind::Enum(_)
                            | TypeKind::Bool
                    )
                };
                !(is_of_library && arguments.iter().all(is_number))
            }
            _ => false,
        }
    }

    /// Whether an item ends when its function returns: the way to it begins at a local pointer that nobody sets when the
    /// directive is executed once more on a restart, as no item `p[…]` keeps it.
    pub(super) fn ends_with_its_function(&self, item: &Item, at: usize) -> bool {
        let symbol = self.symbol(item.symbol);
        let is_set_again = |one: &DirectiveUse| match &one.directive {
            Directive::ExecuteOnRestart { .. } => true,
            Directive::Register { items } => items.iter().any(|other| {
                other.symbol == item.symbol
                    && other.kind == ItemPlace::BehindPointer
                    && self.base_is_object(other)
            }),
            _ => false,
        };
        let own = self.unit.directives.iter();
        let mut own = own.filter(|one| one.function == Some(self.key.function));
        !self.base_is_object(item)
            && self.is_automatic(item.symbol)
            && symbol.parameter.is_none()
            && !symbol.address_taken
            && !self.is_constant_local(item.symbol)
            && self.init_at.is_none()
            && self.parallel_at(at) == 0
            && !own.any(is_set_again)
    }

    /// Whether an item of this function saves (a part of) a variable itself.
    fn is_registered_here(&self, symbol: SymbolId) -> bool {
        let own = self.unit.directives.iter();
        let own = own.filter(|one| one.function == Some(self.key.function));
        own.flat_map(|one| match &one.directive {
            Directive::Register { items } => items.as_slice(),
            _ => &[],
        })
        .any(|item| item.symbol == symbol && item.kind == ItemPlace::Object)
    }
}
