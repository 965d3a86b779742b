//! Which collective calls all ranks make together, and not those of each group for itself.
//!
//! In: a call. Out: whether its communicator surely has all ranks in it. That is so where the program makes no communicator of a part
//! of the ranks, and otherwise where the call names `MPI_COMM_WORLD`, or a variable that holds nothing else.
//!
//! ```text
//! MPI_Allreduce(&mine, &most, …, MPI_COMM_WORLD);      `most` is the same on all ranks
//! MPI_Allreduce(&mine, &most, …, row);                 the same in each row, and another one in the next
//! ```
//!
//! Errors fall on the side of a part.

use crate::analysis::memory::ObjectKind;
use crate::analysis::points_to::PointsTo;
use crate::analysis::unknown::{mentioned_functions, silent_functions};
use crate::catalog::{Catalogue, EffectKind, LibraryFunction, Root};
use crate::dataflow::steps::{Call, RoutineId, Steps};
use crate::program::Program;

/// Those whose communicator has the ranks that the one it is made of has.
const OF_THE_SAME: [&str; 8] = [
    "MPI_Comm_dup",
    "MPI_Comm_dup_with_info",
    "MPI_Comm_idup",
    "MPI_Comm_idup_with_info",
    "MPI_Cart_create",
    "MPI_Graph_create",
    "MPI_Dist_graph_create",
    "MPI_Dist_graph_create_adjacent",
];
/// What `MPI_COMM_WORLD` is: a variable, or a number.
const WORLD: [&str; 2] = ["ompi_mpi_comm_world", "0x44000000"];
const SELF: [&str; 2] = ["ompi_mpi_comm_self", "0x44000001"];

/// The communicators of a program.
pub struct Everybody<'a> {
    program: &'a Program,
    steps: &'a Steps,
    points_to: &'a PointsTo,
    /// Some have a part of the ranks only, or nobody knows.
    has_parts: bool,
}

impl<'a> Everybody<'a> {
    /// Looks at a program.
    pub fn of(
        program: &'a Program,
        steps: &'a Steps,
        points_to: &'a PointsTo,
        catalogue: &Catalogue,
    ) -> Everybody<'a> {
        let silent = silent_functions(program, catalogue);
        let makes_part = |name: &str| {
            let spelt = name.strip_prefix("PMPI_").unwrap_or_default();
            let is_same = OF_THE_SAME.iter().any(|one| {
                let bare = one.strip_prefix("MPI_");
                *one == name || bare == Some(spelt)
            });
            match catalogue.find(name) {
                Some(function) => !is_same && makes_communicator(&function),
                None => !name.starts_with("__builtin") && !silent.contains(name),
            }
        };
        Everybody {
            program,
            steps,
            points_to,
            has_parts: !mentioned_functions(program, &makes_part).is_empty(),
        }
    }

    /// Whether all ranks make a call of the library together, if they make it at all.
    pub fn make(&self, routine: RoutineId, call: &Call, function: &LibraryFunction) -> bool {
        let at = function.parameters.iter().position(|name| name == "comm");
        let Some(argument) = at.and_then(|at| call.arguments.get(at)) else {
            return true;
        };
        let unit = self.steps.routine(routine).function.unit;
        let file = &self.program.units[unit].file;
        let text = file.preprocessed_text(argument.span);
        let is_written = |[_, number]: [&str; 2]| text.contains(number);
        let targets = self.points_to.targets(routine, argument.value);
        let memory = &self.points_to.memory;
        let name = |object| match &memory.objects[object as usize].kind {
            ObjectKind::Variable(variable) => self.steps.variable(*variable).name.as_str(),
            _ => "",
        };
        let names = targets.map(|cell| name(memory.cells[cell.0 as usize].object.0));
        let names: Vec<&str> = names.collect();
        if is_written(SELF) || names.contains(&SELF[0]) {
            return false;
        }
        let is_world = !names.is_empty() && names.iter().all(|name| *name == WORLD[0]);
        !self.has_parts || is_written(WORLD) || is_world
    }
}

/// Whether a function makes a communicator.
fn makes_communicator(function: &LibraryFunction) -> bool {
    function.effects.iter().any(|effect| {
        let made = match effect.place.root {
            Root::Parameter(at) => function.parameters.get(at).map(String::as_str),
            _ => None,
        };
        let is_communicator =
            |name: &str| name == "parent" || name.contains("comm") && !name.ends_with("keyval");
        effect.kind == EffectKind::Creates && made.is_some_and(is_communicator)
    })
}
