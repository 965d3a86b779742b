//! Damaged programs: whatever stands in a file, the precompiler answers, with a result or with messages.
//!
//! Samples and small programs full of directives are changed at random, by bytes, tokens and lines, always in the same
//! way. The preprocessor is replaced by a few lines of Rust that keep macros as they are, so that thousands of cases
//! take seconds. A case that panics or does not come back is printed in full.

use cccp_precompiler::analysis::Proven;
use cccp_precompiler::catalog::Catalogue;
use cccp_precompiler::dataflow::{Flow, Loops};
use cccp_precompiler::diagnostic::render::render;
use cccp_precompiler::diagnostic::{Code, has_errors};
use cccp_precompiler::plan::{Dispatch, plan_program};
use cccp_precompiler::program::dump::{directives_text, program_text};
use cccp_precompiler::program::{Function, Program, Unit, load_unit};
use cccp_precompiler::rewrite::rewrite_file;
use cccp_precompiler::source::{SourceFile, SourceRange, Span};
use std::sync::LazyLock;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How many cases, how long altogether, how long one.
const CASES: usize = 2000;
const TIME: Duration = Duration::from_secs(30);
const PATIENCE: Duration = Duration::from_secs(120);

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::builtin);

/// What the headers would declare.
const PRELUDE: &str = "\
# 0 \"fuzz.c\"
# 1 \"prelude.h\" 1
typedef unsigned long size_t; typedef struct file FILE; typedef int MPI_Comm; typedef unsigned long cccp_count; typedef int MPI_Datatype; typedef long MPI_Aint;
typedef struct { int a; } MPI_Status; typedef int MPI_Request; typedef int MPI_Op; typedef long MPI_Offset;
typedef unsigned char uint8_t; typedef unsigned int uint32_t; typedef unsigned long uint64_t; typedef long int64_t;
int printf(const char *, ...); int fprintf(FILE *, const char *, ...); void *malloc(size_t); void *calloc(size_t, size_t);
void free(void *); void exit(int); long atol(const char *); int MPI_Init(int *, char ***); double sqrt(double);
extern FILE *stdout; extern FILE *stderr;
# 1 \"fuzz.c\" 2
";

const SEEDS: &[&str] = &[
    include_str!("../../samples/adaptive/main.c"),
    include_str!("../../samples/by-hand/main.c"),
    include_str!("../../samples/communicators-and-files/main.c"),
    include_str!("../../samples/conjugate-gradient-mpi/main.c"),
    include_str!("../../samples/heat-mpi/main.c"),
    include_str!("../../samples/heat-serial/main.c"),
    include_str!("../../samples/n-body/main.c"),
    include_str!("../../samples/recursion/main.c"),
    "struct s { int n; double *f; struct s *next; char name[8]; unsigned b : 3; };
static int counter; int work(struct s *s, int k) { 
#pragma cccp register(s->f[s->n], s->name, k)
 if (k > 0) { counter += work(s, k - 1) + work(s->next, k / 2); }
#pragma cccp checkpoint every(10) if(k > 3) name(inner)
 return counter; }
int main(int argc, char **argv) { struct s s = { 3, 0, 0, \"abc\", 1 }; int i, v[4];
#pragma cccp init
#pragma cccp execute on restart
 for (i = 0; i < 4; i++) { v[i] = i; }
#pragma cccp end execute
#pragma cccp register(i, v[1:3], s.name, counter)
 for (i = 0; i < 10 && work(&s, i); i++) { again: if (v[0]++ < work(&s, 2)) goto again; 
#pragma cccp checkpoint
 switch (i) { case 1: work(&s, 1); break; default: do { work(&s, 2); } while (i == 3); } }
#pragma cccp unregister(v, s.name)
#pragma cccp shutdown
 return 0; }
",
    "extern int other(int); extern void another(void);
#pragma cccp client(other, another)
int (*pointer)(int) = other; enum e { A, B = 3 } e; union u { int i; float f; } u;
int f(n) int n; { int vla[n]; double (*rows)[n] = malloc(n);
#pragma cccp register(n, vla[n], rows[2][n], u, e)
 while (other(n)) { int x = other(1) ? pointer(2) : ({ int y = n; y; }), z = (x, other(3));
  #pragma   cccp \\
      checkpoint /* here */
 if (x || (z && other(x ?: 1))) continue; else break; } 
 return other(n) + f(n - 1) * sizeof(int[4]); }
int main(void) { 
#pragma cccp init comm(0)
 for (;;) { static int s = 3; const int k = 4; 
#pragma cccp register(s, k)
 { f(s); } if (!other(k)) return 1; } }
",
];

/// The only thing it does is what the front end relies on: no comments, no spliced lines, pragmas in the first column.
fn preprocess(tagged: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(tagged)
        .replace("\\\n", " ")
        .replace("offsetof(", "__builtin_offsetof(");
    let mut output = PRELUDE.to_string();
    let mut in_comment = false;
    for line in text.split('\n') {
        let mut clean = String::new();
        let mut rest = line;
        loop {
            let mark = if in_comment { "*/" } else { "/*" };
            let Some(at) = rest.find(mark) else { break };
            if !in_comment {
                clean.push_str(&rest[..at]);
                clean.push(' ');
            }
            in_comment = !in_comment;
            rest = &rest[at + 2..];
        }
        if !in_comment {
            clean.push_str(rest);
        }
        let trimmed = clean.trim_start();
        if trimmed.starts_with('#') {
            if trimmed.contains("pragma") {
                output.push_str(trimmed);
            }
        } else {
            output.push_str(clean.split("//").next().unwrap_or(""));
        }
        output.push('\n');
    }
    output.into_bytes()
}

/// A small generator of pseudo-random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound.max(1) as u64).unwrap_or(0)
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}

