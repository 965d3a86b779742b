//! Constants of the shared libraries that the program has loaded, and their code: what a library makes known through pointers, such as
//! the kinds of integrators of GSL, or the limb to which a number of GMP points that has none.
//!
//! In: an address, or a library and an offset in it. Out: the other one. Such memory is the same in every process with the same build of
//! the library, and is not saved. A library is known by the last part of its file's name, and by a number of its code and constants.
//! Variables of libraries are not meant: only what the file says is never written, or not after it was loaded.
//! Not here: the program's own constants (`image`).

use std::cell::OnceCell;
use std::ffi::{CStr, c_int, c_void};
use std::mem::MaybeUninit;
use std::ops::Range;

use super::Program;
use super::image::{ProgramHeader, is_constant, number_of_build};

/// Where a constant lies in every process that has the same library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryPlace {
    /// The last part of the name of the library's file.
    pub library: String,
    /// A number of the library's code and constants.
    pub build: u64,
    /// From where the library is loaded.
    pub offset: u64,
}

/// A library, where it is loaded.
#[derive(Debug)]
struct Library {
    name: String,
    start: usize,
    headers: &'static [ProgramHeader],
    build: OnceCell<u64>,
}

/// Those that are loaded now.
#[derive(Debug)]
pub struct Libraries {
    all: Vec<Library>,
    /// What is constant, by address, with the number of the library.
    spans: Vec<(Range<usize>, usize)>,
}

impl Library {
    fn build(&self, program: &Program) -> u64 {
        *self
            .build
            .get_or_init(|| number_of_build(program, self.start, self.headers))
    }

    /// What nobody writes once the library is loaded: segments that are never written, and what its relocations alone write.
    fn constants(&self) -> impl Iterator<Item = Range<usize>> {
        let is_meant = |one: &&ProgramHeader| is_constant(one) || one.p_type == libc::PT_GNU_RELRO;
        self.headers.iter().filter(is_meant).map(|one| {
            let first = self.start.wrapping_add(one.p_vaddr as usize);
            first..first.saturating_add(one.p_memsz as usize)
        })
    }
}

/// Adds a loaded file to the list behind `list`. The program itself has no name.
unsafe extern "C" fn add(
    loaded: *mut libc::dl_phdr_info,
    _size: usize,
    list: *mut c_void,
) -> c_int {
    // SAFETY: `dl_iterate_phdr` hands over what it found, and the list that it was given.
    let (loaded, list) = unsafe { (&*loaded, &mut *list.cast::<Vec<Library>>()) };
    if loaded.dlpi_name.is_null() || loaded.dlpi_phdr.is_null() {
        return 0;
    }
    // SAFETY: a name is a text; the headers stay while the library is loaded. One that is unloaded later is asked for no more: whoever
    // asks has found the list anew.
    let (path, headers) = unsafe {
        let count = usize::from(loaded.dlpi_phnum);
        let headers = std::slice::from_raw_parts(loaded.dlpi_phdr, count);
        (CStr::from_ptr(loaded.dlpi_name), headers)
    };
    let path = path.to_string_lossy();
    if let Some(name) = path.rsplit('/').next().filter(|name| !name.is_empty()) {
        list.push(Library {
            name: name.to_string(),
            start: loaded.dlpi_addr as usize,
            headers,
            build: OnceCell::new(),
        });
    }
    0
}

impl Libraries {
    /// Asks the dynamic linker.
    pub fn loaded() -> Libraries {
        let mut all: Vec<Library> = Vec::new();
        // SAFETY: `add` takes the list for what it is, and keeps nothing.
        unsafe { libc::dl_iterate_phdr(Some(add), (&raw mut all).cast()) };
        let numbered = all.iter().enumerate();
        let spans = numbered.flat_map(|(at, one)| one.constants().map(move |span| (span, at)));
        let mut spans: Vec<(Range<usize>, usize)> = spans.collect();
        spans.sort_unstable_by_key(|(span, _)| span.start);
        Libraries { all, spans }
    }

    /// What constant of a library lies at an address.
    pub fn place(&self, program: &Program, address: usize) -> Option<LibraryPlace> {
        let behind = self
            .spans
            .partition_point(|(span, _)| span.start <= address);
        // What is written by relocations alone lies at the beginning of a segment that is not listed: no span holds another one.
        let (span, at) = self.spans[..behind].last()?;
        let library = span.contains(&address).then(|| &self.all[*at])?;
        Some(LibraryPlace {
            library: library.name.clone(),
            build: library.build(program),
            offset: address.wrapping_sub(library.start) as u64,
        })
    }

    /// The same, where it is one that the library names: hardly any number is such an address by chance.
    pub fn named_place(&self, program: &Program, address: usize) -> Option<LibraryPlace> {
        let mut found = MaybeUninit::<libc::Dl_info>::zeroed();
        // SAFETY: looks the address up and does not touch what is there; without an answer what was zero stays so.
        let named = unsafe {
            libc::dladdr(address as *const c_void, found.as_mut_ptr());
            found.assume_init().dli_saddr
        };
        (named as usize == address)
            .then(|| self.place(program, address))
            .flatten()
    }

    /// Where one lies now; none where the library is not loaded, or is another build.
    pub fn address(&self, program: &Program, place: &LibraryPlace) -> Option<usize> {
        let mut named = self.all.iter().filter(|one| one.name == place.library);
        let library = named.find(|one| one.build(program) == place.build)?;
        let address = library
            .start
            .wrapping_add(usize::try_from(place.offset).ok()?);
        let mut constants = library.constants();
        constants
            .any(|one| one.contains(&address))
            .then_some(address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s13_constants_and_code_of_libraries_have_places_and_their_variables_have_none() {
        // SAFETY: the test only asks.
        let program = unsafe { Program::new() };
        let libraries = Libraries::loaded();
        // SAFETY: gives a text of the C library.
        let text = unsafe { libc::strerror(libc::ENOENT) } as usize;
        let code = libc::strerror as *const () as usize;
        for address in [text, code] {
            let place = libraries.place(&program, address).unwrap();
            let named = libraries.named_place(&program, address);
            assert_eq!(named.is_some(), address == code);
            assert!(place.library.starts_with("libc."), "{place:?}");
            assert_eq!(libraries.address(&program, &place), Some(address));
            let other = LibraryPlace {
                build: place.build ^ 1,
                ..place
            };
            assert_eq!(libraries.address(&program, &other), None);
        }
        unsafe extern "C" {
            static stdout: *mut libc::FILE;
        }
        // SAFETY: the C library has set it.
        let stream = unsafe { stdout } as usize;
        assert_eq!(libraries.place(&program, stream), None);
        let own = "a literal of this program".as_ptr() as usize;
        assert_eq!(libraries.place(&program, own), None);
        let allocated = Box::new(1);
        assert_eq!(
            libraries.place(&program, &raw const *allocated as usize),
            None
        );
        let beyond = LibraryPlace {
            library: "libc.so.6".to_string(),
            build: 0,
            offset: u64::MAX,
        };
        assert_eq!(libraries.address(&program, &beyond), None);
    }
}
