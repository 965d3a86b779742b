//! All files of the catalogue, and where in them a function stands.
//!
//! Those that come with the precompiler were indexed when it was built; an entry is read when somebody asks for it, and
//! once only.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use cccp_grammar::{HeadKind, catalogue_heads, parse_catalogue_entry};

use super::builtin::{
    BuiltinFunction, FILES, FUNCTIONS, GENERATORS, HANDLES, PREFIXES, READERS, REST, VARIABLES,
};
use super::check::{Fault, Names, function};
use super::linked::{Linked, UnseenFunction};
use super::model::LibraryFunction;
use super::roles::{ROLES, Role};

/// What is known of library functions.
#[derive(Debug, Default)]
pub struct Catalogue {
    /// The files that come with the precompiler count.
    builtin: bool,
    /// The user's files.
    own: Vec<OwnFile>,
    /// Where functions of the user's files stand.
    functions: HashMap<String, Standing>,
    handles: BTreeSet<String>,
    generators: BTreeSet<String>,
    readers: BTreeSet<String>,
    states: BTreeSet<String>,
    /// Variables that libraries define, their states, and whether they point to what is kept there only.
    variables: BTreeMap<String, (String, bool)>,
    /// The program joins its threads, and takes no checkpoint while one is there.
    joins: bool,
    /// The program takes no checkpoint while a process that it has started is there.
    awaits: bool,
    /// What the link of the program knows of functions without an entry.
    linked: Linked,
    /// What has been read; `None` for what is in no file.
    read: Mutex<HashMap<String, Option<Arc<LibraryFunction>>>>,
}

#[derive(Clone, Debug)]
struct OwnFile {
    name: String,
    text: String,
}

/// What the names of functions end with that compute with `_Float64` and the like.
const PRECISIONS: [&str; 6] = ["f16", "f32", "f64", "f128", "f32x", "f64x"];

/// Where an entry stands: file (those of the user come last), bytes, chapter.
#[derive(Clone, Debug)]
struct Standing {
    file: usize,
    entry: Range<usize>,
    chapter: Range<usize>,
}

/// Something wrong in a file of the catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogueFault {
    /// The file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The line itself.
    pub text: String,
    /// How many characters it is about.
    pub length: usize,
    /// One sentence without a full stop.
    pub message: String,
}

impl fmt::Display for CatalogueFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            file,
            line,
            column,
            text,
            length,
            message,
        } = self;
        let number = line.to_string();
        let margin = " ".repeat(number.len());
        writeln!(out, "error: {message}")?;
        writeln!(out, "{margin}--> {file}:{line}:{column}")?;
        writeln!(out, "{margin} |")?;
        writeln!(out, "{number} | {text}")?;
        let blanks = " ".repeat(column - 1);
        write!(out, "{margin} | {blanks}{}", "^".repeat((*length).max(1)))
    }
}

impl Catalogue {
    /// The files that come with the precompiler.
    pub fn builtin() -> Catalogue {
        Catalogue {
            builtin: true,
            ..Catalogue::default()
        }
    }

    /// The same for a program that joins its threads, and takes no checkpoint while one is there.
    pub fn with_joined_threads(&self) -> Catalogue {
        let text = include_str!("joined.txt");
        Catalogue {
            joins: true,
            ..self.with("joined.txt", text)
        }
    }

    /// The same for a program that takes no checkpoint while a process that it has started is there.
    pub fn with_awaited_children(&self) -> Catalogue {
        let text = include_str!("children.txt");
        Catalogue {
            awaits: true,
            ..self.with("children.txt", text)
        }
    }

    /// The same for a program that is being linked.
    pub fn linked(mut self, linked: Linked) -> Catalogue {
        self.linked = linked;
        self
    }

    /// What the link knows of a function that nobody sees.
    pub fn unseen(&self, name: &str) -> Option<&UnseenFunction> {
        self.linked.find(name)
    }

    /// Whether an object that nobody sees defines a variable, and no library of the system does.
    pub fn is_unseen_variable(&self, name: &str) -> bool {
        self.linked.is_variable(name)
    }

    /// The same, with a file of its own.
    fn with(&self, name: &str, text: &str) -> Catalogue {
        let mut more = Catalogue {
            builtin: self.builtin,
            own: self.own.clone(),
            functions: self.functions.clone(),
            handles: self.handles.clone(),
            generators: self.generators.clone(),
            readers: self.readers.clone(),
            states: self.states.clone(),
            variables: self.variables.clone(),
            joins: self.joins,
            awaits: self.awaits,
            linked: self.linked.clone(),
            read: Mutex::default(),
        };
        let added = more.add(name, text.to_string());
        debug_assert!(added.is_ok(), "{added:?}");
        more
    }