/// Where tokens begin, roughly.
fn cuts(text: &str) -> Vec<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut cuts = vec![0];
    let mut last = ' ';
    for (at, c) in text.char_indices() {
        if !(is_word(c) && is_word(last)) {
            cuts.push(at);
        }
        last = c;
    }
    cuts.push(text.len());
    cuts
}

fn mutate(random: &mut Random, text: &str) -> Vec<u8> {
    const WORDS: &[&str] = &[
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ";",
        ",",
        ":",
        "?",
        "*",
        "&",
        "&&",
        "=",
        "->",
        ".",
        "...",
        "#",
        "\\\n",
        "\"",
        "'",
        "/*",
        "*/",
        "//",
        "int ",
        "static ",
        "const ",
        "struct s ",
        "typedef ",
        "goto again;",
        "again:",
        "case 1:",
        "return ",
        "else ",
        "do ",
        "while (1) ",
        "for (;;) ",
        "if (0) ",
        "switch (1) ",
        "break;",
        "0",
        "-1",
        "1e9",
        "0x",
        "99999999999999999999",
        "work(&s, 1)",
        "other(2)",
        "({ 1; })",
        "sizeof ",
        "__attribute__((cleanup(free))) ",
        "\u{e9}",
        "\0",
        "\n#pragma omp parallel for\n",
        "\n#pragma cccp init\n",
        "\n#pragma cccp checkpoint\n",
        "\n#pragma cccp register(i, n, u[n], s->f[2:3])\n",
        "\n#pragma cccp unregister(i)\n",
        "\n#pragma cccp shutdown\n",
        "\n#pragma cccp execute on restart\n",
        "\n#pragma cccp end execute\n",
        "\n#pragma cccp client(f)\n",
        "\n#pragma cccp chekpoint evry(\n",
        "\n#pragma cccp register(((\n",
        "\n#pragma cccp\n",
        "\n#pragma cccp \u{e9}\n",
    ];
    // What may stand on a line of its own: these leave the program one that can be parsed.
    const LINES: &[&str] = &[
        "\n#pragma cccp init",
        "\n#pragma cccp init comm(comm)",
        "\n#pragma cccp checkpoint",
        "\n#pragma cccp checkpoint every(n) if(i ?: step) name(x)",
        "\n#pragma cccp register(i, n, u[n])",
        "\n#pragma cccp register(s->f[2:3], s.name, v, vla, rows)",
        "\n#pragma cccp register(p, argv, argc, u[n][n], main, A, e)",
        "\n#pragma cccp unregister(i, s->f)",
        "\n#pragma cccp execute on restart",
        "\n#pragma cccp end execute",
        "\n#pragma cccp shutdown",
        "\n#pragma cccp client(printf)",
        "\n#pragma omp parallel for",
        "\n#pragma cccp registre(i)",
        "\n#line 7 \"other.c\"",
        "\n#define n 3",
    ];
    let mut text = text.to_string();
    for _ in 0..=random.below(4) {
        if text.is_empty() {
            break;
        }
        if random.below(2) == 0 {
            let lines: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
            let at = lines.get(random.below(lines.len())).map_or(0, |at| *at);
            text.insert_str(at, random.pick(LINES));
            continue;
        }
        let cuts = cuts(&text);
        let at = random.below(cuts.len() - 1);
        let (start, end) = (cuts[at], cuts[at + 1]);
        let far = cuts[(at + random.below(12)).min(cuts.len() - 1)];
        match random.below(9) {
            0 => text.replace_range(start..end, ""),
            1 => text.replace_range(start..far, ""),
            2 => text.insert_str(start, random.pick(WORDS)),
            3 => text.replace_range(start..end, random.pick(WORDS)),
            4 => {
                let copy = text[start..far].to_string();
                text.insert_str(cuts[random.below(cuts.len())], &copy);
            }
            5 => {
                let lines: Vec<&str> = text.split_inclusive('\n').collect();
                let (from, to) = (random.below(lines.len()), random.below(lines.len()));
                let mut new: Vec<&str> = lines.clone();
                let line = new.remove(from);
                new.insert(to.min(new.len()), line);
                text = new.concat();
            }
            6 => {
                let other = random.pick(SEEDS);
                let lines: Vec<&str> = other.split_inclusive('\n').collect();
                let from = random.below(lines.len());
                let to = (from + 1 + random.below(6)).min(lines.len());
                text.insert_str(start, &lines[from..to].concat());
            }
            7 if random.below(6) == 0 => text.truncate(start),
            _ => text.insert_str(start, random.pick(WORDS)),
        }
    }
    let mut bytes = text.into_bytes();
    if random.below(8) == 0 && !bytes.is_empty() {
        let at = random.below(bytes.len());
        bytes[at] = u8::try_from(random.below(256)).unwrap_or(0);
    }
    bytes
}

