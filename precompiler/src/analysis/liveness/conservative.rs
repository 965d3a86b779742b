//! What makes the answer for a cell more careful than it had to be, and what would lift it.

use crate::analysis::memory::{CellId, ObjectKind};
use crate::analysis::points_to::Why;
use crate::dataflow::steps::TextPlace;

use super::model::{Conservative, Liveness};

impl Liveness<'_> {
    /// What makes the answer for a cell more careful than it had to be.
    pub fn conservative(&self, checkpoint: usize, cell: CellId) -> Vec<Conservative> {
        let Some(at) = self.checkpoints.get(checkpoint) else {
            return Vec::new();
        };
        let memory = &self.points_to.memory;
        let place = &memory.cells[cell.0 as usize];
        let object = &memory.objects[place.object.0 as usize];
        let mut all: Vec<Conservative> =
            self.points_to.why(cell).into_iter().map(because).collect();
        if !at.read_later.contains(cell.0 as usize) {
            return Vec::new();
        }
        let written = self
            .effects
            .main
            .is_none_or(|main| self.effects.summary(main).writes.contains(cell.0 as usize));
        if place.is_many && written && !matches!(object.kind, ObjectKind::Library(_)) {
            all.push(Conservative {
                reason: "a store to an element leaves the others as they are".to_string(),
                lift: "a loop that surely stores to every element before any is read, or memset"
                    .to_string(),
                place: None,
            });
        }
        if !object.is_single && written {
            let reason = match object.kind {
                ObjectKind::Heap { .. } => "this call allocates more than one block",
                _ => "its function may be active more than once",
            };
            all.push(Conservative {
                reason: reason.to_string(),
                lift: String::new(),
                place: allocation(&object.kind),
            });
        }
        all.sort();
        all.dedup();
        all
    }
}

fn allocation(kind: &ObjectKind) -> Option<TextPlace> {
    match kind {
        ObjectKind::Heap { call, .. } => Some(*call),
        _ => None,
    }
}

fn because(why: Why) -> Conservative {
    match why {
        Why::Collapsed { at, used_as } => Conservative {
            reason: format!("all of it is one location because it is used as `{used_as}`, too"),
            lift: "use it under one type".to_string(),
            place: Some(at),
        },
        Why::MentionedFunction(name) => Conservative {
            reason: format!("`{name}`, of which nothing is known, may read it"),
            lift: format!("say what `{name}` does in a file for --catalog"),
            place: None,
        },
        Why::Shared => Conservative {
            reason: "code that is not among the files given can name it".to_string(),
            lift: "give all files of the program, or declare it `static`".to_string(),
            place: None,
        },
        Why::Arithmetic(at) => Conservative {
            reason: "pointers to it are computed as integers, or byte by byte".to_string(),
            lift: String::new(),
            place: Some(at),
        },
    }
}
