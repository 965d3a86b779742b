//! What to show.

use std::path::PathBuf;

use clap::Args;

use crate::select::Which;

/// What to show.
#[derive(Args, Debug)]
pub struct Arguments {
    /// A checkpoint file, or a directory of generations
    #[arg(value_name = "FILE|DIR")]
    pub path: PathBuf,
    /// These registers only, with more about each: a name, function:name, or # and a number
    #[arg(value_name = "REGISTER")]
    pub registers: Vec<String>,
    /// Which file of a directory.
    #[command(flatten)]
    pub which: Which,
    /// Print the first N values of each register (a million in all; `export` writes them all)
    #[arg(long, short, value_name = "N")]
    pub values: Option<u64>,
    /// Print the members of structs with their places
    #[arg(long = "type", short)]
    pub types: bool,
    /// Print all that ran on the way to the checkpoint
    #[arg(long)]
    pub trace: bool,
    /// Do not look at the values: header and list of registers only, at once
    #[arg(long)]
    pub heads: bool,
}
