//! Changes that keep a file well-formed enough to be looked at: fields get other values, items are repeated, dropped and
//! exchanged, lists grow, chunks become bombs.
//!
//! Deterministic: the same random numbers make the same file.

use std::io::Write;
use std::rc::Rc;

use crate::anatomy::{Field, Role, number};

/// Random numbers (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// Numbers at which something may change.
const EDGES: [u64; 30] = [
    0,
    1,
    2,
    3,
    4,
    5,
    7,
    8,
    12,
    16,
    23,
    24,
    64,
    65,
    255,
    256,
    1024,
    65_535,
    65_536,
    65_537,
    (1 << 20) - 1,
    1 << 20,
    (1 << 20) + 1,
    (1 << 31) - 1,
    1 << 31,
    u32::MAX as u64,
    1 << 55,
    (1 << 55) + 1,
    1 << 63,
    u64::MAX,
];

fn set(field: &mut Field, value: u64) {
    let size = field.bytes.len();
    field.bytes = Rc::new(value.to_be_bytes()[8 - size..].to_vec());
}

fn is_number(field: &Field) -> bool {
    !matches!(field.role, Role::Content | Role::Padding) && matches!(field.bytes.len(), 4 | 8)
}

/// What a change was, for the message when it finds something.
pub type Change = String;

/// Changes the fields once.
pub fn change(fields: &mut Vec<Field>, random: &mut Random) -> Change {
    let at = random.below(fields.len());
    let what = fields[at].what;
    let kind = random.below(64);
    let name = match kind {
        0..=26 => edge(fields, at, random),
        27..=31 => {
            let bit = random.below(fields[at].bytes.len().max(1) * 8);
            if let Some(byte) = Rc::make_mut(&mut fields[at].bytes).get_mut(bit / 8) {
                *byte ^= 1 << (bit % 8);
            }
            "bit"
        }
        32..=39 => borrow(fields, at, random),
        40..=45 => content(fields, at, random),
        46..=51 => {
            repeat(fields, at, random);
            "repeat"
        }
        52..=56 => {
            let end = (at + 1 + random.below(30)).min(fields.len());
            fields.drain(at..end);
            "drop"
        }
        57..=60 => {
            let to = random.below(fields.len());
            let length = random.below(20).min(fields.len() - at.max(to));
            let (from, to) = (at.min(to), at.max(to));
            if from + length <= to {
                for index in 0..length {
                    fields.swap(from + index, to + index);
                }
            }
            "exchange"
        }
        61 | 62 => {
            grow(fields, at, random);
            "grow"
        }
        _ => {
            bomb(fields, at, random);
            "bomb"
        }
    };
    if fields.is_empty() {
        return name.to_string();
    }
    format!("{name} at {at} ({what})")
}

/// A number becomes another one that may be on an edge.
fn edge(fields: &mut [Field], at: usize, random: &mut Random) -> &'static str {
    let Some(field) = fields[at..].iter_mut().find(|field| is_number(field)) else {
        return "nothing";
    };
    let old = number(&field.bytes);
    let new = match random.below(6) {
        0 => old.wrapping_add(1),
        1 => old.wrapping_sub(1),
        2 => old.wrapping_mul(2),
        3 => random.next() >> random.below(64),
        _ => random.pick(&EDGES),
    };
    set(field, new);
    "edge"
}

/// A field gets the bytes of another one of its kind.
fn borrow(fields: &mut [Field], at: usize, random: &mut Random) -> &'static str {
    let alike: Vec<usize> = (0..fields.len())
        .filter(|&other| {
            fields[other].role == fields[at].role
                && (fields[other].what == fields[at].what
                    || fields[other].bytes.len() == fields[at].bytes.len())
        })
        .collect();
    let from = random.pick(&alike);
    fields[at].bytes = fields[from].bytes.clone();
    "borrow"
}

