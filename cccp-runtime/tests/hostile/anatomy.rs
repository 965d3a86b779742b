//! A checkpoint file taken apart into its fields, and put together again with right lengths and checksums.
//!
//! In: the bytes of a good file. Out: a flat list of fields, each with what it is and which checksummed part begins or
//! ends there. Written from FORMAT.md, without the reader: what both say about a file has to agree. Fields can be
//! changed, repeated and dropped at will; [`assemble`] seals whatever comes out.

use std::ops::Range;
use std::rc::Rc;

/// What kind of field it is, for those who change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Means what it says.
    Number,
    /// How many items follow.
    Count,
    /// Bytes of the content that follows.
    Length,
    /// Bytes of the header or the description.
    PartLength,
    /// Bytes of the head of a register.
    HeadLength,
    /// Bytes of the file.
    Total,
    /// Text and other opaque bytes, values included.
    Content,
    /// Zeros up to a multiple of four.
    Padding,
    /// Of the part that ends here.
    Checksum(Part),
}

/// What a checksum is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Header,
    Description,
    Section,
    Data,
    File,
}

#[derive(Clone, Debug)]
pub struct Field {
    /// Shared by the copies of a file until one of them changes.
    pub bytes: Rc<Vec<u8>>,
    pub role: Role,
    /// In the words of FORMAT.md.
    pub what: &'static str,
    /// The part whose checksum begins here.
    pub begins: Option<Part>,
}

/// How much is made right when fields are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seal {
    /// The checksum of the whole file only.
    File,
    /// All checksums.
    Checksums,
    /// All checksums, and the lengths of the parts and of the file.
    Lengths,
}

struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
    fields: Vec<Field>,
    begins: Option<Part>,
}

impl Walk<'_> {
    fn field(&mut self, length: usize, role: Role, what: &'static str) -> &[u8] {
        let bytes = &self.bytes[self.at..][..length];
        self.at += length;
        self.fields.push(Field {
            bytes: Rc::new(bytes.to_vec()),
            role,
            what,
            begins: self.begins.take(),
        });
        bytes
    }

    fn u32(&mut self, what: &'static str) -> u32 {
        number(self.field(4, Role::Number, what)) as u32
    }

    fn u64(&mut self, what: &'static str) -> u64 {
        number(self.field(8, Role::Number, what))
    }

    fn count(&mut self, what: &'static str) -> u32 {
        number(self.field(4, Role::Count, what)) as u32
    }

    fn content(&mut self, length: usize, what: &'static str) {
        self.field(length, Role::Content, what);
        let padding = length.wrapping_neg() % 4;
        if padding > 0 {
            self.field(padding, Role::Padding, "padding");
        }
    }

    fn text(&mut self, what: &'static str) {
        let length = number(self.field(4, Role::Length, what)) as usize;
        self.content(length, what);
    }

    fn checksum(&mut self, part: Part) {
        self.field(4, Role::Checksum(part), "CRC-32");
    }

    fn values(&mut self) {
        for _ in 0..self.count("values") {
            self.text("name of a value");
            self.u32("type of a value");
            self.text("data of a value");
        }
    }
}

pub fn number(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0, |value, byte| value << 8 | u64::from(*byte))
}

/// Takes a good file apart.
pub fn dissect(bytes: &[u8]) -> Vec<Field> {
    let mut walk = Walk {
        bytes,
        at: 0,
        fields: Vec::new(),
        begins: Some(Part::Header),
    };
    walk.field(8, Role::Number, "magic");
    walk.u32("major version");
    walk.u32("minor version");
    let length = number(walk.field(8, Role::PartLength, "length of the header")) as usize;
    let end = walk.at + length;
    header(&mut walk);
    rest(&mut walk, end);
    walk.checksum(Part::Header);
    walk.begins = Some(Part::Description);
    let length = number(walk.field(8, Role::PartLength, "length of the description")) as usize;
    let end = walk.at + length;
    description(&mut walk);
    rest(&mut walk, end);
    walk.checksum(Part::Description);
    for _ in 0..walk.count("sections") {
        walk.begins = Some(Part::Section);
        walk.u64("number of the section");
        for _ in 0..walk.count("registers") {
            register(&mut walk);
        }
        walk.checksum(Part::Section);
    }
    walk.field(8, Role::Total, "length of the file");
    walk.checksum(Part::File);
    assert_eq!(walk.at, bytes.len());
    walk.fields
}

