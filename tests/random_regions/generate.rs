//! Programs with a time loop inside of a parallel region, whose output does not depend on which thread is faster.
//!
//! What threads share is written by one of them per element, or added up in unsigned numbers, whose order does not matter. What a
//! thread has of its own depends on its number, or goes into such a sum only. Between a write and other threads' reads stands a
//! barrier.

mod constructs;

use std::fmt::Write;

use super::random::Random;

/// Elements of each shared array.
const LENGTH: usize = 48;

/// How a number that each thread has of its own comes to be.
#[derive(Clone, Copy, PartialEq)]
enum Own {
    Declared,
    Private,
    First,
    Reduction,
    OfThread,
    ArrayOfThread,
    Heap,
    Array,
    Record,
    Pointer,
    /// In an array of the thread whose length it has of its own.
    Length,
    /// In a copy of an array whose length is known before the region.
    CopiedLength,
}

/// The state of the generator.
pub struct Generator<'r> {
    random: &'r mut Random,
    /// Functions, before `main`.
    functions: String,
    /// The body that is written.
    body: String,
    /// Numbers of each thread that depend on its number only.
    own: Vec<String>,
    /// Numbers of each thread that go into sums only.
    partial: Vec<String>,
    /// Threads may be reading shared arrays since the last barrier.
    read: bool,
    names: usize,
    indent: usize,
    /// Threads come unequally often to what is written now.
    is_apart: bool,
    /// Checkpoints are put by hand.
    by_hand: bool,
    has_checkpoint: bool,
}

/// A program. With `by_hand` some checkpoints are there already.
pub fn generate(random: &mut Random, by_hand: bool) -> String {
    let mut generator = Generator {
        random,
        functions: String::new(),
        body: String::new(),
        own: Vec::new(),
        partial: Vec::new(),
        read: true,
        names: 0,
        indent: 0,
        is_apart: false,
        by_hand,
        has_checkpoint: false,
    };
    generator.program()
}

