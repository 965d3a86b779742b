//! What a plan was made with, as a line of text.

use std::ffi::c_int;

use super::plans::Plan;

/// Begins the line of a plan.
const PLAN: &str = "plan ";
/// Begins the word of an array.
const ARRAY: char = '@';

/// An argument of a function that makes plans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// An integer, or flags.
    Number(i64),
    /// One number for each dimension, or a null pointer.
    Numbers(Option<Vec<c_int>>),
    /// `fftw_iodim` and `fftw_iodim64`: length, strides of input and output.
    Dimensions(Vec<[i64; 3]>),
    /// The address of an array.
    Array(usize),
}

impl Argument {
    fn word(&self) -> String {
        let joined = |numbers: Vec<String>| numbers.join(",");
        match self {
            Argument::Number(number) => number.to_string(),
            Argument::Numbers(None) => "n-".to_string(),
            Argument::Numbers(Some(all)) => {
                format!("n{}", joined(all.iter().map(c_int::to_string).collect()))
            }
            Argument::Dimensions(all) => {
                let one = |[length, from, to]: &[i64; 3]| format!("{length}:{from}:{to}");
                format!("d{}", joined(all.iter().map(one).collect()))
            }
            Argument::Array(address) => format!("{ARRAY}{address}"),
        }
    }

    fn of(word: &str) -> Option<Argument> {
        if let Some(address) = word.strip_prefix(ARRAY) {
            return Some(Argument::Array(address.parse().ok()?));
        }
        if word == "n-" {
            return Some(Argument::Numbers(None));
        }
        let parts = |rest: &str| -> Vec<String> {
            let all = rest.split(',').filter(|one| !one.is_empty());
            all.map(str::to_string).collect()
        };
        if let Some(rest) = word.strip_prefix('n') {
            let all: Result<Vec<c_int>, _> = parts(rest).iter().map(|one| one.parse()).collect();
            return Some(Argument::Numbers(Some(all.ok()?)));
        }
        if let Some(rest) = word.strip_prefix('d') {
            let one = |text: &String| -> Option<[i64; 3]> {
                let numbers: Option<Vec<i64>> =
                    text.split(':').map(|one| one.parse().ok()).collect();
                numbers?.try_into().ok()
            };
            let all: Option<Vec<[i64; 3]>> = parts(rest).iter().map(one).collect();
            return Some(Argument::Dimensions(all?));
        }
        Some(Argument::Number(word.parse().ok()?))
    }
}

/// Whether a line is that of a plan.
pub fn is_plan_line(line: &str) -> bool {
    line.starts_with(PLAN)
}

/// The line from which a plan can be made again.
pub(super) fn line(plan: &Plan) -> String {
    let wisdom = if plan.knows_wisdom { "w" } else { "-" };
    let head = format!(
        "{PLAN}{} {} {} {wisdom}",
        plan.number, plan.maker, plan.threads
    );
    let words = plan.arguments.iter().map(Argument::word);
    words.fold(head, |line, word| line + " " + &word)
}

/// What a line says.
pub(super) fn read(line: &str) -> Option<Plan> {
    let mut words = line.strip_prefix(PLAN)?.split(' ');
    let plan = Plan {
        number: words.next()?.parse().ok()?,
        maker: words.next()?.to_string(),
        threads: words.next()?.parse().ok()?,
        knows_wisdom: words.next()? == "w",
        arguments: words.map(Argument::of).collect::<Option<_>>()?,
    };
    Some(plan)
}

/// A line with other words for its arrays.
///
/// # Errors
///
/// What is wrong with one of them.
pub fn with_arrays<E>(
    line: &str,
    mut other: impl FnMut(&str) -> Result<String, E>,
) -> Result<String, E> {
    let words = line.split(' ').map(|word| match word.strip_prefix(ARRAY) {
        Some(array) => Ok(format!("{ARRAY}{}", other(array)?)),
        None => Ok(word.to_string()),
    });
    Ok(words.collect::<Result<Vec<_>, E>>()?.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_what_its_line_says() {
        let arguments = vec![
            Argument::Number(2),
            Argument::Numbers(Some(vec![8, 16])),
            Argument::Array(94000),
            Argument::Numbers(None),
            Argument::Dimensions(vec![[4, 1, -4], [2, 4, 1]]),
            Argument::Dimensions(Vec::new()),
            Argument::Number(-1),
        ];
        let plan = Plan {
            number: 3,
            maker: "fftw_plan_many_dft".to_string(),
            threads: 2,
            knows_wisdom: true,
            arguments,
        };
        let text = "plan 3 fftw_plan_many_dft 2 w 2 n8,16 @94000 n- d4:1:-4,2:4:1 d -1";
        assert_eq!(line(&plan), text);
        let read = read(text).map(|one| (one.number, one.maker, one.threads, one.arguments));
        assert_eq!(read, Some((3, plan.maker, 2, plan.arguments)));
        let placed = with_arrays(text, |array| match array {
            "94000" => Ok("7:0:0:8".to_string()),
            _ => Err(()),
        });
        let text = "plan 3 fftw_plan_many_dft 2 w 2 n8,16 @7:0:0:8 n- d4:1:-4,2:4:1 d -1";
        assert_eq!(placed, Ok(text.to_string()));
    }
}
