//! Views: files that the program has mapped to read them, and never writes there.
//!
//! In: such calls of `mmap`, and what the program unmaps. Out: memory in a part of the address space where nobody else has any. A
//! restart maps the same file at the same place again, so that every pointer into it holds as it is. Between two views a page stays
//! empty: the end of one is never the beginning of the next one. Not here: which file it is by then (`store`).

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ops::Range;
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::fixed::BASE;

/// Where views lie: behind a program that has a fixed address, and before the fixed stack, however long that is.
const AREA: Range<usize> = BASE / 16..BASE / 4;
/// What views begin at multiples of, on every machine.
const STEP: usize = 1 << 16;

/// A file in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Where it lies, in whole pages.
    pub addresses: Range<usize>,
    /// Which file: device and number.
    pub file: (u64, u64),
    /// Its first byte that is there.
    pub offset: u64,
    /// What others write to the file is surely seen.
    pub is_shared: bool,
}

/// All of them, and those that a restart has mapped and the program has not asked for yet.
struct Views {
    all: Vec<View>,
    again: Vec<View>,
}

static VIEWS: Mutex<Views> = Mutex::new(Views {
    all: Vec::new(),
    again: Vec::new(),
});

fn lock() -> MutexGuard<'static, Views> {
    VIEWS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the kernel knows of an open file, where it is a regular one.
fn regular_file(file: c_int) -> Option<libc::stat> {
    let mut found = MaybeUninit::<libc::stat>::zeroed();
    // SAFETY: fills what it is given, or says that it did not.
    let known =
        unsafe { (libc::fstat(file, found.as_mut_ptr()) == 0).then(|| found.assume_init()) };
    known.filter(|known| known.st_mode & libc::S_IFMT == libc::S_IFREG)
}

/// The length of an open file; none where it is no regular one.
pub fn length(file: c_int) -> Option<libc::off_t> {
    Some(regular_file(file)?.st_size)
}

/// Maps a file at a place where nothing is.
fn map_at(
    addresses: &Range<usize>,
    flags: c_int,
    file: c_int,
    offset: libc::off_t,
) -> Result<(), std::io::Error> {
    let start = addresses.start as *mut c_void;
    // SAFETY: memory that is in use is left alone.
    unsafe {
        let flags = flags | libc::MAP_FIXED_NOREPLACE;
        let mapped = libc::mmap(start, addresses.len(), libc::PROT_READ, flags, file, offset);
        if mapped == libc::MAP_FAILED {
            return Err(std::io::Error::last_os_error());
        }
        // An old kernel has taken the place for a wish.
        if mapped != start {
            libc::munmap(mapped, addresses.len());
            return Err(std::io::ErrorKind::AlreadyExists.into());
        }
    }
    Ok(())
}

/// A file is to be mapped for reading, in so many bytes of whole pages. None: it is no regular file, or there is no room.
pub fn map(length: usize, flags: c_int, file: c_int, offset: libc::off_t) -> Option<usize> {
    if !cfg!(target_pointer_width = "64") {
        return None;
    }
    let known = regular_file(file)?;
    #[allow(
        clippy::unnecessary_cast,
        reason = "numbers of files have 32 bits on some machines"
    )]
    let which = (known.st_dev as u64, known.st_ino as u64);
    let is_shared = flags & libc::MAP_TYPE != libc::MAP_PRIVATE;
    let start = u64::try_from(offset).ok()?;
    let of = |one: &View| (one.file, one.offset, one.addresses.len(), one.is_shared);
    let mut views = lock();
    let mut again = views.again.iter();
    if let Some(at) = again.position(|one| of(one) == (which, start, length, is_shared)) {
        return Some(views.again.remove(at).addresses.start);
    }
    let mut first = AREA.start;
    let mut at = 0;
    for (next, one) in views.all.iter().enumerate() {
        if one.addresses.start.checked_sub(first)? > length {
            break;
        }
        first = (one.addresses.end + 1).next_multiple_of(STEP);
        at = next + 1;
    }
    let addresses = first..first.checked_add(length).filter(|end| AREA.contains(end))?;
    map_at(&addresses, flags, file, offset).ok()?;
    let view = View {
        addresses,
        file: which,
        offset: start,
        is_shared,
    };
    views.all.insert(at, view);
    Some(first)
}

