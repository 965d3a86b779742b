//! Part 2 of cccp.h: what precompiled code calls in the normal course of a run.

use std::ffi::{c_char, c_int, c_ulonglong, c_void};
use std::rc::Rc;

use super::mirror::{Frame, Function, Type};
use super::postponed::{self, Postponed};
use super::state::{
    KeepsErrno, add_text, calls, close, directive, leave_when_asked, stop_because, suspect,
    use_generators, use_threads_later,
};
use super::{describe, frames, mirror, passes, start, team};
use crate::comm::{Serial, one_of_several};
use crate::format::Kind;
use crate::heap::comes_back;
use crate::memory::{DRAND48, RANDOM, flush_streams};
use crate::messages::{Dropped, drop_requests};
use crate::registry::{BlockKind, Left, NodeId};
use crate::session::{Handed, Place, Session};
use crate::tool::say;

/// An extent that is not known on restart.
pub const UNKNOWN: u64 = u64::MAX;

fn number(value: c_int) -> u32 {
    u32::try_from(value).unwrap_or(0)
}

/// Starts the library.
///
/// # Safety
///
/// As cccp.h says; so for all functions here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_init(
    frame: *mut Frame,
    block: c_int,
    argc: *mut c_int,
    argv: *mut *mut *mut c_char,
) {
    if let Some(sign) = one_of_several() {
        start::give_up(&format!(
            "this process is one of several ({sign}), but the directive init does not know about MPI: include mpi.h in \
             the file with init, or give cccp-pp all files of the program together"
        ));
    }
    // SAFETY: the promise of the caller.
    unsafe { start::init_with(frame, block, argc, argv, Box::new(Serial)) }
}

/// A register block begins.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_register_begin(frame: *mut Frame, block: c_int) {
    // SAFETY: the promise of the caller.
    if team::postpone(frame, |noted| unsafe { noted.begin(frame, number(block)) }) {
        return;
    }
    directive((), |session| {
        // SAFETY: the promise of the caller.
        let (node, counters) = unsafe { here(session, frame) }?;
        session.register_begin(node, number(block), counters);
        Ok(())
    });
}

/// The functions of a file are known before `main`.
#[unsafe(no_mangle)]
pub extern "C" fn cccp_announce(first: *const *const Function, end: *const *const Function) {
    describe::announce(first as usize, end as usize);
}

/// The program uses these generators of random numbers of the C library.
#[unsafe(no_mangle)]
pub extern "C" fn cccp_generators(families: c_int) {
    use_generators(number(families) & (RANDOM | DRAND48));
}

/// Nothing before `init` depends on the number of threads.
#[unsafe(no_mangle)]
pub extern "C" fn cccp_threads_later() {
    use_threads_later();
}

/// What a file of the program says.
#[unsafe(no_mangle)]
pub extern "C" fn cccp_text(number: c_ulonglong) {
    add_text(number);
}

/// Values that each checkpoint looks at.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_suspects(first: *const mirror::Suspect, count: c_ulonglong) {
    // SAFETY: the precompiler hands over a table and its length.
    suspect(unsafe { describe::suspects(first, count) });
}

/// The program counts its messages.
#[unsafe(no_mangle)]
pub extern "C" fn cccp_count_messages() {
    crate::messages::count();
}

/// No request of MPI is needed at any checkpoint.
#[unsafe(no_mangle)]
pub extern "C" fn cccp_drop_requests() {
    drop_requests(Dropped::All);
}

/// The program cannot tell a complete send that there is at a checkpoint from `MPI_REQUEST_NULL`.
#[unsafe(no_mangle)]
pub extern "C" fn cccp_drop_sends() {
    drop_requests(Dropped::Sends);
}

/// Complete sends that there are at a checkpoint are complete after a restart.
#[unsafe(no_mangle)]
pub extern "C" fn cccp_remake_sends() {
    drop_requests(Dropped::Remade);
    crate::comm::remake_sends();
}

/// The program's calls that make handles of MPI are noted.
#[unsafe(no_mangle)]
pub extern "C" fn cccp_note_handles() {
    crate::comm::note_handles();
}

/// The statements of a block that every restart executes begin or end.
#[unsafe(no_mangle)]
pub extern "C" fn cccp_in_block(begins: c_int) {
    crate::comm::pass_block(begins != 0);
}

