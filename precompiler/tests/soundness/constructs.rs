//! Constructs that some of the generated programs have, and their statements: unions, files, memory that grows, many
//! pointers to one block, jumps back, arrays of variable length, structs of many types, pointers to functions.

use super::corners;
use super::generate::{Generator, Shape, Slot};
use super::practice::declarations;
use super::random::Random;

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Construct {
    /// Unions of numbers.
    Union,
    /// A union that holds a pointer now and then, and a tag that says when.
    Tagged,
    /// A file that is open from beginning to end, and others for a block.
    Files,
    /// Memory that is enlarged and freed.
    Growing,
    /// Rows that lie in one block, and the block.
    Rows,
    /// Several pointers to the same memory, of which the program has had some from its beginning.
    Shared,
    /// `goto` back, and out of two loops.
    Back,
    /// Arrays of variable length, of two dimensions.
    Variable,
    /// Structs with small numbers, text, floating numbers and bit-fields.
    Mixed,
    /// A pointer to functions that is assigned to.
    Operation,
    /// Structs that are given and returned by value.
    ByValue,
    /// Functions that are called back with a context.
    Callback,
    /// Text, and pointers into it that library functions gave.
    Words,
    /// Arrays of two dimensions and pointers to their rows.
    Grid,
    /// A list that grows at its end and shrinks at its beginning.
    Queue,
    /// Parallel loops.
    Parallel,
    /// Names that hide others.
    Hiding,
    /// Variables of a thread.
    Threads,
    /// Streams and descriptors behind typedefs, in structs, from helpers.
    Handles,
    /// Files that are written and closed again: appended to, renamed, one for each step.
    Written,
    /// Handlers of signals.
    Signals,
    /// Strings with all sorts of escapes.
    Escapes,
    /// Macros named like functions, members and variables.
    Macros,
    /// Parameters named like functions.
    Named,
    /// Structs with members that are set once.
    Constant,
    /// Functions that have to be inlined.
    Inlined,
    /// asm statements.
    Asm,
    /// Compound literals.
    Literals,
    /// Loops of `goto` in statement expressions.
    Expressions,
    /// Functions that never return.
    Never,
    /// Memory that is allocated in one branch.
    Branch,
    /// Pointers that nobody has set.
    Unset,
    /// Pointers to ends, that swap; counts that shrink.
    Ends,
    /// The rounding mode.
    Rounding,
    /// `getopt`.
    Options,
}

impl Construct {
    const ALL: [Construct; 29] = [
        Construct::Union,
        Construct::Tagged,
        Construct::Files,
        Construct::Growing,
        Construct::Rows,
        Construct::Shared,
        Construct::Back,
        Construct::Variable,
        Construct::Mixed,
        Construct::Operation,
        Construct::ByValue,
        Construct::Callback,
        Construct::Words,
        Construct::Grid,
        Construct::Queue,
        Construct::Parallel,
        Construct::Hiding,
        Construct::Handles,
        Construct::Escapes,
        Construct::Macros,
        Construct::Named,
        Construct::Constant,
        Construct::Inlined,
        Construct::Asm,
        Construct::Literals,
        Construct::Expressions,
        Construct::Never,
        Construct::Branch,
        Construct::Ends,
    ];

    /// Those that are asked for with CCCP_CONSTRUCTS=all.
    const MORE: [Construct; 6] = [
        Construct::Threads,
        Construct::Written,
        Construct::Signals,
        Construct::Rounding,
        Construct::Options,
        Construct::Unset,
    ];

    /// Those of a program.
    pub fn some(random: &mut Random) -> Vec<Construct> {
        let more = std::env::var_os("CCCP_CONSTRUCTS").is_some_and(|asked| asked == "all");
        let more = Construct::MORE.into_iter().filter(|_| more);
        let chosen = Construct::ALL.into_iter().chain(more);
        let chosen = chosen.filter(|one| match one {
            // Mostly refused.
            Construct::Tagged => random.once_in(25),
            _ => random.once_in(9),
        });
        chosen.collect()
    }

