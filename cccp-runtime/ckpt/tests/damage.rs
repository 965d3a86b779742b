//! Damaged files: what can be shown is shown, what cannot is said, and nothing the tool is given makes it fall over.

mod made;

use std::fs;

use cccp::format::Encoding;
use made::{Place, Program, golden, x86_64};

/// Places of the parts of a file, found by what stands there.
fn find(bytes: &[u8], needle: &[u8]) -> usize {
    bytes
        .windows(needle.len())
        .position(|window| window == needle)
        .expect("it is in the file")
}

#[test]
fn s25_the_registers_that_are_sound_are_shown_although_the_file_is_not() {
    let place = Place::new("damage-show");
    Program::heat(x86_64(), Encoding::Xdr).write(&place.join("whole.cccp"), 0);
    let whole = fs::read(place.join("whole.cccp")).expect("the file");
    let damage = |name: &str, at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x20;
        fs::write(place.join(name), bytes).expect("the file");
    };
    // A value of u; the name of a register; the program's name; a type's name.
    damage("data.cccp", find(&whole, &0.125f64.to_be_bytes()));
    damage("head.cccp", find(&whole, b"cells\0\0\0"));
    damage("header.cccp", find(&whole, b"heat"));
    damage("types.cccp", find(&whole, b"double"));
    let cut = &whole[..find(&whole, b"spot")];
    fs::write(place.join("cut.cccp"), cut).expect("the file");
    let mut text = String::new();
    for name in ["data", "head", "header", "types", "cut"] {
        let name = format!("{name}.cccp");
        let shown = place.tool(&["show", &name]).with(1).out;
        // How old it is changes every day.
        let lines = shown.lines().filter(|line| !line.contains(" days ago"));
        text += &format!("== {name}\n{}\n", lines.collect::<Vec<_>>().join("\n"));
        place.tool(&["verify", &name]).with(1);
    }
    golden("show-damaged.txt", &text);
    let json = place.tool(&["show", "data.cccp", "--json"]).with(1).json();
    let states: Vec<_> = json["registers"]
        .as_array()
        .expect("registers")
        .iter()
        .map(|register| register["state"].as_str().expect("a state"))
        .collect();
    assert_eq!(
        states,
        ["sound", "damaged", "sound", "sound", "sound", "sound"]
    );
    assert_eq!(json["damage"][0]["part"], "register u");
    let norm = place.tool(&["show", "data.cccp", "norm"]).with(1).out;
    assert!(norm.contains("norm = 1.5"), "{norm}");
}

#[test]
fn s25_no_damage_makes_the_tool_fall_over() {
    let place = Place::new("damage-random");
    let mut state = 3u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    for (round, encoding) in Encoding::ALL.into_iter().cycle().take(60).enumerate() {
        let name = "a.cccp/0000000001/000000.cccp";
        Program::heat(x86_64(), encoding).write(&place.join(name), (round % 3) as u32);
        let mut bytes = fs::read(place.join(name)).expect("the file");
        for _ in 0..=random(3) {
            let at = random(bytes.len());
            match random(4) {
                0 => bytes.truncate(at.max(20)),
                1 => bytes[at] = 0xff,
                2 => bytes[at] ^= 1 << random(8),
                _ => {
                    let end = (at + 8).min(bytes.len());
                    bytes[at..end].fill([0, 0x7f, 0xff][random(3)]);
                }
            }
        }
        fs::write(place.join(name), bytes).expect("the file");
        let show = ["show", name, "--trace", "--type", "--values", "9"];
        for words in [&show[..], &["verify", "a.cccp"], &["list", "a.cccp"]] {
            // 100 MB of addresses have to do, whatever lengths the file claims.
            let ran = place.bounded(words, 100);
            assert!(
                matches!(ran.status, Some(0..=2)),
                "{round} {words:?}: {ran:?}"
            );
            assert!(!ran.err.contains("panicked"), "{round} {words:?}: {ran:?}");
        }
    }
}
