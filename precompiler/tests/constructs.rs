//! C as compilers accept it: every construct here must come through the front end.
//!
//! The parser knows C11 and a part of GNU C. What it refuses is overwritten in place before; this is the list of such
//! constructs, each with the smallest text that shows it.

use cccp_precompiler::source::{Preprocessor, SourceFile};
use cccp_precompiler::syntax;

/// What the parser refuses, file scope.
const FILE_SCOPE: &[&str] = &[
    "int x;\n\n/* a comment */\n\nmain() { return x; }\n\n\n\nold(a, b) char *a; double b; { }",
    "int x;\nmain()\n{ register i, k = 0; static const n = 3; for (auto j = 0; j < n; j++) k += j; i = k; return i + x; }",
    "static total; extern add(), sub(int, int); typedef int t; static t (*f)(void), (g);\nadd(a, b)\n{ return a + b; }\nint h(const t, const t*);",
    "static f() { return 1; } static g(a) char *a; { return *a; }",
    "__int128 x;",
    "unsigned __int128 x; __int128_t y; __uint128_t z;",
    "typedef struct __attribute__((packed)) S {int a;} S;",
    "enum __attribute__((packed)) E {A};",
    "struct __attribute__((packed)) S { int a; char b; };",
    "int y __attribute__((unused,));",
    "void f(void) __attribute__ ( (noinline) ) ;",
    "__attribute__ ( (noinline) ) void f(void) {}",
    "int f(void) { static void*t[]={&&a}; a: return t[0] != 0; }",
    "int f(void) { static void*t[]={&&a, &&b}; goto *t[0]; a: ; b: return 1; }",
    "static __thread int x;",
    "__thread int x;",
    "__float128 x = 2.0q;",
    "__float80 x = 2.0w;",
    "struct S { _Alignas(16) char c; };",
    "struct S { _Alignas(double) char c; _Static_assert(1, \"m\"); int d; };",
    "asm(\".globl f\");",
    "asm(\".globl f\"); int x;",
    "int f(void) { return 1; } asm(\".globl f\" \"x\");",
    "int f(void) __asm__(\"g\");",
    "extern int f(void) __asm__(\"g\") __attribute__((nothrow)); int h(void) { return f(); }",
    "_Static_assert(sizeof(int) == 4);",
    "_Static_assert(1, \"m\"); static_assert(1); int x;",
    "[[nodiscard]] int f(void);",
    "struct [[gnu::packed]] S { int a [[deprecated(\"x\")]]; };",
    "enum E : unsigned char { A, B };",
    "enum : int { A, B };",
    "_BitInt(37) x;",
    "int f(...);",
    "char *s = \"\\e[1m\\u00e9\\U0001F600\\c\"; int c = u8'a';",
    "char *s = u8\"\\x41\"; int c = L'\\u00e9'; int d = '\\e';",
    "int a$b; int f(void) { return a$b; }",
    "int caf\u{e9}; int f(void) { return caf\u{e9}; }",
    "int caf\\u00e9; int f(void) { return caf\\u00e9; }",
    "char *s = \"caf\u{e9}\";",
    "int x = 1'000'000; int y = 0b101; double d = 1'0.0'1e1'0;",
    "__extension__ typedef long long l; __extension__ struct S { __extension__ union { int a; }; };",
    "typedef float v4 __attribute__((vector_size(16))); v4 f(void) { return __extension__ (v4)(v4){1,2}; }",
    "typedef int *__seg_gs p; int * _Nonnull q;",
    "typeof_unqual(int) x;",
    "__declspec(dllexport) int f(void);",
    "_Float64x x = 1.0f64x; _Decimal64 d = 1.0dd; __bf16 b; __fp16 h;",
    "_Complex double z = 2.0i; __complex__ float y = 1.0fi;",
    "struct S {}; struct T { int n; struct S s[0]; }; int a[3] = {}; struct T t[2] = { {}, { 1, {} } };",
    "typedef int (*f)(int) __attribute__((const)); int (*g(int a))(int) { return 0; }",
    "int old(a, b) int a; double b; {}",
    "int f(void){} int g(void) { } int *(h)(void){}",
    "inline __attribute__((always_inline)) static int f(int x __attribute__((unused)), int *restrict y) { return x; }",
];

