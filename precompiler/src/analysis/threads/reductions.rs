//! Reductions: whether what comes out is the same however the work is shared out.
//!
//! It is when each iteration does nothing with the thread's copy but to add to it, by the operator of the clause: `s += x`,
//! `s = s + x`, `s++`, `if (x > s) s = x`, `s = x > s ? x : s`, `s = fmax(s, x)`. Floating-point numbers differ in their last bits.
//!
//! Errors fall on the side of *not the same*: everything else that is done with it.

use cccp_grammar::openmp::{Clause, ClauseKind, Content};

use super::executed::{By, Executed};
use crate::analysis::Analysed;
use crate::dataflow::steps::{RoutineId, TextPlace};
use crate::program::{
    BinaryOperator, Expression, ExpressionKind, Statement, StatementKind, SymbolId, TypeKind, Unit,
};
use crate::source::Span;

const KINDS: [ClauseKind; 3] = [
    ClauseKind::Reduction,
    ClauseKind::InReduction,
    ClauseKind::TaskReduction,
];

/// A variable of a reduction.
pub struct Reduced {
    /// Its name.
    pub name: String,
    /// The construct.
    pub place: TextPlace,
    /// What comes out depends on the number of threads.
    pub depends: bool,
    /// Only its last bits do.
    pub is_rounded: bool,
}

/// Whether a variable of that name is one of a reduction around a text.
pub fn reduces(found: &Analysed, id: RoutineId, at: Span, name: &str) -> bool {
    let body = &found.function(id).body;
    let around = body.regions_around(at).into_iter();
    let mut clauses = around.flat_map(clauses);
    clauses.any(|one| one.variables().any(|one| one.text == name))
}

fn clauses(statement: &Statement) -> impl Iterator<Item = &Clause> {
    let all = statement.openmp.iter().flat_map(|one| &one.says.clauses);
    all.filter(|one| KINDS.contains(&one.kind))
}

/// All reductions of a program.
pub fn reductions(found: &Analysed, executed: &Executed) -> Vec<Reduced> {
    let mut all = Vec::new();
    for id in found.steps.routine_ids() {
        let unit = found.unit(id);
        found.function(id).body.walk(&mut |statement| {
            for clause in clauses(statement) {
                let operator = match &clause.content {
                    Content::List { operator, .. } => operator.as_ref().map_or("", |one| &one.text),
                    _ => "",
                };
                for variable in clause.variables() {
                    let at = statement.span.start;
                    let symbol = unit.lookup(statement.scope, &variable.text, at);
                    let first = Span::new(at, at + 1);
                    let looked = symbol.map(|symbol| Look {
                        found,
                        executed,
                        id,
                        unit,
                        symbol,
                        operator,
                    });
                    all.push(Reduced {
                        name: variable.text.clone(),
                        place: TextPlace {
                            unit: found.unit_index(id),
                            span: first,
                        },
                        depends: looked.is_none_or(|look| !look.is_sum(statement)),
                        is_rounded: symbol.is_none_or(|symbol| is_floating(unit, symbol)),
                    });
                }
            }
            true
        });
    }
    all
}

fn is_floating(unit: &Unit, symbol: SymbolId) -> bool {
    let mut ty = unit.symbols[symbol.0].ty;
    loop {
        match unit.kind(ty) {
            TypeKind::Array { element, .. } => ty = *element,
            TypeKind::Pointer(target) => ty = *target,
            TypeKind::Bool | TypeKind::Integer(_) | TypeKind::ComplexInteger(_) => return false,
            _ => return true,
        }
    }
}

struct Look<'a> {
    found: &'a Analysed<'a>,
    executed: &'a Executed,
    id: RoutineId,
    unit: &'a Unit,
    symbol: SymbolId,
    operator: &'a str,
}

