//! The program's own command line, as `main` got it.
//!
//! Programs keep pointers into it (the name of an input file), so a pointer there is saved as the number of a word
//! and the byte in it. The library's own words are removed before the program counts them.

use super::Program;

/// The number that stands for the vector of words itself (`argv`) rather than for a word; the offset is then the
/// number of the word that a `char **` points to.
pub const ARGUMENT_VECTOR: u32 = u32::MAX;

/// The words of the command line with their addresses. Empty when the program did not hand them over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arguments {
    vector: usize,
    words: Vec<Word>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Word {
    address: usize,
    bytes: Vec<u8>,
}

impl Arguments {
    /// Reads what `argc` (the address of an `int`) and `argv` (the address of a `char **`) say. Either may be NULL.
    pub fn read(program: &Program, argc: usize, argv: usize) -> Arguments {
        if argc == 0 || argv == 0 {
            return Arguments::default();
        }
        let vector = program.pointer(argv);
        let count = program.integer(argc, size_of::<std::ffi::c_int>()) as usize;
        if vector == 0 {
            return Arguments::default();
        }
        let words = (0..count)
            .map(|index| program.pointer(vector + index * size_of::<usize>()))
            .take_while(|address| *address != 0)
            .map(|address| Word {
                address,
                bytes: program.text(address),
            })
            .collect();
        Arguments { vector, words }
    }

    /// The words, the program's name first.
    pub fn words(&self) -> Vec<Vec<u8>> {
        self.words.iter().map(|word| word.bytes.clone()).collect()
    }

    /// Removes all words but those in `kept`, which are some of the words in their order, from the program's memory
    /// and from here.
    pub fn keep(&mut self, program: &Program, argc: usize, kept: &[Vec<u8>]) {
        if self.vector == 0 {
            return;
        }
        let mut wanted = kept.iter().peekable();
        self.words
            .retain(|word| wanted.next_if(|next| **next == word.bytes).is_some());
        for (index, word) in self.words.iter().enumerate() {
            program.set_pointer(self.vector + index * size_of::<usize>(), word.address);
        }
        program.set_pointer(self.vector + self.words.len() * size_of::<usize>(), 0);
        let count = self.words.len() as std::ffi::c_int;
        program.write(argc, &count.to_ne_bytes());
    }

    /// Which word an address lies in (its end included), and at which byte; or [`ARGUMENT_VECTOR`].
    pub fn find(&self, address: usize) -> Option<(u32, u64)> {
        let inside = |start: usize, length: usize| {
            (start..=start + length)
                .contains(&address)
                .then(|| address - start)
        };
        if let Some(offset) = inside(self.vector, self.words.len() * size_of::<usize>())
            && self.vector != 0
            && offset % size_of::<usize>() == 0
        {
            return Some((ARGUMENT_VECTOR, (offset / size_of::<usize>()) as u64));
        }
        self.words.iter().enumerate().find_map(|(index, word)| {
            inside(word.address, word.bytes.len()).map(|offset| (index as u32, offset as u64))
        })
    }

    /// The address that [`Arguments::find`] describes, in this run. None when this run has no such word or byte.
    pub fn address(&self, index: u32, offset: u64) -> Option<usize> {
        let offset = usize::try_from(offset).ok()?;
        if index == ARGUMENT_VECTOR {
            return (self.vector != 0 && offset <= self.words.len())
                .then(|| self.vector + offset * size_of::<usize>());
        }
        let word = self.words.get(index as usize)?;
        (offset <= word.bytes.len()).then(|| word.address + offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::{CStr, c_char, c_int};

    /// A command line like that of `main`.
    struct Line {
        argc: c_int,
        argv: *mut *const c_char,
        vector: Vec<*const c_char>,
    }

    impl Line {
        fn new(words: &[&'static CStr]) -> Box<Line> {
            let mut vector: Vec<_> = words.iter().map(|word| word.as_ptr()).collect();
            vector.push(std::ptr::null());
            let mut line = Box::new(Line {
                argc: words.len() as c_int,
                argv: std::ptr::null_mut(),
                vector,
            });
            line.argv = line.vector.as_mut_ptr();
            line
        }

        fn addresses(&mut self) -> (usize, usize) {
            (&raw mut self.argc as usize, &raw mut self.argv as usize)
        }
    }

    fn program() -> Program {
        // SAFETY: the tests hand over only memory of their own.
        unsafe { Program::new() }
    }

    #[test]
    fn a_pointer_into_a_word_is_found_and_comes_back() {
        let program = program();
        let mut line = Line::new(&[c"heat", c"input.txt"]);
        let (argc, argv) = line.addresses();
        let arguments = Arguments::read(&program, argc, argv);
        let word = program.pointer(program.pointer(argv) + size_of::<usize>());
        assert_eq!(arguments.find(word + 5), Some((1, 5)));
        assert_eq!(arguments.find(word + 9), Some((1, 9)));
        assert_eq!(arguments.address(1, 5), Some(word + 5));
        assert_eq!(arguments.address(1, 10), None);
        assert_eq!(arguments.address(2, 0), None);
        assert_eq!(arguments.find(argv), None);
        let second = program.pointer(argv) + size_of::<usize>();
        assert_eq!(arguments.find(second), Some((ARGUMENT_VECTOR, 1)));
        assert_eq!(arguments.address(ARGUMENT_VECTOR, 1), Some(second));
    }

    #[test]
    fn s05_removed_words_are_gone_from_the_program() {
        let program = program();
        let mut line = Line::new(&[c"heat", c"--cccp-every=3", c"100", c"100"]);
        let (argc, argv) = line.addresses();
        let mut arguments = Arguments::read(&program, argc, argv);
        let kept = [b"heat".to_vec(), b"100".to_vec(), b"100".to_vec()];
        arguments.keep(&program, argc, &kept);
        assert_eq!(line.argc, 3);
        assert!(line.vector[3].is_null());
        assert_eq!(program.text(line.vector[1] as usize), b"100");
        assert_eq!(arguments.words(), kept);
        assert_eq!(arguments, Arguments::read(&program, argc, argv));
    }

    #[test]
    fn a_program_without_arguments_has_none() {
        let arguments = Arguments::read(&program(), 0, 0);
        assert_eq!(arguments, Arguments::default());
        assert_eq!(arguments.find(0), None);
        assert_eq!(arguments.address(0, 0), None);
        assert_eq!(arguments.address(ARGUMENT_VECTOR, 0), None);
    }
}
