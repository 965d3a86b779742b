//! `cccp-ckpt diff` tells what is the same and what is not, whoever wrote the two.

mod made;

use cccp::format::{Encoding, Machine};
use made::{Place, Program, golden, i686, s390x, x86_64};

fn on_x86() -> Program {
    Program::heat(x86_64(), Encoding::Xdr)
}

#[test]
fn s23_the_same_state_is_equal_in_every_encoding_and_on_every_machine() {
    let place = Place::new("diff-machines");
    let mut names = Vec::new();
    let machines: [fn() -> Machine; 3] = [x86_64, s390x, i686];
    for (machine, name) in machines.iter().zip(["x86_64", "s390x", "i686"]) {
        for encoding in Encoding::ALL {
            let name = format!("{name}-{}.cccp", encoding.word());
            Program::heat(machine(), encoding).write(&place.join(&name), 0);
            names.push(name);
        }
    }
    for one in &names {
        for other in &names {
            let ran = place.tool(&["diff", one, other]).with(0);
            assert!(ran.out.ends_with("\nequal\n"), "{}", ran.out);
        }
    }
}

#[test]
fn each_difference_is_told_with_its_index_and_its_size() {
    let place = Place::new("diff-differences");
    let mut other = on_x86();
    other.set("u", 0, -0.0);
    other.set("u", 7, 0.875 + f64::EPSILON);
    other.set("u", 13, 100.0);
    other.set("u", 19, f64::NAN);
    // The position of a cell, a bit of another one's mask, a letter of its tag.
    other.set("cells", 7, 1.5);
    other.memory("cells")[2 * 48 + 33] ^= 0x80;
    other.memory("cells")[2 * 48 + 34] = 0;
    let spot = other.address(0x1000 + 14 * 8);
    *other.memory("spot") = spot;
    other.memory("norm")[0] = 1;
    other.remove("name");
    other.doubles("extra", &[], &[1.0]);
    other.checkpoint.header.arguments.pop();
    other.checkpoint.header.generation = 12;
    on_x86().write(&place.join("a.cccp"), 0);
    other.write(&place.join("b.cccp"), 1);
    golden(
        "diff.txt",
        &place.tool(&["diff", "a.cccp", "b.cccp"]).with(1).out,
    );
    let json = place.tool(&["--json", "diff", "a.cccp", "b.cccp"]).with(1);
    golden("diff.json", &json.out);
    let answer = json.json();
    assert_eq!(
        (&answer["command"], &answer["equal"]),
        (&"diff".into(), &false.into())
    );
    let u = &answer["ranks"][0]["registers"][1];
    assert_eq!(u["values"]["first"]["index"], "[0][0]");
    assert_eq!(u["values"]["largest_absolute"]["difference"], 98.375);
    assert_eq!(u["values"]["without_distance"], 1);
}

#[test]
fn a_tolerance_covers_small_differences_of_floating_point_numbers_only() {
    let place = Place::new("diff-tolerance");
    let mut near = on_x86();
    near.set("u", 9, 1.125 + 1e-12);
    on_x86().write(&place.join("a.cccp"), 0);
    near.write(&place.join("near.cccp"), 0);
    let diff = |tolerance: &str, other: &str| {
        place.tool(&["diff", "--tolerance", tolerance, "a.cccp", other])
    };
    diff("0", "near.cccp").with(1);
    diff("1e-13", "near.cccp").with(1);
    let ran = diff("1e-11", "near.cccp").with(0);
    assert!(
        ran.out.ends_with("equal within the tolerance\n"),
        "{}",
        ran.out
    );
    diff("0,1e-11", "near.cccp").with(0);
    near.memory("step")[0] += 1;
    near.write(&place.join("step.cccp"), 0);
    let ran = diff("1,1e9", "step.cccp").with(1);
    assert!(ran.out.contains("different   main:step"), "{}", ran.out);
    diff("-1", "near.cccp")
        .with(2)
        .saying(&["-1 is no tolerance"]);
}

