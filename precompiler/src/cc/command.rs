//! A command of the C compiler, word by word: which step it is, and which words are for what.

use std::path::{Path, PathBuf};

use super::called::{can_be_started, in_path, other_than_this};
use super::response::expand;

/// What a part of the command is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// For every step.
    Flag,
    /// For the linker alone.
    LinkFlag,
    /// `-c`.
    CompileOnly,
    /// Files that a step writes beside its result: dependencies, intermediate texts.
    Beside,
    /// `-o`.
    Output,
    /// `-x`: the language of what follows.
    Language,
    /// `-L`.
    SearchPath,
    /// `-l`.
    Library,
    /// C.
    Source,
    /// Another language, or what the preprocessor made.
    Foreign,
    /// For the linker: an object, an archive, a library.
    Object,
}

/// An option with its value, or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is for.
    pub kind: Kind,
    /// One word, or an option and its value.
    pub words: Vec<String>,
}

impl Part {
    /// The value of an option, joined or not; a file as it is.
    pub fn value(&self) -> &str {
        match &self.words[..] {
            [_, value] => value,
            [word] if word.starts_with('-') => word.get(2..).unwrap_or_default(),
            [word] => word,
            _ => "",
        }
    }
}

/// The step that a command asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing that cccp has a part in.
    Other,
    /// Objects.
    Compile,
    /// A shared library or an object made of objects.
    Library,
    /// A program.
    Link,
}

/// A command of the C compiler.
#[derive(Clone, Debug)]
pub struct Command {
    /// The compiler, with what stands before it (`ccache gcc`).
    pub compiler: Vec<String>,
    /// The other words as they were given.
    pub given: Vec<String>,
    /// The other words, response files expanded, by their kinds.
    pub parts: Vec<Part>,
}

/// Options whose value is the next word, with the kind they have.
const WITH_VALUE: [(&[&str], Kind); 6] = [
    (
        &[
            "-I",
            "-D",
            "-U",
            "-A",
            "-B",
            "-include",
            "-imacros",
            "-isystem",
            "-iquote",
            "-idirafter",
            "-iprefix",
            "-iwithprefix",
            "-iwithprefixbefore",
            "-isysroot",
            "--sysroot",
            "-imultilib",
            "-Xpreprocessor",
            "-Xassembler",
            "-Xclang",
            "-arch",
            "-target",
            "--target",
            "--param",
            "-specs",
            "-wrapper",
            "-mllvm",
            "-include-pch",
            "-framework",
            "-G",
        ],
        Kind::Flag,
    ),
    (&["-Xlinker", "-T", "-u", "-z", "-e"], Kind::LinkFlag),
    (
        &[
            "-MF",
            "-MT",
            "-MQ",
            "-MJ",
            "-aux-info",
            "-dumpbase",
            "-dumpdir",
            "-dumpbase-ext",
        ],
        Kind::Beside,
    ),
    (&["-o"], Kind::Output),
    (&["-x"], Kind::Language),
    (&["-L"], Kind::SearchPath),
];

/// Options after which nothing is compiled to an object.
const OTHER: [&str; 22] = [
    "-E",
    "-S",
    "-M",
    "-MM",
    "-fsyntax-only",
    "-###",
    "--version",
    "-V",
    "-emit-llvm",
    "--analyze",
    "-show",
    "-showme",
    "-compile-info",
    "-compile_info",
    "-link-info",
    "-link_info",
    "-dumpversion",
    "-dumpmachine",
    "-dumpspecs",
    "-dumpfullversion",
    "--help",
    "-save-temps-only",
];

/// Options that begin so do the same.
const OTHER_BEGINNINGS: [&str; 5] = [
    "-print-",
    "--print-",
    "--help=",
    "-showme:",
    "-fsyntax-only",
];

/// Options of the linker that do not say it in front.
const LINK_FLAGS: [&str; 13] = [
    "-s",
    "-rdynamic",
    "-nostdlib",
    "-nostartfiles",
    "-nodefaultlibs",
    "-static",
    "-static-pie",
    "-pie",
    "-no-pie",
    "-shared",
    "-r",
    "-static-libgcc",
    "-shared-libgcc",
];

