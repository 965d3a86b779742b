//! Random programs that move pointers.

use std::fmt::Write;

/// What stands before everything else.
const HEAD: &str = r#"#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct B;
struct A { int v; int *p; struct B *b; };
struct B { struct A *a; int *q; int w[2]; struct A in; };
struct C { int v; int *p; };
union U { int *p; unsigned long n; };
static int g0, g1, g2, g3;
static int *ip0, *ip1, *ip2, *ip3, *arr[3];
static struct A sa0, sa1, many[3], *ap0, *ap1, *ap2;
static struct B sb0, *bp0, *bp1;
static union U un0;
static int **pp0, **pp1;
static void *vi, *va;
static unsigned long n0;
static int fuel = 60;
typedef int *(*fn)(int *, struct A *);
#ifdef RUN
static struct { const char *name; int line; char *at; size_t size; } leaves[3000];
static int count;
static void leaf(const char *name, int line, void *at, size_t size)
{
    if (count < 3000) {
        leaves[count].name = name;
        leaves[count].line = line;
        leaves[count].at = at;
        leaves[count++].size = size;
    }
}
static void note(int probe, void *pointer)
{
    char *at = pointer;
    for (int i = 0; i < count; i++)
        if (at >= leaves[i].at && at < leaves[i].at + leaves[i].size) {
            if (leaves[i].line)
                printf("%d heap@%d[]%s\n", probe, leaves[i].line, leaves[i].name);
            else
                printf("%d %s\n", probe, leaves[i].name);
            return;
        }
}
#define LEAF(x) leaf(#x, 0, &x, sizeof x)
#define ALL(x, s) leaf(s, 0, x, sizeof x)
static void born_a(struct A *a, int line)
{
    leaf(".v", line, &a->v, 4); leaf(".p", line, &a->p, 8); leaf(".b", line, &a->b, 8);
}
static void born_b(struct B *b, int line)
{
    leaf(".a", line, &b->a, 8); leaf(".q", line, &b->q, 8); leaf(".w[]", line, b->w, 8);
    leaf(".in.v", line, &b->in.v, 4); leaf(".in.p", line, &b->in.p, 8); leaf(".in.b", line, &b->in.b, 8);
}
static void born_i(int *i, int line) { leaf("", line, i, 12); }
static void begin(void)
{
    LEAF(g0); LEAF(g1); LEAF(g2); LEAF(g3); LEAF(ip0); LEAF(ip1); LEAF(ip2); LEAF(ip3);
    ALL(arr, "arr[]"); LEAF(sa0.v); LEAF(sa0.p); LEAF(sa0.b); LEAF(sa1.v); LEAF(sa1.p); LEAF(sa1.b);
    for (int i = 0; i < 3; i++) {
        leaf("many[].v", 0, &many[i].v, 4); leaf("many[].p", 0, &many[i].p, 8); leaf("many[].b", 0, &many[i].b, 8);
    }
    LEAF(sb0.a); LEAF(sb0.q); ALL(sb0.w, "sb0.w[]"); LEAF(sb0.in.v); LEAF(sb0.in.p); LEAF(sb0.in.b); LEAF(un0);
    LEAF(ap0); LEAF(ap1); LEAF(ap2); LEAF(bp0); LEAF(bp1);
}
#define NOTE(n, p) note(n, p)
#else
#define NOTE(n, p) probe_##n = (p)
#define begin()
#define born_a(a, l)
#define born_b(a, l)
#define born_i(a, l)
#endif
static int by_address(const void *x, const void *y)
{
    const int *const *a = x, *const *b = y;
    return (*a > *b) - (*a < *b);
}
static int *pick(int n, ...)
{
    va_list list; int *one = 0;
    va_start(list, n);
    while (n-- > 0) one = va_arg(list, int *);
    va_end(list);
    return one;
}
static void bytes(char *to, const char *from, int n) { while (n--) *to++ = *from++; }
static struct A *new_a(int v) { struct A *a = calloc(1, sizeof *a); a->v = v; return a; }
"#;

struct Random(u64);

