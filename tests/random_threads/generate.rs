//! Programs with regions of OpenMP, of which some depend on the number of threads and some do not, and their checkpoints stand outside of
//! the regions or in one.
//!
//! Elements of `a` are stored from elements of `b`, and the other way round, with a barrier in between; numbers are unsigned, so
//! that the order of sums does not matter.

use super::random::Random;

/// What an iteration does, `$` is the array that it stores to and `@` the other one. The first ones depend on nothing.
const BODIES: [&str; 13] = [
    "$[i] = @[i] * 3 + (unsigned long)i + (unsigned long)step;",
    "p = @[i] + 1; $[i] = $[i] + p * 2;",
    "put(&p, @[i]); $[i] ^= p;",
    "unsigned long t = 0; for (int j = 0; j < 3; j++) t += @[(i + j) % N]; $[i] += t;",
    "$[i] += twice(@[i * 7 % N]);\n#pragma omp atomic\n    s0 += @[i] % 7;",
    "$[i] += 1;\n#pragma omp critical\n    { s0 += (unsigned long)i; s1 ^= @[i]; }",
    "if (@[i] % 3 == 0) { p = @[i] / 3; $[i] += p; } else $[i]++;",
    "for (p = 0; p < 4; p++) $[i] += @[i] + p;",
    "p += @[i] % 3; $[i] += p;",
    "if (i % 3 == 0) p = (unsigned long)i; $[i] += p;",
    "if (@[i] % 2) put(&p, @[i]); $[i] ^= p;",
    "$[i] += (unsigned long)omp_get_thread_num();",
    "p = @[i]; $[i] += 2;",
];
const FREE_BODIES: usize = 8;

/// Sums, with their clauses.
const SUMS: [(&str, &str); 7] = [
    ("reduction(+ : s2)", "s2 += a[i] % 5;"),
    ("reduction(+ : s2)", "if (a[i] % 2) s2++; else s2 = s2 + 3;"),
    (
        "reduction(max : s2)",
        "if (a[i] % 4099 > s2) s2 = a[i] % 4099;",
    ),
    ("reduction(^ : s2)", "s2 ^= a[i] + (unsigned long)i;"),
    ("lastprivate(s2)", "s2 = a[i] * 3;"),
    ("reduction(+ : s2)", "s2 += a[i] % 5; b[i] = s2;"),
    ("reduction(max : s2)", "s2 = s2 * 3 + a[i];"),
];
const FREE_SUMS: usize = 5;

/// What stands in a region for all threads, or for one.
const OTHERS: [&str; 14] = [
    "#pragma omp single\n    s0 = s0 * 3 + (unsigned long)step;",
    "#pragma omp single\n    count();",
    "#pragma omp master\n    s1 += (unsigned long)step;",
    "p = (unsigned long)step * 2;",
    "p += (unsigned long)step;",
    "sweep(step);",
    "#pragma omp sections\n    {\n#pragma omp section\n    s0 += 5;\n#pragma omp section\n    s1 += 7;\n    }",
    "#pragma omp single\n    {\n    for (int j = 0; j < 5; j++) {\n#pragma omp task firstprivate(j)\n    a[j] += (unsigned long)j;\n    }\n#pragma omp taskwait\n    }",
    "#pragma omp atomic\n    s0++;",
    "count();",
    "#pragma omp critical\n    s1 += p % 5;",
    "a[omp_get_thread_num()] += 1;",
    "#pragma omp master\n    p += 3;",
    "spread(&p);\n#pragma omp for\n    for (int i = 0; i < N; i++) b[i] += p;",
];
const FREE_OTHERS: usize = 8;

/// What stands between regions.
const SERIAL: [&str; 5] = [
    "s0 += a[5];",
    "s1 = twice(s1) ^ b[7];",
    "for (int i = 0; i < N; i++) a[i] += s0 % 11;",
    "s1 += (unsigned long)omp_get_max_threads();",
    "for (int j = 0; j < omp_get_max_threads(); j++) s0 += b[j];",
];
const FREE_SERIAL: usize = 3;

