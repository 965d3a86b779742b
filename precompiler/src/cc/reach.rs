//! What functions can reach whose objects were compiled otherwise: kernels in Fortran, C++ or assembler, libraries.
//!
//! In: all objects and libraries that the linker takes. Out: for each function that the program wants and nobody sees, whether a
//! way leads from it to what sends messages, to what a team of threads does together, and to the program itself. An object
//! is one thing: what a name of it wants, all of its names want.
//!
//! ```text
//! main.o    seen, wants kernel_
//! kernel.o  defines kernel_, wants dgemm_, work_        neither leads to a name of MPI: kernel_ is silent
//! work.o    defines work_, wants sqrt
//! ```
//!
//! A function may call what another one has handed over: a pointer that comes from the program is the analyses' affair,
//! which take it to be called by everything that is not seen. Objects hand each other pointers, too, so the user's objects
//! that use each other are one thing; into a library of the system a way leads, and none out of it to those that use it.
//!
//! Errors fall on the side of a way: a name that no file defines that can be read, and `dlopen`, lead everywhere.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use super::taken::Taken;
use crate::catalog::{Linked, UnseenFunction, Way};
use crate::solver::{Analysis, solve};

/// Libraries of compilers and of the system that communicate with no other process of the program, and load nothing that does.
const SILENT: [&str; 20] = [
    "libatomic",
    "libblas",
    "libc",
    "libc_nonshared",
    "libcblas",
    "libdl",
    "libgcc",
    "libgcc_eh",
    "libgcc_s",
    "libgfortran",
    "libgomp",
    "libiomp5",
    "liblapack",
    "libm",
    "libmvec",
    "libomp",
    "libpthread",
    "libquadmath",
    "librt",
    "libstdc++",
];
/// What compilers begin and end programs with.
const FRAME: [&str; 9] = [
    "crt1.o", "Scrt1.o", "rcrt1.o", "gcrt1.o", "crti.o", "crtn.o", "crtbegin", "crtend", "crtfast",
];
/// What can bring anything, and ways between processes beside MPI: sockets, queues and shared memory.
const OPEN: [&str; 22] = [
    "accept",
    "connect",
    "dlmopen",
    "dlopen",
    "dlsym",
    "dlvsym",
    "mq_open",
    "msgget",
    "recv",
    "recvfrom",
    "recvmsg",
    "semget",
    "sem_open",
    "send",
    "sendmsg",
    "sendto",
    "shm_open",
    "shmat",
    "shmget",
    "socket",
    "socketpair",
    "syscall",
];
/// What can bring anything.
const LOADING: [&str; 4] = ["dlmopen", "dlopen", "dlsym", "dlvsym"];
/// Names of MPI, in all languages, begin so, whatever the case and the underscores before.
const SPEAKING: [&str; 6] = ["mpi_", "mpix_", "pmpi_", "pmpix_", "ompi_", "mpi_f08"];
/// Names of what compilers make of directives of OpenMP and OpenACC, and of calls.
const OF_TEAM: [&str; 6] = [
    "GOMP_",
    "GOACC_",
    "__kmpc_",
    "kmp_",
    "omp_",
    "pthread_barrier",
];
/// Names that linkers define.
const OF_LINKER: [&str; 17] = [
    "_GLOBAL_OFFSET_TABLE_",
    "_PROCEDURE_LINKAGE_TABLE_",
    "_TLS_MODULE_BASE_",
    "_DYNAMIC",
    "__bss_start",
    "__dso_handle",
    "__ehdr_start",
    "__executable_start",
    "__TMC_END__",
    "__tls_get_addr",
    "_edata",
    "_end",
    "_etext",
    "__gmon_start__",
    "edata",
    "end",
    "etext",
];
/// Beginnings of such names.
const OF_SECTIONS: [&str; 7] = [
    "__start_",
    "__stop_",
    "__init_array_",
    "__fini_array_",
    "__preinit_array_",
    "__rela_iplt_",
    "__rel_iplt_",
];

