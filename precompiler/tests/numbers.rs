//! The number that an expression is, is the one that the compiler's program prints: expressions of all integer types, made at
//! random; where C leaves the result open, no number is said.

use std::fmt::Write as _;
use std::process::Command;

use cccp_precompiler::program::{Declaration, Initialiser, StatementKind, Unit, load_unit};
use cccp_precompiler::source::{Preprocessor, SourceFile};

const TYPES: [&str; 13] = [
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "_Bool",
    "enum colour",
];

const LEAVES: [&str; 20] = [
    "0",
    "1",
    "2",
    "7",
    "31",
    "300",
    "65535",
    "2147483647",
    "0x80000000",
    "4294967295u",
    "1u",
    "3l",
    "0xfffffffffffffffful",
    "9223372036854775807",
    "'\\xf0'",
    "RED",
    "LATE",
    "BELOW",
    "sizeof(short)",
    "sizeof(enum small)",
];

const HEAD: &str = "
enum colour { RED, GREEN = 5 };
enum late { LATE = 0x80000000 };
enum below { BELOW = -3 };
enum __attribute__((packed)) small { S1, S2 = 200 };
";

/// Numbers without a library: SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % most as u64) as usize
    }

    fn expression(&mut self, depth: usize) -> String {
        const BINARY: [&str; 18] = [
            "+", "-", "*", "/", "%", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "|", "^",
            "&&", "||",
        ];
        if depth == 0 {
            return LEAVES[self.below(LEAVES.len())].to_string();
        }
        let (left, right) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.below(10) {
            0..6 => format!("({left} {} {right})", BINARY[self.below(BINARY.len())]),
            6 => format!("({}{left})", ["-", "~", "!", "+"][self.below(4)]),
            7 => {
                let condition = self.expression(depth - 1);
                format!("({condition} ? {left} : {right})")
            }
            _ => format!("(({}){left})", TYPES[self.below(TYPES.len())]),
        }
    }
}

fn unit(text: &str) -> Unit {
    let preprocessor = Preprocessor::default();
    let file = SourceFile::from_bytes("numbers.c", text.as_bytes().to_vec(), &preprocessor)
        .expect("the text can be preprocessed");
    let mut diagnostics = Vec::new();
    let unit = load_unit(file, &mut diagnostics);
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
    unit
}

/// What the initialisers of a function's variables are.
fn ours(unit: &Unit) -> Vec<Option<i128>> {
    let mut found = Vec::new();
    let mut look = |declaration: &Declaration| {
        for one in &declaration.declarators {
            if let Some(Initialiser::Expression(value)) = &one.initialiser {
                found.push(unit.constant(value, &mut |_| None));
            }
        }
    };
    unit.functions[0].body.walk(&mut |statement| {
        if let StatementKind::Declaration(declaration) = &statement.kind {
            look(declaration);
        }
        true
    });
    found
}

/// What the compiler's program prints: sign and value.
fn printed(expressions: &[(usize, &String)]) -> Vec<i128> {
    let place = std::env::temp_dir().join(format!("cccp-numbers-{}", std::process::id()));
    std::fs::create_dir_all(&place).expect("a directory for temporary files");
    let mut prints = String::new();
    for (_, one) in expressions {
        let _ = writeln!(
            prints,
            "if ({one} < 0) printf(\"-%llu\\n\", 0 - (unsigned long long){one}); \
             else printf(\"%llu\\n\", (unsigned long long){one});"
        );
    }
    let text = format!("#include <stdio.h>\n{HEAD}\nint main(void) {{ {prints} return 0; }}\n");
    std::fs::write(place.join("numbers.c"), text).expect("a file");
    let status = Command::new("cc")
        .args(["-w", "-o", "numbers", "numbers.c"])
        .current_dir(&place)
        .status();
    assert!(status.is_ok_and(|status| status.success()));
    let output = Command::new(place.join("numbers")).output().expect("a run");
    // What is left behind harms nobody.
    let _ = std::fs::remove_dir_all(&place);
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines()
        .map(|line| line.parse().expect("a number"))
        .collect()
}

#[test]
fn s26_numbers_are_those_of_the_compiler() {
    let mut random = Random(26);
    let all: Vec<String> = (0..3000).map(|at| random.expression(1 + at % 3)).collect();
    let mut text = format!("{HEAD}\nvoid all(void) {{\n");
    for (at, one) in all.iter().enumerate() {
        let _ = writeln!(text, "    long long v{at} = {one};");
    }
    let found = ours(&unit(&(text + "}\n")));
    assert_eq!(found.len(), all.len());
    let known: Vec<(usize, &String)> = { all.iter().enumerate() }
        .filter(|(at, _)| found[*at].is_some())
        .collect();
    // Of the others most divide by zero, shift too far or overflow.
    assert!(known.len() > all.len() * 3 / 5, "{} are known", known.len());
    for ((at, one), printed) in known.iter().zip(printed(&known)) {
        assert_eq!(found[*at], Some(printed), "{one}");
    }
}
