//! Steps as text, for `--emit steps` and tests.
//!
//! ```text
//! function f
//!   node 2 line 4 → 3 5
//!     v0 = read p
//!     v1 = read (*v0).next
//! ```

use std::collections::HashSet;
use std::fmt::Write;

use super::model::{
    Base, Called, Combination, FunctionTarget, Location, Projection, Routine, Step, StepKind,
    Steps, ValueId, VariableId,
};
use crate::program::{Program, Unit};

/// The steps of one unit.
pub fn dump(program: &Program, steps: &Steps, unit: usize) -> String {
    let mut printer = Printer {
        program,
        steps,
        unit: &program.units[unit],
        routine: &steps.initial[unit],
        ambiguous: ambiguous(steps),
        out: String::new(),
    };
    let routine = printer.routine;
    if routine.nodes.iter().any(|node| !node.is_empty()) {
        printer.out.push_str("initialisers\n");
        printer.steps(&routine.nodes[0], 1);
    }
    for routine in steps
        .routines
        .iter()
        .filter(|one| one.function.unit == unit)
    {
        printer.routine = routine;
        printer.function();
    }
    printer.out
}

/// Names of several variables that one function could mean.
fn ambiguous(steps: &Steps) -> HashSet<VariableId> {
    let mut seen = std::collections::HashMap::new();
    let mut found = HashSet::new();
    for id in steps.variable_ids() {
        let variable = steps.variable(id);
        if let Some(first) = seen.insert((variable.owner, variable.name.as_str()), id) {
            found.extend([first, id]);
        }
    }
    found
}

struct Printer<'a> {
    program: &'a Program,
    steps: &'a Steps,
    unit: &'a Unit,
    routine: &'a Routine,
    ambiguous: HashSet<VariableId>,
    out: String,
}

impl<'a> Printer<'a> {
    fn function(&mut self) {
        let parameters: Vec<String> = self
            .routine
            .parameters
            .iter()
            .map(|id| self.variable(*id))
            .collect();
        let _ = writeln!(
            self.out,
            "function {}({})",
            self.routine.name,
            parameters.join(", ")
        );
        for (number, (node, steps)) in self
            .routine
            .flow
            .nodes
            .iter()
            .zip(&self.routine.nodes)
            .enumerate()
        {
            if number < 2 && steps.is_empty() {
                continue;
            }
            let next: Vec<String> = node.next.iter().map(|next| next.0.to_string()).collect();
            let line = match number {
                0 => "entry".to_string(),
                1 => "exit".to_string(),
                _ => format!("line {}", self.line(node.span.start)),
            };
            let _ = writeln!(self.out, "  node {number} {line} → {}", next.join(" "));
            self.steps(steps, 2);
        }
    }

    fn line(&self, offset: usize) -> usize {
        self.unit.file.origin_text(offset).1
    }

    fn steps(&mut self, steps: &'a [Step], depth: usize) {
        for step in steps {
            let text = self.step(step);
            let _ = writeln!(self.out, "{:1$}{text}", "", 2 * depth);
            match &step.kind {
                StepKind::Choose(lists) => {
                    for (number, list) in lists.iter().enumerate() {
                        if number > 0 {
                            let _ = writeln!(self.out, "{:1$}or", "", 2 * depth);
                        }
                        self.steps(list, depth + 1);
                    }
                }
                StepKind::Repeat(list) => self.steps(list, depth + 1),
                _ => {}
            }
        }
    }

