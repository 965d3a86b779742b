//! Where control may go in the whole program: the flow graphs of all functions, and the calls that join them.
//!
//! In: flow graphs and calls, as whoever asks knows them. Out: for a place, all to which control may come after it, or
//! from which it may come there. All questions of this kind have this one meaning:
//!
//! ```text
//! void f() { a; g(); b; }     after a: all of g, and b; before b: a, and all of g from where it returns
//! void h() { f(); c; }        after b: c, and whatever else comes behind a call of f; before a: what comes before these calls
//! ```
//!
//! * What is called comes back to where it was called from; only the function of the place itself, and those that call
//!   it, come back to all that call them.
//! * In a node everything may follow everything else, but a place follows itself only when it is in a cycle, or when the
//!   call that leads to it may be made again where it stands.
//! * What runs beside the program runs before and after everything, and what runs at its end after everything.
//! * Where somebody jumps out of functions these may be left anywhere.
//!
//! Errors fall on the side of more places. Not here: values; ways on which calls and returns do not fit, further up than
//! one call.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};

use super::graph::{Flow, NodeId};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use super::steps::RoutineId;
use crate::solver::{closure, closure_of};
use crate::source::Span;

/// A call of a function of the program.
#[derive(Clone, Copy, Debug)]
pub struct ControlCall {
    /// The function in which it stands.
    pub caller: RoutineId,
    /// Where: an offset in the preprocessed text, and the node there, if that is known.
    pub place: usize,
    /// See `place`.
    pub node: Option<NodeId>,
    /// What it may lead to.
    pub callee: RoutineId,
    /// It may be made several times before control goes on.
    pub is_repeated: bool,
}

/// The flow graphs and the calls.
#[derive(Debug, Default)]
pub struct Control<'a> {
    flows: Vec<&'a Flow>,
    calls: Vec<ControlCall>,
    /// Calls by where they stand, and by what they call.
    made: HashMap<(RoutineId, usize), Vec<usize>>,
    callers: HashMap<RoutineId, Vec<usize>>,
    others: Others,
    jumps: bool,
    previous: Vec<OnceCell<Vec<Vec<usize>>>>,
    /// How many nodes the functions before each have; the last one is the number of all.
    first_nodes: Vec<usize>,
}

/// Functions that run without being called by what is seen.
#[derive(Clone, Debug, Default)]
pub struct Others {
    /// Beside the program: handlers of signals, and other threads.
    pub beside: Vec<RoutineId>,
    /// When code that is not seen calls them.
    pub outside: Vec<RoutineId>,
    /// At the end of the program.
    pub at_end: Vec<RoutineId>,
}

/// In which direction one looks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    After,
    Before,
}

/// Where a search does not go on.
#[derive(Clone, Copy)]
enum Without {
    Routine(RoutineId),
    Node(RoutineId, usize),
}

/// What is found on the way.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Found {
    /// A node; or, where the function of the place is left, one from which control goes on in all that call its function.
    Node(RoutineId, usize, bool),
    /// A place in a node: what else is in it, and what comes next.
    Place(RoutineId, usize, usize),
    /// The calls of a function.
    Calls(RoutineId),
    /// Anything.
    Everything,
}

/// Where control may come to, or come from.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    nodes: HashMap<RoutineId, Vec<bool>>,
    places: HashMap<RoutineId, HashMap<usize, Vec<usize>>>,
    is_everything: bool,
}

/// For each of some places, from where control may come there, and to where it may come from there.
#[derive(Clone, Debug)]
pub struct RoundTrips(Vec<(Reached, Reached)>);