impl Random {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % below
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.next(of.len() as u64) as usize]
    }

    /// A pointer to an int.
    fn int(&mut self) -> String {
        match self.next(14) {
            0 | 1 => self.one(&["&g0", "&g1", "&g2", "&g3"]).to_string(),
            2 | 3 => self.one(&["ip0", "ip1", "ip2", "ip3"]).to_string(),
            4 => self.one(&["arr[0]", "arr[1]", "arr[2]"]).to_string(),
            5 => self
                .one(&["sa0.p", "sa1.p", "sb0.q", "sb0.in.p", "many[1].p"])
                .to_string(),
            6 => "&sb0.w[1]".to_string(),
            7 => {
                let a = self.record();
                self.one(&[
                    "(%) ? (%)->p : 0",
                    "(%) ? &(%)->v : 0",
                    "(%) ? ((struct C *)(%))->p : 0",
                ])
                .replace('%', &a)
            }
            8 => {
                let b = self.big();
                self.one(&[
                    "(%) ? (%)->q : 0",
                    "(%) ? &(%)->w[0] : 0",
                    "(%) ? (%)->in.p : 0",
                    "(%) ? (%)->w + 1 : 0",
                ])
                .replace('%', &b)
            }
            9 => "un0.p".to_string(),
            10 => "vi".to_string(),
            11 => "pp0 ? *pp0 : pp1 ? *pp1 : 0".to_string(),
            12 => "(int *)(n0 & ~1ul)".to_string(),
            _ => {
                let (a, b) = (
                    self.one(&["ip1", "&g2", "arr[2]"]),
                    self.one(&["ip0", "sa1.p"]),
                );
                format!("pick(2, {a}, {b})")
            }
        }
    }

    /// A pointer to a struct A, without side effects.
    fn record(&mut self) -> String {
        self.one(&[
            "&sa0",
            "&sa1",
            "&many[0]",
            "&many[2]",
            "ap0",
            "ap1",
            "ap2",
            "sb0.a",
            "&sb0.in",
            "va",
            "(bp0 ? bp0->a : 0)",
            "(bp1 ? &bp1->in : 0)",
        ])
        .replace("va", "((struct A *)va)")
    }

    fn big(&mut self) -> String {
        self.one(&["&sb0", "bp0", "bp1", "sa0.b", "(ap0 ? ap0->b : 0)"])
            .to_string()
    }
}

struct Writer {
    random: Random,
    text: String,
    probes: usize,
    line: usize,
}

impl Writer {
    fn put(&mut self, text: &str) {
        let text = text.replace("LINE", &(self.line).to_string());
        self.line += text.matches('\n').count() + 1;
        let _ = writeln!(self.text, "{text}");
    }

    fn assign(&mut self, target: &str, value: &str) {
        let probe = self.probes;
        self.probes += 1;
        self.put(&format!("    {target} = {value}; NOTE({probe}, {target});"));
    }

    fn behind(&mut self, pointer: &str, member: &str, value: &str) {
        let probe = self.probes;
        self.probes += 1;
        self.put(&format!(
            "    if ({pointer}) {{ {member} = {value}; NOTE({probe}, {member}); }}"
        ));
    }