    fn step(&self, step: &Step) -> String {
        let how_sure = |weak: &bool| if *weak { "weak " } else { "" };
        match &step.kind {
            StepKind::Read { place, into } => {
                format!("{} = read {}", name(*into), self.place(place))
            }
            StepKind::Write { place, value, weak } => {
                let value =
                    value.map_or(String::new(), |value| format!(" = {}", self.value(value)));
                format!("{}write {}{value}", how_sure(weak), self.place(place))
            }
            StepKind::Copy { from, to, weak } => format!(
                "{}copy {} = {}",
                how_sure(weak),
                self.place(to),
                self.place(from)
            ),
            StepKind::Address { place, into } => {
                format!("{} = address {}", name(*into), self.place(place))
            }
            StepKind::Combine { from, into, how } => {
                let from: Vec<String> = from.iter().map(|value| self.value(*value)).collect();
                let how = match how {
                    Combination::Cast => "cast",
                    Combination::Choice => "choice",
                    Combination::PointerStep => "step",
                    Combination::PointerBack => "back",
                    Combination::Arithmetic => "arithmetic",
                    Combination::Scramble => "scramble",
                };
                format!("{} = {how}({})", name(*into), from.join(", "))
            }
            StepKind::Call(call) => {
                let arguments: Vec<String> = call
                    .arguments
                    .iter()
                    .map(|argument| match &argument.aggregate {
                        Some(place) => self.place(place),
                        None => self.value(argument.value),
                    })
                    .collect();
                let result = match call.aggregate {
                    Some(variable) => self.variable(variable),
                    None => name(call.result),
                };
                let callee = match &call.callee {
                    Called::Routine(routine) => self.steps.routine(*routine).name.clone(),
                    Called::Named(name) => format!("library {name}"),
                    Called::Pointer(value) => format!("*{}", self.value(*value)),
                };
                format!("{result} = call {callee}({})", arguments.join(", "))
            }
            StepKind::Begin(variable) => format!("begin {}", self.variable(*variable)),
            StepKind::Choose(_) => "choose".to_string(),
            StepKind::Repeat(_) => "repeat".to_string(),
            StepKind::Return { value, aggregate } => match (value, aggregate) {
                (Some(value), _) => format!("return {}", self.value(*value)),
                (None, Some(place)) => format!("return {}", self.place(place)),
                (None, None) => "return".to_string(),
            },
            StepKind::Directive(id) => format!("directive {}", id.0),
            StepKind::Assembly { named, .. } => {
                let named: Vec<String> = named.iter().map(|place| self.place(place)).collect();
                format!("assembly({})", named.join(", "))
            }
        }
    }

    fn value(&self, id: ValueId) -> String {
        match self.routine.value(id).constant {
            Some(constant) => constant.to_string(),
            None => name(id),
        }
    }

    fn variable(&self, id: VariableId) -> String {
        let variable = self.steps.variable(id);
        if self.ambiguous.contains(&id) {
            let unit = &self.program.units[variable.declared.unit];
            let line = unit.file.origin_text(variable.declared.span.start).1;
            format!("{}@{line}", variable.name)
        } else {
            variable.name.clone()
        }
    }

    fn place(&self, place: &Location) -> String {
        let mut out = match &place.base {
            Base::Variable(variable) => self.variable(*variable),
            Base::Pointer(value, _) if place.path.is_empty() => format!("*{}", self.value(*value)),
            Base::Pointer(value, _) => format!("(*{})", self.value(*value)),
            Base::Function(FunctionTarget::Routine(routine)) => {
                self.steps.routine(*routine).name.clone()
            }
            Base::Function(FunctionTarget::Named(name)) => format!("library {name}"),
            Base::Text(_) => "<text>".to_string(),
        };
        for projection in &place.path {
            match projection {
                Projection::Member(record, number) => {
                    let members = &self.program.units[place.ty.unit].records[record.0].members;
                    let member = members.iter().flatten().nth(*number);
                    let name = member.and_then(|member| member.name.as_deref());
                    let _ = write!(out, ".{}", name.unwrap_or("<anonymous>"));
                }
                Projection::Element(value) => {
                    let _ = write!(out, "[{}]", self.value(*value));
                }
            }
        }
        out
    }
}

fn name(id: ValueId) -> String {
    format!("v{}", id.0)
}
