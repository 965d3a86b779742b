//! How fast a large file is verified and shown, as a ratio to reading it with a CRC-32 and nothing else.
//!
//! ```text
//! cargo bench -p cccp-ckpt --bench inspect [-- MEBIBYTES]
//! ```
//!
//! Every figure is the median of five; the file is in the page cache, so it is the work that is measured, not the disk.

use std::fs::File;
use std::hint::black_box;
use std::io::{BufWriter, Read};
use std::path::Path;
use std::time::Instant;

use cccp::format::{
    Checkpoint, Data, Encoding, Function, Header, Kind, Machine, Member, Register, Section, Site,
    Trace, Type, Writer,
};
use cccp::store::{FileSystem, open};
use cccp_ckpt::measure::measure;

fn median(mut work: impl FnMut()) -> f64 {
    work();
    let mut times: Vec<f64> = (0..5)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[2]
}

/// A checkpoint with one register of so many bytes: doubles, or structs of doubles and an int.
fn checkpoint(encoding: Encoding, structs: bool, bytes: u64) -> Checkpoint {
    let scalar = |name: &str, kind, size| Type {
        name: name.to_string(),
        kind,
        size,
        members: Vec::new(),
    };
    let member = |name: &str, type_index, offset| Member {
        name: name.to_string(),
        type_index,
        offset,
        count: 1,
        bits: None,
    };
    let body = Type {
        members: vec![
            member("x", 0, 0),
            member("y", 0, 8),
            member("m", 0, 16),
            member("cell", 1, 24),
            member("kind", 1, 28),
        ],
        ..scalar("struct body", Kind::Struct, 32)
    };
    let types = vec![
        scalar("double", Kind::Double, 8),
        scalar("int", Kind::Int, 4),
        body,
    ];
    let (type_index, element_size) = if structs { (2, 32) } else { (0, 8) };
    let register = Register {
        id: 1,
        name: "u".to_string(),
        function: 0,
        line: 2,
        address: 0x1000,
        element_size,
        elements: bytes / element_size,
        extents: vec![bytes / element_size],
        first: 0,
        type_index,
        flags: 1,
        data: Data::Encoded(Vec::new()),
    };
    Checkpoint {
        header: Header {
            program: "heat".to_string(),
            fingerprint: 1,
            arguments: Vec::new(),
            rank: 0,
            size: 1,
            generation: 1,
            time: 1_700_000_000,
            machine: Machine::host(),
            encoding,
            site: Site::default(),
        },
        types,
        functions: vec![Function {
            name: "main".to_string(),
            file: "heat.c".to_string(),
            line: 1,
            fingerprint: 1,
        }],
        plans: Vec::new(),
        trace: Trace::default(),
        sections: vec![Section {
            number: 0,
            registers: vec![register],
        }],
    }
}

fn write(path: &Path, checkpoint: &Checkpoint, bytes: u64, compress: u32) {
    let chunk: Vec<u8> = (0..1 << 17)
        .flat_map(|one| f64::from(one).sqrt().to_be_bytes())
        .collect();
    let mut out = BufWriter::new(File::create(path).expect("a file"));
    let mut writer = Writer::new(&mut out, checkpoint, 1, compress).expect("a writer");
    writer.section(0, 1).expect("a section");
    let register = &checkpoint.sections[0].registers[0];
    writer.begin_register(register).expect("a register");
    for _ in 0..bytes / chunk.len() as u64 {
        writer.values(&chunk).expect("room");
    }
    writer.end_register().expect("the end");
    writer.finish().expect("the end");
}

/// Reads a file once, with a CRC-32.
fn plain(path: &Path) {
    let mut file = File::open(path).expect("the file");
    let mut buffer = vec![0; 1 << 20];
    let mut hasher = crc32fast::Hasher::new();
    loop {
        match file.read(&mut buffer).expect("it can be read") {
            0 => break,
            length => hasher.update(&buffer[..length]),
        }
    }
    black_box(hasher.finalize());
}

fn main() {
    let mebibytes: u64 = std::env::args()
        .find_map(|word| word.parse().ok())
        .unwrap_or(512);
    let bytes = mebibytes << 20;
    let path = std::env::temp_dir().join(format!("cccp-ckpt-bench-{}.cccp", std::process::id()));
    println!("{mebibytes} MiB, median of 5; × is the time of reading with a CRC-32");
    println!(
        "{:<28} {:>9} {:>7} {:>9} {:>7}",
        "", "verify", "", "show", ""
    );
    for (name, encoding, structs, compress) in [
        ("doubles, xdr", Encoding::Xdr, false, 0),
        ("doubles, native", Encoding::Native, false, 0),
        ("structs, xdr", Encoding::Xdr, true, 0),
        ("structs, native", Encoding::Native, true, 0),
        ("doubles, xdr, compressed", Encoding::Xdr, false, 1),
    ] {
        write(
            &path,
            &checkpoint(encoding, structs, bytes),
            bytes,
            compress,
        );
        let base = median(|| plain(&path));
        let verified = median(|| drop(black_box(open(&FileSystem, &path).expect("sound"))));
        let shown = median(|| {
            let file = open(&FileSystem, &path).expect("sound");
            let register = &file.checkpoint.sections[0].registers[0];
            black_box(measure(&file, register, 10, &|_| {}).expect("sound"));
        });
        let speed = |time: f64| bytes as f64 / time / 1e9;
        println!(
            "{name:<28} {:4.2} GB/s {:6.2}× {:4.2} GB/s {:6.2}×",
            speed(verified),
            verified / base,
            speed(shown),
            shown / base
        );
    }
    let _ = std::fs::remove_file(&path);
}