/// A restart maps a file where it was. The program may have done so before `init`: then that is the one.
pub fn map_again(view: View, file: &OwnedFd) -> Result<(), String> {
    let mut views = lock();
    if views.all.contains(&view) {
        return Ok(());
    }
    let flags = match view.is_shared {
        true => libc::MAP_SHARED,
        false => libc::MAP_PRIVATE,
    };
    let offset = libc::off_t::try_from(view.offset).map_err(|error| error.to_string())?;
    map_at(&view.addresses, flags, file.as_raw_fd(), offset).map_err(|error| error.to_string())?;
    let at = { &views.all }.partition_point(|one| one.addresses.start < view.addresses.start);
    views.again.push(view.clone());
    views.all.insert(at, view);
    Ok(())
}

/// The restart is over: what the program maps from now on is new.
pub fn are_back() {
    lock().again.clear();
}

/// Whether an address lies in one of them, or ends it.
pub fn are_around(address: u64) -> bool {
    let Ok(address) = usize::try_from(address) else {
        return false;
    };
    let views = lock();
    let behind = { &views.all }.partition_point(|one| one.addresses.start <= address);
    let last = views.all[..behind].last();
    last.is_some_and(|one| address <= one.addresses.end)
}

/// All of them, by their addresses.
pub fn all() -> Vec<View> {
    lock().all.clone()
}

/// These addresses are unmapped.
pub fn gone(addresses: &Range<usize>) {
    let mut views = lock();
    let part = |one: &View, part: Range<usize>| View {
        offset: one.offset + (part.start - one.addresses.start) as u64,
        addresses: part,
        ..one.clone()
    };
    let left = |one: &View| {
        let (start, end) = (one.addresses.start, one.addresses.end);
        let before = start..addresses.start.clamp(start, end);
        let behind = addresses.end.clamp(start, end)..end;
        let parts = [before, behind].into_iter().filter(|one| !one.is_empty());
        parts
            .map(|one_part| part(one, one_part))
            .collect::<Vec<_>>()
    };
    if !addresses.is_empty() {
        views.all = views.all.iter().flat_map(left).collect();
    }
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use std::os::fd::FromRawFd;

    use super::*;

    #[test]
    fn s16_views_lie_apart_and_what_is_left_of_one_keeps_its_place_in_the_file() {
        // SAFETY: a new file without a name, which nobody else has.
        let file = unsafe {
            let file = OwnedFd::from_raw_fd(libc::memfd_create(c"view".as_ptr(), 0));
            let bytes = [7u8; 5 * STEP];
            libc::write(file.as_raw_fd(), bytes.as_ptr().cast(), bytes.len());
            file
        };
        let map = |length| map(length, libc::MAP_PRIVATE, file.as_raw_fd(), 0).unwrap();
        let (first, second) = (map(STEP), map(3 * STEP));
        assert!(second > first + STEP);
        assert!(are_around((first + STEP) as u64) && !are_around(first as u64 - 1));
        // SAFETY: as much is mapped, of a file that is longer.
        assert_eq!(unsafe { *((second + 2 * STEP) as *const u8) }, 7);
        let middle = second + STEP..second + 2 * STEP;
        gone(&middle);
        assert!(are_around(second as u64) && !are_around(middle.end as u64 - 1));
        let last = { all().into_iter() }.find(|one| one.addresses.start == middle.end);
        assert_eq!(last.map(|one| one.offset), Some(2 * STEP as u64));
        // What a restart maps at its place is what the program asks for again, until the restart is over.
        let view = View {
            addresses: second + 0x10_0000..second + 0x10_0000 + STEP,
            offset: 0,
            ..all()[0].clone()
        };
        map_again(view.clone(), &file).unwrap();
        assert_eq!(map(STEP), view.addresses.start);
        assert_ne!(map(STEP), view.addresses.start);
        assert!(map_again(view, &file).is_ok(), "it is there");
        are_back();
    }
}
