//! How fast values are encoded, decoded, written and verified, against a plain copy.
//!
//! ```text
//! cargo bench -p cccp-runtime --bench codec [-- MEBIBYTES]
//! ```
//!
//! Every figure is the median of seven, in reused memory.

use std::hint::black_box;
use std::time::Instant;

use cccp::format::{
    Checkpoint, Data, Encoding, File, Function, Header, Kind, Layout, Machine, Member,
    PointerValue, Register, Section, Site, Trace, Type, decode, encode, write,
};

fn median(bytes: usize, name: &str, mut work: impl FnMut()) {
    work();
    let mut times: Vec<f64> = (0..7)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("{name:<34} {:7.2} GB/s", bytes as f64 / times[3] / 1e9);
}

fn scalar(name: &str, kind: Kind, size: u64) -> Type {
    Type {
        name: name.to_string(),
        kind,
        size,
        members: Vec::new(),
    }
}

fn main() {
    let mebibytes: usize = std::env::args()
        .find_map(|word| word.parse().ok())
        .unwrap_or(256);
    let size = mebibytes << 20;
    let memory: Vec<u8> = (0..size / 8)
        .flat_map(|index| (index as f64).sqrt().to_ne_bytes())
        .collect();
    let member = |name: &str, type_index, offset| Member {
        name: name.to_string(),
        type_index,
        offset,
        count: 1,
        bits: None,
    };
    let types = vec![
        scalar("double", Kind::Double, 8),
        scalar("float", Kind::Float, 4),
        scalar("int", Kind::Int, 4),
        scalar("long", Kind::Long, 8),
        Type {
            members: ["x", "y", "z", "m"]
                .iter()
                .zip(0u64..)
                .map(|(name, place)| member(name, 0, place * 8))
                .collect(),
            ..scalar("struct body", Kind::Struct, 32)
        },
        Type {
            members: vec![member("position", 0, 0), member("cell", 2, 8)],
            ..scalar("struct sparse", Kind::Struct, 16)
        },
    ];
    let machine = Machine::host();
    let layout = Layout {
        types: &types,
        machine: &machine,
    };
    let mut out = Vec::with_capacity(size + 4096);
    let mut back = vec![0; size];

    println!("{mebibytes} MiB, median of 7");
    median(size, "memcpy", || {
        black_box(&mut back).copy_from_slice(black_box(&memory))
    });
    for (encoding, name) in Encoding::ALL.map(|one| (one, one.word())) {
        for (index, kind) in types.iter().enumerate() {
            let count = size as u64 / kind.size;
            let run = |out: &mut Vec<u8>| {
                out.clear();
                let mut resolve = |_, _| PointerValue::Null;
                encode(
                    layout,
                    index as u32,
                    black_box(&memory),
                    count,
                    encoding,
                    &mut resolve,
                    out,
                )
                .expect("sizes fit");
            };
            median(size, &format!("encode {name} {}", kind.name), || {
                run(&mut out)
            });
            median(size, &format!("decode {name} {}", kind.name), || {
                let mut place = |_| Ok(0);
                let (bytes, index) = (black_box(&out), index as u32);
                decode(
                    layout, index, layout, index, encoding, bytes, count, &mut place, &mut back,
                )
                .expect("it was encoded");
            });
        }
    }

    out.clear();
    let count = size as u64 / 8;
    encode(
        layout,
        0,
        &memory,
        count,
        Encoding::Xdr,
        &mut |_, _| PointerValue::Null,
        &mut out,
    )
    .expect("sizes fit");
    let register = Register {
        id: 1,
        name: "u".to_string(),
        function: 0,
        line: 1,
        address: 0,
        element_size: 8,
        elements: count,
        extents: vec![count],
        first: 0,
        type_index: 0,
        flags: 0,
        data: Data::Encoded(out),
    };
    let checkpoint = Checkpoint {
        header: Header {
            program: "bench".to_string(),
            fingerprint: 0,
            arguments: Vec::new(),
            rank: 0,
            size: 1,
            generation: 1,
            time: 0,
            machine: machine.clone(),
            encoding: Encoding::Xdr,
            site: Site::default(),
        },
        functions: vec![Function {
            name: "main".to_string(),
            file: "bench.c".to_string(),
            line: 1,
            fingerprint: 0,
        }],
        plans: Vec::new(),
        trace: Trace::default(),
        sections: vec![Section {
            number: 0,
            registers: vec![register],
        }],
        types: types.clone(),
    };
    let mut file = Vec::with_capacity(size + (1 << 20));
    let mut save = |compress: u32| {
        file.clear();
        write(&checkpoint, compress, &mut file).expect("a vector takes everything");
        file.len()
    };
    median(size, "write a file into memory", || {
        _ = black_box(save(0));
    });
    let plain = save(0);
    median(size, "write, compressed, level 1", || {
        _ = black_box(save(1));
    });
    println!(
        "{:<34} {:7.2} times smaller",
        "",
        plain as f64 / save(1) as f64
    );
    save(0);
    let mut opened = None;
    median(size, "copy, open and verify a file", || {
        opened = File::open(Box::new(file.clone())).ok()
    });
    if let Some(file) = opened {
        let register = &file.checkpoint.sections[0].registers[0];
        median(size, "load a register", || {
            drop(black_box(file.load(register)))
        });
    }
}
