/*
 * cccp_files.h - files of MPI: a part of cccp.h, which includes it when CCCP_FILES or CCCP_MESSAGES is defined.
 *
 * An `MPI_File` that is registered is restored open, as a `FILE *` is (CCCP_STREAM): under its name, with the processes that
 * had opened it, without being emptied; what was written after the checkpoint is cut off; view, hints, atomic mode, the pointer of
 * each rank and the one of all ranks are as at the checkpoint. For that the library has to see what is opened and how
 * the shared pointer moves: cccp-pp defines CCCP_FILES in front of cccp.h in every file that mentions one of the names
 * below. There they mean the functions of libcccp_mpi, which do the same with the same arguments and results.
 *   - MPI_FILE_NULL stays that. Each rank that has opened a file registers it.
 *   - A restart opens the files where `init` stands, all of them in the same order, on communicators of its own.
 *   - No split collective call may be in flight at a checkpoint, and no request.
 *   - The shared pointer is restored where it moves in calls of all ranks (MPI_File_write_ordered, MPI_File_seek_shared with
 *     MPI_SEEK_SET). A rank that moves it alone (MPI_File_write_shared) may write before or after what others write, so
 *     it is unknown what was in the file at a checkpoint: such a file cannot be restored, nor one that was opened with
 *     MPI_MODE_SEQUENTIAL or has another representation than "native". The checkpoint warns, and after a restart the use
 *     of the handle stops the program.
 *   - What was overwritten in place after the checkpoint stays overwritten. Several ranks reach their checkpoints one after
 *     the other: the file is cut off behind the longest that any of those saw that have written to it. Where ranks go on
 *     while others, which write too, have not come to their checkpoint, it may stay longer than it was: they write the
 *     same there again. Where a rank appends (MPI_SEEK_END, MPI_File_get_size), it should be the only one that writes.
 *   - An error handler of the program's own is not restored; MPI_ERRORS_ARE_FATAL is.
 *
 * By hand: define CCCP_FILES before cccp_mpi.h, in all files that use MPI, and register with CCCP_MPI_FILE as type.
 */
#ifndef CCCP_FILES_H
#define CCCP_FILES_H

#define MPI_File_close cccp_MPI_File_close
#define MPI_File_iread cccp_MPI_File_iread
#define MPI_File_iread_all cccp_MPI_File_iread_all
#define MPI_File_iread_at cccp_MPI_File_iread_at
#define MPI_File_iread_at_all cccp_MPI_File_iread_at_all
#define MPI_File_iread_shared cccp_MPI_File_iread_shared
#define MPI_File_iwrite cccp_MPI_File_iwrite
#define MPI_File_iwrite_all cccp_MPI_File_iwrite_all
#define MPI_File_iwrite_at cccp_MPI_File_iwrite_at
#define MPI_File_iwrite_at_all cccp_MPI_File_iwrite_at_all
#define MPI_File_iwrite_shared cccp_MPI_File_iwrite_shared
#define MPI_File_open cccp_MPI_File_open
#define MPI_File_preallocate cccp_MPI_File_preallocate
#define MPI_File_read_all cccp_MPI_File_read_all
#define MPI_File_read_all_begin cccp_MPI_File_read_all_begin
#define MPI_File_read_all_end cccp_MPI_File_read_all_end
#define MPI_File_read_at_all cccp_MPI_File_read_at_all
#define MPI_File_read_at_all_begin cccp_MPI_File_read_at_all_begin
#define MPI_File_read_at_all_end cccp_MPI_File_read_at_all_end
#define MPI_File_read_ordered cccp_MPI_File_read_ordered
#define MPI_File_read_ordered_begin cccp_MPI_File_read_ordered_begin
#define MPI_File_read_ordered_end cccp_MPI_File_read_ordered_end
#define MPI_File_read_shared cccp_MPI_File_read_shared
#define MPI_File_seek_shared cccp_MPI_File_seek_shared
#define MPI_File_set_atomicity cccp_MPI_File_set_atomicity
#define MPI_File_set_info cccp_MPI_File_set_info
#define MPI_File_set_size cccp_MPI_File_set_size
#define MPI_File_set_view cccp_MPI_File_set_view
#define MPI_File_sync cccp_MPI_File_sync
#define MPI_File_write cccp_MPI_File_write
#define MPI_File_write_all cccp_MPI_File_write_all
#define MPI_File_write_all_begin cccp_MPI_File_write_all_begin
#define MPI_File_write_all_end cccp_MPI_File_write_all_end
#define MPI_File_write_at cccp_MPI_File_write_at
#define MPI_File_write_at_all cccp_MPI_File_write_at_all
#define MPI_File_write_at_all_begin cccp_MPI_File_write_at_all_begin
#define MPI_File_write_at_all_end cccp_MPI_File_write_at_all_end
#define MPI_File_write_ordered cccp_MPI_File_write_ordered
#define MPI_File_write_ordered_begin cccp_MPI_File_write_ordered_begin
#define MPI_File_write_ordered_end cccp_MPI_File_write_ordered_end
#define MPI_File_write_shared cccp_MPI_File_write_shared
/* These move the shared pointer, and belong to a newer MPI than libcccp_mpi knows. A program that uses them is not linked. */
#define MPI_File_iread_shared_c cccp_has_no_MPI_File_iread_shared_c
#define MPI_File_iwrite_shared_c cccp_has_no_MPI_File_iwrite_shared_c
#define MPI_File_read_ordered_begin_c cccp_has_no_MPI_File_read_ordered_begin_c
#define MPI_File_read_ordered_c cccp_has_no_MPI_File_read_ordered_c
#define MPI_File_read_shared_c cccp_has_no_MPI_File_read_shared_c
#define MPI_File_write_ordered_begin_c cccp_has_no_MPI_File_write_ordered_begin_c
#define MPI_File_write_ordered_c cccp_has_no_MPI_File_write_ordered_c
#define MPI_File_write_shared_c cccp_has_no_MPI_File_write_shared_c

#ifdef CCCP_MESSAGES
#include "cccp_messages.h"
#endif

#endif
