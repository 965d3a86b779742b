//! `cccp-ckpt diff`: do two checkpoints hold the same? For "does my restart reproduce".

mod answer;
mod arguments;
mod run;
mod text;

pub use answer::{Answer, Compared, Rank, Verdict};
pub use arguments::Arguments;
pub use run::{look, run};