/// What a newer minor version has appended, word by word.
fn rest(walk: &mut Walk, end: usize) {
    while walk.at < end {
        walk.u32("appended");
    }
    assert_eq!(walk.at, end);
}

fn header(walk: &mut Walk) {
    walk.text("program");
    walk.u64("fingerprint");
    for _ in 0..walk.count("arguments") {
        walk.text("argument");
    }
    walk.u32("rank");
    walk.u32("size");
    walk.u64("generation");
    walk.u64("time");
    walk.u32("byte order");
    walk.u32("size of a pointer");
    walk.u32("size of a long");
    walk.u32("size of a long double");
    walk.u32("representation of long double");
    walk.text("machine");
    walk.u32("encoding");
    walk.text("function of the checkpoint");
    walk.u32("line of the checkpoint");
    for _ in 0..walk.count("names of the checkpoint") {
        walk.text("name of the checkpoint");
    }
}

fn description(walk: &mut Walk) {
    for _ in 0..walk.count("types") {
        walk.text("name of a type");
        walk.u32("kind");
        walk.u64("size of a type");
        for _ in 0..walk.count("members") {
            walk.text("name of a member");
            walk.u32("type of a member");
            walk.u64("offset");
            walk.u64("count");
            for _ in 0..walk.count("bits") {
                walk.u64("start");
                walk.u32("width");
                walk.u32("signed");
            }
        }
    }
    for _ in 0..walk.count("functions") {
        walk.text("name of a function");
        walk.text("file");
        walk.u32("line of a function");
        walk.u64("fingerprint of a function");
    }
    for _ in 0..walk.count("nodes") {
        walk.u32("function of a node");
        walk.values();
        for _ in 0..walk.count("entries") {
            entry(walk);
        }
        for _ in 0..walk.count("actives") {
            walk.u32("active");
        }
    }
    for _ in 0..walk.count("roots") {
        walk.u32("root");
    }
    for _ in 0..walk.count("plans") {
        plan(walk);
    }
}

fn plan(walk: &mut Walk) {
    for _ in 0..walk.count("blocks of a plan") {
        walk.u32("kind of a block");
        walk.u32("line of a block");
        walk.u32("loop of a block");
        walk.u32("region of a block");
        for _ in 0..walk.count("names of a block") {
            walk.text("name of a block");
        }
        walk.u64("passed");
        planned_fields(walk);
    }
    for _ in 0..walk.count("loops") {
        walk.u32("parent");
        for _ in 0..walk.count("counters") {
            walk.u32("counter");
        }
        walk.u32("prunable");
    }
    for _ in 0..walk.count("items") {
        walk.text("name of an item");
        walk.u32("line of an item");
        walk.u32("flags of an item");
        walk.u32("block of an item");
        for _ in 0..walk.count("types of an item") {
            walk.u32("type of an item");
        }
        planned_extent(walk);
        for _ in 0..walk.count("extents of an item") {
            planned_extent(walk);
        }
    }
    planned_fields(walk);
}

fn planned_extent(walk: &mut Walk) {
    walk.text("text of an extent");
    for _ in 0..walk.count("values of an extent") {
        walk.u64("value of an extent");
    }
}

fn planned_fields(walk: &mut Walk) {
    for _ in 0..walk.count("fields of a plan") {
        walk.text("name of a field");
        walk.u32("type of a field");
        walk.u32("flags of a field");
    }
}