/// The functions that the program wants and nobody sees; `are_users` says which of the objects are the user's.
pub fn linked(taken: &[Taken], are_users: &[bool]) -> Linked {
    let (seen, unseen): (Vec<_>, Vec<_>) = { taken.iter().zip(are_users) }
        .filter(|(one, _)| !is_frame(one))
        .partition(|(one, _)| !one.contents.records.is_empty());
    if unseen.is_empty() {
        return Linked::default();
    }
    let graph = Graph::of(&seen, &unseen);
    let ways = [Goal::Messages, Goal::Team, Goal::Program].map(|goal| graph.ways(goal));
    let wanted: BTreeSet<&String> = seen
        .iter()
        .flat_map(|(one, _)| &one.contents.wanted)
        .collect();
    let mut functions = BTreeMap::new();
    for (number, (one, _)) in unseen.iter().enumerate() {
        let way = |goal: usize| graph.told(ways[goal][number].as_deref()?, GOALS[goal]);
        let found = Arc::new(UnseenFunction {
            object: one.name(),
            messages: way(0),
            team: way(1),
            program: way(2),
        });
        for name in one
            .contents
            .defined
            .iter()
            .filter(|name| wanted.contains(name))
        {
            // The linker takes the first one.
            functions
                .entry(name.clone())
                .or_insert_with(|| found.clone());
        }
    }
    let mut variables = BTreeSet::new();
    for (one, _) in unseen.iter().filter(|(_, is_users)| **is_users) {
        let of_object = one.contents.defined.difference(&one.contents.functions);
        variables.extend(of_object.filter(|name| wanted.contains(name)).cloned());
    }
    Linked::of(functions, variables)
}

/// Where ways lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    Messages,
    Team,
    Program,
}

const GOALS: [Goal; 3] = [Goal::Messages, Goal::Team, Goal::Program];

struct Graph<'a> {
    objects: Vec<&'a Taken>,
    /// Against the edges: who may lead to an object.
    back: Vec<BTreeSet<usize>>,
    defined: BTreeSet<&'a str>,
    of_program: BTreeSet<&'a str>,
    functions_of_program: BTreeSet<&'a str>,
}

