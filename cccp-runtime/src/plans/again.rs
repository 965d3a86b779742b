//! Plans that are made again, and what FFTW has learnt for that (FFTW 3.3, 4.1.4 and 4.7).

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char, c_int, c_void};

use super::calls::{double, extended, single};
use super::line::{Argument, read};
use super::{ESTIMATE, Plan, WISDOM_ONLY, precision, real, table};

/// The names of FFTW's functions, by precision.
const PREFIXES: [&str; 3] = ["fftw_", "fftwf_", "fftwl_"];
/// Begins a line with what FFTW has learnt.
const WISDOM: &str = "wisdom ";

/// What FFTW has learnt where it has measured plans, a line for each precision.
pub fn wisdom() -> String {
    let measured = table().has_measured;
    let mut lines = String::new();
    for (of, prefix) in PREFIXES.iter().enumerate().filter(|(of, _)| measured[*of]) {
        let Some(export) = real(&format!("{prefix}export_wisdom_to_string")) else {
            continue;
        };
        // SAFETY: FFTW's function of this name; it gives a text that the caller releases with `free`, or a null pointer.
        let text = unsafe {
            let export = std::mem::transmute::<usize, extern "C" fn() -> *mut c_char>(export);
            let text = export();
            if text.is_null() {
                continue;
            }
            let copy = CStr::from_ptr(text).to_string_lossy().into_owned();
            libc::free(text.cast());
            copy
        };
        let text = text.replace('\n', " ");
        lines += &format!("{WISDOM}{of} {text}\n");
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

fn import(of: usize, text: &str) {
    let import = PREFIXES
        .get(of)
        .and_then(|prefix| real(&format!("{prefix}import_wisdom_from_string")));
    if let (Some(import), Ok(text)) = (import, CString::new(text)) {
        // SAFETY: FFTW's function of this name. What it cannot use it leaves.
        unsafe {
            let import =
                std::mem::transmute::<usize, extern "C" fn(*const c_char) -> c_int>(import);
            import(text.as_ptr());
        }
    }
    table().has_measured[of.min(2)] = true;
}

/// Makes plans again: those that were estimated before FFTW had learnt anything, then the others.
pub struct Maker {
    wisdom: BTreeMap<usize, String>,
    imported: [bool; 3],
}

impl Maker {
    /// With this wisdom, by precision.
    pub fn with(wisdom: BTreeMap<usize, String>) -> Maker {
        Maker {
            wisdom,
            imported: [false; 3],
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

fn is_estimated(arguments: &[Argument]) -> bool {
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
    let of = precision(&plan.maker);
    if needs_wisdom(&plan) && !std::mem::replace(&mut maker.imported[of], true) {
        if let Some(text) = maker.wisdom.get(&of) {
            import(of, text);
        }
    }
    let threads = table().threads[of];
    set_threads(of, plan.threads, threads);
    let mut is_other = false;
    let mut made = match is_estimated(&plan.arguments) {
        true => call(&plan, 0),
        // Without measuring: that would write to the arrays.
        false => call(&plan, WISDOM_ONLY),
    };
    if made == Some(0) && !is_estimated(&plan.arguments) {
        is_other = true;
        made = call(&plan, ESTIMATE);
    }
    set_threads(of, threads, plan.threads);
    match made {
        None => Err(format!("`{}` is not known with these arguments", plan.maker)),
        Some(0) => Err(format!("`{}` gives no plan", plan.maker)),
        Some(made) => Ok(Made {
            word: format!("p{}", plan.number),
            bytes: made.to_ne_bytes().to_vec(),
            is_other,
        }),
    }
}

fn set_threads(of: usize, threads: c_int, before: c_int) {
    if threads == before {
        return;
    }
    match of {
        1 => single::plan_with_nthreads(threads),
        2 => extended::plan_with_nthreads(threads),
        _ => double::plan_with_nthreads(threads),
    }
}

/// The new plan, as a number; 0 where FFTW makes none, and none where the call is not known.
fn call(plan: &Plan, more: i64) -> Option<usize> {
    let mut arguments = plan.arguments.clone();
    if let Some(Argument::Number(flags)) = arguments.last_mut() {
        *flags |= more;
    }
    let (prefix, name) = plan.maker.split_once("plan_")?;
    real(&plan.maker)?;
    // SAFETY: a plan was made with these arguments, and its arrays are where they say.
    let made: *mut c_void = unsafe {
        match prefix {
            "fftw_" => double::again(name, &arguments),
            "fftwf_" => single::again(name, &arguments),
            "fftwl_" => extended::again(name, &arguments),
            _ => None,
        }?
    };
    if let Some(one) = table().alive.get_mut(&(made as usize)) {
        one.arguments.clone_from(&plan.arguments);
        one.knows_wisdom = plan.knows_wisdom;
    }
    Some(made as usize)
}
