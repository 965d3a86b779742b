//! `sizeof` as the report knows it is what the compiler says, for every type of a list; where it is not certain the
//! report says nothing.

use std::process::Command;

use cccp_precompiler::explain::size::Layout;
use cccp_precompiler::program::{SymbolKind, Unit, load_unit};
use cccp_precompiler::source::{Preprocessor, SourceFile};

/// Types whose sizes follow from the text.
const KNOWN: &str = "
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <complex.h>
typedef struct { char tag; double at[3]; } point;
struct list { struct list *next; long double wide; short s; };
union mixed { char text[13]; double number; struct list inside; };
enum colour { RED, GREEN };
enum negative { LESS = -1, MORE = 4000000000 };
enum __attribute__((packed)) small { S1, S2 = 200 };
typedef enum { M1 = -1, M2 = 300 } __attribute__((packed)) middle;
struct bits { unsigned a : 3; unsigned b : 30; unsigned long long c : 40; char d; int e : 5; int : 0; char f; };
struct more { char c; int x : 7; short y : 9; _Bool z : 1; long long w : 33; unsigned char v : 8; };
struct few { char c; int : 5; char d; };
struct open { int count; double values[]; };
struct named { int a; struct { short b; union { char c; double d; }; }; char e; };
struct matrix { float m[3][5]; char c; };
_Bool v_bool; char v_char; short v_short; int v_int; long v_long; long long v_llong; unsigned char v_uchar;
float v_float; double v_double; long double v_ldouble; float _Complex v_cf; double _Complex v_cd;
long double _Complex v_cl; void *v_pointer; int (*v_function)(void); size_t v_size; int64_t v_64; uint8_t v_8;
wchar_t v_wide; point v_point; point v_points[7]; struct list v_list; union mixed v_mixed; enum colour v_colour;
enum negative v_negative; struct bits v_bits; struct more v_more; struct few v_few; struct open v_open;
struct named v_named; struct matrix v_matrix; int v_rows[4][6]; char v_text[] ; char *v_names[3]; point *v_behind[2];
char v_text[11]; enum small v_small; middle v_middle; struct { enum small a; middle b; } v_packed;
";

/// Types that are laid out by hand.
const UNKNOWN: &str = "
struct __attribute__((packed)) a { char c; double d; };
struct b { char c; double d; } __attribute__((packed));
struct c { char c; _Alignas(32) double d; };
struct d { char c; int i __attribute__((aligned(16))); };
struct plain { char c; double d; };
#pragma pack(push, 1)
struct e { char c; double d; };
#pragma pack(pop)
typedef float vector __attribute__((vector_size(16)));
struct a v_a; struct b v_b; struct c v_c; struct d v_d; struct e v_e; vector v_f; struct plain w_plain;
";

fn unit(text: &str, flags: &[&str]) -> Unit {
    let preprocessor = Preprocessor {
        arguments: flags.iter().map(ToString::to_string).collect(),
        ..Preprocessor::default()
    };
    let file = SourceFile::from_bytes("sizes.c", text.as_bytes().to_vec(), &preprocessor)
        .expect("the text can be preprocessed");
    let mut diagnostics = Vec::new();
    let unit = load_unit(file, &mut diagnostics);
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
    unit
}

fn sizes(unit: &Unit) -> Vec<(String, Option<u64>)> {
    let layout = Layout::of(unit);
    let mut all: Vec<(String, Option<u64>)> = unit
        .symbols
        .iter()
        .filter(|symbol| symbol.kind == SymbolKind::Variable && symbol.name.starts_with("v_"))
        .map(|symbol| (symbol.name.clone(), layout.bytes(symbol.ty)))
        .collect();
    all.sort();
    all.dedup_by(|a, b| a.0 == b.0);
    all
}

/// What the compiler says.
fn compiled(names: &[String]) -> Vec<(String, Option<u64>)> {
    let place = std::env::temp_dir().join(format!("cccp-sizes-{}", std::process::id()));
    std::fs::create_dir_all(&place).expect("a directory for temporary files");
    let prints: String = names
        .iter()
        .map(|name| format!("printf(\"{name} %zu\\n\", sizeof {name});"))
        .collect();
    let text = format!("{KNOWN}\nint main(void) {{ {prints} return 0; }}\n");
    std::fs::write(place.join("sizes.c"), text).expect("a file");
    let status = Command::new("cc")
        .args(["-w", "-o", "sizes", "sizes.c"])
        .current_dir(&place)
        .status();
    assert!(status.is_ok_and(|status| status.success()));
    let output = Command::new(place.join("sizes")).output().expect("a run");
    // What is left behind harms nobody.
    let _ = std::fs::remove_dir_all(&place);
    String::from_utf8(output.stdout)
        .expect("text")
        .lines()
        .map(|line| {
            let (name, size) = line.split_once(' ').expect("a name and a number");
            (name.to_string(), size.parse().ok())
        })
        .collect()
}

#[test]
fn s15_sizes_are_those_of_the_compiler() {
    let unit = unit(KNOWN, &[]);
    let ours = sizes(&unit);
    let names: Vec<String> = ours.iter().map(|(name, _)| name.clone()).collect();
    assert!(names.len() > 30);
    assert_eq!(ours, compiled(&names));
}

#[test]
fn s15_what_is_laid_out_by_hand_has_no_size() {
    let unit = unit(UNKNOWN, &[]);
    for (name, size) in sizes(&unit) {
        assert_eq!(size, None, "{name}");
    }
    let plain = unit.symbols.iter().find(|symbol| symbol.name == "w_plain");
    let layout = Layout::of(&unit);
    assert_eq!(plain.and_then(|symbol| layout.bytes(symbol.ty)), Some(16));
}