impl Command {
    /// Reads the words, which are for the compiler named. Without one the leading words that can be started are the compiler;
    /// without any of these it is `cc`.
    pub fn read(named: Option<String>, words: Vec<String>) -> Result<Command, String> {
        let (compiler, given) = match named {
            Some(compiler) => (vec![compiler], words),
            None => {
                let count = words.iter().take_while(|word| is_program(word)).count();
                let mut compiler = words;
                let given = compiler.split_off(count);
                if compiler.is_empty() {
                    compiler.push(std::env::var("CCCP_CC").unwrap_or_else(|_| "cc".to_string()));
                }
                compiler[0] = other_than_this(&compiler[0])?;
                (compiler, given)
            }
        };
        let parts = parts(&expand(&given));
        Ok(Command {
            compiler,
            given,
            parts,
        })
    }

    /// All parts of a kind.
    pub fn of(&self, kind: Kind) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(move |part| part.kind == kind)
    }

    /// Whether there is a part of a kind.
    pub fn has(&self, kind: Kind) -> bool {
        self.of(kind).next().is_some()
    }

    /// Whether a word stands there.
    pub fn says(&self, word: &str) -> bool {
        self.parts.iter().any(|part| part.words[0] == word)
    }

    /// The step it asks for.
    pub fn step(&self) -> Step {
        let is_other = |part: &Part| {
            let word = part.words[0].as_str();
            OTHER.contains(&word) || OTHER_BEGINNINGS.iter().any(|one| word.starts_with(one))
        };
        if self.parts.iter().any(is_other) {
            return Step::Other;
        }
        if self.has(Kind::CompileOnly) {
            return match self.has(Kind::Source) {
                true => Step::Compile,
                false => Step::Other,
            };
        }
        if !self.has(Kind::Source) && !self.has(Kind::Object) && !self.has(Kind::Foreign) {
            return Step::Other;
        }
        let makes_library = [
            "-shared",
            "-r",
            "-Wl,-r",
            "-Wl,-shared",
            "-Wl,--relocatable",
        ];
        match makes_library.iter().any(|word| self.says(word)) {
            true => Step::Library,
            false => Step::Link,
        }
    }

    /// Whether it makes a program of a configuration, which asks how this machine is: those of autoconf, CMake and Meson have names of
    /// their own, or lie in folders of their own.
    pub fn is_configuration(&self) -> bool {
        let is_one = |path: &Path| {
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            let is_named = stem.is_some_and(|stem| stem == "conftest" || stem.starts_with("cmTC_"));
            let folders = ["CMakeScratch", "CMakeTmp", "meson-private"];
            is_named || { path.iter() }.any(|part| folders.iter().any(|folder| part == *folder))
        };
        let sources = self
            .of(Kind::Source)
            .map(|part| PathBuf::from(part.value()));
        sources.chain(self.output()).any(|path| is_one(&path))
    }

    /// Where the result goes, as it is said.
    pub fn output(&self) -> Option<PathBuf> {
        self.of(Kind::Output).last().map(|part| part.value().into())
    }
}

/// The words by their kinds.
pub fn parts(words: &[String]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut language = String::from("none");
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut part = vec![word.clone()];
        let valued = WITH_VALUE
            .iter()
            .find(|(options, _)| options.contains(&word.as_str()));
        let kind = match valued {
            Some((_, kind)) => {
                part.extend(words.next().cloned());
                kind.clone()
            }
            None if word == "-l" => {
                part.extend(words.next().cloned());
                Kind::Library
            }
            None => kind_of(word, &language),
        };
        let part = Part { kind, words: part };
        if part.kind == Kind::Language {
            language = part.value().to_string();
        }
        parts.push(part);
    }
    parts
}

