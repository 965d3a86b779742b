//! What the body of a loop surely stores to in every iteration.
//!
//! Only what every iteration comes to counts: not what stands behind `if` (unless both branches store to the same
//! element), `&&` or `?:`, in a loop that does not count, or after `continue`.

use super::counting::Counting;
use super::fill::Counter;
use super::view::Look;
use crate::analysis::memory::CellId;
use crate::analysis::polynomial::Polynomial;
use crate::dataflow::steps::{Base, Location, StepKind, TypeRef, VariableKind};
use crate::program::{
    BinaryOperator, Expression, ExpressionKind, Extent, Initialiser, Statement, StatementKind,
    TypeId, TypeKind, UnaryOperator,
};
use crate::source::Span;

use super::facts::{Run, is_same_type};

/// A store to an element of an array.
#[derive(Clone, Debug)]
pub struct Written {
    /// What it stores to, an element standing for all.
    pub cells: Vec<CellId>,
    /// The pointer through which the array is reached.
    pub pointer: Option<CellId>,
    /// What is known of the array behind that pointer.
    pub run: Option<Run>,
    /// Where a variable-length array is declared.
    pub declared: Option<usize>,
    /// The extents of all dimensions.
    pub extents: Vec<Polynomial>,
    /// Which element.
    pub indices: Vec<Polynomial>,
    /// The loops around it, from the outermost to the innermost.
    pub counters: Vec<Counter>,
    /// The store.
    pub by: Span,
    /// The body of the innermost loop, as far as the counter keeps its value.
    pub body: Span,
    /// From here on to the end of that body the element has been stored to.
    pub done: usize,
}

impl Written {
    /// Whether both are the same element at the same moment.
    pub fn is_same(&self, other: &Written) -> bool {
        self.cells == other.cells && self.pointer == other.pointer && self.indices == other.indices
    }
}

/// An expression that names an element: indices from the outermost dimension to the innermost.
pub struct Named<'a> {
    /// The pointer that points to the array, and what it points to.
    pub pointer: Option<(&'a Expression, TypeId)>,
    pub dimensions: Vec<Dimension<'a>>,
}

/// An index.
pub struct Dimension<'a> {
    /// None: that of what a pointer points to.
    extent: Option<Extent>,
    /// What is added, and what is subtracted.
    index: Vec<(&'a Expression, bool)>,
}

/// How a place is named.
pub fn named<'a>(view: Look<'_, '_>, expression: &'a Expression) -> Option<Named<'a>> {
    match &expression.kind {
        ExpressionKind::Name { .. } => Some(Named {
            pointer: None,
            dimensions: Vec::new(),
        }),
        ExpressionKind::Member {
            value,
            through_pointer: false,
            ..
        } => named(view, value),
        ExpressionKind::Member {
            value,
            through_pointer: true,
            ..
        }
        | ExpressionKind::Unary(UnaryOperator::Indirection, value) => {
            behind(view, value, Vec::new())
        }
        ExpressionKind::Index { array, index } => match view.unit.pointee(array.ty) {
            Some(_) => behind(view, array, vec![(index, false)]),
            None => behind(view, index, vec![(array, false)]),
        },
        _ => None,
    }
}

fn behind<'a>(
    view: Look<'_, '_>,
    pointer: &'a Expression,
    mut index: Vec<(&'a Expression, bool)>,
) -> Option<Named<'a>> {
    match *view.kind(pointer.ty) {
        TypeKind::Array { extent, .. } => {
            let mut inner = named(view, pointer)?;
            inner.dimensions.push(Dimension {
                extent: Some(extent),
                index,
            });
            Some(inner)
        }
        TypeKind::Pointer(target) => match &pointer.kind {
            ExpressionKind::Binary(BinaryOperator::Add, left, right) => {
                match view.unit.pointee(left.ty) {
                    Some(_) => {
                        index.push((right, false));
                        behind(view, left, index)
                    }
                    None => {
                        index.push((left, false));
                        behind(view, right, index)
                    }
                }
            }
            ExpressionKind::Binary(BinaryOperator::Subtract, left, right) => {
                index.push((right, true));
                behind(view, left, index)
            }
            _ => Some(Named {
                pointer: Some((pointer, target)),
                dimensions: vec![Dimension {
                    extent: None,
                    index,
                }],
            }),
        },
        _ => None,
    }
}

