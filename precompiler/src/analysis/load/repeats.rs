//! Loops that go over the same data again and again: time steps, sweeps, iterations until something converges.
//!
//! In: a loop statement. Out: what in it is done anew to the same memory by every iteration. A loop whose own counter says
//! where is written goes over its data once, like the loops that set a program up, however deep they are.
//!
//! ```text
//! for (step = 0; step < steps; step++) for (i = 0; i < n; i++) u[i] += v[i];       again and again
//! for (i = 0; i < n; i++) for (j = 0; j < n; j++) a[i][j] = i + j;                 once
//! for (i = 0; i < n; i++) for (j = 0; j < count(i); j++) p[next++] = i;            once: nothing sets `next` back
//! ```
//!
//! It is an estimate: a loop taken for the wrong kind has a checkpoint more or less.

use std::collections::BTreeSet;

use crate::program::{
    BinaryOperator, Declaration, Expression, ExpressionKind, ForStart, Function, Initialiser,
    Statement, StatementKind, Storage, SymbolId, TypeKind, UnaryOperator, Unit,
};
use crate::solver::rounds;

/// What is done anew, to the same memory, whenever something is done again.
#[derive(Debug, Default)]
pub struct Again {
    /// A loop inside it stores into memory that does not depend on the iteration.
    pub stores: bool,
    /// The functions that it calls.
    pub calls: Vec<Call>,
}

/// A call.
#[derive(Debug)]
pub struct Call {
    /// The name that is called: a function's, or a pointer's; none for another expression.
    pub name: Option<String>,
    /// Which arguments depend on the iteration.
    pub moving: Vec<bool>,
    /// Which of them an inner loop brings back: `for (i = 0; i < n; i++) relax(i);`.
    pub returning: Vec<bool>,
    /// It is called in a loop of the iteration.
    pub in_loop: bool,
}

impl Again {
    /// Looks at a loop.
    pub fn of_loop(unit: &Unit, statement: &Statement) -> Again {
        let set = Set::of(statement);
        let moving = set.moving(again(statement));
        let picture = Picture::of(unit, &set, moving, Symbols::new());
        picture.judge(statement.children(), false)
    }

    /// Looks at a function that is called in every iteration, with parameters that depend on it or not, and perhaps again and again.
    pub fn of_function(unit: &Unit, function: &Function, call: &Call) -> Again {
        let mut set = Set::default();
        set.collect(&function.body);
        let mut moving = set.moving(Vec::new());
        let those = |which: &[bool]| -> Symbols {
            let parameters = function.parameters.iter().zip(which);
            parameters.filter(|one| *one.1).map(|one| *one.0).collect()
        };
        moving.extend(those(&call.moving));
        let picture = Picture::of(unit, &set, moving, those(&call.returning));
        picture.judge(vec![&function.body], call.in_loop)
    }

    fn look(&mut self, statement: &Statement, in_loop: bool, picture: &Picture<'_, '_>) {
        let in_loop = in_loop || statement.is_loop();
        for expression in statement.expressions() {
            expression.walk(&mut |one| match &one.kind {
                ExpressionKind::Assign { target, .. } | ExpressionKind::Step(_, target) => {
                    self.stores |= in_loop && picture.is_same(target);
                }
                ExpressionKind::Call { callee, arguments } => {
                    let name = match &callee.kind {
                        ExpressionKind::Name { name, .. } => Some(name.clone()),
                        _ => None,
                    };
                    let moving = { arguments.iter() }
                        .map(|one| depends(one, &picture.moving))
                        .collect();
                    let returning = { arguments.iter() }
                        .map(|one| picture.returns(one))
                        .collect();
                    self.calls.push(Call {
                        name,
                        moving,
                        returning,
                        in_loop,
                    });
                }
                _ => {}
            });
        }
        for child in statement.children() {
            self.look(child, in_loop, picture);
        }
    }
}

