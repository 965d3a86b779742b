//! What to compare.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::compare::Tolerance;
use crate::outcome::Failure;
use crate::select::{Place, as_said, job_size, newest_complete, place};

/// What to compare.
#[derive(Args, Debug)]
pub struct Arguments {
    /// A checkpoint file, or a directory of generations: its newest complete one
    #[arg(value_name = "A")]
    pub one: PathBuf,
    /// What to compare it with: a file if A is one, a directory if A is one
    #[arg(value_name = "B")]
    pub other: PathBuf,
    /// Compare this generation of both directories
    #[arg(long, short, value_name = "N")]
    pub generation: Option<u64>,
    /// Compare this rank only
    #[arg(long, short, value_name = "N")]
    pub rank: Option<u32>,
    /// Floating-point values that are this near count as equal: relative to the larger one, or absolute
    #[arg(
        long,
        short,
        value_name = "REL[,ABS]",
        default_value = "0",
        allow_hyphen_values = true
    )]
    pub tolerance: Tolerance,
}

/// Files that belong together.
pub struct Couple {
    /// The rank, when there are several.
    pub rank: Option<u32>,
    /// A and B.
    pub paths: [PathBuf; 2],
}

impl Couple {
    /// What a side is called: the file, or the directory of the generation.
    pub fn shown(&self, side: usize) -> &Path {
        let path = &self.paths[side];
        match self.rank {
            Some(_) => path.parent().unwrap_or(path),
            None => path,
        }
    }
}

impl Arguments {
    /// Which files are compared with which.
    pub fn couples(&self) -> Result<Vec<Couple>, Failure> {
        match (place(&self.one)?, place(&self.other)?) {
            (Place::File(one), Place::File(other)) => {
                if self.generation.is_some() || self.rank.is_some() {
                    return Err(Failure::said(
                        "--generation and --rank choose files of directories; these are two files",
                    ));
                }
                Ok(vec![Couple {
                    rank: None,
                    paths: [one, other],
                }])
            }
            (Place::Directory(one), Place::Directory(other)) => {
                let chosen = |directory| match self.generation {
                    None => newest_complete(directory),
                    Some(generation) => match job_size(directory, generation)? {
                        Some(size) => Ok((generation, size)),
                        None => Err(Failure::said(format!(
                            "{}: no file of generation {generation} can be read",
                            directory.path().display()
                        ))),
                    },
                };
                let (generation, size) = chosen(&one)?;
                let (other_generation, other_size) = chosen(&other)?;
                // Another number of ranks is a difference, which is said; the ranks of both are compared.
                let ranks = match self.rank {
                    Some(rank) => vec![rank],
                    None => (0..size.min(other_size)).collect(),
                };
                let couple = |rank| Couple {
                    rank: Some(rank),
                    paths: [
                        as_said(&self.one, &one, one.file(generation, rank)),
                        as_said(&self.other, &other, other.file(other_generation, rank)),
                    ],
                };
                Ok(ranks.into_iter().map(couple).collect())
            }
            (Place::File(file), Place::Directory(_)) | (Place::Directory(_), Place::File(file)) => {
                Err(mixed(&file))
            }
        }
    }
}

fn mixed(file: &Path) -> Failure {
    Failure::said(format!(
        "{} is a file and the other one a directory; name the file in the directory, too",
        file.display()
    ))
}
