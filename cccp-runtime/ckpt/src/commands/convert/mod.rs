//! `cccp-ckpt convert`: the same checkpoints in another encoding, larger or smaller.

mod arguments;
mod run;
mod verify;

pub use arguments::Arguments;
pub use run::run;