/// The index of a dimension.
pub fn index(view: Look<'_, '_>, dimension: &Dimension<'_>) -> Option<Polynomial> {
    let mut sum = Polynomial::default();
    for (part, subtracted) in &dimension.index {
        let part = view.normal_term(part)?;
        sum = if *subtracted {
            sum.minus(&part)?
        } else {
            sum.plus(&part)?
        };
    }
    Some(sum)
}

/// What a body surely stores to.
pub struct Writes<'v, 'a> {
    pub view: Look<'v, 'a>,
    /// The loops around.
    pub counters: Vec<Counter>,
    pub body: Span,
    pub found: Vec<Written>,
    /// Stores through a pointer to an array of which nobody knows which one it is: without extents.
    pub handed: Vec<Written>,
    /// Loops inside that surely begin in every iteration: they, and how many loops there are around them.
    pub loops: Vec<(&'a Statement, usize)>,
}

impl<'v, 'a> Writes<'v, 'a> {
    /// What a loop surely stores to in every iteration.
    pub fn of(view: Look<'v, 'a>, counting: &Counting<'a>) -> Writes<'v, 'a> {
        let mut writes = Writes {
            view,
            counters: vec![counting.counter.clone()],
            body: counting.steady,
            found: Vec::new(),
            handed: Vec::new(),
            loops: Vec::new(),
        };
        writes.statement(counting.body, None);
        writes
    }

    /// Looks at a statement that is surely run. Whether control surely goes on behind it.
    fn statement(&mut self, statement: &'a Statement, before: Option<&'a Statement>) -> bool {
        match &statement.kind {
            StatementKind::Compound { items, .. } => {
                let mut before = None;
                for item in items {
                    if !self.statement(item, before) {
                        return false;
                    }
                    before = Some(item);
                }
            }
            StatementKind::Expression(Some(value)) => self.expression(value, statement),
            StatementKind::Declaration(declaration) => {
                for declarator in &declaration.declarators {
                    if let Some(Initialiser::Expression(value)) = &declarator.initialiser {
                        self.expression(value, statement);
                    }
                }
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.expression(condition, statement);
                if let Some(otherwise) = otherwise {
                    let first = self.apart(then);
                    let second = self.apart(otherwise);
                    let both = first.into_iter().filter_map(|one| {
                        let same = second.iter().any(|other| one.is_same(other));
                        same.then_some(Written {
                            done: statement.span.end,
                            ..one
                        })
                    });
                    self.found.extend(both);
                }
                return !skips(statement);
            }
            StatementKind::For { .. }
            | StatementKind::While { .. }
            | StatementKind::DoWhile { .. } => {
                self.loops.push((statement, self.counters.len()));
                if let Some(inner) = self.view.counting(statement, before)
                    && !leaves(statement)
                {
                    let body = std::mem::replace(&mut self.body, inner.steady);
                    self.counters.push(inner.counter.clone());
                    self.statement(inner.body, None);
                    self.counters.pop();
                    self.body = body;
                }
            }
            _ => return !skips(statement),
        }
        true
    }

    fn apart(&mut self, statement: &'a Statement) -> Vec<Written> {
        let before = std::mem::take(&mut self.found);
        let (loops, handed) = (self.loops.len(), self.handed.len());
        self.statement(statement, None);
        self.loops.truncate(loops);
        self.handed.truncate(handed);
        std::mem::replace(&mut self.found, before)
    }

    /// Looks at what is surely evaluated in an expression.
    fn expression(&mut self, expression: &'a Expression, statement: &Statement) {
        match &expression.kind {
            ExpressionKind::Assign {
                operator: None,
                target,
                ..
            } => {
                let done = statement.span.end;
                self.found
                    .extend(self.written(target, expression.span, done));
                self.handed
                    .extend(self.handed(target, expression.span, done));
            }
            ExpressionKind::Logical { left, .. } => return self.expression(left, statement),
            ExpressionKind::Conditional { condition, .. } => {
                return self.expression(condition, statement);
            }
            ExpressionKind::Generic(_) => return,
            _ => {}
        }
        for inner in expression.children() {
            self.expression(inner, statement);
        }
    }

    /// A store to an element of the array behind a pointer, whichever that is.
    fn handed(&self, target: &'a Expression, by: Span, done: usize) -> Option<Written> {
        let view = self.view;
        if !self.body.contains(by) {
            return None;
        }
        let (_, step) = view.store(by)?;
        let StepKind::Write {
            place, weak: false, ..
        } = &step.kind
        else {
            return None;
        };
        let named = named(view, target)?;
        let pointer = view.cell_read(named.pointer?.0)?;
        let [only] = named.dimensions.as_slice() else {
            return None;
        };
        let touched = view.touched(place);
        (!touched.unknown).then_some(())?;
        Some(Written {
            cells: touched.cells.to_vec(),
            pointer: Some(pointer),
            run: None,
            declared: None,
            extents: Vec::new(),
            indices: vec![index(view, only)?],
            counters: self.counters.clone(),
            by,
            body: self.body,
            done,
        })
    }

