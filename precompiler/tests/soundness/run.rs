//! The two texts of a program, and what comes out of its runs.
//!
//! The analysed text has directives where the run's text spoils memory. The run's text keeps the addresses of all
//! locals, of all blocks, and which call is under way in each frame. A table says what is dead.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::generate::{Generated, Line, Shape, Slot};

/// What begins every file.
pub const HEAD: &str = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <setjmp.h>\n\
#include <unistd.h>\n#include <fcntl.h>\n#include <signal.h>\n#include <fenv.h>\n#include <wchar.h>\n\
struct pair { int one; int many[4]; struct pair *next; };\nstatic int junk;\nstatic int junks[4];\n\
static unsigned sum;\nstatic void out(int value) { sum = sum * 31 + value; printf(\"%d\\n\", value); }\n\
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }\n\
static int beside(int value) { return value * 3 + 1; }\nstatic int never;\nstatic const int always = 1;\nenum { NEVER = 0 };\n\
static void *get(size_t bytes) { void *new = malloc(bytes); if (!new) exit(9); return new; }\n\
static int *vector(int n) { return get(n * sizeof(int)); }\n\
static void clear(int *v, int n) { for (int i = 0; i < n; i++) v[i] = 0; }\n\
static struct pair *make(int one) { struct pair *new = get(sizeof *new); new->one = one; new->next = 0; clear(new->many, 4); return new; }\n\
static struct pair *same(int one) { static struct pair *kept; if (!kept) kept = make(7); kept->one = one; return kept; }\n";

/// What the run needs beyond that.
pub const RUN_HEAD: &str = "#include <sys/wait.h>\nstatic int spoil;\n\
struct frame { int call; void *slots[64]; };\nstatic struct frame frames[4000];\nstatic int top;\n\
static void pop(struct frame **frame) { top = *frame - frames; }\n\
static void *statics[400];\nstatic void *blocks[64][400];\nstatic int used[64];\n\
static void number(void *at) { if (at) *(int *)at = 0x5eadbeef; }\n\
static void numbers(void *at) { if (at) for (int i = 0; i < 4; i++) ((int *)at)[i] = 0x5eadbeef + i; }\n\
static void pointer(void *at) { if (at) *(void **)at = (void *)0x123; }\n";

/// Lines of the analysed text that belong to something.
#[derive(Debug, Default)]
pub struct Places {
    /// Line of each checkpoint.
    pub checkpoints: BTreeMap<usize, usize>,
    /// Line of each call.
    pub calls: BTreeMap<usize, usize>,
    /// Line of each place that allocates.
    pub blocks: BTreeMap<usize, (usize, Shape)>,
    /// All that is registered.
    pub slots: Vec<Slot>,
}

/// The text for the analysis; `line` is the number of its first line.
pub fn analysed(program: &Generated, mut line: usize) -> (String, Places) {
    let mut text = String::new();
    let mut places = Places::default();
    for one in &program.lines {
        let written = match one {
            Line::Text(text) => Some(text.clone()),
            Line::Checkpoint(number) => {
                places.checkpoints.insert(*number, line);
                Some("#pragma cccp checkpoint".to_string())
            }
            Line::Call(number, text) => {
                places.calls.insert(*number, line);
                Some(text.clone())
            }
            Line::Allocate(block, text, _) => {
                places.blocks.insert(block.number, (line, block.shape));
                Some(format!("{text}}}"))
            }
            Line::Registered(slot) => {
                places.slots.push(slot.clone());
                None
            }
            Line::Frame | Line::Returned => None,
        };
        if let Some(written) = written {
            text.push_str(&written);
            text.push('\n');
            line += 1;
        }
    }
    (text, places)
}

/// What is dead at the checkpoints of a program.
#[derive(Debug, Default)]
pub struct Dead {
    /// Cells of globals, statics and locals of the own frame: checkpoint, slot, path.
    pub slots: BTreeSet<(usize, usize, String)>,
    /// Cells of blocks: checkpoint, block, path.
    pub blocks: BTreeSet<(usize, usize, String)>,
    /// Locals of frames: checkpoint, call, slot, path.
    pub frames: BTreeSet<(usize, usize, usize, String)>,
}

/// The paths of the cells of a shape.
pub fn paths(shape: Shape) -> &'static [&'static str] {
    match shape {
        Shape::Array => &["[]"],
        Shape::Pair => &[".one", ".many[]", ".next"],
        _ => &[""],
    }
}

/// C that spoils one cell of memory at `at`, an expression of type `void *`.
fn spoil(shape: Shape, path: &str, at: &str) -> String {
    let member = |name: &str| format!("({at} ? (void *)&((struct pair *){at})->{name} : 0)");
    match (shape, path) {
        (Shape::Pair, ".one") => format!("number({});", member("one")),
        (Shape::Pair, ".many[]") => format!("numbers({});", member("many")),
        (Shape::Pair, _) => format!("pointer({});", member("next")),
        (Shape::Array, _) => format!("numbers({at});"),
        (Shape::Number, _) => format!("number({at});"),
        _ => format!("pointer({at});"),
    }
}

/// The text for the run.
pub fn run(program: &Generated, places: &Places, dead: &Dead) -> String {
    let prefix = &program.prefix;
    let mut text = format!("static void {prefix}spoil(int checkpoint);\n");
    for one in &program.lines {
        let _ = match one {
            Line::Text(line) => writeln!(text, "{line}"),
            Line::Checkpoint(number) => writeln!(text, "{prefix}spoil({number});"),
            Line::Call(number, line) => writeln!(text, "frame->call = {number}; {line}"),
            Line::Allocate(block, line, pointer) => {
                let number = block.number;
                writeln!(
                    text,
                    "{line} if (used[{number}] < 400) blocks[{number}][used[{number}]++] = {pointer}; }}"
                )
            }
            Line::Registered(slot) if slot.is_static => {
                writeln!(text, "statics[{}] = &{};", slot.number, slot.name)
            }
            Line::Registered(slot) => {
                writeln!(text, "frame->slots[{}] = &{};", slot.number, slot.name)
            }
            Line::Frame => writeln!(
                text,
                "struct frame *frame __attribute__((cleanup(pop))) = &frames[top++]; memset(frame, 0, sizeof *frame);"
            ),
            Line::Returned => writeln!(text, "top = frame - frames + 1;"),
        };
    }
    let _ = writeln!(
        text,
        "static void {prefix}spoil(int checkpoint) {{ if (!spoil) return; switch (checkpoint) {{"
    );
    for checkpoint in 0..program.checkpoints {
        let _ = writeln!(text, "case {checkpoint}:");
        for (_, index, path) in dead.slots.iter().filter(|one| one.0 == checkpoint) {
            let Some(slot) = places.slots.iter().chain(&program.globals).nth(*index) else {
                continue;
            };
            let at = match (&slot.function, slot.is_static) {
                (None, _) => format!("(void *)&{}", slot.name),
                (_, true) => format!("statics[{}]", slot.number),
                _ => format!("frames[top - 1].slots[{}]", slot.number),
            };
            let _ = writeln!(text, "{}", spoil(slot.shape, path, &at));
        }
        for (_, block, path) in dead.blocks.iter().filter(|one| one.0 == checkpoint) {
            let shape = places.blocks[block].1;
            let one = spoil(shape, path, &format!("blocks[{block}][i]"));
            let _ = writeln!(text, "for (int i = 0; i < used[{block}]; i++) {{ {one} }}");
        }
        let _ = writeln!(
            text,
            "for (int i = 0; i < top - 1; i++) switch (frames[i].call) {{"
        );
        let calls: BTreeSet<usize> = dead
            .frames
            .iter()
            .filter(|one| one.0 == checkpoint)
            .map(|one| one.1)
            .collect();
        for call in calls {
            let _ = writeln!(text, "case {call}:");
            for (_, _, index, path) in dead
                .frames
                .iter()
                .filter(|one| one.0 == checkpoint && one.1 == call)
            {
                let slot = &places.slots[*index];
                let at = format!("frames[i].slots[{}]", slot.number);
                let _ = writeln!(text, "{}", spoil(slot.shape, path, &at));
            }
            let _ = writeln!(text, "break;");
        }
        let _ = writeln!(text, "}}\nbreak;");
    }
    let _ = writeln!(text, "}} }}");
    text
}

/// `main` of the analysed text, or of the run: every program in a process of its own.
pub fn main_text(programs: &[Generated], is_run: bool) -> String {
    let mut text = String::new();
    if !is_run {
        text.push_str("int main(void) {\n");
        for program in programs {
            let _ = writeln!(text, "out({}start());", program.prefix);
        }
        text.push_str("return 0;\n}\n");
        return text;
    }
    text.push_str("static int (*starts[])(void) = {\n");
    for program in programs {
        let _ = writeln!(text, "{}start,", program.prefix);
    }
    text.push_str(
        "};\nint main(int argc, char **argv) {\nspoil = argc > 1;\n\
         for (unsigned i = 0; i < sizeof starts / sizeof *starts; i++) {\n\
         printf(\"=== %u\\n\", i); fflush(stdout);\npid_t child = fork();\n\
         if (child == 0) { alarm(5); out(starts[i]()); printf(\"end %u\\n\", sum); fflush(stdout); _exit(0); }\n\
         int status = 0; waitpid(child, &status, 0); printf(\"status %d\\n\", status);\n}\nreturn 0;\n}\n",
    );
    text
}