impl<'a> Graph<'a> {
    fn of(seen: &[(&'a Taken, &bool)], unseen: &[(&'a Taken, &bool)]) -> Graph<'a> {
        let mut definers: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (number, (one, _)) in unseen.iter().enumerate() {
            for name in &one.contents.defined {
                definers.entry(name).or_default().push(number);
            }
        }
        let mut back = vec![BTreeSet::new(); unseen.len()];
        for (number, (one, _)) in unseen.iter().enumerate() {
            if is_silent_library(one) {
                continue;
            }
            let wanted = one.contents.wanted.iter();
            for name in wanted.filter(|name| !is_of_linker(name)) {
                for &other in definers.get(name.as_str()).into_iter().flatten() {
                    back[other].insert(number);
                    let (file, is_users) = unseen[other];
                    if *is_users || !file.contents.is_shared && !is_silent_library(file) {
                        back[number].insert(other);
                    }
                }
            }
        }
        let of_seen = |names: fn(&Taken) -> &BTreeSet<String>| {
            let all = seen.iter().flat_map(move |(one, _)| names(one));
            all.map(String::as_str).collect::<BTreeSet<&str>>()
        };
        let of_program = of_seen(|one| &one.contents.defined);
        let mut defined = of_program.clone();
        defined.extend(definers.keys());
        Graph {
            objects: unseen.iter().map(|(one, _)| *one).collect(),
            back,
            defined,
            of_program,
            functions_of_program: of_seen(|one| &one.contents.functions),
        }
    }

    /// The name by which an object itself is at a goal.
    fn is_at(&self, object: &'a Taken, goal: Goal) -> Option<&'a str> {
        if is_silent_library(object) {
            return None;
        }
        let contents = &object.contents;
        let wanted = || contents.wanted.iter().map(String::as_str);
        // A name of its own that the program has, too, is the program's: it is weak, or memory of both, or in a library.
        if let Goal::Program = goal {
            let mut all = wanted().chain(contents.defined.iter().map(String::as_str));
            return all.find(|name| self.of_program.contains(name));
        }
        let is_goal = |name: &str| match goal {
            Goal::Messages => speaks(name) || OPEN.contains(&name),
            _ => LOADING.contains(&name) || OF_TEAM.iter().any(|start| name.starts_with(start)),
        };
        // With a library come those that it needs; the linker names only those that the program needs, too.
        let is_whole = contents.is_shared && contents.needed.iter().all(|name| self.is_known(name));
        let is_lost = |name: &&str| {
            !is_whole
                && !self.defined.contains(name)
                && !is_of_linker(name)
                && !contents.optional.contains(*name)
        };
        let own = || contents.defined.iter().map(String::as_str);
        wanted()
            .find(|name| is_goal(name))
            .or_else(|| own().find(|name| goal == Goal::Messages && speaks(name)))
            .or_else(|| wanted().find(|name| self.functions_of_program.contains(name)))
            .or_else(|| wanted().find(is_lost))
    }

    /// Whether a library that another one needs is among the objects, or is known to be silent.
    fn is_known(&self, needed: &str) -> bool {
        let mut names = self.objects.iter().map(|one| file_name(&one.file));
        is_silent_name(needed) || names.any(|name| name == needed)
    }

    /// For each object the shortest way to a goal, from the object itself on.
    fn ways(&self, goal: Goal) -> Vec<Option<Vec<usize>>> {
        let at = |(number, one): (usize, &&'a Taken)| {
            self.is_at(one, goal).map(|_| (number, vec![number]))
        };
        let first: Vec<_> = self.objects.iter().enumerate().filter_map(at).collect();
        solve(&mut Shortest(&self.back), self.objects.len(), first)
    }

    fn told(&self, way: &[usize], goal: Goal) -> Option<Way> {
        let symbol = self.is_at(self.objects[*way.last()?], goal)?;
        let behind = way[1..].iter().map(|&one| self.objects[one].name());
        Some(Way {
            objects: behind.collect(),
            symbol: symbol.to_string(),
        })
    }
}

/// The shortest way, handed on to those from which it can be gone.
struct Shortest<'a>(&'a [BTreeSet<usize>]);

impl Analysis for Shortest<'_> {
    type Fact = Vec<usize>;

    fn join(known: &mut Vec<usize>, more: &Vec<usize>) -> bool {
        let is_shorter = more.len() < known.len();
        if is_shorter {
            known.clone_from(more);
        }
        is_shorter
    }

    fn transfer(
        &mut self,
        node: usize,
        fact: Vec<usize>,
        hand_on: &mut dyn FnMut(usize, &Vec<usize>),
    ) {
        for &from in &self.0[node] {
            let mut way = vec![from];
            way.extend(&fact);
            hand_on(from, &way);
        }
    }
}

/// Whether a name is one of MPI.
fn speaks(name: &str) -> bool {
    let name = name.trim_start_matches('_').to_ascii_lowercase();
    SPEAKING.iter().any(|start| name.starts_with(start))
}

fn is_of_linker(name: &str) -> bool {
    OF_LINKER.contains(&name) || OF_SECTIONS.iter().any(|start| name.starts_with(start))
}

fn is_frame(one: &Taken) -> bool {
    let name = file_name(&one.file);
    FRAME.iter().any(|start| name.starts_with(start)) && one.file.is_absolute()
}

/// Whether a library of the compiler or of the system is known to communicate with nobody.
fn is_silent_library(one: &Taken) -> bool {
    one.file.is_absolute() && is_silent_name(&file_name(&one.file))
}

fn is_silent_name(name: &str) -> bool {
    let ends = [".so", ".a", "-2."].iter().filter_map(|end| name.find(end));
    let name = &name[..ends.min().unwrap_or(name.len())];
    let mut begins = ["ld-linux", "ld64", "libopenblas"].iter();
    SILENT.contains(&name) || begins.any(|start| name.starts_with(start))
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
