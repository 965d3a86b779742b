//! The value of an extent, with the sizes that the user gives, and how it is written.
//!
//! In: an expression that a register or an allocation uses. Out: its value, or which names are missing for it; and its
//! factors, so that `n * 2 * m` elements of eight bytes are shown as `16·n·m`.

use super::given::Sizes;
use crate::program::Layout;
use crate::program::{BinaryOperator, Expression, ExpressionKind, SymbolKind, UnaryOperator};

/// One factor of a product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factor {
    /// As C text that may stand beside `*`.
    pub text: String,
    /// Its value when it is known.
    pub value: Option<u64>,
    /// It is a number in the program, not a name.
    pub number: bool,
}

/// What an expression needs.
pub struct Reader<'a, 's> {
    /// For `sizeof`.
    pub layout: Layout<'a>,
    /// The function whose names are meant.
    pub function: &'a str,
    /// The function of the checkpoint: locals of others are written `solve:n`.
    pub here: &'a str,
    /// The user's sizes.
    pub sizes: &'s mut Sizes,
}

impl Reader<'_, '_> {
    /// The factors of an expression.
    pub fn factors(&mut self, expression: &Expression) -> Option<Vec<Factor>> {
        match &expression.kind {
            ExpressionKind::Binary(BinaryOperator::Multiply, left, right) => {
                let mut all = self.factors(left)?;
                all.extend(self.factors(right)?);
                Some(all)
            }
            ExpressionKind::Cast(inner) => self.factors(inner),
            _ => {
                let text = self.spell(expression, 13)?;
                let value = self.value(expression);
                Some(vec![Factor {
                    text,
                    value: value.and_then(|value| u64::try_from(value).ok()),
                    number: is_constant(self, expression),
                }])
            }
        }
    }

    /// The value of an expression.
    pub fn value(&mut self, expression: &Expression) -> Option<i128> {
        let unit = self.layout.unit;
        unit.constant(expression, &mut |one| match one.kind {
            ExpressionKind::Name { .. }
            | ExpressionKind::Member { .. }
            | ExpressionKind::Index { .. }
            | ExpressionKind::Unary(UnaryOperator::Indirection, _) => self.named(one),
            _ => None,
        })
    }

    /// A size that only the user can know.
    fn named(&mut self, expression: &Expression) -> Option<i128> {
        let plain = Reader {
            here: self.function,
            sizes: &mut *self.sizes,
            ..*self
        };
        let name = plain.spell(expression, 0)?;
        self.sizes.look(self.function, &name).map(i128::from)
    }

    /// The expression as C text, in parentheses when it binds less than `least` (13: multiplication, 12: addition).
    pub fn spell(&self, expression: &Expression, least: u8) -> Option<String> {
        let (text, binds) = match &expression.kind {
            ExpressionKind::Name { name, symbol } => {
                let facts = symbol.and_then(|symbol| self.layout.unit.symbols.get(symbol.0));
                match facts {
                    Some(facts) if facts.function.is_some() && self.function != self.here => {
                        (format!("{}:{name}", self.function), 16)
                    }
                    _ => (name.clone(), 16),
                }
            }
            ExpressionKind::Number(value) => (value.as_ref()?.to_string(), 16),
            ExpressionKind::Member {
                value,
                name,
                through_pointer,
            } => {
                let sign = if *through_pointer { "->" } else { "." };
                (format!("{}{sign}{name}", self.spell(value, 15)?), 15)
            }
            ExpressionKind::Index { array, index } => {
                let (array, index) = (self.spell(array, 15)?, self.spell(index, 0)?);
                (format!("{array}[{index}]"), 15)
            }
            ExpressionKind::Unary(operator, inner) => {
                let sign = match operator {
                    UnaryOperator::Minus => "-",
                    UnaryOperator::Indirection => "*",
                    UnaryOperator::Plus => "+",
                    UnaryOperator::Complement => "~",
                    UnaryOperator::Not => "!",
                    _ => return None,
                };
                (format!("{sign}{}", self.spell(inner, 14)?), 14)
            }
            ExpressionKind::Binary(operator, left, right) => {
                let (sign, binds) = sign(*operator)?;
                let (left, right) = (self.spell(left, binds)?, self.spell(right, binds + 1)?);
                (format!("{left} {sign} {right}"), binds)
            }
            ExpressionKind::Conditional {
                condition,
                then: Some(then),
                otherwise,
            } => {
                let (condition, then) = (self.spell(condition, 4)?, self.spell(then, 3)?);
                (
                    format!("{condition} ? {then} : {}", self.spell(otherwise, 3)?),
                    3,
                )
            }
            ExpressionKind::Cast(inner) => return self.spell(inner, least),
            ExpressionKind::Unevaluated(Some(inner)) => {
                (format!("sizeof {}", self.spell(inner, 14)?), 14)
            }
            _ => return None,
        };
        Some(if binds < least {
            format!("({text})")
        } else {
            text
        })
    }
}

/// A number in the program's text, whatever the user says.
fn is_constant(reader: &Reader, expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Number(_) | ExpressionKind::Unevaluated(_) => true,
        ExpressionKind::Name { symbol, .. } => symbol
            .and_then(|symbol| reader.layout.unit.symbols.get(symbol.0))
            .is_some_and(|symbol| matches!(symbol.kind, SymbolKind::EnumConstant(_))),
        ExpressionKind::Binary(_, left, right) => {
            is_constant(reader, left) && is_constant(reader, right)
        }
        ExpressionKind::Unary(operator, inner) => {
            *operator != UnaryOperator::Indirection && is_constant(reader, inner)
        }
        ExpressionKind::Cast(inner) => is_constant(reader, inner),
        _ => false,
    }
}

fn sign(operator: BinaryOperator) -> Option<(&'static str, u8)> {
    Some(match operator {
        BinaryOperator::Multiply => ("*", 13),
        BinaryOperator::Divide => ("/", 13),
        BinaryOperator::Modulo => ("%", 13),
        BinaryOperator::Add => ("+", 12),
        BinaryOperator::Subtract => ("-", 12),
        BinaryOperator::ShiftLeft => ("<<", 11),
        BinaryOperator::ShiftRight => (">>", 11),
        BinaryOperator::Less => ("<", 10),
        BinaryOperator::Greater => (">", 10),
        BinaryOperator::LessOrEqual => ("<=", 10),
        BinaryOperator::GreaterOrEqual => (">=", 10),
        BinaryOperator::Equal => ("==", 9),
        BinaryOperator::NotEqual => ("!=", 9),
        BinaryOperator::And => ("&", 8),
        BinaryOperator::Xor => ("^", 7),
        BinaryOperator::Or => ("|", 6),
    })
}
