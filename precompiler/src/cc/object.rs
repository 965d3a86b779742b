//! Objects: a section is put in, sections and symbols are read.
//!
//! The section is appended, with new section headers at the end: not a byte of what the compiler wrote is moved, and
//! nothing of it has to be understood. It is marked as excluded, so the linker leaves it out of programs and libraries,
//! but keeps it in objects made of objects.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use object::read::archive::ArchiveFile;
use object::read::elf::{Dyn, ElfFile, FileHeader};
use object::{Endianness, Object, ObjectSection, ObjectSymbol, SectionIndex, SymbolKind};

use super::record::{LIBRARY, Library, Record, SECTION};

/// `SHT_PROGBITS`.
const PROGBITS: u64 = 1;
/// `SHF_EXCLUDE`.
const EXCLUDE: u64 = 0x8000_0000;
/// From this number of sections on they are counted elsewhere.
const RESERVED: u64 = 0xff00;

/// Where numbers stand in the two classes of ELF files: offset and width.
struct Shape {
    /// Of the file: offset of the section headers, their size, their number, the one of the names.
    file: [(usize, usize); 4],
    /// Of a section header: name, type, flags, offset, size, link, alignment.
    section: [(usize, usize); 7],
}

const SMALL: Shape = Shape {
    file: [(0x20, 4), (0x2e, 2), (0x30, 2), (0x32, 2)],
    section: [(0, 4), (4, 4), (8, 4), (16, 4), (20, 4), (24, 4), (32, 4)],
};
const LARGE: Shape = Shape {
    file: [(0x28, 8), (0x3a, 2), (0x3c, 2), (0x3e, 2)],
    section: [(0, 4), (4, 4), (8, 8), (24, 8), (32, 8), (40, 4), (48, 8)],
};

/// The object with a section more; `None` for what is no ELF file, or an odd one.
pub fn with_section(object: &[u8], called: &str, contents: &[u8]) -> Option<Vec<u8>> {
    if !object.starts_with(b"\x7fELF") {
        return None;
    }
    let shape = match object.get(4)? {
        1 => SMALL,
        2 => LARGE,
        _ => return None,
    };
    let is_little = *object.get(5)? == 1;
    let get = |bytes: &[u8], (at, width): (usize, usize)| -> Option<u64> {
        let digits = bytes.get(at..at + width)?.iter();
        let join = |sum: u64, digit: &u8| sum << 8 | u64::from(*digit);
        Some(match is_little {
            true => digits.rev().fold(0, join),
            false => digits.fold(0, join),
        })
    };
    let put = |bytes: &mut [u8], (at, width): (usize, usize), number: u64| {
        let digits = bytes[at..at + width].iter_mut().enumerate();
        digits.for_each(|(index, digit)| {
            let place = if is_little { index } else { width - 1 - index };
            *digit = number.to_le_bytes()[place];
        });
    };
    let [start, size, count, names] = shape.file;
    let [name, kind, flags, offset, length, _, alignment] = shape.section;
    let (first, entry) = (get(object, start)?, get(object, size)?);
    let (number, named) = (get(object, count)?, get(object, names)?);
    if number == 0 || number + 1 >= RESERVED || named >= number {
        return None;
    }
    let (first, entry) = (usize::try_from(first).ok()?, usize::try_from(entry).ok()?);
    let end = first.checked_add(entry.checked_mul(number as usize)?)?;
    let mut headers = object.get(first..end)?.to_vec();
    let names_header = entry * named as usize..entry * (named as usize + 1);
    let names_at = get(&headers[names_header.clone()], offset)? as usize;
    let names_length = get(&headers[names_header.clone()], length)? as usize;
    let old_names = object.get(names_at..names_at.checked_add(names_length)?)?;

    let mut bytes = object.to_vec();
    let new_names_at = bytes.len();
    bytes.extend(old_names);
    bytes.extend(called.as_bytes());
    bytes.push(0);
    let contents_at = bytes.len();
    bytes.extend(contents);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    let header = &mut headers[names_header];
    put(header, offset, new_names_at as u64);
    put(header, length, (contents_at - new_names_at) as u64);
    let mut header = vec![0; entry];
    put(&mut header, name, names_length as u64);
    put(&mut header, kind, PROGBITS);
    put(&mut header, flags, EXCLUDE);
    put(&mut header, offset, contents_at as u64);
    put(&mut header, length, contents.len() as u64);
    put(&mut header, alignment, 1);
    let headers_at = bytes.len() as u64;
    bytes.extend(headers);
    bytes.extend(header);
    put(&mut bytes, start, headers_at);
    put(&mut bytes, count, number + 1);
    Some(bytes)
}

/// An object, or a library.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// What it was compiled from: several after `ld -r`, none when that is not known.
    pub records: Vec<Record>,
    /// Names that it defines for others.
    pub defined: BTreeSet<String>,
    /// Names that others have to define, or may: memory that several objects declare without a value is that of one of them.
    pub wanted: BTreeSet<String>,
    /// Those of them that nobody has to define.
    pub optional: BTreeSet<String>,
    /// Names of functions that it defines.
    pub functions: BTreeSet<String>,
    /// Names and bytes of its variables that change.
    pub kept: Vec<(String, u64)>,
    /// It is a library that is loaded with the program.
    pub is_shared: bool,
    /// The libraries that are loaded with it.
    pub needed: Vec<String>,
}

