//! What real programs do, as statements of the generated ones: structs by value, callbacks with a context, text from library
//! functions, arrays of two dimensions and pointers to their rows, queues, parallel loops, names that hide others.

use super::constructs::Construct;
use super::generate::{Generator, Known, Line, Shape};

/// What stands before the functions, with `P_` for the prefix.
pub fn declarations(construct: Construct) -> &'static str {
    match construct {
        Construct::ByValue => {
            "struct P_by { short key; struct pair all; };\n\
             static struct P_by P_by1 = { 3, { 1, { 2, 3, 4, 5 }, 0 } };\n\
             static struct pair P_moved(struct pair one, int by) { one.one += by; one.many[by & 3] -= 2; return one; }\n\
             static struct P_by P_made(struct pair from, int key) { struct P_by made = { key, from }; return made; }"
        }
        Construct::Callback => {
            "struct P_context { int total; int *where; };\n\
             static void P_each(const int *from, int n, void (*what)(int, void *), void *context) { for (int i = 0; i < n; i++) what(from[i], context); }\n\
             static void P_add(int value, void *context) { struct P_context *c = context; c->total += value; }\n\
             static void P_keep(int value, void *context) { struct P_context *c = context; c->where[value & 3] ^= c->total; c->total++; }\n\
             static void (*P_what)(int, void *) = P_add;"
        }
        Construct::Words => {
            "static char P_text[64] = \"one-two 3\";\n\
             static char *P_at = P_text;\n\
             static char *P_kept;\n\
             static int P_hash(const char *text) { int all = 7; while (*text) all = all * 31 + *text++; return all; }"
        }
        Construct::Grid => {
            "static int P_grid[3][4] = { { 1, 2 }, { 3 } };\n\
             static int (*P_line)[4] = P_grid;\n\
             static int (*P_block2)[4];\n\
             static int P_folded(int (*m)[4], int n) { int all = 0; for (int i = 0; i < n; i++) for (int k = 0; k < 4; k++) all = all * 3 + m[i][k]; return all; }"
        }
        Construct::Queue => {
            "struct P_item { int value; struct P_item *next; };\n\
             static struct P_item *P_first;\n\
             static struct P_item **P_end = &P_first;\n\
             static void P_put(int value) { struct P_item *new = malloc(sizeof *new); if (!new) exit(9); new->value = value; new->next = 0; *P_end = new; P_end = &new->next; }\n\
             static struct P_item *P_take(void) { struct P_item *one = P_first; if (one) { P_first = one->next; if (!P_first) P_end = &P_first; one->next = 0; } return one; }"
        }
        Construct::Parallel => {
            "static long P_field[16];\n\
             static long P_summed(int n, int by) { long all = 0;\n\
             #pragma omp parallel for reduction(+:all)\n\
             for (int i = 0; i < n; i++) { P_field[i] += (long)i * by; all += P_field[i] ^ i; }\n\
             return all; }"
        }
        _ => "",
    }
}