fn kind_of(word: &str, language: &str) -> Kind {
    let begins = |beginnings: &[&str]| beginnings.iter().any(|one| word.starts_with(one));
    if word == "-" || !word.starts_with('-') {
        return match (
            language,
            Path::new(word).extension().and_then(|end| end.to_str()),
        ) {
            ("c", _) if word != "-" => Kind::Source,
            ("none", Some("c")) => Kind::Source,
            (
                "none",
                Some(
                    "i" | "ii" | "cc" | "cp" | "cxx" | "cpp" | "CPP" | "c++" | "C" | "m" | "mi"
                    | "mm" | "M" | "h" | "H" | "hh" | "hpp" | "s" | "S" | "sx" | "f" | "for"
                    | "ftn" | "F" | "FOR" | "fpp" | "f90" | "f95" | "f03" | "f08" | "F90" | "F95"
                    | "F03" | "F08" | "go" | "d" | "adb" | "ads",
                ),
            ) => Kind::Foreign,
            ("none", _) if word != "-" => Kind::Object,
            _ => Kind::Foreign,
        };
    }
    if word == "-c" {
        return Kind::CompileOnly;
    }
    if begins(&[
        "-MD",
        "-MMD",
        "-MP",
        "-MG",
        "-MF",
        "-MT",
        "-MQ",
        "-MV",
        "-save-temps",
        "--save-temps",
        "-Wp,-M",
    ]) {
        return Kind::Beside;
    }
    if LINK_FLAGS.contains(&word) || begins(&["-Wl,", "-T", "-fuse-ld=", "-z"]) {
        return Kind::LinkFlag;
    }
    match word.as_bytes().get(1) {
        Some(b'o') => Kind::Output,
        Some(b'x') => Kind::Language,
        Some(b'L') => Kind::SearchPath,
        Some(b'l') => Kind::Library,
        _ => Kind::Flag,
    }
}

/// Whether a word names a program: found in PATH, or a path of a file that can be started.
fn is_program(word: &str) -> bool {
    if word.starts_with(['-', '@']) || word.is_empty() {
        return false;
    }
    if word.contains('/') {
        let is_input = !matches!(kind_of(word, "none"), Kind::Object) || has_object_name(word);
        return !is_input && can_be_started(Path::new(word));
    }
    in_path(word).next().is_some()
}

fn has_object_name(word: &str) -> bool {
    let end = Path::new(word).extension().and_then(|end| end.to_str());
    matches!(end, Some("o" | "a" | "so" | "lo" | "la" | "obj"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(text: &str) -> Command {
        let words = text.split_whitespace().map(str::to_string).collect();
        Command::read(None, words).expect("a command")
    }

    #[test]
    fn the_compiler_is_what_can_be_started() {
        assert_eq!(command("sh env -c a.c").compiler, ["sh", "env"]);
        assert_eq!(command("-c a.c").compiler, ["cc"]);
        assert_eq!(command("a.c -o a").compiler, ["cc"]);
    }

    #[test]
    fn steps_are_told_apart() {
        let step = |text| command(text).step();
        assert_eq!(step("-c a.c"), Step::Compile);
        assert_eq!(step("-c a.s"), Step::Other);
        assert_eq!(step("-E a.c"), Step::Other);
        assert_eq!(step("-MMD -c a.c"), Step::Compile);
        assert_eq!(step("a.o -lm"), Step::Link);
        assert_eq!(step("-shared a.o"), Step::Library);
        assert_eq!(step("-v"), Step::Other);
        assert_eq!(step("--version"), Step::Other);
    }

    #[test]
    fn every_word_has_its_kind() {
        let command =
            command("-O2 -Iinc -MF a.d -o out -x c a.h -x none b.o -Ldir -l m -Wl,-z -DX");
        let kinds: Vec<Kind> = command.parts.iter().map(|part| part.kind.clone()).collect();
        use Kind::*;
        let expected = [
            Flag, Flag, Beside, Output, Language, Source, Language, Object, SearchPath, Library,
            LinkFlag, Flag,
        ];
        assert_eq!(kinds, expected);
        assert_eq!(command.output(), Some("out".into()));
    }
}