    /// What stands before the functions, with `P_` for the prefix.
    fn declarations(self) -> &'static str {
        match self {
            Construct::Union => {
                "union P_either { int number; unsigned char bytes[8]; int two[2]; long wide; };\n\
                 static union P_either P_either1 = { .wide = 5 };\n\
                 static union P_either P_eithers[3];"
            }
            Construct::Tagged => {
                "struct P_tagged { int tag; union { int number; int *where; } is; };\n\
                 static struct P_tagged P_tagged1;"
            }
            Construct::Files => {
                "static FILE *P_log;\nstatic int P_files;\n\
                 static FILE *P_open(int number, const char *mode) { char name[32]; snprintf(name, sizeof name, \"P_%d.txt\", number); FILE *new = fopen(name, mode); if (!new) exit(9); return new; }\n\
                 static void P_read(FILE *file) { int c, all = 0; while ((c = getc(file)) != EOF) all = all * 31 + c; out(all); }"
            }
            Construct::Growing => {
                "struct P_grown { int *data; int used, room; };\n\
                 static struct P_grown P_grown1;\n\
                 static void P_push(struct P_grown *to, int value) { if (to->used == to->room) { to->room = to->room ? 2 * to->room : 2; to->data = realloc(to->data, to->room * sizeof(int)); if (!to->data) exit(9); } to->data[to->used++] = value; }\n\
                 static int P_pop(struct P_grown *from) { return from->used > 0 ? from->data[--from->used] : 0; }\n\
                 static void P_drop(struct P_grown *one) { free(one->data); one->data = 0; one->used = one->room = 0; }"
            }
            Construct::Rows => "static int **P_rows;\nstatic int *P_block;",
            Construct::Mixed => {
                "enum P_kind { P_FIRST, P_SECOND, P_THIRD };\n\
                 struct P_mixed { char name[12]; double weight; short small; unsigned bits : 5; signed more : 7; _Bool set; long long wide; enum P_kind kind; };\n\
                 static struct P_mixed P_mixed1;\nstatic struct P_mixed P_mixeds[3];\n\
                 static int P_seen(const struct P_mixed *one) { return (int)one->weight + one->small + (int)one->bits + one->more + one->set + (int)one->wide + (int)one->kind + one->name[0]; }"
            }
            Construct::Operation => {
                "static int P_twice(int value) { return 2 * value; }\n\
                 static int P_less(int value) { static int by; by++; return value - by; }\n\
                 static int (*P_operation)(int) = P_twice;"
            }
            Construct::Variable => {
                "static int P_total(int n, int m[n][n]) { int all = 0; for (int i = 0; i < n; i++) for (int k = 0; k < n; k++) all = all * 3 + m[i][k]; return all; }"
            }
            Construct::Shared | Construct::Back => "",
            other => match declarations(other) {
                "" => corners::declarations(other),
                text => text,
            },
        }
    }
}

