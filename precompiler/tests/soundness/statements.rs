//! The statements of generated programs.

use super::generate::{Block, Generator, Line, Shape};

impl Generator<'_> {
    /// Prints what a function can see.
    pub fn show(&mut self) {
        for _ in 0..2 {
            let value = self.number(2);
            self.text(format!("out({value});"));
        }
    }

    /// Some statements.
    pub fn block(&mut self, count: usize) {
        for _ in 0..count {
            self.statement();
        }
    }

    pub fn inside(&mut self, count: usize) {
        let scope = self.scope.len();
        self.depth += 1;
        self.block(count);
        self.depth -= 1;
        self.scope.truncate(scope);
    }

    fn statement(&mut self) {
        let deep = self.depth >= 3;
        if !deep && !self.constructs.is_empty() && self.random.once_in(4) {
            self.construct();
            return;
        }
        match self.random.below(if deep { 13 } else { 24 }) {
            0..=3 => {
                let place = self.place();
                let value = self.number(2);
                let operator = *self
                    .random
                    .pick(&["=", "=", "=", "+=", "^="])
                    .unwrap_or(&"=");
                self.text(format!("{place} {operator} {value};"));
            }
            4 => {
                let value = self.number(2);
                self.text(format!("out({value});"));
            }
            5 => self.assign_pointer(),
            6 => self.fill(),
            7 => {
                let shapes = [Shape::Number, Shape::Array, Shape::Pair, Shape::Pointer];
                let shape = *self.random.pick(&shapes).unwrap_or(&Shape::Number);
                self.local(shape);
            }
            8 | 9 => self.checkpoint(),
            10 => self.allocate(),
            11 => self.library(),
            12 => self.copy(),
            13 | 14 => self.branch(),
            15 | 16 => self.repeat(),
            17 => self.choose(),
            18 => self.list(),
            19 => self.odd(),
            _ => self.call(),
        }
    }

    fn checkpoint(&mut self) {
        if self.made.checkpoints < 6 {
            let number = self.made.checkpoints;
            self.made.checkpoints += 1;
            self.made.lines.push(Line::Checkpoint(number));
        }
    }

    fn assign_pointer(&mut self) {
        let kinds = [Shape::Pointer, Shape::Vector, Shape::Link];
        let shape = *self.random.pick(&kinds).unwrap_or(&Shape::Pointer);
        if let Some(one) = self.of(&[shape], true, false) {
            let value = match shape {
                Shape::Pointer => self.pointer(one.lasting),
                Shape::Vector => self.vector(one.lasting),
                _ => self.link(one.lasting),
            };
            // A link that is null is tested before it is followed: only what is surely set is assigned.
            if shape != Shape::Link || value != "0" {
                self.text(format!("{} = {value};", one.name));
            }
        }
    }

    /// A loop over all elements, or most of them.
    fn fill(&mut self) {
        if let Some(one) = self.of(&[Shape::Array, Shape::Vector], true, false) {
            let (i, name) = (self.fresh("i"), one.name);
            let value = self.number(1);
            let condition = self.number(1);
            let full = format!("for (int {i} = 0; {i} < 4; {i}++)");
            // The first ones store to every element before any is read, the others do not, or not always.
            let n = self.fresh("n");
            let text = match self.random.below(20) {
                0..=2 => format!("{full} {name}[{i}] = {i} * 3;"),
                3 => format!("for (int {i} = 3; {i} >= 0; {i}--) {name}[{i}] = {i};"),
                4 => format!("for (int {i} = 0; {i} <= 3; {i}++) {{ {name}[{i}] = 1; out({i}); }}"),
                5 => format!("{full} {name}[{i}] = {value} + {i};"),
                6 => format!("for (int {i} = 1; {i} < 4; {i}++) {name}[{i}] = {i};"),
                7 => format!("{full} {{ if ({condition}) break; {name}[{i}] = {i}; }}"),
                8 => format!("{full} {{ if ({condition}) continue; {name}[{i}] = {i}; }}"),
                9 => format!("{full} {name}[{i}] = {name}[3 - {i}] + 1;"),
                10 => format!("for (int {i} = 0; {i} < 4; {i} += 2) {name}[{i}] = {i};"),
                11 => format!("for (int *{i} = {name}; {i} < {name} + 4; {i}++) *{i} = {value};"),
                12 => format!("{{ int *{i} = {name} + 4; while ({i} > {name}) *--{i} = 2; }}"),
                13 => format!("for (int *{i} = {name}; {i} != {name} + 3; {i}++) *{i} = *{i} + 1;"),
                14 => format!("clear({name}, 4);"),
                15 => format!("clear({name}, 1 + (({condition}) & 3));"),
                16 => format!(
                    "{{ int {n} = 4; int {i}[{n}]; for (int k = 0; k < {n}; k++) {i}[k] = k + ({value}); memcpy({name}, {i}, sizeof {i}); }}"
                ),
                17 => format!(
                    "{{ int {n} = 1 + (({condition}) & 3); int {i}[{n}]; {i}[0] = 1; for (int k = 0; k < {n}; k++) {i}[k] = {name}[k]; out({i}[{n} - 1]); }}"
                ),
                18 => {
                    let mark = match self.random.below(3) {
                        0 => "never",
                        1 => "always",
                        _ => "NEVER",
                    };
                    let other = self.place();
                    format!("if ({mark}) {{ {full} {name}[{i}] = {i}; }} else {other} = {value};")
                }
                _ => format!("{full} if ({condition}) {name}[{i}] = {i};"),
            };
            self.text(text);
        }
    }

    fn allocate(&mut self) {
        let shape = if self.random.once_in(2) {
            Shape::Vector
        } else {
            Shape::Link
        };
        let Some(one) = self.of(&[shape], true, false) else {
            return;
        };
        let name = one.name;
        let block = Block {
            number: self.made.blocks,
            shape: if shape == Shape::Vector {
                Shape::Array
            } else {
                Shape::Pair
            },
        };
        let first = self.number(1);
        if shape == Shape::Link && self.random.once_in(5) {
            // The same memory every time: whose it is nobody can tell by the line.
            self.text(format!("{name} = same({first});"));
            return;
        }
        self.made.blocks += 1;
        let text = match shape {
            Shape::Vector if self.random.once_in(3) => {
                format!("{{ {name} = calloc(4, sizeof(int)); {name}[1] = 2; ")
            }
            Shape::Vector if self.random.once_in(2) => format!(
                "{{ int first = {first}; {name} = vector(4); for (int k = 0; k < 4; k++) {name}[k] = first - k; "
            ),
            Shape::Link if self.random.once_in(3) => {
                format!("{{ {name} = make({first}); ")
            }
            Shape::Vector => format!(
                "{{ int first = {first}; {name} = malloc(4 * sizeof(int)); for (int k = 0; k < 4; k++) {name}[k] = first + k; "
            ),
            _ => format!(
                "{{ int first = {first}; {name} = malloc(sizeof(struct pair)); {name}->one = first; {name}->next = 0; memset({name}->many, 0, sizeof {name}->many); "
            ),
        };
        self.made.lines.push(Line::Allocate(block, text, name));
    }

    fn library(&mut self) {
        match self.random.below(6) {
            0 => {
                if let Some(one) = self.of(&[Shape::Array], true, false) {
                    self.text(format!("memset({}, 0, sizeof(int[4]));", one.name));
                }
            }
            1 => {
                let target = self.vector(false);
                let source = self.vector(false);
                self.text(format!("memmove({target}, {source}, sizeof(int[4]));"));
            }
            4 => {
                let target = self.of(&[Shape::Pair], true, false);
                let source = self.of(&[Shape::Pair], true, true);
                if let (Some(target), Some(source)) = (target, source) {
                    let (to, from) = (target.name, source.name);
                    self.text(format!("memmove(&{to}, &{from}, sizeof {to});"));
                }
            }
            5 => {
                let one = self.of(&[Shape::Vector], true, false);
                let other = self.of(&[Shape::Vector], true, false);
                if let (Some(one), Some(other)) = (one, other)
                    && one.lasting == other.lasting
                    && one.inner == other.inner
                {
                    let (a, b, swap) = (one.name, other.name, self.fresh("swap"));
                    self.text(format!("{{ int *{swap} = {a}; {a} = {b}; {b} = {swap}; }}"));
                }
            }
            2 => {
                let target = self.vector(false);
                self.text(format!("qsort({target}, 4, sizeof(int), compare);"));
            }
            _ => {
                let target = self.vector(false);
                let count = 1 + self.random.below(4);
                self.text(format!("memset({target}, 0, {count} * sizeof(int));"));
            }
        }
    }

    fn copy(&mut self) {
        let target = self.of(&[Shape::Pair], true, false);
        let source = self.of(&[Shape::Pair], true, true);
        if let (Some(target), Some(source)) = (target, source) {
            self.text(format!("{} = {};", target.name, source.name));
        }
    }

    fn branch(&mut self) {
        let condition = self.number(2);
        self.text(format!("if ({condition}) {{"));
        self.inside(2);
        if self.loops > 0 && self.random.once_in(4) {
            let word = if self.random.once_in(2) {
                "break;"
            } else {
                "continue;"
            };
            self.text(word);
        }
        if self.random.once_in(2) {
            self.text("} else {");
            self.inside(2);
        }
        self.text("}");
    }

    fn repeat(&mut self) {
        let counter = self.fresh("i");
        let times = 1 + self.random.below(3);
        self.loops += 1;
        match self.random.below(3) {
            0 => {
                self.text(format!("int {counter} = 0;"));
                self.declared(&counter, Shape::Number, true, false);
                self.text(format!("while ({counter}++ < {times}) {{"));
                self.inside(3);
                self.text("}");
            }
            1 => {
                self.text(format!("int {counter} = 0;"));
                self.declared(&counter, Shape::Number, true, false);
                self.text("do {");
                self.inside(3);
                self.text(format!("}} while (++{counter} < {times});"));
            }
            _ => {
                let scope = self.scope.len();
                self.text(format!(
                    "for (int {counter} = 0; {counter} < {times}; {counter}++) {{"
                ));
                self.depth += 1;
                self.declared(&counter, Shape::Number, true, false);
                self.inside(3);
                self.depth -= 1;
                self.scope.truncate(scope);
                self.text("}");
            }
        }
        self.loops -= 1;
    }

    fn choose(&mut self) {
        let value = self.number(1);
        self.text(format!("switch (({value}) & 3) {{"));
        let loops = std::mem::take(&mut self.loops);
        for case in 0..3 {
            self.text(format!("case {case}: {{"));
            self.inside(2);
            self.text("}");
            if self.random.once_in(2) {
                self.text("break;");
            }
        }
        self.text("default: {");
        self.inside(1);
        self.text("}");
        self.text("}");
        self.loops = loops;
    }

    /// Follows a list that may be a cycle.
    fn list(&mut self) {
        let Some(one) = self.of(&[Shape::Link], true, false) else {
            return;
        };
        let other = self.link(true);
        let name = one.name;
        match self.random.below(3) {
            0 => self.text(format!("if ({name}) {name}->next = {other};")),
            1 => self.text(format!(
                "if ({name} && {name}->next) {name} = {name}->next;"
            )),
            _ => {
                let (at, counter) = (self.fresh("n"), self.fresh("i"));
                self.text(format!(
                    "{{ struct pair *{at} = {name}; for (int {counter} = 0; {at} && {counter} < 3; {counter}++, {at} = {at}->next) out({at}->one + {at}->many[1]); }}"
                ));
            }
        }
    }

    fn odd(&mut self) {
        let value = self.number(2);
        match self.random.below(5) {
            0 => {
                let place = self.place();
                let inner = self.fresh("y");
                self.text(format!(
                    "{place} = ({{ int {inner} = {value}; if ({inner} & 1) {inner} += 3; {inner}; }});"
                ));
            }
            1 => {
                let label = self.fresh("over");
                let place = self.place();
                self.text(format!("if ({value}) goto {label};"));
                let other = self.number(1);
                self.text(format!("{place} = {other};"));
                self.text(format!("{label}: ;"));
            }
            2 if self.has_jump && self.current > 0 => {
                let prefix = self.made.prefix.clone();
                self.text(format!("if (({value}) == 5) longjmp({prefix}env, 1);"));
            }
            3 => self.text(format!("if (({value}) == 17) exit(3);")),
            _ => {
                let (one, other) = (self.place(), self.place());
                self.text(format!("{one} = ({other} = {value}, junk);"));
            }
        }
    }

    fn call(&mut self) {
        let later = self.signatures.len() - self.current - 1;
        let again = later == 0 || self.random.once_in(4);
        let callee = if again {
            self.random.below(self.signatures.len())
        } else {
            self.current + 1 + self.random.below(later)
        };
        // Only calls that go on in the text may happen always: the others end by their depth.
        let always = callee > self.current && self.loops == 0 && self.random.once_in(2);
        let parameters = self.signatures[callee].parameters.clone();
        let through_table =
            parameters.is_empty() && callee > 0 && !always && self.random.once_in(2);
        let name = if through_table {
            let index = self.number(1);
            format!("{}table[({index}) & 1]", self.made.prefix)
        } else {
            self.signatures[callee].name.clone()
        };
        let mut arguments = vec!["depth - 1".to_string()];
        for shape in parameters {
            arguments.push(match shape {
                Shape::Number => self.number(1),
                Shape::Pointer => self.pointer(false),
                Shape::Vector => self.vector(false),
                _ => self.link(false),
            });
        }
        let arguments = arguments.join(", ");
        let guard = if always { "" } else { "if (depth > 0) " };
        let text = if self.random.once_in(2) {
            // C does not say whether the place or the call comes first.
            let (place, result) = (self.place(), self.fresh("r"));
            match self.random.below(3) {
                0 => {
                    // Nor which of these calls comes first.
                    let (local, value) = (self.fresh("t"), self.number(1));
                    format!(
                        "{guard}{{ int {local} = {value}, {result} = beside({local}) + {name}({arguments}); \
                         {place} = {result}; }}"
                    )
                }
                _ => {
                    format!("{guard}{{ int {result} = {name}({arguments}); {place} = {result}; }}")
                }
            }
        } else {
            format!("{guard}{name}({arguments});")
        };
        self.calls += 1;
        self.made.lines.push(Line::Call(self.calls, text));
    }
}
