//! The functions of FFTW that make and destroy plans, as the program calls them (FFTW 3.3, 4.3 to 4.5; 5.2 for threads): they do
//! the same with the same arguments and results, and note it.

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};

use super::noted::{own, unknown};
use crate::libraries::{Argument, Planner, forget, forget_all, function, note, set_threads};

/// The prefixes of FFTW's functions, by precision.
const PREFIXES: [&str; 3] = ["fftw_", "fftwf_", "fftwl_"];

/// FFTW, as the program is linked with it.
pub(super) struct Fftw;

impl Planner for Fftw {
    fn plan(&self, maker: &str, arguments: &[Argument]) -> Option<usize> {
        let (prefix, name) = maker.split_once("plan_")?;
        function(maker)?;
        // SAFETY: a plan was made with these arguments, and its arrays are where they say.
        let made = unsafe {
            match prefix {
                "fftw_" => double::again(name, arguments),
                "fftwf_" => single::again(name, arguments),
                "fftwl_" => extended::again(name, arguments),
                _ => None,
            }
        };
        made.map(|made| made as usize)
    }

    fn set_threads(&self, precision: usize, threads: c_int) {
        match precision {
            1 => single::plan_with_nthreads(threads),
            2 => extended::plan_with_nthreads(threads),
            _ => double::plan_with_nthreads(threads),
        }
    }

    fn wisdom(&self, precision: usize) -> Option<String> {
        type Export = extern "C" fn() -> *mut c_char;
        let name = format!("{}export_wisdom_to_string", PREFIXES[precision]);
        // SAFETY: FFTW's function of this name; it gives a text that the caller releases with `free`, or a null pointer.
        unsafe {
            let text = own::<Export>(&name)?();
            if text.is_null() {
                return None;
            }
            let copy = CStr::from_ptr(text).to_string_lossy().into_owned();
            libc::free(text.cast());
            Some(copy)
        }
    }

    fn learn(&self, precision: usize, wisdom: &str) {
        type Import = extern "C" fn(*const c_char) -> c_int;
        let name = format!("{}import_wisdom_from_string", PREFIXES[precision]);
        // SAFETY: FFTW's function of this name.
        let import = unsafe { own::<Import>(&name) };
        if let (Some(import), Ok(text)) = (import, CString::new(wisdom)) {
            import(text.as_ptr());
        }
    }
}

/// Arguments that pointers of a call point to.
#[derive(Default)]
struct Kept {
    short: Vec<Box<[Dimension<c_int>]>>,
    long: Vec<Box<[Dimension<isize>]>>,
}

/// A parameter of a function that makes plans.
trait Parameter: Copy {
    /// What was given, of so many elements behind a pointer.
    ///
    /// # Safety
    ///
    /// Behind a pointer that is not null are so many.
    unsafe fn argument(self, count: usize) -> Argument;

    /// The same again; none for an argument of another kind.
    fn again(argument: &Argument, kept: &mut Kept) -> Option<Self>;
}

/// `int`, and `fftw_r2r_kind`.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Int(c_int);

/// `unsigned`
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Flags(c_uint);

/// A pointer to the elements that a plan transforms.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Array(*mut c_void);

/// `const int *`, and `const fftw_r2r_kind *`
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Ints(*const c_int);

/// `const fftw_iodim *`
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Dimensions(*const Dimension<c_int>);

/// `const fftw_iodim64 *`
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Dimensions64(*const Dimension<isize>);

/// `fftw_iodim`, `fftw_iodim64`
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Dimension<T> {
    length: T,
    from: T,
    to: T,
}

impl Parameter for Int {
    unsafe fn argument(self, _: usize) -> Argument {
        Argument::Number(i64::from(self.0))
    }

    fn again(argument: &Argument, _: &mut Kept) -> Option<Int> {
        match argument {
            Argument::Number(number) => c_int::try_from(*number).ok().map(Int),
            _ => None,
        }
    }
}

impl Parameter for Flags {
    unsafe fn argument(self, _: usize) -> Argument {
        Argument::Number(i64::from(self.0))
    }

    fn again(argument: &Argument, _: &mut Kept) -> Option<Flags> {
        match argument {
            Argument::Number(number) => c_uint::try_from(*number).ok().map(Flags),
            _ => None,
        }
    }
}

