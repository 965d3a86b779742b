//! From the program's picture to steps.

use super::model::{Routine, Steps, VariableId};
use super::variables;
use crate::catalog::Catalogue;
use crate::dataflow::{Flow, FunctionRef};
use crate::program::{FunctionId, Program};

/// All of a program.
pub(super) fn program(program: &Program, catalogue: &Catalogue) -> Steps {
    let mut steps = Steps::default();
    variables::collect(program, &mut steps);
    for (unit, one) in program.units.iter().enumerate() {
        for (index, function) in one.functions.iter().enumerate() {
            let flow = Flow::of(function, catalogue);
            let parameters: Vec<VariableId> = function
                .parameters
                .iter()
                .filter_map(|symbol| steps.variable_of(unit, *symbol))
                .collect();
            steps.routines.push(Routine {
                function: FunctionRef {
                    unit,
                    function: FunctionId(index),
                },
                name: function.name.clone(),
                nodes: vec![Vec::new(); flow.nodes.len()],
                flow,
                parameters,
                variable_arguments: None,
                values: Vec::new(),
            });
        }
        steps.initial.push(Routine {
            function: FunctionRef {
                unit,
                function: FunctionId(0),
            },
            name: "<initialisers>".to_string(),
            flow: Flow { nodes: Vec::new() },
            nodes: Vec::new(),
            parameters: Vec::new(),
            variable_arguments: None,
            values: Vec::new(),
        });
    }
    steps
}