/// An item of the register block that began last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_register(
    frame: *mut Frame,
    item: c_int,
    kind: *const Type,
    address: *mut c_void,
    first: u64,
    rank: c_int,
    extents: *const u64,
) {
    let postpone = |noted: &mut Postponed| {
        let rank = usize::try_from(rank).unwrap_or(0);
        let extents = match (rank, extents.is_null()) {
            (0, _) => Some(&[][..]),
            (_, true) => None,
            // SAFETY: the promise of the caller: there are `rank` extents.
            _ => Some(unsafe { std::slice::from_raw_parts(extents, rank) }),
        };
        let handed = postponed::Item {
            item: number(item),
            kind,
            address: address as usize,
            first,
            extents,
        };
        // SAFETY: the promise of the caller.
        unsafe { noted.item(frame, handed) }
    };
    if team::postpone(frame, postpone) {
        return;
    }
    directive((), |session| {
        // SAFETY: the promise of the caller.
        let (node, type_index) = unsafe {
            (
                frames::node(session, frame)?,
                describe::type_index(&mut session.types, kind)?,
            )
        };
        let rank = usize::try_from(rank).unwrap_or(0);
        let extents = if rank == 0 || extents.is_null() {
            vec![UNKNOWN; rank]
        } else {
            // SAFETY: the promise of the caller: there are `rank` extents.
            unsafe { std::slice::from_raw_parts(extents, rank) }.to_vec()
        };
        let known = !extents.contains(&UNKNOWN);
        let handed = Handed {
            item: number(item),
            type_index,
            address: address as usize,
            first,
            extents,
            known,
        };
        let sequence = running_register(session, node)?;
        if session.replay.is_some() {
            return session.replay_register(frame as usize, node, sequence, handed);
        }
        if accept(session, node, &handed)? {
            session.register(node, sequence, handed);
        }
        Ok(())
    });
}

/// The execution of the register block that runs in an activation.
pub fn running_register(session: &Session, node: NodeId) -> Result<u64, String> {
    let mut executions = session.trace.node(node).executions.iter().rev();
    let found = executions.find(|(_, one)| matches!(one.left, Left::Registers(_)));
    found
        .map(|(&sequence, _)| sequence)
        .ok_or_else(|| "an item is registered outside of a register block".to_string())
}

/// Refuses what cannot be saved, in the words of the program. False when there is nothing to save: a member of a struct
/// behind a pointer that is NULL.
pub fn accept(session: &mut Session, node: NodeId, handed: &Handed) -> Result<bool, String> {
    let function = Rc::clone(&session.trace.node(node).function);
    let item = function.items.get(handed.item as usize);
    let item = item.ok_or_else(|| format!("{} has no item {}", function.name, handed.item))?;
    let whom = || {
        format!(
            "`{}`, registered by {} ({}:{})",
            item.name, function.name, function.file, item.line
        )
    };
    if handed.address < 4096 {
        let message = format!(
            "warning: {}, is a member behind a pointer that is NULL: nothing of it is saved, unless it is registered again \
             once there is such a member",
            whom()
        );
        session.say_once(message);
        return Ok(false);
    }
    let size = session
        .types
        .get(handed.type_index)
        .map_or(0, |one| one.size);
    let handle = session.types.get(handed.type_index);
    let handle = handle.filter(|one| one.kind == Kind::Handle);
    if handle.is_some_and(|one| !comes_back(&one.name)) {
        return Err(format!(
            "{} is a handle, which cannot be saved; make it anew in an execute on restart block",
            whom()
        ));
    }
    let product = |elements: u64, extent: &u64| elements.checked_mul(*extent);
    let elements = handed.extents.iter().try_fold(1u64, product);
    let length =
        elements.and_then(|elements| elements.checked_add(handed.first)?.checked_mul(size));
    if length.is_none_or(|length| length > isize::MAX as u64) {
        return Err(format!(
            "{} is larger than memory: an extent is negative",
            whom()
        ));
    }
    Ok(true)
}

