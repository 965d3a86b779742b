//! Large values without pointers are encoded, and decoded again, by all threads that stand still (S56).
//!
//! In: where the values are; a crew of threads. Out: the encoded bytes of each register, in the buffers that the values of the
//! register had at the last checkpoint, or in memory that nobody has touched; and on a restart the values, each part set by the
//! thread that encodes it. What is small, or has pointers, stays with the thread that collects the checkpoint.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::format::{
    Elements, Encoding, Fit, FormatError, Layout, Piece, decode_fitting, encoded_length,
};
use crate::memory::{Crew, bring_near, new_room};
use crate::store::has_several_nodes;

/// A crew, which of its threads works here, and how many there are.
pub type Lent = (&'static Crew, usize, usize);

/// Below so many bytes nobody is asked for.
const LARGE: usize = 1 << 16;

/// XDR fills up to so many bytes: so many elements, or a multiple, need no filling.
const ALIGNED: usize = 4;

/// The values of one register, and where they go.
struct Part<'a> {
    id: u64,
    type_index: u32,
    blocks: Vec<&'a [u8]>,
    buffer: Vec<u8>,
}

/// So many bytes, those of the buffer if it has room for them.
fn room(mut buffer: Vec<u8>, length: usize) -> Vec<u8> {
    if buffer.capacity() < length {
        // Zeros that nobody has written: the thread that does is the first one there. Some more, so that what grows a little keeps its
        // memory.
        buffer = new_room(length + length / 8);
    }
    buffer.resize(length, 0);
    buffer
}

/// Values without pointers, encoded by the thread that collects them; none when they are small, or have pointers. What nobody has
/// touched of them is not touched.
pub(super) fn encoded_alone(
    elements: Elements<'_>,
    blocks: &[&[u8]],
    buffer: &mut Vec<u8>,
) -> Result<Option<Vec<u8>>, FormatError> {
    let Some(length) = length(elements, blocks) else {
        return Ok(None);
    };
    let mut out = room(std::mem::take(buffer), length);
    elements.encode_all(blocks, &mut out)?;
    Ok(Some(out))
}

/// The encoded bytes of values that are large and have no pointers.
fn length(elements: Elements<'_>, blocks: &[&[u8]]) -> Option<usize> {
    let is_large = blocks.iter().map(|block| block.len()).sum::<usize>() >= LARGE;
    is_large.then(|| elements.length(blocks))?
}

/// What is left to all threads.
#[derive(Default)]
pub(super) struct Parts<'a>(Vec<Part<'a>>);

impl<'a> Parts<'a> {
    /// Leaves the values of a register to all threads. False when they are too small, or have pointers.
    pub fn add(
        &mut self,
        id: u64,
        elements: Elements<'_>,
        blocks: Vec<&'a [u8]>,
        buffer: &mut Vec<u8>,
    ) -> bool {
        let Some(length) = length(elements, &blocks) else {
            return false;
        };
        let buffer = room(std::mem::take(buffer), length);
        self.0.push(Part {
            id,
            type_index: elements.type_index,
            blocks,
            buffer,
        });
        true
    }

    /// The encoded values by registers.
    pub fn encoded(
        mut self,
        of: impl Fn(u32) -> Elements<'a>,
        (crew, number, threads): Lent,
    ) -> Result<HashMap<u64, Vec<u8>>, FormatError> {
        let cut = self.0.iter_mut().flat_map(|part| {
            let elements = of(part.type_index);
            let pieces = elements.cut(&part.blocks, &mut part.buffer);
            pieces.into_iter().map(move |piece| (elements, piece))
        });
        let pieces: Vec<Mutex<(Elements<'_>, Piece<'_>)>> = cut.map(Mutex::new).collect();
        let failed = Mutex::new(None);
        crew.share((number, threads), pieces.len(), false, &|part| {
            let mut one = pieces[part].lock().unwrap_or_else(PoisonError::into_inner);
            let (elements, piece) = &mut *one;
            if let Err(error) = elements.encode(piece) {
                *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            }
        });
        drop(pieces);
        match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(self.0.into_iter().map(|one| (one.id, one.buffer)).collect()),
        }
    }
}

/// Each thread brings its part of these places near to it, with so many bytes each, on machines where that matters.
pub(super) fn spread(places: impl Iterator<Item = (usize, usize)>, (crew, number, threads): Lent) {
    if !has_several_nodes() {
        return;
    }
    let large: Vec<(usize, usize)> = places.filter(|(_, bytes)| *bytes >= LARGE).collect();
    crew.share((number, threads), threads, true, &|part| {
        for &(start, bytes) in &large {
            let from = |part: usize| start + bytes / threads * part;
            bring_near(from(part), bytes / threads);
        }
    });
}

/// Encoded values, of a type of the file and of the program.
pub(super) struct Back<'a> {
    pub file: (Layout<'a>, u32),
    pub program: (Layout<'a>, u32),
    pub fit: Fit,
    pub encoding: Encoding,
}

impl Back<'_> {
    /// Decodes them into memory, each thread its part of the elements. None when they are too few, or have pointers: then
    /// nothing has been done.
    pub fn decode(
        &self,
        bytes: &[u8],
        memory: &mut [u8],
        (crew, number, threads): Lent,
    ) -> Option<Result<(), FormatError>> {
        let (file, file_type) = self.file;
        let (program, program_type) = self.program;
        let size = program.types.get(program_type as usize)?.size as usize;
        if memory.len() < LARGE || threads < 2 || size == 0 {
            return None;
        }
        let count = memory.len() / size;
        let each = count.div_ceil(threads).next_multiple_of(ALIGNED);
        let of = |count: usize| {
            Some(encoded_length(file, file_type, count as u64, self.encoding)? as usize)
        };
        let (whole, some) = (of(count)?, of(each)?);
        let last = of(count - count / each * each)?;
        if whole != bytes.len() || some == 0 || count / each * some + last != whole {
            return None;
        }
        let pairs = bytes.chunks(some).zip(memory.chunks_mut(each * size));
        let parts: Vec<Mutex<(&[u8], &mut [u8])>> = pairs.map(Mutex::new).collect();
        let failed = Mutex::new(None);
        crew.share((number, threads), threads, true, &|part| {
            let Some(part) = parts.get(part) else {
                return;
            };
            let mut part = part.lock().unwrap_or_else(PoisonError::into_inner);
            let (bytes, memory) = &mut *part;
            let decoded = decode_fitting(
                self.fit,
                file,
                file_type,
                program,
                program_type,
                self.encoding,
                bytes,
                (memory.len() / size) as u64,
                &mut |_| Err("it has no pointers".to_string()),
                memory,
            );
            if has_several_nodes() {
                bring_near(memory.as_ptr() as usize, memory.len());
            }
            if let Err(error) = decoded {
                failed
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .get_or_insert(error);
            }
        });
        Some(
            match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
                Some(error) => Err(error),
                None => Ok(()),
            },
        )
    }
}
