//! Whether steps hold together: for tests.
//!
//! Every value is set once, in the node that uses it and before it is used; every location leads through types that
//! are known to the type it says; every variable that a node's text names is in some step of the node.

use std::collections::HashSet;

use super::model::{
    Argument, Base, Called, Location, Projection, Routine, Step, StepKind, Steps, TypeRef, ValueId,
};
use crate::catalog::Catalogue;
use crate::dataflow::{Flow, Work};
use crate::program::{
    Expression, ExpressionKind, Program, Storage, SymbolKind, TypeId, TypeKind, UnaryOperator, Unit,
};
use crate::source::Span;

/// What is wrong with the steps of a program.
pub fn faults(program: &Program, steps: &Steps, catalogue: &Catalogue) -> Vec<String> {
    let mut faults = Vec::new();
    for routine in steps.routines.iter().chain(&steps.initial) {
        let mut verifier = Verifier {
            program,
            steps,
            routine,
            ever: HashSet::new(),
            set: HashSet::new(),
            faults: &mut faults,
        };
        verifier.routine();
    }
    for routine in &steps.routines {
        names(program, steps, routine, catalogue, &mut faults);
    }
    faults
}

struct Verifier<'a> {
    program: &'a Program,
    steps: &'a Steps,
    routine: &'a Routine,
    /// Values set anywhere.
    ever: HashSet<ValueId>,
    /// Values set in the node.
    set: HashSet<ValueId>,
    faults: &'a mut Vec<String>,
}

impl Verifier<'_> {
    fn fault(&mut self, step: &Step, what: &str) {
        let unit = &self.program.units[self.routine.function.unit];
        let (path, line) = unit.file.origin_text(step.span.start);
        let text = unit.file.preprocessed_text(step.span);
        let name = &self.routine.name;
        self.faults
            .push(format!("{path}:{line}: {name}: {what}: {text}"));
    }

    fn routine(&mut self) {
        if self.routine.flow.nodes.len() != self.routine.nodes.len() {
            self.faults.push(format!(
                "{}: not as many nodes as in its flow",
                self.routine.name
            ));
        }
        for node in &self.routine.nodes {
            self.set.clear();
            self.list(node);
        }
    }

    fn list(&mut self, steps: &[Step]) {
        for step in steps {
            for place in step.places() {
                self.place(step, place);
            }
            match &step.kind {
                StepKind::Write {
                    value: Some(value), ..
                }
                | StepKind::Return {
                    value: Some(value), ..
                } => self.used(step, *value),
                StepKind::Combine { from, .. } => {
                    for value in from {
                        self.used(step, *value);
                    }
                }
                StepKind::Call(call) => {
                    if let Called::Pointer(value) = call.callee {
                        self.used(step, value);
                    }
                    for Argument { value, .. } in &call.arguments {
                        self.used(step, *value);
                    }
                }
                StepKind::Choose(lists) => {
                    for list in lists {
                        self.list(list);
                    }
                }
                StepKind::Repeat(list) => self.list(list),
                _ => {}
            }
            if let Some(value) = step.sets() {
                if !self.ever.insert(value) {
                    self.fault(step, "sets a value again");
                }
                if self.routine.value(value).constant.is_some() {
                    self.fault(step, "sets a constant");
                }
                self.set.insert(value);
            }
        }
    }

    fn used(&mut self, step: &Step, value: ValueId) {
        let known = match self.routine.values.get(value.0 as usize) {
            Some(value) => value.constant.is_some(),
            None => false,
        };
        if !known && !self.set.contains(&value) {
            self.fault(step, &format!("v{} is not set", value.0));
        }
    }

    fn place(&mut self, step: &Step, place: &Location) {
        for value in place.values() {
            self.used(step, value);
        }
        let mut ty = match &place.base {
            Base::Variable(variable) => self.steps.variable(*variable).ty,
            Base::Pointer(_, ty) => *ty,
            Base::Function(_) | Base::Text(_) => return,
        };
        for (depth, projection) in place.path.iter().enumerate() {
            let unit = &self.program.units[ty.unit];
            match (unit.kind(ty.id), projection) {
                (TypeKind::Array { element, .. }, Projection::Element(_)) => {
                    ty.id = *element;
                }
                (TypeKind::Record(found), Projection::Member(record, number)) => {
                    // A variable that another unit defines is reached through the records of this one.
                    let unit = &self.program.units[place.ty.unit];
                    let same = found == record || ty.unit != place.ty.unit;
                    let members = unit.records[record.0].members.as_ref();
                    let member = members.and_then(|members| members.get(*number));
                    let Some(member) = member.filter(|_| same) else {
                        self.fault(step, "no such member");
                        return;
                    };
                    ty = TypeRef {
                        unit: place.ty.unit,
                        id: member.ty,
                    };
                }
                _ if ty.unit != place.ty.unit && depth == 0 => return,
                _ => {
                    self.fault(step, "a path through something else");
                    return;
                }
            }
        }
        let unit = &self.program.units[place.ty.unit];
        if ty.unit == place.ty.unit
            && place.ty.id != TypeId::UNKNOWN
            && ty.id != TypeId::UNKNOWN
            && std::mem::discriminant(unit.kind(ty.id))
                != std::mem::discriminant(unit.kind(place.ty.id))
        {
            self.fault(step, "the place is of another type");
        }
    }
}