impl Generator<'_> {
    /// Text with `P_` for the prefix.
    pub fn prefixed(&mut self, text: &str) {
        let text = text.replace("P_", &self.made.prefix);
        for line in text.lines() {
            self.text(line);
        }
    }

    /// Declares what the program's constructs need, and `prepare`, which is called at the beginning or before.
    pub fn declare_constructs(&mut self) {
        let mut prepared = String::new();
        for construct in self.constructs.clone() {
            self.prefixed(construct.declarations());
            self.declare_corner(construct);
            prepared.push_str(corners::prepared(construct));
            match construct {
                Construct::Rows => prepared.push_str(
                    "P_block = calloc(12, sizeof(int)); P_rows = malloc(3 * sizeof(int *)); for (int i = 0; i < 3; i++) P_rows[i] = P_block + 4 * i;\n",
                ),
                Construct::Shared => prepared.push_str(&self.shared()),
                _ => {}
            }
        }
        self.prefixed("static int P_ready;\nstatic void P_prepare(void) {\nif (P_ready) return;\nP_ready = 1;");
        self.prefixed(&prepared);
        self.text("}");
    }

    /// What makes the pointers among the globals lead to two blocks.
    fn shared(&mut self) -> String {
        let globals = self.made.globals.iter();
        let of = |shape: Shape| -> Vec<String> {
            let fitting = globals.clone().filter(|slot: &&Slot| slot.shape == shape);
            fitting.map(|slot| slot.name.clone()).collect()
        };
        let mut text = String::new();
        let (vectors, links, pointers) = (of(Shape::Vector), of(Shape::Link), of(Shape::Pointer));
        if let Some((first, others)) = vectors.split_first() {
            text += &format!("{first} = malloc(4 * sizeof(int)); clear({first}, 4);\n");
            for other in others {
                text += &format!("{other} = {first};\n");
            }
            for pointer in pointers {
                text += &format!("{pointer} = {first} + 2;\n");
            }
        }
        if let Some((first, others)) = links.split_first() {
            text += &format!("{first} = make(4); {first}->next = {first};\n");
            for other in others {
                text += &format!(
                    "{other} = make(5); {other}->next = {first}; {first}->next = {other};\n"
                );
            }
        }
        text
    }

    /// What opens and closes the program, around the call of its first function.
    pub fn around(&self) -> (String, String) {
        let mut around = (String::new(), String::new());
        for (construct, before, after) in [
            (
                Construct::Files,
                "P_log = P_open(P_files++, \"w+\");",
                "rewind(P_log); P_read(P_log); fclose(P_log);",
            ),
            (
                Construct::Handles,
                "P_begin(&P_channel1);",
                "P_finish(&P_channel1);",
            ),
        ] {
            if self.constructs.contains(&construct) {
                around.0 += before;
                around.1 += after;
            }
        }
        around
    }

    /// A statement of one of the program's constructs.
    pub fn construct(&mut self) {
        let Some(construct) = self.random.pick(&self.constructs.clone()).copied() else {
            return;
        };
        let value = self.number(2);
        let place = self.place();
        match construct {
            Construct::Union => self.union(&value, &place),
            Construct::Tagged => {
                let pointer = self.pointer(true);
                let text = match self.random.below(3) {
                    0 => format!("P_tagged1.tag = 0; P_tagged1.is.number = {value};"),
                    1 => format!("P_tagged1.tag = 1; P_tagged1.is.where = {pointer};"),
                    _ => format!(
                        "{place} = P_tagged1.tag ? *P_tagged1.is.where : P_tagged1.is.number;"
                    ),
                };
                self.prefixed(&text);
            }
            Construct::Files => self.file(&value, &place),
            Construct::Growing => self.growing(&value, &place),
            Construct::Rows => {
                let (row, other, index) =
                    (self.random.below(3), self.random.below(3), self.index());
                let text = match self.random.below(5) {
                    0 => format!("P_rows[{row}][{index}] = {value};"),
                    1 => format!("P_block[{row} * 4 + ({index})] = {value};"),
                    2 => format!("{place} = P_rows[{row}][{index}];"),
                    3 => format!("{place} = P_block[{row} + ({index})];"),
                    _ => format!(
                        "{{ int *row = P_rows[{row}]; P_rows[{row}] = P_rows[{other}]; P_rows[{other}] = row; }}"
                    ),
                };
                self.prefixed(&text);
            }
            Construct::Shared => {
                for kind in [Shape::Vector, Shape::Link] {
                    let Some(one) = self.of(&[kind], true, true) else {
                        continue;
                    };
                    let (name, index) = (one.name, self.index());
                    self.text(match kind {
                        Shape::Vector => format!("{name}[{index}] += {value};"),
                        _ => format!(
                            "if ({name} && {name}->next) {name}->next->many[{index}] = {value};"
                        ),
                    });
                }
            }
            Construct::Back => self.back(&value),
            Construct::Variable => {
                let (n, m) = (self.fresh("n"), self.fresh("m"));
                self.text(format!(
                    "{{ int {n} = 1 + (({value}) & 3); int {m}[{n}][{n}]; for (int i = 0; i < {n}; i++) for (int k = 0; k < {n}; k++) {m}[i][k] = i - k;"
                ));
                self.inside(2);
                self.text(format!("{m}[{n} - 1][0] = {place};"));
                self.inside(1);
                self.prefixed(&format!("out(P_total({n}, {m})); }}"));
            }
            Construct::Mixed => self.mixed(&value, &place),
            Construct::Operation => {
                let text = match self.random.below(3) {
                    0 => "P_operation = P_less;".to_string(),
                    1 => format!("P_operation = ({value}) & 1 ? P_twice : P_less;"),
                    _ => {
                        let result = self.fresh("r");
                        format!("{{ int {result} = P_operation({value}); {place} = {result}; }}")
                    }
                };
                self.prefixed(&text);
            }
            Construct::ByValue
            | Construct::Callback
            | Construct::Words
            | Construct::Grid
            | Construct::Queue
            | Construct::Parallel
            | Construct::Hiding => self.practised(construct, &value, &place),
            other => self.corner(other, &value, &place),
        }
    }

    fn union(&mut self, value: &str, place: &str) {
        let one = match self.random.below(3) {
            0 => "P_either1".to_string(),
            _ => format!("P_eithers[{}]", self.random.below(3)),
        };
        let index = self.index();
        let text = match self.random.below(8) {
            0 => format!("{one}.number = {value};"),
            1 => format!("{one}.bytes[{index}] = {value};"),
            2 => format!("{one}.wide = {value};"),
            3 => format!("{place} = {one}.two[({index}) & 1];"),
            4 => format!("{place} = {one}.bytes[({index}) + 4];"),
            5 => format!("P_either1 = {one};"),
            6 => format!("{{ int *half = &{one}.two[1]; *half ^= {value}; }}"),
            _ => {
                let name = self.fresh("u");
                self.prefixed(&format!(
                    "{{ union P_either {name} = {{ .wide = {value} }};"
                ));
                self.inside(2);
                self.text(format!("{name}.bytes[{index}] += 3;"));
                self.inside(1);
                format!("out({name}.two[0] + {name}.two[1]); {one} = {name}; }}")
            }
        };
        self.prefixed(&text);
    }

    fn file(&mut self, value: &str, place: &str) {
        let name = self.fresh("f");
        let text = match self.random.below(8) {
            0 | 1 => format!("fprintf(P_log, \"%d\\n\", {value});"),
            2 => "fputs(\"some text\", P_log);".to_string(),
            3 => {
                let from = self.vector(false);
                format!("fwrite({from}, sizeof(int), 4, P_log);")
            }
            4 => format!("{place} = (int)ftell(P_log);"),
            5 => {
                // What is written to a file and read from another.
                let number = self.fresh("k");
                self.prefixed(&format!(
                    "if (P_files < 200) {{ int {number} = P_files++; FILE *{name} = P_open({number}, \"w\"); for (int k = 0; k < 4; k++) fprintf({name}, \"%d \", k + ({value}));"
                ));
                self.inside(1);
                self.prefixed(&format!(
                    "fclose({name}); {name} = P_open({number}, \"r\"); int {number}v = 0; while (fscanf({name}, \"%d\", &{number}v) == 1) {{ out({number}v);"
                ));
                self.loops += 1;
                self.inside(1);
                self.loops -= 1;
                format!("}} fclose({name}); }}")
            }
            _ => {
                self.prefixed(&format!(
                    "if (P_files < 200) {{ FILE *{name} = P_open(P_files++, \"w+\"); fprintf({name}, \"%d\", {value});"
                ));
                self.inside(2);
                self.prefixed(&format!("fputs(\"end\", {name});"));
                self.inside(1);
                format!("rewind({name}); P_read({name}); fclose({name}); }}")
            }
        };
        self.prefixed(&text);
    }

    fn growing(&mut self, value: &str, place: &str) {
        let text = match self.random.below(7) {
            0..=2 => format!("P_push(&P_grown1, {value});"),
            3 => {
                let result = self.fresh("r");
                format!("{{ int {result} = P_pop(&P_grown1); {place} = {result}; }}")
            }
            4 => format!(
                "if (P_grown1.used > 0) {place} = P_grown1.data[(unsigned)({value}) % P_grown1.used];"
            ),
            5 => "P_drop(&P_grown1);".to_string(),
            _ => {
                let name = self.fresh("h");
                self.prefixed(&format!(
                    "{{ struct P_grown {name} = {{ 0, 0, 0 }}; P_push(&{name}, {value});"
                ));
                self.inside(2);
                self.prefixed(&format!("P_push(&{name}, {value}); P_push(&{name}, 4);"));
                self.inside(1);
                format!("out(P_pop(&{name}) + P_pop(&{name})); P_drop(&{name}); }}")
            }
        };
        self.prefixed(&text);
    }

    fn back(&mut self, value: &str) {
        let (label, counter) = (self.fresh("again"), self.fresh("i"));
        if self.random.once_in(2) {
            self.text(format!("{{ int {counter} = 0; {label}: ;"));
            self.inside(2);
            self.text(format!("if (++{counter} < 3) goto {label}; }}"));
            return;
        }
        let other = self.fresh("k");
        self.text(format!(
            "for (int {counter} = 0; {counter} < 2; {counter}++) for (int {other} = 0; {other} < 2; {other}++) {{"
        ));
        self.loops += 1;
        self.inside(2);
        self.loops -= 1;
        self.text(format!("if (({value}) & 1) goto {label}; }}"));
        self.text(format!("{label}: ;"));
    }

    fn mixed(&mut self, value: &str, place: &str) {
        let one = match self.random.below(3) {
            0 => "P_mixed1".to_string(),
            _ => format!("P_mixeds[{}]", self.random.below(3)),
        };
        let text = match self.random.below(9) {
            0 => format!("snprintf({one}.name, sizeof {one}.name, \"%d\", {value});"),
            1 => format!("{one}.weight = {one}.weight / 2 + (({value}) & 255);"),
            2 => format!("{one}.bits = {value};"),
            3 => format!("{one}.more = {value}; {one}.set = {value};"),
            4 => format!("{one}.wide += {value};"),
            5 => format!("{one}.kind = ({value}) & 1 ? P_SECOND : P_THIRD;"),
            6 => format!("P_mixed1 = {one};"),
            7 => format!("{place} = P_seen(&{one});"),
            _ => {
                let name = self.fresh("m");
                self.prefixed(&format!("{{ struct P_mixed {name} = {one};"));
                self.inside(2);
                self.text(format!("{name}.bits++; {name}.small -= 3;"));
                self.inside(1);
                format!("out(P_seen(&{name})); {one} = {name}; }}")
            }
        };
        self.prefixed(&text);
    }
}
