//! Locals without a value: at their declaration, and on a restart, which jumps behind it.
//!
//! An array that is filled little by little holds in its rest what was on the stack before. Where each checkpoint looks
//! whether registered values are what their types say (suspects), that rest could look like an address of something else and
//! stop the run; so it begins as zero, as blocks of the heap do in such programs. So does what is copied as a whole into what may be
//! saved, in every function: a struct that is returned, assigned or handed by value, and what `memcpy` copies.
//!
//! ```c
//! struct leaf *found[64]; __builtin_memset(&found, 0, sizeof found);
//! ```
//!
//! Errors fall on the side of zeros. A declaration that a macro makes in a function without directives stays as it is.

use std::collections::BTreeSet;

use super::builder::Builder;
use super::data::Step;
use super::raw::RawEdit;
use super::statements::text;
use crate::analysis::{Proven, uses};
use crate::program::{
    Declaration, Directive, DirectiveUse, Expression, ExpressionKind, Function, Item, ItemPlace,
    Program, Statement, StatementKind, Storage, SymbolId, SymbolKind, TypeKind, UnaryOperator,
    Unit,
};
use crate::source::{SourceRange, Span};

/// Whether a checkpoint looks at values of the program: what was never set must look like nothing then.
fn looks_at_values(program: &Program, proven: &Proven) -> bool {
    let has_directives = program.units.iter().any(|one| !one.directives.is_empty());
    let looks = !proven.suspects.is_empty() || !proven.optional.is_empty();
    has_directives && (looks || program.has_fixed_heap())
}

fn zeros(name: &str) -> Step {
    text(format!(" __builtin_memset(&{name}, 0, sizeof {name});"))
}

/// What is copied with all that is in it, where that matters.
pub(super) fn copied(
    program: &Program,
    proven: &Proven,
    unit: &Unit,
    function: &Function,
) -> BTreeSet<SymbolId> {
    match looks_at_values(program, proven) {
        true => copied_whole(unit, function),
        false => BTreeSet::new(),
    }
}

/// Zeros in a function that leads to no directive.
pub(super) fn zeros_where_copied(
    program: &Program,
    proven: &Proven,
    unit: &Unit,
    function: &Function,
) -> Vec<RawEdit> {
    let mut edits = Vec::new();
    let copied = copied(program, proven, unit, function);
    if copied.is_empty() {
        return edits;
    }
    let mut all = Vec::new();
    function.body.walk(&mut |one| {
        if let StatementKind::Compound { items, .. } = &one.kind {
            all.extend(items);
        }
        true
    });
    for one in all {
        let StatementKind::Declaration(declaration) = &one.kind else {
            continue;
        };
        let unset = without_value(declaration).filter(|one| copied.contains(one));
        let steps: Vec<Step> = unset.map(|one| zeros(&unit.symbols[one.0].name)).collect();
        if let Some(place) = one.place
            && !steps.is_empty()
        {
            edits.push(RawEdit {
                span: Span::new(one.span.end, one.span.end),
                place: Some(SourceRange::new(place.end, place.end)),
                order: 0,
                steps,
            });
        }
    }
    edits
}

/// What a declaration leaves without a value, up to its end: `double a[4], *p = fill(a);` has set `a`.
fn without_value(declaration: &Declaration) -> impl Iterator<Item = SymbolId> {
    let all = declaration.declarators.iter().rev();
    all.take_while(|one| one.initialiser.is_none())
        .map(|one| one.symbol)
}

/// Structs, unions and arrays on the stack that are copied with all that is in them.
fn copied_whole(unit: &Unit, function: &Function) -> BTreeSet<SymbolId> {
    let mut copied = BTreeSet::new();
    let mut add = |one: &Expression, may_be_array: bool| {
        let Some(symbol) = one.symbol() else { return };
        let local = &unit.symbols[symbol.0];
        let ty = unit.ty(local.ty);
        let is_wanted = match ty.kind {
            TypeKind::Record(_) => true,
            TypeKind::Array { .. } => may_be_array && !unit.is_variably_modified(local.ty),
            _ => false,
        };
        let is_plain = local.kind == SymbolKind::Variable
            && local.function.is_some()
            && local.storage == Storage::Automatic
            && local.parameter.is_none()
            && !local.per_thread
            && !ty.qualifiers.is_const
            && !ty.qualifiers.is_volatile;
        if is_wanted && is_plain {
            copied.insert(symbol);
        }
    };
    function.body.walk(&mut |one| {
        if let StatementKind::Return(Some(value)) = &one.kind {
            values(value, &mut |value| add(value, false));
        }
        true
    });
    function.body.walk_expressions(&mut |one| match &one.kind {
        ExpressionKind::Assign { value, .. } => values(value, &mut |value| add(value, false)),
        // `(struct pair){one, 1}`
        ExpressionKind::Compound(list) => {
            for value in list.expressions() {
                values(value, &mut |value| add(value, false));
            }
        }
        ExpressionKind::Call { callee, arguments } => {
            for argument in arguments {
                values(argument, &mut |value| add(value, false));
            }
            if let ExpressionKind::Name { name, .. } = &callee.kind
                && COPYING.contains(&name.as_str())
                && let Some(from) = arguments.get(1)
            {
                add(object(from), true);
            }
        }
        _ => {}
    });
    function.body.walk(&mut |one| {
        if let StatementKind::Declaration(declaration) = &one.kind {
            // Those in braces, too: `struct pair both = {one, 1};`
            for value in declaration.expressions() {
                values(value, &mut |value| add(value, false));
            }
        }
        true
    });
    copied
}

/// What copies what its second argument leads to.
const COPYING: [&str; 5] = [
    "memcpy",
    "memmove",
    "mempcpy",
    "__builtin_memcpy",
    "__builtin_memmove",
];

/// The object whose address a value is: `&x`, the array `x`, with casts around it.
fn object(value: &Expression) -> &Expression {
    match &value.kind {
        ExpressionKind::Cast(inner) => object(inner),
        ExpressionKind::Unary(UnaryOperator::Address, inner) => inner,
        _ => value,
    }
}

/// The expressions of which one gives the value.
fn values<'a>(one: &'a Expression, found: &mut dyn FnMut(&'a Expression)) {
    match &one.kind {
        ExpressionKind::Comma(all) => {
            if let Some(last) = all.last() {
                values(last, found);
            }
        }
        ExpressionKind::Conditional {
            then, otherwise, ..
        } => {
            if let Some(then) = then {
                values(then, found);
            }
            values(otherwise, found);
        }
        _ => found(one),
    }
}

impl<'a> Builder<'a> {
    /// Plans zeros for what a declaration leaves without a value.
    pub(super) fn begin_unset(&mut self, s: &'a Statement, declaration: &'a Declaration) {
        if declaration.variably_modified {
            return;
        }
        let looks = !self.proven.suspects.is_empty() || !self.proven.optional.is_empty();
        let mut steps = Vec::new();
        for symbol in without_value(declaration) {
            if self.is_automatic(symbol)
                && (looks && self.is_registered_here(symbol) || self.copied.contains(&symbol))
            {
                steps.push(zeros(&self.symbol(symbol).name));
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