impl Generator<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.body, "{}{text}", "    ".repeat(self.indent));
    }

    fn open(&mut self, text: &str) {
        self.line(text);
        self.indent += 1;
    }

    fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }

    fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    fn number(&mut self) -> usize {
        1 + self.random.below(97)
    }

    fn array(&mut self) -> String {
        format!("s{}", self.random.below(3))
    }

    fn total(&mut self) -> String {
        format!("t{}", self.random.below(3))
    }

    fn own(&mut self) -> String {
        let own = self.own.clone();
        self.random.pick(&own).cloned().unwrap_or_default()
    }

    fn partial(&mut self) -> String {
        let partial = self.partial.clone();
        self.random.pick(&partial).cloned().unwrap_or_default()
    }

    /// A declaration before the region: of a local, of a static one, or at file scope.
    fn outside(&mut self, declaration: &str, globals: &mut String, before: &mut String) {
        let _ = match self.random.below(4) {
            0 => writeln!(globals, "static {declaration}"),
            1 => writeln!(before, "static {declaration}"),
            _ => writeln!(before, "{declaration}"),
        };
    }

    fn program(&mut self) -> String {
        let kinds = [
            Own::Declared,
            Own::Private,
            Own::First,
            Own::Reduction,
            Own::OfThread,
            Own::ArrayOfThread,
            Own::Heap,
            Own::Array,
            Own::Record,
            Own::Pointer,
            Own::Length,
            Own::CopiedLength,
        ];
        let wanted: Vec<Own> = (0..2 + self.random.below(4))
            .filter_map(|_| self.random.pick(&kinds).copied())
            .collect();
        let (mut globals, mut before, mut clauses) = (String::new(), String::new(), String::new());
        let (mut begin, mut end, mut lengths) = (String::new(), String::new(), String::new());
        for kind in wanted {
            let number = self.number();
            let is_partial = kind == Own::Reduction || self.random.once_in(3);
            let name = self.name(if is_partial { "q" } else { "x" });
            match kind {
                Own::Declared => {
                    let _ = writeln!(begin, "unsigned {name} = {number}u;");
                }
                Own::Private => {
                    self.outside(&format!("unsigned {name} = 3u;"), &mut globals, &mut before);
                    let _ = write!(clauses, " private({name})");
                    let _ = writeln!(begin, "{name} = {number}u;");
                }
                Own::First => {
                    self.outside(
                        &format!("unsigned {name} = {number}u;"),
                        &mut globals,
                        &mut before,
                    );
                    let _ = write!(clauses, " firstprivate({name})");
                }
                Own::Reduction => {
                    self.outside(
                        &format!("unsigned {name} = {number}u;"),
                        &mut globals,
                        &mut before,
                    );
                    let _ = write!(clauses, " reduction(+ : {name})");
                }
                Own::OfThread => {
                    let _ = write!(
                        globals,
                        "static unsigned {name} = {number}u;\n#pragma omp threadprivate({name})\n"
                    );
                }
                Own::ArrayOfThread => {
                    let _ = write!(
                        globals,
                        "static unsigned {name}[3] = {{{number}u, 1u}};\n#pragma omp threadprivate({name})\n"
                    );
                    let name = format!("{name}[{}]", self.random.below(3));
                    self.keep(name, is_partial);
                    continue;
                }
                Own::Array => {
                    self.outside(
                        &format!("unsigned {name}[5] = {{{number}u, 2u}};"),
                        &mut globals,
                        &mut before,
                    );
                    let _ = write!(clauses, " firstprivate({name})");
                    let name = format!("{name}[{}]", self.random.below(5));
                    self.keep(name, is_partial);
                    continue;
                }
                Own::Record => {
                    let _ = writeln!(
                        begin,
                        "struct record {name} = {{{number}u, NULL, 1}};\n{name}.to = &{name}.a;"
                    );
                    // A small one wraps earlier, which only one that depends on nothing but the thread may do.
                    let members = if is_partial { 1 } else { 2 };
                    let member = ["a", "small"][self.random.below(members)];
                    let name = match self.random.below(2) {
                        0 => format!("{name}.{member}"),
                        _ => format!("*{name}.to"),
                    };
                    self.keep(format!("({name})"), is_partial);
                    continue;
                }
                Own::Pointer => {
                    let _ = writeln!(
                        begin,
                        "unsigned base{name} = {number}u, *{name} = me % 2 ? &base{name} : malloc(sizeof *{name});\n*{name} = {number}u;"
                    );
                    let _ = writeln!(end, "if (me % 2 == 0)\n    free({name});");
                    self.keep(format!("(*{name})"), is_partial);
                    continue;
                }
                Own::Length => {
                    let _ = writeln!(
                        begin,
                        "const int n{name} = 3 + me % 2;\nunsigned {name}[n{name}];\nfor (int k = 0; k < n{name}; k++)\n    {name}[k] = {number}u + k;"
                    );
                    self.keep(format!("{name}[n{name} - 2]"), is_partial);
                    continue;
                }
                Own::CopiedLength => {
                    let length = 2 + self.random.below(4);
                    let _ = writeln!(
                        lengths,
                        "    int n{name} = {length};\n    unsigned {name}[n{name}];\n    for (int k = 0; k < n{name}; k++)\n        \
                         {name}[k] = {number}u * k;"
                    );
                    let _ = write!(clauses, " firstprivate({name})");
                    self.keep(format!("{name}[n{name} - 1]"), is_partial);
                    continue;
                }
                Own::Heap => {
                    let block = format!("h{name}");
                    let _ = write!(
                        begin,
                        "unsigned *{block} = malloc(4 * sizeof *{block});\nfor (int k = 0; k < 4; k++)\n    {block}[k] = {number}u + k;\n"
                    );
                    let _ = writeln!(end, "free({block});");
                    let name = format!("{block}[{}]", self.random.below(4));
                    self.keep(name, is_partial);
                    continue;
                }
            }
            self.keep(name, is_partial);
        }
        for (list, name) in [(&mut self.own, "x"), (&mut self.partial, "q")] {
            if list.is_empty() {
                let _ = writeln!(begin, "unsigned {name} = 1u;");
                list.push(name.to_string());
            }
        }
        if self.random.once_in(4) {
            let set = self.setting_of_schedules();
            let where_to = match self.random.once_in(2) {
                true => &mut begin,
                false => &mut lengths,
            };
            let _ = writeln!(where_to, "    {set}");
        }
        let steps = 6 + self.random.below(6);
        self.indent = 1;
        if self.random.once_in(2) {
            self.line("omp_set_max_active_levels(3);");
        }
        self.open(&format!("#pragma omp parallel{clauses}\n    {{"));
        if self.random.once_in(2) {
            self.line("int me = omp_get_thread_num();");
        } else {
            self.line("const int me = omp_get_thread_num();");
        }
        for line in begin.lines() {
            self.line(line);
        }
        for name in self.own.clone() {
            self.line(&format!("{name} += (unsigned)me;"));
        }
        let how = self.random.below(4);
        self.open(&match how {
            0 => format!("int step = 0;\n        while (step < {steps}) {{"),
            1 => format!("for (int step = {steps}; step > 0; step--) {{"),
            _ => format!("for (int step = 0; step < {steps}; step++) {{"),
        });
        self.checkpoint();
        for _ in 0..2 + self.random.below(5) {
            self.statement(2);
        }
        if self.by_hand && !self.has_checkpoint {
            self.line("#pragma cccp checkpoint");
        }
        if how == 0 {
            self.line("step++;");
        }
        self.close();
        self.line("#pragma omp barrier");
        // What each thread has goes out.
        let all = self.own.iter().enumerate();
        let sums: Vec<String> = all
            .map(|(number, name)| format!("{name} * {}u", 2 * number + 3))
            .collect();
        self.line(&format!("each[me] = {};", sums.join(" + ")));
        for name in self.partial.clone() {
            if !clauses.contains(&format!("+ : {name})")) {
                let total = self.total();
                self.line(&format!("#pragma omp atomic\n        {total} += {name};"));
            }
        }
        for line in end.lines() {
            self.line(line);
        }
        self.close();
        let region = std::mem::take(&mut self.body);
        let sums: String = (before.lines())
            .filter_map(|line| line.trim_start_matches("static ").split_whitespace().nth(1))
            .map(|name| {
                format!(
                    "    result = result * 31u + {};\n",
                    name.replace("[5]", "[1]")
                )
            })
            .collect();
        let init = match self.by_hand {
            true => "#pragma cccp init\n",
            false => "",
        };
        let text = format!(
            "#include <omp.h>\n#include <stdio.h>\n#include <stdlib.h>\n#define N {LENGTH}\n\
             static unsigned s0[N], s1[N], s2[N], t0, t1, t2, next, made, last, hit, sum, nest_sum, each[64];\n\
             struct record {{\n    unsigned a, *to;\n    unsigned char small;\n}};\nstatic omp_lock_t lock;\nstatic omp_nest_lock_t nest_lock;\n{globals}{}\
             int main(void)\n{{\n    unsigned result = 7u;\n    {}{lengths}    for (unsigned i = 0; i < N; i++) {{\n        s0[i] = i;\n        \
             s1[i] = i * 5u;\n        s2[i] = i ^ 11u;\n    }}\n    omp_init_lock(&lock);\n    omp_init_nest_lock(&nest_lock);\n{init}{region}{sums}    for (int i = 0; i < N; i++)\n        \
             result = result * 31u + s0[i] + 7u * s1[i] + 11u * s2[i];\n    for (int i = 0; i < 64; i++)\n        result = result * 17u + each[i];\n    \
             printf(\"%u %u %u %u %u %u %u\\n\", result, t0, t1, t2, next, sum, nest_sum);\n    return 0;\n}}\n",
            self.functions,
            before.replace('\n', "\n    "),
        );
        match self.random.once_in(4) {
            true => self.with_operator(&text),
            false => text,
        }
    }

    fn keep(&mut self, name: String, is_partial: bool) {
        match is_partial {
            true => self.partial.push(name),
            false => self.own.push(name),
        }
    }

    /// Perhaps one by hand.
    fn checkpoint(&mut self) {
        if self.by_hand && !self.has_checkpoint && self.random.once_in(2) {
            self.has_checkpoint = true;
            self.line("#pragma cccp checkpoint");
        }
    }

    fn barrier(&mut self) {
        self.line("#pragma omp barrier");
        self.read = false;
    }

    /// Before shared arrays are written.
    fn writes(&mut self) {
        if self.read {
            self.barrier();
        }
    }

    /// A statement that all threads come to.
    fn statement(&mut self, depth: usize) {
        match self.random.below(32) {
            0 | 1 => self.shared_loop(),
            2 => self.sum_loop(),
            3 => self.sections(),
            4 => self.one_thread(),
            5 => self.critical(),
            6 => self.lock(),
            7 => self.queue(),
            8 => self.totals(),
            9 => self.call(),
            10 => self.tasks(),
            11 if depth > 0 => self.alike(depth),
            12 => self.apart(depth),
            13 if depth > 0 => self.inner_loop(depth),
            14 => self.checkpoint(),
            15 => self.nest(),
            16 => self.ordered(),
            17 => self.copied(),
            18 if depth > 0 => self.local_scope(depth),
            19 => self.last(),
            20 => self.inner_region(),
            21 if !self.is_apart => self.consumers(),
            22 => self.task_loop(),
            23 => self.related_tasks(),
            24 => self.filtered(),
            25 | 26 => self.cancelled(),
            27 if !self.is_apart => self.how_loops_are_shared(),
            28 => self.doacross(),
            29 if depth > 0 => self.scope_with_length(depth),
            _ => self.advance(),
        }
    }

    /// Only what the thread has of its own.
    fn advance(&mut self) {
        let (name, number) = (self.own(), self.number());
        match self.random.below(3) {
            0 => self.line(&format!("{name} = {name} * 5u + {number}u;")),
            1 => {
                let array = self.array();
                self.read = true;
                self.line(&format!("{name} += {array}[({name} + {number}u) % N];"));
            }
            _ => {
                let partial = self.partial();
                self.line(&format!("{partial} += {name} ^ {number}u;"));
            }
        }
    }

    fn schedule(&mut self) -> (&'static str, bool) {
        let kinds = [
            ("", true),
            (" schedule(static)", true),
            (" schedule(static, 3)", true),
            (" schedule(dynamic)", false),
            (" schedule(dynamic, 4)", false),
            (" schedule(guided)", false),
            (" schedule(runtime)", false),
        ];
        kinds[self.random.below(kinds.len())]
    }

    /// A loop that shares out an array.
    fn shared_loop(&mut self) {
        self.writes();
        let ((schedule, is_static), number) = (self.schedule(), self.number());
        let (to, from) = (self.array(), self.array());
        let nowait = self.random.once_in(3);
        let index = self.name("i");
        let from = match to == from {
            true => format!("{from}[{index}]"),
            false => format!("{from}[({index} + {number}) % N]"),
        };
        let wait = if nowait { " nowait" } else { "" };
        self.line(&format!("#pragma omp for{schedule}{wait}"));
        self.open(&format!("for (int {index} = 0; {index} < N; {index}++) {{"));
        if !self.is_apart {
            self.checkpoint();
        }
        self.line(&format!("{to}[{index}] = {to}[{index}] * 3u + {from};"));
        if self.random.once_in(2) {
            let name = match is_static {
                true => self.own(),
                false => self.partial(),
            };
            self.line(&format!("{name} += {to}[{index}];"));
        }
        self.close();
        if nowait {
            if self.random.once_in(2) {
                let name = self.own();
                self.line(&format!("{name} += {number}u;"));
            }
            self.line("#pragma omp barrier");
        }
        self.read = false;
    }

    /// A reduction, which begins and ends with a barrier because its sum is shared.
    fn sum_loop(&mut self) {
        let (total, array) = (self.total(), self.array());
        let (schedule, _) = self.schedule();
        self.barrier();
        let index = self.name("i");
        self.line(&format!("#pragma omp for reduction(+ : {total}){schedule}"));
        self.open(&format!("for (int {index} = 0; {index} < N; {index}++) {{"));
        if !self.is_apart {
            self.checkpoint();
        }
        self.line(&format!("{total} += {array}[{index}];"));
        self.close();
    }

    fn sections(&mut self) {
        self.writes();
        let number = self.number();
        self.open("#pragma omp sections\n        {");
        for part in 0..2 + self.random.below(3) {
            let partial = self.partial();
            self.line("#pragma omp section");
            self.open("{");
            self.line(&format!("s{}[{}] += {number}u;", part % 3, part * 7));
            self.line(&format!("{partial} += {number}u;"));
            self.close();
        }
        self.close();
        self.read = false;
    }

    /// One thread writes, perhaps at a checkpoint.
    fn one_thread(&mut self) {
        self.writes();
        let (array, number) = (self.array(), self.number());
        let kind = self.random.below(4);
        self.open(&format!(
            "#pragma omp {}\n        {{",
            ["single", "single nowait", "master", "masked"][kind]
        ));
        self.line(&format!("{array}[{}] += {number}u;", number % LENGTH));
        if !self.is_apart {
            self.checkpoint();
        }
        let total = self.total();
        self.line(&format!(
            "#pragma omp atomic\n            {total} += {number}u;"
        ));
        self.close();
        if kind != 0 {
            self.line("#pragma omp barrier");
        }
        self.read = false;
    }

    fn critical(&mut self) {
        let (total, name) = (self.total(), self.own());
        let label = ["", "(a)", "(b)"][self.random.below(3)];
        self.line(&format!("#pragma omp critical{label}"));
        self.line("{");
        self.line(&format!("#pragma omp atomic\n        {total} += {name};"));
        self.line("}");
    }

    /// A lock, perhaps held at a checkpoint, and perhaps a nestable one, twice.
    fn lock(&mut self) {
        let name = self.own();
        let (kind, times) = [("", 1), ("nest_", 1), ("nest_", 2)][self.random.below(3)];
        for _ in 0..times {
            self.line(&format!("omp_set_{kind}lock(&{kind}lock);"));
        }
        let seen = self.name("seen");
        self.line(&format!("unsigned {seen} = {kind}sum;"));
        self.checkpoint();
        self.line(&format!("{kind}sum = {seen} + {name};"));
        for _ in 0..times {
            self.line(&format!("omp_unset_{kind}lock(&{kind}lock);"));
        }
    }

    /// One thread comes to checkpoints and makes jobs, the others take them under a lock.
    fn consumers(&mut self) {
        let (partial, got, jobs) = (self.partial(), self.name("got"), 3 + self.random.below(6));
        self.line("#pragma omp barrier");
        self.line("#pragma omp single");
        self.line("next = made = 0;");
        self.open("if (me == 0) {");
        self.open(&format!("for (unsigned job = 0; job < {jobs}; job++) {{"));
        let was = std::mem::replace(&mut self.is_apart, true);
        self.checkpoint();
        self.is_apart = was;
        self.line("omp_set_lock(&lock);\n        made++;\n        omp_unset_lock(&lock);");
        self.close();
        self.close();
        self.open("else {");
        self.line(&format!("unsigned {got} = 0;"));
        self.open(&format!("while ({got} != 99u) {{"));
        self.line("omp_set_lock(&lock);");
        self.line(&format!(
            "{got} = next < made ? next++ : made == {jobs} ? 99u : 98u;"
        ));
        self.line("omp_unset_lock(&lock);");
        self.line(&format!(
            "if ({got} < 98u)\n            {partial} += {got} * 3u;"
        ));
        self.close();
        self.close();
        self.line("#pragma omp barrier");
        self.line("#pragma omp single");
        self.line("next = made = 0;");
        self.read = false;
    }

    /// Jobs that threads take, unequally many.
    fn queue(&mut self) {
        let (partial, job, jobs) = (self.partial(), self.name("job"), 5 + self.random.below(9));
        self.line("#pragma omp barrier");
        self.line("#pragma omp single");
        self.line("next = 0;");
        self.open("for (;;) {");
        self.line(&format!("unsigned {job};"));
        self.line(&format!(
            "#pragma omp atomic capture\n            {job} = next++;"
        ));
        self.line(&format!("if ({job} >= {jobs}u)\n                break;"));
        self.line(&format!("{partial} += {job} * 3u;"));
        let was = std::mem::replace(&mut self.is_apart, true);
        self.checkpoint();
        self.is_apart = was;
        self.close();
        self.line("#pragma omp barrier");
        self.line("#pragma omp single");
        self.line("next = 0;");
        self.read = false;
    }

    /// Reads what all have added up.
    fn totals(&mut self) {
        let (total, name) = (self.total(), self.own());
        self.line("#pragma omp barrier");
        self.line(&format!("{name} += {total};"));
        self.barrier();
    }

    /// A function with constructs of its own.
    fn call(&mut self) {
        let function = self.name("f");
        let (own, number) = (self.own(), self.number());
        let outer = std::mem::take(&mut self.body);
        let scope = (
            std::mem::replace(&mut self.own, vec!["y".to_string()]),
            std::mem::replace(&mut self.partial, vec!["z".to_string()]),
            std::mem::replace(&mut self.indent, 1),
            std::mem::replace(&mut self.read, true),
        );
        let is_marked = self.by_hand && self.random.once_in(2);
        let by_hand = std::mem::replace(&mut self.by_hand, is_marked);
        for _ in 0..1 + self.random.below(3) {
            self.statement(0);
        }
        self.by_hand = by_hand;
        let body = std::mem::replace(&mut self.body, outer);
        (self.own, self.partial, self.indent, _) = scope;
        self.read = true;
        let _ = write!(
            self.functions,
            "static unsigned {function}(unsigned y)\n{{\n    int me = omp_get_thread_num();\n    unsigned z = {number}u;\n{body}#pragma omp atomic\n    t0 += z;\n    return y + 1u;\n}}\n"
        );
        self.line(&format!("{own} = {function}({own});"));
    }

    fn tasks(&mut self) {
        let number = self.number();
        self.writes();
        self.line("#pragma omp single");
        self.open("{");
        let task = self.name("task");
        self.open(&format!("for (int {task} = 0; {task} < 4; {task}++) {{"));
        self.line(&format!("#pragma omp task firstprivate({task})"));
        self.line(&format!("s1[{task} * 3] += {number}u;"));
        self.close();
        self.line("#pragma omp taskwait");
        self.close();
        self.read = false;
    }

    /// A branch that all threads take or none.
    fn alike(&mut self, depth: usize) {
        let number = 2 + self.random.below(3);
        self.open(&format!("if (step % {number} == 0) {{"));
        for _ in 0..1 + self.random.below(2) {
            self.statement(depth - 1);
        }
        self.close();
        self.read = true;
    }

    /// One that some take.
    fn apart(&mut self, depth: usize) {
        let conditions = ["me % 2 == 0", "me > 0", "me == 0"];
        let condition = conditions[self.random.below(3)];
        self.open(&format!("if ({condition}) {{"));
        let was = std::mem::replace(&mut self.is_apart, true);
        self.advance();
        if self.random.once_in(2) {
            self.checkpoint();
        }
        match self.random.below(3) {
            0 => self.critical(),
            1 if depth > 0 => self.lock(),
            _ => self.advance(),
        }
        self.is_apart = was;
        self.close();
    }

    /// Two loops in one.
    fn nest(&mut self) {
        self.writes();
        let (array, (schedule, _)) = (self.array(), self.schedule());
        let (outer, inner) = (self.name("i"), self.name("j"));
        self.line(&format!("#pragma omp for collapse(2){schedule}"));
        self.line(&format!("for (int {outer} = 0; {outer} < 6; {outer}++)"));
        self.line(&format!(
            "    for (int {inner} = 0; {inner} < 8; {inner}++)"
        ));
        self.line(&format!(
            "        {array}[{outer} * 8 + {inner}] += {outer} * {inner};"
        ));
        self.read = false;
    }

    /// The order of iterations matters.
    fn ordered(&mut self) {
        self.writes();
        let (array, index) = (self.array(), self.name("i"));
        self.line("#pragma omp for ordered schedule(dynamic)");
        self.open(&format!("for (int {index} = 1; {index} < 9; {index}++) {{"));
        self.line("#pragma omp ordered");
        self.line(&format!(
            "{array}[{index}] = {array}[{index} - 1] * 3u + 1u;"
        ));
        self.close();
        self.read = false;
    }

    /// One thread finds a value for all.
    fn copied(&mut self) {
        let (name, array, number) = (self.name("c"), self.array(), self.number());
        let own = self.own();
        self.line(&format!("unsigned {name};"));
        self.line(&format!("#pragma omp single copyprivate({name})"));
        self.line(&format!("{name} = {array}[{number} % N] + {number}u;"));
        self.line(&format!("{own} += {name};"));
        self.read = false;
    }

    /// A block with variables of its own.
    fn local_scope(&mut self, depth: usize) {
        let (name, own, number) = (self.name("l"), self.own(), self.number());
        self.open("{");
        self.line(&format!("unsigned {name} = {own} % 1000u;"));
        self.own.push(name.clone());
        self.statement(depth - 1);
        self.statement(depth - 1);
        self.own.pop();
        self.line(&format!("{own} += {name} * {number}u;"));
        self.close();
    }

    /// The value of the last iteration.
    fn last(&mut self) {
        let (index, number) = (self.name("i"), self.number());
        let ((schedule, _), array) = (self.schedule(), self.array());
        self.barrier();
        self.line(&format!("#pragma omp for lastprivate(last){schedule}"));
        self.line(&format!("for (int {index} = 0; {index} < N; {index}++)"));
        self.line(&format!("    last = {array}[{index}] + {number}u;"));
        let own = self.own();
        self.line(&format!("{own} += last;"));
        self.line("#pragma omp barrier");
        self.read = true;
    }

    fn inner_loop(&mut self, depth: usize) {
        let (counter, times) = (self.name("k"), 2 + self.random.below(3));
        self.open(&format!(
            "for (int {counter} = 0; {counter} < {times}; {counter}++) {{"
        ));
        self.read = true;
        self.statement(depth - 1);
        self.statement(depth - 1);
        self.close();
        self.read = true;
    }
}
