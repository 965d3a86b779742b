//! A lock that the program holds on an open file, as a word of what a checkpoint keeps of the file.
//!
//! In: a line of what Linux tells of a descriptor (`/proc/self/fdinfo`). Out: whose lock it is and what it covers, as text and back.
//! Locks of the process (`F_SETLK`, `lockf`) are none of the open file's: they end when any descriptor of the file is closed, by the
//! library, too. Not here: how locks are taken (`memory`).

/// To whom a lock belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockOwner {
    /// The open file, the whole of it: `flock`.
    OpenFile,
    /// The open file, some bytes: `F_OFD_SETLK`.
    Bytes,
}

/// A lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileLock {
    /// To whom it belongs.
    pub owner: LockOwner,
    /// Nobody else has one.
    pub exclusive: bool,
    /// The first byte that is locked.
    pub first: u64,
    /// The last one; none up to the end, however long the file becomes.
    pub last: Option<u64>,
}

impl FileLock {
    /// From a line like `lock: 1: FLOCK ADVISORY WRITE 4711 fe:00:131 0 EOF`, of words with white space between.
    pub fn told(line: &str) -> Option<FileLock> {
        let mut words = line.strip_prefix("lock:")?.split_whitespace().skip(1);
        let owner = match words.next()? {
            "FLOCK" => LockOwner::OpenFile,
            "OFDLCK" => LockOwner::Bytes,
            _ => return None,
        };
        let exclusive = words.nth(1)? == "WRITE";
        let mut bytes = words.skip(2);
        let (first, last) = (bytes.next()?, bytes.next()?);
        Some(FileLock {
            owner,
            exclusive,
            first: first.parse().ok()?,
            last: (last != "EOF").then(|| last.parse()).transpose().ok()?,
        })
    }

    /// `open exclusive`, `bytes shared 100 199`.
    pub fn to_text(self) -> String {
        let owner = match self.owner {
            LockOwner::OpenFile => "open",
            LockOwner::Bytes => "bytes",
        };
        let kind = if self.exclusive {
            "exclusive"
        } else {
            "shared"
        };
        match (self.owner, self.last) {
            (LockOwner::OpenFile, _) => format!("{owner} {kind}"),
            (_, None) => format!("{owner} {kind} {}", self.first),
            (_, Some(last)) => format!("{owner} {kind} {} {last}", self.first),
        }
    }

    /// From such a text.
    pub fn from_text(text: &str) -> Option<FileLock> {
        let mut words = text.split(' ');
        let owner = match words.next()? {
            "open" => LockOwner::OpenFile,
            "bytes" => LockOwner::Bytes,
            _ => return None,
        };
        let exclusive = match words.next()? {
            "exclusive" => true,
            "shared" => false,
            _ => return None,
        };
        let mut numbers = words.map(str::parse);
        let first = numbers.next().transpose().ok()?.unwrap_or(0);
        let last = numbers.next().transpose().ok()?;
        Some(FileLock {
            owner,
            exclusive,
            first,
            last,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s16_locks_of_files_are_understood_as_linux_tells_them() {
        let flock = "lock:\t1: FLOCK  ADVISORY  WRITE 4711 fe:00:131 0 EOF";
        let found = FileLock::told(flock).unwrap();
        assert_eq!((found.owner, found.exclusive), (LockOwner::OpenFile, true));
        let bytes = "lock:\t2: OFDLCK ADVISORY  READ -1 fe:00:131 100 199";
        let bytes = FileLock::told(bytes).unwrap();
        assert_eq!((bytes.first, bytes.last), (100, Some(199)));
        let process = FileLock::told("lock:\t1: POSIX  ADVISORY  WRITE 4711 fe:00:131 7 EOF");
        assert_eq!(process, None);
        for one in [found, bytes] {
            assert_eq!(FileLock::from_text(&one.to_text()), Some(one));
        }
        assert_eq!(FileLock::told("pos:\t0"), None);
        assert_eq!(FileLock::from_text("open"), None);
    }
}