#[test]
fn numbers_that_are_none_are_equal_when_their_bits_are() {
    let place = Place::new("diff-nan");
    let write = |bits: u64, name: &str| {
        let mut program = on_x86();
        program.set("u", 3, f64::from_bits(bits));
        program.write(&place.join(name), 0);
    };
    let quiet = f64::NAN.to_bits();
    write(quiet, "a.cccp");
    write(quiet, "b.cccp");
    write(quiet | 5, "payload.cccp");
    place.tool(&["diff", "a.cccp", "b.cccp"]).with(0);
    let ran = place.tool(&["diff", "a.cccp", "payload.cccp"]).with(1);
    assert!(
        ran.out
            .contains("1 of 20 values; first [0][3]: NaN in A, NaN(0x7ff8000000000005) in B"),
        "{}",
        ran.out
    );
}

#[test]
fn other_types_and_shapes_are_named_and_not_compared() {
    let place = Place::new("diff-shapes");
    on_x86().write(&place.join("a.cccp"), 0);
    let mut other = on_x86();
    other.register("u").extents = vec![5, 4];
    other.remove("step");
    other.doubles("step", &[], &[7.0]);
    other.write(&place.join("b.cccp"), 0);
    let ran = place.tool(&["diff", "a.cccp", "b.cccp"]).with(1);
    for words in [
        "type        main:step",
        "A has long (8 bytes), B double (8 bytes)",
        "shape       main:u",
        "A has [4, 5], B [5, 4]",
    ] {
        assert!(ran.out.contains(words), "no {words:?} in {}", ran.out);
    }
}

#[test]
fn of_directories_the_newest_complete_generations_are_compared_rank_by_rank() {
    let place = Place::new("diff-directories");
    for (directory, generations) in [("a.cccp", [8, 9]), ("b.cccp", [20, 21])] {
        for generation in generations {
            for rank in 0..3 {
                on_x86().publish(&place.join(directory), generation, rank, 3);
            }
        }
    }
    // One that is not complete, and would be different.
    let mut unfinished = on_x86();
    unfinished.set("u", 0, 77.0);
    unfinished.publish(&place.join("b.cccp"), 22, 0, 3);
    let ran = place.tool(&["diff", "a.cccp", "b.cccp"]).with(0);
    assert!(
        ran.out.contains("rank 2: equal, 6 registers"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("generation: 9 in A, 21 in B"),
        "{}",
        ran.out
    );
    unfinished.publish(&place.join("b.cccp"), 21, 1, 3);
    let ran = place.tool(&["diff", "a.cccp", "b.cccp"]).with(1);
    assert!(
        ran.out.contains("rank 0: equal") && ran.out.contains("rank 1:\n"),
        "{}",
        ran.out
    );
    place
        .tool(&["diff", "a.cccp", "b.cccp", "--rank", "2"])
        .with(0);
    place
        .tool(&["diff", "a.cccp", "b.cccp", "--rank", "3"])
        .with(2);
    place
        .tool(&["diff", "a.cccp", "b.cccp", "--generation", "9"])
        .with(2);
    // A job of another size.
    on_x86().publish(&place.join("c.cccp"), 1, 0, 1);
    let ran = place.tool(&["diff", "a.cccp", "c.cccp"]).with(1);
    assert!(
        ran.out.contains("number of ranks: 3 in A, 1 in B"),
        "{}",
        ran.out
    );
}

#[test]
fn what_cannot_be_read_is_trouble_and_not_a_difference() {
    let place = Place::new("diff-trouble");
    on_x86().write(&place.join("a.cccp"), 0);
    on_x86().publish(&place.join("directory"), 1, 0, 1);
    let mut bytes = std::fs::read(place.join("a.cccp")).expect("the file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(place.join("b.cccp"), bytes).expect("the file");
    let refused = |arguments: &[&str], words: &[&str]| {
        place.tool(arguments).with(2).saying(words);
    };
    refused(&["diff", "a.cccp", "b.cccp"], &["b.cccp", "damaged"]);
    refused(&["diff", "a.cccp", "nothing.cccp"], &["nothing.cccp"]);
    refused(&["diff", "a.cccp", "directory"], &["a directory"]);
    refused(&["diff", "a.cccp", "a.cccp", "--rank", "0"], &["two files"]);
}

#[test]
fn colours_are_for_terminals_or_on_request() {
    let place = Place::new("diff-colours");
    on_x86().write(&place.join("a.cccp"), 0);
    assert!(
        !place
            .tool(&["diff", "a.cccp", "a.cccp"])
            .with(0)
            .out
            .contains('\x1b')
    );
    let ran = place
        .tool(&["diff", "a.cccp", "a.cccp", "--color", "always"])
        .with(0);
    assert!(ran.out.contains("\x1b["), "{}", ran.out);
}
