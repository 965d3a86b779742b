//! What to convert, and into what.

use std::path::PathBuf;

use cccp::format::{Checkpoint, Data, Encoding};
use clap::Args;

/// What to convert, and into what.
#[derive(Args, Debug)]
pub struct Arguments {
    /// A checkpoint file, or a directory of generations
    #[arg(value_name = "IN")]
    pub from: PathBuf,
    /// A new file, or a new directory
    #[arg(value_name = "OUT")]
    pub to: PathBuf,
    /// XDR: portable, the default of cccp
    #[arg(long, required_unless_present = "native", conflicts_with = "native")]
    pub xdr: bool,
    /// The memory of the machine that wrote the checkpoint
    #[arg(long)]
    pub native: bool,
    /// `off`, or 1 (fast) to 9 (small); without it files that were compressed are compressed
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    pub compress: Option<u32>,
    /// Replace OUT if it is a file that exists
    #[arg(long, short)]
    pub force: bool,
}

/// The level of files that were compressed, when nothing is said: the level itself is not in a file.
const USUAL: u32 = 6;

impl Arguments {
    /// What becomes of the values.
    pub fn encoding(&self) -> Encoding {
        match self.native {
            true => Encoding::Native,
            false => Encoding::Xdr,
        }
    }

    /// The level for a file.
    pub fn level(&self, checkpoint: &Checkpoint) -> u32 {
        self.compress.unwrap_or_else(|| {
            let mut registers = checkpoint
                .sections
                .iter()
                .flat_map(|section| &section.registers);
            let compressed = |data: &Data| {
                matches!(
                    data,
                    Data::InFile {
                        compressed: true,
                        ..
                    }
                )
            };
            match registers.any(|register| compressed(&register.data)) {
                true => USUAL,
                false => 0,
            }
        })
    }
}

fn level(text: &str) -> Result<u32, String> {
    match text {
        "off" => Ok(0),
        _ => text
            .parse()
            .ok()
            .filter(|level| (1..=9).contains(level))
            .ok_or_else(|| format!("{text} is neither off nor a level from 1 to 9")),
    }
}
