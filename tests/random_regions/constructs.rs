//! Regions in regions, and constructs of newer versions of OpenMP: loops of tasks, sums over tasks, filters, loops that are cancelled, schedules that the program
//! sets, and arrays whose length each thread has of its own.

use std::fmt::Write;

use super::{Generator, LENGTH};

impl Generator<'_> {
    /// A loop whose iterations become tasks, in `single`, perhaps a sum.
    pub(super) fn task_loop(&mut self) {
        let (array, index, number) = (self.array(), self.name("i"), self.number());
        let form = self.random.below(4);
        let size = [
            "",
            " grainsize(5)",
            " num_tasks(3)",
            " if(omp_get_num_threads() > 2)",
        ][self.random.below(4)];
        let total = self.total();
        // A sum is no atomic addition: nobody may be adding meanwhile.
        self.barrier();
        self.line("#pragma omp single");
        self.open("{");
        match form {
            0 => self.line(&format!(
                "#pragma omp taskloop reduction(+ : {total}){size}"
            )),
            1 => self.line("#pragma omp taskgroup\n        {"),
            _ => {}
        }
        match form {
            0 => {}
            1 => self.line(&format!("#pragma omp taskloop nogroup{size}")),
            2 => self.line(&format!("#pragma omp taskloop simd{size}")),
            _ => self.line(&format!(
                "#pragma omp taskloop{size} firstprivate({total}) priority(1)"
            )),
        }
        self.line(&format!("for (int {index} = 0; {index} < N; {index}++)"));
        match form {
            0 => self.line(&format!("    {total} += {array}[{index}] ^ {number}u;")),
            _ => self.line(&format!("    {array}[{index}] += {number}u * {index};")),
        }
        if form == 1 {
            self.line("}");
        }
        if !self.is_apart {
            self.checkpoint();
        }
        self.close();
        self.read = false;
    }

    /// Tasks that add to one sum, or that come one after the other.
    pub(super) fn related_tasks(&mut self) {
        let (total, array, number) = (self.total(), self.array(), self.number());
        let task = self.name("task");
        self.barrier();
        self.line("#pragma omp single");
        self.open("{");
        let is_sum = self.random.once_in(2);
        if is_sum {
            self.line(&format!(
                "#pragma omp taskgroup task_reduction(+ : {total})"
            ));
        }
        self.open(&format!("for (int {task} = 0; {task} < 5; {task}++) {{"));
        if is_sum {
            self.line(&format!(
                "#pragma omp task in_reduction(+ : {total}) firstprivate({task})"
            ));
            self.line(&format!("{total} += {array}[{task}] * {number}u;"));
        } else {
            self.line(&format!(
                "#pragma omp task depend(inout : {array}[0]) firstprivate({task})"
            ));
            self.line(&format!("{array}[0] = {array}[0] * 3u + {task};"));
        }
        self.close();
        if !is_sum {
            self.line("#pragma omp taskwait");
        }
        if !self.is_apart {
            self.checkpoint();
        }
        self.close();
        self.read = false;
    }

    /// One thread, which a number chooses, writes, perhaps at a checkpoint.
    pub(super) fn filtered(&mut self) {
        self.writes();
        let (array, number) = (self.array(), self.number());
        let chosen = match self.random.below(3) {
            0 => "1".to_string(),
            1 => "omp_get_num_threads() - 1".to_string(),
            _ => format!("{number} % omp_get_num_threads()"),
        };
        self.open(&format!("#pragma omp masked filter({chosen})\n        {{"));
        self.line(&format!("{array}[{}] += {number}u;", number % LENGTH));
        if !self.is_apart {
            self.checkpoint();
        }
        self.line(&format!("{array}[{}] ^= {number}u;", (number * 3) % LENGTH));
        self.close();
        self.line("#pragma omp barrier");
        self.read = false;
    }

    /// Threads look for something until one has found it. Whether it is there depends on none of them.
    pub(super) fn cancelled(&mut self) {
        let (array, number, own) = (self.array(), self.random.below(5), self.own());
        let ((schedule, _), index) = (self.schedule(), self.name("i"));
        self.line("#pragma omp barrier");
        self.line("#pragma omp single");
        self.line("hit = 0;");
        let kind = ["for", "sections", "taskgroup"][self.random.below(3)];
        let find = |at: &str| {
            format!(
                "if ({array}[{at}] % 5u == {number}u) {{\n#pragma omp atomic write\n            hit = 1;\n\
                 #pragma omp cancel {kind}\n        }}"
            )
        };
        match kind {
            "for" => {
                self.line(&format!("#pragma omp for{schedule}"));
                self.open(&format!("for (int {index} = 0; {index} < N; {index}++) {{"));
                self.line("#pragma omp cancellation point for");
                self.line(&find(&index));
                self.close();
            }
            "sections" => {
                self.line("#pragma omp sections");
                self.open("{");
                for part in 0..3 {
                    self.line("#pragma omp section");
                    self.open("{");
                    self.line(&find(&(part * 5).to_string()));
                    self.close();
                }
                self.close();
            }
            _ => {
                self.line("#pragma omp single");
                self.line("#pragma omp taskgroup");
                self.open(&format!("for (int {index} = 0; {index} < 6; {index}++) {{"));
                self.line(&format!("#pragma omp task firstprivate({index})"));
                self.open("{");
                self.line(&find(&index));
                self.close();
                self.close();
            }
        }
        self.line(&format!("{own} += hit;"));
        self.barrier();
    }

    /// All threads say how loops with `schedule(runtime)` are shared out, or ask.
    pub(super) fn how_loops_are_shared(&mut self) {
        if self.random.once_in(2) {
            let set = self.setting_of_schedules();
            return self.line(&set);
        }
        let (kind, chunk, own) = (self.name("kind"), self.name("chunk"), self.own());
        self.open("{");
        self.line(&format!("omp_sched_t {kind};"));
        self.line(&format!("int {chunk};"));
        self.line(&format!("omp_get_schedule(&{kind}, &{chunk});"));
        self.line(&format!(
            "{own} += (unsigned){kind} % 16u * 7u + (unsigned){chunk};"
        ));
        self.close();
    }

    /// A call that says it.
    pub(super) fn setting_of_schedules(&mut self) -> String {
        let kind = ["static", "dynamic", "guided"][self.random.below(3)];
        format!(
            "omp_set_schedule(omp_sched_{kind}, {});",
            self.random.below(6)
        )
    }

    /// The order of iterations is said by each of them.
    pub(super) fn doacross(&mut self) {
        self.writes();
        let ((schedule, _), array) = (self.schedule(), self.array());
        let (index, number) = (self.name("i"), self.number());
        self.line(&format!("#pragma omp for ordered(1){schedule}"));
        self.open(&format!(
            "for (int {index} = 1; {index} < 12; {index}++) {{"
        ));
        self.line(&format!("#pragma omp ordered depend(sink : {index} - 1)"));
        self.line(&format!(
            "{array}[{index}] += {array}[{index} - 1] * {number}u;"
        ));
        self.line("#pragma omp ordered depend(source)");
        self.close();
        self.read = false;
    }

    /// A block with an array whose length each thread has of its own.
    pub(super) fn scope_with_length(&mut self, depth: usize) {
        let (name, own, number) = (self.name("v"), self.own(), self.number());
        self.open("{");
        self.line(&format!("int n{name} = 2 + me % 3;"));
        self.line(&format!("unsigned {name}[n{name}];"));
        self.line(&format!("for (int k = 0; k < n{name}; k++)"));
        self.line(&format!("    {name}[k] = {own} % 1000u + (unsigned)k;"));
        self.own.push(format!("{name}[n{name} - 1]"));
        self.statement(depth - 1);
        self.statement(depth - 1);
        self.own.pop();
        self.line(&format!("{own} += {name}[1] * {number}u;"));
        self.close();
    }

    /// Some directives with the operator `_Pragma`.
    pub(super) fn with_operator(&mut self, text: &str) -> String {
        let mut result = String::new();
        for line in text.lines() {
            let rest = line.trim_start();
            let space = &line[..line.len() - rest.len()];
            let _ = match rest.strip_prefix("#pragma omp") {
                Some(words) if self.random.once_in(2) => {
                    writeln!(result, "{space}_Pragma(\"omp{words}\")")
                }
                _ => writeln!(result, "{line}"),
            };
        }
        result
    }

    /// A region in the region.
    pub(super) fn inner_region(&mut self) {
        let (own, number, sum) = (self.own(), self.number(), self.name("r"));
        if self.random.once_in(2) {
            let function = self.name("g");
            let outer = std::mem::take(&mut self.body);
            self.checkpoint();
            let checkpoint = std::mem::replace(&mut self.body, outer);
            let threads = 2 + self.random.below(2);
            // Threads of the inner team do equally many steps, or not.
            let (more, barrier) = match self.random.once_in(2) {
                true => ("", "#pragma omp barrier\n"),
                false => (" + omp_get_thread_num()", ""),
            };
            let _ = write!(
                self.functions,
                "static unsigned {function}(unsigned y)\n{{\n    unsigned sum = 0, given = y % 7u;\n\
                 #pragma omp parallel num_threads({threads}) reduction(+ : sum)\n    {{\n        unsigned mine = y + omp_get_thread_num();\n        \
                 for (int k = 0; k < 3{more}; k++) {{\n{checkpoint}            mine = mine * 5u + k;\n{barrier}        }}\n\
                 #pragma omp barrier\n#pragma omp single\n        given = given * 3u + 1u;\n        sum += mine ^ given;\n    }}\n    \
                 return sum;\n}}\n"
            );
            return self.line(&format!("{own} += {function}({own});"));
        }
        self.line(&format!("unsigned {sum} = 0;"));
        self.line(&format!(
            "#pragma omp parallel num_threads(2) reduction(+ : {sum})"
        ));
        self.line(&format!("{sum} += {number}u;"));
        self.line(&format!("{own} += {sum} > 0u;"));
    }
}
