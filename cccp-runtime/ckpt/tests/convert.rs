//! `cccp-ckpt convert`: the same state in another encoding.

mod made;

use cccp::format::Encoding;
use cccp::store::{Directory, FileSystem};
use made::{Place, Program, i686, s390x, x86_64};

#[test]
fn s23_a_converted_file_holds_the_same_values_and_comes_back_byte_for_byte() {
    let place = Place::new("convert-values");
    for (name, machine) in [("x86_64", x86_64()), ("s390x", s390x()), ("i686", i686())] {
        let file = |kind: &str| format!("{name}-{kind}.cccp");
        let (xdr, back) = (file("written"), file("back"));
        Program::heat(machine, Encoding::Xdr).write(&place.join(&xdr), 0);
        let read = |name: &str| std::fs::read(place.join(name)).expect("the file");
        for encoding in Encoding::ALL {
            let (word, other) = (encoding.word(), file(encoding.word()));
            let wanted = format!("--{word}");
            let ran = place.tool(&["convert", &xdr, &other, &wanted]).with(0);
            let verified = format!("{word}, verified");
            assert!(ran.out.contains(&verified), "{}", ran.out);
            place.tool(&["diff", &xdr, &other]).with(0);
            place
                .tool(&["convert", &other, &back, "--xdr", "--force"])
                .with(0);
            assert!(read(&xdr) == read(&back), "{name}, {word}");
            let is_same = read(&xdr) == read(&other);
            assert_eq!(is_same, encoding == Encoding::Xdr, "{name}, {word}");
        }
    }
}

#[test]
fn a_level_makes_it_smaller_and_stays_when_nothing_is_said() {
    let place = Place::new("convert-level");
    let mut program = Program::heat(x86_64(), Encoding::Xdr);
    program.doubles("long", &[100_000], &vec![0.5; 100_000]);
    program.write(&place.join("a.cccp"), 0);
    let convert = |arguments: &[&str]| {
        let ran = place
            .tool(&[&["--json", "convert"], arguments].concat())
            .with(0);
        ran.json()["files"][0]["bytes_after"]
            .as_u64()
            .expect("a number")
    };
    assert!(convert(&["a.cccp", "plain.cccp", "--xdr"]) > 800_000);
    assert!(convert(&["a.cccp", "small.cccp", "--xdr", "--compress", "9"]) < 20_000);
    assert!(convert(&["small.cccp", "native.cccp", "--native"]) < 20_000);
    assert!(convert(&["small.cccp", "large.cccp", "--xdr", "--compress", "off"]) > 800_000);
    place.tool(&["diff", "a.cccp", "native.cccp"]).with(0);
    for arguments in [
        &["--xdr", "--compress", "10"][..],
        &["--xdr", "--native"],
        &[],
    ] {
        place
            .tool(&[&["convert", "a.cccp", "x.cccp"], arguments].concat())
            .with(2);
    }
}

#[test]
fn a_directory_is_converted_with_its_mark_and_without_what_is_damaged() {
    let place = Place::new("convert-directory");
    for generation in [3, 4] {
        for rank in 0..2 {
            Program::heat(x86_64(), Encoding::Xdr).publish(
                &place.join("heat.cccp"),
                generation,
                rank,
                2,
            );
        }
    }
    let store = std::sync::Arc::new(FileSystem);
    let directory = Directory::new(store, place.join("heat.cccp"));
    directory.mark_complete(0, 3).expect("a mark");
    std::fs::write(place.join("heat.cccp/notes.txt"), "mine").expect("a file");
    place
        .tool(&["convert", "heat.cccp", "native.cccp", "--native"])
        .with(0);
    place.tool(&["diff", "heat.cccp", "native.cccp"]).with(0);
    let read = |name: &str| std::fs::read(place.join(name));
    assert_eq!(
        read("native.cccp/complete.000000").expect("the mark"),
        read("heat.cccp/complete.000000").expect("the mark")
    );
    assert!(
        read("native.cccp/notes.txt").is_err(),
        "what is not ours stays"
    );
    // Damage in one file: the others are converted, and it is said.
    let victim = place.join("heat.cccp/0000000004/000001.cccp");
    let mut bytes = std::fs::read(&victim).expect("the file");
    bytes[700] ^= 1;
    std::fs::write(&victim, bytes).expect("the file");
    place
        .tool(&["convert", "heat.cccp", "rest.cccp", "--native"])
        .with(1)
        .saying(&["left out", "000001.cccp", "damaged"]);
    assert!(read("rest.cccp/0000000004/000000.cccp").is_ok());
    assert!(read("rest.cccp/0000000004/000001.cccp").is_err());
}

#[test]
fn nothing_is_replaced_by_mistake() {
    let place = Place::new("convert-careful");
    let heat = || Program::heat(x86_64(), Encoding::Xdr);
    heat().write(&place.join("a.cccp"), 0);
    heat().publish(&place.join("heat.cccp"), 3, 0, 1);
    let convert = |arguments: &[&str]| place.tool(&[&["convert", "--native"], arguments].concat());
    convert(&["a.cccp", "a.cccp"])
        .with(2)
        .saying(&["a.cccp: exists already"]);
    convert(&["heat.cccp", "heat.cccp"])
        .with(2)
        .saying(&["not empty"]);
    convert(&["heat.cccp", "a.cccp"])
        .with(2)
        .saying(&["exists already"]);
    convert(&["a.cccp", "none/b.cccp"]).with(0);
    // In place, when the user says so.
    convert(&["a.cccp", "a.cccp", "--force"]).with(0);
    place.tool(&["diff", "a.cccp", "none/b.cccp"]).with(0);
}
