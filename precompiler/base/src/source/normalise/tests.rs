//! Lengths, line ends and shapes. That the parser accepts the result is proved in `precompiler/tests/constructs.rs`.

use super::*;

#[test]
fn normalising_keeps_every_offset() {
    for text in [
        "struct __attribute__((packed)) S { int a; };",
        "int f(void) { return x ?: 3; }",
        "static void *t[] = {&&a};",
        "char *s = \"\\e[1m\u{e4}\";",
        "goto *p;",
    ] {
        assert_eq!(normalise(text).text.len(), text.len());
    }
    assert_eq!(normalise("a = x ?: 3;").text, "a = x || 3;");
    assert_eq!(normalise("a = x ? : 3;").text, "a = x ||  3;");
    assert_eq!(normalise("f((struct S){});").text, "f((struct S)0 );");
    assert_eq!(normalise("void f(int a){}").text, "void f(int a){}");
    assert_eq!(normalise("a && b").text, "a && b");
}
#[test]
fn ordinary_text_is_left_alone() {
    for text in [
        "int f(int a, int b) { return a && b || !(a) && b ? a : b; }\n",
        "int x[] = { 1, 2 }; int y = (x) && y; void h(void) {} int *k(int a) {}\n",
        "struct s { int a : 3; }; void g(void) { if (x) {} h((struct s){ 1 }); }\n",
        "double d = 1e+3, e = .5, h = 0x1p-3; char *s = \"a\\n\\\"\\x41\\101\";\n",
    ] {
        assert_eq!(normalise(text).text, text);
    }
}

#[test]
fn the_shape_is_kept_where_there_is_room() {
    for (text, expected) in [
        ("x = a ?\n: b;", "x = a||\n  b;"),
        ("goto *t[i];", "     *t[i];"),
        ("x = &&l;", "x = & l;"),
        ("x = (T){ };", "x = (T)0  ;"),
        ("{ if (x) (T){}; }", "{ if (x) (T)0 ; }"),
        ("unsigned __int128 x;", "unsigned long     x;"),
        ("end: }", "end:;}"),
        ("int x;\n\n\n\nmain() {}", "int x;int main() {}"),
        ("static     f(a) char *a; {}", "static int f(a) char *a; {}"),
        ("static f(a) char *a; {}", "static f(a) char *a; {}"),
        ("{ register     i = 0, k; }", "{ register int i = 0, k; }"),
        ("extern     f(), g(int);", "extern int f(), g(int);"),
        (
            "for (register     i = 0;;) {}",
            "for (register int i = 0;;) {}",
        ),
        (
            "static     t (*f)(void), (g);",
            "static     t (*f)(void), (g);",
        ),
        (
            "int f(const     t, const     u);",
            "int f(const     t, const     u);",
        ),
        (
            "typeof (x) y; struct s { int a; }   f(void) {}",
            "typeof (x) y; struct s { int a; }   f(void) {}",
        ),
        ("case 1: int x;", "case 1:;int x;"),
        (
            "int x __attribute__((\naligned(8)\n)) ;",
            "int x                \n          \n   ;",
        ),
    ] {
        assert_eq!(normalise(text).text, expected);
    }
}

#[test]
fn what_was_blanked_and_still_matters_is_noted() {
    let text = "__thread int t; int a __attribute__((unused, __cleanup__(g))); int cleanup;";
    let found: Vec<(NoteKind, &str)> = normalise(text)
        .notes
        .iter()
        .map(|note| (note.kind, &text[note.offset..note.offset + 8]))
        .collect();
    assert_eq!(
        found,
        [
            (NoteKind::Thread, "__thread"),
            (NoteKind::Cleanup, "__cleanu")
        ]
    );
}

/// A small generator of pseudo-random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).unwrap_or(0)
    }
}

#[test]
fn no_text_makes_it_panic_or_longer() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let pieces: Vec<&str> = "__attribute__ (( packed )) ( ) [ [ ] ] { } {} ?: ? : ; , && &&l l: goto * asm volatile \
         \"\\e\" 'x' \" ' \\ /* */ // # u8'a' 1'0 2.0q 3wb _BitInt _Static_assert enum E int sizeof return ... \
         __label__ __int128 __builtin_bit_cast __thread case default do else if T \u{e9} a$b \\u00e9 \0"
        .split(' ')
        .collect();
    for round in 0..4000 {
        let mut text = String::new();
        for _ in 0..random.below(50) {
            match random.below(if round % 4 == 0 { 2 } else { 40 }) {
                0 => text.push(char::from(u8::try_from(random.below(256)).unwrap_or(0))),
                1 => text.push('\n'),
                _ => {
                    text.push_str(pieces[random.below(pieces.len())]);
                    text.push_str(["", " "][random.below(2)]);
                }
            }
        }
        let new = normalise(&text);
        assert_eq!(new.text.len(), text.len(), "{text:?}");
        for (old, new) in text.bytes().zip(new.text.bytes()) {
            assert!(old == b'\n' || new != b'\n', "{text:?}");
        }
    }
}

#[test]
fn names_without_a_type_get_room_for_one() {
    for (text, expected) in [
        ("}\nmain()\n{", "}\n    main()\n{"),
        ("static n;", "static     n;"),
        ("static const k = 1;", "static const     k = 1;"),
        ("}\nint main()\n{", "}\nint main()\n{"),
        ("x = f(1);", "x = f(1);"),
    ] {
        assert_eq!(with_room_for_types(text.to_string()), expected);
    }
}
