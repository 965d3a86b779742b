//! What must be refused: values that do not fit, types that differ or cannot be.

use super::samples::{machine, member, scalar};
use super::values::{decoded, encoded, small};
use crate::format::*;

fn far(_: u64, _: Kind) -> PointerValue {
    PointerValue::Null
}

#[test]
fn s23_a_value_that_does_not_fit_is_an_error() {
    let (wide, narrow) = (machine(false), small());
    let types = |long: u64| {
        vec![
            scalar("long", Kind::Long, long),
            Type {
                members: vec![member("id", 0, 0, 2)],
                ..scalar("struct cell", Kind::Struct, 2 * long)
            },
            Type {
                members: vec![member("cells", 1, 0, 3)],
                ..scalar("struct grid", Kind::Struct, 6 * long)
            },
        ]
    };
    let (theirs, ours) = (types(8), types(4));
    let (theirs, ours) = (
        Layout {
            types: &theirs,
            machine: &wide,
        },
        Layout {
            types: &ours,
            machine: &narrow,
        },
    );
    let mut values = [1i64, -2, 3, 4, 5, -(1 << 31)];
    let bytes = |values: &[i64]| {
        values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect::<Vec<u8>>()
    };
    for encoding in Encoding::ALL {
        let good = encoded(theirs, 2, &bytes(&values), 1, encoding);
        assert!(decoded((theirs, ours), 2, &good, 1, encoding).is_ok());
    }
    values[5] -= 1;
    for encoding in Encoding::ALL {
        let bad = encoded(theirs, 2, &bytes(&values), 1, encoding);
        let sentence = decoded((theirs, ours), 2, &bad, 1, encoding)
            .unwrap_err()
            .to_string();
        assert!(
            sentence.starts_with(".cells[2].id[1]: -2147483649 does not fit into `"),
            "{sentence}"
        );
        assert!(
            sentence.ends_with("`, which has 4 bytes here"),
            "{sentence}"
        );
    }
}

#[test]
fn s21_another_type_is_an_error_that_names_both_sides() {
    let here = machine(false);
    let base = vec![
        scalar("int", Kind::Int, 4),
        scalar("long", Kind::Long, 8),
        scalar("double", Kind::Double, 8),
        scalar("long long", Kind::LongLong, 8),
        scalar("float", Kind::Float, 4),
    ];
    let with = |members: Vec<Member>, size: u64| {
        let mut types = base.clone();
        types.push(Type {
            members,
            ..scalar("struct cell", Kind::Struct, size)
        });
        types
    };
    let file = with(vec![member("x", 2, 0, 1), member("n", 0, 8, 1)], 16);
    fn of<'a>(types: &'a [Type], machine: &'a Machine) -> Layout<'a> {
        Layout { types, machine }
    }
    let sentence = |types: &Vec<Type>| {
        compatible(of(&file, &here), 5, of(types, &here), 5)
            .unwrap_err()
            .to_string()
    };
    let more = with(
        vec![
            member("x", 2, 0, 1),
            member("n", 0, 8, 1),
            member("m", 0, 12, 1),
        ],
        16,
    );
    assert!(sentence(&more).contains("only the program's has the member m"));
    let fewer = with(vec![member("x", 2, 0, 1)], 8);
    assert!(sentence(&fewer).contains("only the file's has the member n"));
    let other = with(vec![member("x", 2, 0, 1), member("n", 1, 8, 1)], 16);
    assert_eq!(
        sentence(&other),
        ".n: the file has int (4 bytes), the program long (8 bytes)"
    );
    let array = with(vec![member("x", 2, 0, 1), member("n", 0, 8, 2)], 16);
    assert_eq!(
        sentence(&array),
        ".n: the file has 1 elements, the program 2"
    );
    let bits = BitField {
        start: 64,
        width: 3,
        signed: true,
    };
    let field = with(
        vec![
            member("x", 2, 0, 1),
            Member {
                bits: Some(bits),
                ..member("n", 0, 0, 1)
            },
        ],
        16,
    );
    assert!(sentence(&field).contains("a bit-field of 3 bits"));
    let moved = with(vec![member("n", 0, 0, 1), member("x", 2, 8, 1)], 16);
    compatible(of(&file, &here), 5, of(&moved, &here), 5).unwrap();
    let scalars = |one, other| compatible(of(&base, &here), one, of(&base, &here), other);
    assert!(
        scalars(1, 3).is_ok(),
        "long and long long are the same here"
    );
    assert!(scalars(0, 1).is_err() && scalars(2, 4).is_err() && scalars(1, 2).is_err());
    let union = [scalar("union u", Kind::Bytes, 8)];
    let there = machine(true);
    let away = Layout {
        types: &union,
        machine: &there,
    };
    assert!(compatible(of(&union, &here), 0, of(&union, &here), 0).is_ok());
    assert!(
        compatible(of(&union, &here), 0, away, 0).is_err(),
        "a union has no byte order to convert"
    );
}

#[test]
fn types_that_cannot_be_are_refused() {
    let here = machine(false);
    let int = scalar("int", Kind::Int, 4);
    let bad = |members: Vec<Member>, size| {
        let types = [
            int.clone(),
            Type {
                members,
                ..scalar("struct s", Kind::Struct, size)
            },
        ];
        types::check(&types, &here).unwrap_err().to_string()
    };
    assert!(bad(vec![member("a", 1, 0, 1)], 8).contains("does not stand before it"));
    assert!(bad(vec![member("a", 0, 8, 1)], 8).contains("lies outside"));
    assert!(bad(vec![member("a", 0, 0, u64::MAX / 2)], 8).contains("lies outside"));
    assert!(bad((0..100).map(|_| member("a", 0, 0, 1)).collect(), 8).contains("overlap"));
    let wide = BitField {
        start: 0,
        width: 65,
        signed: false,
    };
    assert!(
        bad(
            vec![Member {
                bits: Some(wide),
                ..member("a", 0, 0, 1)
            }],
            16
        )
        .contains("lies outside")
    );
    assert!(types::check(&[scalar("double", Kind::Double, 4)], &here).is_err());
    let mut deep = vec![int.clone()];
    for index in 0..300 {
        deep.push(Type {
            members: vec![member("a", index, 0, 1)],
            ..scalar("struct d", Kind::Struct, 4)
        });
    }
    assert!(
        types::check(&deep, &here)
            .unwrap_err()
            .to_string()
            .contains("nested")
    );
}

#[test]
fn a_wrong_amount_of_memory_is_an_error() {
    let here = machine(false);
    let types = [scalar("int", Kind::Int, 4)];
    let layout = Layout {
        types: &types,
        machine: &here,
    };
    assert!(
        encode(
            layout,
            0,
            &[0; 7],
            2,
            Encoding::Xdr,
            &mut far,
            &mut Vec::new()
        )
        .is_err()
    );
    assert!(
        encode(
            layout,
            1,
            &[0; 8],
            2,
            Encoding::Xdr,
            &mut far,
            &mut Vec::new()
        )
        .is_err()
    );
    assert!(
        decode(
            layout,
            0,
            layout,
            0,
            Encoding::Xdr,
            &[0; 8],
            2,
            &mut |_| Ok(0),
            &mut [0; 7]
        )
        .is_err()
    );
    assert!(
        decode(
            layout,
            0,
            layout,
            0,
            Encoding::Xdr,
            &[],
            u64::MAX,
            &mut |_| Ok(0),
            &mut [0; 4]
        )
        .is_err()
    );
}
