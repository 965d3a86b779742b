//! What a checkpoint keeps of a file of MPI, and opening it again.

use std::ffi::{CString, c_char, c_int};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use cccp::comm::{CommError, FileOfRanks};
use cccp::format::{Access, Together};
use mpi::ffi;
use mpi::ffi::{MPI_Comm as Comm, MPI_File as File};

use super::opened::{files, note, opened};
use super::view::{datatype, free, length, words};
use crate::comm::check;
use crate::success::succeeded;

/// What is known of the file with this handle; none when it is `MPI_FILE_NULL`. No other process is asked. `job` is the
/// communicator whose ranks say who the members are.
///
/// # Safety
///
/// MPI is running, and `job` one of its communicators.
pub unsafe fn describe(handle: usize, job: Comm) -> Result<Option<FileOfRanks>, CommError> {
    let handle = handle as File;
    // SAFETY: a constant of MPI.
    if handle == unsafe { ffi::RSMPI_FILE_NULL } {
        return Ok(None);
    }
    let refused = |reason: String| Err(CommError::new(reason));
    let Some(known) = opened(handle) else {
        return refused(
            "it is closed, or was opened where the library does not see it: all files of the program that use MPI have to go \
             through cccp-pp"
                .to_string(),
        );
    };
    if let Some(call) = known.begun {
        return refused(format!("{call} is in flight: end it before the checkpoint"));
    }
    if let Some(call) = known.alone {
        return refused(format!(
            "{call} is called by each rank alone, so it is unknown what all ranks had in it at their checkpoints; use the \
             ordered calls, or offsets"
        ));
    }
    let Some(first) = known.first else {
        return refused(
            "MPI_File_seek_shared was called relative to a place that only MPI knows: use MPI_SEEK_SET"
                .to_string(),
        );
    };
    // SAFETY: the file is open; numbers are stored.
    unsafe {
        let (mut mode, mut at_once, mut place) = (0, 0, 0);
        check(
            "MPI_File_get_amode",
            ffi::MPI_File_get_amode(handle, &mut mode),
        )?;
        let has = |flag: u32| mode & flag as c_int != 0;
        if has(ffi::MPI_MODE_SEQUENTIAL) {
            return refused("it was opened with MPI_MODE_SEQUENTIAL: it has no places".to_string());
        }
        check(
            "MPI_File_get_position",
            ffi::MPI_File_get_position(handle, &mut place),
        )?;
        check(
            "MPI_File_get_atomicity",
            ffi::MPI_File_get_atomicity(handle, &mut at_once),
        )?;
        let mut handler = ffi::RSMPI_ERRORS_RETURN;
        let code = ffi::MPI_File_get_errhandler(handle, &mut handler);
        check("MPI_File_get_errhandler", code)?;
        let fatal = handler == ffi::RSMPI_ERRORS_ARE_FATAL;
        let both = has(ffi::MPI_MODE_RDWR);
        Ok(Some(FileOfRanks {
            path: known.path,
            which: known.which,
            access: Access {
                read: both || has(ffi::MPI_MODE_RDONLY),
                write: both || has(ffi::MPI_MODE_WRONLY),
                append: has(ffi::MPI_MODE_APPEND),
            },
            together: Together {
                number: known.number,
                members: members(handle, job)?,
                create: has(ffi::MPI_MODE_CREATE),
                delete: has(ffi::MPI_MODE_DELETE_ON_CLOSE),
                unique: has(ffi::MPI_MODE_UNIQUE_OPEN),
                at_once: at_once != 0,
                fatal,
                written: known.wrote,
                view: view(handle)?,
                place: Some(place),
                shared: Some((first, known.moved)),
                hints: known.hints,
            },
        }))
    }
}

/// The ranks in `job` of all that have the file open.
unsafe fn members(handle: File, job: Comm) -> Result<Vec<u32>, CommError> {
    let mut size = 0;
    // SAFETY: the file and the communicator are alive; the groups are freed here, and the lists have room for all.
    unsafe {
        let (mut theirs, mut ours) = (ffi::RSMPI_GROUP_NULL, ffi::RSMPI_GROUP_NULL);
        check(
            "MPI_File_get_group",
            ffi::MPI_File_get_group(handle, &mut theirs),
        )?;
        ffi::MPI_Comm_group(job, &mut ours);
        ffi::MPI_Group_size(theirs, &mut size);
        let own: Vec<c_int> = (0..size).collect();
        let mut ranks = own.clone();
        ffi::MPI_Group_translate_ranks(theirs, size, own.as_ptr(), ours, ranks.as_mut_ptr());
        ffi::MPI_Group_free(&mut theirs);
        ffi::MPI_Group_free(&mut ours);
        let ranks = ranks.into_iter().map(u32::try_from);
        let ranks: Result<Vec<u32>, _> = ranks.collect();
        ranks.map_err(|_| {
            CommError::new("processes have it open that are not in the communicator of init")
        })
    }
}

