//! Which of several places keep their checkpoint: `--profile FILE`.
//!
//! In: the loaded program, and the file that a run with the setting `profile` has written. Out: texts in which the marks that the
//! file does not choose are comments, or the lines of those that auto mode puts, and a line about each place. Lines stay where they are. A file about another text of the
//! program, or one in which nothing is chosen, changes nothing; one that cannot be read is a mistake on the command line.

use super::analyses::has_checkpoint;
use crate::program::{Program, Text};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::Path;

/// A line of the file.
#[derive(Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Line {
    Profile {
        text: String,
        interval: f64,
    },
    Place {
        file: String,
        line: usize,
        passages: u64,
        bytes: u64,
        taken: u64,
    },
}

/// What is done with a program because of its profile.
pub struct Chosen {
    /// Its texts without the marks that are not chosen; none when all stay.
    pub texts: Option<Vec<Text>>,
    /// Files and lines of chosen places, when none of the places is a mark: auto mode has put them.
    pub only: Option<BTreeSet<(String, usize)>>,
    /// What there is to say.
    pub notes: Vec<String>,
}

/// Looks at the file.
pub fn choose(path: &Path, program: &Program) -> Result<Chosen, String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| format!("{shown}: {error}"))?;
    let lines: Result<Vec<Line>, _> = text.lines().map(serde_json::from_str).collect();
    let lines = lines.map_err(|_| {
        format!("{shown} is no profile: a run with CCCP_PROFILE={shown} writes one when that file is not there")
    })?;
    let Some((Line::Profile { text, interval }, places)) = lines.split_first() else {
        return Err(format!(
            "{shown} is no profile: it does not say of which program"
        ));
    };
    let units = program.units.iter();
    let number = units.fold(0u64, |sum, unit| sum.wrapping_add(unit.file.number()));
    if *text != format!("{number:016x}") {
        return Ok(Chosen {
            texts: None,
            only: None,
            notes: vec![format!(
                "{shown} is the profile of another program, or of another version of this one: all checkpoints stay. Remove it, and run this \
                 version with CCCP_PROFILE={shown}"
            )],
        });
    }
    let is_chosen = |one: &Line| matches!(one, Line::Place { taken, .. } if *taken > 0);
    if !places.iter().any(is_chosen) {
        return Ok(Chosen {
            texts: None,
            only: None,
            notes: vec![format!(
                "{shown}: that run was too short to need a checkpoint: all checkpoints stay"
            )],
        });
    }
    let mut texts: Vec<Text> = program
        .units
        .iter()
        .map(|unit| Text {
            path: unit.file.path.clone(),
            bytes: unit.file.encode(&unit.file.original),
            lines: unit.file.lines.clone(),
        })
        .collect();
    let has_marks = has_checkpoint(program);
    let (mut notes, mut only) = (Vec::new(), BTreeSet::new());
    for place in places {
        let Line::Place {
            file,
            line,
            passages,
            bytes,
            taken,
        } = place
        else {
            continue;
        };
        let what = format!("{file}:{line}: {bytes} bytes at each of {passages} passages");
        if *taken > 0 {
            only.insert((file.clone(), *line));
            notes.push(format!(
                "{what}: {taken} checkpoints, {interval:.1} s apart at most"
            ));
            continue;
        }
        let left_out = !has_marks
            || texts
                .iter_mut()
                .any(|text| text.path == *file && leave_out(text, *line));
        notes.push(match left_out {
            true => format!("{what}: left out"),
            false => {
                format!("{what}: not chosen; there is no checkpoint of this text in that line")
            }
        });
    }
    Ok(Chosen {
        texts: has_marks.then_some(texts),
        only: (!has_marks).then_some(only),
        notes,
    })
}

/// Makes the mark of a checkpoint a comment. Whether there was one.
fn leave_out(text: &mut Text, line: usize) -> bool {
    let mut lines: Vec<Vec<u8>> = text
        .bytes
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    let is_mark = |at: &usize| {
        let mark = String::from_utf8_lossy(&lines[*at]);
        let mut words = mark.split_whitespace();
        let is_mark = ["#pragma", "cccp", "checkpoint"].map(Some) == [(); 3].map(|()| words.next());
        is_mark && !mark.trim_end().ends_with('\\') && !mark.contains("/*")
    };
    // The file itself and what was taken into it have lines of one number.
    let of_user = (0..lines.len()).filter(|at| text.lines.of(at + 1) == line);
    let marks: Vec<usize> = of_user.filter(is_mark).collect();
    let [only] = marks[..] else { return false };
    let found = &mut lines[only];
    let mark = String::from_utf8_lossy(found).into_owned();
    let words: Vec<&str> = mark.split_whitespace().collect();
    *found = format!("/* not chosen: {} */", words[2..].join(" ")).into_bytes();
    text.bytes = lines.join(&b'\n');
    true
}
