//! The bytes of each variable, in the generations that are there.
//!
//! Read from the files of all ranks through the library. A file that cannot be read is left out, and named.

use std::collections::BTreeMap;

use cccp::store::Directory;
use cccp_ckpt::select::full_name;

/// What the files hold.
pub struct Variables {
    /// The generations, the oldest first.
    pub generations: Vec<u64>,
    /// The largest first.
    pub rows: Vec<Row>,
    /// What could not be read, and why.
    pub unread: Vec<String>,
}

/// A variable.
pub struct Row {
    /// `function:name`.
    pub name: String,
    /// The type of its elements.
    pub kind: String,
    /// The line of its register.
    pub line: u32,
    /// Its bytes in each generation, over all ranks.
    pub bytes: Vec<u64>,
}

/// Looks at all files of a directory.
pub fn variables(directory: &Directory) -> Variables {
    let mut generations = directory.generations().unwrap_or_default();
    generations.reverse();
    let (mut rows, mut unread) = (BTreeMap::<(String, u32), Row>::new(), Vec::new());
    for (at, &generation) in generations.iter().enumerate() {
        for rank in directory.ranks(generation).unwrap_or_default() {
            let file = match directory.open(generation, rank) {
                Ok(file) => file,
                Err(error) => {
                    unread.push(error.to_string());
                    continue;
                }
            };
            let checkpoint = &file.checkpoint;
            for register in checkpoint
                .sections
                .iter()
                .flat_map(|section| &section.registers)
            {
                let name = full_name(checkpoint, register);
                let kind = checkpoint.types.get(register.type_index as usize);
                let row = rows
                    .entry((name.clone(), register.line))
                    .or_insert_with(|| Row {
                        name,
                        kind: kind.map_or_else(String::new, |kind| kind.name.clone()),
                        line: register.line,
                        bytes: vec![0; generations.len()],
                    });
                let each = kind.map_or(0, |kind| kind.size);
                row.bytes[at] += each * register.elements;
            }
        }
    }
    let mut rows: Vec<Row> = rows.into_values().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.bytes.last().copied()));
    Variables {
        generations,
        rows,
        unread,
    }
}
