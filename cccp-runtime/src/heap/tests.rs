//! Blocks by hand: what is reached, what type it has, where pointers lead.

use std::collections::HashMap;

use super::block_type::{Made, of_block};
use super::{Heap, Kinds};
use crate::format::{Data, Kind, Member, Register, Type};
use crate::registry::{BLOCKS, HEAP};

fn scalar(name: &str, kind: Kind, size: u64) -> Type {
    Type {
        name: name.to_string(),
        kind,
        size,
        members: Vec::new(),
    }
}

fn member(name: &str, type_index: u32, offset: u64, count: u64) -> Member {
    Member {
        name: name.to_string(),
        type_index,
        offset,
        count,
        bits: None,
    }
}

const INT: u32 = 0;
const DOUBLE: u32 = 1;
const POINTER: u32 = 2;
const NODE: u32 = 3;
const VECTOR: u32 = 4;
const CHAR: u32 = 5;

/// `struct node { int key; struct node *links[2]; double x; }`, `struct vector { int n; double x[]; }`.
fn kinds() -> Kinds {
    let record = |name: &str, size, members| Type {
        name: name.to_string(),
        kind: Kind::Struct,
        size,
        members,
    };
    Kinds::new(vec![
        scalar("int", Kind::Int, 4),
        scalar("double", Kind::Double, 8),
        scalar("struct node *", Kind::Pointer, 8),
        record(
            "struct node",
            32,
            vec![
                member("key", INT, 0, 1),
                member("links", POINTER, 8, 2),
                member("x", DOUBLE, 24, 1),
            ],
        ),
        record(
            "struct vector",
            8,
            vec![member("n", INT, 0, 1), member("x", DOUBLE, 8, 0)],
        ),
        scalar("char", Kind::Char, 1),
    ])
}

#[test]
fn s29_the_pointers_of_an_element_are_found_in_arrays_and_structs() {
    let mut kinds = kinds();
    assert_eq!(*kinds.pointers(NODE), [(8, POINTER), (16, POINTER)]);
    assert!(kinds.pointers(VECTOR).is_empty());
    assert!(kinds.functions(NODE).is_empty());
}

#[test]
fn s29_a_type_covers_its_parts_and_nothing_else() {
    let kinds = kinds();
    assert!(kinds.covers(NODE, 0, NODE));
    assert!(kinds.covers(NODE, 0, INT));
    assert!(kinds.covers(NODE, 16, POINTER));
    assert!(kinds.covers(NODE, 24, DOUBLE));
    assert!(kinds.covers(NODE, 9, CHAR));
    assert!(!kinds.covers(NODE, 8, DOUBLE));
    assert!(!kinds.covers(NODE, 4, INT));
    assert!(!kinds.covers(DOUBLE, 0, NODE));
    assert_eq!(kinds.flexible(VECTOR), Some((8, DOUBLE)));
    assert_eq!(kinds.flexible(NODE), None);
}

#[test]
fn s28_the_length_of_a_block_says_how_many_elements_it_has() {
    let (mut kinds, mut made) = (kinds(), Made::new());
    let mut of = |element, length| {
        let (index, count) = of_block(&mut kinds, &mut made, element, length)?;
        let one = &kinds.types[index as usize];
        Ok((one.name.clone(), one.size, count))
    };
    let whole = |name: &str, size, count| Ok::<_, String>((name.to_string(), size, count));
    assert_eq!(of(NODE, 96), whole("struct node", 32, 3));
    assert_eq!(of(DOUBLE, 0), whole("double", 8, 0));
    assert_eq!(of(DOUBLE, 20), whole("block of double", 20, 1));
    assert_eq!(of(VECTOR, 8), whole("struct vector", 8, 1));
    assert_eq!(of(VECTOR, 32), whole("block of struct vector", 32, 1));
    assert!(of(NODE, 40).is_err_and(|reason| reason.contains("no whole number")));
    assert!(of(NODE, 16).is_err_and(|reason| reason.contains("less than one `struct node`")));
}

#[test]
fn s29_elements_belong_to_their_blocks_and_ends_to_the_block_before() {
    let register = |flags, id, elements| Register {
        id,
        name: "follow(p): double".to_string(),
        function: 0,
        line: 1,
        address: 0,
        element_size: 8,
        elements,
        extents: vec![elements],
        first: 0,
        type_index: DOUBLE,
        flags,
        data: Data::Encoded(Vec::new()),
    };
    let (lengths, whole) = (register(BLOCKS, 8, 3), register(HEAP, 7, 6));
    let kinds = kinds();
    let heap = |lengths_of: &[u64]| {
        Heap::new(
            &[&lengths, &whole],
            &HashMap::from([(7, DOUBLE)]),
            &kinds.types,
            &kinds.types,
            |_| Ok(lengths_of.to_vec()),
        )
    };
    let heap_of_three = heap(&[2, 3, 1]).unwrap();
    let pool = heap_of_three.pool(7).unwrap();
    assert_eq!(heap_of_three.pool(8), None);
    assert_eq!(heap_of_three.block_of(pool, 0, 0), Some((0, 0, false)));
    assert_eq!(heap_of_three.block_of(pool, 2, 0), Some((1, 0, false)));
    assert_eq!(heap_of_three.block_of(pool, 4, 1), Some((1, 2, true)));
    assert_eq!(heap_of_three.block_of(pool, 5, 0), Some((2, 0, false)));
    assert_eq!(heap_of_three.block_of(pool, 6, 0), None);
    assert!(heap(&[2, 3]).is_err());
    assert!(heap(&[u64::MAX, 7]).is_err());
}