impl<'a> Control<'a> {
    /// The flow graphs of functions in the order of their numbers, the calls among them, and what else runs.
    pub fn of(flows: Vec<&'a Flow>, calls: Vec<ControlCall>, others: Others) -> Control<'a> {
        let mut control = Control {
            previous: flows.iter().map(|_| OnceCell::new()).collect(),
            jumps: flows.iter().any(|flow| flow.returns_twice),
            first_nodes: std::iter::once(0)
                .chain(flows.iter().scan(0, |sum, flow| {
                    *sum += flow.nodes.len();
                    Some(*sum)
                }))
                .collect(),
            flows,
            others,
            ..Control::default()
        };
        for (number, call) in calls.iter().enumerate() {
            if let Some(node) = call.node {
                let made = control.made.entry((call.caller, node.0)).or_default();
                made.push(number);
            }
            let callers = control.callers.entry(call.callee).or_default();
            callers.push(number);
        }
        control.calls = calls;
        control
    }

    /// The same calls where control goes other ways through the functions: flow graphs with the same nodes.
    pub fn along<'b>(&self, flows: Vec<&'b Flow>) -> Control<'b> {
        Control::of(flows, self.calls.clone(), self.others.clone())
    }

    fn flow(&self, routine: RoutineId) -> &'a Flow {
        self.flows[routine.0 as usize]
    }

    /// To where control may come after it has been at one of these places.
    pub fn after(&self, places: impl IntoIterator<Item = (RoutineId, usize)>) -> Reached {
        let places = places.into_iter().flat_map(|place| self.place(place));
        self.search(Direction::After, places)
    }

    /// The same for one place, as far as the calls that are seen lead there and control does not come to another place.
    pub fn after_without(
        &self,
        place: (RoutineId, usize),
        (routine, other): (RoutineId, usize),
    ) -> Reached {
        let without = self.flow(routine).node_at(other);
        let without = without.map(|node| Without::Node(routine, node.0));
        self.follow_without(Direction::After, self.place(place), without)
    }

    /// From where control may come to one of these places.
    pub fn before(&self, places: impl IntoIterator<Item = (RoutineId, usize)>) -> Reached {
        let places = places.into_iter().flat_map(|place| self.place(place));
        self.search(Direction::Before, places)
    }

    /// The same as far as the calls that are seen lead there, without what else runs at any time.
    pub fn leading_to(&self, places: impl IntoIterator<Item = (RoutineId, usize)>) -> Reached {
        let places = places.into_iter().flat_map(|place| self.place(place));
        self.follow(Direction::Before, places)
    }

    /// The ways from any place over one of these and back again.
    pub fn round_trips(&self, over: impl IntoIterator<Item = (RoutineId, usize)>) -> RoundTrips {
        let over = over.into_iter();
        RoundTrips(
            over.map(|one| (self.before([one]), self.after([one])))
                .collect(),
        )
    }

    /// Whether control may come from a place over one of those and back again.
    pub fn comes_back(&self, trips: &RoundTrips, (routine, place): (RoutineId, usize)) -> bool {
        let mut trips = trips.0.iter();
        trips.any(|(to, from)| self.has(to, routine, place) && self.has(from, routine, place))
    }

    /// To where control may come when it has left a part of a function's text.
    pub fn behind(&self, routine: RoutineId, part: Span) -> Reached {
        let flow = self.flow(routine);
        let is_inside = |node: usize| {
            flow.nodes[node].statement.is_some() && part.contains(flow.nodes[node].span)
        };
        let inside = (0..flow.nodes.len()).filter(|node| is_inside(*node));
        let out = inside.flat_map(|node| flow.next(node).filter(|to| !is_inside(*to)));
        let first = out.map(|node| Found::Node(routine, node, true));
        self.search(Direction::After, first)
    }

    /// To where control may come when it has left a node.
    pub fn behind_node(&self, routine: RoutineId, node: usize) -> Reached {
        let next = self.flow(routine).next(node);
        let first = next.map(|node| Found::Node(routine, node, true));
        self.search(Direction::After, first)
    }

    /// To where control may come that begins with these functions, as far as the calls that are seen lead there.
    pub fn within(&self, routines: impl IntoIterator<Item = RoutineId>) -> Reached {
        let entry = |routine| Found::Node(routine, Flow::ENTRY.0, false);
        self.follow(Direction::After, routines.into_iter().map(entry))
    }

    /// Whether the calls that are seen lead to a function a second time.
    pub fn runs_again(&self, routine: RoutineId) -> bool {
        let next = self.flow(routine).next(Flow::ENTRY.0);
        let first = next.map(|node| Found::Node(routine, node, true));
        let again = self.follow(Direction::After, first);
        again.has_node(routine, Flow::ENTRY.0)
    }

    /// Whether one chain of calls leads to a function, and nothing but what is seen.
    pub fn is_called_one_way(&self, routine: RoutineId) -> bool {
        let mut below = BTreeSet::new();
        let mut one = routine;
        while below.insert(one) {
            match self.callers.get(&one).map(|all| &all[..]) {
                None | Some([]) => return !self.runs_unseen(routine),
                Some([only]) if !self.calls[*only].is_repeated => one = self.calls[*only].caller,
                Some(_) => return false,
            }
        }
        false
    }

    /// Whether a function may run beside the program, or called by code that is not seen.
    pub fn runs_unseen(&self, routine: RoutineId) -> bool {
        let mut chains = closure([routine], |one, open| {
            let calls = self.callers.get(&one).into_iter().flatten();
            open.extend(calls.map(|call| self.calls[*call].caller));
        });
        let (beside, outside) = (&self.others.beside, &self.others.outside);
        chains.any(|one| beside.contains(&one) || outside.contains(&one))
    }

    /// To where control may come when a function is over, as far as the calls that are seen lead there. Of a function that is called at
    /// one place only, without what it does itself when that place calls it again: it is not over then.
    pub fn when_over(&self, routine: RoutineId) -> Reached {
        let is_called_once = match self.callers.get(&routine).map(|all| &all[..]) {
            Some([only]) => {
                let call = self.calls[*only];
                !call.is_repeated && !self.runs_again(call.caller)
            }
            _ => false,
        };
        let without = is_called_once.then_some(Without::Routine(routine));
        self.follow_without(Direction::After, [Found::Calls(routine)], without)
    }

    /// What a search begins with at a place.
    fn place(&self, (routine, place): (RoutineId, usize)) -> Vec<Found> {
        match self.flow(routine).node_at(place) {
            Some(node) => vec![Found::Place(routine, node.0, place)],
            None => self.whole(routine, true).collect(),
        }
    }

    fn whole(&self, routine: RoutineId, is_left: bool) -> impl Iterator<Item = Found> + use<> {
        (0..self.flow(routine).nodes.len()).map(move |node| Found::Node(routine, node, is_left))
    }

    fn search(&self, direction: Direction, first: impl IntoIterator<Item = Found>) -> Reached {
        let mut first: Vec<Found> = first.into_iter().collect();
        first.extend(self.others_first(direction));
        self.follow(direction, first)
    }

    /// What may run at any time may run after everything and before everything.
    fn others_first(&self, direction: Direction) -> Vec<Found> {
        let mut first = Vec::new();
        for &routine in &self.others.beside {
            first.extend(self.whole(routine, false));
        }
        let at = |node: NodeId| move |one: &RoutineId| Found::Node(*one, node.0, false);
        match direction {
            Direction::After => {
                let others = self.others.outside.iter().chain(&self.others.at_end);
                first.extend(others.map(at(Flow::ENTRY)));
            }
            Direction::Before => first.extend(self.others.outside.iter().map(at(Flow::EXIT))),
        }
        first
    }

    fn follow(&self, direction: Direction, first: impl IntoIterator<Item = Found>) -> Reached {
        self.follow_without(direction, first, None)
    }

    fn follow_without(
        &self,
        direction: Direction,
        first: impl IntoIterator<Item = Found>,
        without: Option<Without>,
    ) -> Reached {
        let mut reached = Reached::default();
        let is_left_out = |found: &Found| match (found, without) {
            (
                Found::Node(routine, ..) | Found::Place(routine, ..),
                Some(Without::Routine(without)),
            ) => *routine == without,
            // A place in that node may lie behind it.
            (Found::Node(routine, node, _), Some(Without::Node(other, without))) => {
                (*routine, *node) == (other, without)
            }
            _ => false,
        };
        let mut nodes = FixedBitSet::with_capacity(2 * self.first_nodes.last().unwrap_or(&0));
        let mut others = FxHashSet::default();
        let is_new = |found: Found| match found {
            Found::Node(routine, node, is_left) => {
                let number = self.first_nodes[routine.0 as usize] + node;
                !nodes.put(2 * number + usize::from(is_left))
            }
            _ => others.insert(found),
        };
        let found = closure_of(first, is_new, |found, open| {
            if !is_left_out(&found) {
                self.next(direction, found, open);
            }
        });
        for found in found.into_iter().filter(|found| !is_left_out(found)) {
            match found {
                Found::Node(routine, node, _) => {
                    let count = self.flow(routine).nodes.len();
                    let nodes = reached.nodes.entry(routine);
                    nodes.or_insert_with(|| vec![false; count])[node] = true;
                }
                Found::Place(routine, node, place) => {
                    let nodes = reached.places.entry(routine).or_default();
                    nodes.entry(node).or_default().push(place);
                }
                Found::Calls(_) => {}
                Found::Everything => reached.is_everything = true,
            }
        }
        reached
    }

    /// What one thing leads to.
    fn next(&self, direction: Direction, found: Found, open: &mut Vec<Found>) {
        let (routine, node, place, is_left) = match found {
            Found::Node(routine, node, is_left) => (routine, node, None, is_left),
            Found::Place(routine, node, place) => (routine, node, Some(place), true),
            Found::Calls(routine) => return self.calls_of(direction, routine, open),
            Found::Everything => return,
        };
        let end = match direction {
            Direction::After => {
                let next = self.flow(routine).next(node);
                open.extend(next.map(|node| Found::Node(routine, node, is_left)));
                Flow::EXIT.0
            }
            Direction::Before => {
                let previous =
                    self.previous[routine.0 as usize].get_or_init(|| self.flow(routine).previous());
                let previous = previous[node].iter();
                open.extend(previous.map(|node| Found::Node(routine, *node, is_left)));
                Flow::ENTRY.0
            }
        };
        for call in self.made.get(&(routine, node)).into_iter().flatten() {
            let call = self.calls[*call];
            if place == Some(call.place) {
                continue;
            }
            match direction {
                Direction::After => open.push(Found::Node(call.callee, Flow::ENTRY.0, false)),
                Direction::Before if self.jumps => open.extend(self.whole(call.callee, false)),
                Direction::Before => open.push(Found::Node(call.callee, Flow::EXIT.0, false)),
            }
        }
        if is_left && (node == end || self.jumps) {
            open.push(Found::Calls(routine));
        }
    }

    /// Where a function is called, as places to which control comes back, or from which it has come.
    fn calls_of(&self, direction: Direction, routine: RoutineId, open: &mut Vec<Found>) {
        for call in self.callers.get(&routine).into_iter().flatten() {
            let call = self.calls[*call];
            match call.node {
                None => open.extend(self.whole(call.caller, true)),
                Some(node) if call.is_repeated => {
                    open.push(Found::Node(call.caller, node.0, true));
                }
                Some(node) => open.push(Found::Place(call.caller, node.0, call.place)),
            }
        }
        let Others {
            beside,
            outside,
            at_end,
        } = &self.others;
        let mut others = beside.iter().chain(outside).chain(at_end);
        if direction == Direction::Before && others.any(|one| *one == routine) {
            open.push(Found::Everything);
        }
    }

    /// Whether a place is among those reached.
    pub fn has(&self, reached: &Reached, routine: RoutineId, place: usize) -> bool {
        let nodes = reached.nodes.get(&routine);
        let places = reached.places.get(&routine);
        let Some(node) = self.flow(routine).node_at(place) else {
            return reached.is_everything || nodes.is_some() || places.is_some();
        };
        let others = places.and_then(|places| places.get(&node.0));
        reached.has_whole(routine, node.0)
            || others.is_some_and(|others| others.iter().any(|other| *other != place))
    }

    /// Whether a part of a function's text is among those reached.
    pub fn has_part(&self, reached: &Reached, routine: RoutineId, part: Span) -> bool {
        let nodes = self.flow(routine).nodes.iter().enumerate();
        let mut inside =
            nodes.filter(|(_, node)| node.statement.is_some() && part.contains(node.span));
        inside.any(|(number, _)| reached.has_node(routine, number))
    }

    /// The functions of which some place is reached.
    pub fn routines(&self, reached: &Reached) -> BTreeSet<RoutineId> {
        match reached.is_everything {
            true => (0..self.flows.len() as u32).map(RoutineId).collect(),
            false => {
                let places = reached.places.keys();
                reached.nodes.keys().chain(places).copied().collect()
            }
        }
    }
}