/// The view of a file, in words: displacement, elementary type, a slash, filetype.
unsafe fn view(handle: File) -> Result<Vec<u8>, CommError> {
    // SAFETY: the file is open; the buffer is longer than the names of all representations.
    unsafe {
        let byte = ffi::RSMPI_UINT8_T;
        let (mut start, mut element, mut kind) = (0, byte, byte);
        let mut representation = [0u8; 1024];
        check(
            "MPI_File_get_view",
            ffi::MPI_File_get_view(
                handle,
                &mut start,
                &mut element,
                &mut kind,
                representation.as_mut_ptr().cast::<c_char>(),
            ),
        )?;
        let mut all = vec![start.to_string()];
        let said = words(element, length, &mut all).and_then(|()| {
            all.push("/".to_string());
            words(kind, length, &mut all)
        });
        free(&mut element);
        free(&mut kind);
        said?;
        let end = representation.iter().position(|&byte| byte == 0);
        match &representation[..end.unwrap_or(0)] {
            b"native" => Ok(all.join(" ").into_bytes()),
            other => Err(CommError::new(format!(
                "its view has the representation {}; only that called native can be restored",
                String::from_utf8_lossy(other)
            ))),
        }
    }
}

/// A view that can be set.
struct View {
    start: i64,
    element: ffi::MPI_Datatype,
    kind: ffi::MPI_Datatype,
    /// The one that every file has when it is opened.
    is_first: bool,
}

unsafe fn view_of(text: &[u8]) -> Result<View, CommError> {
    let nonsense = || CommError::new("the checkpoint does not say what its view was");
    let text = std::str::from_utf8(text).map_err(|_| nonsense())?;
    let mut words = text.split(' ');
    let start = words.next().and_then(|one| one.parse().ok());
    let start = start.ok_or_else(nonsense)?;
    // SAFETY: MPI is running; what was made is freed when nobody needs it.
    unsafe {
        let mut element = datatype(&mut words)?;
        if words.next() != Some("/") {
            free(&mut element);
            return Err(nonsense());
        }
        match datatype(&mut words) {
            Ok(kind) => Ok(View {
                start,
                element,
                kind,
                is_first: text == "0 bytes 1 / bytes 1",
            }),
            Err(error) => {
                free(&mut element);
                Err(error)
            }
        }
    }
}

/// Opens a file again as it was; all its members do. An error is one on all of them.
///
/// # Safety
///
/// MPI is running, and `job` one of its communicators.
pub unsafe fn open(path: &Path, file: &FileOfRanks, job: Comm) -> Result<usize, CommError> {
    let together = &file.together;
    let members: Vec<c_int> = together
        .members
        .iter()
        .map(|one| one.cast_signed())
        .collect();
    let count = c_int::try_from(members.len()).unwrap_or(0);
    // SAFETY: the promise of the caller; what is made here is freed, and the file given away.
    unsafe {
        let (mut all, mut theirs) = (ffi::RSMPI_GROUP_NULL, ffi::RSMPI_GROUP_NULL);
        let mut comm = ffi::RSMPI_COMM_NULL;
        check("MPI_Comm_group", ffi::MPI_Comm_group(job, &mut all))?;
        check(
            "MPI_Group_incl",
            ffi::MPI_Group_incl(all, count, members.as_ptr(), &mut theirs),
        )?;
        let made = ffi::MPI_Comm_create_group(job, theirs, 0, &mut comm);
        ffi::MPI_Group_free(&mut all);
        ffi::MPI_Group_free(&mut theirs);
        check("MPI_Comm_create_group", made)?;
        ffi::MPI_Comm_set_errhandler(comm, ffi::RSMPI_ERRORS_RETURN);
        let opened = open_with(path, file, comm);
        ffi::MPI_Comm_free(&mut comm);
        opened
    }
}

unsafe fn open_with(path: &Path, file: &FileOfRanks, comm: Comm) -> Result<usize, CommError> {
    let together = &file.together;
    // SAFETY: the promise of the caller.
    unsafe {
        let view = view_of(&together.view);
        let name = CString::new(path.as_os_str().as_bytes())
            .map_err(|_| CommError::new("its path is no text of C"));
        let (view, name) = all_could(comm, view.and_then(|view| Ok((view, name?))))?;
        let info = info(&together.hints);
        let mut handle = ffi::RSMPI_FILE_NULL;
        let code = ffi::MPI_File_open(comm, name.as_ptr(), mode(file), info, &mut handle);
        note(
            comm,
            path.to_path_buf(),
            together.hints.clone(),
            code,
            handle,
        );
        all_could(comm, check("MPI_File_open", code))?;
        let set = set(handle, together, &view, info, comm);
        if info != ffi::RSMPI_INFO_NULL {
            let mut info = info;
            ffi::MPI_Info_free(&mut info);
        }
        let View {
            mut element,
            mut kind,
            ..
        } = view;
        free(&mut element);
        free(&mut kind);
        all_could(comm, set)?;
        Ok(handle as usize)
    }
}

