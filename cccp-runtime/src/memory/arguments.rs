//! The program's own command line, as `main` got it.
//!
//! Programs keep pointers into it (the name of an input file), so a pointer there is saved as the number of a word
//! and the byte in it. The library's own words are removed before the program counts them.

use super::Program;

/// The number that stands for the vector of words itself (`argv`) rather than for a word; the offset is then the
/// number of the word that a `char **` points to.
pub const ARGUMENT_VECTOR: u32 = u32::MAX;

/// In the place of the number of a word: a null pointer, and a pointer to something else.
const NOWHERE: u64 = u64::MAX;
const ELSEWHERE: u64 = u64::MAX - 1;

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

    /// What the program has changed of them since they were read, as numbers: `getopt` puts options before other words, `strtok` ends
    /// words. None when they are as they were.
    ///
    /// For each place of the vector the word and the byte to which it points; then for each word whose bytes are others its number, how
    /// many there are, and the bytes, eight in a number.
    pub fn changes(&self, program: &Program) -> Option<Vec<u64>> {
        let slots = 0..self.words.len();
        let slots: Vec<[u64; 2]> = slots
            .map(|index| match program.pointer(self.slot(index)) {
                0 => [NOWHERE, 0],
                address => match self.find(address) {
                    Some((word, byte)) if word != ARGUMENT_VECTOR => [word.into(), byte],
                    _ => [ELSEWHERE, 0],
                },
            })
            .collect();
        let mut is_changed = { 0.. }.zip(&slots).any(|(index, slot)| *slot != [index, 0]);
        let mut numbers = slots.concat();
        for (index, word) in { 0.. }.zip(&self.words) {
            let bytes = program.view(word.address, word.bytes.len());
            if bytes == word.bytes {
                continue;
            }
            is_changed = true;
            numbers.extend([index, bytes.len() as u64]);
            numbers.extend(bytes.chunks(8).map(|some| {
                let mut all = [0; 8];
                all[..some.len()].copy_from_slice(some);
                u64::from_be_bytes(all)
            }));
        }
        is_changed.then_some(numbers)
    }

    /// The words are as they were read, but for these [`changes`](Arguments::changes). None when these are of other words; nothing has
    /// happened then.
    pub fn change_again(&self, program: &Program, changes: &[u64]) -> Option<()> {
        let (slots, mut rest) = changes.split_at_checked(2 * self.words.len())?;
        let (slots, _) = slots.as_chunks::<2>();
        let mut places = Vec::new();
        for (index, &[word, byte]) in slots.iter().enumerate() {
            let address = match word {
                NOWHERE => 0,
                // Where it leads now nobody can say.
                ELSEWHERE => continue,
                // The name of the program may be a shorter one.
                word => match self.address(u32::try_from(word).ok()?, byte) {
                    None if word == 0 => continue,
                    address => address?,
                },
            };
            places.push((self.slot(index), address));
        }
        let mut words: Vec<Vec<u8>> = self.words();
        while let [index, length, behind @ ..] = rest {
            let word = words.get_mut(usize::try_from(*index).ok()?)?;
            let length = usize::try_from(*length).ok()?;
            let (bytes, behind) = behind.split_at_checked(length.div_ceil(8))?;
            let bytes = bytes.iter().flat_map(|one| one.to_be_bytes());
            match word.len() == length {
                true => *word = bytes.take(length).collect(),
                false if *index == 0 => {}
                false => return None,
            }
            rest = behind;
        }
        if !rest.is_empty() {
            return None;
        }
        for (slot, address) in places {
            program.set_pointer(slot, address);
        }
        for (word, bytes) in self.words.iter().zip(&words) {
            if program.view(word.address, bytes.len()) != bytes {
                program.write(word.address, bytes);
            }
        }
        Some(())
    }

    /// Where the pointer to a word is.
    fn slot(&self, index: usize) -> usize {
        self.vector + index * size_of::<usize>()
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
    fn words_that_were_put_elsewhere_or_ended_are_so_again_in_another_process() {
        let program = program();
        let run = || {
            let mut words: Vec<Vec<u8>> = [&b"heat\0"[..], b"a:long:one\0", b"-n\0", b"5\0"]
                .map(<[u8]>::to_vec)
                .into();
            let mut vector: Vec<*mut u8> = words.iter_mut().map(|word| word.as_mut_ptr()).collect();
            vector.push(std::ptr::null_mut());
            (words, vector)
        };
        let read = |vector: &mut Vec<*mut u8>| {
            let count = vector.len() as c_int - 1;
            let argv = vector.as_mut_ptr();
            Arguments::read(
                &program,
                &raw const count as usize,
                &raw const argv as usize,
            )
        };
        let (mut words, mut vector) = run();
        let arguments = read(&mut vector);
        assert_eq!(arguments.changes(&program), None);
        vector[1..4].rotate_left(1);
        vector[2] = std::ptr::null_mut();
        words[1][1] = 0;
        let changes = arguments.changes(&program).expect("changes");

        let (again, mut other) = run();
        let arguments = read(&mut other);
        let shorter = &changes[..changes.len() - 1];
        assert_eq!(arguments.change_again(&program, shorter), None);
        assert_eq!(arguments.changes(&program), None);
        assert_eq!(arguments.change_again(&program, &changes), Some(()));
        assert_eq!(arguments.changes(&program), Some(changes));
        assert_eq!(again[1], b"a\0long:one\0");
        assert_eq!(other[1], again[2].as_ptr().cast_mut());
        assert!(other[2].is_null() && other[3] == again[1].as_ptr().cast_mut());
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
