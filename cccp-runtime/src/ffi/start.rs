//! The directive `init`, and `CCCP_Init`: from the command line to a session.

use std::ffi::{c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use super::describe::{self, Tables};
use super::ended;
use super::frames;
use super::mirror::Frame;
use super::residents;
use super::state::{
    CANNOT_RESTART, directive, generators, is_open, open, suspects, text, threads_later,
};
use crate::comm::Group;
use crate::memory::{Arguments, Program, fixed};
use crate::restore::Standing;
use crate::session::{Session, Start};
use crate::settings::{help, read};
use crate::store::FileSystem;
use crate::tool::{print, say};

/// The exit status when a setting makes no sense.
const WRONG_SETTING: i32 = 2;

/// Starts the library in a frame of a precompiled program. Without success the process ends here, with an explanation.
///
/// # Safety
///
/// `frame` is a live frame with live callers; `argc` and `argv` are NULL or those of `main`.
pub unsafe fn init_with(
    frame: *mut Frame,
    block: c_int,
    argc: *mut c_int,
    argv: *mut *mut *mut c_char,
    group: Box<dyn Group>,
) {
    if is_open() {
        say(None, "warning: init was reached again; it has no effect");
        return;
    }
    let block = u32::try_from(block).unwrap_or(0);
    let started = catch_unwind(AssertUnwindSafe(|| {
        let mut tables = Tables::default();
        // SAFETY: the row belongs to a file of the program that is loaded.
        unsafe { describe::announced(&mut tables) };
        // SAFETY: the promise of the caller.
        let standing = unsafe { frames::standing(&mut tables, frame, block) };
        match standing {
            // SAFETY: the promise of the caller.
            Ok(standing) => unsafe { start(argc, argv, group, tables, &standing) },
            Err(reason) => {
                say(None, &reason);
                group.abort(CANNOT_RESTART)
            }
        }
    }));
    if started.is_err() {
        give_up("the library failed; this is a defect of cccp");
    }
}

/// Reads the settings, finds out whether there is something to restart from, and opens the session.
///
/// # Safety
///
/// As for [`init_with`].
pub unsafe fn start(
    argc: *mut c_int,
    argv: *mut *mut *mut c_char,
    group: Box<dyn Group>,
    mut tables: Tables,
    standing: &[Standing],
) {
    // SAFETY: the rows belong to files of the program that are loaded.
    let residents = unsafe { residents::all(&mut tables) };
    // SAFETY: what precompiled code and cccp.h promise about the addresses they hand over.
    let program = unsafe { Program::new() };
    if fixed::is_on() && !program.is_at_home() {
        if group.rank() == 0 {
            say(
                None,
                "cannot start: the program has a fixed heap, in which there may be addresses of its functions and variables, and it is loaded at other addresses each time; link it with -no-pie",
            );
        }
        group.abort(CANNOT_RESTART);
    }
    let mut arguments = Arguments::read(&program, argc as usize, argv as usize);
    let (rank, size) = (group.rank(), group.size());
    let mut words = arguments.words();
    // A function that does not see argc and argv cannot remove words, but they count all the same.
    if words.is_empty() {
        use std::os::unix::ffi::OsStringExt;
        words = std::env::args_os().map(OsStringExt::into_vec).collect();
    }
    let name = base_name(words.first().map_or(&[][..], Vec::as_slice));
    let found = match read(&words, std::env::vars_os(), &FileSystem) {
        Ok(found) => found,
        Err(error) => {
            if rank == 0 {
                say(None, &error.to_string());
            }
            std::process::exit(WRONG_SETTING);
        }
    };
    let settings = found.settings;
    if settings.help {
        if rank == 0 {
            print(&help());
        }
        std::process::exit(0);
    }
    let kept: Vec<Vec<u8>> = found.kept.iter().map(|&at| words[at].clone()).collect();
    arguments.keep(&program, argc as usize, &kept);
    let start = Start {
        program,
        arguments,
        name,
        settings,
        group,
        generators: generators(),
        threads_later: threads_later(),
        text: text(),
        suspects: suspects(),
        say,
    };
    match Session::start(
        start,
        tables.functions,
        tables.names,
        tables.types,
        standing,
    ) {
        Ok(mut session) => {
            let rank = (size > 1).then_some(rank);
            for message in std::mem::take(&mut session.messages) {
                say(rank, &message);
            }
            open(session);
            ended::watch();
            directive((), |session| session.reside(residents?));
        }
        Err(reason) => {
            if !reason.is_empty() {
                say((size > 1).then_some(rank), &reason);
            }
            std::process::exit(CANNOT_RESTART);
        }
    }
}

/// The name of a program without its directory.
pub(super) fn base_name(path: &[u8]) -> String {
    let path = String::from_utf8_lossy(path).into_owned();
    let name = Path::new(&path).file_name();
    name.map_or_else(
        || "program".to_string(),
        |name| name.to_string_lossy().into_owned(),
    )
}

/// Ends a process whose library could not even begin.
pub fn give_up(reason: &str) -> ! {
    say(None, reason);
    std::process::exit(CANNOT_RESTART)
}