    /// Whether no process that the program has started is there at a checkpoint.
    pub fn awaits_children(&self) -> bool {
        self.awaits
    }

    /// Whether no thread of the program is there at a checkpoint.
    pub fn joins_threads(&self) -> bool {
        self.joins
    }

    /// A user's file; its functions take the place of known ones with the same names. Everything in it is looked at.
    pub fn add(&mut self, name: &str, text: String) -> Result<(), Vec<CatalogueFault>> {
        let file = FILES.len() + self.own.len();
        for head in catalogue_heads(&text) {
            match head.kind {
                HeadKind::Chapter | HeadKind::Family => {}
                HeadKind::Handles(names) => self.handles.extend(names),
                HeadKind::Generators(names) => {
                    self.handles.extend(names.clone());
                    self.generators.extend(names);
                }
                HeadKind::Readers(names) => {
                    self.handles.extend(names.clone());
                    self.readers.extend(names);
                }
                HeadKind::State(name) => {
                    self.states.insert(name);
                }
                HeadKind::Variables(names, state, inside) => {
                    let each = { names.into_iter() }.map(|name| (name, (state.clone(), inside)));
                    self.variables.extend(each);
                }
                HeadKind::Functions(names) => {
                    let standing = Standing {
                        file,
                        entry: head.entry,
                        chapter: head.chapter,
                    };
                    let standings = names.into_iter().map(|name| (name, standing.clone()));
                    self.functions.extend(standings);
                }
            }
        }
        let name = name.to_string();
        self.own.push(OwnFile { name, text });
        // What was read before may have been replaced.
        self.read = Mutex::default();
        let faults = self.faults_of(file, &mut HashSet::new());
        if faults.is_empty() {
            Ok(())
        } else {
            Err(faults)
        }
    }

    /// What is known of a function; `None` when it is not in the catalogue. `PMPI_Send` is what `MPI_Send` is, and
    /// `__builtin_memcpy` is what `memcpy` is, unless they have an entry; `sqrtf64` is what `sqrt` is.
    pub fn find(&self, name: &str) -> Option<Arc<LibraryFunction>> {
        let name = self.plain(name);
        let mut known = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.get(name) {
            return found.clone();
        }
        let found = self.standing(name).and_then(|standing| {
            let function = self.entry(&standing).ok().flatten()?;
            let name = name.to_string();
            Some(Arc::new(LibraryFunction { name, ..function }))
        });
        known.insert(name.to_string(), found.clone());
        found
    }

    /// Whether a function is in the catalogue.
    pub fn contains(&self, name: &str) -> bool {
        self.standing(self.plain(name)).is_some()
    }

    /// Whether control may come back from a function again later. Whoever asks this of all calls of a large program
    /// pays for the few that do.
    pub fn returns_twice(&self, name: &str) -> bool {
        let word = ROLES
            .iter()
            .find(|(role, _, _)| *role == Role::ReturnsTwice);
        let word = word.map_or("", |(_, word, _)| word);
        self.standing(self.plain(name)).is_some_and(|standing| {
            let (_, text) = self.file(standing.file);
            text[standing.entry].contains(word)
                && self
                    .find(name)
                    .is_some_and(|one| one.is(Role::ReturnsTwice))
        })
    }

    /// Whether a typedef name stands for something that only a library understands.
    pub fn is_handle(&self, name: &str) -> bool {
        let is_builtin = self.builtin && HANDLES.binary_search(&name).is_ok();
        (is_builtin || self.handles.contains(name)) && !(self.joins && name == "pthread_t")
    }

    /// Whether a handle type is that of generators of random numbers: what one has drawn does not come back when it is made again.
    pub fn is_generator(&self, name: &str) -> bool {
        self.builtin && GENERATORS.binary_search(&name).is_ok() || self.generators.contains(name)
    }

    /// Whether a handle type is that of files which a library reads: how far does not come back when one is opened again.
    pub fn is_reader(&self, name: &str) -> bool {
        self.builtin && READERS.binary_search(&name).is_ok() || self.readers.contains(name)
    }

