//! Corners of the language and of the C library, as statements of the generated programs: thread-locals, macros named like
//! what they hide, structs with members that are set once, asm statements, functions that never return, memory that is
//! allocated in one branch only, handles behind typedefs, files that are closed again, signal handlers.

use super::constructs::Construct;
use super::generate::{Generator, Line};

/// What stands before the functions, with `P_` for the prefix.
pub fn declarations(construct: Construct) -> &'static str {
    match construct {
        Construct::Threads => {
            "typedef int P_whole;\n\
             static __thread int P_own = 3;\n\
             static _Thread_local P_whole P_owns[4];\n\
             static __thread P_whole *P_mine;"
        }
        Construct::Handles => {
            "typedef FILE *P_stream;\n\
             typedef int P_descriptor;\n\
             struct P_channel { int kind; P_stream to; P_descriptor fd; };\n\
             static struct P_channel P_channel1;\n\
             static P_stream P_picked(struct P_channel *from) { return from->to; }\n\
             static void P_begin(struct P_channel *one) { one->to = fopen(\"P_stream.txt\", \"w+\"); if (!one->to) exit(9); one->fd = open(\"P_descriptor.txt\", O_RDWR | O_CREAT | O_TRUNC, 0666); if (one->fd < 0) exit(9); }\n\
             static void P_finish(struct P_channel *one) { int c, all = 0; char text[8]; rewind(one->to); while ((c = getc(one->to)) != EOF) all = all * 31 + c; fclose(one->to); lseek(one->fd, 0, SEEK_SET); while (read(one->fd, text, 1) == 1) all = all * 31 + text[0]; close(one->fd); out(all); }"
        }
        Construct::Written => {
            "static void P_note(int value) { FILE *to = fopen(\"P_notes.txt\", \"a\"); if (!to) exit(9); fprintf(to, \"%d\\n\", value); fclose(to); }\n\
             static void P_replace(int value) { FILE *to = fopen(\"P_state.new\", \"w\"); if (!to) exit(9); fprintf(to, \"%d\\n\", value); fclose(to); if (rename(\"P_state.new\", \"P_state.txt\")) exit(9); }\n\
             static void P_step(int step, int value) { char name[40]; snprintf(name, sizeof name, \"P_step%d.txt\", step & 7); FILE *to = fopen(name, \"w\"); if (!to) exit(9); fprintf(to, \"%d %d\\n\", step, value); fclose(to); }\n\
             static int P_steps;"
        }
        Construct::Signals => {
            "static volatile sig_atomic_t P_signals;\n\
             static int P_caught[4];\n\
             static void P_handler(int signal) { P_signals++; P_caught[P_signals & 3] += signal; }\n\
             static void P_catch(void) { struct sigaction action; memset(&action, 0, sizeof action); action.sa_handler = P_handler; sigaction(SIGUSR1, &action, 0); }"
        }
        Construct::Escapes => {
            "static char P_marks[12] = \"a\\tb\\x41\\101\\u00e9\\\"\\\\\";\n\
             static char P_names[2][12] = { \"\\u00e4\\U0001F600z\", \"?\\?=\\0x\" };\n\
             static wchar_t P_wide[4] = L\"x\\u00e9y\";\n\
             static int P_code(const char *text, unsigned long n) { int all = 5; for (unsigned long i = 0; i < n; i++) all = all * 31 + (unsigned char)text[i]; return all; }"
        }
        Construct::Macros => {
            "static int P_tallied(int by) { static int n; n += by; return n; }\n\
             #define P_tallied(by) (P_tallied((by) & 7) + 1)\n\
             struct P_sized { int P_size; int P_first[4]; };\n\
             static struct P_sized P_sized1;\n\
             #define P_size(one) ((one).P_size + 2)\n\
             #define P_first P_first\n\
             static int P_levels[4];\n\
             #define P_level P_levels[1]\n\
             #define P_set(what, to) do { (what) = (to); } while (0)"
        }
        Construct::Named => "static int P_weight(int value) { return value ^ 21; }",
        Construct::Constant => {
            "struct P_fixed { const int kind; int value; };\n\
             static struct P_fixed P_fix(int value) { struct P_fixed one = { value & 3, value }; return one; }"
        }
        Construct::Asm => "static int P_field2[4];",
        Construct::Never => {
            "static void P_stop(int code) { printf(\"stopped %d\\n\", code); exit(code & 15); }\n\
             static __attribute__((noreturn)) void P_leave(int code) { P_stop(code); abort(); }"
        }
        Construct::Branch => {
            "static int *P_maybe;\n\
             struct P_area { int n; int *cells; struct P_area *other; };\n\
             static struct P_area P_area1;"
        }
        Construct::Unset => {
            "struct P_half { int used; int *where; char *name; };\n\
             static struct P_half *P_halved(int used, int *where) { struct P_half *one = get(sizeof *one); one->used = used & 1; if (one->used) one->where = where; return one; }"
        }
        Construct::Ends => {
            "static int P_length;\n\
             static int *P_shrunk;\n\
             static int *P_behind;"
        }
        Construct::Rounding => {
            "static int P_third(int value) { volatile double one = value, three = 3.0; return (int)((one / three - 1.0 / three) * 1e16) & 63; }"
        }
        Construct::Options => {
            "static char *P_words[] = { \"x\", \"-a\", \"-b\", \"3\", \"rest\", 0 };"
        }
        _ => "",
    }
}

