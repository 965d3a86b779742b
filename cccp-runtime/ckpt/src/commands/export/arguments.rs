//! What to export, and to where.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;

use super::kind::Kind;
use crate::forms::Scale;
use crate::outcome::Failure;
use crate::select::{Place, as_said, job_size, newest_complete, place};

/// What to export, and to where.
#[derive(Args, Debug)]
pub struct Arguments {
    /// A checkpoint file, or a directory of generations: its newest complete one
    #[arg(value_name = "FILE|DIR")]
    pub path: PathBuf,
    /// The register: its name, function:name, or # and its number
    pub register: String,
    /// Where to: a file whose name ends in .npy, .csv or .png; `-` is the standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// The form, if the name does not say it
    #[arg(long, value_name = "FORM")]
    pub format: Option<Kind>,
    /// Of this generation of a directory
    #[arg(long, short, value_name = "N")]
    pub generation: Option<u64>,
    /// Of this rank of a directory
    #[arg(
        long,
        short,
        value_name = "N",
        default_value_t = 0,
        conflicts_with = "all_ranks"
    )]
    pub rank: u32,
    /// Of all ranks: x.npy becomes x.0.npy, x.1.npy, …
    #[arg(long)]
    pub all_ranks: bool,
    /// Replace files that exist
    #[arg(long, short)]
    pub force: bool,
    /// The picture of a slice: an index for each direction but two, as in 3,:,:
    #[arg(long, value_name = "I,:,:", help_heading = "Pictures")]
    pub slice: Option<Slice>,
    /// The picture of a member of a struct, as in position[0]
    #[arg(long, value_name = "NAME", help_heading = "Pictures")]
    pub member: Option<String>,
    /// The values of the darkest and the lightest colour; without it the least and the largest one
    #[arg(long, value_name = "LO:HI", value_parser = scale, allow_hyphen_values = true, help_heading = "Pictures")]
    pub range: Option<Scale>,
    /// Most values across; larger fields are averaged in blocks
    #[arg(long, value_name = "N", default_value_t = 1024, help_heading = "Pictures",
          value_parser = clap::value_parser!(u32).range(1..=2048))]
    pub pixels: u32,
}

/// An index for each direction, none for those that are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice(pub Vec<Option<u64>>);

impl FromStr for Slice {
    type Err = String;

    fn from_str(text: &str) -> Result<Slice, String> {
        let part = |part: &str| match part.trim() {
            ":" => Ok(None),
            index => index
                .parse()
                .map(Some)
                .map_err(|_| format!("{index} is neither an index nor a colon")),
        };
        text.split(',')
            .map(part)
            .collect::<Result<_, _>>()
            .map(Slice)
    }
}

fn scale(text: &str) -> Result<Scale, String> {
    let wrong = || format!("{text} is no range; 0:1 or -1e-3:1e-3 are");
    let (low, high) = text.split_once(':').ok_or_else(wrong)?;
    let number = |text: &str| {
        let number: Option<f64> = text.trim().parse().ok();
        number.filter(|number| number.is_finite()).ok_or_else(wrong)
    };
    let (low, high) = (number(low)?, number(high)?);
    match low < high {
        true => Ok(Scale { low, high }),
        false => Err(format!("{low} is not less than {high}")),
    }
}

/// A file and what becomes of it.
pub struct Job {
    /// The checkpoint.
    pub from: PathBuf,
    /// The file that is made; `-` is the standard output.
    pub to: PathBuf,
}

impl Arguments {
    /// Which files are read, and which are made.
    pub fn jobs(&self) -> Result<Vec<Job>, Failure> {
        let directory = match place(&self.path)? {
            Place::Directory(directory) => directory,
            Place::File(_) if self.generation.is_some() || self.rank != 0 || self.all_ranks => {
                return Err(Failure::said(format!(
                    "{} is a file; --generation, --rank and --all-ranks choose files of a directory",
                    self.path.display()
                )));
            }
            Place::File(from) => {
                return Ok(vec![Job {
                    from,
                    to: self.output.clone(),
                }]);
            }
        };
        let (generation, size) = match self.generation {
            None => newest_complete(&directory)?,
            Some(generation) => {
                let size = job_size(&directory, generation)?.ok_or_else(|| {
                    Failure::said(format!(
                        "{}: no file of generation {generation} can be read",
                        directory.path().display()
                    ))
                })?;
                (generation, size)
            }
        };
        if !self.all_ranks {
            if self.rank >= size {
                return Err(Failure::said(format!(
                    "there is no rank {}: the job had {size}",
                    self.rank
                )));
            }
            return Ok(vec![Job {
                from: as_said(
                    &self.path,
                    &directory,
                    directory.file(generation, self.rank),
                ),
                to: self.output.clone(),
            }]);
        }
        if self.output.as_os_str() == "-" {
            return Err(Failure::said(
                "--all-ranks makes several files; name them with -o x.npy",
            ));
        }
        let job = |rank| Job {
            from: as_said(&self.path, &directory, directory.file(generation, rank)),
            to: numbered(&self.output, rank),
        };
        Ok((0..size).map(job).collect())
    }
}

/// `x.npy` of a rank: `x.3.npy`.
fn numbered(path: &Path, rank: u32) -> PathBuf {
    match path.extension() {
        Some(suffix) => {
            let mut last = std::ffi::OsString::from(format!("{rank}."));
            last.push(suffix);
            path.with_extension(last)
        }
        None => path.with_extension(rank.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_ranks_are_numbered_before_the_suffix() {
        assert_eq!(numbered(Path::new("a/x.npy"), 3), Path::new("a/x.3.npy"));
        assert_eq!(numbered(Path::new("x.y.csv"), 12), Path::new("x.y.12.csv"));
        assert_eq!(numbered(Path::new("x"), 0), Path::new("x.0"));
    }

    #[test]
    fn slices_and_ranges_are_understood_or_refused() {
        assert_eq!("3,:, :".parse(), Ok(Slice(vec![Some(3), None, None])));
        assert!("3,x".parse::<Slice>().is_err() && "".parse::<Slice>().is_err());
        assert_eq!(
            scale("-1e3:2"),
            Ok(Scale {
                low: -1000.0,
                high: 2.0
            })
        );
        assert!(scale("1:1").is_err() && scale("1").is_err() && scale("0:inf").is_err());
    }
}
