//! Integers as C computes with them: how wide a type is, what a number becomes in another type, what operators give.
//!
//! In: numbers with the types of the operands; an expression of the picture has no conversions in it, so they are made here.
//! Out: the number that the program's machine has; none where C leaves it open: a signed sum that overflows, a division by
//! zero, a shift by more bits than there are.

use super::expression::{BinaryOperator, Expression, ExpressionKind, UnaryOperator};
use super::machine::Machine;
use super::model::{SymbolId, SymbolKind};
use super::types::{EnumId, Enumeration, IntegerKind, Member, Record, RecordId, TypeId, TypeKind};
use crate::source::SourceFile;

/// What the types and names of a unit are, while it is being built and afterwards.
pub trait Types {
    /// The kind of a type.
    fn kind_of(&self, ty: TypeId) -> &TypeKind;
    /// What a name stands for.
    fn meaning(&self, symbol: SymbolId) -> SymbolKind;
    /// An enum.
    fn enumeration(&self, id: EnumId) -> &Enumeration;
    /// A struct or union.
    fn record(&self, id: RecordId) -> &Record;
    /// The text, which knows the machine.
    fn source(&self) -> &SourceFile;
}

/// How an integer type represents numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width {
    /// Those of the type or of a bit-field; 0 for `_Bool`, into which numbers do not go by their lowest bits.
    pub bits: u32,
    /// It has negative numbers.
    pub is_signed: bool,
}

impl Width {
    /// `int`
    pub const INT: Width = Width {
        bits: 32,
        is_signed: true,
    };

    /// `_Bool`
    pub const BOOL: Width = Width {
        bits: 0,
        is_signed: false,
    };

    /// Of an integer type, on the unit's machine; none of other types, and of those with 128 bits.
    pub fn of(types: &impl Types, ty: TypeId) -> Option<Width> {
        let kind = match types.kind_of(ty) {
            TypeKind::Integer(kind) => *kind,
            TypeKind::Enum(id) => types.enumeration(*id).underlying,
            TypeKind::Bool => {
                return Some(Width::BOOL);
            }
            _ => return None,
        };
        let bytes = kind.bytes(|| Machine::bytes_of_long(types.source()));
        let bits = u32::try_from(bytes * 8).ok().filter(|bits| *bits <= 64)?;
        let is_signed = match kind {
            IntegerKind::Char => Machine::char_is_signed(types.source()),
            kind => !kind.is_unsigned(),
        };
        Some(Width { bits, is_signed })
    }

    /// Of the value of an expression: a bit-field has its own.
    pub fn of_value(types: &impl Types, expression: &Expression) -> Option<Width> {
        let Some(member) = bit_field(types, expression) else {
            return Width::of(types, expression.ty);
        };
        let own = Width::of(types, member.ty)?;
        let bits = u32::try_from(member.width?).ok()?;
        // Compilers differ in how they compute with 40 bits.
        let is_plain = (1..=32).contains(&bits) || bits == own.bits;
        is_plain.then_some(Width { bits, ..own })
    }

    /// Whether a number of this type is the same in another one.
    pub fn fits_into(self, to: Width) -> bool {
        to.bits >= 64
            || (self.is_signed == to.is_signed && to.bits >= self.bits)
            || (to.is_signed && to.bits > self.bits)
    }

    /// Whether a number is one of this type.
    pub fn holds(self, value: i128) -> bool {
        let (low, high) = match self.is_signed {
            true => (-(1i128 << (self.bits - 1)), 1i128 << (self.bits - 1)),
            false => (0, 1i128 << self.bits.max(1)),
        };
        (low..high).contains(&value)
    }

    /// What a number becomes in this type.
    pub fn wrap(self, value: i128) -> i128 {
        if self == Width::BOOL {
            return i128::from(value != 0);
        }
        let rest = value.rem_euclid(1 << self.bits);
        match self.is_signed && rest >> (self.bits - 1) != 0 {
            true => rest - (1 << self.bits),
            false => rest,
        }
    }

