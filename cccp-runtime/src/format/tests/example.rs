//! The worked example of FORMAT.md is what the code writes.

use super::samples::{bytes, machine, scalar};
use super::schema::{Page, dissect, page_path};
use crate::format::*;

/// The program `count` with `int n`, at its first checkpoint.
fn small() -> Checkpoint {
    let entry = |sequence, block, payload| Entry {
        sequence,
        block,
        dormant: false,
        instances: Vec::new(),
        region: None,
        payload,
    };
    let link = RegisterLink {
        item: 0,
        register: Some(1),
    };
    let register = Register {
        id: 1,
        name: "n".to_string(),
        function: 0,
        line: 6,
        address: 0x7ffe_1000,
        element_size: 4,
        elements: 1,
        extents: Vec::new(),
        first: 0,
        type_index: 0,
        flags: 2,
        data: Data::Encoded(42u32.to_be_bytes().to_vec()),
    };
    Checkpoint {
        header: Header {
            program: "count".to_string(),
            fingerprint: 0x0000_4000_1234_5678,
            arguments: vec![b"-v".to_vec()],
            rank: 0,
            size: 1,
            generation: 1,
            time: 1_700_000_000,
            machine: machine(false),
            encoding: Encoding::Xdr,
            site: Site {
                function: "main".to_string(),
                line: 8,
                name: None,
            },
        },
        types: vec![scalar("int", Kind::Int, 4)],
        functions: vec![Function {
            name: "main".to_string(),
            file: "count.c".to_string(),
            line: 3,
            fingerprint: 7,
        }],
        plans: Vec::new(),
        trace: Trace {
            nodes: vec![Node {
                function: 0,
                arguments: Vec::new(),
                entries: vec![
                    entry(1, 2, Payload::Register(vec![link])),
                    entry(2, 3, Payload::Checkpoint),
                ],
                active: Some(1),
            }],
            roots: vec![0],
        },
        sections: vec![Section {
            number: 0,
            registers: vec![register],
        }],
    }
}

/// A file as lines: where, which bytes, what they are.
fn listing(page: &Page, file: &[u8]) -> String {
    let mut lines = String::new();
    for field in dissect(page, file) {
        let bytes = &file[field.place.clone()];
        let number = || {
            bytes
                .iter()
                .fold(0u64, |value, byte| value << 8 | u64::from(*byte))
        };
        let note = match field.kind.as_str() {
            "u32" | "u64"
                if field.name.contains("CRC-32") || field.name.contains("fingerprint") =>
            {
                String::new()
            }
            "u32" | "u64" => format!(" = {}", number()),
            "flag" => format!(" = {}", number()),
            "count" => format!(": {} of them", number()),
            "length" => format!(": {} bytes", number()),
            "text" | "bytes" if bytes.is_ascii() && !bytes.contains(&0) => {
                format!(" = {:?}", String::from_utf8_lossy(bytes))
            }
            "zeros" => ": zeros".to_string(),
            _ => String::new(),
        };
        for (row, piece) in bytes.chunks(8).enumerate() {
            let hex: Vec<String> = piece.iter().map(|byte| format!("{byte:02x}")).collect();
            let at = field.place.start + 8 * row;
            let name = match row {
                0 => format!("{}{note}", field.name),
                _ => String::new(),
            };
            lines += format!("{at:4}  {:<23}  {name}", hex.join(" ")).trim_end();
            lines.push('\n');
        }
    }
    lines
}

#[test]
fn s22_the_example_of_the_document_is_the_file_that_the_code_writes() {
    let page = Page::read();
    let file = bytes(&small(), 0);
    let opened = File::open(Box::new(file.clone())).unwrap();
    let register = &opened.checkpoint.sections[0].registers[0];
    assert_eq!(opened.load(register).unwrap(), 42u32.to_be_bytes());
    let expected = listing(&page, &file);
    let section = page.section("An example");
    let shown = section.split("```\n").nth(1).expect("a block of text");
    if shown == expected {
        return;
    }
    if std::env::var_os("CCCP_TEST_WRITE_EXAMPLE").is_some() {
        let text = std::fs::read_to_string(page_path()).unwrap();
        let renewed = section.replacen(
            &format!("```\n{shown}```"),
            &format!("```\n{expected}```"),
            1,
        );
        std::fs::write(page_path(), text.replacen(section, &renewed, 1)).unwrap();
        return;
    }
    panic!("the example of FORMAT.md is not what the code writes, which is\n{expected}");
}
