//! What lies in a directory: every generation and every file, from the headers alone.
//!
//! A few kilobytes are read per file, whatever its size. What a header cannot say (whether the rest is sound) is not
//! known here; `verify` reads it all. Files whose headers contradict their place or each other are doubtful.

use cccp::format::Head;
use cccp::store::{Directory, Holder, StoreError, holder};

use crate::outcome::Failure;

/// What lies in a directory.
pub struct Survey {
    /// The newest first.
    pub generations: Vec<Generation>,
    /// Whether the last run ended, and with which generation.
    pub ended: Ended,
    /// A run that has the directory now.
    pub holder: Option<Holder>,
}

/// Whether a run reached its `shutdown`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// No rank has.
    No,
    /// All ranks that have files here; the generations up to this one belong to runs that are over.
    Yes(u64),
    /// Some ranks only, or a mark cannot be read.
    Partly(String),
}

/// A generation.
pub struct Generation {
    /// Its number.
    pub number: u64,
    /// The files that are there, by rank.
    pub files: Vec<RankFile>,
}

/// The file of a rank.
pub struct RankFile {
    /// The rank that its name says.
    pub rank: u32,
    /// What it says about itself.
    pub head: Result<Head, StoreError>,
}

/// Looks at a directory.
pub fn survey(directory: &Directory) -> Result<Survey, Failure> {
    let mut generations = Vec::new();
    for number in directory.generations()? {
        let files = directory.ranks(number)?.into_iter().map(|rank| RankFile {
            rank,
            head: directory.head(number, rank),
        });
        generations.push(Generation {
            number,
            files: files.collect(),
        });
    }
    Ok(Survey {
        ended: ended(directory, &generations),
        holder: lock_holder(directory)?,
        generations,
    })
}

/// The run that has the directory now, if there is one.
pub fn lock_holder(directory: &Directory) -> Result<Option<Holder>, Failure> {
    Ok(directory
        .locks()?
        .into_iter()
        .find_map(|path| holder(&path)))
}

fn ended(directory: &Directory, generations: &[Generation]) -> Ended {
    let newest = generations.first();
    let mut ranks: Vec<u32> = newest.map_or(Vec::new(), |one| {
        one.files.iter().map(|file| file.rank).collect()
    });
    if ranks.is_empty() {
        ranks.push(0);
    }
    let (size, mut marks) = (ranks.len(), Vec::new());
    for rank in ranks {
        match directory.completed(rank) {
            Ok(mark) => marks.push(mark),
            Err(error) => return Ended::Partly(error.to_string()),
        }
    }
    let missing = marks.iter().filter(|mark| mark.is_none()).count();
    match marks.iter().flatten().min() {
        None => Ended::No,
        Some(generation) if missing == 0 => Ended::Yes(*generation),
        Some(_) => Ended::Partly(format!("{missing} of {size} ranks did not end")),
    }
}

impl Generation {
    /// The header of the first file that has one.
    pub fn head(&self) -> Option<&Head> {
        self.files.iter().find_map(|file| file.head.as_ref().ok())
    }

    /// How many ranks the job has; none when no header can be read.
    pub fn size(&self) -> Option<u32> {
        self.head().map(|head| head.header.size)
    }

    /// Whether all ranks have a file that says nothing wrong about itself.
    pub fn is_complete(&self) -> bool {
        let sound = self
            .files
            .iter()
            .filter(|file| self.doubt(file).is_none())
            .count();
        self.size().is_some_and(|size| sound == size as usize)
    }

    /// Bytes of all files whose length is known.
    pub fn bytes(&self) -> u64 {
        let lengths = self.files.iter().flat_map(|file| &file.head);
        lengths.map(|head| head.length).sum()
    }

    /// What is wrong with a file as far as its header and its length can say.
    pub fn doubt(&self, file: &RankFile) -> Option<String> {
        let head = match &file.head {
            Ok(head) => head,
            Err(error) => return Some(error.problem.to_string()),
        };
        if !head.is_whole {
            return Some("cut short".to_string());
        }
        let (header, first) = (&head.header, &self.head()?.header);
        if (header.rank, header.generation) != (file.rank, self.number) {
            return Some(format!(
                "it is the file of rank {}, generation {}",
                header.rank, header.generation
            ));
        }
        let facts = [
            (header.size != first.size, "another number of ranks"),
            (header.program != first.program, "another program"),
            (
                header.fingerprint != first.fingerprint && header.machine == first.machine,
                "another build of the program",
            ),
            (header.arguments != first.arguments, "other arguments"),
            (header.site != first.site, "another checkpoint"),
        ];
        let (_, words) = facts.into_iter().find(|(differs, _)| *differs)?;
        Some(format!("{words} than the first rank of this generation"))
    }
}
