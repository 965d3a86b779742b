//! Values of which only the run knows whether a restart gets them right.
//!
//! In: what pointers may point to, and what is live at checkpoints. Out: the members of structs and the kinds of scalars that
//! every checkpoint of the run looks at: numbers that may hold a pointer, pointers to what may be memory of a library, pointers that
//! were made of numbers, and pointers that may lie before their memory.
//! The run finds them by these names, whatever item or pointer brings them.
//!
//! Errors fall on the side of more: a value that is looked at for nothing costs a comparison.

use std::collections::BTreeSet;

use super::Analysed;
use super::borrowed::{Borrowed, Kept};
use super::leads::{element, find_member};
use super::memory::{CellId, ObjectKind};
use crate::program::{FloatKind, TypeId, TypeKind, Unit};

/// What is doubted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// Whether it is a number: it may be a pointer.
    Number,
    /// Whether a pointer points to memory of the program: it may be a number, or point to memory of a library.
    Pointer,
    /// Whether a pointer that seems to point to the end of its memory does: it may lie before other memory.
    Before,
}

/// Values that every checkpoint looks at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Suspect {
    /// A struct or union by its name, else the word for a kind of scalar.
    pub type_name: String,
    /// The member of the struct, or the variable of the kind; none: all of it, or all of the kind. An empty one: all of the kind
    /// behind pointers.
    pub member: Option<String>,
    /// What is doubted about it.
    pub doubt: Doubt,
}

/// All of a program.
pub fn suspects(facts: &Analysed, borrowed: &Borrowed) -> BTreeSet<Suspect> {
    let mut found = BTreeSet::new();
    for (cells, doubt) in [
        (&borrowed.disguised, Doubt::Number),
        (&borrowed.perhaps, Doubt::Pointer),
        (&Kept::of(facts, borrowed).perhaps, Doubt::Pointer),
    ] {
        for &cell in cells {
            add(facts, cell, doubt, &mut found);
        }
    }
    let origins = &facts.completeness.origins;
    let (before, made) = (origins.perhaps_before(), origins.made());
    if !before.is_empty() || !made.is_empty() {
        let checkpoints = facts.liveness.checkpoints().iter();
        for cell in checkpoints.flat_map(|live| live.everywhere()) {
            if before.contains_key(&cell) {
                add(facts, cell, Doubt::Before, &mut found);
            }
            if made.contains(&cell) {
                add(facts, cell, Doubt::Pointer, &mut found);
            }
        }
    }
    found
}

fn add(facts: &Analysed, cell: CellId, doubt: Doubt, found: &mut BTreeSet<Suspect>) {
    let memory = &facts.points_to.memory;
    let one = &memory.cells[cell.0 as usize];
    let object = &memory.objects[one.object.0 as usize];
    let of = |unit: &Unit, ty| member(unit, element(unit, ty), &one.path);
    let place = object
        .ty
        .and_then(|ty| of(&facts.program.units[ty.unit], ty.id));
    let mut suspect = |type_name: &str, member: Option<String>| {
        found.insert(Suspect {
            type_name: type_name.to_string(),
            member,
            doubt,
        });
    };
    if let Some((record, member)) = place {
        suspect(&record, member);
        return;
    }
    match (doubt, &object.kind) {
        (Doubt::Before | Doubt::Pointer, ObjectKind::Variable(variable)) => {
            let name = &facts.steps.variable(*variable).name;
            suspect("pointer", Some(name.clone()));
            // An array may be registered through a pointer, by its name.
            if !one.path.is_empty() {
                suspect("pointer", Some(String::new()));
            }
            return;
        }
        // Nothing is said of the variables that point there.
        (Doubt::Before | Doubt::Pointer, ObjectKind::Heap { .. }) => {
            return suspect("pointer", Some(String::new()));
        }
        (Doubt::Before | Doubt::Pointer, _) => return suspect("pointer", None),
        (Doubt::Number, _) => {}
    }
    match one.ty {
        Some(ty) => {
            let unit = &facts.program.units[ty.unit];
            let word = scalar_word(unit, element(unit, ty.id));
            word.into_iter().for_each(|word| suspect(word, None));
        }
        // By which type such a block is saved, the items say.
        None => ANY.iter().for_each(|word| suspect(word, None)),
    }
}

/// All kinds of numbers of which an array may hold a pointer.
const ANY: [&str; 13] = [
    "char", "schar", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "llong", "ullong",
    "float", "double",
];

/// The innermost struct on a path and its member there: `.at[].x` is `x` of the struct of which `at` is made.
pub fn member(unit: &Unit, mut record: TypeId, path: &str) -> Option<(String, Option<String>)> {
    let name_of = |ty: TypeId| match unit.kind(ty) {
        TypeKind::Record(id) => Some(unit.records[id.0].name()),
        _ => None,
    };
    let mut found = name_of(record).map(|name| (name, None));
    for name in path.split('.').map(|step| step.trim_end_matches("[]")) {
        if name.is_empty() {
            continue;
        }
        let holder = name_of(record)?;
        let Some(member) = find_member(unit, record, name) else {
            return Some((holder, None));
        };
        found = Some((holder, Some(name.to_string())));
        record = element(unit, member);
    }
    found
}

/// How the run calls a kind of number.
fn scalar_word(unit: &Unit, ty: TypeId) -> Option<&'static str> {
    Some(match unit.kind(ty) {
        TypeKind::Integer(kind) => kind.word()?,
        TypeKind::Enum(number) => unit.enumerations[number.0].underlying.word()?,
        TypeKind::Float(FloatKind::Double) => "double",
        TypeKind::Float(FloatKind::Float) => "float",
        _ => return None,
    })
}
