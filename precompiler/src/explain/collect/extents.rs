//! Extents of registers and of array types, as factors of a number of bytes; types as the report shows them.

use crate::explain::size::{Factor, Layout, Reader, Sizes};
use crate::program::{Expression, Extent, ItemExtent, TypeId, TypeKind, Unit};
use crate::source::Span;

/// Whose names extents use, and who reads them.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    /// The unit with its machine.
    pub layout: Layout<'a>,
    /// The function whose names are meant.
    pub function: &'a str,
    /// The function of the checkpoint.
    pub here: &'a str,
}

impl<'a> Names<'a> {
    fn reader<'s>(&self, sizes: &'s mut Sizes) -> Reader<'a, 's> {
        Reader {
            layout: self.layout,
            function: self.function,
            here: self.here,
            sizes,
        }
    }

    /// The factors of an expression; when it is not understood its text.
    pub fn factors(&self, expression: &Expression, sizes: &mut Sizes) -> Vec<Factor> {
        match self.reader(sizes).factors(expression) {
            Some(factors) => factors,
            None => {
                let file = &self.layout.unit.file;
                let text = file.one_line(expression.span);
                vec![named(&text.unwrap_or_else(|| "…".to_string()), None)]
            }
        }
    }

    /// A dimension of an array type.
    pub fn dimension(&self, extent: Extent, sizes: &mut Sizes) -> Factor {
        let unit = self.layout.unit;
        match extent {
            Extent::Constant(count) => Factor {
                text: count.to_string(),
                value: Some(count),
                number: true,
            },
            Extent::Expression(span) | Extent::Variable(span) => {
                let text = unit.file.one_line(span).unwrap_or_default();
                let Some(found) = expression_at(unit, span) else {
                    let value = sizes.look(self.function, &text);
                    return named(&text, value);
                };
                let mut reader = self.reader(sizes);
                let value = reader.value(found);
                let shown = reader.spell(found, 0).unwrap_or(text);
                named(&shown, value.and_then(|value| u64::try_from(value).ok()))
            }
            _ => named("…", None),
        }
    }

    /// The factors of an extent of a register.
    pub fn extent(&self, extent: &ItemExtent, sizes: &mut Sizes) -> Vec<Factor> {
        let Some(written) = &extent.written else {
            return vec![Factor {
                text: extent.text.clone(),
                value: extent.value,
                number: extent.value.is_some(),
            }];
        };
        if let Some(found) = &written.expression
            && let Some(factors) = self.reader(sizes).factors(found)
        {
            return factors;
        }
        // A macro keeps its name; one that only the compiler can resolve is a name that the user gives a value.
        let value = match (&extent.value, &written.meant) {
            (Some(value), _) => Some(*value),
            (None, Some(meant)) => self
                .reader(sizes)
                .value(meant)
                .and_then(|value| u64::try_from(value).ok()),
            (None, None) => sizes.look(self.function, &written.text),
        };
        vec![named(&written.text, value)]
    }
}

/// A factor with a name; in parentheses where it needs them.
fn named(text: &str, value: Option<u64>) -> Factor {
    let simple = |c: char| c.is_alphanumeric() || "_.:>-[]…".contains(c);
    let text = if text.chars().all(simple) && !text.contains(" - ") {
        text.to_string()
    } else {
        format!("({text})")
    };
    Factor {
        text,
        value,
        number: false,
    }
}

/// The expression of a unit that stands exactly at a place.
fn expression_at(unit: &Unit, span: Span) -> Option<&Expression> {
    let function = unit.functions.iter().find(|one| one.span.contains(span))?;
    let mut found = None;
    function.body.walk_expressions(&mut |expression| {
        if expression.span == span {
            found = Some(expression);
        }
    });
    found
}

/// A type as the program spells it: by its typedef if it has one, an array with its extents.
pub fn spelling(unit: &Unit, ty: TypeId) -> String {
    if let Some(name) = &unit.ty(ty).typedef_name {
        return name.clone();
    }
    let (mut element, mut dimensions) = (ty, String::new());
    while let TypeKind::Array {
        element: inner,
        extent,
    } = unit.kind(element)
    {
        let text = match extent {
            Extent::Constant(count) => count.to_string(),
            Extent::Expression(span) | Extent::Variable(span) => {
                unit.file.one_line(*span).unwrap_or_default()
            }
            _ => String::new(),
        };
        dimensions += &format!("[{text}]");
        element = *inner;
    }
    if element != ty {
        return format!("{}{dimensions}", spelling(unit, element));
    }
    match (unit.spell(ty, ""), unit.kind(ty)) {
        (Ok(text), _) => text,
        (Err(_), TypeKind::Record(record)) => {
            let record = &unit.records[record.0];
            let word = if record.is_union { "union" } else { "struct" };
            match &record.tag {
                Some(tag) => format!("{word} {tag}"),
                None => word.to_string(),
            }
        }
        (Err(_), TypeKind::Pointer(target)) => format!("{} *", spelling(unit, *target)),
        (Err(_), _) => String::new(),
    }
}
