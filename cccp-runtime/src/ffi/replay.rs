//! Part 2 of cccp.h: what precompiled code calls during a restart.

use std::ffi::{c_int, c_void};
use std::rc::Rc;
use std::sync::atomic::Ordering;

use super::directives::{here, ran};
use super::mirror::Frame;
use super::state::{begin_counting, directive};
use super::statics::cccp_replaying;
use super::{frames, locks, passes, team};
use crate::memory::controls;

/// The next block of an activation.
///
/// # Safety
///
/// As cccp.h says; so for all functions here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_next(frame: *mut Frame) -> c_int {
    directive(0, |session| {
        // SAFETY: the promise of the caller.
        unsafe {
            // With a node the frame is told when the call has returned.
            let node = frames::node(session, frame)?;
            let function = Rc::clone(&session.trace.node(node).function);
            let caller = (*frame).caller;
            let caller = (!caller.is_null()).then_some(caller as usize);
            let thread = team::thread_of(frame as usize).map(|[number, _]| number);
            let next = session.replay_next(frame as usize, caller, thread, node)?;
            frames::set_counters(frame, &function, &next.counters);
            session.killer.reach("restore");
            Ok(c_int::try_from(next.block).unwrap_or(0))
        }
    })
}

/// The values that the block due had.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_values(frame: *mut Frame, block: c_int, record: *mut c_void) {
    directive((), |session| {
        // SAFETY: the promise of the caller.
        let (node, counters) = unsafe { here(session, frame) }?;
        let function = Rc::clone(&session.trace.node(node).function);
        let block = u32::try_from(block).unwrap_or(0);
        let found = function
            .block(block)
            .ok_or_else(|| format!("{} has no block {block}", function.name))?;
        let values = session
            .replay_values(frame as usize, &found.fields, found.record_size)
            .map_err(|reason| {
                format!(
                    "{} ({}:{}): {reason}",
                    function.name, function.file, found.line
                )
            })?;
        if !record.is_null() {
            session.program.write(record as usize, &values);
        }
        ran(session, node, block, found.kind, counters, values);
        Ok(())
    });
}

/// A block that is executed again has taken another way than the original run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_stray(frame: *mut Frame, block: c_int) {
    directive((), |session| {
        // SAFETY: the promise of the caller.
        let node = unsafe { frames::node(session, frame) }?;
        let function = Rc::clone(&session.trace.node(node).function);
        let block = function.block(u32::try_from(block).unwrap_or(0));
        Err(format!(
            "{} ({}:{}): this block runs on restart; control has left it at another place than in the original run, so a call in it \
             that failed then has succeeded now, or the other way round; make sure that what it uses (files, limits, devices) is as \
             it was, and start again",
            function.name,
            function.file,
            block.map_or(function.line, |block| block.line),
        ))
    });
}

/// An argument of the call due.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_argument(frame: *mut Frame, parameter: c_int) -> *mut c_void {
    let address = directive(0, |session| {
        let parameter = usize::try_from(parameter).unwrap_or(usize::MAX);
        session.replay_argument(frame as usize, parameter)
    });
    address as *mut c_void
}

/// Whether the trace knows an argument of the call due.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_has_argument(frame: *mut Frame, parameter: c_int) -> c_int {
    let known = directive(false, |session| {
        let parameter = usize::try_from(parameter).unwrap_or(usize::MAX);
        session.replay_knows_argument(frame as usize, parameter)
    });
    c_int::from(known)
}

/// The function to which the call due went. It has the address of a function; C sees a pointer to one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_target(frame: *mut Frame) -> *mut c_void {
    directive(0, |session| session.replay_target(frame as usize)) as *mut c_void
}

/// Whether the restart ends in the call due. One that had returned is made again for what it registered, and all that nothing
/// restores is still to be used then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_ends(frame: *mut Frame) -> c_int {
    let ends = directive(false, |session| session.replay_ends(frame as usize));
    c_int::from(ends)
}

/// A variable that nothing restores gets values that show, if that is wanted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_poison(variable: *mut c_void, size: u64) {
    directive((), |session| {
        session.program.spoil(variable as usize, size as usize);
        Ok(())
    });
}

/// The checkpoint is reached: everything has its value, the restart ends.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_resume(frame: *mut Frame, block: c_int) {
    let number = team::member(frame).unwrap_or(0) as u64;
    let team = passes::resumes(frame, block);
    if team == Some(false) {
        return controls::error_again(number);
    }
    directive((), |session| {
        // SAFETY: the promise of the caller.
        let innermost = unsafe { frames::node(session, frame) }?;
        session.resume(innermost)?;
        begin_counting(session);
        cccp_replaying.store(0, Ordering::Relaxed);
        session.killer.reach("resumed");
        Ok(())
    });
    match team {
        Some(_) => passes::resumed(),
        None => {
            locks::take_again(0);
            locks::all_taken();
        }
    }
    controls::error_again(number);
}
