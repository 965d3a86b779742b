//! What the analyses rely on: facts about the functions that programs call most, pinned one by one.
//!
//! A line is `FUNCTION: FACT; FACT; …`, in the words of the catalogue; `not FACT` must not be said. `[]` stands for an
//! extent that is known, `[0]` for one that ends with a zero.

use cccp_precompiler::catalog::{
    Alternative, Catalogue, Condition, EffectKind, Extent, LibraryFunction, Place, Role, Root,
};

/// Lines of facts, and which of them are wrong.
#[track_caller]
fn pinned(lines: &str) {
    let catalogue = Catalogue::builtin();
    let mut wrong = Vec::new();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (names, facts) = line.split_once(": ").expect("a name and facts");
        for name in names.split(", ") {
            let Some(function) = catalogue.find(name) else {
                wrong.push(format!("{name} is not there"));
                continue;
            };
            let known = facts_of(&function);
            for fact in facts.split("; ") {
                let holds = match fact.strip_prefix("not ") {
                    Some(fact) => !known.iter().any(|one| one.starts_with(fact)),
                    None => known.iter().any(|one| one == fact),
                };
                if !holds {
                    wrong.push(format!("{name}: {fact}; it says {known:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn facts_of(function: &LibraryFunction) -> Vec<String> {
    let place = |place: &Place| place_text(function, place);
    let values = |values: &[Alternative]| {
        let texts: Vec<String> = values.iter().map(|one| value_text(function, one)).collect();
        texts.join(" or ")
    };
    let mut facts = Vec::new();
    for effect in &function.effects {
        let (word, end) = match &effect.kind {
            EffectKind::Reads => ("reads", String::new()),
            EffectKind::Writes => ("writes", String::new()),
            EffectKind::Fills => ("fills", String::new()),
            EffectKind::Frees => ("frees", String::new()),
            EffectKind::Creates => ("creates", String::new()),
            EffectKind::Destroys => ("destroys", String::new()),
            EffectKind::Keeps(state) => {
                ("keeps", format!(" in @{}", state.as_deref().unwrap_or("?")))
            }
        };
        facts.push(format!("{word} {}{end}", place(&effect.place)));
    }
    for (target, stored) in &function.stores {
        facts.push(format!("stores {} in {}", values(stored), place(target)));
    }
    for call in &function.calls {
        let given = |one: &Vec<Alternative>| match one.as_slice() {
            [] => "_".to_string(),
            one => values(one),
        };
        let given: Vec<String> = call.arguments.iter().map(given).collect();
        facts.push(format!(
            "calls {}({})",
            place(&call.callback),
            given.join(", ")
        ));
    }
    if !function.returns.is_empty() {
        facts.push(format!("returns {}", values(&function.returns)));
    }
    for parameter in &function.nullable {
        facts.push(format!("nullable {}", function.parameters[*parameter]));
    }
    if let Some((sent, received)) = function.in_place {
        let [sent, received] = [sent, received].map(|number| &function.parameters[number]);
        facts.push(format!("in place {sent} for {received}"));
    }
    facts.extend(function.roles.iter().map(|role| format!("role {role:?}")));
    if function.never_returns {
        facts.push("never returns".to_string());
    }
    facts
}

fn place_text(function: &LibraryFunction, place: &Place) -> String {
    let root = match &place.root {
        Root::Parameter(number) => function.parameters[*number].clone(),
        Root::Rest => "...".to_string(),
        Root::Returned => "return".to_string(),
        Root::Hidden(state) => format!("@{state}"),
    };
    let all = if place.everything { "all of " } else { "" };
    let members: String = place.members.iter().map(|one| format!("->{one}")).collect();
    let extent = match place.extent {
        None => "",
        Some(Extent::Terminated) => "[0]",
        Some(Extent::Elements(_)) => "[]",
    };
    let when = match place.condition {
        None => "",
        Some(Condition::At(_)) => " at root",
        Some(Condition::Until(_)) => " until request",
        Some(Condition::If(_)) => " if",
        Some(Condition::Unless(_)) => " unless",
        Some(Condition::Counting(_)) => " counting",
    };
    let stars = "*".repeat(place.behind);
    format!("{all}{stars}{root}{members}{extent}{when}")
}

fn value_text(function: &LibraryFunction, value: &Alternative) -> String {
    match value {
        Alternative::New(None) => "new".to_string(),
        Alternative::New(Some(_)) => "new[]".to_string(),
        Alternative::Null => "null".to_string(),
        Alternative::Same(place) => place_text(function, place),
        Alternative::Into(place) => format!("into {}", place_text(function, place)),
    }
}

#[test]
fn memory_that_is_allocated_and_freed() {
    pinned(
        "malloc, aligned_alloc, __builtin_malloc: returns new[] or null; role Allocates; not fills; not reads; not writes
         calloc: fills return[]; returns new[] or null; role Allocates
         realloc, reallocarray: reads ptr; frees ptr; writes return[]; nullable ptr; returns new[] or null; not fills
         free, cfree: frees ptr; nullable ptr; not reads; not writes
         strdup: reads s[0]; fills return[]; returns new[] or null
         posix_memalign: fills memptr[]; stores new[] in memptr; not reads
         getline: reads lineptr[]; reads *lineptr; reads n[]; stores *lineptr or new in lineptr; not fills; not frees
         asprintf: writes ptr[]; stores new or null in ptr; reads ...
         mmap: returns new[] or @memory or addr
         MPI_Alloc_mem: stores new[] in baseptr
         fftw_malloc: returns new[] or null; role Allocates
         fftw_free: frees p
         fftw_mpi_local_size_2d: fills local_n0[]; fills local_0_start[]; not role
         fftw_mpi_plan_many_dft: reads n[]; writes in; writes out; not fills
         alloca: returns new[]; not role",
    );
}

#[test]
fn memory_that_is_copied_and_filled() {
    pinned(
        "memcpy, memmove: reads s2[]; fills s1[]; returns s1; not reads s1
         __builtin_memcpy, __memcpy_chk, __builtin___memcpy_chk: reads src[]; fills dest[]; not reads dest
         wmempcpy: reads s2[]; fills s1[]; returns into s1; not reads s1
         memset: fills s[]; returns s; not reads
         bzero, explicit_bzero: fills s[]; not reads
         strcpy: reads s2[0]; fills s1[]; not reads s1
         strncpy: reads s2[]; fills s1[]
         strcat: reads s1[0]; reads s2[0]; writes s1; not fills
         sprintf, snprintf: reads format[0]; reads ...; not fills
         strlen: reads s[0]; not writes; not fills
         strcmp: reads s1[0]; reads s2[0]; not writes
         memchr: reads s[]; returns into s or null
         strchr: reads s[0]; returns into s or null
         strstr: returns into s1 or null
         strtol, strtod, __isoc23_strtol: reads nptr[0]; fills endptr[]; stores into nptr in endptr; nullable endptr
         strtok: reads s1[0]; writes s1; reads @tokens; writes @tokens; keeps s1 in @tokens; returns into s1 or into @tokens or null
         strtok_r: stores into s or into *state or null in state; not keeps
         atoi, atof: reads nptr[0]; not writes
         frexp: fills exp[]
         modf: fills iptr[]
         abs, sqrt, sin, pow, __builtin_expect: not reads; not writes; not fills; not returns",
    );
}

#[test]
fn functions_that_call_back() {
    pinned(
        "qsort: reads base[]; writes base[]; calls compar(into base, into base); role CallsBack; not fills
         bsearch: reads key; reads base[]; calls compar(key, into base); returns into base or null; not writes
         qsort_r: calls compar(into base, into base, arg)
         atexit: keeps func in @exit; not calls
         on_exit: keeps function in @exit; keeps arg in @exit
         signal: keeps func in @signals; returns @signals or null; not calls
         sigaction: keeps act->sa_handler in @signals; reads act[]; fills oact[]
         pthread_create: keeps start_routine in @threads; keeps arg in @threads; calls start_routine(arg); role Spawns
         thrd_create: keeps func in @threads; calls func(arg)
         pthread_atfork: keeps prepare in @signals
         pthread_once: calls init_routine()
         MPI_Op_create: keeps user_fn in @mpi
         MPI_Comm_create_errhandler: keeps errhandler_fn in @mpi
         MPI_Comm_create_keyval: keeps comm_copy_attr_fn in @mpi; keeps extra_state in @mpi
         gsl_integration_qags: calls f->function(_, f->params); fills result[]; fills abserr[]
         gsl_root_fsolver_set: stores f or into all of s in all of s
         gsl_root_fsolver_iterate: calls s->function->function(_, s->function->params)
         gsl_set_error_handler: keeps new_handler in @signals",
    );
}

#[test]
fn where_control_does_not_come_back_or_comes_back_twice() {
    pinned(
        "abort, _Exit, _exit, __assert_fail, __assert_perror_fail, __stack_chk_fail: never returns; role Exits; not reads @exit
         __builtin_unreachable, __builtin_trap, __builtin_abort: never returns; role Exits
         exit, quick_exit, err, errx, verr, MPI_Abort, __builtin_exit: never returns; reads @exit
         error, cblas_xerbla: reads @exit; role Exits; not never
         pthread_exit, thrd_exit: never returns; reads @exit; role EndsThread; not role Exits
         longjmp, siglongjmp, _longjmp, __longjmp_chk, __builtin_longjmp: never returns; role JumpsFar
         setjmp, _setjmp, sigsetjmp, __sigsetjmp, getcontext, vfork, __builtin_setjmp: role ReturnsTwice; not never
         setcontext, swapcontext: role JumpsFar; not never
         fork, system, execvp, warn, MPI_Finalize: not never",
    );
    let catalogue = Catalogue::builtin();
    for name in ["setjmp", "_setjmp", "__sigsetjmp", "getcontext", "vfork"] {
        assert!(catalogue.returns_twice(name), "{name}");
    }
    for name in ["longjmp", "exit", "printf", "main"] {
        assert!(!catalogue.returns_twice(name), "{name}");
    }
}

#[test]
fn files_and_streams() {
    pinned(
        "fopen: reads filename[0]; creates return; returns new or null; role Opens; writes @streams
         fclose: destroys stream; role Closes
         fread: writes ptr[]; reads @streams; role ReadsInput; not fills
         fwrite: reads ptr[]; role Prints; writes @streams
         fgets: writes s[]; returns s or null; not fills
         scanf, sscanf, fscanf, __isoc99_sscanf, __isoc23_sscanf: writes ...; not fills; not reads ...
         printf, fprintf: reads ...; role Prints; writes @streams
         read: writes buf[]; not fills
         write: reads buf[]
         getc, _IO_getc: reads @streams; role ReadsInput
         setvbuf: keeps buf in @streams
         stat: fills buf[]
         perror: reads s[0]; role Prints",
    );
}

#[test]
fn hidden_states_and_what_they_give_back() {
    pinned(
        "getopt, getopt_long: reads argv[]; reads *argv; writes @options; keeps *argv in @options
         setlocale: writes @locale; returns @locale or null
         getenv: reads @environment; returns @environment or null; not writes
         setenv: writes @environment
         putenv: keeps string in @environment
         time: fills timer[]; nullable timer; role ReadsClock
         getcpu: fills cpu[]; fills node[]; nullable cpu; nullable node; not reads cpu
         localtime, gmtime: reads timer[]; writes @time; returns @time or null
         localtime_r: fills result[]
         clock, omp_get_wtime, MPI_Wtime: role ReadsClock
         rand, random, drand48: reads @random; writes @random; role Random
         srand, srandom, srand48: writes @random; role Seeds
         erand48: fills xsubi[]; role Random
         rand_r: reads seed[]; fills seed[]
         strerror: returns @strings
         __errno_location: returns @errors
         __ctype_b_loc: returns @locale
         toupper: reads @locale; not writes
         __xpg_basename: writes path; returns into path or @strings
         __fpclassify, __signbit: not reads; not writes
         lgamma: writes @gamma
         gsl_rng_uniform: reads all of r; writes r->state; role Random",
    );
    let catalogue = Catalogue::builtin();
    for (name, state) in [
        ("optind", "options"),
        ("environ", "environment"),
        ("signgam", "gamma"),
    ] {
        assert_eq!(catalogue.state_of_variable(name), Some(state));
    }
    assert_eq!(catalogue.state_of_variable("temperature"), None);
}

#[test]
fn messages() {
    pinned(
        "MPI_Init: writes argv[]; writes @mpi; role Initialises
         MPI_Send, PMPI_Send: reads buf[]; writes @mpi; role Sends; not keeps
         MPI_Recv: writes buf[]; writes status[]; role Receives; not fills buf
         MPI_Isend: reads buf[] until request; keeps buf in @mpi; fills request[]; creates request; role NonBlocking
         MPI_Irecv: writes buf[] until request; keeps buf in @mpi; fills request[]; creates request; role NonBlocking; not fills buf
         MPI_Wait: reads request[]; fills request[]; reads @mpi; writes @mpi; destroys request; role Waits
         MPI_Waitall: reads array_of_requests[]; writes array_of_requests[]; writes @mpi; role Waits
         MPI_Waitany: fills index[]; writes @mpi; role Waits
         MPI_Test: fills flag[]; writes @mpi; role Tests
         MPI_Start: role Starts
         MPI_Sendrecv: reads sendbuf[]; writes recvbuf[]; not fills
         MPI_Buffer_attach: keeps buffer in @mpi
         MPI_Bcast: reads buffer[] at root; fills buffer[]; role Collective
         MPI_Reduce: reads sendbuf[]; writes recvbuf[] at root; in place sendbuf for recvbuf; not fills
         MPI_Allreduce, MPI_Scan: reads sendbuf[]; fills recvbuf[]; in place sendbuf for recvbuf; writes @mpi
         MPI_Allgather, MPI_Alltoall: reads sendbuf[]; writes recvbuf[]; in place sendbuf for recvbuf
         MPI_Gather: writes recvbuf[] at root; in place sendbuf for recvbuf
         MPI_Comm_rank, MPI_Comm_size: reads @mpi; not writes",
    );
}

#[test]
fn handles_of_mpi_and_openmp() {
    pinned(
        "MPI_Comm_rank: fills rank[]; role Rank; not creates
         MPI_Comm_size: fills size[]; role Size
         MPI_Comm_split, MPI_Comm_dup: fills newcomm[]; creates newcomm; role Collective
         MPI_Comm_free: reads comm[]; destroys comm
         MPI_Cart_create: reads dims[]; creates comm_cart
         MPI_Type_contiguous, MPI_Type_vector: fills newtype[]; creates newtype
         MPI_Type_create_struct: reads array_of_displacements[]; reads array_of_types[]; creates newtype
         MPI_Type_commit: reads datatype[]
         MPI_Type_free: destroys datatype
         MPI_Get_count: reads status[]; fills count[]
         MPI_Win_create: keeps base in @mpi; creates win; role OneSided
         MPI_File_open: creates fh; role Opens
         OMPI_C_MPI_COMM_DUP_FN, MPIR_Dup_fn: fills flag[]; writes attribute_val_out
         omp_get_thread_num, omp_get_num_threads: reads @openmp; not writes
         omp_set_num_threads: writes @openmp
         omp_init_lock: fills lock[]; creates lock
         omp_set_lock: role Locks; reads lock[]
         pthread_mutex_lock: role Locks; writes @threads
         pthread_join: role Waits; writes @threads",
    );
}

#[test]
fn atomics_read_and_store() {
    pinned(
        "__sync_fetch_and_add, __sync_lock_test_and_set: reads ptr[]; fills ptr[]
         __sync_bool_compare_and_swap: reads ptr[]; writes ptr[]; not fills
         __atomic_load_n: reads ptr[]; not writes; not fills
         __atomic_store_n: fills ptr[]; not reads
         __atomic_load: fills ret[]
         __atomic_compare_exchange_n: writes ptr[]; writes expected[]; not fills
         __builtin_add_overflow, __builtin_saddl_overflow: fills res[]",
    );
}

/// A role says something about effects: who keeps a function for later is not forgotten, and so on.
#[test]
fn what_programs_call_of_lapack_without_a_header_is_known() {
    pinned(
        "ssyev_, dsyev_, cheev_, zheev_, ssyevd_, dsyevd_, cheevd_, zheevd_: writes a; writes w; not writes jobz; not writes n
         ssyevx_, dsyevx_, cheevx_, zheevx_, ssyevr_, dsyevr_, cheevr_, zheevr_: writes m; writes w; writes z; not writes vl
         ssygv_, dsygv_, chegv_, zhegv_, ssygvd_, dsygvd_, chegvd_, zhegvd_: writes a; writes b; writes w; not writes itype
         sgesdd_, dgesdd_, cgesdd_, zgesdd_: writes s; writes u; writes vt; not writes jobz
         ssteqr_, dsteqr_, csteqr_, zsteqr_: writes d; writes e; writes z; not writes compz
         ssterf_, dsterf_: writes d; writes e; not writes n",
    );
}

#[test]
fn roles_agree_with_effects() {
    let catalogue = Catalogue::builtin();
    let mut wrong = Vec::new();
    for name in catalogue.names() {
        let function = catalogue.find(name).expect("an entry");
        let facts = facts_of(&function);
        let says = |word: &str| facts.iter().any(|one| one.starts_with(word));
        let lacks = [
            (
                !function.calls.is_empty() && !function.is(Role::CallsBack),
                "calls without calls-back",
            ),
            (
                function.is(Role::Handles) && !says("keeps") && !says("writes @"),
                "handles without keeps",
            ),
            (
                function.is(Role::Sends) && !says("reads"),
                "sends without reads",
            ),
            (
                function.is(Role::JumpsFar) && !says("reads"),
                "jumps-far without reads",
            ),
            (
                function.is(Role::Random)
                    && !says("reads")
                    && !says("fills")
                    && !says("writes")
                    && function.parameters.len() > 1,
                "random without memory",
            ),
            (
                function.is(Role::Allocates) && !facts.iter().any(|one| one.contains("new")),
                "allocates without new",
            ),
        ];
        let lacks = lacks.iter().filter(|(lack, _)| *lack);
        wrong.extend(lacks.map(|(_, words)| format!("{name}: {words}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
