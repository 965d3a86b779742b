//! C programs of any length, for measurements: always the same for the same length.
//!
//! A program is a `main.c` with marks and modules of about a thousand lines, each with a header, types, globals, statics and
//! functions of ten sorts in turns: loops over grids, trees and lists on the heap, recursion, tables of function
//! pointers, state machines, buffers and strings, output parameters, structs by value, counters, memory that grows.
//! Every function calls the one before it and some others, of its own module or of three modules before it.

use std::fmt::Write;

/// A file's name and text.
pub type Text = (String, String);

/// Lines of a module.
const MODULE: usize = 1000;
/// How many functions of a module others may call.
const EXPORTED: usize = 4;

/// The files of a program of about so many lines; `main.c` is the last one.
pub fn program(lines: usize) -> Vec<Text> {
    let modules = (lines / MODULE).max(1);
    let each = lines.saturating_sub(60) / modules;
    let mut random = Random(88172645463325252);
    let mut files = vec![("common.h".to_owned(), COMMON.to_owned())];
    let mut exports: Vec<Vec<usize>> = Vec::new();
    for number in 0..modules {
        let module = module(number, each, &exports, &mut random);
        exports.push(module.exported);
        files.push((format!("m{number}.h"), module.header));
        files.push((format!("m{number}.c"), module.text));
    }
    files.push(("main.c".to_owned(), main_file(modules)));
    files
}

/// Xorshift: no need for more.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

struct Module {
    header: String,
    text: String,
    exported: Vec<usize>,
}

fn module(number: usize, lines: usize, exports: &[Vec<usize>], random: &mut Random) -> Module {
    let m = format!("m{number}");
    let mut text = format!("/* Module {number}. */\n#include \"{m}.h\"\n");
    let mut known = Vec::new();
    for _ in 0..3.min(number) {
        let other = random.below(number);
        if !known.contains(&other) {
            known.push(other);
            let _ = writeln!(text, "#include \"m{other}.h\"");
        }
    }
    text.push_str(&GLOBALS.replace("@", &m));
    let mut functions = 0;
    while text.lines().count() + 12 < lines || functions < EXPORTED {
        let own = |index: usize| format!("{m}_f{index}");
        let before = match functions {
            0 => "fabs(a) + 0.0 * (double)n; (void)w".to_owned(),
            _ => format!("{}(w, a, n - 1)", own(functions - 1)),
        };
        let other = match known.len() {
            0 => None,
            count if random.below(4) == 0 => {
                let module = known[random.below(count)];
                let functions = &exports[module];
                let function = functions[random.below(functions.len())];
                Some(format!("m{module}_f{function}(w, a, n - 1)"))
            }
            _ => None,
        };
        let other = match (other, functions) {
            (Some(call), _) => call,
            (None, 0) => "a".to_owned(),
            (None, _) => format!("{}(w, 0.5 * a, n - 1)", own(random.below(functions))),
        };
        let sort = SORTS[functions % SORTS.len()];
        text.push_str(
            &sort
                .replace("@BEFORE", &before)
                .replace("@OTHER", &other)
                .replace("@F", &own(functions))
                .replace("@", &m),
        );
        functions += 1;
    }
    let exported: Vec<usize> = (functions - EXPORTED..functions).collect();
    let names: Vec<String> = exported
        .iter()
        .map(|index| format!("{m}_f{index}"))
        .collect();
    let _ = write!(
        text,
        "\nstatic const rule {m}_rules[] = {{{}}};\n{}",
        names.join(", "),
        STEP.replace("@", &m)
    );
    let mut header = format!("#ifndef {m}_h\n#define {m}_h\n#include \"common.h\"\n");
    for name in &names {
        let _ = writeln!(header, "double {name}(struct world *w, double a, int n);");
    }
    let _ = writeln!(header, "double {m}_step(struct world *w);\n#endif");
    Module {
        header,
        text,
        exported,
    }
}

fn main_file(modules: usize) -> String {
    let mut text = String::from("/* The program. */\n");
    for number in 0..modules {
        let _ = writeln!(text, "#include \"m{number}.h\"");
    }
    text.push_str(MAIN_BEGIN);
    for number in 0..modules {
        let _ = writeln!(text, "        sum += m{number}_step(&world);");
    }
    text.push_str(MAIN_END);
    text
}

const COMMON: &str = r#"#ifndef common_h
#define common_h
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vector {
    double x, y, z;
};
struct node {
    int key;
    double weight;
    struct node *left, *right;
};
struct cell {
    struct cell *next;
    struct vector place;
    int values[4];
};
struct grid {
    int rows, columns;
    double *now, *old;
    double residual;
};
struct world {
    long step;
    double time;
    struct grid grid;
    struct node *tree;
    struct cell *list;
    struct vector box[2];
    int counts[16];
    char title[64];
};
enum phase { START, RUN, WAIT, STOP };
typedef double (*rule)(struct world *, double, int);
#endif
"#;