impl Parameter for Array {
    unsafe fn argument(self, _: usize) -> Argument {
        Argument::Array(self.0 as usize)
    }

    fn again(argument: &Argument, _: &mut Kept) -> Option<Array> {
        match argument {
            Argument::Array(address) => Some(Array(*address as *mut c_void)),
            _ => None,
        }
    }
}

impl Parameter for Ints {
    unsafe fn argument(self, count: usize) -> Argument {
        // SAFETY: the promise of the caller.
        let all = (!self.0.is_null()).then(|| unsafe { std::slice::from_raw_parts(self.0, count) });
        Argument::Numbers(all.map(<[c_int]>::to_vec))
    }

    fn again(argument: &Argument, _: &mut Kept) -> Option<Ints> {
        match argument {
            Argument::Numbers(all) => Some(Ints(
                all.as_ref().map_or(std::ptr::null(), |all| all.as_ptr()),
            )),
            _ => None,
        }
    }
}

/// What lies behind a pointer to dimensions.
///
/// # Safety
///
/// Behind a pointer that is not null are so many.
unsafe fn dimensions<T: Copy>(
    first: *const Dimension<T>,
    count: usize,
    number: impl Fn(T) -> i64,
) -> Argument {
    let all: &[Dimension<T>] = match first.is_null() {
        true => &[],
        // SAFETY: the promise of the caller.
        false => unsafe { std::slice::from_raw_parts(first, count) },
    };
    let one = |one: &Dimension<T>| [one.length, one.from, one.to].map(&number);
    Argument::Dimensions(all.iter().map(one).collect())
}

fn dimensions_again<T: TryFrom<i64>>(argument: &Argument) -> Option<Box<[Dimension<T>]>> {
    let Argument::Dimensions(all) = argument else {
        return None;
    };
    let number = |number: i64| T::try_from(number).ok();
    let one = |[length, from, to]: &[i64; 3]| {
        Some(Dimension {
            length: number(*length)?,
            from: number(*from)?,
            to: number(*to)?,
        })
    };
    all.iter().map(one).collect()
}

impl Parameter for Dimensions {
    unsafe fn argument(self, count: usize) -> Argument {
        // SAFETY: the promise of the caller.
        unsafe { dimensions(self.0, count, i64::from) }
    }

    fn again(argument: &Argument, kept: &mut Kept) -> Option<Dimensions> {
        let all = dimensions_again(argument)?;
        kept.short.push(all);
        kept.short.last().map(|all| Dimensions(all.as_ptr()))
    }
}

impl Parameter for Dimensions64 {
    unsafe fn argument(self, count: usize) -> Argument {
        // SAFETY: the promise of the caller.
        unsafe { dimensions(self.0, count, |number| number as i64) }
    }

    fn again(argument: &Argument, kept: &mut Kept) -> Option<Dimensions64> {
        let all = dimensions_again(argument)?;
        kept.long.push(all);
        kept.long.last().map(|all| Dimensions64(all.as_ptr()))
    }
}

