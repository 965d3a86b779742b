//! The header of a file, in words and as JSON.

use std::time::{SystemTime, UNIX_EPOCH};

use cccp::format::{self, Header, LongDouble, Machine, Site};
use serde::Serialize;

/// A header as JSON.
#[derive(Serialize)]
pub struct HeaderShape {
    program: String,
    fingerprint: String,
    arguments: Vec<String>,
    rank: u32,
    size: u32,
    generation: u64,
    time: u64,
    encoding: &'static str,
    site: SiteShape,
    machine: MachineShape,
}

/// Where a checkpoint was taken, as JSON.
#[derive(Serialize)]
pub struct SiteShape {
    function: String,
    line: u32,
    name: Option<String>,
}

#[derive(Serialize)]
struct MachineShape {
    description: String,
    byte_order: &'static str,
    pointer: u32,
    long: u32,
    long_double: u32,
    long_double_format: &'static str,
}

impl HeaderShape {
    /// Of a header.
    pub fn of(header: &Header) -> HeaderShape {
        HeaderShape {
            program: header.program.clone(),
            fingerprint: format!("{:016x}", header.fingerprint),
            arguments: arguments(header),
            rank: header.rank,
            size: header.size,
            generation: header.generation,
            time: header.time,
            encoding: header.encoding.word(),
            site: SiteShape::of(&header.site),
            machine: MachineShape {
                description: header.machine.description.clone(),
                byte_order: byte_order(&header.machine),
                pointer: header.machine.pointer,
                long: header.machine.long,
                long_double: header.machine.long_double,
                long_double_format: long_double(&header.machine),
            },
        }
    }
}

impl SiteShape {
    /// Of a place in the program.
    pub fn of(site: &Site) -> SiteShape {
        SiteShape {
            function: site.function.clone(),
            line: site.line,
            name: site.name.clone(),
        }
    }
}

/// The program's arguments; what is not UTF-8 is replaced.
pub fn arguments(header: &Header) -> Vec<String> {
    let lossy = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).into_owned();
    header.arguments.iter().map(lossy).collect()
}

/// The command line, with quotes where words would fall apart.
pub fn command_line(header: &Header) -> String {
    let plain = |word: &String| {
        !word.is_empty() && !word.contains(|one: char| one.is_whitespace() || one == '\'')
    };
    let mut line = printable(&header.program);
    for word in arguments(header) {
        line.push(' ');
        match plain(&word) {
            true => line.push_str(&printable(&word)),
            false => line.push_str(&format!("'{}'", printable(&word))),
        }
    }
    line
}

/// Text of a file for a terminal: no control character gets through.
pub fn printable(text: &str) -> String {
    text.chars()
        .map(|one| if one.is_control() { '\u{fffd}' } else { one })
        .collect()
}

/// `step:44 main_loop`
pub fn site(site: &Site) -> String {
    let place = format!("{}:{}", printable(&site.function), site.line);
    match &site.name {
        Some(name) => format!("{place} {}", printable(name)),
        None => place,
    }
}

/// Which byte of a number comes first.
pub fn byte_order(machine: &Machine) -> &'static str {
    match machine.big_endian {
        true => "big-endian",
        false => "little-endian",
    }
}

/// What a `long double` is.
pub fn long_double(machine: &Machine) -> &'static str {
    match machine.long_double_format {
        LongDouble::Double => "double",
        LongDouble::X87 => "x87",
        LongDouble::Quad => "binary128",
        LongDouble::DoubleDouble => "two doubles",
    }
}

/// How long ago a moment was.
pub fn age(moment: u64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    format::age(moment, now.map_or(0, |now| now.as_secs()))
}