impl Reached {
    /// Whether a node is among those reached, or something in it.
    pub fn has_node(&self, routine: RoutineId, node: usize) -> bool {
        let places = self.places.get(&routine);
        self.has_whole(routine, node) || places.is_some_and(|places| places.contains_key(&node))
    }

    fn has_whole(&self, routine: RoutineId, node: usize) -> bool {
        let nodes = self.nodes.get(&routine);
        self.is_everything || nodes.is_some_and(|nodes| nodes[node])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataflow::mini::Mini;

    /// A program of functions that are called by their numbers, each with its names.
    struct Several {
        minis: Vec<Mini>,
        calls: Vec<(usize, &'static str, usize, bool)>,
    }

    impl Several {
        fn of(texts: &[&str], calls: &[(usize, &'static str, usize)]) -> Several {
            let calls = calls
                .iter()
                .map(|(caller, name, callee)| (*caller, *name, *callee, false));
            Several {
                minis: texts.iter().map(|text| Mini::new(text)).collect(),
                calls: calls.collect(),
            }
        }

        fn at(&self, (function, name): (usize, &str)) -> (RoutineId, usize) {
            (RoutineId(function as u32), self.minis[function].at(name))
        }

        /// What is asked of its control.
        fn ask<R>(&self, others: Others, ask: impl FnOnce(&Control) -> R) -> R {
            let flows: Vec<Flow> = self.minis.iter().map(Mini::flow).collect();
            let calls = self
                .calls
                .iter()
                .map(|(caller, name, callee, is_repeated)| {
                    let (id, place) = self.at((*caller, name));
                    ControlCall {
                        caller: id,
                        place,
                        node: flows[*caller].node_at(place),
                        callee: RoutineId(*callee as u32),
                        is_repeated: *is_repeated,
                    }
                });
            ask(&Control::of(
                flows.iter().collect(),
                calls.collect(),
                others,
            ))
        }

        /// Whether one place may follow another, asked in both directions.
        #[track_caller]
        fn follows(&self, first: (usize, &str), second: (usize, &str)) -> bool {
            self.ask(Others::default(), |control| {
                let (first, second) = (self.at(first), self.at(second));
                let after = control.has(&control.after([first]), second.0, second.1);
                let before = control.has(&control.before([second]), first.0, first.1);
                assert_eq!(after, before, "both directions say the same");
                after
            })
        }
    }

    #[test]
    fn control_goes_into_calls_and_comes_back_behind_them() {
        let all = Several::of(
            &["a; g; b;", "x; y;", "c; f; d;"],
            &[(0, "g", 1), (2, "f", 0)],
        );
        assert!(all.follows((0, "a"), (1, "x")));
        assert!(all.follows((1, "x"), (0, "b")));
        assert!(all.follows((1, "y"), (2, "d")));
        assert!(all.follows((2, "c"), (1, "y")));
        assert!(!all.follows((0, "b"), (1, "x")));
        assert!(!all.follows((1, "y"), (1, "x")));
        assert!(!all.follows((2, "d"), (0, "a")));
        assert!(!all.follows((1, "x"), (0, "a")));
    }

    #[test]
    fn what_is_called_comes_back_to_where_it_was_called_from() {
        let texts = ["a; g; b;", "c; g; d;", "x;"];
        let all = Several::of(&texts, &[(0, "g", 2), (1, "g", 2)]);
        assert!(all.follows((2, "x"), (0, "b")));
        assert!(all.follows((2, "x"), (1, "d")));
        assert!(!all.follows((0, "a"), (1, "d")));
        assert!(!all.follows((1, "c"), (0, "b")));
    }

    #[test]
    fn a_function_that_does_not_return_leads_back_to_nobody() {
        let all = Several::of(&["a; g; b;", "x; while (1) y;"], &[(0, "g", 1)]);
        assert!(all.follows((0, "a"), (1, "y")));
        assert!(!all.follows((1, "x"), (0, "b")));
        let all = Several::of(&["setjmp(j); g; b;", "x; while (1) y;"], &[(0, "g", 1)]);
        assert!(all.follows((1, "x"), (0, "b")), "it may be left by a jump");
    }

    #[test]
    fn what_runs_twice_is_called_twice_in_a_loop_or_by_something_that_repeats_the_call() {
        let runs_again = |all: &Several, function: u32| {
            all.ask(Others::default(), |control| {
                control.runs_again(RoutineId(function))
            })
        };
        let once = Several::of(&["if (c) g; else h;", "x;"], &[(0, "g", 1), (0, "h", 1)]);
        assert!(!runs_again(&once, 1));
        let twice = Several::of(&["g; h;", "x;"], &[(0, "g", 1), (0, "h", 1)]);
        assert!(runs_again(&twice, 1) && !runs_again(&twice, 0));
        let around = Several::of(&["while (c) g;", "h;", "x;"], &[(0, "g", 1), (1, "h", 2)]);
        assert!(runs_again(&around, 2));
        let mut repeated = Several::of(&["g;", "x;"], &[(0, "g", 1)]);
        assert!(!runs_again(&repeated, 1));
        repeated.calls[0].3 = true;
        assert!(runs_again(&repeated, 1) && repeated.follows((1, "x"), (1, "x")));
    }

    #[test]
    fn what_runs_at_any_time_comes_before_and_after_everything() {
        let all = Several::of(&["a; b;", "x;", "y;"], &[]);
        let ask = |others: Others, from, to| {
            all.ask(others, |control| {
                let (from, to) = (all.at(from), all.at(to));
                let after = control.has(&control.after([from]), to.0, to.1);
                (after, control.has(&control.before([to]), from.0, from.1))
            })
        };
        let beside = || Others {
            beside: vec![RoutineId(1)],
            ..Others::default()
        };
        assert_eq!(ask(beside(), (0, "b"), (1, "x")), (true, true));
        assert!(ask(beside(), (1, "x"), (0, "a")).1);
        let at_end = || Others {
            at_end: vec![RoutineId(1)],
            ..Others::default()
        };
        assert_eq!(ask(at_end(), (0, "b"), (1, "x")), (true, true));
        assert_eq!(ask(at_end(), (1, "x"), (0, "a")), (false, false));
    }

    /// Is the loop around `b` left for good, `p` being the places of checkpoints? `followed`: the function may be called, and
    /// a checkpoint taken, by code that is not seen.
    fn prunable(text: &str, followed: bool) -> bool {
        let mini = Mini::new(text);
        let (flow, loops) = (mini.flow(), mini.loops());
        let around = loops.around(mini.at("b")).expect("a loop");
        let outside = followed.then_some(RoutineId(0)).into_iter().collect();
        let others = Others {
            outside,
            ..Others::default()
        };
        let control = Control::of(vec![&flow], Vec::new(), others);
        let leading = control.before(mini.all("p").into_iter().map(|place| (RoutineId(0), place)));
        let mut exits = loops.all[around].exits(&flow).into_iter();
        exits.all(|node| !leading.has_node(RoutineId(0), node))
    }

    #[test]
    fn s11_a_loop_without_checkpoint_after_it_may_be_forgotten() {
        assert!(prunable("while (c) { b; p; } e;", false));
        assert!(prunable("p; while (c) { b; } e;", false));
        assert!(prunable("for (i; c; s) { b; if (x) break; p; } e;", false));
        assert!(prunable("if (x) { while (c) b; } else { p; }", false));
        assert!(prunable("while (1) { p; b; }", true));
        assert!(prunable("again: b; p; if (c) goto again; e;", false));
    }

    #[test]
    fn s09_a_loop_with_a_checkpoint_after_it_is_kept() {
        assert!(!prunable("while (c) { b; } p;", false));
        assert!(!prunable("while (c) { while (d) { b; } p; }", false));
        assert!(!prunable("while (c) { while (d) { b; p; } }", false));
        assert!(!prunable(
            "for (;;) { for (i; c; s) b; if (x) break; } p;",
            false
        ));
        assert!(!prunable("while (c) { b; p; } e;", true));
        assert!(!prunable(
            "again: b; if (c) goto again; if (d) { p; }",
            false
        ));
        assert!(!prunable("in: while (c) { b; p; } if (d) goto in;", false));
    }
}