macro_rules! plans {
    (
        $prefix:literal, $destroy:ident, $threads:ident, $cleanup:ident, $cleanup_threads:ident;
        $( $name:ident($( $parameter:ident: $ty:ident $([$count:ident])? ),*); )*
    ) => {
        use super::*;

        $(
            /// A function that makes plans.
            ///
            /// # Safety
            ///
            /// As for FFTW's own.
            #[unsafe(export_name = concat!("cccp_", $prefix, "plan_", stringify!($name)))]
            pub unsafe extern "C" fn $name($($parameter: $ty),*) -> *mut c_void {
                type Real = unsafe extern "C" fn($($ty),*) -> *mut c_void;
                let name = concat!($prefix, "plan_", stringify!($name));
                // SAFETY: FFTW's function of this name.
                let Some(real) = (unsafe { own::<Real>(name) }) else {
                    unknown(name);
                    return std::ptr::null_mut();
                };
                // SAFETY: the promise of the caller.
                unsafe {
                    let plan = real($($parameter),*);
                    let arguments = vec![
                        $( $parameter.argument(0 $( + usize::try_from($count.0).unwrap_or(0) )?) ),*
                    ];
                    note(name, plan as usize, arguments);
                    plan
                }
            }
        )*

        /// Calls one of them by the name behind `plan_`; none for names and arguments that do not fit.
        ///
        /// # Safety
        ///
        /// Arrays are where the arguments say.
        pub unsafe fn again(name: &str, arguments: &[Argument]) -> Option<*mut c_void> {
            let mut kept = Kept::default();
            $(
                if name == stringify!($name) {
                    let mut given = arguments.iter();
                    $( let $parameter = <$ty as Parameter>::again(given.next()?, &mut kept)?; )*
                    // SAFETY: the promise of the caller; `kept` is alive.
                    return given.next().is_none().then(|| unsafe { $name($($parameter),*) });
                }
            )*
            None
        }

        /// `destroy_plan`
        ///
        /// # Safety
        ///
        /// As for FFTW's own.
        #[unsafe(export_name = concat!("cccp_", $prefix, "destroy_plan"))]
        pub unsafe extern "C" fn $destroy(plan: *mut c_void) {
            let name = concat!($prefix, "destroy_plan");
            type Real = unsafe extern "C" fn(*mut c_void);
            // SAFETY: FFTW's function of this name.
            let Some(real) = (unsafe { own::<Real>(name) }) else { return unknown(name) };
            forget(plan as usize);
            // SAFETY: the promise of the caller.
            unsafe { real(plan) }
        }

        /// `plan_with_nthreads`
        #[unsafe(export_name = concat!("cccp_", $prefix, "plan_with_nthreads"))]
        pub extern "C" fn $threads(threads: c_int) {
            let name = concat!($prefix, "plan_with_nthreads");
            // SAFETY: FFTW's function of this name.
            let Some(real) = (unsafe { own::<extern "C" fn(c_int)>(name) }) else {
                return unknown(name);
            };
            set_threads($prefix, threads);
            real(threads)
        }

        /// `cleanup`
        #[unsafe(export_name = concat!("cccp_", $prefix, "cleanup"))]
        pub extern "C" fn $cleanup() {
            clean(concat!($prefix, "cleanup"));
        }

        /// `cleanup_threads`
        #[unsafe(export_name = concat!("cccp_", $prefix, "cleanup_threads"))]
        pub extern "C" fn $cleanup_threads() {
            clean(concat!($prefix, "cleanup_threads"));
        }
    };
}

/// All plans are gone.
fn clean(name: &str) {
    // SAFETY: FFTW's function of this name.
    let Some(real) = (unsafe { own::<extern "C" fn()>(name) }) else {
        return unknown(name);
    };
    forget_all(name);
    real()
}

