//! Formats of `printf` and its like, as the program writes them: whether one stores how much has been written (`%n`, C17 7.21.6.1p8).

use std::iter::Peekable;
use std::str::Chars;

/// What may stand between the `%` and the letter of a conversion.
const BETWEEN: &str = "-+ #0123456789'.*$hlLqjztwI";

/// Whether a text of the program, with its quotes, may have a `%n`. What is no text is one that may.
pub fn counts(text: &str) -> bool {
    let prefix = text.find('"').map(|at| &text[..at]);
    // Between two pieces may be a line mark, which has quotes, too.
    let has_marks = text.contains('#') && text.contains('\n');
    if has_marks || !matches!(prefix, Some("" | "L" | "u8")) {
        return true;
    }
    let mut is_inside = false;
    let mut converts = false;
    let mut rest = text.chars().peekable();
    while let Some(one) = rest.next() {
        if one == '"' {
            is_inside = !is_inside;
            continue;
        }
        if !is_inside {
            continue;
        }
        let one = match one {
            '\\' => match escaped(&mut rest) {
                Some(one) => one,
                None => return true,
            },
            one => one,
        };
        match one {
            // A pointer may point behind the first of two.
            '%' => converts = true,
            'n' if converts => return true,
            _ => converts = converts && BETWEEN.contains(one),
        }
    }
    false
}

/// The character that a backslash stands for, with what comes behind it; a line feed for all that have neither number nor meaning here.
/// None: any.
fn escaped(rest: &mut Peekable<Chars<'_>>) -> Option<char> {
    match rest.peek()? {
        '0'..='7' => number(rest, 8, 3),
        'x' => {
            rest.next();
            number(rest, 16, usize::MAX)
        }
        'u' | 'U' => None,
        _ => {
            rest.next();
            Some('\n')
        }
    }
}

/// The character with the number that up to so many digits say.
fn number(rest: &mut Peekable<Chars<'_>>, base: u32, most: usize) -> Option<char> {
    let mut number = 0u32;
    for _ in 0..most {
        let Some(digit) = rest.peek().and_then(|one| one.to_digit(base)) else {
            break;
        };
        rest.next();
        number = number.saturating_mul(base).saturating_add(digit);
    }
    char::from_u32(number)
}

#[cfg(test)]
mod tests {
    use super::counts;

    #[test]
    fn a_format_counts_only_with_a_conversion_that_stores() {
        for text in [
            r#""step %d of %s\n""#,
            r#""%-10s|%*d|%.3Lf|%lu of n""#,
            r#""%" "lu" " not\n""#,
            r#""\033[1mname\033[0m %s""#,
            r#"L"%ls in""#,
            r#""\x25d""#,
        ] {
            assert!(!counts(text), "{text}");
        }
        for text in [
            r#""%n""#,
            r#""%d%hhn""#,
            r#""100 %%n""#,
            r#""%" "l" "n""#,
            r#""%1$*2$n""#,
            r#""\45n""#,
            r#""\x25\156""#,
            r#""%\u006e""#,
            "__func__",
            "\"%\"\n# 3 \"name.c\"\n\"n\"",
        ] {
            assert!(counts(text), "{text}");
        }
    }
}
