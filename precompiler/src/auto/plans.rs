//! Plans of FFTW, which blocks make again.
//!
//! A plan that is estimated is the same each time (FFTW reference, 4.3.2). One that is measured depends on how busy the
//! machine was: two undisturbed runs differ in the last bits of their results already, and so may a restarted one.
//!
//! A plan holds the addresses of its arrays. When pointers to them change places, nobody knows which array came back where. That
//! does not matter where every plan is executed on arrays that the call names (`fftw_execute_dft(plan, in, out)`): FFTW wants them
//! aligned as those of the plan, and blocks come back aligned as the C library aligns them.

use std::collections::{BTreeMap, HashSet};

use super::proposal::Proposal;
use super::spots::Chain;
use crate::analysis::effects::{buffers, moved};
use crate::analysis::memory::CellId;
use crate::analysis::unknown::mentioned_functions;
use crate::analysis::{Analysed, Finding};
use crate::dataflow::steps::{Called, RoutineId};
use crate::diagnostic::Code;
use crate::program::StatementId;

/// The types of plans.
const PLANS: [&str; 3] = ["fftw_plan", "fftwf_plan", "fftwl_plan"];

/// The setting that has the name of a plan.
const WITH_THREADS: &str = "plan_with_nthreads";

/// What changes the plans that are made afterwards.
const PLANNER: [&str; 9] = [
    "init_threads",
    WITH_THREADS,
    "make_planner_thread_safe",
    "threads_set_callback",
    "set_timelimit",
    "import_wisdom_from_filename",
    "import_wisdom_from_string",
    "import_system_wisdom",
    "forget_wisdom",
];

/// Where the catalogue says that FFTW keeps the arrays of plans.
const STATE: &str = "plans";

/// `FFTW_ESTIMATE`
const ESTIMATE: i128 = 1 << 6;

/// Whether an array of some plan may come back in the place of another one: a pointer brings it that is live at a
/// checkpoint, and may lead to others.
pub(super) fn arrays_move(facts: &Analysed) -> bool {
    let mut made = Vec::new();
    for routine in facts.steps.routine_ids() {
        for (_, call) in facts.calls(routine) {
            if let Called::Named(name) = &call.callee
                && makes_plan(name)
            {
                made.push((routine, name, call));
            }
        }
    }
    if made.is_empty() || !uses_own_arrays(facts) {
        return false;
    }
    let checkpoints = facts.liveness.checkpoints().iter();
    let live: HashSet<CellId> = checkpoints.flat_map(|one| one.everywhere()).collect();
    made.into_iter().any(|(routine, name, call)| {
        facts.catalogue.find(name).is_none_or(|function| {
            let arrays = buffers(facts.points_to, routine, call, &function);
            !moved(facts.points_to, &arrays, STATE, |cell| live.contains(&cell)).is_empty()
        })
    })
}

/// Whether something may execute a plan on the arrays for which it was made.
fn uses_own_arrays(facts: &Analysed) -> bool {
    let executes = |name: &str| of_fftw(name) == Some("execute") || !facts.catalogue.contains(name);
    !mentioned_functions(facts.program, &executes).is_empty()
}

/// Whether a cell holds a plan.
pub(super) fn is_plan(facts: &Analysed, cell: CellId) -> bool {
    let name = facts.handle_in(cell);
    name.is_some_and(|name| PLANS.contains(&name.as_str()))
}

/// Warns of plans in new blocks that are not known to be estimated.
pub(super) fn measured(
    facts: &Analysed,
    routine: RoutineId,
    statements: &BTreeMap<StatementId, Chain>,
    proposal: &mut Proposal,
) {
    let unit = facts.unit_index(routine);
    let file = &facts.program.units[unit].file;
    for (place, call) in facts.calls(routine) {
        let is_plan = matches!(&call.callee, Called::Named(name) if makes_plan(name));
        let is_new = statements.values().any(|chain| {
            let span = chain.innermost().span;
            span.start <= place.span.start && place.span.end <= span.end
        });
        if !is_plan || !is_new {
            continue;
        }
        // The flags are the last argument of every function that makes a plan.
        let flags = call.arguments.last().and_then(|flags| {
            let values = &facts.steps.routine(routine).values;
            values[flags.value.0 as usize].constant
        });
        if flags.is_some_and(|flags| flags & ESTIMATE != 0) {
            continue;
        }
        let finding = Finding::warning(
            Code::AUTO_MEASURED,
            "a restart makes this plan again, and it may become another one",
        )
        .at(file.message_place(place.span), place.span)
        .label("not known to be made with FFTW_ESTIMATE")
        .reason("FFTW measures what is fastest, which differs from run to run, and with it the last bits of the results")
        .help("nothing has to be done when results may differ that much between two undisturbed runs, too; otherwise use FFTW_ESTIMATE");
        proposal.findings.push((unit, finding));
    }
}

fn makes_plan(name: &str) -> bool {
    of_fftw(name).is_some_and(|name| name.starts_with("plan_") && name != WITH_THREADS)
}

/// Whether a function sets what the planner goes by.
pub(super) fn sets_planner(name: &str) -> bool {
    of_fftw(name).is_some_and(|name| PLANNER.contains(&name))
}

/// The name without the precision.
fn of_fftw(name: &str) -> Option<&str> {
    let mut prefixes = ["fftw_", "fftwf_", "fftwl_"].iter();
    prefixes.find_map(|prefix| name.strip_prefix(prefix))
}
