//! `cccp-ckpt export`: what comes out can be read by others, and says what the program had.

mod made;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use cccp::format::Encoding;
use made::{Place, Program, golden, i686, s390x, x86_64};

fn heat() -> Program {
    Program::heat(x86_64(), Encoding::Xdr)
}

/// The line and the values of a `.npy`, read by hand.
fn numpy(path: &Path) -> (String, Vec<u8>) {
    let bytes = std::fs::read(path).expect("the file");
    assert_eq!(bytes[..8], *b"\x93NUMPY\x01\0");
    let length = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!(length % 64, 0, "the values are aligned");
    let line = String::from_utf8(bytes[10..length].to_vec()).expect("text");
    (line.trim_end().to_string(), bytes[length..].to_vec())
}

#[test]
fn numpy_gets_type_shape_and_values_whoever_wrote_them() {
    let place = Place::new("export-numpy");
    for (name, machine, encoding) in [
        ("x86_64", x86_64(), Encoding::Xdr),
        ("s390x", s390x(), Encoding::Native),
        ("i686", i686(), Encoding::Native),
    ] {
        let file = format!("{name}.cccp");
        let long = machine.long;
        Program::heat(machine, encoding).write(&place.join(&file), 0);
        let export = |register: &str| {
            let made = format!("{name}-{}.npy", register.replace(':', "-"));
            let ran = place
                .tool(&["export", &file, register, "-o", &made])
                .with(0);
            assert!(ran.out.starts_with(&made), "{}", ran.out);
            numpy(&place.join(&made))
        };
        let (line, values) = export("u");
        assert_eq!(
            line,
            "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 5), }"
        );
        let plate = (0..20).flat_map(|value| (f64::from(value) / 8.0).to_le_bytes());
        assert_eq!(values, plate.collect::<Vec<u8>>());
        let (line, values) = export("main:step");
        assert!(line.contains(&format!("'descr': '<i{long}'")) && line.contains("'shape': ()"));
        assert_eq!(values, 7u64.to_le_bytes()[..long as usize]);
        let (line, values) = export("step:name");
        assert!(
            line.contains("'descr': '|S4'") && line.contains("'shape': (2,)"),
            "{line}"
        );
        assert_eq!(values, *b"one\0two\0");
        let (_, values) = export("norm");
        assert_eq!(values, 1.5f64.to_le_bytes());
        let (line, values) = export("cells");
        assert_eq!(
            line,
            "{'descr': [('position', '<f8', (3,)), ('next', [('register', '<i8'), ('element', '<i8')]), ('level', \
             '<i4'), ('mask', '<u4'), ('tag', '|S6'), ('id', '<i4')], 'fortran_order': False, 'shape': (3,), }"
        );
        let size = 24 + 16 + 4 + 4 + 6 + 4;
        assert_eq!(values.len(), 3 * size);
        let second = &values[size..2 * size];
        assert_eq!(second[8..16], 1.125f64.to_le_bytes());
        // It leads to the third of the cells, the second register after `step`.
        assert_eq!(second[24..32], 3i64.to_le_bytes());
        assert_eq!(second[32..40], 2i64.to_le_bytes());
        assert_eq!(second[40..44], (-3i32).to_le_bytes());
        assert_eq!(second[44..48], 1023u32.to_le_bytes());
        assert_eq!(values[2 * size + 24..][..8], (-1i64).to_le_bytes(), "NULL");
    }
}

#[test]
fn the_standard_library_of_python_reads_the_header() {
    let place = Place::new("export-python");
    heat().write(&place.join("a.cccp"), 0);
    place
        .tool(&["export", "a.cccp", "cells", "-o", "cells.npy"])
        .with(0);
    let script = "import ast, struct, sys\n\
                  bytes = open('cells.npy', 'rb').read()\n\
                  assert bytes[:8] == b'\\x93NUMPY\\x01\\x00'\n\
                  length, = struct.unpack('<H', bytes[8:10])\n\
                  header = ast.literal_eval(bytes[10:10 + length].decode('ascii'))\n\
                  assert header['shape'] == (3,) and not header['fortran_order']\n\
                  assert [field[0] for field in header['descr']] == 'position next level mask tag id'.split()\n\
                  try: import numpy\n\
                  except ImportError: sys.exit()\n\
                  cells = numpy.load('cells.npy')\n\
                  assert cells['position'][2][1] == 2.125 and cells['tag'][0] == b'cell'\n";
    let python = Command::new("python3")
        .args(["-c", script])
        .current_dir(place.join(""))
        .output();
    match python {
        Ok(ran) => assert!(
            ran.status.success(),
            "{}",
            String::from_utf8_lossy(&ran.stderr)
        ),
        Err(error) => eprintln!("skipped: python3: {error}"),
    }
}

