//! What the user said about the form of the output. The same for all commands.

use clap::{Args, ColorChoice};

/// The form of the output.
#[derive(Args, Clone, Debug)]
pub struct Manner {
    /// Print one JSON object instead of text; its shape is documented and stays
    #[arg(long, global = true)]
    pub json: bool,
    /// Print exact numbers of bytes instead of KiB, MiB, GiB
    #[arg(long, global = true)]
    pub bytes: bool,
    /// Colours; `auto`: on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,
    /// No progress on the standard error
    #[arg(long, short, global = true)]
    pub quiet: bool,
}