/// Every variable that is named where it counts is in a step.
fn names(
    program: &Program,
    steps: &Steps,
    routine: &Routine,
    catalogue: &Catalogue,
    faults: &mut Vec<String>,
) {
    let at = routine.function;
    let unit = &program.units[at.unit];
    let (flow, work) = Flow::with_work(unit.function(at.function), catalogue);
    // Conditions that are known shut ways out: nothing happens there.
    let open = flow.reached().into_iter().zip(routine.flow.reached());
    let shut: Vec<bool> = open.map(|(could, does)| could && !does).collect();
    for (index, (node, work)) in routine.nodes.iter().zip(&work).enumerate() {
        if shut.get(index) == Some(&true) {
            continue;
        }
        let mut wanted = Vec::new();
        match work {
            Work::Effect(value) => discarded(unit, value, &mut wanted),
            // What is static is initialised elsewhere.
            Work::Declaration(declaration)
                if declaration.declarators.iter().any(|one| {
                    let storage = unit.symbols[one.symbol.0].storage;
                    storage == Storage::Static
                }) => {}
            _ => {
                for expression in work.expressions() {
                    evaluated(unit, expression, &mut wanted);
                }
            }
        }
        let mut touched = HashSet::new();
        for step in node {
            step.walk(&mut |step| {
                let bases = step.places().into_iter();
                touched.extend(bases.filter_map(Location::variable));
            });
        }
        // Copies that a region has are known by their names.
        let by_name: HashSet<&str> = touched
            .iter()
            .map(|variable| steps.variable(*variable).name.as_str())
            .collect();
        for (name, span) in wanted {
            if !by_name.contains(name) {
                let (path, line) = unit.file.origin_text(Span::new(span.start, span.end).start);
                let function = &routine.name;
                faults.push(format!("{path}:{line}: {function}: nothing for `{name}`"));
            }
        }
    }
}

type Named<'a> = (&'a str, Span);

/// The names in an expression whose value nobody wants.
fn discarded<'a>(unit: &Unit, expression: &'a Expression, found: &mut Vec<Named<'a>>) {
    match &expression.kind {
        ExpressionKind::Name { .. } => {}
        ExpressionKind::Cast(inner)
        | ExpressionKind::Member {
            value: inner,
            through_pointer: false,
            ..
        } => discarded(unit, inner, found),
        ExpressionKind::Index { array, index } => {
            discarded(unit, array, found);
            evaluated(unit, index, found);
        }
        ExpressionKind::Comma(values) => {
            for value in values {
                discarded(unit, value, found);
            }
        }
        ExpressionKind::Conditional {
            condition,
            then: Some(then),
            otherwise,
        } => {
            if !is_fixed(unit, condition) {
                evaluated(unit, condition, found);
                discarded(unit, then, found);
                discarded(unit, otherwise, found);
            }
        }
        ExpressionKind::Logical { left, right, .. } => {
            if !is_fixed(unit, left) {
                evaluated(unit, left, found);
                discarded(unit, right, found);
            }
        }
        // Only what is in a statement expression's last statement; not worth following.
        ExpressionKind::Statement(_) => {}
        _ => evaluated(unit, expression, found),
    }
}

fn evaluated<'a>(unit: &Unit, expression: &'a Expression, found: &mut Vec<Named<'a>>) {
    match &expression.kind {
        ExpressionKind::Name {
            name,
            symbol: Some(symbol),
        } => {
            if unit.symbols[symbol.0].kind == SymbolKind::Variable {
                found.push((name, expression.span));
            }
        }
        ExpressionKind::Logical { left, .. }
        | ExpressionKind::Conditional {
            condition: left, ..
        } if is_fixed(unit, left) => {}
        ExpressionKind::Cast(inner) => evaluated(unit, inner, found),
        ExpressionKind::Comma(values) => {
            for (index, value) in values.iter().enumerate() {
                if index + 1 < values.len() {
                    discarded(unit, value, found);
                } else {
                    evaluated(unit, value, found);
                }
            }
        }
        // `&p[0]` and `&*p` are `p`.
        ExpressionKind::Unary(UnaryOperator::Address, inner) => evaluated(unit, inner, found),
        ExpressionKind::Call { callee, arguments } => {
            let name = crate::dataflow::calls::called_name(callee);
            let silent = name.is_some_and(|(name, _)| {
                name.starts_with("__builtin_constant")
                    || name.ends_with("object_size")
                    || name.starts_with("__builtin_choose")
                    || name.starts_with("__builtin_classify")
                    || name.starts_with("__builtin_types")
                    || name.starts_with("__builtin_va_")
            });
            if !silent {
                evaluated(unit, callee, found);
                for argument in arguments {
                    evaluated(unit, argument, found);
                }
            }
        }
        _ => {
            for child in expression.children() {
                evaluated(unit, child, found);
            }
        }
    }
}

/// It names nothing: its value may have been known.
fn is_fixed(unit: &Unit, expression: &Expression) -> bool {
    let mut found = Vec::new();
    evaluated(unit, expression, &mut found);
    found.is_empty()
}