    /// The type that an operator computes in.
    pub fn promoted(self) -> Width {
        match self.bits < 32 {
            true => Width::INT,
            false => self,
        }
    }

    /// The type that two operands are brought to. Of two that are as wide as each other it makes no difference which.
    pub fn common(self, other: Width) -> Width {
        let (one, other) = (self.promoted(), other.promoted());
        match one.bits.cmp(&other.bits) {
            std::cmp::Ordering::Less => other,
            std::cmp::Ordering::Greater => one,
            std::cmp::Ordering::Equal => Width {
                is_signed: one.is_signed && other.is_signed,
                ..one
            },
        }
    }

    /// A result: unsigned ones wrap around, of signed ones nobody knows.
    fn fitted(self, value: i128) -> Option<i128> {
        match self.is_signed {
            true => self.holds(value).then_some(value),
            false => Some(self.wrap(value)),
        }
    }
}

/// The bit-field that an expression names.
pub(super) fn bit_field<'t>(types: &'t impl Types, expression: &Expression) -> Option<&'t Member> {
    let ExpressionKind::Member {
        value,
        name,
        through_pointer,
    } = &expression.kind
    else {
        return None;
    };
    let owner = match (through_pointer, types.kind_of(value.ty)) {
        (false, kind) => kind,
        (true, TypeKind::Pointer(owner) | TypeKind::Array { element: owner, .. }) => {
            types.kind_of(*owner)
        }
        (true, _) => return None,
    };
    let TypeKind::Record(record) = owner else {
        return None;
    };
    find_member(types, *record, name).filter(|member| member.is_bit_field)
}

/// The member of a struct or union; looks into anonymous ones.
pub(super) fn find_member<'t>(
    types: &'t impl Types,
    record: RecordId,
    wanted: &str,
) -> Option<&'t Member> {
    let mut members = types.record(record).members.iter().flatten();
    members.find_map(|member| match (&member.name, types.kind_of(member.ty)) {
        (Some(name), _) => (name == wanted).then_some(member),
        (None, TypeKind::Record(inner)) => find_member(types, *inner, wanted),
        (None, _) => None,
    })
}

/// A number with the type it has; of what is no integer (a pointer) there is none.
pub type Number = (i128, Option<Width>);

impl UnaryOperator {
    /// The result for a known number.
    pub fn of(self, (value, width): Number) -> Option<i128> {
        if self == UnaryOperator::Not {
            return Some(i128::from(value == 0));
        }
        let width = width?.promoted();
        let value = width.wrap(value);
        match self {
            UnaryOperator::Plus => Some(value),
            UnaryOperator::Minus => width.fitted(-value),
            UnaryOperator::Complement => Some(width.wrap(!value)),
            _ => None,
        }
    }
}

impl BinaryOperator {
    /// The result for two known numbers.
    pub fn of(self, left: Number, right: Number) -> Option<i128> {
        use BinaryOperator as B;
        let ((left, Some(from)), (right, Some(to))) = (left, right) else {
            // Pointers that are known are null, or numbers above it.
            let is_plain = self.compares() && left.0 >= 0 && right.0 >= 0;
            return is_plain.then(|| self.compared(left.0, right.0));
        };
        let (left, right) = (from.wrap(left), to.wrap(right));
        if let B::ShiftLeft | B::ShiftRight = self {
            let width = from.promoted();
            let by = u32::try_from(right).ok().filter(|by| *by < width.bits)?;
            return Some(match self {
                // gcc has it so for signed numbers, too.
                B::ShiftLeft => width.wrap(left << by),
                _ => left >> by,
            });
        }
        let width = from.common(to);
        let (left, right) = (width.wrap(left), width.wrap(right));
        match self {
            B::Multiply => width.fitted(left.wrapping_mul(right)),
            B::Divide => width.fitted(left.checked_div(right)?),
            B::Modulo => width.fitted(left.checked_rem(right)?),
            B::Add => width.fitted(left + right),
            B::Subtract => width.fitted(left - right),
            B::And => Some(left & right),
            B::Xor => Some(left ^ right),
            B::Or => Some(left | right),
            _ => Some(self.compared(left, right)),
        }
    }