/// All of them, for a precision.
macro_rules! all_plans {
    ($prefix:literal) => {
        plans! {
            $prefix, destroy_plan, plan_with_nthreads, cleanup, cleanup_threads;
            dft(rank: Int, n: Ints[rank], from: Array, to: Array, sign: Int, flags: Flags);
            dft_1d(n: Int, from: Array, to: Array, sign: Int, flags: Flags);
            dft_2d(n0: Int, n1: Int, from: Array, to: Array, sign: Int, flags: Flags);
            dft_3d(n0: Int, n1: Int, n2: Int, from: Array, to: Array, sign: Int, flags: Flags);
            dft_r2c(rank: Int, n: Ints[rank], from: Array, to: Array, flags: Flags);
            dft_r2c_1d(n: Int, from: Array, to: Array, flags: Flags);
            dft_r2c_2d(n0: Int, n1: Int, from: Array, to: Array, flags: Flags);
            dft_r2c_3d(n0: Int, n1: Int, n2: Int, from: Array, to: Array, flags: Flags);
            dft_c2r(rank: Int, n: Ints[rank], from: Array, to: Array, flags: Flags);
            dft_c2r_1d(n: Int, from: Array, to: Array, flags: Flags);
            dft_c2r_2d(n0: Int, n1: Int, from: Array, to: Array, flags: Flags);
            dft_c2r_3d(n0: Int, n1: Int, n2: Int, from: Array, to: Array, flags: Flags);
            r2r(rank: Int, n: Ints[rank], from: Array, to: Array, kinds: Ints[rank], flags: Flags);
            r2r_1d(n: Int, from: Array, to: Array, kind: Int, flags: Flags);
            r2r_2d(n0: Int, n1: Int, from: Array, to: Array, kind0: Int, kind1: Int, flags: Flags);
            r2r_3d(n0: Int, n1: Int, n2: Int, from: Array, to: Array, kind0: Int, kind1: Int, kind2: Int, flags: Flags);
            many_dft(rank: Int, n: Ints[rank], many: Int, from: Array, inside: Ints[rank], step: Int, distance: Int,
                to: Array, outside: Ints[rank], step_to: Int, distance_to: Int, sign: Int, flags: Flags);
            many_dft_r2c(rank: Int, n: Ints[rank], many: Int, from: Array, inside: Ints[rank], step: Int, distance: Int,
                to: Array, outside: Ints[rank], step_to: Int, distance_to: Int, flags: Flags);
            many_dft_c2r(rank: Int, n: Ints[rank], many: Int, from: Array, inside: Ints[rank], step: Int, distance: Int,
                to: Array, outside: Ints[rank], step_to: Int, distance_to: Int, flags: Flags);
            many_r2r(rank: Int, n: Ints[rank], many: Int, from: Array, inside: Ints[rank], step: Int, distance: Int,
                to: Array, outside: Ints[rank], step_to: Int, distance_to: Int, kinds: Ints[rank], flags: Flags);
            guru_dft(rank: Int, n: Dimensions[rank], ranks: Int, many: Dimensions[ranks], from: Array, to: Array,
                sign: Int, flags: Flags);
            guru_dft_r2c(rank: Int, n: Dimensions[rank], ranks: Int, many: Dimensions[ranks], from: Array, to: Array,
                flags: Flags);
            guru_dft_c2r(rank: Int, n: Dimensions[rank], ranks: Int, many: Dimensions[ranks], from: Array, to: Array,
                flags: Flags);
            guru_r2r(rank: Int, n: Dimensions[rank], ranks: Int, many: Dimensions[ranks], from: Array, to: Array,
                kinds: Ints[rank], flags: Flags);
            guru_split_dft(rank: Int, n: Dimensions[rank], ranks: Int, many: Dimensions[ranks], real_from: Array,
                imaginary_from: Array, real_to: Array, imaginary_to: Array, flags: Flags);
            guru_split_dft_r2c(rank: Int, n: Dimensions[rank], ranks: Int, many: Dimensions[ranks], from: Array,
                real_to: Array, imaginary_to: Array, flags: Flags);
            guru_split_dft_c2r(rank: Int, n: Dimensions[rank], ranks: Int, many: Dimensions[ranks], real_from: Array,
                imaginary_from: Array, to: Array, flags: Flags);
            guru64_dft(rank: Int, n: Dimensions64[rank], ranks: Int, many: Dimensions64[ranks], from: Array, to: Array,
                sign: Int, flags: Flags);
            guru64_dft_r2c(rank: Int, n: Dimensions64[rank], ranks: Int, many: Dimensions64[ranks], from: Array, to: Array,
                flags: Flags);
            guru64_dft_c2r(rank: Int, n: Dimensions64[rank], ranks: Int, many: Dimensions64[ranks], from: Array, to: Array,
                flags: Flags);
            guru64_r2r(rank: Int, n: Dimensions64[rank], ranks: Int, many: Dimensions64[ranks], from: Array, to: Array,
                kinds: Ints[rank], flags: Flags);
            guru64_split_dft(rank: Int, n: Dimensions64[rank], ranks: Int, many: Dimensions64[ranks], real_from: Array,
                imaginary_from: Array, real_to: Array, imaginary_to: Array, flags: Flags);
            guru64_split_dft_r2c(rank: Int, n: Dimensions64[rank], ranks: Int, many: Dimensions64[ranks], from: Array,
                real_to: Array, imaginary_to: Array, flags: Flags);
            guru64_split_dft_c2r(rank: Int, n: Dimensions64[rank], ranks: Int, many: Dimensions64[ranks], real_from: Array,
                imaginary_from: Array, to: Array, flags: Flags);
        }
    };
}

/// `double`
mod double {
    all_plans!("fftw_");
}

/// `float`
mod single {
    all_plans!("fftwf_");
}

/// `long double`
mod extended {
    all_plans!("fftwl_");
}
