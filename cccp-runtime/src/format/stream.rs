//! The values of a register one batch after the other, whatever machine wrote them and however large they are.
//!
//! In: the data of a register and the types of the file. Out: [`Scalar`]s in the order of elements and members. It is
//! what `decode` does, without a program whose memory could be filled, and with never more than a chunk of values in
//! memory. The last call has verified the checksum of everything that was given before.
//!
//! Native data hold the pointers after the elements, so these are read with two feeds. A value that its own type
//! cannot hold, as only a defect of a writer makes it, is an error. Not here: what is done with the values.

use super::FormatError;
use super::feed::Feed;
use super::frames::Frames;
use super::model::{Encoding, Register, Value};
use super::number;
use super::read::File;
use super::run::{from_memory, from_wire, integer, wire_width};
use super::scalar::Scalar;
use super::types::{Kind, Layout};
use super::walk::{Run, Walk};

/// Most bytes of a piece of a union, and about as many encoded bytes in a batch.
const BATCH: u64 = 1 << 16;

/// The values of a register, or of the trace.
pub struct Values<'a> {
    layout: Layout<'a>,
    encoding: Encoding,
    /// Elements of at most a batch may hold their members in any order; larger ones are read forwards only.
    element: u64,
    /// Bytes of all elements in the writer's memory.
    bytes: u64,
    feed: Feed<'a>,
    /// The pointers of native data.
    pointers: Option<Feed<'a>>,
    walk: Walk<'a>,
    run: Option<Run>,
    /// Scalars of the run that were given already.
    given: u64,
    /// Bytes of the next scalar that were given already: of a union.
    inside: u64,
    finished: bool,
}

impl File {
    /// The values of a register of this file, in batches.
    pub fn values(&self, register: &Register) -> Result<Values<'_>, FormatError> {
        let layout = self.checkpoint.layout();
        Values::of_frames(layout, self.checkpoint.header.encoding, register, || {
            self.frames(register)
        })
    }

    /// The one value that the trace of this file keeps. It is XDR in every file.
    pub fn value<'a>(&'a self, value: &'a Value) -> Result<Values<'a>, FormatError> {
        let layout = self.checkpoint.layout();
        Values::of_memory(layout, Encoding::Xdr, value.type_index, 1, &value.data)
    }
}