/// What is done once at the beginning.
pub fn prepared(construct: Construct) -> &'static str {
    match construct {
        Construct::Signals => "P_catch();\n",
        Construct::Threads => "P_mine = P_owns;\n",
        _ => "",
    }
}

impl Generator<'_> {
    /// A function with a checkpoint in it, which may be called from all others: its head and what stands around.
    fn with_checkpoint(&mut self, head: &str, before: &str, after: &str) {
        self.prefixed(&format!("{head} {{"));
        self.made.lines.push(Line::Frame);
        self.prefixed(before);
        let number = self.made.checkpoints;
        self.made.checkpoints += 1;
        self.made.lines.push(Line::Checkpoint(number));
        self.prefixed(after);
        self.text("}");
    }

    /// Functions of these constructs that have checkpoints.
    pub fn declare_corner(&mut self, construct: Construct) {
        match construct {
            // The parameter has the name of a function.
            Construct::Named => self.with_checkpoint(
                "static int P_weighed(int P_weight, int out)",
                "P_weight += 3; if (out & 1) P_weight ^= out;",
                "return P_weight + out;",
            ),
            Construct::Constant => self.with_checkpoint(
                "static struct P_fixed P_refix(struct P_fixed from)",
                "struct P_fixed one = { from.kind + 1, from.value };",
                "one.value -= from.kind; return one;",
            ),
            Construct::Inlined => self.with_checkpoint(
                "static inline __attribute__((always_inline)) int P_quick(int value)",
                "int twice = 2 * value;",
                "return twice - 1;",
            ),
            Construct::Never => self.with_checkpoint(
                "static void P_over(int value)",
                "out(value);",
                "P_leave(value);",
            ),
            _ => {}
        }
    }

    /// A call that leads to a checkpoint.
    fn leads(&mut self, text: &str) {
        self.calls += 1;
        let text = text.replace("P_", &self.made.prefix);
        self.made.lines.push(Line::Call(self.calls, text));
    }

    /// A statement of one of these.
    pub fn corner(&mut self, construct: Construct, value: &str, place: &str) {
        let (index, name) = (self.index(), self.fresh("z"));
        match construct {
            Construct::Threads => {
                let text = match self.random.below(6) {
                    0 => format!("P_own += {value};"),
                    1 => format!("P_owns[{index}] = {value};"),
                    2 => format!("{place} = P_owns[{index}] + P_own;"),
                    3 => format!("P_mine = &P_owns[{index}];"),
                    4 => format!("*P_mine ^= {value};"),
                    _ => format!("{place} = *P_mine;"),
                };
                self.prefixed(&text);
            }
            Construct::Handles => {
                let text = match self.random.below(4) {
                    0 => format!("fprintf(P_channel1.to, \"%d\\n\", {value});"),
                    1 => format!("P_channel1.kind = {value};"),
                    2 => format!(
                        "{{ char {name}[20]; snprintf({name}, sizeof {name}, \"%d;\", {value}); if (write(P_channel1.fd, {name}, strlen({name})) < 0) exit(9); }}"
                    ),
                    _ => format!("fputs(\"picked\", P_picked(&P_channel1)); {place} = P_channel1.kind;"),
                };
                self.prefixed(&text);
            }
            Construct::Written => {
                let text = match self.random.below(3) {
                    0 => format!("P_note({value});"),
                    1 => format!("P_replace({value});"),
                    _ => format!("P_step(P_steps++, {value});"),
                };
                self.prefixed(&text);
            }
            Construct::Signals => {
                let text = match self.random.below(3) {
                    0 => "raise(SIGUSR1);".to_string(),
                    1 => format!("{place} = (int)P_signals;"),
                    _ => format!("{place} = P_caught[{index}];"),
                };
                self.prefixed(&text);
            }
            Construct::Escapes => {
                let text = match self.random.below(4) {
                    0 => format!("P_marks[{index}] = 'a' + (({value}) & 7);"),
                    1 => format!("{place} = P_code(P_marks, sizeof P_marks) + (int)sizeof P_names;"),
                    2 => format!("P_names[({value}) & 1][{index}]++;"),
                    _ => format!(
                        "P_wide[{index}] ^= ({value}) & 15; {place} = (int)(P_wide[1] + sizeof P_wide) + P_code(P_names[1], 12);"
                    ),
                };
                self.prefixed(&text);
            }
            Construct::Macros => {
                let text = match self.random.below(5) {
                    0 => format!("{{ int {name} = P_tallied({value}); {place} = {name}; }}"),
                    1 => format!("P_sized1.P_size = {value};"),
                    2 => format!("P_sized1.P_first[{index}] = P_size(P_sized1);"),
                    3 => format!("P_set(P_level, {value});"),
                    _ => format!("{place} = P_level + P_sized1.P_first[{index}];"),
                };
                self.prefixed(&text);
            }
            Construct::Named => self.leads(&format!(
                "{{ int {name} = P_weighed({value}, 4); {place} = {name} + P_weight(3); }}"
            )),
            Construct::Constant => {
                self.prefixed(&format!("{{ struct P_fixed {name} = P_fix({value});"));
                self.inside(2);
                self.leads(&format!(
                    "{{ struct P_fixed {name}b = P_refix({name}); out({name}b.kind + {name}b.value); }}"
                ));
                self.text(format!("{place} = {name}.kind + {name}.value; }}"));
            }
            Construct::Inlined => self.leads(&format!(
                "{{ int {name} = P_quick({value}); {place} = {name}; }}"
            )),
            Construct::Asm => self.asm(value, place, &index, &name),
            Construct::Literals => self.literal(value, place, &index, &name),
            Construct::Expressions => self.text(format!(
                "{place} = ({{ int {name} = 0, {name}s = 0; {name}l: {name}s += {name} * ({value}); if (++{name} < 3) goto {name}l; {name}s; }});"
            )),
            Construct::Never => match self.random.below(3) {
                0 => self.leads(&format!("if (({value}) == 13) P_over(5);")),
                1 => self.prefixed(&format!("if (({value}) == 19) P_stop(4);")),
                _ => self.prefixed(&format!("if (({value}) == 29) P_leave(6);")),
            },
            Construct::Branch => self.in_one_branch(value, place, &index, &name),
            Construct::Unset => self.unset(value, &index, &name),
            Construct::Ends => self.ends(value, place, &index, &name),
            Construct::Rounding => {
                let text = match self.random.below(2) {
                    0 => format!("fesetround(({value}) & 1 ? FE_UPWARD : FE_TONEAREST);"),
                    _ => format!("{place} = P_third({value});"),
                };
                self.prefixed(&text);
            }
            _ => {
                self.prefixed(&format!(
                    "optind = 1; for (int {name}; ({name} = getopt(5, P_words, \"ab:\")) != -1;) {{ out({name} + ({name} == 'b' ? atoi(optarg) : 0));"
                ));
                self.loops += 1;
                self.inside(1);
                self.loops -= 1;
                self.text("}");
            }
        }
    }

    fn asm(&mut self, value: &str, place: &str, index: &str, name: &str) {
        let text = match self.random.below(3) {
            0 => format!(
                "{{ int {name} = {value}; __asm__ volatile (\"\" : \"+r\" ({name})); {place} = {name}; }}"
            ),
            1 => format!(
                "{{ int {name} = {value}; __asm__ (\"\" : \"=r\" (P_field2[{index}]) : \"0\" ({name})); }}"
            ),
            _ => format!(
                "__asm__ volatile (\"\" : : \"r\" (P_field2) : \"memory\"); {place} = P_field2[{index}];"
            ),
        };
        self.prefixed(&text);
    }

    fn literal(&mut self, value: &str, place: &str, index: &str, name: &str) {
        match self.random.below(3) {
            0 => self.text(format!(
                "{place} = ((int[4]){{ {value}, 2, 3, (int)sizeof((int[]){{ 1, 2, 3 }}) }})[{index}];"
            )),
            1 => {
                self.text(format!("{{ int *{name} = (int[4]){{ {value}, 5 }};"));
                self.inside(2);
                self.text(format!("{name}[{index}]++; out({name}[0] + {name}[1]); }}"));
            }
            _ => {
                self.text(format!(
                    "{{ struct pair *{name} = &(struct pair){{ {value}, {{ 1, 2 }}, 0 }};"
                ));
                self.inside(2);
                self.text(format!("out({name}->one + {name}->many[{index}]); }}"));
            }
        }
    }

    fn in_one_branch(&mut self, value: &str, place: &str, index: &str, name: &str) {
        match self.random.below(6) {
            0 => self.prefixed(&format!(
                "if (({value}) & 1) {{ if (!P_maybe) {{ P_maybe = malloc(4 * sizeof(int)); clear(P_maybe, 4); }} }}"
            )),
            1 => self.prefixed(&format!("if (P_maybe) {place} = P_maybe[{index}];")),
            2 => self.prefixed(&format!("if (P_maybe) P_maybe[{index}] = {value};")),
            3 => self.prefixed(&format!(
                "if (!P_area1.cells && (({value}) & 2)) {{ P_area1.n = 3; P_area1.cells = calloc(P_area1.n, sizeof(int)); }}"
            )),
            4 => self.prefixed(&format!(
                "for (int {name} = 0; {name} < P_area1.n; {name}++) {{ P_area1.cells[{name}] += {name}; out(P_area1.cells[{name}]); }}"
            )),
            _ => {
                self.text(format!(
                    "{{ int *{name} = 0; if (({value}) & 1) {name} = calloc(4, sizeof *{name});"
                ));
                self.inside(2);
                self.text(format!("if ({name}) {{ out({name}[{index}]); free({name}); }} }}"));
            }
        }
    }

    fn unset(&mut self, value: &str, index: &str, name: &str) {
        let where_to = self.vector(false);
        match self.random.below(2) {
            0 => {
                self.prefixed(&format!(
                    "{{ struct P_half {name}; {name}.used = ({value}) & 1; if ({name}.used) {name}.where = {where_to};"
                ));
                self.inside(2);
                self.text(format!("if ({name}.used) out({name}.where[{index}]); }}"));
            }
            _ => {
                self.prefixed(&format!(
                    "{{ struct P_half *{name} = P_halved({value}, {where_to});"
                ));
                self.inside(2);
                self.text(format!(
                    "if ({name}->used) out({name}->where[{index}]); free({name}); }}"
                ));
            }
        }
    }

    fn ends(&mut self, value: &str, place: &str, index: &str, name: &str) {
        match self.random.below(4) {
            0 => self.prefixed(
                "if (!P_shrunk) { P_length = 6; P_shrunk = calloc(P_length, sizeof(int)); if (!P_shrunk) exit(9); P_behind = P_shrunk + 6; }",
            ),
            1 => self.prefixed(&format!(
                "if (P_shrunk && P_length > 2) {{ P_length--; P_shrunk[P_length] = {value}; }}"
            )),
            2 => self.prefixed(&format!(
                "if (P_shrunk) {{ int {name} = 0; for (int *{name}p = P_shrunk; {name}p < P_behind; {name}p++) {name} = {name} * 3 + *{name}p; {place} = {name}; }}"
            )),
            _ => {
                self.text(format!(
                    "{{ int *{name} = vector(4), *{name}o = vector(4), *{name}e = {name} + 4; clear({name}, 4); clear({name}o, 4);"
                ));
                self.inside(1);
                self.text(format!(
                    "for (int {name}i = 0; {name}i < 3; {name}i++) {{ {name}o[{index}] = {name}[1] + {name}i; int *{name}s = {name}; {name} = {name}o; {name}o = {name}s; {name}e = {name} + 4;"
                ));
                self.loops += 1;
                self.inside(2);
                self.loops -= 1;
                self.text(format!("}} out({name}e[-1] + {name}[{index}] + {name}o[1]); free({name}); free({name}o); }}"));
            }
        }
    }
}