/// Reads an object.
pub fn contents(bytes: &[u8]) -> Contents {
    let Ok(file) = object::File::parse(bytes) else {
        return Contents::default();
    };
    let section = file.section_by_name(SECTION);
    let section = section.and_then(|section| section.data().ok());
    let mut contents = Contents {
        records: section.and_then(Record::decode_all).unwrap_or_default(),
        ..Contents::default()
    };
    contents.is_shared = file.kind() == object::ObjectKind::Dynamic;
    contents.needed = match &file {
        object::File::Elf32(file) => needed(file),
        object::File::Elf64(file) => needed(file),
        _ => None,
    }
    .unwrap_or_default();
    for symbol in file.symbols().chain(file.dynamic_symbols()) {
        let Ok(name) = symbol.name() else { continue };
        // `name@VERSION`
        let name = name.split('@').next().unwrap_or(name);
        if symbol.is_undefined() || symbol.is_common() {
            contents.wanted.insert(name.to_string());
            if symbol.is_weak() {
                contents.optional.insert(name.to_string());
            }
        }
        if symbol.is_global() && !symbol.is_undefined() {
            contents.defined.insert(name.to_string());
            if symbol.kind() == SymbolKind::Text {
                contents.functions.insert(name.to_string());
            }
        }
    }
    contents.wanted.remove("");
    contents.kept = kept(&file);
    contents
}

/// The variables that lie where a program may store.
fn kept(file: &object::File<'_>) -> Vec<(String, u64)> {
    let is_written = |index: SectionIndex| {
        let section = file.section_by_index(index).ok();
        section.is_some_and(|section| {
            use object::SectionKind::{Data, Tls, UninitializedData, UninitializedTls};
            let is_fixed = section
                .name()
                .is_ok_and(|name| name.starts_with(".data.rel.ro"));
            let kinds = [Data, Tls, UninitializedData, UninitializedTls];
            kinds.contains(&section.kind()) && !is_fixed
        })
    };
    let symbols = file.symbols().filter(|symbol| {
        let is_variable = matches!(symbol.kind(), SymbolKind::Data | SymbolKind::Tls);
        symbol.is_common() || is_variable && symbol.section_index().is_some_and(is_written)
    });
    let named = symbols.filter(|symbol| symbol.size() > 0);
    let named = named.filter_map(|one| Some((one.name().ok()?.to_string(), one.size())));
    named.collect()
}

/// The names of the libraries that are loaded with one.
fn needed<Elf: FileHeader<Endian = Endianness>>(file: &ElfFile<'_, Elf>) -> Option<Vec<String>> {
    let (endian, bytes) = (file.endian(), file.data());
    let sections = file.elf_section_table();
    let (entries, names) = sections.dynamic(endian, bytes).ok()??;
    let names = sections.strings(endian, bytes, names).ok()?;
    let needed = entries.iter();
    let needed = needed.filter(|one| one.d_tag(endian) == object::elf::DT_NEEDED);
    let name = needed.filter_map(|one| one.string(endian, names).ok());
    Some(
        name.map(|name| String::from_utf8_lossy(name).into_owned())
            .collect(),
    )
}

/// How a shared library was linked, if it carries that.
pub fn linked(bytes: &[u8]) -> Option<Library> {
    let file = object::File::parse(bytes).ok()?;
    Library::decode(file.section_by_name(LIBRARY)?.data().ok()?)
}

/// A member of an archive.
pub struct Member {
    /// Its name; in a thin archive a path as seen from it.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The members of an archive; `None` for what is none. Of a thin archive the files are read.
pub fn members(path: &Path, bytes: &[u8]) -> Option<Vec<Member>> {
    let archive = ArchiveFile::parse(bytes).ok()?;
    let mut members = Vec::new();
    for member in archive.members() {
        let member = member.ok()?;
        let name = String::from_utf8_lossy(member.name()).into_owned();
        let bytes = match member.is_thin() {
            true => std::fs::read(thin(path, &name)).ok()?,
            false => member.data(bytes).ok()?.to_vec(),
        };
        members.push(Member { name, bytes });
    }
    Some(members)
}

/// The files that are members of a thin archive, with their names in it; none of another file.
pub fn thin_members(path: &Path, bytes: &[u8]) -> Vec<(PathBuf, String)> {
    let archive = ArchiveFile::parse(bytes).ok();
    let Some(archive) = archive.filter(ArchiveFile::is_thin) else {
        return Vec::new();
    };
    let members = archive.members().flatten();
    let named = members.map(|member| String::from_utf8_lossy(member.name()).into_owned());
    named.map(|name| (thin(path, &name), name)).collect()
}

/// The file that is a member of a thin archive.
fn thin(archive: &Path, name: &str) -> PathBuf {
    archive.parent().unwrap_or(Path::new("")).join(name)
}