fn entry(walk: &mut Walk) {
    walk.u64("sequence");
    walk.u32("block");
    walk.u32("dormant");
    for _ in 0..walk.count("instances") {
        walk.u64("instance");
    }
    for _ in 0..walk.count("regions") {
        walk.u64("region");
    }
    match walk.u32("kind of an entry") {
        1 => {
            for _ in 0..walk.count("links") {
                walk.u32("item");
                for _ in 0..walk.count("registers of a link") {
                    walk.u64("register of a link");
                }
            }
        }
        2 | 3 => walk.values(),
        4 => {
            walk.u32("callee");
        }
        _ => {}
    }
}

fn register(walk: &mut Walk) {
    walk.field(4, Role::HeadLength, "length of the head");
    walk.u64("address");
    walk.u64("bytes per element");
    walk.u64("elements");
    walk.u32("type of a register");
    walk.text("name of a register");
    walk.u64("number of a register");
    walk.u32("function of a register");
    walk.u32("line of a register");
    for _ in 0..walk.count("extents") {
        walk.u64("extent");
    }
    walk.u64("first");
    walk.u32("flags");
    walk.u32("word");
    walk.begins = Some(Part::Data);
    while walk.u32("raw length") > 0 {
        let stored = walk.u32("stored length") as usize;
        walk.content(stored, "data");
    }
    walk.checksum(Part::Data);
}

/// The bytes of the fields, with as much made right as asked.
pub fn assemble(fields: &[Field], seal: Seal) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::new();
    let mut begin = [0; 5];
    let total: usize = fields.iter().map(|field| field.bytes.len()).sum();
    for (index, field) in fields.iter().enumerate() {
        if let Some(part) = field.begins {
            begin[part as usize] = out.len();
        }
        let until = |end: &dyn Fn(&Field) -> bool| -> u64 {
            let inner = fields[index + 1..].iter().take_while(|field| !end(field));
            inner.map(|field| field.bytes.len() as u64).sum()
        };
        let lengths = seal == Seal::Lengths;
        match field.role {
            Role::Checksum(part) if seal != Seal::File || part == Part::File => {
                let checksum = crc32fast::hash(&out[begin[part as usize].min(out.len())..]);
                out.extend_from_slice(&checksum.to_be_bytes());
            }
            Role::PartLength if lengths => {
                let inside = until(&|field| matches!(field.role, Role::Checksum(_)));
                out.extend_from_slice(&inside.to_be_bytes());
            }
            Role::HeadLength if lengths => {
                let inside = until(&|field| field.begins == Some(Part::Data)) as u32;
                out.extend_from_slice(&inside.to_be_bytes());
            }
            Role::Total if lengths => out.extend_from_slice(&(total as u64).to_be_bytes()),
            _ => out.extend_from_slice(&field.bytes),
        }
    }
    out
}

/// Where each field lies in the file.
pub fn places(fields: &[Field]) -> Vec<Range<usize>> {
    let mut end = 0;
    fields
        .iter()
        .map(|field| {
            let start = end;
            end += field.bytes.len();
            start..end
        })
        .collect()
}

/// Where the checksums of a file are, and what each is of, in the order in which they have to be set.
pub fn checksums(fields: &[Field]) -> Vec<Range<usize>> {
    let mut begin = [0; 5];
    let mut found = Vec::new();
    for (field, place) in fields.iter().zip(places(fields)) {
        if let Some(part) = field.begins {
            begin[part as usize] = place.start;
        }
        if let Role::Checksum(part) = field.role {
            found.push(begin[part as usize]..place.start);
        }
    }
    found
}

/// Sets the checksums of a file right whose fields are where they were.
pub fn seal(bytes: &mut [u8], checksums: &[Range<usize>]) {
    for part in checksums {
        let checksum = crc32fast::hash(&bytes[part.clone()]);
        bytes[part.end..][..4].copy_from_slice(&checksum.to_be_bytes());
    }
}
