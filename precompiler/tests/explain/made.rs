//! A report by hand, in which every verdict, reason and cure occurs, about a file that tries to get out of the page.

use std::collections::BTreeMap;

use cccp_precompiler::explain::report::{
    Checkpoint, Conservative, Cure, Frame, Place, Reason, Register, Report, Row, SourceText,
    Verdict, What,
};
use cccp_precompiler::explain::size::{Amount, Factor, stored::Stored};

/// Text that closes comments, scripts and attributes.
pub const HOSTILE: &str = "/* </script><script>alert(1)</script> */\nchar *s = \"<b onclick='x'>&amp;\\\"\";\n\
                           // \u{202e}\u{0}</code></div>\nint main(void)\n{\n#pragma cccp init\n    int n = 5;\n\
                           #pragma cccp checkpoint\n    return n;\n}\n";

fn place(line: usize, function: &str) -> Place {
    Place {
        file: "<i>.c".to_string(),
        line,
        function: (!function.is_empty()).then(|| function.to_string()),
    }
}

fn amount(names: &[&str], element: &str, bytes: u64, value: Option<u64>) -> Amount {
    let factors: Vec<Factor> = names
        .iter()
        .map(|name| Factor {
            text: name.to_string(),
            value,
            number: false,
        })
        .collect();
    let each = Stored {
        bytes,
        together: false,
        pointers: false,
    };
    Amount::of(&factors, element, Some(bytes), Some(each))
}

fn row(name: &str, verdict: Verdict, reason: Reason) -> Row {
    Row {
        name: name.to_string(),
        members: Vec::new(),
        what: What::Local,
        function: Some("main".to_string()),
        type_name: "double".to_string(),
        declared: Some(place(7, "main")),
        verdict,
        reason,
        cure: None,
        changed: None,
        registers: Vec::new(),
        bytes: amount(&[], "double", 8, None),
        conservative: Vec::new(),
    }
}

fn missing() -> Vec<Row> {
    let read = |line| Reason::Read {
        read: place(line, "main"),
        through: vec![place(8, "main"), place(4, "step")],
    };
    let unseen = Conservative {
        because: "`report` is not known: it may read all that it can reach".to_string(),
        lift: "describe it in a catalogue".to_string(),
        place: Some(place(9, "main")),
    };
    vec![
        Row {
            cure: Some(Cure::Register {
                item: "u[n][m]".to_string(),
                after: Some(place(7, "main")),
            }),
            changed: Some(place(8, "main")),
            bytes: amount(&["n", "m"], "double", 8, Some(1000)),
            what: What::Heap,
            conservative: vec![unseen],
            ..row("u[n][m]", Verdict::Missing, read(9))
        },
        Row {
            cure: Some(Cure::Execute {
                made: Some(place(7, "main")),
            }),
            type_name: "MPI_Comm".to_string(),
            ..row("ring", Verdict::Missing, read(9))
        },
        Row {
            cure: Some(Cure::Nothing),
            what: What::Library,
            function: None,
            declared: None,
            ..row("@random", Verdict::Missing, Reason::MayBeRead)
        },
    ]
}

fn registered() -> Vec<Row> {
    let register = |item: &str| Register {
        item: item.to_string(),
        full_name: format!("main:{item}"),
        place: place(7, "main"),
    };
    let with = |name: &str, verdict, reason| Row {
        registers: vec![register(name)],
        ..row(name, verdict, reason)
    };
    vec![
        with(
            "n",
            Verdict::Saved,
            Reason::Read {
                read: place(9, "main"),
                through: Vec::new(),
            },
        ),
        Row {
            bytes: amount(&["n"], "struct cell", 24, None),
            ..with(
                "cells[n]",
                Verdict::Saved,
                Reason::Elsewhere {
                    checkpoint: place(8, "main"),
                },
            )
        },
        with("k", Verdict::Saved, Reason::Registered),
        Row {
            bytes: amount(&["n"], "char", 1, None),
            ..with("scratch[n]", Verdict::Removable, Reason::NeverRead)
        },
    ]
}

fn not_saved() -> Vec<Row> {
    let reasons = [
        Reason::NeverRead,
        Reason::Overwritten {
            write: place(9, "main"),
        },
        Reason::NeverWritten,
        Reason::NotThere,
        Reason::Unchanged,
        Reason::Constant,
        Reason::BeforeInit,
        Reason::ReExecuted {
            block: place(6, "main"),
        },
        Reason::Parameter,
        Reason::FixedHeap,
        Reason::Library,
        Reason::Unknown,
    ];
    let mut rows: Vec<Row> = reasons
        .into_iter()
        .enumerate()
        .map(|(number, reason)| row(&format!("v{number}"), Verdict::NotSaved, reason))
        .collect();
    rows[0].members = ["s.a", "s.b", "s.c"].map(String::from).to_vec();
    rows[1].what = What::Global;
    rows[1].function = None;
    rows[2].function = Some("step".to_string());
    rows
}

/// The report.
pub fn report() -> Report {
    let mut checkpoint = Checkpoint {
        place: place(8, "main"),
        name: Some("\"half\"".to_string()),
        clauses: "every(n < 5 ? 1 : 2)".to_string(),
        way: vec![Frame {
            function: "outer".to_string(),
            call: place(9, "outer"),
        }],
        ..Checkpoint::default()
    };
    checkpoint.rows.extend(not_saved());
    checkpoint.rows.extend(registered());
    checkpoint.rows.extend(missing());
    checkpoint.arrange();
    let of = |wanted: &[Verdict]| {
        let rows = checkpoint.rows.iter();
        Amount::sum(
            rows.filter(|row| wanted.contains(&row.verdict))
                .map(|row| &row.bytes),
        )
    };
    (checkpoint.total, checkpoint.removable) = (
        of(&[Verdict::Saved, Verdict::Removable]),
        of(&[Verdict::Removable]),
    );
    Report {
        sizes: BTreeMap::from([("m".to_string(), 1000)]),
        wanted: vec!["n".to_string()],
        files: vec![SourceText {
            path: "<i>.c".to_string(),
            text: HOSTILE.to_string(),
            directives: vec![6, 8],
            ..SourceText::default()
        }],
        checkpoints: vec![checkpoint],
        assumed: vec![Conservative {
            because: "results do not depend on what `time` gives".to_string(),
            lift: String::new(),
            place: None,
        }],
        remarks: vec![Conservative {
            because: "code that is not among the files given may read & change".to_string(),
            lift: "give all files".to_string(),
            place: None,
        }],
    }
}
