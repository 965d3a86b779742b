//! Small C programs that never do anything undefined, and always end.
//!
//! A program is a handful of globals and functions whose names begin with `pN_`. All memory has a value from its
//! declaration on; indices are masked, loops are counted, recursion has a depth. Lines may hold marks (see [`Mark`])
//! that are nothing for the analysis and something for the run.

use super::constructs::Construct;
use super::random::Random;

/// What a variable, or what it leads to, looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `int`
    Number,
    /// `int [4]`
    Array,
    /// `struct pair`
    Pair,
    /// `int *` to one number
    Pointer,
    /// `int *` to four numbers
    Vector,
    /// `struct pair *`
    Link,
}

/// Memory that can be spoilt: where it is registered, and how it looks.
#[derive(Clone, Debug)]
pub struct Slot {
    /// The function; none for globals.
    pub function: Option<String>,
    /// Its name.
    pub name: String,
    /// How it looks.
    pub shape: Shape,
    /// Lives as long as the program.
    pub is_static: bool,
    /// Its number in its function, or among the globals and statics.
    pub number: usize,
}

/// A place that allocates: the line is that of its mark.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its number.
    pub number: usize,
    /// What is allocated: `Array` or `Pair`.
    pub shape: Shape,
}

/// A line of text, or a mark.
#[derive(Clone, Debug)]
pub enum Line {
    /// C.
    Text(String),
    /// A checkpoint, by its number.
    Checkpoint(usize),
    /// C with a call of one of the program's functions: number of the call.
    Call(usize, String),
    /// C that allocates, what it allocates and the pointer that has it afterwards.
    Allocate(Block, String, String),
    /// A local or static is there from now on.
    Registered(Slot),
    /// The function begins: its frame.
    Frame,
    /// Control came back by `longjmp`.
    Returned,
}

/// A program.
#[derive(Debug, Default)]
pub struct Generated {
    /// Prefix of all its names.
    pub prefix: String,
    /// The text.
    pub lines: Vec<Line>,
    /// Globals.
    pub globals: Vec<Slot>,
    /// How many checkpoints there are.
    pub checkpoints: usize,
    /// How many places that allocate there are.
    pub blocks: usize,
}

/// A variable in scope.
#[derive(Clone, Debug)]
pub struct Known {
    pub name: String,
    pub shape: Shape,
    /// Must not be assigned to: counters, depths.
    pub fixed: bool,
    /// May be stored in memory that outlives the function.
    pub lasting: bool,
    /// Belongs to a block inside: no pointer that lives longer may lead there.
    pub inner: bool,
}

pub struct Signature {
    pub name: String,
    pub parameters: Vec<Shape>,
}

/// The state of the generator.
pub struct Generator<'r> {
    pub random: &'r mut Random,
    pub made: Generated,
    pub signatures: Vec<Signature>,
    pub scope: Vec<Known>,
    pub function: String,
    /// Index of the function that is written; it may call later ones, and itself with less depth.
    pub current: usize,
    pub slots: usize,
    pub statics: usize,
    pub names: usize,
    pub calls: usize,
    /// How deep in blocks it is.
    pub depth: usize,
    /// How deep in loops.
    pub loops: usize,
    pub has_jump: bool,
    /// What this program has beyond what all have.
    pub constructs: Vec<Construct>,
}

/// The first global of a shape; there is one of those that are asked for.
fn first(globals: &[Slot], shape: Shape) -> usize {
    globals
        .iter()
        .position(|slot| slot.shape == shape)
        .unwrap_or_default()
}

/// One program.
pub fn generate(number: usize, random: &mut Random) -> Generated {
    let prefix = format!("p{number}_");
    let mut generator = Generator {
        random,
        made: Generated {
            prefix: prefix.clone(),
            ..Generated::default()
        },
        signatures: Vec::new(),
        scope: Vec::new(),
        function: String::new(),
        current: 0,
        slots: 0,
        statics: 0,
        names: 0,
        calls: number * 1000,
        depth: 0,
        loops: 0,
        has_jump: false,
        constructs: Vec::new(),
    };
    generator.program();
    generator.made
}

