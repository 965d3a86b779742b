//! Blocks, items and tables of changed programs.

use super::align::{Partner, align};
use super::blocks::pair_blocks;
use super::row::{Row, table};
use crate::format::{BlockKind, Plan, PlannedBlock, PlannedExtent, PlannedField, PlannedItem};

fn paired(old: &str, new: &str) -> Vec<Option<usize>> {
    let (old, new) = (old.as_bytes(), new.as_bytes());
    let partners = align(old.len(), new.len(), &|i, j| u64::from(old[i] == new[j]));
    partners.into_iter().map(one).collect()
}

/// `None` where nobody can say, or there is nothing.
fn one(partner: Partner) -> Option<usize> {
    match partner {
        Partner::One(index) => Some(index),
        Partner::None | Partner::Unsure => None,
    }
}

#[test]
fn s21_lists_are_paired_in_order_and_only_when_there_is_one_way() {
    assert_eq!(paired("abc", "abc"), [Some(0), Some(1), Some(2)]);
    assert_eq!(paired("abc", "xaybzc"), [Some(1), Some(3), Some(5)]);
    assert_eq!(paired("abc", "ac"), [Some(0), None, Some(1)]);
    assert_eq!(paired("aa", "a"), [None, None]);
    assert_eq!(paired("a", "aa"), [None]);
    assert_eq!(paired("ab", "ba"), [None, None]);
    assert_eq!(paired("", "abc"), []);
    assert_eq!(
        align(1, 0, &|_, _| 1),
        [Partner::None],
        "nothing to be unsure of"
    );
}

/// A plan from words: `r:u,v` registers, `x:n` executes and reads, `c:f` calls, `p` is a checkpoint.
fn plan(words: &str) -> Plan {
    let mut plan = Plan::default();
    for (index, word) in words.split_whitespace().enumerate() {
        let (kind, rest) = word.split_once(':').unwrap_or((word, ""));
        let names = rest.split(',').filter(|name| !name.is_empty());
        let mut block = PlannedBlock {
            kind: match kind {
                "r" => BlockKind::Register,
                "x" => BlockKind::Execute,
                "c" => BlockKind::Call,
                _ => BlockKind::Checkpoint,
            },
            line: index as u32 + 1,
            in_loop: 0,
            region: 0,
            name: None,
            passed: 0,
            values: Vec::new(),
        };
        for name in names {
            match block.kind {
                BlockKind::Register => plan.items.push(PlannedItem {
                    name: name.to_string(),
                    line: index as u32 + 1,
                    flags: 0,
                    block: index as u32 + 1,
                    type_index: None,
                    first: PlannedExtent::default(),
                    extents: Vec::new(),
                }),
                BlockKind::Execute => block.values.push(PlannedField {
                    name: name.to_string(),
                    type_index: 0,
                    flags: 0,
                }),
                _ => block.name = Some(name.to_string()),
            }
        }
        plan.blocks.push(block);
    }
    plan
}

fn blocks(old: &str, new: &str) -> Vec<Option<usize>> {
    pair_blocks(&plan(old), &plan(new))
        .into_iter()
        .map(one)
        .collect()
}

#[test]
fn s21_register_statements_are_found_by_what_they_name() {
    let all = [Some(0), Some(1), Some(2)];
    assert_eq!(blocks("r:a r:b p", "r:a r:b p"), all);
    assert_eq!(
        blocks("r:a r:b p", "r:b r:a p"),
        [Some(1), Some(0), Some(2)]
    );
    assert_eq!(blocks("r:a,b r:c p", "r:a r:c,d p"), all);
    assert_eq!(blocks("r:a r:b p", "r:b p"), [None, Some(0), Some(1)]);
    // The same statement twice, as after every realloc: in order.
    assert_eq!(blocks("r:u r:u p", "r:u r:u p"), all);
    assert_eq!(blocks("r:u r:u p", "r:u p"), [None, None, Some(1)]);
    // All names are new: found by its place.
    assert_eq!(blocks("c:f r:u p", "c:f r:v p"), all);
    assert_eq!(blocks("r:u r:v p", "r:x r:y p"), [None, None, Some(2)]);
}

#[test]
fn s21_calls_and_blocks_keep_their_order() {
    assert_eq!(
        blocks("c:f x:n p", "c:f c:g x:n p"),
        [Some(0), Some(2), Some(3)]
    );
    assert_eq!(blocks("c:f p", "c:g p"), [None, Some(1)]);
    // What they read tells blocks apart; where it does not, nobody can.
    assert_eq!(blocks("x:n x:m p", "x:m p"), [None, Some(0), Some(1)]);
    assert_eq!(blocks("x:n p", "x:n x:n p"), [None, Some(2)]);
    assert_eq!(blocks("p:a p:b", "p:b"), [None, Some(0)]);
    assert_eq!(blocks("p:a", "p:b"), [Some(0)]);
}

#[test]
fn s21_the_table_is_aligned_and_marks_what_cannot_be_accepted() {
    let rows = [
        Row::new("register `u` added", "", "double[3], a.c:7").note("it begins with zeros"),
        Row::new("type of `n`", "double, a.c:1", "int, a.c:1").never("no"),
    ];
    assert_eq!(
        table(&rows, "if accepted"),
        "  what               | in the checkpoint | in the program\n  \
           -------------------+-------------------+-----------------\n  \
           register `u` added | -                 | double[3], a.c:7\n    \
             if accepted: it begins with zeros\n\
         ! type of `n`        | double, a.c:1     | int, a.c:1\n    \
             cannot be accepted: no"
    );
}
