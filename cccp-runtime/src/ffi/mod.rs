//! The C interface: every function and variable that cccp.h declares.
//!
//! In: calls of the program. Out: calls of the session, in plain data. Three walls stand here: a NULL or a wrong number
//! is refused with words, a panic does not reach the program, and a call in a wrong state does nothing or says so.
//! Nothing is decided here.
//!
//! cccp.h is the manual of these functions.

mod by_hand;
mod children;
mod clocks;
mod containers_of_gsl;
mod counters;
mod describe;
mod directives;
mod ended;
mod fftw;
mod frames;
mod generators_of_gsl;
mod heap;
mod inner;
mod inputs_of_zlib;
mod line;
mod locks;
mod mappings;
mod members;
pub mod mirror;
mod mutexes;
mod names;
mod noted;
mod numbers_of_gmp;
mod opened;
mod opened_by_libraries;
mod passes;
mod places;
mod plans_of_fftw;
mod postponed;
mod replay;
mod residents;
mod signals;
mod stack;
mod stands;
mod start;
mod state;
mod statics;
mod team;
mod threads;
mod timer;

pub use by_hand::{init_by_hand_with, refuse};
pub use start::{give_up, init_with};