/// The whole way; whether it was understood.
fn precompile(bytes: Vec<u8>) -> bool {
    let file = SourceFile::with_preprocessor("fuzz.c", bytes, preprocess);
    let original = file.original.clone();
    let mut diagnostics = Vec::new();
    let unit = load_unit(file, &mut diagnostics);
    for diagnostic in &diagnostics {
        let text = render(diagnostic, &("fuzz.c", original.as_str()), false);
        assert!(text.contains(&diagnostic.message));
    }
    for function in &unit.functions {
        flows_are_sound(function);
        places_are_text(&unit, function);
    }
    assert!(!program_text(&unit).is_empty());
    directives_text(&unit);
    if has_errors(&diagnostics) {
        return !diagnostics
            .iter()
            .any(|diagnostic| diagnostic.code == Code::SYNTAX);
    }
    let program = Program {
        units: vec![unit],
        ..Program::default()
    };
    for dispatch in [Dispatch::Label, Dispatch::Switch] {
        for planned in plan_program(&program, &CATALOGUE, &Proven::default(), dispatch) {
            let refused = planned.findings.iter().any(|finding| !finding.warning);
            let result = rewrite_file(&planned.plan, &program.units[0].file);
            assert!(refused || result.is_ok());
        }
    }
    true
}

/// Every loop comes back to itself unless something always leaves it; every statement belongs to some node.
fn flows_are_sound(function: &Function) {
    let (flow, loops) = (Flow::of(function, &CATALOGUE), Loops::of(function));
    for (index, one) in loops.all.iter().enumerate() {
        assert!(one.parent.is_none_or(|parent| parent < index));
        one.exits(&flow);
    }
    for node in &flow.nodes {
        assert!(node.next.iter().all(|next| next.0 < flow.nodes.len()));
    }
    function.body.walk_expressions(&mut |expression| {
        assert!(flow.node_at(expression.span.start).is_some());
    });
}

/// Spans and places lie in their texts.
fn places_are_text(unit: &Unit, function: &Function) {
    let file = &unit.file;
    let check = |span: Span, place: Option<SourceRange>| {
        assert!(file.preprocessed.get(span.start..span.end).is_some());
        if let Some(place) = place {
            assert!(file.original.get(place.start..place.end).is_some());
        }
    };
    function.body.walk(&mut |statement| {
        check(statement.span, statement.place);
        true
    });
    function
        .body
        .walk_expressions(&mut |expression| check(expression.span, expression.place));
}

#[test]
fn damaged_programs_are_answered() {
    let (to_worker, cases) = channel::<Vec<u8>>();
    let (to_main, answers) = channel();
    let worker = std::thread::spawn(move || {
        for case in cases {
            let answer = std::panic::catch_unwind(|| precompile(case));
            if to_main.send(answer.ok()).is_err() {
                return;
            }
        }
    });
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (start, mut done, mut understood) = (Instant::now(), 0, 0);
    let mut seeds = SEEDS.iter();
    while done < CASES && start.elapsed() < TIME {
        let case = match seeds.next() {
            Some(seed) => seed.as_bytes().to_vec(),
            None => {
                let seed = random.pick(SEEDS);
                mutate(&mut random, seed)
            }
        };
        to_worker.send(case.clone()).expect("the worker waits");
        let failure = match answers.recv_timeout(PATIENCE) {
            Ok(Some(ok)) => {
                assert!(ok || done >= SEEDS.len(), "{}", SEEDS[done]);
                understood += usize::from(ok);
                done += 1;
                continue;
            }
            Ok(None) | Err(RecvTimeoutError::Disconnected) => "panics",
            Err(RecvTimeoutError::Timeout) => "does not come back",
        };
        panic!(
            "the precompiler {failure} with:\n{}\n",
            String::from_utf8_lossy(&case)
        );
    }
    drop(to_worker);
    worker.join().expect("the worker ends");
    println!(
        "{done} cases, {understood} understood, {:?}",
        start.elapsed()
    );
    assert!(
        understood > done / 20,
        "the damage is too heavy to prove anything"
    );
}