/// One of these; seldom one that may depend on the number of threads.
fn one<T: Copy>(random: &mut Random, all: &[T], free: usize, seldom: usize) -> T {
    match random.once_in(seldom) {
        true => all[random.below(all.len())],
        false => all[random.below(free)],
    }
}

fn in_region(random: &mut Random, out: &mut String, seldom: usize) {
    for _ in 0..1 + random.below(3) {
        match random.below(5) {
            0 | 1 => {
                let schedule = random.pick(&["", " schedule(static, 3)", " schedule(dynamic, 2)"]);
                let (to, from) = match random.once_in(2) {
                    true => ("a", "b"),
                    false => ("b", "a"),
                };
                let body = one(random, &BODIES, FREE_BODIES, seldom);
                let body = body.replace('$', to).replace('@', from);
                out.push_str(&format!(
                    "#pragma omp for{}\n    for (int i = 0; i < N; i++) {{ {body} }}\n",
                    schedule.copied().unwrap_or_default()
                ));
            }
            2 => {
                let (clause, body) = one(random, &SUMS, FREE_SUMS, seldom);
                out.push_str(&format!(
                    "#pragma omp for {clause}\n    for (int i = 0; i < N; i++) {{ {body} }}\n"
                ));
            }
            _ => {
                out.push_str(one(random, &OTHERS, FREE_OTHERS, seldom));
                out.push_str("\n#pragma omp barrier\n");
            }
        }
    }
}

/// A program.
pub fn generate(random: &mut Random) -> String {
    let seldom = 4 + random.below(12);
    let mut body = String::new();
    let clause = match random.below(3) {
        0 => "private(p)",
        1 => "firstprivate(p)",
        _ => "default(shared)",
    };
    let declared = match clause {
        "private(p)" => "p = 1;",
        "firstprivate(p)" => "",
        _ => "unsigned long p = 2;",
    };
    let head = "for (int step = 0; step < 16; step++) {\n#pragma cccp checkpoint\n";
    if random.once_in(3) {
        body.push_str(&format!(
            "#pragma omp parallel {clause}\n{{\n    {declared}\n{head}"
        ));
        in_region(random, &mut body, seldom);
        in_region(random, &mut body, seldom);
        body.push_str("#pragma omp barrier\n}\n}\n");
    } else {
        body.push_str(head);
        for _ in 0..1 + random.below(3) {
            match random.below(3) {
                0 => body.push_str(&format!("{}\n", one(random, &SERIAL, FREE_SERIAL, seldom))),
                _ => {
                    body.push_str(&format!(
                        "#pragma omp parallel {clause}\n{{\n    {declared}\n"
                    ));
                    in_region(random, &mut body, seldom);
                    body.push_str("}\n");
                }
            }
        }
        body.push_str("}\n");
    }
    format!(
        "#include <omp.h>\n#include <stdio.h>\n#define N 48\nstatic unsigned long a[N], b[N], s0, s1, s2;\n\
         static unsigned long twice(unsigned long x) {{ return 2 * x + 1; }}\n\
         static void put(unsigned long *to, unsigned long x) {{ *to = x; }}\n\
         static void count(void) {{\n#pragma omp atomic\n    s1++;\n}}\n\
         static void sweep(int step) {{\n#pragma omp for\n    for (int i = 0; i < N; i++) b[i] += (unsigned long)step;\n}}\n\
         static void spread(unsigned long *left) {{\n#pragma omp for\n    for (int i = 0; i < N; i++) *left = a[i];\n}}\n\
         int main(void)\n{{\n    unsigned long p = 3;\n    for (int i = 0; i < N; i++) {{ a[i] = (unsigned long)i * 7; b[i] = 5; }}\n\
         put(&p, twice(p)); (void)sweep; (void)spread; (void)count;\n\
         {body}    for (int i = 0; i < N; i++) printf(\"%lu %lu \", a[i], b[i]);\n\
         printf(\"%lu %lu %lu %lu\\n\", s0, s1, s2, p);\n    return 0;\n}}\n"
    )
}
