//! Part 1 of cccp.h: the functions that people call.
//!
//! A program without directives is one activation that never ends; every name it registers is an item of it, and a
//! checkpoint site is a block. Registers are bound by name, so their order does not matter on restart.

use std::ffi::{c_char, c_int, c_void};
use std::rc::Rc;
use std::sync::atomic::Ordering;

use super::mirror::Type;
use super::state::{
    KeepsErrno, Outcome, attempt, begin_counting, calls, close, is_open, leave_when_asked, stop,
};
use super::statics::{cccp_calls, cccp_replaying};
use super::{describe, places, start};
use crate::comm::comes_back;
use crate::comm::{Group, Serial, one_of_several};
use crate::format::{Kind, PlannedExtent};
use crate::memory::{controls, flush_streams};
use crate::registry::{Block, BlockKind, Function, Holds, Item, NodeId};
use crate::restore::Standing;
use crate::session::Place;
use crate::session::{Handed, Session};
use crate::tool::say;

const OK: c_int = 0;
const ARGUMENT: c_int = 1;
const STATE: c_int = 2;
const STORAGE: c_int = 3;
const INTERNAL: c_int = 4;

/// Stands for the address of the activation's frame, which is none.
const FRAME: usize = usize::MAX;
/// The block of all registers; the sites follow.
const REGISTER: u32 = 1;

/// Says why a call is refused, and gives the code.
pub fn refuse(code: c_int, reason: &str) -> c_int {
    say(None, reason);
    code
}

/// What the function gives back; an explanation is printed when it is not CCCP_OK.
fn code(outcome: Outcome<c_int>) -> c_int {
    match outcome {
        Outcome::Done(code) => code,
        Outcome::Nobody => refuse(
            STATE,
            "the library is not running: call CCCP_Init first, and nothing after CCCP_Shutdown",
        ),
        Outcome::Failed(reason) if cccp_replaying.load(Ordering::Relaxed) != 0 => stop(&reason),
        Outcome::Failed(reason) => refuse(ARGUMENT, &reason),
        Outcome::Defect => refuse(INTERNAL, "the library failed; this is a defect of cccp"),
    }
}

/// The one activation of such a program.
fn function() -> Rc<Function> {
    let register = Block {
        kind: BlockKind::Register,
        line: 0,
        in_loop: 0,
        region: 0,
        name: None,
        fields: Vec::new(),
        record_size: 0,
        passed: 0,
        each: false,
        ranks: None,
        threads: None,
    };
    Rc::new(Function {
        name: "the program".to_string(),
        blocks: vec![register],
        ..Function::default()
    })
}

/// CCCP_Init.
///
/// # Safety
///
/// As cccp.h says; so for all functions here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn CCCP_Init(argc: *mut c_int, argv: *mut *mut *mut c_char) -> c_int {
    if let Some(sign) = one_of_several() {
        let reason = format!(
            "this process is one of several ({sign}): call CCCP_Init_MPI of cccp_mpi.h instead of CCCP_Init"
        );
        return refuse(STATE, &reason);
    }
    // SAFETY: the promise of the caller.
    unsafe { init_by_hand_with(argc, argv, Box::new(Serial)) }
}

/// The same for the processes of a job.
///
/// # Safety
///
/// `argc` and `argv` are NULL or those of `main`.
pub unsafe fn init_by_hand_with(
    argc: *mut c_int,
    argv: *mut *mut *mut c_char,
    group: Box<dyn Group>,
) -> c_int {
    if is_open() {
        return refuse(STATE, "CCCP_Init was called before");
    }
    let standing = [Standing {
        frame: FRAME,
        function: function(),
        block: 0,
    }];
    let begun = std::panic::AssertUnwindSafe(|| {
        // SAFETY: the promise of the caller.
        unsafe { start::start(argc, argv, group, describe::Tables::default(), &standing) }
    });
    if std::panic::catch_unwind(begun).is_err() {
        return code(Outcome::Defect);
    }
    code(attempt(|session| {
        session.trace.root(function(), FRAME, Vec::new());
        Ok(OK)
    }))
}

/// The node of the one activation.
fn node(session: &Session) -> Result<NodeId, String> {
    let mut roots = session.trace.roots.iter().copied();
    let own = roots.find(|&root| session.trace.node(root).frame == Some(FRAME));
    own.ok_or_else(|| {
        "this program has directives; the functions CCCP_... are for programs without".to_string()
    })
}

