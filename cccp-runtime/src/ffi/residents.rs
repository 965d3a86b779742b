//! Static objects of functions that are items from `init` on.
//!
//! In: rows that the linker made of what precompiled files contain. Out: items of the session, from its beginning or, for
//! a library that is loaded later, from then on. No code of the program runs for them.

use std::ffi::c_int;
use std::sync::{Mutex, PoisonError};

use super::describe::{self, Known, Tables};
use super::mirror;
use super::state::directive;
use crate::session::Resident;

/// From the first pointer of a row up to its end.
type Row = (usize, usize);

/// The rows of all files.
static ROWS: Mutex<Vec<Row>> = Mutex::new(Vec::new());

/// The residents of a file are known, before `main` or when its library is loaded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_reside(
    first: *const *const mirror::Resident,
    end: *const *const mirror::Resident,
) {
    let row = (first as usize, end as usize);
    {
        let mut rows = ROWS.lock().unwrap_or_else(PoisonError::into_inner);
        // All files of a library have the same row.
        if row.0 >= row.1 || rows.contains(&row) {
            return;
        }
        rows.push(row);
    }
    directive((), |session| {
        let mut known = Known {
            functions: &mut session.functions,
            names: &mut session.names,
            types: &mut session.types,
        };
        // SAFETY: the row belongs to the library that is being loaded.
        let residents = unsafe { read(row, &mut known) }?;
        session.reside(residents)
    });
}

/// Those of all rows.
///
/// # Safety
///
/// What was announced still stands there.
pub unsafe fn all(tables: &mut Tables) -> Result<Vec<Resident>, String> {
    let rows = ROWS.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let mut all = Vec::new();
    for row in rows {
        // SAFETY: the promise of the caller.
        all.extend(unsafe { read(row, &mut tables.known()) }?);
    }
    Ok(all)
}

unsafe fn read(row: Row, known: &mut Known<'_>) -> Result<Vec<Resident>, String> {
    let step = size_of::<*const mirror::Resident>();
    let mut residents = Vec::new();
    for place in (row.0..row.1).step_by(step) {
        // SAFETY: the promise of the caller.
        let found = unsafe { (*(place as *const *const mirror::Resident)).as_ref() };
        let Some(found) = found else {
            continue;
        };
        let known = Known {
            functions: known.functions,
            names: known.names,
            types: known.types,
        };
        // SAFETY: the promise of the caller.
        let function = unsafe { describe::function(known, found.function) }?;
        residents.push(Resident {
            function,
            item: number(found.item),
            address: found.object as usize,
        });
    }
    Ok(residents)
}

fn number(value: c_int) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
