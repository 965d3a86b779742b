//! From statements to the nodes of a [`Flow`](super::Flow).
//!
//! The walk carries the *frontier*: the nodes from which control falls into what comes next. Jumps are collected and
//! connected at the end. Beside each node it notes what is evaluated there, as [`Work`].

use super::calls::called_name;
use super::graph::{Flow, Node, NodeId};
use crate::catalog::Catalogue;
use crate::program::{
    Assembly, Construct, Declaration, DirectiveId, Expression, ExpressionKind, ForStart, Label,
    Statement, StatementId, StatementKind,
};
use crate::solver::reached;
use crate::source::Span;
use cccp_grammar::openmp::DirectiveName;
use std::collections::HashMap;

type Frontier = Vec<NodeId>;

/// What is evaluated in a node.
#[derive(Clone, Copy, Debug)]
pub enum Work<'a> {
    /// Nothing.
    Nothing,
    /// An expression whose value nobody wants.
    Effect(&'a Expression),
    /// An expression whose value decides where control goes.
    Condition(&'a Expression),
    /// A declaration.
    Declaration(&'a Declaration),
    /// What is returned.
    Return(Option<&'a Expression>),
    /// A directive.
    Directive(DirectiveId),
    /// A directive of OpenMP that belongs to no statement.
    OpenMp(&'a Statement, &'a Construct),
    /// Inline assembly, or a computed goto, of which only the text is known.
    Opaque(&'a Statement),
}

/// What `break`, `continue` and `case` belong to.
#[derive(Default)]
struct Around {
    /// Nodes that leave it by `break`.
    breaks: Frontier,
    /// Nodes that go on by `continue`; `None` for a `switch`.
    continues: Option<Frontier>,
    /// The value of a `switch`.
    head: Option<NodeId>,
    /// The `switch` has a `default`.
    has_default: bool,
}

struct Lowering<'a, 't> {
    catalogue: &'a Catalogue,
    nodes: Vec<Node>,
    work: Vec<Work<'a>>,
    around: Vec<Around>,
    labels: HashMap<&'a str, NodeId>,
    /// `None`: to every label.
    gotos: Vec<(NodeId, Option<&'a str>)>,
    returns_twice: Vec<NodeId>,
    /// Directives from which control may go to the end of the construct around them that they name.
    cancels: Vec<(NodeId, &'a Construct)>,
    truth: &'t dyn Fn(&Expression) -> Option<bool>,
}

/// The nodes of a function with this body, and what is evaluated in each. `truth`: conditions that are known to hold
/// always or never.
pub(super) fn lower<'a>(
    body: &'a Statement,
    catalogue: &'a Catalogue,
    truth: &dyn Fn(&Expression) -> Option<bool>,
) -> (Flow, Vec<Work<'a>>) {
    let mut lowering = Lowering {
        catalogue,
        truth,
        nodes: Vec::new(),
        work: Vec::new(),
        around: Vec::new(),
        labels: HashMap::new(),
        gotos: Vec::new(),
        returns_twice: Vec::new(),
        cancels: Vec::new(),
    };
    for _ in [Flow::ENTRY, Flow::EXIT] {
        lowering.nodes.push(Node {
            span: Span::default(),
            statement: None,
            next: Vec::new(),
        });
        lowering.work.push(Work::Nothing);
    }
    let end = lowering.statement(body, vec![Flow::ENTRY]);
    lowering.connect(&end, Flow::EXIT);
    for (node, _) in std::mem::take(&mut lowering.cancels) {
        lowering.connect(&[node], Flow::EXIT);
    }
    let returns_twice = !lowering.returns_twice.is_empty();
    lowering.connect_jumps();
    let nodes = lowering.nodes;
    (
        Flow {
            nodes,
            returns_twice,
        },
        lowering.work,
    )
}

impl<'a> Work<'a> {
    /// The expressions in it, in the order of the text.
    pub fn expressions(&self) -> Vec<&'a Expression> {
        match *self {
            Work::Effect(value) | Work::Condition(value) | Work::Return(Some(value)) => vec![value],
            Work::Declaration(declaration) => declaration.expressions(),
            Work::Opaque(statement) => statement.expressions(),
            Work::Nothing | Work::Return(None) | Work::Directive(_) | Work::OpenMp(..) => {
                Vec::new()
            }
        }
    }
}

impl<'a> Lowering<'a, '_> {
    fn connect(&mut self, from: &[NodeId], to: NodeId) {
        for node in from {
            let next = &mut self.nodes[node.0].next;
            if !next.contains(&to) {
                next.push(to);
            }
        }
    }

    fn connect_jumps(&mut self) {
        for (from, label) in std::mem::take(&mut self.gotos) {
            let mut targets: Vec<NodeId> = match label {
                Some(name) => self.labels.get(name).copied().into_iter().collect(),
                None => self.labels.values().copied().collect(),
            };
            targets.sort();
            for target in targets {
                self.connect(&[from], target);
            }
        }
        self.connect_far_jumps();
    }

    /// Control may come back to a `setjmp` from all that may run once it has been there. Those that this makes
    /// reachable may come back to others.
    fn connect_far_jumps(&mut self) {
        let targets = std::mem::take(&mut self.returns_twice);
        let mut edges = 0;
        while !targets.is_empty() {
            for target in &targets {
                let after = reached(self.nodes.len(), [target.0], |node, open| {
                    let next = self.nodes[node].next.iter();
                    open.extend(next.filter(|to| **to != Flow::EXIT).map(|to| to.0));
                });
                let all: Vec<NodeId> = (0..after.len())
                    .filter(|node| after[*node])
                    .map(NodeId)
                    .collect();
                self.connect(&all, *target);
            }
            let now = self.nodes.iter().map(|node| node.next.len()).sum();
            if std::mem::replace(&mut edges, now) == now {
                break;
            }
        }
    }

    /// A new node, into which the frontier falls.
    fn node(
        &mut self,
        span: Span,
        statement: StatementId,
        frontier: &[NodeId],
        work: Work<'a>,
    ) -> NodeId {
        let node = NodeId(self.nodes.len());
        self.nodes.push(Node {
            span,
            statement: Some(statement),
            next: Vec::new(),
        });
        self.work.push(work);
        self.connect(frontier, node);
        self.jumps(node, &work.expressions());
        node
    }

    /// What the expressions of a node do to control: statement expressions jump, `setjmp` comes back.
    fn jumps(&mut self, node: NodeId, expressions: &[&'a Expression]) {
        for expression in expressions {
            expression.walk(&mut |inner| match &inner.kind {
                ExpressionKind::Statement(body) => {
                    body.walk(&mut |statement| {
                        self.inner_jump(node, statement);
                        true
                    });
                }
                ExpressionKind::Call { callee, .. } => {
                    let name = called_name(callee).map(|(name, _)| name);
                    if name.is_some_and(|name| self.catalogue.returns_twice(name)) {
                        self.returns_twice.push(node);
                    }
                }
                _ => {}
            });
        }
    }

    /// A statement in a statement expression: all of it is part of the node.
    fn inner_jump(&mut self, node: NodeId, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::Goto(label) => self.gotos.push((node, label.as_deref())),
            StatementKind::Labelled {
                label: Label::Name(name),
                ..
            } => {
                self.labels.insert(name, node);
            }
            StatementKind::Return(_) => self.connect(&[node], Flow::EXIT),
            StatementKind::Break => self.jump_out(node, false),
            StatementKind::Continue => self.jump_out(node, true),
            StatementKind::Assembly(assembly) => self.assembly_jumps(node, assembly),
            _ => {}
        }
    }

    /// `asm goto` may go on at its labels.
    fn assembly_jumps(&mut self, node: NodeId, assembly: &'a Assembly) {
        let labels = assembly.labels.iter();
        self.gotos
            .extend(labels.map(|label| (node, Some(label.as_str()))));
    }

    fn jump_out(&mut self, node: NodeId, go_on: bool) {
        for around in self.around.iter_mut().rev() {
            if !go_on {
                around.breaks.push(node);
                return;
            }
            if let Some(continues) = &mut around.continues {
                continues.push(node);
                return;
            }
        }
    }

    fn statement(&mut self, statement: &'a Statement, frontier: Frontier) -> Frontier {
        let first = self.nodes.len();
        let mut end = self.inside(statement, frontier);
        for construct in statement.openmp.iter().rev() {
            self.cancelled(construct, first, &mut end);
        }
        end
    }

    /// A construct ends, of which the nodes begin with `first`: what is cancelled in it goes on behind it. A `parallel` that is
    /// cancelled is left at every barrier, also those of functions that are called there: from any node, to be sure.
    fn cancelled(&mut self, construct: &Construct, first: usize, end: &mut Frontier) {
        let is_ended = |cancel: &Construct| match &cancel.cancelled {
            Some(DirectiveName::Taskgroup) => construct.is_task(),
            Some(name) => construct.has(name),
            None => construct.is_parallel(),
        };
        let all = std::mem::take(&mut self.cancels).into_iter();
        let (ended, open) = all.partition(|(_, cancel)| is_ended(cancel));
        self.cancels = open;
        let ended: Vec<(NodeId, &Construct)> = ended;
        let is_parallel = |cancel: &Construct| cancel.cancelled == Some(DirectiveName::Parallel);
        match ended.iter().any(|(_, cancel)| is_parallel(cancel)) {
            true => end.extend((first..self.nodes.len()).map(NodeId)),
            false => end.extend(ended.iter().map(|(node, _)| *node)),
        }
    }

    fn inside(&mut self, statement: &'a Statement, frontier: Frontier) -> Frontier {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Compound { items, .. } => items
                .iter()
                .fold(frontier, |frontier, item| self.statement(item, frontier)),
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let head = self.head(statement, condition, &frontier);
                let (holds, fails) = self.ways(condition, head);
                let mut end = self.statement(then, holds);
                match otherwise {
                    Some(otherwise) => end.extend(self.statement(otherwise, fails)),
                    None => end.extend(fails),
                }
                end
            }
            StatementKind::While { condition, body } => {
                let head = self.head(statement, condition, &frontier);
                self.around.push(looping());
                let (holds, _) = self.ways(condition, head);
                let end = self.statement(body, holds);
                let around = self.around.pop().unwrap_or_default();
                self.connect(&end, head);
                self.connect(&around.continues.unwrap_or_default(), head);
                leave(around.breaks, head, self.always(condition))
            }
            StatementKind::DoWhile { body, condition } => {
                // The body's first node is the one that follows; an empty body leads to the condition.
                let first = NodeId(self.nodes.len());
                self.around.push(looping());
                let mut end = self.statement(body, frontier);
                let around = self.around.pop().unwrap_or_default();
                end.extend(around.continues.unwrap_or_default());
                let tail = Span::new(body.span.end, span.end);
                let test = self.node(tail, statement.id, &end, Work::Condition(condition));
                if !is_constant(condition, false) {
                    self.connect(&[test], first);
                }
                leave(around.breaks, test, self.always(condition))
            }
            StatementKind::For {
                start,
                condition,
                step,
                body,
                ..
            } => {
                let (end, work) = match start {
                    ForStart::Nothing => (span.start + 1, Work::Nothing),
                    ForStart::Expression(value) => (value.span.end, Work::Effect(value)),
                    ForStart::Declaration(declaration) => {
                        (declaration.span.end, Work::Declaration(declaration))
                    }
                };
                let begin = self.node(Span::new(span.start, end), statement.id, &frontier, work);
                let empty = Span::new(end, end);
                let (head, work) = match condition {
                    Some(condition) => (condition.span, Work::Condition(condition)),
                    None => (empty, Work::Nothing),
                };
                let head = self.node(head, statement.id, &[begin], work);
                self.around.push(looping());
                let holds = match condition {
                    Some(condition) => self.ways(condition, head).0,
                    None => vec![head],
                };
                let mut end = self.statement(body, holds);
                let around = self.around.pop().unwrap_or_default();
                end.extend(around.continues.unwrap_or_default());
                let (next, work) = match step {
                    Some(step) => (step.span, Work::Effect(step)),
                    None => (empty, Work::Nothing),
                };
                let next = self.node(next, statement.id, &end, work);
                self.connect(&[next], head);
                let endless = condition
                    .as_ref()
                    .is_none_or(|condition| self.always(condition));
                leave(around.breaks, head, endless)
            }
            StatementKind::Switch { value, body } => {
                let head = self.head(statement, value, &frontier);
                self.around.push(Around {
                    head: Some(head),
                    ..Around::default()
                });
                let mut end = self.statement(body, Vec::new());
                let around = self.around.pop().unwrap_or_default();
                end.extend(around.breaks);
                if !around.has_default {
                    end.push(head);
                }
                end
            }
            StatementKind::Labelled { label, body } => {
                let values = statement.expressions();
                let value_end = values.iter().map(|value| value.span.end).max();
                let end = value_end.max(Some(body.span.start)).unwrap_or(span.start);
                let span = Span::new(span.start, end.max(span.start));
                let node = self.node(span, statement.id, &frontier, Work::Nothing);
                match label {
                    Label::Name(name) => {
                        self.labels.insert(name, node);
                    }
                    _ => self.case(node, matches!(label, Label::Default)),
                }
                self.statement(body, vec![node])
            }
            StatementKind::Goto(label) => {
                let work = match label {
                    Some(_) => Work::Nothing,
                    None => Work::Opaque(statement),
                };
                let node = self.node(span, statement.id, &frontier, work);
                self.gotos.push((node, label.as_deref()));
                Vec::new()
            }
            StatementKind::Break | StatementKind::Continue => {
                let node = self.node(span, statement.id, &frontier, Work::Nothing);
                self.jump_out(node, matches!(statement.kind, StatementKind::Continue));
                Vec::new()
            }
            StatementKind::Return(value) => {
                let work = Work::Return(value.as_ref());
                let node = self.node(span, statement.id, &frontier, work);
                self.connect(&[node], Flow::EXIT);
                Vec::new()
            }
            StatementKind::Expression(value) => {
                let work = value.as_ref().map_or(Work::Nothing, Work::Effect);
                vec![self.node(span, statement.id, &frontier, work)]
            }
            StatementKind::Declaration(declaration) => {
                let work = Work::Declaration(declaration);
                vec![self.node(span, statement.id, &frontier, work)]
            }
            StatementKind::Directive(directive) => {
                let work = Work::Directive(*directive);
                vec![self.node(span, statement.id, &frontier, work)]
            }
            StatementKind::OpenMp(construct) => {
                let work = Work::OpenMp(statement, construct);
                let node = self.node(span, statement.id, &frontier, work);
                if construct.leaves() {
                    self.cancels.push((node, construct));
                }
                vec![node]
            }
            StatementKind::Assembly(assembly) => {
                let node = self.node(span, statement.id, &frontier, Work::Opaque(statement));
                self.assembly_jumps(node, assembly);
                vec![node]
            }
        }
    }

    /// From where control goes on when a condition holds, and when it does not.
    fn ways(&self, condition: &Expression, head: NodeId) -> (Frontier, Frontier) {
        match (self.truth)(condition) {
            Some(true) => (vec![head], Vec::new()),
            Some(false) => (Vec::new(), vec![head]),
            None => (vec![head], vec![head]),
        }
    }

    fn always(&self, condition: &Expression) -> bool {
        is_constant(condition, true) || (self.truth)(condition) == Some(true)
    }

    /// The condition of an `if`, `while` or `switch`, from the keyword on.
    fn head(
        &mut self,
        statement: &'a Statement,
        condition: &'a Expression,
        frontier: &[NodeId],
    ) -> NodeId {
        let span = Span::new(statement.span.start, condition.span.end);
        self.node(span, statement.id, frontier, Work::Condition(condition))
    }

    fn case(&mut self, node: NodeId, is_default: bool) {
        let switch = self
            .around
            .iter_mut()
            .rev()
            .find(|around| around.head.is_some());
        if let Some(Around {
            head: Some(head),
            has_default,
            ..
        }) = switch
        {
            *has_default |= is_default;
            let head = *head;
            self.connect(&[head], node);
        }
    }
}

fn looping() -> Around {
    Around {
        continues: Some(Vec::new()),
        ..Around::default()
    }
}

/// How control leaves a loop: by `break`, and by its condition unless that always holds.
fn leave(mut breaks: Frontier, condition: NodeId, endless: bool) -> Frontier {
    if !endless {
        breaks.push(condition);
    }
    breaks
}

fn is_constant(condition: &Expression, truth: bool) -> bool {
    matches!(condition.kind, ExpressionKind::Number(Some(value)) if (value != 0) == truth)
}