/// CCCP_Register.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn CCCP_Register(
    address: *mut c_void,
    count: u64,
    kind: *const Type,
    name: *const c_char,
) -> c_int {
    code(attempt(|session| {
        let node = node(session)?;
        // SAFETY: the promise of the caller.
        let (name, type_index) = unsafe {
            (
                describe::text(name),
                describe::type_index_anew(&mut session.types, kind)?,
            )
        };
        if name.is_empty() {
            return Err("CCCP_Register: a name is missing".to_string());
        }
        if address.is_null() && count > 0 {
            return Err(format!("CCCP_Register: `{name}` has the address NULL"));
        }
        let found = session.types.get(type_index);
        if found.is_none_or(|found| found.kind == Kind::Handle && !comes_back(&found.name)) {
            return Err(format!(
                "CCCP_Register: `{name}` is a handle, which cannot be saved"
            ));
        }
        let size = found.map_or(0, |found| found.size);
        if count
            .checked_mul(size)
            .is_none_or(|length| length > isize::MAX as u64)
        {
            return Err(format!("CCCP_Register: `{name}` is larger than memory"));
        }
        let item = item(session, node, &name);
        let sequence = session.register_begin(node, REGISTER, Vec::new());
        let handed = Handed {
            item,
            type_index,
            address: address as usize,
            first: 0,
            extents: vec![count],
            known: true,
        };
        if session.replay.is_none()
            || !session.replay_named(node, sequence, handed.clone(), &name)?
        {
            session.register(node, sequence, handed);
        }
        Ok(OK)
    }))
}

/// The number of the item with this name; a new one when there is none.
fn item(session: &mut Session, node: NodeId, name: &str) -> u32 {
    let function = Rc::clone(&session.trace.node(node).function);
    if let Some(known) = function.items.iter().position(|item| item.name == name) {
        return known as u32;
    }
    let mut larger = (*function).clone();
    larger.items.push(Item {
        holds: Holds::Unknown,
        unset_pointer: false,
        name: name.to_string(),
        line: 0,
        flags: 0,
        block: 0,
        type_index: None,
        first: PlannedExtent::default(),
        extents: Vec::new(),
        sized: true,
    });
    if let Some(node) = session.trace.node_mut(node) {
        node.function = Rc::new(larger);
    }
    function.items.len() as u32
}

/// CCCP_Unregister.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn CCCP_Unregister(name: *const c_char) -> c_int {
    code(attempt(|session| {
        let node = node(session)?;
        // SAFETY: the promise of the caller.
        let name = unsafe { describe::text(name) };
        if session.unregister(&[node], &name) {
            Ok(OK)
        } else {
            let reason = format!("CCCP_Unregister: `{name}` is not registered");
            Ok(refuse(ARGUMENT, &reason))
        }
    }))
}

/// CCCP_Do_checkpoint.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn CCCP_Do_checkpoint(site: c_int) -> c_int {
    let errno = KeepsErrno::new();
    let (mut due, mut is_back) = (None, false);
    let mut result = code(attempt(|session| {
        let node = node(session)?;
        let site = u32::try_from(site).ok().filter(|site| *site > 0);
        let site = site.ok_or("CCCP_Do_checkpoint: sites are numbered from 1")?;
        let block = REGISTER.saturating_add(site);
        if let Some(replay) = &session.replay {
            if replay.site() == block {
                session.resume(node)?;
                begin_counting(session);
                cccp_replaying.store(0, Ordering::Relaxed);
                session.killer.reach("resumed");
                is_back = true;
            }
            return Ok(OK);
        }
        cccp_calls.fetch_add(1, Ordering::Relaxed);
        let calls = session.calls.entry(site).or_insert(0);
        *calls += 1;
        let calls = *calls;
        due = places::ask(session, site as usize, calls, places::every(0), None)
            .then_some((node, block));
        Ok(OK)
    }));
    if let Some((node, block)) = due {
        flush_streams();
        result = code(attempt(|session| {
            session.error = errno.0;
            session.checkpoint(&[Place {
                node,
                block,
                counters: Vec::new(),
            }])?;
            Ok(if session.failing { STORAGE } else { OK })
        }));
        leave_when_asked();
    }
    drop(errno);
    if is_back {
        controls::error_again(0);
    }
    result
}

/// CCCP_Jump_next.
#[unsafe(no_mangle)]
pub extern "C" fn CCCP_Jump_next() -> c_int {
    let site = attempt(|session| {
        session.killer.reach("restore");
        session.stop_when_different()?;
        let site = session.replay.as_ref().map_or(0, |replay| replay.site());
        Ok(c_int::try_from(site.saturating_sub(REGISTER)).unwrap_or(0))
    });
    match site {
        Outcome::Done(site) => site,
        other => {
            code(other);
            0
        }
    }
}

/// CCCP_Shutdown.
#[unsafe(no_mangle)]
pub extern "C" fn CCCP_Shutdown() -> c_int {
    let result = code(attempt(|session| {
        node(session)?;
        session.write_final();
        session.shutdown(calls());
        Ok(OK)
    }));
    drop(close());
    result
}
