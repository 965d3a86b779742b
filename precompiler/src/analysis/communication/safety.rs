//! The answer for a place, from the runs for all numbers of ranks.

use super::budget::Budget;
use super::communicators::Communicators;
use super::library::Library;
use super::messages::Messages;
use super::model::{Ranks, Safety};
use super::parallel::Parallel;
use super::run::{Known, Question, Run, Trouble};
use super::state::State;
use super::traffic::Traffic;
use super::value::Terms;
use super::varying::Varying;
use crate::analysis::effects::{self, Effects};
use crate::analysis::locks;
use crate::analysis::points_to::PointsTo;
use crate::analysis::unfinished::Unfinished;
use crate::analysis::uniform::{Cause, Uniform};
use crate::catalog::Catalogue;
use crate::dataflow::steps::{RoutineId, Steps, TextPlace};
use crate::dataflow::{Control, NodeId};
use crate::program::Program;
use crate::solver::closure;
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The numbers of ranks that are tried: enough for what holds for all of them to hold for all others, as long as ranks
/// depend on each other in a way that only knows neighbours, both ends, odd and even.
const COUNTS: [u32; 19] = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 24, 27, 32,
];
/// The last one that is tried when every rank has to be tried as the one that is meant by a number from outside.
const LAST_ASKED: u32 = 12;
/// So many numbers of ranks have to be followed at least.
const LEAST: usize = 4;
/// A program that wants more ranks than that is one for some numbers only.
const FEW: usize = 3;
/// Runs for one number of ranks, with different answers to questions.
const RUNS: usize = 900;

/// What is known of the messages of a program.
pub struct Communication<'a> {
    program: &'a Program,
    steps: &'a Steps,
    parallel: Parallel,
    /// Which places all threads of a team pass equally often; none without regions.
    uniform: Option<Uniform<'a>>,
    unfinished: Unfinished<'a>,
    /// What several threads of a team call that communicates.
    by_team: Option<(String, TextPlace)>,
    /// None for a program without messages.
    found: Option<BTreeMap<(RoutineId, usize), Safety>>,
    /// There were too many possibilities.
    gave_up: bool,
}

/// Threads may pass a place differently often.
fn apart(cause: &Cause, is_served: bool) -> Safety {
    let what = match &cause.variable {
        Some(name) => format!("`{name}` decides about it, and "),
        None => String::new(),
    };
    let mut places = vec![cause.place];
    if cause.origin != cause.place {
        places.push(cause.origin);
    }
    let why = format!(
        "Some threads of the team may pass it more often than others: {what}{}.",
        cause.why
    );
    match is_served {
        true => Safety::Unequal { why, places },
        false => Safety::Unsafe {
            why,
            places,
            is_certain: true,
        },
    }
}

/// What all runs together say of a place.
#[derive(Default)]
struct Judgement {
    good: Vec<u32>,
    /// Nothing is wrong but that ranks may iterate a loop differently often.
    apart: Option<Trouble>,
    trouble: Option<Trouble>,
}