impl Generator<'_> {
    pub fn text(&mut self, text: impl Into<String>) {
        self.made.lines.push(Line::Text(text.into()));
    }

    pub fn fresh(&mut self, kind: &str) -> String {
        self.names += 1;
        format!("{kind}{}", self.names)
    }

    fn program(&mut self) {
        let prefix = self.made.prefix.clone();
        self.has_jump = self.random.once_in(6);
        self.constructs = Construct::some(self.random);
        if self.has_jump {
            self.text(format!("static jmp_buf {prefix}env;"));
        }
        let shapes = [
            Shape::Number,
            Shape::Number,
            Shape::Number,
            Shape::Array,
            Shape::Array,
            Shape::Pair,
        ];
        self.global(Shape::Number);
        self.global(Shape::Array);
        for _ in 0..3 + self.random.below(4) {
            let shape = *self.random.pick(&shapes).unwrap_or(&Shape::Number);
            self.global(shape);
        }
        for shape in [Shape::Pointer, Shape::Vector, Shape::Link] {
            if self.random.once_in(2) {
                self.global(shape);
            }
            if self.constructs.contains(&Construct::Shared) {
                self.global(shape);
                self.global(shape);
            }
        }
        self.declare_constructs();
        let count = 2 + self.random.below(4);
        for index in 0..count {
            let mut parameters = Vec::new();
            let kinds = [Shape::Number, Shape::Pointer, Shape::Vector, Shape::Link];
            for _ in 0..self.random.below(4) {
                parameters.push(*self.random.pick(&kinds).unwrap_or(&Shape::Number));
            }
            self.signatures.push(Signature {
                name: format!("{prefix}f{index}"),
                parameters,
            });
        }
        for index in 0..count {
            let declaration = self.header(index, false);
            self.text(format!("{declaration};"));
        }
        let same: Vec<String> = self
            .signatures
            .iter()
            .skip(1)
            .filter(|one| one.parameters.is_empty())
            .map(|one| one.name.clone())
            .collect();
        if let Some(first) = same.first() {
            self.text(format!(
                "static int (*{prefix}table[2])(int) = {{ {first}, {first} }};"
            ));
            if let Some(last) = same.last() {
                self.text(format!(
                    "static void {prefix}choose(void) {{ {prefix}table[1] = {last}; }}"
                ));
            }
        }
        for index in 0..count {
            self.function(index, !same.is_empty());
        }
        let arguments: Vec<String> = std::iter::once("2".to_string())
            .chain(
                self.signatures[0]
                    .parameters
                    .iter()
                    .map(|shape| match shape {
                        Shape::Pointer => {
                            format!("&{prefix}g{}", first(&self.made.globals, Shape::Number))
                        }
                        Shape::Vector => {
                            format!("{prefix}g{}", first(&self.made.globals, Shape::Array))
                        }
                        Shape::Link => "0".to_string(),
                        _ => "4".to_string(),
                    }),
            )
            .collect();
        let (before, after) = self.around();
        self.prefixed(&format!(
            "static int P_start(void) {{ P_prepare(); {before} int result = P_f0({}); {after} return result; }}",
            arguments.join(", ")
        ));
        // One checkpoint at least.
        if self.made.checkpoints == 0 {
            self.made.checkpoints = 1;
            let at = self
                .made
                .lines
                .iter()
                .rposition(|line| matches!(line, Line::Frame));
            if let Some(at) = at {
                self.made.lines.insert(at + 1, Line::Checkpoint(0));
            }
        }
    }

    fn global(&mut self, shape: Shape) {
        let number = self.made.globals.len();
        let name = format!("{}g{number}", self.made.prefix);
        let text = match shape {
            Shape::Number => format!("static int {name} = {};", self.random.below(50)),
            Shape::Array => format!("static int {name}[4] = {{ {number}, 2, 3, 4 }};"),
            Shape::Pair => {
                format!("static struct pair {name} = {{ {number}, {{ 5, 6, 7, 8 }}, 0 }};")
            }
            Shape::Pointer => {
                let target = first(&self.made.globals, Shape::Number);
                format!("static int *{name} = &{}g{target};", self.made.prefix)
            }
            Shape::Vector => {
                let target = first(&self.made.globals, Shape::Array);
                format!("static int *{name} = {}g{target};", self.made.prefix)
            }
            Shape::Link => format!("static struct pair *{name} = 0;"),
        };
        self.text(text);
        self.made.globals.push(Slot {
            function: None,
            name: name.clone(),
            shape,
            is_static: true,
            number,
        });
        self.scope.push(Known {
            name,
            shape,
            fixed: false,
            lasting: true,
            inner: false,
        });
    }

    fn header(&self, index: usize, names: bool) -> String {
        let signature = &self.signatures[index];
        let name = |text: &str| {
            if names {
                text.to_string()
            } else {
                String::new()
            }
        };
        let mut parameters = vec![format!("int {}", name("depth"))];
        for (position, shape) in signature.parameters.iter().enumerate() {
            let ty = match shape {
                Shape::Pointer | Shape::Vector => "int *",
                Shape::Link => "struct pair *",
                _ => "int ",
            };
            parameters.push(format!("{ty}{}", name(&format!("a{position}"))));
        }
        format!("static int {}({})", signature.name, parameters.join(", "))
    }

    fn function(&mut self, index: usize, has_table: bool) {
        let globals = self.made.globals.len();
        self.scope.truncate(globals);
        self.current = index;
        self.function.clone_from(&self.signatures[index].name);
        self.slots = 0;
        let header = self.header(index, true);
        self.text(format!("{header} {{"));
        self.made.lines.push(Line::Frame);
        self.declared("depth", Shape::Number, true, false);
        let parameters = self.signatures[index].parameters.clone();
        for (position, shape) in parameters.into_iter().enumerate() {
            self.declared(&format!("a{position}"), shape, false, false);
        }
        if index == 0 && has_table && self.random.once_in(2) {
            let prefix = self.made.prefix.clone();
            self.text(format!("{prefix}choose();"));
        }
        self.local(Shape::Number);
        self.local(Shape::Array);
        for _ in 0..self.random.below(4) {
            let kinds = [
                Shape::Number,
                Shape::Array,
                Shape::Pair,
                Shape::Pointer,
                Shape::Vector,
                Shape::Link,
            ];
            let shape = *self.random.pick(&kinds).unwrap_or(&Shape::Number);
            self.local(shape);
        }
        let jumps = index == 0 && self.has_jump;
        if jumps {
            let prefix = self.made.prefix.clone();
            self.text(format!("if (setjmp({prefix}env)) {{"));
            self.made.lines.push(Line::Returned);
            self.show();
            self.text("return 1;");
            self.text("}");
        }
        let statements = 4 + self.random.below(6);
        self.block(statements);
        self.show();
        let result = self.number(2);
        self.text(format!("return {result};"));
        self.text("}");
    }

    /// A name is in scope and registered.
    pub fn declared(&mut self, name: &str, shape: Shape, fixed: bool, is_static: bool) {
        let number = if is_static {
            self.statics += 1;
            self.made.globals.len() + self.statics - 1
        } else {
            self.slots += 1;
            self.slots - 1
        };
        self.made.lines.push(Line::Registered(Slot {
            function: Some(self.function.clone()),
            name: name.to_string(),
            shape,
            is_static,
            number,
        }));
        self.scope.push(Known {
            name: name.to_string(),
            shape,
            fixed,
            lasting: is_static,
            inner: self.depth > 0,
        });
    }

    pub fn local(&mut self, shape: Shape) {
        let name = self.fresh("x");
        let is_static =
            self.random.once_in(7) && matches!(shape, Shape::Number | Shape::Array | Shape::Pair);
        let text = match shape {
            Shape::Number if is_static => format!("static int {name} = 7;"),
            Shape::Number => format!("int {name} = {};", self.number(2)),
            Shape::Array if is_static => format!("static int {name}[4];"),
            // At the top of the function: the memory of others is used again before the frame is gone.
            Shape::Array if self.depth == 0 && self.random.once_in(4) => {
                let value = self.number(1);
                format!(
                    "int {name}n = 4; int {name}[{name}n]; for (int k = 0; k < {name}n; k++) {name}[k] = k - ({value});"
                )
            }
            Shape::Array => {
                let value = self.number(1);
                format!("int {name}[4] = {{ {value}, 1, 2, 3 }};")
            }
            Shape::Pair if is_static => format!("static struct pair {name};"),
            Shape::Pair => {
                let value = self.number(1);
                format!("struct pair {name} = {{ {value}, {{ 1, 2, 3, 4 }}, 0 }};")
            }
            Shape::Pointer => format!("int *{name} = {};", self.pointer(false)),
            Shape::Vector => format!("int *{name} = {};", self.vector(false)),
            Shape::Link => format!("struct pair *{name} = {};", self.link(false)),
        };
        self.text(text);
        self.declared(&name, shape, false, is_static);
    }

    pub fn of(&mut self, wanted: &[Shape], assigned: bool, lasting: bool) -> Option<Known> {
        let fitting: Vec<Known> = self
            .scope
            .iter()
            .filter(|one| wanted.contains(&one.shape))
            .filter(|one| !(assigned && one.fixed || lasting && !one.lasting))
            .cloned()
            .collect();
        self.random.pick(&fitting).cloned()
    }
}