const GLOBALS: &str = r#"
struct @_state {
    struct vector centre, corner[2];
    double values[32];
    int used;
    enum phase phase;
    rule chosen;
};

double @_total;
static struct @_state @_state;
static int @_counter;
static double @_table[64];
static struct cell *@_pool;
"#;

/// Called with the world, a number and a bound for recursion.
const SORTS: [&str; 10] = [
    r#"
double @F(struct world *w, double a, int n)
{
    struct grid *g = &w->grid;
    double sum = 0.0;

    if (n <= 0)
        return a;
    for (int row = 1; row < g->rows - 1; row++)
        for (int column = 1; column < g->columns - 1; column++) {
            int i = row * g->columns + column;
            g->now[i] = 0.25 * (g->old[i - 1] + g->old[i + 1] + g->old[i - g->columns] + g->old[i + g->columns]);
            sum += fabs(g->now[i] - g->old[i]);
        }
    double *swap = g->now;
    g->now = g->old;
    g->old = swap;
    g->residual = sum;
    sum += @BEFORE;
    return sum + @OTHER;
}
"#,
    r#"
static struct node *@F_insert(struct node *at, int key, double weight)
{
    if (at == NULL) {
        at = malloc(sizeof *at);
        if (at == NULL)
            exit(1);
        at->key = key;
        at->weight = weight;
        at->left = at->right = NULL;
    } else if (key < at->key) {
        at->left = @F_insert(at->left, key, weight);
    } else if (key > at->key) {
        at->right = @F_insert(at->right, key, weight);
    } else {
        at->weight += weight;
    }
    return at;
}

double @F(struct world *w, double a, int n)
{
    if (n <= 0)
        return a;
    for (int i = 0; i < n; i++)
        w->tree = @F_insert(w->tree, (i * 7919 + @_counter) % 1009, a);
    @_counter++;
    double first = @BEFORE;
    return first + @OTHER;
}
"#,
    r#"
static double @F_visit(const struct node *at, int depth)
{
    double sum;

    if (at == NULL || depth > 40)
        return 0.0;
    sum = @F_visit(at->left, depth + 1);
    sum += at->weight * (at->key % 3 == 0 ? 1.0 : -0.5);
    return sum + @F_visit(at->right, depth + 1);
}

double @F(struct world *w, double a, int n)
{
    struct cell **place = &w->list;

    if (n <= 0)
        return a;
    while (*place != NULL) {
        struct cell *one = *place;
        if (one->values[0] < 0) {
            *place = one->next;
            one->next = @_pool;
            @_pool = one;
        } else {
            one->values[1] += one->values[0]--;
            place = &one->next;
        }
    }
    double first = @BEFORE;
    return first + @F_visit(w->tree, 0) + @OTHER;
}
"#,
    r#"
double @F(struct world *w, double a, int n)
{
    struct @_state *s = &@_state;

    if (n <= 0)
        return a;
    for (;;) {
        switch (s->phase) {
        case START:
            s->used = 0;
            s->phase = RUN;
            break;
        case RUN:
            if (s->used == 32) {
                s->phase = STOP;
                continue;
            }
            s->values[s->used] = a * s->used;
            s->used += 1;
            s->phase = s->used % 5 == 0 ? WAIT : RUN;
            break;
        case WAIT:
            w->counts[s->used % 16]++;
            s->phase = RUN;
            break;
        case STOP:
            goto done;
        }
    }
done:
    s->phase = START;
    a = @BEFORE;
    return a + @OTHER;
}
"#,
    r#"
double @F(struct world *w, double a, int n)
{
    char text[128];
    double copy[16];
    size_t length;

    if (n <= 0)
        return a;
    memset(copy, 0, sizeof copy);
    memcpy(copy, @_table, 8 * sizeof copy[0]);
    snprintf(text, sizeof text, "%s %ld %.3f", w->title, w->step, a);
    length = strlen(text);
    for (size_t i = 0; i < length; i++)
        copy[i % 16] += text[i] == ' ' ? 1.0 : (double)text[i] / 128.0;
    if (length > 100)
        fprintf(stderr, "%s\n", text);
    memmove(@_table, copy, sizeof copy);
    a = @BEFORE;
    return copy[3] + a + @OTHER;
}
"#,
    r#"
static void @F_moments(const double *in, int count, double *mean, double *variance)
{
    double sum = 0.0, square = 0.0;

    for (int i = 0; i < count; i++) {
        sum += in[i];
        square += in[i] * in[i];
    }
    *mean = count > 0 ? sum / count : 0.0;
    *variance = count > 0 ? square / count - *mean * *mean : 0.0;
}

double @F(struct world *w, double a, int n)
{
    double mean, variance;

    if (n <= 0)
        return a;
    @F_moments(@_table, 64, &mean, &variance);
    @F_moments(w->grid.now, w->grid.rows * w->grid.columns, &a, &@_total);
    a += mean > variance ? mean : variance;
    a += @BEFORE;
    return a + @OTHER;
}
"#,
    r#"
static struct vector @F_mix(struct vector one, struct vector other, double part)
{
    struct vector sum = {one.x + part * other.x, one.y + part * other.y, one.z + part * other.z};
    return sum;
}

double @F(struct world *w, double a, int n)
{
    struct @_state copy = @_state;

    if (n <= 0)
        return a;
    copy.centre = @F_mix(w->box[0], w->box[1], 0.5);
    copy.corner[n & 1] = @F_mix(copy.centre, w->box[n % 2], a);
    for (struct cell *one = w->list; one != NULL; one = one->next) {
        one->place = @F_mix(one->place, copy.centre, 0.1);
        copy.values[one->values[2] & 31] += one->place.x;
    }
    if (copy.centre.x > @_state.centre.x && a > 0.0)
        @_state = copy;
    a = @BEFORE;
    return copy.centre.y + a + @OTHER;
}
"#,
    r#"
double @F(struct world *w, double a, int n)
{
    static int calls;
    static double best = 1e9;

    if (n <= 0)
        return a;
    calls++;
    for (int i = 0; i < 64; i++) {
        @_table[i] = 0.5 * (@_table[i] + a * sin(0.1 * i));
        best = @_table[i] < best ? @_table[i] : best;
    }
    if (calls % 100 == 0)
        printf("%d calls, best %g\n", calls, best);
    w->counts[calls & 15] ^= calls;
    @_total += best;
    a = @BEFORE;
    return best + a + @OTHER;
}
"#,
    r#"
static int @F_grow(struct grid *g, int rows)
{
    double *more;

    if (rows <= g->rows)
        return 0;
    more = realloc(g->now, (size_t)rows * (size_t)g->columns * sizeof *more);
    if (more == NULL)
        return -1;
    for (int i = g->rows * g->columns; i < rows * g->columns; i++)
        more[i] = 0.0;
    g->now = more;
    free(g->old);
    g->old = calloc((size_t)rows * (size_t)g->columns, sizeof *g->old);
    g->rows = rows;
    return 1;
}

double @F(struct world *w, double a, int n)
{
    if (n <= 0 || @F_grow(&w->grid, w->grid.rows + n % 2) < 0)
        return a;
    w->grid.residual *= 0.5;
    a = @BEFORE;
    return w->grid.residual + a + @OTHER;
}
"#,
    r#"
double @F(struct world *w, double a, int n)
{
    int order[16];
    rule next = @_state.chosen;

    if (n <= 0)
        return a;
    for (int i = 0; i < 16; i++)
        order[i] = i;
    for (int i = 1; i < 16; i++) {
        int one = order[i], k = i;
        while (k > 0 && w->counts[order[k - 1]] > w->counts[one]) {
            order[k] = order[k - 1];
            k--;
        }
        order[k] = one;
    }
    if (next != NULL && w->counts[order[0]] > 0)
        a += next(w, a, n - 1);
    a += @BEFORE;
    return (double)order[15] + a + @OTHER;
}
"#,
];

const STEP: &str = r#"
double @_step(struct world *w)
{
    double sum = 0.0;

    for (unsigned i = 0; i < sizeof @_rules / sizeof @_rules[0]; i++) {
        @_state.chosen = @_rules[(i + 1) % 4];
        sum += @_rules[i](w, w->time, 3);
    }
    return sum + @_total;
}
"#;

const MAIN_BEGIN: &str = r#"
int main(int argc, char **argv)
{
#pragma cccp init
    long steps = argc > 1 ? atol(argv[1]) : 10;
    static struct world world;
    double sum = 0.0;
    long step;

    world.grid.rows = world.grid.columns = 64;
    world.grid.now = calloc(64 * 64, sizeof(double));
    world.grid.old = calloc(64 * 64, sizeof(double));
#pragma cccp register(steps, step, sum, world)
#pragma cccp register(world.grid.now[world.grid.rows * world.grid.columns])

    for (step = 0; step < steps; step++) {
#pragma cccp checkpoint every(10)
        world.step = step;
"#;

const MAIN_END: &str = r#"        world.time += 0.01;
    }
    printf("%ld %.17g\n", steps, sum);
#pragma cccp shutdown
    return 0;
}
"#;
