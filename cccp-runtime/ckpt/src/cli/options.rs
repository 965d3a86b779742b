//! What the user may say.

use clap::{Parser, Subcommand};

use super::{completions, manual};
use crate::commands::{convert, diff, export, list, prune, show, verify};
use crate::output::Manner;

/// Looks into the checkpoints of programs that were made to survive with cccp
#[derive(Parser, Debug)]
#[command(
    name = "cccp-ckpt",
    version,
    after_help = AFTER,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
pub struct Options {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// The form of the output.
    #[command(flatten, next_help_heading = "Form of the output")]
    pub manner: Manner,
}

/// What the tool can do, in the order of `--help`.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// List the generations of a directory
    List(list::Arguments),
    /// Show what a checkpoint holds
    Show(show::Arguments),
    /// Verify every checksum; for scripts
    Verify(verify::Arguments),
    /// Compare two checkpoints register by register
    Diff(diff::Arguments),
    /// Write the values of a register for NumPy, as a table or as a picture
    Export(export::Arguments),
    /// Write the same checkpoints in another encoding
    Convert(convert::Arguments),
    /// Remove old generations when newer ones are complete and sound
    Prune(prune::Arguments),
    /// Print the completions for a shell
    Completions(completions::Arguments),
    /// Write the man pages into a directory
    Man(manual::Arguments),
}

const AFTER: &str = "Exit status: 0 good; 1 something is damaged, incomplete or different; 2 it could not be looked at.";
