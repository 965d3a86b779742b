//! Plans that are made again, and what FFTW has learnt for that (FFTW 3.3, 4.1.4 and 4.7).

use std::collections::BTreeMap;
use std::ffi::c_int;
use std::sync::OnceLock;

use super::line::{Argument, read};
use super::plans::{ESTIMATE, Plan, precision, table};

/// `FFTW_WISDOM_ONLY`
const WISDOM_ONLY: i64 = 1 << 21;
/// The precisions: double, single, extended.
const PRECISIONS: usize = 3;
/// Begins a line with what FFTW has learnt.
const WISDOM: &str = "wisdom ";

/// FFTW's functions, as the program is linked with them. A precision is 0 for `double`, 1 for `float`, 2 for `long double`.
pub trait Planner: Sync {
    /// Calls a function that makes plans, and notes the plan. Its address, 0 where there is none; none for names and arguments that do not
    /// fit.
    fn plan(&self, maker: &str, arguments: &[Argument]) -> Option<usize>;

    /// The next plans have so many threads.
    fn set_threads(&self, precision: usize, threads: c_int);

    /// What FFTW has learnt; none where it cannot be had.
    fn wisdom(&self, precision: usize) -> Option<String>;

    /// Lets FFTW know it again. What it cannot use it leaves.
    fn learn(&self, precision: usize, wisdom: &str);
}

static PLANNER: OnceLock<&'static dyn Planner> = OnceLock::new();

/// FFTW is there.
pub fn set_planner(planner: &'static dyn Planner) {
    // The first one serves as well: there is one FFTW.
    let _ = PLANNER.set(planner);
}

/// What FFTW has learnt where it has measured plans, a line for each precision.
pub fn wisdom() -> String {
    let measured = table().has_measured;
    let mut lines = String::new();
    for of in (0..PRECISIONS).filter(|of| measured[*of]) {
        if let Some(text) = PLANNER.get().and_then(|planner| planner.wisdom(of)) {
            lines += &format!("{WISDOM}{of} {}\n", text.replace('\n', " "));
        }
    }
    lines
}

/// Lines of wisdom among others, by precision.
pub fn read_wisdom<'l>(lines: impl IntoIterator<Item = &'l str>) -> BTreeMap<usize, String> {
    let lines = lines.into_iter();
    let found = lines.filter_map(|line| {
        let (of, text) = line.strip_prefix(WISDOM)?.split_once(' ')?;
        Some((of.parse().ok()?, text.to_string()))
    });
    found.collect()
}

/// Makes plans again: those that were estimated before FFTW had learnt anything, then the others.
pub struct Maker {
    wisdom: BTreeMap<usize, String>,
    has_learnt: [bool; PRECISIONS],
}

impl Maker {
    /// With this wisdom, by precision.
    pub fn with(wisdom: BTreeMap<usize, String>) -> Maker {
        Maker {
            wisdom,
            has_learnt: [false; PRECISIONS],
        }
    }

    /// Puts the lines of plans into the order in which they have to be made.
    pub fn sort(lines: &mut [String]) {
        lines.sort_by_key(|line| read(line).map(|plan| (needs_wisdom(&plan), plan.number)));
    }
}

fn needs_wisdom(plan: &Plan) -> bool {
    plan.knows_wisdom || !is_estimated(&plan.arguments)
}

/// The flags are the last argument of every function that makes plans.
pub(super) fn is_estimated(arguments: &[Argument]) -> bool {
    matches!(arguments.last(), Some(Argument::Number(flags)) if flags & ESTIMATE != 0)
}

/// A plan that is there again.
pub struct Made {
    /// The word for it.
    pub word: String,
    /// The bytes of the new one.
    pub bytes: Vec<u8>,
    /// It was measured, and what FFTW had learnt then does not serve here: it is estimated.
    pub is_other: bool,
}

/// Makes a plan again from its line, in which its arrays are addresses of this process. The arrays keep what they hold.
///
/// # Errors
///
/// What stands in the way, for people.
pub fn make(maker: &mut Maker, line: &str) -> Result<Made, String> {
    let plan = read(line).ok_or_else(|| format!("its line is not understood: {line}"))?;
    let planner = PLANNER.get().ok_or("the program uses no FFTW now")?;
    let of = precision(&plan.maker);
    if needs_wisdom(&plan)
        && !std::mem::replace(&mut maker.has_learnt[of], true)
        && let Some(text) = maker.wisdom.get(&of)
    {
        planner.learn(of, text);
        table().has_measured[of] = true;
    }
    let threads = table().threads[of];
    if threads != plan.threads {
        planner.set_threads(of, plan.threads);
    }
    let mut is_other = false;
    let made = match is_estimated(&plan.arguments) {
        true => call(*planner, &plan, 0),
        // Without measuring: that would write to the arrays.
        false => match call(*planner, &plan, WISDOM_ONLY) {
            Some(0) => {
                is_other = true;
                call(*planner, &plan, ESTIMATE)
            }
            made => made,
        },
    };
    if threads != plan.threads {
        planner.set_threads(of, threads);
    }
    match made {
        None => Err(format!("the program does not call `{}` now", plan.maker)),
        Some(0) => Err(format!("`{}` gives no plan", plan.maker)),
        Some(made) => Ok(Made {
            word: format!("p{}", plan.number),
            bytes: made.to_ne_bytes().to_vec(),
            is_other,
        }),
    }
}

/// Makes a plan with more flags, which are not those of the plan.
fn call(planner: &dyn Planner, plan: &Plan, more: i64) -> Option<usize> {
    let mut arguments = plan.arguments.clone();
    if let Some(Argument::Number(flags)) = arguments.last_mut() {
        *flags |= more;
    }
    let made = planner.plan(&plan.maker, &arguments)?;
    if let Some(one) = table().known.get(made) {
        one.arguments.clone_from(&plan.arguments);
        one.knows_wisdom = plan.knows_wisdom;
    }
    Some(made)
}