impl<'a> Communication<'a> {
    /// Looks at a program.
    pub fn of(
        program: &'a Program,
        steps: &'a Steps,
        points_to: &'a PointsTo,
        effects: &'a Effects,
        catalogue: &'a Catalogue,
        control: &'a Control<'a>,
    ) -> Communication<'a> {
        let parallel = Parallel::of(program, steps, points_to, effects);
        let look = || Uniform::of(program, steps, points_to, effects, catalogue);
        let mut communication = Communication {
            steps,
            uniform: parallel.has_regions().then(look),
            program,
            unfinished: Unfinished::of(program, steps, points_to, catalogue),
            parallel,
            by_team: None,
            found: None,
            gave_up: false,
        };
        let mut library = Library::of(program, steps, points_to, effects, catalogue);
        let traffic = Traffic::of(program, steps, points_to, effects, &mut library);
        if traffic.busy.is_empty() {
            return communication;
        }
        communication.by_team = traffic.by_team.clone();
        let varying = Varying::of(steps, points_to, effects, &library);
        let known = Known {
            steps,
            points_to,
            effects,
            traffic: &traffic,
            varying: &varying,
        };
        let (judged, is_wild, tried) = match effects.main {
            Some(main) => judge(known, &mut library, main),
            None => (BTreeMap::new(), true, 0),
        };
        communication.gave_up = judged.is_empty();
        let answering = Answering {
            control,
            known,
            is_wild,
            tried,
        };
        let judged = judged.into_iter();
        let answers = judged.map(|(place, found)| (place, answering.answer(found)));
        communication.found = Some(answers.collect());
        communication
    }

    /// Whether a checkpoint may be taken when control is just before this node: on all ranks, in every context.
    pub fn safety(&self, routine: RoutineId, node: NodeId) -> Safety {
        let span = self.steps.routine(routine).flow.nodes[node.0].span;
        self.safety_before(routine, node, Span::new(span.end, span.end))
    }

    /// The same before a statement that control enters by this node.
    pub fn safety_before(&self, routine: RoutineId, node: NodeId, statement: Span) -> Safety {
        let span = self.steps.routine(routine).flow.nodes[node.0].span;
        let place = TextPlace {
            unit: self.steps.routine(routine).function.unit,
            span,
        };
        let around = (span, statement);
        if let Some(found) = (self.parallel).around(self.steps, routine, around, true) {
            return Safety::Unsafe {
                why: found.why,
                places: vec![found.place],
                is_certain: true,
            };
        }
        let around = (self.parallel).around(self.steps, routine, around, false);
        let in_team = around.map(|_| self.safety_in_team(routine, node, statement));
        let Some(found) = &self.found else {
            let alone = || Safety::always("there are no messages and only one thread");
            return in_team.unwrap_or_else(alone);
        };
        let messages = found.get(&(routine, node.0)).cloned();
        let messages = messages.unwrap_or_else(|| Safety::Unsafe {
            why: if self.gave_up {
                "There are too many possibilities to follow the messages of this program."
            } else {
                "How control comes here from `main` is not understood."
            }
            .to_string(),
            places: vec![place],
            is_certain: !self.gave_up,
        });
        match (messages, in_team) {
            (Safety::Safe { .. }, Some(Safety::Unequal { why, places })) => Safety::Unsafe {
                why,
                places,
                is_certain: true,
            },
            (Safety::Safe { .. }, Some(left @ Safety::Unsafe { .. })) => left,
            (messages, _) => messages,
        }
    }

    /// Whether all threads of a team may stop at a place together.
    fn safety_in_team(&self, routine: RoutineId, node: NodeId, statement: Span) -> Safety {
        let certainly_unsafe = |why: &str, places| Safety::Unsafe {
            why: why.to_string(),
            places,
            is_certain: true,
        };
        if let Some((name, place)) = &self.by_team {
            let why = format!(
                "Several threads of a team may call `{name}`, each for itself, so the order of messages is not known; where one \
                 thread does so, write `#pragma omp master` or `single` before it."
            );
            return certainly_unsafe(&why, vec![*place]);
        }
        let held = self.unfinished.locks_at(routine, node);
        // Where the library notes who holds a lock, he holds it after a restart.
        if !{ held.iter() }.all(|place| locks::is_noted(self.program, *place)) {
            return certainly_unsafe("A thread may hold a lock here.", held);
        }
        let tasks = self.unfinished.tasks_at(routine, node);
        if !tasks.is_empty() {
            return certainly_unsafe("Tasks may be unfinished here.", tasks);
        }
        let span = self.steps.routine(routine).flow.nodes[node.0].span;
        let uniform = self.uniform.as_ref();
        match uniform.and_then(|one| one.why_not(routine, span, statement)) {
            None => {
                let why =
                    "there are no messages, and all threads of the team pass it equally often";
                Safety::always(why)
            }
            Some(cause) => {
                let is_served =
                    uniform.is_some_and(|one| one.why_never(routine, span, statement).is_none());
                apart(&cause, is_served)
            }
        }
    }
}