#[test]
fn a_table_has_the_indices_of_c_and_a_column_for_each_value() {
    let place = Place::new("export-table");
    let mut program = heat();
    program.set("u", 3, f64::NAN);
    program.set("u", 4, 1e-300);
    program.register("u").first = 10;
    program.add(1, "words", 2, &[3, 4], b"a,b\0q\"r\0\xff\x01\0\0".to_vec());
    program.write(&place.join("a.cccp"), 1);
    let mut all = String::new();
    for register in ["u", "cells", "name", "words", "spot", "step"] {
        let ran = place
            .tool(&["export", "a.cccp", register, "-o", "-"])
            .with(0);
        all += &format!("# {register}\n{}", ran.out);
    }
    golden("export.csv", &all);
    place
        .tool(&["export", "a.cccp", "u", "-o", "u.csv"])
        .with(0);
    let made = std::fs::read_to_string(place.join("u.csv")).expect("the table");
    assert!(made.starts_with("index0,index1,value\n2,0,0.0\n") && made.contains("\n2,3,NaN\n"));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let place = Place::new("export-pipe");
    let mut program = heat();
    program.doubles("long", &[300_000], &vec![1.0; 300_000]);
    program.write(&place.join("a.cccp"), 0);
    let mut command = place.command(&["export", "a.cccp", "long", "-o", "-"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the tool runs");
    let mut line = String::new();
    // The pipe is closed after the first line.
    BufReader::new(child.stdout.take().expect("a pipe"))
        .read_line(&mut line)
        .expect("a line");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(line, "index,value\n");
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
}

#[test]
fn of_a_directory_one_rank_or_all_are_exported() {
    let place = Place::new("export-ranks");
    for rank in 0..3 {
        let mut program = heat();
        program.set("u", 0, f64::from(rank) + 100.0);
        program.publish(&place.join("heat.cccp"), 5, rank, 3);
    }
    let first = |name: &str| {
        let values = numpy(&place.join(name)).1;
        f64::from_le_bytes(values[..8].try_into().expect("eight bytes"))
    };
    place
        .tool(&["export", "heat.cccp", "u", "-o", "u.npy"])
        .with(0);
    place
        .tool(&["export", "heat.cccp", "u", "-o", "two.npy", "--rank", "2"])
        .with(0);
    assert_eq!((first("u.npy"), first("two.npy")), (100.0, 102.0));
    let ran = place
        .tool(&[
            "export",
            "heat.cccp",
            "u",
            "-o",
            "u.npy",
            "--all-ranks",
            "--json",
        ])
        .with(0);
    assert_eq!(ran.json()["files"][2]["path"], "u.2.npy");
    assert_eq!(first("u.1.npy"), 101.0);
    place
        .tool(&["export", "heat.cccp", "u", "-o", "x.npy", "--rank", "3"])
        .with(2)
        .saying(&["no rank 3", "3"]);
}

#[test]
fn nothing_is_replaced_or_left_behind_by_mistake() {
    let place = Place::new("export-careful");
    heat().write(&place.join("a.cccp"), 0);
    std::fs::write(place.join("u.npy"), "mine").expect("a file");
    let refused = |arguments: &[&str], words: &[&str]| {
        let whole = [&["export", "a.cccp"], arguments].concat();
        place.tool(&whole).with(2).saying(words);
    };
    refused(&["u", "-o", "u.npy"], &["u.npy: exists already", "--force"]);
    assert_eq!(std::fs::read(place.join("u.npy")).expect("mine"), b"mine");
    refused(
        &["v", "-o", "v.npy"],
        &["no register v", "main:u, main:cells"],
    );
    refused(&["u", "-o", "u.txt"], &["--format"]);
    refused(&["cells", "-o", "cells.png"], &["dimensions"]);
    refused(&["u", "-o", "u.csv", "--range", "0:1"], &["pictures"]);
    refused(
        &["u", "-o", "none/u.npy/x.npy", "--json", "--rank", "1"],
        &["is a file"],
    );
    let names = std::fs::read_dir(place.join(""))
        .expect("the directory")
        .count();
    assert_eq!(names, 2, "a failed export leaves nothing");
    place
        .tool(&["export", "a.cccp", "u", "-o", "u.npy", "--force"])
        .with(0);
    numpy(&place.join("u.npy"));
}

#[test]
fn a_register_is_found_by_its_name_its_function_or_its_number() {
    let place = Place::new("export-names");
    let mut program = heat();
    program.add(1, "u", 1, &[], vec![1, 0, 0, 0]);
    program.write(&place.join("a.cccp"), 0);
    let export = |name: &str| place.tool(&["export", "a.cccp", name, "-o", "-"]);
    export("u")
        .with(2)
        .saying(&["several registers are called u", "main:u", "step:u"]);
    assert_eq!(export("step:u").with(0).out, "value\n1\n");
    assert_eq!(export("#7").with(0).out, "value\n1\n");
}

#[test]
fn s25_of_a_damaged_file_the_sound_registers_are_exported() {
    let place = Place::new("export-damaged");
    heat().write(&place.join("a.cccp"), 0);
    let mut bytes = std::fs::read(place.join("a.cccp")).expect("the file");
    // A letter of a tag, in the middle of the data of the cells.
    let tag = bytes
        .windows(4)
        .position(|letters| letters == b"cell")
        .expect("a name");
    let data = bytes
        .windows(6)
        .skip(tag + 200)
        .position(|letters| letters == b"cell\0\0");
    bytes[tag + 200 + data.expect("a tag")] ^= 1;
    std::fs::write(place.join("a.cccp"), bytes).expect("the file");
    place
        .tool(&["export", "a.cccp", "u", "-o", "u.npy"])
        .with(1)
        .saying(&["damaged", "this register is sound"]);
    let (_, values) = numpy(&place.join("u.npy"));
    assert_eq!(values[8..16], 0.125f64.to_le_bytes());
    place
        .tool(&["export", "a.cccp", "cells", "-o", "cells.npy"])
        .with(2)
        .saying(&["damaged"]);
}

/// The pixels of a PNG, three bytes each, its width and its texts.
fn picture(path: &Path) -> (Vec<u8>, usize, Vec<(String, String)>) {
    let file = BufReader::new(std::fs::File::open(path).expect("the picture"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let frame = reader.next_frame(&mut pixels).expect("pixels");
    assert_eq!(frame.color_type, png::ColorType::Rgb);
    let texts = reader.info().utf8_text.iter();
    let texts = texts.map(|text| (text.keyword.clone(), text.get_text().expect("text")));
    (pixels, frame.width as usize, texts.collect())
}

#[test]
fn a_field_becomes_a_picture_that_can_be_read_back() {
    let place = Place::new("export-picture");
    let mut program = heat();
    program.set("u", 7, f64::NAN);
    program.write(&place.join("a.cccp"), 0);
    let ran = place
        .tool(&["export", "a.cccp", "u", "-o", "u.png"])
        .with(0);
    assert!(
        ran.out.contains("darkest 0.0, lightest 2.375, 1 NaN"),
        "{}",
        ran.out
    );
    let (pixels, width, texts) = picture(&place.join("u.png"));
    // Every value is a square of 512 / 5 pixels.
    let edge = 102;
    assert_eq!(width, 5 * edge);
    let at = |row: usize, column: usize| {
        let start = ((row * edge + edge / 2) * width + column * edge + edge / 2) * 3;
        [pixels[start], pixels[start + 1], pixels[start + 2]]
    };
    let brightness = |colour: [u8; 3]| colour.map(u32::from).iter().sum::<u32>();
    assert_eq!(at(1, 2), cccp_ckpt::forms::NO_NUMBER);
    assert!(brightness(at(0, 0)) < brightness(at(1, 0)));
    assert!(brightness(at(1, 0)) < brightness(at(3, 4)));
    assert_eq!(at(3, 4), cccp_ckpt::forms::colour(1.0));
    let text = |key: &str| {
        texts
            .iter()
            .find(|(known, _)| known == key)
            .map(|(_, text)| text.as_str())
    };
    assert_eq!(text("Darkest"), Some("0.0"));
    assert_eq!(text("Lightest"), Some("2.375"));
    assert_eq!(text("Title"), Some("main:u of heat, rank 0, generation 10"));
}

#[test]
fn a_large_field_is_averaged_and_a_slice_or_member_can_be_chosen() {
    let place = Place::new("export-slice");
    let mut program = heat();
    let waves: Vec<f32> = (0..3 * 600 * 700)
        .map(|place| (place % 700) as f32)
        .collect();
    program.floats("waves", &[3, 600, 700], &waves);
    let cells: Vec<u8> = program.memory("cells").repeat(4);
    program.add(0, "grid", made::CELL, &[3, 4], cells);
    program.write(&place.join("a.cccp"), 0);
    let export = |arguments: &[&str]| {
        let ran = place.tool(&[&["export", "a.cccp", "--json"], arguments].concat());
        ran.with(0).json()["files"][0]["picture"].clone()
    };
    let refused = |arguments: &[&str], words: &[&str]| {
        place
            .tool(&[&["export", "a.cccp", "-o", "x.png"], arguments].concat())
            .with(2)
            .saying(words);
    };
    refused(&["waves"], &["3 dimensions", "--slice"]);
    refused(&["waves", "--slice", "3,:,:"], &["index 3", "from 0 to 2"]);
    refused(&["waves", "--slice", ":,:"], &["2 indices"]);
    let made = export(&[
        "waves", "-o", "w.png", "--slice", "1,:,:", "--pixels", "100", "--range", "-1:1e3",
    ]);
    assert_eq!(
        (&made["low"], &made["high"]),
        (&(-1.0).into(), &1000.0.into())
    );
    assert_eq!(made["block"], serde_json::json!([6, 7]));
    let column = export(&["waves", "-o", "c.png", "--slice", ":,:,699"]);
    assert_eq!(
        (&column["low"], &column["high"]),
        (&699.0.into(), &699.0.into())
    );
    refused(&["grid"], &["--member", "position[0]"]);
    refused(&["grid", "--member", "mass"], &["no member mass"]);
    let member = export(&["grid", "--member", "position[1]", "-o", "g.png"]);
    assert_eq!(
        (&member["low"], &member["high"]),
        (&0.125.into(), &2.125.into())
    );
}