    /// The node in which a local of this function is declared.
    fn declared(&self, place: &Location) -> Option<usize> {
        let Base::Variable(id) = place.base else {
            return None;
        };
        let variable = self.view.known.steps.variable(id);
        let is_own = variable.owner == Some(self.view.id) && variable.kind == VariableKind::Named;
        let at = variable.declared.span.start;
        let node = self.view.routine.flow.node_at(at).filter(|_| is_own)?;
        Some(node.0)
    }

    fn written(&self, target: &'a Expression, by: Span, done: usize) -> Option<Written> {
        let view = self.view;
        if !self.body.contains(by) {
            return None;
        }
        let (_, step) = view.store(by)?;
        let (place, is_copy) = match &step.kind {
            StepKind::Write {
                place, weak: false, ..
            } => (place, false),
            StepKind::Copy {
                to, weak: false, ..
            } => (to, true),
            _ => return None,
        };
        let named = named(view, target)?;
        if named.dimensions.is_empty() {
            return None;
        }
        let touched = view.touched(place);
        if touched.unknown {
            return None;
        }
        let object = view.single_object(&touched.cells)?;
        if !is_copy {
            let [cell] = &touched.cells[..] else {
                return None;
            };
            let cell = &view.known.points_to.memory.cells[cell.0 as usize];
            if !is_same_type(view.known.program, cell.ty?, place.ty) {
                return None;
            }
        } else if !matches!(view.kind(target.ty), TypeKind::Record(_)) {
            return None;
        }
        let (mut pointer, mut run) = (None, None);
        if let Some((expression, target)) = named.pointer {
            let cell = view.cell_read(expression)?;
            let target = TypeRef {
                unit: view.routine.function.unit,
                id: target,
            };
            let found = view.facts.run(cell, target)?;
            let whole = view.known.points_to.memory.objects[object.0 as usize].ty;
            let is_like = |ty| is_same_type(view.known.program, ty, target);
            if found.object != object
                || (is_copy && found.site.is_some() && !whole.is_some_and(is_like))
            {
                return None;
            }
            pointer = Some(cell);
            run = Some(found);
        }
        let (mut extents, mut indices) = (Vec::new(), Vec::new());
        let mut declared = None;
        for dimension in &named.dimensions {
            extents.push(match (dimension.extent, &run) {
                (Some(Extent::Constant(extent)), _) => Polynomial::constant(i128::from(extent)),
                (Some(Extent::Variable(span)), None) => {
                    declared = Some(self.declared(place)?);
                    view.normal_term(view.expression(span)?)?
                }
                (None, Some(run)) => run.elements.clone(),
                _ => return None,
            });
            indices.push(index(view, dimension)?);
        }
        Some(Written {
            cells: touched.cells.to_vec(),
            pointer,
            run,
            declared,
            extents,
            indices,
            counters: self.counters.clone(),
            by,
            body: self.body,
            done,
        })
    }
}

/// Whether what follows a statement in the same body may be left out in an iteration.
pub fn skips(statement: &Statement) -> bool {
    jumps(statement, true, true)
}

/// Whether control may leave a loop in another way than by its condition.
pub fn leaves(loop_: &Statement) -> bool {
    loop_
        .children()
        .into_iter()
        .any(|body| jumps(body, false, true))
}

/// `goes_on`: `continue` counts; `breaks`: `break` does.
fn jumps(statement: &Statement, goes_on: bool, breaks: bool) -> bool {
    let inner = |goes_on, breaks| {
        let mut children = statement.children().into_iter();
        children.any(|child| jumps(child, goes_on, breaks))
    };
    match &statement.kind {
        StatementKind::Continue => goes_on,
        StatementKind::Break => breaks,
        StatementKind::Return(_)
        | StatementKind::Goto(_)
        | StatementKind::Labelled {
            label: crate::program::Label::Name(_),
            ..
        } => true,
        StatementKind::Assembly(assembly) => !assembly.labels.is_empty(),
        StatementKind::Switch { .. } => inner(goes_on, false),
        _ if statement.is_loop() => inner(false, false),
        _ => inner(goes_on, breaks),
    }
}
