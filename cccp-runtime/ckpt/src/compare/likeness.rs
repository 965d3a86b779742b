//! Whether two types are alike, so that their values can be compared one by one.

use cccp::format::{Layout, compatible};

use crate::elements::{Element, Number};

/// What keeps two types apart; none when they are alike. Layout and sizes may differ as those of two machines do.
pub fn unlike(one: (Layout, u32), other: (Layout, u32)) -> Option<String> {
    let name = |(layout, index): (Layout, u32)| layout.types[index as usize].name.clone();
    let (a, b) = (name(one), name(other));
    if let Err(error) = compatible(one.0, one.1, other.0, other.1) {
        // The words of the runtime speak of a file and a program.
        let reason = error
            .to_string()
            .replace("the file's", "that of A")
            .replace("the program's", "that of B")
            .replace("the file has", "A has")
            .replace("the program", "B");
        return Some(reason);
    }
    let trees = [one, other].map(|(layout, index)| Element::of(layout, index));
    (!alike(&trees[0], &trees[1]))
        .then(|| format!("{a} and {b} have their members in another order"))
}

fn alike(one: &Element, other: &Element) -> bool {
    match (one, other) {
        (Element::Number(one), Element::Number(other)) => {
            one == other
                || matches!(
                    (one, other),
                    (Number::Integer { .. }, Number::Integer { .. })
                )
        }
        (
            Element::Array { count, element },
            Element::Array {
                count: count_too,
                element: element_too,
            },
        ) => count == count_too && alike(element, element_too),
        (Element::Struct(one), Element::Struct(other)) => {
            one.len() == other.len()
                && one.iter().zip(other).all(|(one, other)| {
                    one.name == other.name && alike(&one.element, &other.element)
                })
        }
        (one, other) => one == other,
    }
}