/// What the parser refuses, in a function with an int `x`, a pointer `p`, `struct S { int a; }`.
const STATEMENTS: &[&str] = &[
    "switch (x) { case 1: x++; __attribute__((fallthrough)); case 2: x--; }",
    "a: __attribute__((unused)) ; if (x) goto a;",
    "a: __attribute__((unused)) x = 2; goto a;",
    "__label__ a, b; a: ; b: goto a;",
    "void *t = (void *)&&a; a: goto *t;",
    "long d = (long)&&a - (char *)&&b; a: ; b: goto *p; ",
    "__auto_type y = x;",
    "_Complex double z = 0; double r = __real__ z + __imag__ z; __real z = 1.0; __imag__ z = 2.0;",
    "return x ?: 3;",
    "return x ? : 3;",
    "return x?:3;",
    "return x?: y(1) ?: 3;",
    "return __alignof__(x) + __alignof__(int) + _Alignof(int) + __alignof (x);",
    "q((struct S){}); q((struct S){ }); struct S s = (struct S){}; s = (struct S){}; return (struct S){};",
    "return sizeof(struct S){} + (struct S){}.a + 1;",
    "int v[] = { (int){}, (int){ } }; p = (int[3]){};",
    "if (x) {} else {} while (x) {} for (;x;) {} do {} while (x); switch (x) {} {}",
    "return __builtin_types_compatible_p(int,int) + __builtin_types_compatible_p(typeof(x), int[3]);",
    "return __builtin_bit_cast(int,x + 1) + __builtin_has_attribute(x, noreturn);",
    "asm(\"nop\"); __asm__ volatile (\"nop\" : \"=r\"(x) : \"r\"(*p) : \"memory\", \"cc\");",
    "asm goto (\"jmp %l0\" : : \"r\"(x) : \"memory\" : a); a: ;",
    "asm volatile goto (\"jmp %l0\" : : : : a, b); a: ; b: ;",
    "asm inline (\"nop\"); asm volatile inline (\"nop\" ::: \"memory\");",
    "if (x) asm(\"nop\"); else asm(\"nop\"); do asm(\"a\"); while (0);",
    "register long r asm(\"r10\") = 3;",
    "_Static_assert(1); static_assert(sizeof x == 4, \"m\"); x = 1;",
    "[[fallthrough]]; [[maybe_unused]] int y; x = p[p[0]];",
    "if (x) { x = 1; end: }",
    "switch (x) { default:\n}",
    "switch (x) { default:\n#pragma cccp checkpoint\n}",
    "switch (x) { case 1: default: }",
    "switch (x) { case 1: int y = 3; x = y; break; case 2: { const char *s = 0; } }",
    "return __extension__ (int)x + __extension__ ({ int y = x; y; });",
    "x = (x) && p; x = y(x) && p; x = (x) && (int)x; if (x++ && p) ; while ((x)&&p) ;",
    "x = (x) && done; return 1; done: x = sizeof(int) && done;",
    "__attribute__((cleanup(y))) int k; int l __attribute__((__cleanup__(y))) = 3;",
    "x = _Generic(x, int: 1, const char *: 2, default: 3);",
    "extern int printf(const char *, ...); printf(\"%d\\n\", x);",
    "x = __builtin_offsetof(struct S, a) + __builtin_choose_expr(1, x, p);",
    "x = sizeof(int[sizeof(struct S)]);",
    "case_like: switch (x) { case 1 ... 4: case 'a' ... 'z': break; }",
    "x = 'ab'; x = '\\0'; x = '\\x41'; x = '\\''; x = u'a' + U'b';",
    "int n = x; double v[n]; double (*w)[n] = 0; for (int i = 0; i < n; i++) v[i] = 0;",
];

fn in_a_function(statements: &str) -> String {
    format!("int y(int); struct S {{ int a; }}; int f(int x, int *p) {{ {statements} }}\n")
}

fn parse(text: &str) -> Result<(), String> {
    let preprocessor = Preprocessor::default();
    let file = SourceFile::from_bytes("constructs.c", text.as_bytes().to_vec(), &preprocessor)
        .map_err(|error| format!("{error:?}"))?;
    assert_eq!(
        file.normalised_text().len(),
        file.preprocessed.len(),
        "{text}"
    );
    syntax::parse(&file)
        .map(|_| ())
        .map_err(|failure| format!("{}\n{failure:?}", file.normalised_text().trim()))
}

#[test]
fn what_compilers_accept_comes_through() {
    let wrapped = STATEMENTS
        .iter()
        .map(|statements| in_a_function(statements));
    let all = FILE_SCOPE
        .iter()
        .map(|text| text.to_string())
        .chain(wrapped);
    let failures: Vec<String> = all
        .filter_map(|text| parse(&text).err().map(|error| format!("{text}\n{error}\n")))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