/// Tries all numbers of ranks. True beside the result: nothing follows for others; and how many were tried. What has not been followed to its end
/// says nothing, because a place that no run comes to is not safe.
fn judge<'a>(
    known: Known<'a>,
    library: &mut Library<'a>,
    main: RoutineId,
) -> (BTreeMap<(RoutineId, usize), Judgement>, bool, usize) {
    let mut all: BTreeMap<(RoutineId, usize), Judgement> = BTreeMap::new();
    let mut is_wild = false;
    let mut is_asked = false;
    let mut tried = 0;
    let mut budget = Budget::new();
    for count in COUNTS {
        if is_asked && count > LAST_ASKED {
            break;
        }
        let Some((verdicts, wild, asked)) =
            count_of_ranks(known, library, main, count, &mut budget)
        else {
            if tried < LEAST {
                return (BTreeMap::new(), true, 0);
            }
            // Too many possibilities from here on: nothing follows for these numbers.
            is_wild = true;
            break;
        };
        tried += 1;
        is_wild |= wild;
        is_asked |= asked;
        for (place, verdict) in verdicts {
            let judgement = all.entry(place).or_default();
            match verdict {
                None => judgement.good.push(count),
                Some(apart) if apart.apart_in.is_some() => {
                    judgement.good.push(count);
                    Trouble::add(&mut judgement.apart, Some(apart));
                }
                Some(trouble) => {
                    Trouble::add(&mut judgement.trouble, Some(trouble));
                }
            }
        }
    }
    (all, is_wild, tried)
}

/// What was found at places: none where all is well.
type Verdicts = BTreeMap<(RoutineId, usize), Option<Trouble>>;

fn count_of_ranks<'a>(
    known: Known<'a>,
    library: &mut Library<'a>,
    main: RoutineId,
    count: u32,
    budget: &mut Budget,
) -> Option<(Verdicts, bool, bool)> {
    let mut is_asked = false;
    let ranks = count as usize;
    let mut all: Verdicts = BTreeMap::new();
    let mut is_wild = false;
    let mut work: Vec<BTreeMap<Question, i64>> = vec![BTreeMap::new()];
    let mut runs = 0;
    while let Some(assumed) = work.pop() {
        runs += 1;
        let mut run = Run {
            known,
            library,
            ranks,
            terms: Terms::default(),
            communicators: Communicators::new(ranks),
            messages: Messages::default(),
            trouble: None,
            ended: None,
            is_wild: false,
            has_begun: false,
            assumed: &assumed,
            question: None,
            results: 0,
            verdicts: BTreeMap::new(),
            contexts: BTreeMap::new(),
            condemned: BTreeSet::new(),
            stack: vec![main],
            budget: budget.of_next_run(),
            quiet: 0,
        };
        let mut state = State::new(ranks);
        let _ = run.body(main, &mut state);
        *budget = run.budget;
        if let Some((question, answers)) = run.question.clone()
            && runs + work.len() + answers.len() < RUNS
        {
            is_asked |= matches!(question, Question::Term(_));
            for answer in answers {
                let mut more = assumed.clone();
                more.insert(question, answer);
                work.push(more);
            }
            continue;
        }
        if run.question.is_some() || run.budget.is_spent() {
            return None;
        }
        is_wild |= run.is_wild;
        let contexts = std::mem::take(&mut run.contexts);
        for (place, verdict) in std::mem::take(&mut run.verdicts) {
            Trouble::add(all.entry(place).or_default(), verdict);
        }
        in_context(known, ranks, contexts, &mut all);
    }
    Some((all, is_wild, is_asked))
}

/// Places in functions that do not communicate: as where they are called.
fn in_context(
    known: Known<'_>,
    ranks: usize,
    contexts: BTreeMap<RoutineId, Option<Trouble>>,
    all: &mut Verdicts,
) {
    let calls = effects::calls(&known.effects.bodies);
    let mut found: BTreeMap<RoutineId, Option<Trouble>> = BTreeMap::new();
    let (troubled, fine): (Vec<_>, Vec<_>) = contexts
        .into_iter()
        .rev()
        .partition(|(_, trouble)| trouble.is_some());
    let is_quiet = |one: &RoutineId| !known.traffic.busy.contains(one);
    for (first, trouble) in troubled.into_iter().chain(fine) {
        let all = closure(Some(first).filter(is_quiet), |routine, open| {
            if !found.contains_key(&routine) {
                open.extend(calls[routine.0 as usize].iter().copied().filter(is_quiet));
            }
        });
        for routine in all.collect::<Vec<_>>() {
            found.entry(routine).or_insert_with(|| trouble.clone());
        }
    }
    for (routine, trouble) in found {
        let unit = known.steps.routine(routine).function.unit;
        let nodes = &known.steps.routine(routine).flow.nodes;
        for (number, node) in nodes.iter().enumerate() {
            let parted = ranks > 1
                && (known.varying.parted[routine.0 as usize][number]
                    || known.varying.is_called_apart(routine));
            let here = trouble.clone().or_else(|| {
                parted.then(|| {
                    let why = "Some ranks may pass this place more often than others.";
                    let span = node.span;
                    Trouble::at(why, TextPlace { unit, span })
                })
            });
            Trouble::add(all.entry((routine, number)).or_default(), here);
        }
    }
}