/// View, places and the atomic mode of a file that is open again.
unsafe fn set(
    handle: File,
    together: &Together,
    view: &View,
    info: ffi::MPI_Info,
    comm: Comm,
) -> Result<(), CommError> {
    // SAFETY: the file is open, the types are alive.
    unsafe {
        let (mut first, mut element) = (0, 1);
        if !view.is_first {
            let (mut filed, mut elementary) = (view.kind, view.element);
            ffi::MPI_Type_commit(&mut filed);
            ffi::MPI_Type_commit(&mut elementary);
            let native = c"native".as_ptr();
            let code = ffi::MPI_File_set_view(handle, view.start, elementary, filed, native, info);
            check("MPI_File_set_view", code)?;
            ffi::MPI_Type_size(elementary, &mut element);
        }
        if let Some(place) = together.place {
            let code = ffi::MPI_File_seek(handle, place, ffi::MPI_SEEK_SET as c_int);
            check("MPI_File_seek", code)?;
        }
        if let Some((before, moved)) = together.shared {
            let mut sum = 0i64;
            let code = ffi::MPI_Allreduce(
                (&raw const moved).cast(),
                (&raw mut sum).cast(),
                1,
                ffi::RSMPI_INT64_T,
                ffi::RSMPI_SUM,
                comm,
            );
            check("MPI_Allreduce", code)?;
            first = before + sum;
            if first != 0 {
                let code = ffi::MPI_File_seek_shared(handle, first, ffi::MPI_SEEK_SET as c_int);
                // Not every file system has such a pointer; nobody has used it when it has not moved.
                check("MPI_File_seek_shared", code).or_else(|error| match sum {
                    0 => Ok(()),
                    _ => Err(error),
                })?;
            }
        }
        if together.at_once {
            check(
                "MPI_File_set_atomicity",
                ffi::MPI_File_set_atomicity(handle, 1),
            )?;
        }
        if together.fatal {
            ffi::MPI_File_set_errhandler(handle, ffi::RSMPI_ERRORS_ARE_FATAL);
        }
        files(|all| {
            all.get_mut(&(handle as usize)).map(|known| {
                (known.first, known.element) = (Some(first), element.into());
                known.wrote = together.written;
            })
        });
        Ok(())
    }
}

/// How MPI is asked for it. It must be there, and may have been there.
fn mode(file: &FileOfRanks) -> c_int {
    let flags = [
        (file.together.create, ffi::MPI_MODE_CREATE),
        (file.together.delete, ffi::MPI_MODE_DELETE_ON_CLOSE),
        (file.together.unique, ffi::MPI_MODE_UNIQUE_OPEN),
        (file.access.append, ffi::MPI_MODE_APPEND),
    ];
    let access = match (file.access.read, file.access.write) {
        (true, true) => ffi::MPI_MODE_RDWR,
        (false, true) => ffi::MPI_MODE_WRONLY,
        _ => ffi::MPI_MODE_RDONLY,
    };
    let flags = flags.iter().filter(|one| one.0).map(|one| one.1);
    flags.fold(access, |all, one| all | one) as c_int
}

/// An info object that says all this.
unsafe fn info(hints: &[(Vec<u8>, Vec<u8>)]) -> ffi::MPI_Info {
    // SAFETY: MPI is running; the texts are those of C.
    unsafe {
        let mut info = ffi::RSMPI_INFO_NULL;
        if hints.is_empty() || !succeeded(ffi::MPI_Info_create(&mut info)) {
            return info;
        }
        for (key, value) in hints {
            if let (Ok(key), Ok(value)) = (CString::new(key.clone()), CString::new(value.clone())) {
                ffi::MPI_Info_set(info, key.as_ptr(), value.as_ptr());
            }
        }
        info
    }
}

/// Nobody goes on when one could not: an error on all members.
unsafe fn all_could<T>(comm: Comm, result: Result<T, CommError>) -> Result<T, CommError> {
    let mine = c_int::from(result.is_ok());
    let mut all = 0i32;
    // SAFETY: the communicator is alive; one number of 32 bits each.
    let code = unsafe {
        ffi::MPI_Allreduce(
            (&raw const mine).cast(),
            (&raw mut all).cast(),
            1,
            ffi::RSMPI_INT32_T,
            ffi::RSMPI_MIN,
            comm,
        )
    };
    let value = result?;
    check("MPI_Allreduce", code)?;
    match all {
        1 => Ok(value),
        _ => Err(CommError::new("another rank could not open it")),
    }
}
