//! Which addresses of the process are in use: whether a number can be a pointer to anything.
//!
//! The kernel lists what is mapped. A number outside of all that points to nothing, whatever the program does with it.

use std::ffi::OsStr;
use std::fs;
use std::ops::{Range, RangeInclusive};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use super::removed::former_path;

/// Where the kernel says more about each mapping.
const SMAPS: &str = "/proc/self/smaps";

/// What the kernel says of each mapping at one moment.
pub struct Details(Vec<u8>);

impl Details {
    /// What it says now.
    ///
    /// # Errors
    ///
    /// Where it cannot be read, in words.
    pub fn now() -> Result<Details, String> {
        let text = fs::read(SMAPS);
        text.map(Details)
            .map_err(|error| format!("{SMAPS} cannot be read ({error})"))
    }

    /// The file that is mapped at these addresses to be read, where the memory is as the file is.
    ///
    /// # Errors
    ///
    /// Why there is none, in words.
    pub fn unwritten_file(&self, addresses: &Range<usize>) -> Result<PathBuf, String> {
        let (from, to) = (addresses.start as u64, addresses.end as u64);
        let mut path = None;
        let mut is_meant = false;
        for line in self.0.split(|byte| *byte == b'\n') {
            let words = String::from_utf8_lossy(line);
            let begins = Mappings::listed(&words).ranges.first().copied();
            is_meant = begins.map_or(is_meant, |range| range.0 < to && from < range.1);
            if !is_meant {
                continue;
            }
            if begins.is_none() {
                let written = words.strip_prefix("Anonymous:");
                if written.is_some_and(|written| written.trim() != "0 kB") {
                    return Err("it was written there".to_string());
                }
                continue;
            }
            let rights = words.split(' ').nth(1);
            if rights.is_none_or(|rights| !rights.starts_with("r--")) {
                return Err("it can be written there by now".to_string());
            }
            let name = line.iter().position(|byte| *byte == b'/');
            path = name.map(|at| former_path(PathBuf::from(OsStr::from_bytes(&line[at..]))));
        }
        path.ok_or_else(|| "it is not mapped any more".to_string())
    }
}

/// What was mapped at one moment.
#[derive(Clone, Debug, Default)]
pub struct Mappings {
    /// From, to; in ascending order, without overlaps.
    ranges: Vec<(u64, u64)>,
}

impl Mappings {
    /// What is mapped now; none when the kernel does not say it.
    pub fn now() -> Option<Mappings> {
        Some(Mappings::listed(
            &fs::read_to_string("/proc/self/maps").ok()?,
        ))
    }

    /// What a list in the kernel's form says: `from-to rights …` in each line.
    fn listed(text: &str) -> Mappings {
        let number = |text| u64::from_str_radix(text, 16).ok();
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for line in text.lines() {
            let range = line
                .split(' ')
                .next()
                .and_then(|range| range.split_once('-'));
            let Some((Some(from), Some(to))) = range.map(|(from, to)| (number(from), number(to)))
            else {
                continue;
            };
            match ranges.last_mut() {
                Some(last) if last.1 == from => last.1 = to,
                _ => ranges.push((from, to)),
            }
        }
        ranges.sort_unstable();
        Mappings { ranges }
    }

    /// Whether something is mapped at an address.
    pub fn contains(&self, address: u64) -> bool {
        let after = self.ranges.partition_point(|range| range.0 <= address);
        after > 0 && address < self.ranges[after - 1].1
    }

    /// The same without these addresses.
    pub fn without(self, range: Range<u64>) -> Mappings {
        let parts = self.ranges.into_iter().flat_map(|(from, to)| {
            let below = (from, to.min(range.start));
            let above = (from.max(range.end), to);
            [below, above]
        });
        let mut ranges: Vec<(u64, u64)> = parts.filter(|part| part.0 < part.1).collect();
        ranges.dedup();
        Mappings { ranges }
    }

    /// The file that is mapped at an address, or the kernel's name of what is there; empty where it has none.
    pub fn name(address: u64) -> String {
        let text = fs::read_to_string("/proc/self/maps").unwrap_or_default();
        let is_there = |line: &&str| Mappings::listed(line).contains(address);
        let line = text.lines().find(is_there).unwrap_or_default();
        let name = line.split_whitespace().nth(5).unwrap_or_default();
        name.to_string()
    }

    /// Whether everything from one address up to another one is in use.
    pub fn are_together(&self, first: u64, last: u64) -> bool {
        let mut ranges = self.ranges.iter();
        ranges.any(|range| range.0 <= first && first <= last && last < range.1)
    }

    /// The upper halves of all addresses in use, in few ranges: where the addresses lie far from each other there are several.
    pub fn spans(&self) -> Vec<RangeInclusive<u32>> {
        const FAR: u32 = 1 << 12;
        let upper = |address: u64| (address >> 32) as u32;
        let mut spans: Vec<RangeInclusive<u32>> = Vec::new();
        for &(from, to) in &self.ranges {
            let (first, last) = (upper(from), upper(to - 1));
            match spans.last_mut() {
                Some(span) if first - span.end() < FAR => *span = *span.start()..=last,
                _ => spans.push(first..=last),
            }
        }
        spans
    }

    /// The lowest and the highest address in use: most numbers are told by these alone.
    pub fn bounds(&self) -> (u64, u64) {
        match (self.ranges.first(), self.ranges.last()) {
            (Some(first), Some(last)) => (first.0, last.1),
            _ => (1, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Mappings;

    #[test]
    fn addresses_in_the_list_are_in_use_and_others_are_not() {
        let mapped = Mappings::listed(
            "1000-2000 r-xp 0 08:01 7 /bin/program\n2000-3000 rw-p 0 0:0 0\n8000-9000 rw-p 0 0:0 0 [stack]\nodd line\n",
        );
        assert_eq!(mapped.bounds(), (0x1000, 0x9000));
        for (address, is_in) in [
            (0xfff, false),
            (0x1000, true),
            (0x2fff, true),
            (0x3000, false),
            (0x7fff, false),
            (0x8fff, true),
            (0x9000, false),
        ] {
            assert_eq!(mapped.contains(address), is_in, "{address:x}");
        }
        let less = mapped.clone().without(0x1800..0x8100);
        assert_eq!(less.ranges, [(0x1000, 0x1800), (0x8100, 0x9000)]);
        assert_eq!(mapped.clone().without(0x4000..0x5000).ranges, mapped.ranges);
        assert!(mapped.are_together(0x1000, 0x2fff) && !mapped.are_together(0x2fff, 0x8000));
        let far = Mappings::listed(
            "1000-2000\n500000000-900000000\n7f0000000000-7fff00000000\nffffffffff600000-ffffffffff601000\n",
        );
        assert_eq!(far.spans(), [0..=8, 0x7f00..=0x7ffe, u32::MAX..=u32::MAX]);
        let here = &raw const mapped as u64;
        assert!(Mappings::now().is_some_and(|now| now.contains(here)));
    }
}