/// What follows from all runs.
struct Answering<'a> {
    known: Known<'a>,
    /// Where control may go.
    control: &'a Control<'a>,
    /// Nothing follows for numbers of ranks that were not tried.
    is_wild: bool,
    /// How many were tried.
    tried: usize,
}

impl Answering<'_> {
    fn answer(&self, judgement: Judgement) -> Safety {
        let Judgement {
            good,
            apart,
            trouble,
        } = judgement;
        let apart = apart.map(|apart| match self.is_entered_once(&apart) {
            true => apart,
            false => Trouble {
                why: format!(
                    "{} It would have to be entered once in a run, and nothing may communicate in it.",
                    apart.why
                ),
                apart_in: None,
                ..apart
            },
        });
        let is_certain = [&apart, &trouble]
            .into_iter()
            .flatten()
            .any(|one| one.is_certain);
        let worst = match (&apart, &trouble) {
            (Some(apart), _) if apart.apart_in.is_none() => Some(apart),
            (_, trouble) => trouble.as_ref(),
        };
        if let Some(trouble) = worst {
            let is_apart = apart.as_ref().is_some_and(|one| one.apart_in.is_none());
            // With one rank there is nobody to send to.
            if is_apart || good.iter().all(|count| *count == 1) {
                return Safety::Unsafe {
                    why: trouble.why.clone(),
                    places: trouble.places.clone(),
                    is_certain,
                };
            }
        }
        // A place that no run comes to is not safe. Some programs want a few ranks at least, and end otherwise.
        let tried = &COUNTS[..self.tried];
        let is_met = tried.ends_with(&good) && tried.len() - good.len() <= FEW;
        if trouble.is_none() && !is_met && good.iter().all(|count| *count == 1) {
            return Safety::Unsafe {
                why: "With more than one rank control does not come here, or some ranks have ended before.".to_string(),
                places: Vec::new(),
                is_certain: false,
            };
        }
        let one = good.first() == Some(&1);
        let even = COUNTS.iter().filter(|count| *count % 2 == 0);
        let ranks = match (self.is_wild, &trouble) {
            (false, None) if is_met => Ranks::All,
            (false, _) if even.eq(good[usize::from(one)..].iter()) => Ranks::Even { one },
            _ => Ranks::These(good),
        };
        let is_alone = apart.is_some();
        let why = match is_alone {
            false => {
                "all ranks pass it equally often, and every message before it has been received"
            }
            true => {
                "the ranks do not communicate in this loop, which is entered once, and every message before it has been received; \
                 so it does not matter that they may iterate it differently often"
            }
        };
        Safety::Safe {
            ranks,
            is_alone,
            why: why.to_string(),
        }
    }

    /// Whether the loop that ranks iterate differently often is entered once in a run, and nothing that might communicate
    /// or end the program happens in it.
    fn is_entered_once(&self, apart: &Trouble) -> bool {
        let Some((routine, span)) = apart.apart_in else {
            return false;
        };
        let view = &self.known.traffic.views[routine.0 as usize];
        let is_quiet = |node: usize| !view.busy[node] && !view.blind[node] && !view.quits[node];
        let behind = self.control.behind(routine, span);
        let mut nodes = view.nodes_in(span).peekable();
        nodes.peek().is_some()
            && nodes.all(|node| is_quiet(node) && !behind.has_node(routine, node))
    }
}