impl Look<'_> {
    /// Whether all that is done with the variable in a construct adds to it, once for each part of the work.
    fn is_sum(&self, statement: &Statement) -> bool {
        let mut mentions = 0;
        statement.walk_expressions(&mut |one| mentions += usize::from(self.is_it(one)));
        let mut fine = 0;
        self.count(statement, &mut fine);
        mentions == fine
    }

    /// Adds up the mentions in statements that add to the variable.
    fn count(&self, statement: &Statement, fine: &mut usize) {
        let is_shared_out = || {
            let by = self.executed.by(self.found, self.id, statement.span);
            by == By::Somebody
        };
        match &statement.kind {
            StatementKind::Expression(Some(value)) if is_shared_out() => *fine += self.added(value),
            StatementKind::If {
                condition,
                then,
                otherwise: None,
            } if is_shared_out() && self.mentions(condition) > 0 => {
                let then = match &then.kind {
                    StatementKind::Compound { items, .. } if items.len() == 1 => &items[0],
                    _ => then,
                };
                if let (StatementKind::Expression(Some(value)), Some(other)) =
                    (&then.kind, self.compared(condition))
                    && let ExpressionKind::Assign {
                        operator: None,
                        target,
                        value,
                    } = &value.kind
                    && self.is_target(target)
                    && self.text(value) == self.text(other)
                {
                    *fine += 2;
                }
            }
            _ => {
                // Heads of loops with a step: `for (…; …; s += x)` happens as often as the body.
                for child in statement.children() {
                    self.count(child, fine);
                }
            }
        }
    }

    /// How many mentions an expression has that adds to the variable; 0 for others.
    fn added(&self, value: &Expression) -> usize {
        use BinaryOperator as B;
        let all = self.mentions(value);
        let is_added = match &value.kind {
            ExpressionKind::Comma(values) => {
                return values.iter().map(|one| self.added(one)).sum();
            }
            ExpressionKind::Step(_, target) => {
                matches!(self.operator, "+" | "-") && self.is_target(target) && all == 1
            }
            ExpressionKind::Assign {
                operator: Some(operator),
                target,
                value,
            } => {
                self.is_target(target)
                    && self.mentions(value) == 0
                    && self.mentions(target) == 1
                    && (self.is_operator(*operator)
                        || *operator == B::Subtract && matches!(self.operator, "+" | "-"))
            }
            ExpressionKind::Assign {
                operator: None,
                target,
                value,
            } => {
                self.is_target(target) && self.mentions(target) == 1 && self.is_next(value, target)
            }
            _ => false,
        };
        match is_added {
            true => all,
            false => 0,
        }
    }

    /// Whether a value is the old one with something added.
    fn is_next(&self, value: &Expression, target: &Expression) -> bool {
        let is_old = |one: &Expression| self.text(one) == self.text(target);
        match &value.kind {
            ExpressionKind::Cast(value) => self.is_next(value, target),
            ExpressionKind::Binary(operator, left, right) => {
                let is_commutative = *operator != BinaryOperator::Subtract;
                let is_fine = self.is_operator(*operator)
                    || !is_commutative && matches!(self.operator, "+" | "-");
                is_fine
                    && (self.mentions(right) == 0 && (is_old(left) || self.is_next(left, target))
                        || is_commutative
                            && self.mentions(left) == 0
                            && (is_old(right) || self.is_next(right, target)))
            }
            ExpressionKind::Logical { and, left, right } => {
                let word = if *and { "&&" } else { "||" };
                self.operator == word && is_old(left) && self.mentions(right) == 0
            }
            ExpressionKind::Call { callee, arguments } => {
                let ExpressionKind::Name { name, .. } = &callee.kind else {
                    return false;
                };
                let is_fine = match self.operator {
                    "max" => ["fmax", "fmaxf", "fmaxl"].contains(&name.as_str()),
                    "min" => ["fmin", "fminf", "fminl"].contains(&name.as_str()),
                    _ => false,
                };
                let [left, right] = arguments.as_slice() else {
                    return false;
                };
                is_fine
                    && (is_old(left) && self.mentions(right) == 0
                        || is_old(right) && self.mentions(left) == 0)
            }
            ExpressionKind::Conditional {
                condition,
                then: Some(then),
                otherwise,
            } => {
                let compared = self.compared(condition).map(|one| self.text(one));
                compared.is_some_and(|other| {
                    let is_other = |one: &Expression| self.text(one) == other;
                    is_old(then) && is_other(otherwise) || is_other(then) && is_old(otherwise)
                })
            }
            _ => false,
        }
    }

    /// What the variable is compared with, for `min` and `max`.
    fn compared<'e>(&self, condition: &'e Expression) -> Option<&'e Expression> {
        use BinaryOperator as B;
        let ExpressionKind::Binary(operator, left, right) = &condition.kind else {
            return None;
        };
        let is_order = matches!(
            operator,
            B::Less | B::Greater | B::LessOrEqual | B::GreaterOrEqual
        );
        if !is_order || !matches!(self.operator, "min" | "max") {
            return None;
        }
        match (self.is_target(left), self.is_target(right)) {
            (true, false) if self.mentions(right) == 0 => Some(right),
            (false, true) if self.mentions(left) == 0 => Some(left),
            _ => None,
        }
    }

    fn is_operator(&self, operator: BinaryOperator) -> bool {
        use BinaryOperator as B;
        let word = match operator {
            B::Add => "+",
            B::Multiply => "*",
            B::And => "&",
            B::Or => "|",
            B::Xor => "^",
            _ => return false,
        };
        self.operator == word || word == "+" && self.operator == "-"
    }

    /// The variable, or an element of it.
    fn is_target(&self, one: &Expression) -> bool {
        match &one.kind {
            ExpressionKind::Index { array, index } => {
                self.is_target(array) && self.mentions(index) == 0
            }
            _ => self.is_it(one),
        }
    }

    fn is_it(&self, one: &Expression) -> bool {
        matches!(&one.kind, ExpressionKind::Name { symbol: Some(symbol), .. } if *symbol == self.symbol)
    }

    fn mentions(&self, one: &Expression) -> usize {
        let mut found = 0;
        one.walk(&mut |inner| found += usize::from(self.is_it(inner)));
        found
    }

    fn text(&self, one: &Expression) -> String {
        let text = self.unit.file.preprocessed_text(one.span);
        let text: String = text.chars().filter(|one| !one.is_whitespace()).collect();
        let inner = text
            .strip_prefix('(')
            .and_then(|text| text.strip_suffix(')'));
        inner
            .filter(|inner| !inner.contains(['(', ')']))
            .map_or(text.clone(), String::from)
    }
}