impl<'a> Values<'a> {
    /// Values that are in memory, as `encode` gave them.
    pub fn of_memory(
        layout: Layout<'a>,
        encoding: Encoding,
        type_index: u32,
        count: u64,
        data: &[u8],
    ) -> Result<Values<'a>, FormatError> {
        Values::new(layout, encoding, type_index, count, || {
            Ok(Feed::of_memory(data))
        })
    }

    pub(super) fn of_frames(
        layout: Layout<'a>,
        encoding: Encoding,
        register: &Register,
        frames: impl Fn() -> Result<Frames<'a>, FormatError>,
    ) -> Result<Values<'a>, FormatError> {
        Values::new(
            layout,
            encoding,
            register.type_index,
            register.elements,
            || frames().map(Feed::of_file),
        )
    }

    fn new(
        layout: Layout<'a>,
        encoding: Encoding,
        type_index: u32,
        count: u64,
        feed: impl Fn() -> Result<Feed<'a>, FormatError>,
    ) -> Result<Values<'a>, FormatError> {
        let refuse = |reason: &str| FormatError::Types {
            name: type_index.to_string(),
            reason: reason.to_string(),
        };
        let kind = layout
            .types
            .get(type_index as usize)
            .ok_or_else(|| refuse("there is no such type"))?;
        let bytes = kind
            .size
            .checked_mul(count)
            .filter(|bytes| *bytes <= u64::MAX - 3)
            .ok_or_else(|| refuse("more bytes than an address space has"))?;
        let walk = Walk::new(layout.types, type_index, count);
        let own = feed()?;
        let pointers = if encoding.is_memory() && walk.meets_pointers() {
            let mut pointers = feed()?;
            pointers.leap(bytes.next_multiple_of(4))?;
            Some(pointers)
        } else {
            let expected = bytes.next_multiple_of(4);
            if encoding.is_memory() && own.left() != expected {
                return Err(own.damaged(format!(
                    "{} bytes of values where {expected} are needed",
                    own.left()
                )));
            }
            None
        };
        Ok(Values {
            layout,
            encoding,
            element: kind.size,
            bytes,
            feed: own,
            pointers,
            walk,
            run: None,
            given: 0,
            inside: 0,
            finished: false,
        })
    }

    /// Replaces what is in `into` by the next scalars. Gives false after the last ones: then there are none in it, and
    /// all that was given before has been verified.
    pub fn next(&mut self, into: &mut Vec<Scalar>) -> Result<bool, FormatError> {
        into.clear();
        let mut room = BATCH;
        while room > 0 {
            let run = match self.run {
                Some(run) => run,
                None => match self.walk.next() {
                    Some(run) => *self.run.insert(run),
                    None => break,
                },
            };
            room = room.saturating_sub(self.some(run, room, into)?);
            if self.given == run.count {
                self.run = None;
                self.given = 0;
            }
        }
        if into.is_empty() && !self.finished {
            self.finish()?;
        }
        Ok(!into.is_empty())
    }

    fn finish(&mut self) -> Result<(), FormatError> {
        let left = match (&self.pointers, self.encoding) {
            (Some(pointers), _) => pointers.left(),
            (None, Encoding::Xdr) => self.feed.left(),
            // The length of native data without pointers was checked at the beginning.
            (None, Encoding::Native) => 0,
        };
        if self.encoding.is_memory() {
            self.feed.at(self.bytes, 0)?;
            self.feed.zeros(self.bytes)?;
        }
        if left > 0 {
            let reason = format!("{left} bytes more than the type has");
            return Err(self.feed.damaged(reason));
        }
        self.finished = true;
        self.feed.finish()
    }

    /// Gives some scalars of a run; the number of encoded bytes they took, at least one.
    fn some(&mut self, run: Run, room: u64, into: &mut Vec<Scalar>) -> Result<u64, FormatError> {
        match run.kind {
            Kind::Bytes => return self.union(run, room, into),
            Kind::Pointer | Kind::Function => {
                let feed = self.pointers.as_mut().unwrap_or(&mut self.feed);
                let before = feed.position();
                into.push(Scalar::Pointer(Box::new(feed.pointer()?)));
                let taken = feed.position() - before;
                self.given += 1;
                return Ok(taken);
            }
            _ => {}
        }
        let width = match self.encoding {
            Encoding::Native => run.size,
            Encoding::Xdr => wire_width(&run),
        };
        let count = (room / width).clamp(1, run.count - self.given);
        match (self.encoding, run.bits) {
            (Encoding::Xdr, _) => {
                let bytes = self.feed.take(count * width)?;
                from_wire(&run, bytes, width as usize, self.layout, into)?;
                self.given += count;
                if run.kind.is_character() && run.bits.is_none() && self.given == run.count {
                    self.feed.zeros(run.count)?;
                }
            }
            (Encoding::Native, Some(bits)) => {
                let (first, last) = (
                    bits.start / 8,
                    (bits.start + u64::from(bits.width)).div_ceil(8),
                );
                let own = super::BitField {
                    start: bits.start % 8,
                    ..bits
                };
                let big = self.layout.machine.big_endian;
                let bytes = self.memory(run.offset + first, last - first)?;
                into.push(integer(number::bits(bytes, own, big), bits.signed));
                self.given += 1;
            }
            (Encoding::Native, None) => {
                let layout = self.layout;
                let bytes = self.memory(run.offset + self.given * width, count * width)?;
                from_memory(&run, bytes, layout, into);
                self.given += count;
            }
        }
        Ok(count * width)
    }

    /// Bytes of the writer's memory.
    fn memory(&mut self, offset: u64, length: u64) -> Result<&[u8], FormatError> {
        if self.element > BATCH || self.element == 0 {
            if offset < self.feed.position() {
                return Err(FormatError::Types {
                    name: String::from("struct"),
                    reason: "its members do not lie in their order, and it is too large to be held in memory"
                        .to_string(),
                });
            }
            return self.feed.at(offset, length);
        }
        // Whole elements, so that their members may lie in any order.
        let first = offset / self.element * self.element;
        let whole = (offset + length - first).next_multiple_of(self.element);
        let bytes = self.feed.at(first, whole)?;
        Ok(&bytes[(offset - first) as usize..][..length as usize])
    }

    fn union(&mut self, run: Run, room: u64, into: &mut Vec<Scalar>) -> Result<u64, FormatError> {
        let length = (run.size - self.inside).min(BATCH);
        if length > room && !into.is_empty() {
            return Ok(room);
        }
        let place = run.offset + self.given * run.size + self.inside;
        let bytes = match self.encoding {
            Encoding::Xdr => self.feed.take(length)?,
            Encoding::Native => self.memory(place, length)?,
        };
        let bytes = Box::from(bytes);
        self.inside += length;
        let more = self.inside < run.size;
        into.push(Scalar::Bytes { bytes, more });
        if !more {
            self.inside = 0;
            self.given += 1;
            if !self.encoding.is_memory() && self.given == run.count {
                self.feed.zeros(run.count * run.size)?;
            }
        }
        Ok(length)
    }
}