impl Generator<'_> {
    /// A statement of one of these.
    pub fn practised(&mut self, construct: Construct, value: &str, place: &str) {
        match construct {
            Construct::ByValue => self.by_value(value, place),
            Construct::Callback => self.callback(value, place),
            Construct::Words => self.words(value, place),
            Construct::Grid => self.grid(value, place),
            Construct::Queue => self.queue(value, place),
            Construct::Parallel => self.parallel(value, place),
            _ => self.hiding(value),
        }
    }

    fn by_value(&mut self, value: &str, place: &str) {
        let Some(one) = self.of(&[Shape::Pair], true, true) else {
            return;
        };
        let (name, made) = (one.name, self.fresh("v"));
        match self.random.below(4) {
            0 => self.prefixed(&format!("{name} = P_moved({name}, {value});")),
            1 => self.prefixed(&format!(
                "P_by1 = P_made(P_moved({name}, {value}), {value});"
            )),
            2 => self.prefixed(&format!("{place} = P_made({name}, {value}).all.one;")),
            _ => {
                self.prefixed(&format!("{{ struct P_by {made} = P_made({name}, {value});"));
                self.inside(2);
                self.prefixed(&format!("{made}.all = P_moved({made}.all, 3);"));
                self.inside(1);
                self.prefixed(&format!(
                    "out({made}.key + {made}.all.one + {made}.all.many[2]); P_by1 = {made}; }}"
                ));
            }
        }
    }

    fn callback(&mut self, value: &str, place: &str) {
        let (from, to, context) = (self.vector(false), self.vector(false), self.fresh("c"));
        let what = match self.random.below(3) {
            0 => "P_add",
            1 => "P_keep",
            _ => "P_what",
        };
        match self.random.below(3) {
            0 => self.prefixed(&format!(
                "P_what = ({value}) & 1 ? P_add : P_keep;"
            )),
            1 => self.prefixed(&format!(
                "{{ struct P_context {context} = {{ {value}, {to} }}; P_each({from}, 4, {what}, &{context}); {place} = {context}.total; }}"
            )),
            _ => {
                self.prefixed(&format!(
                    "{{ struct P_context {context} = {{ {value}, {to} }}; P_each({from}, 2, {what}, &{context});"
                ));
                self.inside(2);
                self.prefixed(&format!("{what}({value}, &{context});"));
                self.inside(1);
                self.text(format!("out({context}.total); }}"));
            }
        }
    }

    fn words(&mut self, value: &str, place: &str) {
        let copy = self.fresh("s");
        match self.random.below(9) {
            0 => self.prefixed(&format!(
                "snprintf(P_text, sizeof P_text, \"%d-%s %d\", {value}, \"two\", 5);"
            )),
            1 => self.prefixed("P_at = strchr(P_text, '-'); if (!P_at) P_at = P_text;"),
            2 => self.prefixed("P_at = P_text + strspn(P_text, \"0123456789\");"),
            3 => self.prefixed(&format!("{place} = (int)strlen(P_at) + P_hash(P_at);")),
            4 => self.prefixed(&format!("{place} = atoi(P_text);")),
            5 => self.prefixed("free(P_kept); P_kept = strdup(P_at);"),
            6 => self.prefixed(&format!("if (P_kept) {place} = P_hash(P_kept);")),
            7 => {
                let (word, rest) = (self.fresh("w"), self.fresh("e"));
                self.prefixed(&format!(
                    "{{ char {copy}[64]; strcpy({copy}, P_text); char *{rest} = 0; for (char *{word} = strtok_r({copy}, \"- \", &{rest}); {word}; {word} = strtok_r(0, \"- \", &{rest})) {{ out(P_hash({word}));"
                ));
                self.loops += 1;
                self.inside(2);
                self.loops -= 1;
                self.text("} }");
            }
            _ => {
                self.prefixed(&format!(
                    "{{ char *{copy} = strdup(P_at); if (!{copy}) exit(9);"
                ));
                self.inside(2);
                self.prefixed(&format!(
                    "out(P_hash({copy}) + (strstr(P_text, \"two\") != 0));"
                ));
                self.inside(1);
                self.text(format!("free({copy}); }}"));
            }
        }
    }

    fn grid(&mut self, value: &str, place: &str) {
        let (row, index) = (self.random.below(3), self.index());
        let (name, own) = (self.fresh("r"), self.fresh("m"));
        match self.random.below(8) {
            0 => self.prefixed(&format!("P_grid[{row}][{index}] = {value};")),
            1 => self.prefixed(&format!("P_line = &P_grid[{row}];")),
            2 => self.prefixed(&format!("(*P_line)[{index}] += {value};")),
            3 => self.prefixed(&format!("{place} = P_line[0][{index}];")),
            4 => self.prefixed("if (!P_block2) { P_block2 = calloc(3, sizeof *P_block2); }"),
            5 => self.prefixed(&format!(
                "if (P_block2) {{ P_block2[{row}][{index}] = {value}; {place} = P_folded(P_block2, 3); }}"
            )),
            6 => {
                self.prefixed(&format!("{{ int *{name} = P_grid[{row}];"));
                self.inside(2);
                self.text(format!("{name}[{index}] -= 3;"));
                self.inside(1);
                self.prefixed(&format!("out({name}[1] + P_folded(P_grid, 3)); }}"));
            }
            _ => {
                self.prefixed(&format!(
                    "{{ int (*{own})[4] = malloc(2 * sizeof *{own}); if (!{own}) exit(9); memset({own}, 0, 2 * sizeof *{own}); int (*{name})[4] = {own} + 1;"
                ));
                self.inside(2);
                self.text(format!("(*{name})[{index}] = {value}; {own}[0][2]++;"));
                self.inside(1);
                self.prefixed(&format!("out(P_folded({own}, 2)); free({own}); }}"));
            }
        }
    }

    fn queue(&mut self, value: &str, place: &str) {
        let (item, counter) = (self.fresh("q"), self.fresh("i"));
        match self.random.below(5) {
            0 | 1 => self.prefixed(&format!("P_put({value});")),
            2 => self.prefixed(&format!(
                "{{ struct P_item *{item} = P_take(); if ({item}) {{ {place} = {item}->value; free({item}); }} }}"
            )),
            3 => self.prefixed(&format!(
                "for (struct P_item *{item} = P_first; {item}; {item} = {item}->next) {{ {item}->value += 2; out({item}->value); }}"
            )),
            _ => {
                self.prefixed(&format!(
                    "for (int {counter} = 0; {counter} < 2 && P_first; {counter}++) {{ struct P_item *{item} = P_take();"
                ));
                self.inside(2);
                self.prefixed(&format!("out({item}->value); P_put({value});"));
                self.inside(1);
                self.text(format!("free({item}); }}"));
            }
        }
    }

    fn parallel(&mut self, value: &str, place: &str) {
        let (total, index) = (self.fresh("t"), self.fresh("i"));
        let of = self.number(1);
        match self.random.below(3) {
            0 => self.prefixed(&format!(
                "{place} = (int)P_summed(16, {value});"
            )),
            1 => self.prefixed(&format!(
                "{{ int {total} = {value};\n#pragma omp parallel for reduction(^:{total}) schedule(static)\nfor (int {index} = 0; {index} < 16; {index}++) {{ P_field[{index}] -= {index}; {total} ^= (int)P_field[{index}] * {index}; }}\n{place} = {total}; }}"
            )),
            _ => {
                self.prefixed(&format!(
                    "{{ int {total} = 0, {total}by = {of};\n#pragma omp parallel\n{{\n#pragma omp for reduction(+:{total})\nfor (int {index} = 0; {index} < 16; {index}++) {total} += (int)P_field[{index}] * {total}by;\n#pragma omp single\nP_field[3]++;\n}}"
                ));
                self.inside(2);
                self.text(format!("out({total}); }}"));
            }
        }
    }

    /// A block with a number of its own under a name that is known outside.
    fn hiding(&mut self, value: &str) {
        let Some(one) = self.of(&[Shape::Number], true, false) else {
            return;
        };
        let name = one.name;
        let outside = self.scope.clone();
        self.scope.retain(|other| other.name != name);
        // Its value is that of the one outside, or has nothing to do with it.
        let first = match value.contains(&name) {
            true => "5",
            false => value,
        };
        self.text(format!("{{ int {name} = {first};"));
        self.scope.push(Known {
            name: name.clone(),
            shape: Shape::Number,
            fixed: false,
            lasting: false,
            inner: true,
        });
        self.inside(2);
        if self.random.once_in(3) {
            let number = self.made.checkpoints;
            self.made.checkpoints += 1;
            self.made.lines.push(Line::Checkpoint(number));
        }
        self.text(format!("{name} += 3;"));
        self.inside(1);
        self.text(format!("out({name}); }}"));
        self.scope = outside;
    }
}