    /// The state that a variable with external linkage belongs to, without its `@`, when a library defines it: what
    /// reads or writes the state may read or store to the variable.
    pub fn state_of_variable(&self, name: &str) -> Option<&str> {
        self.variable(name).map(|(state, _)| state)
    }

    /// Whether pointers in such a variable point to what functions keep in its state, and never to what the state itself is: `optarg`.
    pub fn points_inside(&self, name: &str) -> bool {
        self.variable(name).is_some_and(|(_, inside)| inside)
    }

    fn variable(&self, name: &str) -> Option<(&str, bool)> {
        if let Some((state, inside)) = self.variables.get(name) {
            return Some((state, *inside));
        }
        let at = VARIABLES
            .binary_search_by_key(&name, |(name, ..)| name)
            .ok()?;
        let known = VARIABLES.get(at).filter(|_| self.builtin);
        known.map(|(_, state, inside)| (*state, *inside))
    }

    /// The names of all functions, in order; not those of which an entry has only the beginning.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let builtin = if self.builtin { FUNCTIONS } else { &[] };
        let builtin = builtin.iter().map(|one| one.name);
        let names = builtin.chain(self.functions.keys().map(String::as_str));
        let names = names.filter(|name| !name.ends_with(REST));
        names.collect::<BTreeSet<&str>>().into_iter()
    }

    /// Everything that is wrong in any file: the text of an entry, names that mean nothing, functions that stand twice
    /// in one file or in two that come with the precompiler.
    pub fn faults(&self) -> Vec<CatalogueFault> {
        let mut faults = Vec::new();
        let mut seen = HashSet::new();
        for file in 0..if self.builtin { FILES.len() } else { 0 } {
            faults.extend(self.faults_of(file, &mut seen));
        }
        for file in 0..self.own.len() {
            faults.extend(self.faults_of(FILES.len() + file, &mut HashSet::new()));
        }
        faults
    }

    /// The name under which a function stands.
    fn plain<'a>(&self, name: &'a str) -> &'a str {
        let profiled = name.strip_prefix('P').or(name.strip_prefix("OMPI_C_"));
        let other = match (profiled, name.strip_prefix("__builtin_")) {
            (Some(other), _) if other.starts_with("MPI_") => other,
            (_, Some(other)) => other,
            _ => match self.of_other_precision(name) {
                Some(other) => other,
                None => return name,
            },
        };
        if self.standing(name).is_some() {
            name
        } else {
            other
        }
    }

    /// Of `sqrtf64` and the like `sqrt`: a function that is there as `sqrtf` and `sqrtl`, too.
    fn of_other_precision<'a>(&self, name: &'a str) -> Option<&'a str> {
        let other = (PRECISIONS.iter()).find_map(|precision| name.strip_suffix(precision))?;
        let family = ["", "f", "l"].map(|letter| format!("{other}{letter}"));
        family
            .iter()
            .all(|one| self.standing(one).is_some())
            .then_some(other)
    }

    fn standing(&self, name: &str) -> Option<Standing> {
        if let Some(own) = self.functions.get(name) {
            return Some(own.clone());
        }
        let builtin = if self.builtin { FUNCTIONS } else { &[] };
        let mut one = builtin
            .binary_search_by_key(&name, |one| one.name)
            .ok()
            .and_then(|at| builtin.get(at));
        if one.is_none() {
            // Of entries for all names that begin so, the one that says most of the name.
            let begins = |known: &str| {
                let start = known.strip_suffix(REST);
                start.is_some_and(|start| name.starts_with(start))
            };
            let own = self.functions.iter().filter(|(known, _)| begins(known));
            if let Some((_, own)) = own.max_by_key(|(known, _)| known.len()) {
                return Some(own.clone());
            }
            let all = PREFIXES.iter().filter_map(|at| builtin.get(*at));
            one = all
                .filter(|one| begins(one.name))
                .max_by_key(|one| one.name.len());
        }
        let one: &BuiltinFunction = one?;
        Some(Standing {
            file: one.file,
            entry: one.entry.0..one.entry.1,
            chapter: one.chapter.0..one.chapter.1,
        })
    }

    /// Name and text of a file.
    fn file(&self, number: usize) -> (&str, &str) {
        match number.checked_sub(FILES.len()) {
            None => (FILES[number].name, FILES[number].text),
            Some(own) => (&self.own[own].name, &self.own[own].text),
        }
    }

    fn entry(&self, standing: &Standing) -> Result<Option<LibraryFunction>, Fault> {
        let (_, text) = self.file(standing.file);
        let names = Names {
            chapter: &text[standing.chapter.clone()],
            states: &self.states,
        };
        let entry = parse_catalogue_entry(&text[standing.entry.clone()])
            .map_err(|error| (error.range, error.message))?;
        function(&entry, &names)
    }

    /// `seen` are the functions of files that must not name them again.
    fn faults_of(&self, number: usize, seen: &mut HashSet<String>) -> Vec<CatalogueFault> {
        let mut faults = Vec::new();
        for head in catalogue_heads(self.file(number).1) {
            let start = head.entry.start;
            let mut wrong = |range: Range<usize>, message: String| {
                faults.push(self.fault(number, start + range.start, range.len(), message));
            };
            let standing = Standing {
                file: number,
                entry: head.entry,
                chapter: head.chapter,
            };
            if let Err((range, message)) = self.entry(&standing) {
                wrong(range, message);
            } else if let HeadKind::Functions(names) = head.kind {
                if standing.chapter.is_empty() {
                    wrong(0..1, "a function before the first `chapter`".to_string());
                }
                for name in names {
                    let length = name.len();
                    if name.contains('{') {
                        wrong(
                            0..length,
                            format!("`{name}` names a family that is not declared above it"),
                        );
                    } else if !seen.insert(name.clone()) {
                        wrong(0..length, format!("`{name}` stands in the catalogue twice"));
                    }
                }
            }
        }
        faults
    }

    fn fault(&self, file: usize, at: usize, length: usize, message: String) -> CatalogueFault {
        let (name, text) = self.file(file);
        let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let line = text[start..].lines().next().unwrap_or("");
        let column = text[start..at].chars().count();
        CatalogueFault {
            file: name.to_string(),
            line: text[..at].matches('\n').count() + 1,
            column: column + 1,
            text: line.to_string(),
            length: length.min(line.chars().count().saturating_sub(column)),
            message,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Alternative, EffectKind, Role};

    const TEXT: &str = "chapter C17 7.24 String handling <string.h>\nstate @tokens: the string strtok is in\nhandle FILE\n\n\
        strtok(s, delim) cite 7.24.5.8\n    reads s[terminated], delim[terminated], @tokens\n    writes s, @tokens\n    \
        keeps s in @tokens\n    nullable s\n    returns into s or into @tokens or null\n\nlabs, abs(j) cite 7.22.6.1\n";

    fn catalogue(text: &str) -> (Catalogue, Vec<CatalogueFault>) {
        let mut catalogue = Catalogue::default();
        let faults = catalogue.add("own.txt", text.to_string()).err();
        (catalogue, faults.unwrap_or_default())
    }

    #[test]
    fn a_function_is_found_with_its_parameters_as_numbers() {
        let (catalogue, faults) = catalogue(TEXT);
        assert_eq!(faults, []);
        let found = catalogue.find("strtok").expect("strtok");
        assert_eq!(found.chapter, "C17 7.24 String handling <string.h>");
        assert_eq!(found.effects.len(), 6);
        assert_eq!(
            found.effects[5].kind,
            EffectKind::Keeps(Some("tokens".into()))
        );
        assert_eq!(found.nullable, [0]);
        assert!(matches!(&found.returns[0], Alternative::Into(place) if place.behind == 0));
        assert_eq!(catalogue.find("abs").expect("abs").effects, []);
        assert!(catalogue.find("strtokk").is_none());
        assert!(catalogue.is_handle("FILE"));
        assert!(!catalogue.is_generator("FILE") && !catalogue.is_reader("FILE"));
        let mut catalogue = catalogue;
        let added = catalogue.add(
            "own.txt",
            "generator stream_t\nreader input_t\n".to_string(),
        );
        assert!(added.is_ok() && catalogue.is_generator("stream_t"));
        assert!(catalogue.is_handle("stream_t"));
        assert!(catalogue.is_reader("input_t") && catalogue.is_handle("input_t"));
    }

    #[test]
    fn what_is_wrong_is_shown_with_its_line() {
        for (bad, words) in [
            ("f(a)\n    reads b\n", "no parameter `b`"),
            ("f(a)\n    reads a[n]\n", "no parameter `n`"),
            ("f(a)\n    role sendz\n", "`sends`?"),
            ("f(a)\n    reads @token\n", "`@tokens`?"),
            ("f(a)\n    reads ...\n", "no variable arguments"),
            ("f(a, a)\n", "`a` twice"),
            ("abs(j)\n", "stands in the catalogue twice"),
            ("f(a)\n    wreads a\n", "cannot stand here"),
            ("f(a)\n    fills all of a\n", "`writes`?"),
            ("f{x}(a)\n", "names a family"),
        ] {
            let (_, faults) = catalogue(&format!("{TEXT}\n{bad}"));
            let shown: String = faults.iter().map(ToString::to_string).collect();
            assert!(
                shown.contains(words) && shown.contains("own.txt:1"),
                "{bad}: {shown}"
            );
        }
        let (_, faults) = catalogue("f(a)\n");
        assert!(faults[0].message.contains("chapter"));
    }

    #[test]
    fn an_entry_may_stand_for_all_names_with_a_beginning() {
        let (mut catalogue, faults) =
            catalogue("chapter ours\nfast_*(...)\n    reads ...\nfast_sum(n)\n");
        assert_eq!(faults, []);
        assert_eq!(
            catalogue.find("fast_product").expect("one").name,
            "fast_product"
        );
        assert!(
            catalogue
                .find("fast_sum")
                .expect("the other")
                .effects
                .is_empty()
        );
        assert!(!catalogue.contains("fast"));
        assert_eq!(catalogue.names().collect::<Vec<_>>(), ["fast_sum"]);
        let more = "chapter more\nfast_p*(...)\n    writes ...\n";
        assert!(catalogue.add("more.txt", more.to_string()).is_ok());
        let builtin = Catalogue::builtin();
        assert!(builtin.contains("sqrtf64") && builtin.contains("cexpf32x"));
        assert!(!builtin.contains("readf64") && !builtin.contains("printf32"));
        assert!(builtin.contains("__builtin_ia32_addps") && !builtin.contains("__builtin_ia31_x"));
    }

    #[test]
    fn variables_belong_to_states() {
        let (mut catalogue, faults) = catalogue("chapter ours\nvariable depth, width in @plates\n");
        assert!(faults[0].message.contains("no state `@plates`"));
        let good = "chapter ours\nstate @plates: x\nvariable depth, width in @plates\n";
        assert!(catalogue.add("good.txt", good.to_string()).is_ok());
        assert_eq!(catalogue.state_of_variable("width"), Some("plates"));
        assert_eq!(catalogue.state_of_variable("optarg"), None);
        assert_eq!(
            Catalogue::builtin().state_of_variable("optarg"),
            Some("options")
        );
    }

    #[test]
    fn a_family_stands_for_all_its_names() {
        let (catalogue, faults) = catalogue(
            "chapter GSL\nfamily of: _, _float_, _int_   # numbers\n\ngsl_vector{of}alloc, gsl_block{of}alloc(n)\n    \
             returns new\n    stores new in return->data\n\ngsl_vector{of}get(v, i)\n    reads all of v\n",
        );
        assert_eq!(faults, []);
        for name in ["gsl_vector_alloc", "gsl_block_int_alloc"] {
            assert_eq!(catalogue.find(name).expect(name).stores.len(), 1);
        }
        let get = catalogue.find("gsl_vector_float_get").expect("a member");
        assert!(get.effects[0].place.everything);
        assert_eq!(get.name, "gsl_vector_float_get");
        assert!(!catalogue.contains("gsl_vector{of}get"));
    }

    #[test]
    fn callbacks_are_found_in_structs_and_are_given_what_may_be() {
        let (catalogue, faults) = catalogue(&format!(
            "{TEXT}\nintegrate(f, a, b)\n    calls f->function(_, f->params or into all of f)\n"
        ));
        assert_eq!(faults, []);
        let found = catalogue.find("integrate").expect("integrate");
        let [call] = found.calls.as_slice() else {
            panic!("{found:?}");
        };
        assert_eq!(call.callback.members, ["function"]);
        assert_eq!(call.arguments[0], []);
        assert_eq!(call.arguments[1].len(), 2);
    }

    #[test]
    fn a_users_entry_takes_the_place_of_a_known_one() {
        let (mut catalogue, _) = catalogue(TEXT);
        let own = "chapter ours\nstrtok(s, delim)\n    role exits\n";
        catalogue
            .add("mine.txt", own.to_string())
            .expect("a good file");
        assert!(catalogue.find("strtok").expect("strtok").is(Role::Exits));
    }
}