/// Whether a loop counts through its data: what it looks at, or the memory that it hands over, is named by its own counter. What is
/// printed does not count, nor does the counter itself, which may be the time as well as a place.
pub fn walks(unit: &Unit, statement: &Statement) -> bool {
    let counters = Set::of(statement).counters(again(statement));
    let prints = |callee: &Expression| {
        let function = callee.symbol().map(|symbol| unit.symbols[symbol.0].ty);
        matches!(
            function.map(|ty| &unit.ty(ty).kind),
            Some(TypeKind::Function { variadic: true, .. })
        )
    };
    let mut walks = false;
    for child in statement.children() {
        child.walk_expressions(&mut |part| {
            walks |= match &part.kind {
                ExpressionKind::Call { callee, arguments } => {
                    let mut memory = arguments.iter().filter(|one| is_pointer(unit, one));
                    !prints(callee) && memory.any(|one| depends(one, &counters))
                }
                _ => is_memory(part) && depends(part, &counters),
            };
        });
    }
    walks
}

/// What is known of the variables of something that is done again and again.
struct Picture<'a, 'b> {
    unit: &'a Unit,
    set: &'a Set<'b>,
    moving: Symbols,
    /// Parameters that callers bring back.
    returning: Symbols,
}

impl<'a, 'b> Picture<'a, 'b> {
    /// Of what these variables, which are others in every iteration, lead to.
    fn of(
        unit: &'a Unit,
        set: &'a Set<'b>,
        mut moving: Symbols,
        returning: Symbols,
    ) -> Picture<'a, 'b> {
        rounds(|| {
            let before = moving.len();
            for (target, value) in &set.values {
                if depends(value, &moving) {
                    moving.insert(*target);
                }
            }
            moving.len() != before
        });
        Picture {
            unit,
            set,
            moving,
            returning,
        }
    }

    /// What is done anew in some statements.
    fn judge(&self, statements: Vec<&Statement>, in_loop: bool) -> Again {
        let mut again = Again::default();
        statements
            .into_iter()
            .for_each(|one| again.look(one, in_loop, self));
        again
    }

    /// Whether something goes through its values again.
    fn returns(&self, expression: &Expression) -> bool {
        let mut returns = false;
        expression.walk(&mut |part| {
            returns |= part
                .symbol()
                .is_some_and(|symbol| self.set.again(symbol) || self.returning.contains(&symbol));
        });
        returns
    }

    /// Whether a store goes to the same memory in every iteration, one element after the other.
    fn is_same(&self, target: &Expression) -> bool {
        self.returns(target)
            && is_memory(target)
            && !depends(target, &self.moving)
            && !root(target).is_some_and(|symbol| self.is_own(symbol))
    }

    /// Whether a variable has an array that every iteration has anew.
    fn is_own(&self, symbol: SymbolId) -> bool {
        let found = &self.unit.symbols[symbol.0];
        self.set.declared.contains(&symbol)
            && found.storage == Storage::Automatic
            && !matches!(self.unit.ty(found.ty).kind, TypeKind::Pointer(_))
    }
}

type Symbols = BTreeSet<SymbolId>;

/// What variables are set to in a loop.
#[derive(Default)]
struct Set<'a> {
    /// Every `x = value`.
    values: Vec<(SymbolId, &'a Expression)>,
    /// Those that change by `++`, `+=` and their like.
    stepped: Symbols,
    /// Those that are declared in it.
    declared: Symbols,
}

impl<'a> Set<'a> {
    /// Of a loop: what it does once, before it begins, is left out.
    fn of(statement: &'a Statement) -> Set<'a> {
        let mut set = Set::default();
        again(statement).into_iter().for_each(|one| set.look(one));
        for body in statement.children() {
            set.collect(body);
        }
        set
    }

    /// What is another one in every iteration: what the loop counts with, and what goes on from where it was.
    fn moving(&self, counted: Vec<&Expression>) -> Symbols {
        let mut moving: Symbols = self.stepped.iter().copied().collect();
        moving.extend(self.values.iter().map(|one| one.0));
        moving.retain(|one| !self.again(*one));
        moving.extend(self.counters(counted));
        moving
    }

    /// Those that a loop counts with: what it looks at in every iteration, and changes.
    fn counters(&self, counted: Vec<&Expression>) -> Symbols {
        let mut counters = Symbols::new();
        for expression in counted {
            expression.walk(&mut |one| {
                counters.extend(one.symbol().filter(|symbol| self.changes(*symbol)));
            });
        }
        counters
    }

    fn collect(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::Declaration(declaration) => self.declare(declaration),
            StatementKind::For {
                start: ForStart::Declaration(declaration),
                ..
            } => self.declare(declaration),
            _ => {}
        }
        let all = statement.expressions().into_iter();
        all.for_each(|one| self.look(one));
        for child in statement.children() {
            self.collect(child);
        }
    }

