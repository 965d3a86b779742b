//! Data of the program itself: string literals, constant tables, variables that live as long as the program.
//!
//! A pointer to them that no register explains is saved as an offset from the start of the loaded program, which a restart
//! of the same build translates back. What is there is not saved: literals and tables are there again, and of variables
//! the values of the new process. The program's headers are found where the kernel says they are.
//! When the headers cannot be read there are no segments, and such pointers point to nothing known.

use std::ops::Range;

use super::Program;

#[cfg(target_pointer_width = "32")]
use libc::Elf32_Ehdr as FileHeader;
#[cfg(target_pointer_width = "32")]
pub(super) use libc::Elf32_Phdr as ProgramHeader;
#[cfg(target_pointer_width = "64")]
use libc::Elf64_Ehdr as FileHeader;
#[cfg(target_pointer_width = "64")]
pub(super) use libc::Elf64_Phdr as ProgramHeader;

/// The headers of the running program, and what to add to the addresses in them.
fn headers() -> Option<(usize, &'static [ProgramHeader])> {
    // SAFETY: asks for numbers.
    let (address, count) = unsafe {
        (
            libc::getauxval(libc::AT_PHDR) as usize,
            libc::getauxval(libc::AT_PHNUM) as usize,
        )
    };
    if address == 0 || count == 0 {
        return None;
    }
    // SAFETY: the kernel says that `count` headers of the running program lie there; they stay as they are.
    let headers = unsafe { std::slice::from_raw_parts(address as *const ProgramHeader, count) };
    Some((start(headers, address)?, headers))
}

/// Whether a segment is loaded as it is in the file: code and constants.
pub(super) fn is_constant(header: &ProgramHeader) -> bool {
    header.p_type == libc::PT_LOAD
        && header.p_flags & libc::PF_W == 0
        && header.p_flags & libc::PF_R != 0
}

/// Whether a segment is loaded at all.
fn is_loaded(header: &ProgramHeader) -> bool {
    header.p_type == libc::PT_LOAD && header.p_flags & libc::PF_R != 0
}

/// Where the program was loaded, and its segments.
pub(super) fn segments() -> (usize, Vec<Range<usize>>) {
    let Some((start, headers)) = headers() else {
        return (0, Vec::new());
    };
    let segments = headers
        .iter()
        .filter(|header| is_loaded(header))
        .map(|header| {
            let first = start.wrapping_add(header.p_vaddr as usize);
            first..first.saturating_add(header.p_memsz as usize)
        })
        .collect();
    (start, segments)
}

/// A number of the code and constants of a program or library that is loaded at `start`.
pub(super) fn number_of_build(program: &Program, start: usize, headers: &[ProgramHeader]) -> u64 {
    let mut hasher = crc32fast::Hasher::new();
    let mut length = 0u64;
    for header in headers.iter().filter(|header| is_constant(header)) {
        let first = start.wrapping_add(header.p_vaddr as usize);
        let bytes = program.view(first, header.p_filesz as usize);
        length = length.wrapping_add(bytes.len() as u64);
        hasher.update(bytes);
    }
    length << 32 | u64::from(hasher.finalize())
}

/// What to add to an address in the headers: the table of headers says where it is itself, or it follows the header
/// of the file, with which one segment begins.
fn start(headers: &[ProgramHeader], address: usize) -> Option<usize> {
    let own = headers
        .iter()
        .find(|header| header.p_type == libc::PT_PHDR)
        .map(|header| header.p_vaddr as usize);
    let first = || {
        headers
            .iter()
            .find(|header| header.p_type == libc::PT_LOAD && header.p_offset == 0)
            .map(|header| (header.p_vaddr as usize).wrapping_add(size_of::<FileHeader>()))
    };
    own.or_else(first).map(|here| address.wrapping_sub(here))
}

impl Program {
    /// The offset of `address` in the loaded program, when data of the program itself is there.
    pub fn image_offset(&self, address: usize) -> Option<u64> {
        self.in_image(address)
            .then(|| address.wrapping_sub(self.image_start) as u64)
    }

    /// The address of data with this offset; the opposite of [`Program::image_offset`].
    pub fn image_address(&self, offset: u64) -> Option<usize> {
        let address = self.image_start.wrapping_add(usize::try_from(offset).ok()?);
        self.in_image(address).then_some(address)
    }

    /// A number of the build: of the program's code and constants. Another build has another one.
    pub fn build(&self) -> u64 {
        let (start, headers) = headers().unwrap_or((0, &[]));
        number_of_build(self, start, headers)
    }

    /// Whether the program lies at the addresses for which it was linked, as in every other process of it.
    pub fn is_at_home(&self) -> bool {
        self.image_start == 0 && !self.image.is_empty()
    }

    /// From its first address to its last.
    pub fn image_bounds(&self) -> Range<usize> {
        let first = self.image.iter().map(|one| one.start).min();
        let last = self.image.iter().map(|one| one.end).max();
        first.unwrap_or(0)..last.unwrap_or(0)
    }

    fn in_image(&self, address: usize) -> bool {
        self.image.iter().any(|segment| segment.contains(&address))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static WRITTEN: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(5);
    static POINTS: &&str = &"relocated";

    #[test]
    fn read_only_data_has_an_offset_and_comes_back() {
        // SAFETY: the test only asks.
        let program = unsafe { Program::new() };
        let literal = "a literal of this program".as_ptr() as usize;
        let offset = program.image_offset(literal).unwrap();
        assert_eq!(program.image_address(offset), Some(literal));
        assert!(
            program
                .image_offset(POINTS as *const &str as usize)
                .is_some()
        );
    }

    #[test]
    fn variables_that_live_as_long_as_the_program_are_image_data_and_others_are_not() {
        // SAFETY: the test only asks.
        let program = unsafe { Program::new() };
        let written = &raw const WRITTEN as usize;
        let offset = program.image_offset(written).unwrap();
        assert_eq!(program.image_address(offset), Some(written));
        let heap = Box::new(1);
        assert_eq!(program.image_offset(&raw const *heap as usize), None);
        assert_eq!(program.image_offset(&raw const program as usize), None);
        assert_eq!(program.image_offset(0), None);
        assert_eq!(program.image_address(u64::MAX), None);
    }
}