    fn compared(self, left: i128, right: i128) -> i128 {
        i128::from(match self {
            BinaryOperator::Less => left < right,
            BinaryOperator::Greater => left > right,
            BinaryOperator::LessOrEqual => left <= right,
            BinaryOperator::GreaterOrEqual => left >= right,
            BinaryOperator::NotEqual => left != right,
            _ => left == right,
        })
    }

    /// Gives 0 or 1.
    pub fn compares(self) -> bool {
        matches!(
            self,
            BinaryOperator::Less
                | BinaryOperator::Greater
                | BinaryOperator::LessOrEqual
                | BinaryOperator::GreaterOrEqual
                | BinaryOperator::Equal
                | BinaryOperator::NotEqual
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNSIGNED: Width = Width {
        bits: 32,
        is_signed: false,
    };
    const LONG: Width = Width {
        bits: 64,
        is_signed: true,
    };
    const SIZE: Width = Width {
        bits: 64,
        is_signed: false,
    };
    const BYTE: Width = Width {
        bits: 8,
        is_signed: false,
    };

    #[test]
    fn operands_are_brought_to_one_type_first() {
        use BinaryOperator as B;
        let int = |value| (value, Some(Width::INT));
        assert_eq!(B::Less.of(int(-1), (4, Some(SIZE))), Some(0));
        assert_eq!(B::Less.of(int(-1), (4, Some(LONG))), Some(1));
        assert_eq!(B::Less.of(int(-1), (4, Some(BYTE))), Some(1));
        assert_eq!(
            B::Divide.of(int(-1), (2, Some(UNSIGNED))),
            Some(0x7fff_ffff)
        );
        assert_eq!(B::Divide.of(int(-1), int(2)), Some(0));
        assert_eq!(
            B::Subtract.of((0, Some(UNSIGNED)), int(1)),
            Some(0xffff_ffff)
        );
        assert_eq!(
            B::Add.of((-1, Some(UNSIGNED)), (0, Some(LONG))),
            Some(0xffff_ffff)
        );
        assert_eq!(B::ShiftRight.of(int(-8), (1, Some(SIZE))), Some(-4));
        assert_eq!(B::Add.of((200, Some(BYTE)), (100, Some(BYTE))), Some(300));
    }

    #[test]
    fn what_c_leaves_open_is_not_known() {
        use BinaryOperator as B;
        let int = |value| (value, Some(Width::INT));
        let most = i128::from(i32::MAX);
        assert_eq!(B::Add.of(int(most), int(1)), None);
        assert_eq!(B::Divide.of(int(1), int(0)), None);
        assert_eq!(B::Modulo.of(int(-most - 1), int(-1)), Some(0));
        assert_eq!(B::Divide.of(int(-most - 1), int(-1)), None);
        assert_eq!(B::ShiftLeft.of(int(1), int(32)), None);
        assert_eq!(UnaryOperator::Minus.of(int(-most - 1)), None);
        assert_eq!(
            UnaryOperator::Minus.of((1, Some(UNSIGNED))),
            Some(0xffff_ffff)
        );
        // A pointer and an offset: by how many bytes is not known here.
        assert_eq!(B::Add.of((0, None), int(4)), None);
        assert_eq!(B::Equal.of((0, None), int(0)), Some(1));
    }

    #[test]
    fn a_bool_is_0_or_1() {
        assert_eq!(Width::BOOL.wrap(4), 1);
        assert!(Width::BOOL.holds(1) && !Width::BOOL.holds(2));
        assert_eq!(Width::BOOL.promoted(), Width::INT);
        let one_bit = Width {
            bits: 1,
            is_signed: false,
        };
        assert_eq!(one_bit.wrap(4), 0);
        let signed_bit = Width {
            bits: 1,
            is_signed: true,
        };
        assert_eq!(signed_bit.wrap(1), -1);
        assert_eq!(BYTE.wrap(300), 44);
        assert_eq!(BYTE.wrap(-1), 255);
    }
}
