//! `cccp-ckpt show`: what a checkpoint holds.

mod answer;
mod arguments;
mod details;
mod glance;
mod run;
mod text;
mod trace;
mod view;

pub use arguments::Arguments;
pub use run::run;
