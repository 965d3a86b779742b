//! Activations on the program's stack and their nodes in the trace.
//!
//! A frame gets a node when it is first needed, and so do its callers; the frame remembers it. Code that was not
//! precompiled does not say when a function it called has returned: such an activation has ended when another one
//! stands at its place on the stack or above it. Stacks grow towards lower addresses.

use std::ffi::c_void;
use std::rc::Rc;

use super::describe::{self, Known, Tables};
use super::mirror::Frame;
use super::team;
use crate::registry::{BlockKind, Function, NodeId};
use crate::restore::Standing;
use crate::session::Place;
use crate::session::Session;

/// The node that a frame remembers, if the trace still has it.
///
/// # Safety
///
/// `frame` is a live frame.
unsafe fn remembered(session: &mut Session, frame: *const Frame) -> Option<NodeId> {
    // SAFETY: the promise of the caller.
    let node = (unsafe { (*frame).trace } as usize).checked_sub(1)?;
    let address = frame as usize;
    let known = session.trace.node_mut(node)?;
    (known.frame == Some(address)).then_some(node)
}

/// The node of an activation; made when there is none, with those of its callers.
///
/// # Safety
///
/// `frame` is a live frame, and so are its callers.
pub unsafe fn node(session: &mut Session, frame: *mut Frame) -> Result<NodeId, String> {
    let mut missing = Vec::new();
    let mut at = frame;
    let mut caller = None;
    // SAFETY: the promise of the caller.
    unsafe {
        while !at.is_null() {
            caller = remembered(session, at);
            if caller.is_some() {
                break;
            }
            missing.push(at);
            at = (*at).caller;
        }
        for &frame in missing.iter().rev() {
            caller = Some(new_node(session, frame, caller)?);
        }
    }
    caller.ok_or_else(|| "a frame is missing".to_string())
}

unsafe fn new_node(
    session: &mut Session,
    frame: *mut Frame,
    caller: Option<NodeId>,
) -> Result<NodeId, String> {
    // SAFETY: the promise of the caller.
    unsafe {
        let function = describe::function(known(session), (*frame).function)?;
        let arguments = record(session, (*frame).arguments, function.arguments_size);
        let address = frame as usize;
        let node = match caller {
            None => {
                session.roots_ended(address);
                session.trace.root(function, address, arguments)
            }
            Some(caller) => {
                let calling = (*frame).caller;
                let block = u32::try_from((*calling).block).unwrap_or(0);
                let outer = Rc::clone(&session.trace.node(caller).function);
                let mut counters = counters(calling, &outer);
                match outer.block(block).map(|one| one.kind) {
                    Some(BlockKind::Parallel) => {
                        counters.extend(team::thread_of(address).into_iter().flatten())
                    }
                    // A jump out of an earlier call has left it open.
                    _ => session.returned(caller),
                }
                session
                    .trace
                    .call(caller, block, counters, function, address, arguments)
            }
        };
        (*frame).trace = (node + 1) as *mut c_void;
        if let Some(noted) = team::postponed(address) {
            noted.put(session, node)?;
        }
        Ok(node)
    }
}

/// Whether an activation that is about to enter a region would supersede nothing by it: where it, or the innermost of its callers that
/// the trace knows, stands, no older execution of the block is kept.
///
/// # Safety
///
/// `frame` is a live frame, and so are its callers.
pub unsafe fn supersedes_nothing(session: &mut Session, frame: *const Frame) -> bool {
    let mut at = frame;
    // SAFETY: the promise of the caller.
    unsafe {
        while !at.is_null() {
            if let Some(node) = remembered(session, at) {
                let block = u32::try_from((*at).block);
                return block.is_ok_and(|block| !session.trace.keeps(node, block));
            }
            at = (*at).caller;
        }
    }
    false
}

/// A copy of a record of the program.
pub fn record(session: &Session, address: *const c_void, size: usize) -> Vec<u8> {
    if address.is_null() {
        return vec![0; size];
    }
    session.program.read(address as usize, size)
}

/// The loop counters of a frame.
///
/// # Safety
///
/// `frame` is a live frame of this function.
pub unsafe fn counters(frame: *const Frame, function: &Function) -> Vec<u64> {
    // SAFETY: the promise of the caller.
    unsafe {
        if (*frame).instances.is_null() {
            return vec![0; function.counters];
        }
        let counters = std::slice::from_raw_parts((*frame).instances, function.counters);
        counters
            .iter()
            .map(|&counter| counter as usize as u64)
            .collect()
    }
}

/// Gives a frame the loop counters of the original run.
///
/// # Safety
///
/// `frame` is a live frame of this function.
pub unsafe fn set_counters(frame: *mut Frame, function: &Function, counters: &[u64]) {
    // SAFETY: the promise of the caller.
    unsafe {
        if (*frame).instances.is_null() {
            return;
        }
        let own = std::slice::from_raw_parts_mut((*frame).instances, function.counters);
        for (own, &counter) in own.iter_mut().zip(counters) {
            *own = counter as std::ffi::c_ulong;
        }
    }
}

/// This frame and its callers, the outermost first.
///
/// # Safety
///
/// `frame` is NULL or a live frame, and so are its callers.
pub unsafe fn chain(frame: *mut Frame) -> Vec<*mut Frame> {
    let mut chain = Vec::new();
    let mut at = frame;
    while !at.is_null() {
        chain.push(at);
        // SAFETY: the promise of the caller.
        at = unsafe { (*at).caller };
    }
    chain.reverse();
    chain
}

/// Where all activations on the stack stand when the innermost one is in `block`.
///
/// # Safety
///
/// As for [`chain`].
pub unsafe fn places(
    session: &mut Session,
    frame: *mut Frame,
    block: u32,
) -> Result<Vec<Place>, String> {
    // SAFETY: the promise of the caller.
    unsafe {
        node(session, frame)?;
        let mut places = Vec::new();
        for at in chain(frame) {
            let node = node(session, at)?;
            let function = Rc::clone(&session.trace.node(node).function);
            places.push(Place {
                node,
                block: if at == frame {
                    block
                } else {
                    u32::try_from((*at).block).unwrap_or(0)
                },
                counters: counters(at, &function),
            });
        }
        Ok(places)
    }
}

/// The same for a restart that begins in `block` of the innermost one.
///
/// # Safety
///
/// As for [`chain`].
pub unsafe fn standing(
    known: &mut Tables,
    frame: *mut Frame,
    block: u32,
) -> Result<Vec<Standing>, String> {
    let mut standing = Vec::new();
    // SAFETY: the promise of the caller.
    unsafe {
        for at in chain(frame) {
            // A session that has ended may have left its mark.
            (*at).trace = std::ptr::null_mut();
            standing.push(Standing {
                frame: at as usize,
                function: describe::function(known.known(), (*at).function)?,
                block: if at == frame {
                    block
                } else {
                    u32::try_from((*at).block).unwrap_or(0)
                },
            });
        }
    }
    Ok(standing)
}

fn known(session: &mut Session) -> Known<'_> {
    Known {
        functions: &mut session.functions,
        names: &mut session.names,
        types: &mut session.types,
    }
}