/// Text or data become longer, shorter or something else; the length before them follows most of the time.
fn content(fields: &mut [Field], at: usize, random: &mut Random) -> &'static str {
    let Some(step) = fields[at..]
        .iter()
        .position(|field| field.role == Role::Content)
    else {
        return "nothing";
    };
    let at = at + step;
    let length = random.below(40);
    let letters = [b'a', 0, 0xff, 0xc3, b'\n', b'.', b'u'];
    let mut text: Vec<u8> = (0..length).map(|_| random.pick(&letters)).collect();
    if at > 0 && is_number(&fields[at - 1]) && random.below(8) > 0 {
        set(&mut fields[at - 1], length as u64);
    }
    if let Some(next) = fields.get_mut(at + 1)
        && next.role == Role::Padding
    {
        next.bytes = Rc::new(vec![0; length.wrapping_neg() % 4]);
    } else if random.below(8) > 0 {
        text.resize(length.next_multiple_of(4), 0);
    }
    fields[at].bytes = Rc::new(text);
    "content"
}

/// A run of fields stands there twice; the list before it knows that most of the time.
fn repeat(fields: &mut Vec<Field>, at: usize, random: &mut Random) {
    let end = (at + 1 + random.below(30)).min(fields.len());
    let run: Vec<Field> = fields[at..end].to_vec();
    if random.below(4) > 0
        && let Some(list) = fields[..at]
            .iter_mut()
            .rev()
            .find(|field| field.role == Role::Count)
    {
        let count = number(&list.bytes);
        set(list, count.wrapping_add(1));
    }
    fields.splice(end..end, run);
}

/// A list gets many items, all of the fewest possible bytes.
fn grow(fields: &mut Vec<Field>, at: usize, random: &mut Random) {
    let Some(step) = fields[at..]
        .iter()
        .position(|field| field.role == Role::Count)
    else {
        return;
    };
    let at = at + step;
    let (items, words) = (1 + random.below(3000), 1 + random.below(8));
    let count = number(&fields[at].bytes);
    set(&mut fields[at], count + items as u64);
    let mut item = vec![0; 4 * words];
    if random.below(2) > 0 {
        let place = random.below(words) * 4 + 3;
        item[place] = random.pick(&[1, 2, 5, 21, 22, 23]);
    }
    fields.insert(
        at + 1,
        Field {
            bytes: Rc::new(item.repeat(items)),
            role: Role::Content,
            what: "many items",
            begins: None,
        },
    );
}

/// Data become chunks that expand as far as DEFLATE can, or say that they do.
fn bomb(fields: &mut Vec<Field>, at: usize, random: &mut Random) {
    let Some(step) = fields[at..]
        .iter()
        .position(|field| field.what == "raw length")
    else {
        return;
    };
    let at = at + step;
    // Real mebibytes are rare: an unoptimised test takes its time to expand them.
    let raw: u64 = match random.below(8) {
        0 => random.pick(&[1 << 20, (1 << 20) + 4]),
        _ => random.pick(&[65_536, 4096, 1000]),
    };
    let mut deflate = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::new(1));
    let real = match random.below(4) {
        0 => raw / 2,
        1 => raw * 2,
        _ => raw,
    };
    deflate
        .write_all(&vec![0; real as usize])
        .expect("a vector takes everything");
    let mut stored = deflate.finish().expect("a vector takes everything");
    if random.below(4) == 0 {
        let place = random.below(stored.len());
        stored[place] ^= 0x55;
    }
    let length = stored.len();
    stored.resize(length.next_multiple_of(4), 0);
    let begins = fields[at].begins.take();
    let chunks = 1 + random.below(4);
    let numbers = [(raw as u32).to_be_bytes(), (length as u32).to_be_bytes()].concat();
    let chunk = |begins| Field {
        bytes: Rc::new([&numbers[..], &stored].concat()),
        role: Role::Content,
        what: "bomb",
        begins,
    };
    fields.splice(
        at..at,
        (0..chunks).map(|index| chunk(if index == 0 { begins } else { None })),
    );
    // Sometimes a register that would need as much.
    if random.below(2) > 0
        && let Some(head) = fields[..at]
            .iter()
            .rposition(|field| field.what == "bytes per element")
    {
        let size = number(&fields[head].bytes).max(1);
        let elements = chunks as u64 * raw / size;
        for field in &mut fields[head..at] {
            if matches!(field.what, "elements" | "extent") {
                set(field, elements);
            }
        }
    }
}
