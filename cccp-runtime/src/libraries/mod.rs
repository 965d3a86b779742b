//! Objects of libraries that are made again: plans of FFTW, generators of random numbers of GSL, files that zlib reads.
//!
//! In: the program's calls that make and destroy them, which `ffi` notes here. Out: words and lines for them, and new ones on restart.
//! Not here: where they lie (`session`), the libraries' own functions (`ffi`, behind [`Planner`], [`Generators`] and [`Zlib`]).

mod again;
mod functions;
mod generators;
mod inputs;
mod known;
mod line;
mod objects;
mod plans;

pub use again::{Made, Maker, Planner, make, read_wisdom, set_planner, wisdom};
pub use functions::{are_noted, function, note_function};
pub use generators::{
    Generators, forget_generator, generator_lines, is_generator_line, make_generator,
    note_generator, set_generators,
};
pub use inputs::{
    Begun, State, Zlib, forget_input, input_lines, inputs, is_input_line, make_input, note_input,
    push_back, set_zlib,
};
pub use line::{Argument, is_plan_line, with_arrays};
pub use objects::{is_object, is_other, word};
pub use plans::{executes_own_arrays, forget, forget_all, lines, note, set_threads};