/// Ends a register.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_unregister(frame: *mut Frame, name: *const c_char) {
    // SAFETY: the promise of the caller.
    if team::postpone(frame, |noted| unsafe { noted.end(frame, name) }) {
        return;
    }
    directive((), |session| {
        let mut nodes = Vec::new();
        // SAFETY: the promise of the caller.
        let (name, here) = unsafe {
            for at in frames::chain(frame).into_iter().rev() {
                if !(*at).trace.is_null() || team::is_noted(at as usize) {
                    nodes.push(frames::node(session, at)?);
                }
            }
            let function = describe::text((*(*frame).function).name);
            (describe::text(name), function)
        };
        if !session.unregister(&nodes, &name) {
            session.say(format!(
                "warning: unregister in {here}: `{name}` is not registered"
            ));
        }
        Ok(())
    });
}

/// An execute or region block runs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_execute(frame: *mut Frame, block: c_int, record: *const c_void) {
    directive((), |session| {
        // SAFETY: the promise of the caller.
        let (node, counters) = unsafe { here(session, frame) }?;
        let function = Rc::clone(&session.trace.node(node).function);
        let found = function
            .block(number(block))
            .ok_or_else(|| format!("{} has no block {block}", function.name))?;
        let record = frames::record(session, record, found.record_size);
        ran(session, node, number(block), found.kind, counters, record);
        Ok(())
    });
}

/// Puts an execute or region block into the trace.
pub fn ran(
    session: &mut Session,
    node: NodeId,
    block: u32,
    kind: BlockKind,
    counters: Vec<u64>,
    record: Vec<u8>,
) {
    if kind == BlockKind::Region {
        session.entered(node, block, counters, record);
    } else {
        session.executed(node, block, counters, record);
    }
}

/// A call of a client function has returned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_call_end(frame: *mut Frame) {
    directive((), |session| {
        // SAFETY: the promise of the caller.
        let node = unsafe { frames::node(session, frame) }?;
        session.returned(node);
        if let Some(replay) = &mut session.replay {
            replay.returned(frame as usize);
        }
        Ok(())
    });
}

/// A checkpoint here and now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_checkpoint(frame: *mut Frame, block: c_int) {
    let errno = KeepsErrno::new();
    // SAFETY: the promise of the caller.
    unsafe { comes_to_checkpoint(frame, block, errno.0) };
}

/// The thread comes to a checkpoint with this `errno`.
///
/// # Safety
///
/// As for [`is_for_us`].
pub unsafe fn comes_to_checkpoint(frame: *mut Frame, block: c_int, error: i32) {
    // SAFETY: the promise of the caller.
    if !unsafe { is_for_us(frame, block) } || passes::checkpoint(frame, block, error) {
        return;
    }
    // SAFETY: the promise of the caller.
    taken(error, |session| unsafe {
        frames::places(session, frame, number(block))
    });
}

/// Whether a checkpoint is for this number of ranks.
///
/// # Safety
///
/// `frame` is a live frame with live callers.
pub unsafe fn is_for_us(frame: *mut Frame, block: c_int) -> bool {
    directive(false, |session| {
        // SAFETY: the promise of the caller.
        let node = unsafe { frames::node(session, frame) }?;
        let function = Rc::clone(&session.trace.node(node).function);
        let found = function.block(number(block));
        Ok(found.is_none_or(|found| session.is_for_us(found)))
    })
}

/// Takes a checkpoint with the activations in these places, to which the thread has come with this `errno`.
pub fn taken(error: i32, places: impl FnOnce(&mut Session) -> Result<Vec<Place>, String>) {
    flush_streams();
    let refused = directive(None, |session| {
        session.error = error;
        let places = places(session)?;
        Ok(session.checkpoint(&places).err())
    });
    if let Some(reason) = refused {
        stop_because(&format!("no checkpoint can be taken: {reason}"));
    }
    leave_when_asked();
}

/// The directive `shutdown`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_shutdown(_frame: *mut Frame) {
    directive((), |session| {
        session.write_final();
        session.shutdown(calls());
        Ok(())
    });
    if std::panic::catch_unwind(|| drop(close())).is_err() {
        say(
            None,
            "the library failed at shutdown; this is a defect of cccp",
        );
    }
}

/// The node of a frame and its loop counters.
///
/// # Safety
///
/// `frame` is a live frame with live callers.
pub unsafe fn here(session: &mut Session, frame: *mut Frame) -> Result<(NodeId, Vec<u64>), String> {
    // SAFETY: the promise of the caller.
    unsafe {
        let node = frames::node(session, frame)?;
        let function = Rc::clone(&session.trace.node(node).function);
        Ok((node, frames::counters(frame, &function)))
    }
}