    fn statement(&mut self) {
        let kind = self.random.next(20);
        match kind {
            0..=3 => {
                let target = self.random.one(&[
                    "ip0",
                    "ip1",
                    "ip2",
                    "ip3",
                    "arr[0]",
                    "arr[1]",
                    "arr[2]",
                    "sa0.p",
                    "sa1.p",
                    "sb0.q",
                    "many[0].p",
                    "many[2].p",
                    "un0.p",
                    "vi",
                    "sb0.in.p",
                ]);
                let value = self.random.int();
                self.assign(target, &value);
            }
            4 | 5 => {
                let target = self.random.one(&["ap0", "ap1", "ap2", "sb0.a", "va"]);
                let value = self.random.record();
                self.assign(target, &value);
            }
            6 => {
                let target = self.random.one(&["bp0", "bp1", "sa0.b", "many[1].b"]);
                let value = self.random.big();
                self.assign(target, &value);
            }
            7 => {
                let target = self.random.one(&["ap0", "ap1", "ap2"]);
                self.assign(target, "calloc(1, sizeof(struct A))");
                let line = self.line - 1;
                self.put(&format!("    born_a({target}, {line});"));
            }
            8 => {
                let target = self.random.one(&["bp0", "bp1"]);
                self.assign(target, "calloc(1, sizeof(struct B))");
                let line = self.line - 1;
                self.put(&format!("    born_b({target}, {line});"));
            }
            9 => {
                let target = self.random.one(&["ip0", "ip2"]);
                self.assign(target, "calloc(3, sizeof(int))");
                let line = self.line - 1;
                self.put(&format!("    born_i({target}, {line});"));
            }
            10 => {
                let (a, b) = (self.random.record(), self.random.record());
                let copy = self.random.one(&[
                    "if ((%) && (#)) *(%) = *(#);",
                    "if ((%) && (#)) memmove(%, #, sizeof(struct A));",
                    "if ((%) && (#)) bytes((char *)(%), (char *)(#), sizeof(struct A));",
                    "if ((%) && (#)) { struct A t = *(%); *(%) = *(#); *(#) = t; }",
                ]);
                self.put(&format!("    {}", copy.replace('%', &a).replace('#', &b)));
                self.behind(&a, &format!("(({a})->p)"), &format!("({a})->p"));
            }
            11 => {
                let a = self.random.record();
                let value = self.random.int();
                let member = self
                    .random
                    .one(&["(%)->p", "((struct C *)(%))->p"])
                    .replace('%', &a);
                self.behind(&a, &member, &value);
            }
            12 => {
                let a = self.random.record();
                let target = self.random.one(&["pp0", "pp1"]);
                let value = self
                    .random
                    .one(&["&arr[1]", "&ip2", "&sb0.q", "(%) ? &(%)->p : 0"])
                    .replace('%', &a);
                self.assign(target, &value);
                let value = self.random.int();
                self.behind(target, &format!("*{target}"), &value);
            }
            13 => {
                self.put("    bytes((char *)&ip1, (char *)&ip3, sizeof ip1);");
                self.assign("ip1", "ip1");
            }
            14 => {
                let value = self.random.int();
                self.put(&format!("    n0 = (unsigned long)({value}) | 1;"));
                self.assign("ip0", "(int *)(n0 - (n0 & 1))");
            }
            15 => {
                let a = self.random.record();
                self.put(&format!("    {{ struct A *t = {a}; if (t) {{ int **m = &t->p; ap1 = (struct A *)((char *)m - offsetof(struct A, p)); }} }}"));
                self.assign("ap1", "ap1");
            }
            16 => {
                self.put("    qsort(arr, 3, sizeof arr[0], by_address);");
                self.assign("arr[0]", "arr[0]");
            }
            17 | 18 => {
                let (value, a) = (self.random.int(), self.random.record());
                let k = self.random.next(4);
                self.assign("ip3", &format!("fuel-- > 0 ? table[{k}]({value}, {a}) : 0"));
            }
            _ => {
                self.put("    un0.n = (unsigned long)ip2;");
                self.assign("un0.p", "un0.p");
                let b = self.random.big();
                let value = self.random.record();
                self.behind(&b, &format!("({b})->a"), &value);
            }
        }
    }
}

/// A program.
pub fn program(seed: u64) -> String {
    let mut writer = Writer {
        random: Random(seed.wrapping_mul(977).wrapping_add(12345)),
        text: String::new(),
        probes: 0,
        line: 0,
    };
    const PROBES: usize = 200;
    let mut head = HEAD.to_string();
    let names: Vec<String> = (0..PROBES).map(|probe| format!("*probe_{probe}")).collect();
    let _ = writeln!(head, "static void {};", names.join(", "));
    let _ = writeln!(
        head,
        "static int *f0(int *x, struct A *y), *f1(int *x, struct A *y), *f2(int *x, struct A *y), *f3(int *x, struct A *y);"
    );
    let _ = writeln!(head, "static fn table[4] = {{ f0, f1, f2, f3 }};");
    writer.line = head.matches('\n').count() + 1;
    for function in 0..4 {
        writer.put(&format!("static int *f{function}(int *x, struct A *y)\n{{"));
        writer.assign("ip1", "x");
        writer.behind("y", "y->p", "x");
        for _ in 0..8 {
            writer.statement();
        }
        writer.assign("ap2", "y");
        let back = writer.random.one(&["x", "ip0", "y ? y->p : x", "arr[1]"]);
        writer.put(&format!("    return {back};\n}}"));
    }
    writer.put("int main(void)\n{\n    int round;\n    begin();\n    for (round = 0; round < 3; round++) {");
    for _ in 0..30 {
        writer.statement();
    }
    writer.put("    }\n    return 0;\n}");
    assert!(writer.probes <= PROBES, "{}", writer.probes);
    head + &writer.text
}