    fn look(&mut self, expression: &'a Expression) {
        expression.walk(&mut |one| match &one.kind {
            ExpressionKind::Assign {
                operator,
                target,
                value,
            } => match (target.symbol(), operator) {
                (Some(symbol), None) => self.values.push((symbol, value)),
                (symbol, _) => self.stepped.extend(symbol),
            },
            ExpressionKind::Step(_, target) => self.stepped.extend(target.symbol()),
            _ => {}
        });
    }

    fn declare(&mut self, declaration: &'a Declaration) {
        for one in &declaration.declarators {
            self.declared.insert(one.symbol);
            if let Some(Initialiser::Expression(value)) = &one.initialiser {
                self.values.push((one.symbol, value));
            }
        }
    }

    /// Whether a variable is set to a value that does not come from itself: it goes through its values again.
    fn again(&self, symbol: SymbolId) -> bool {
        let own = BTreeSet::from([symbol]);
        let mut values = self.values.iter();
        values.any(|(target, value)| *target == symbol && !depends(value, &own))
    }

    fn changes(&self, symbol: SymbolId) -> bool {
        self.stepped.contains(&symbol) || self.values.iter().any(|one| one.0 == symbol)
    }
}

/// What a loop evaluates in every iteration, beside its body.
fn again(statement: &Statement) -> Vec<&Expression> {
    match &statement.kind {
        StatementKind::While { condition, .. } | StatementKind::DoWhile { condition, .. } => {
            vec![condition]
        }
        StatementKind::For {
            condition, step, ..
        } => condition.iter().chain(step).collect(),
        _ => Vec::new(),
    }
}

/// Whether a value is another one when one of these is. `u[t % 2]` is one of a few in turn.
fn depends(expression: &Expression, on: &Symbols) -> bool {
    match &expression.kind {
        ExpressionKind::Binary(BinaryOperator::Modulo | BinaryOperator::And, _, right)
            if matches!(right.kind, ExpressionKind::Number(Some(_))) =>
        {
            false
        }
        // Whatever is in a variable, it stays where it is.
        ExpressionKind::Unary(UnaryOperator::Address, target) if target.symbol().is_some() => false,
        ExpressionKind::Name { symbol, .. } => symbol.is_some_and(|one| on.contains(&one)),
        _ => expression.children().iter().any(|one| depends(one, on)),
    }
}

/// Whether it is no variable, but an element or what a pointer points to.
fn is_memory(target: &Expression) -> bool {
    match &target.kind {
        ExpressionKind::Index { .. } | ExpressionKind::Unary(UnaryOperator::Indirection, _) => true,
        ExpressionKind::Member {
            value,
            through_pointer,
            ..
        } => *through_pointer || is_memory(value),
        ExpressionKind::Cast(inner) => is_memory(inner),
        _ => false,
    }
}

/// Whether a value leads to memory.
fn is_pointer(unit: &Unit, value: &Expression) -> bool {
    matches!(
        unit.ty(value.ty).kind,
        TypeKind::Pointer(_) | TypeKind::Array { .. }
    )
}

/// The variable that an element belongs to, when no pointer is between.
fn root(target: &Expression) -> Option<SymbolId> {
    match &target.kind {
        ExpressionKind::Name { symbol, .. } => *symbol,
        ExpressionKind::Index { array, .. } => root(array),
        ExpressionKind::Member {
            value,
            through_pointer: false,
            ..
        } => root(value),
        ExpressionKind::Cast(inner) => root(inner),
        _ => None,
    }
}
