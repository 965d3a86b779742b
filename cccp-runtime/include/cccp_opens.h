/*
 * cccp_opens.h - files that the program opens, makes, renames and removes: a part of cccp.h, which includes it.
 *
 * What stands before `init` runs in every start. So that a restart empties no file, the library has to see what is
 * opened: every file of the program calls the functions below instead of those of the C library. They do the same with the
 * same arguments and results, from any thread. Before `init`, where a restart may follow, nothing on disk changes: the program
 * writes into a file of its own, which it finds again when it opens the same name. When all ranks have agreed that there is
 * no restart, `init` does everything as the program has asked for it. In a restart what was written before `init` is
 * dropped, because the file has it already, and the descriptors and streams become the files as they were at the checkpoint.
 * From the first checkpoint on the library notes what the program opens for writing, makes, renames and removes, open or closed
 * at the next checkpoint. A restart undoes what came after its checkpoint, when all ranks have looked: files that were made
 * are removed, those that grew are cut off, those that were renamed get their names back; so do directories, links and pipes. What was
 * there at a checkpoint and is replaced or removed gets another name before, or is copied, up to as many bytes as the setting removed_files
 * says, and is put back; so is what was open at a checkpoint, or was read, and is emptied, and what is
 * opened to be changed where it lies ("r+", O_RDWR without O_TRUNC), and cut off by truncate and ftruncate; and at each checkpoint what
 * is open to be read and overwritten then, where it is not as at the one before. What else was
 * emptied, replaced or removed cannot be restored: usually the program writes it anew; where it is opened before that, a warning says so.
 * What several ranks change where it lies is put back where all found the same in it after their checkpoints; else a warning says so.
 * A standard stream that gets another file (freopen) has it again after a restart, registered or not.
 * Of files that several ranks append to it has to know where each has written last, too: it sees what they close.
 *   - Only calls of the program are seen, and names: not what libraries, other programs and links to the same file do; but for
 *     files that zlib, HDF5 and netCDF open by name, in files that go through cccp-pp.
 *   - What is open at a checkpoint to be written only, and is overwritten after it, stays overwritten: a restart writes the same again.
 *     So does what is overwritten in a file of MPI, and through memory that is mapped.
 *   - What other programs and libraries do to files before `init` is not seen: system, popen, fork.
 *   - Directories, links, pipes and files with names that nobody has (mkstemp) are made before `init` in every start.
 *
 * With CCCP_OPENS_<name> the name means the function here. cccp-pp defines it in front of this header for every name
 * that the file calls; with the value 2 where the C library declares the name with another symbol (_FILE_OFFSET_BITS), so that only
 * the file itself is meant, not the headers that it includes. By hand: define CCCP_OPENS in front of cccp.h, before any other header.
 */
#ifndef CCCP_OPENS_H
#define CCCP_OPENS_H

struct _IO_FILE; /* FILE */
struct _IO_FILE *cccp_fopen(const char *path, const char *mode);
struct _IO_FILE *cccp_freopen(const char *path, const char *mode, struct _IO_FILE *stream);
int cccp_open(const char *path, int flags, ...);
int cccp_openat(int directory, const char *path, int flags, ...);
int cccp_creat(const char *path, unsigned int mode);
int cccp_mkstemp(char *name);
int cccp_mkstemps(char *name, int suffix);
int cccp_mkostemp(char *name, int flags);
int cccp_mkostemps(char *name, int suffix, int flags);
int cccp_rename(const char *from, const char *to);
int cccp_renameat(int from_directory, const char *from, int to_directory, const char *to);
int cccp_link(const char *from, const char *to);
int cccp_linkat(int from_directory, const char *from, int to_directory, const char *to, int flags);
int cccp_symlink(const char *target, const char *path);
int cccp_symlinkat(const char *target, int directory, const char *path);
int cccp_unlink(const char *path);
int cccp_unlinkat(int directory, const char *path, int flags);
int cccp_remove(const char *path);
int cccp_mkdir(const char *path, unsigned int mode);
int cccp_mkdirat(int directory, const char *path, unsigned int mode);
char *cccp_mkdtemp(char *name);
int cccp_rmdir(const char *path);
int cccp_mkfifo(const char *path, unsigned int mode);
int cccp_mkfifoat(int directory, const char *path, unsigned int mode);
int cccp_truncate(const char *path, long length);
int cccp_ftruncate(int descriptor, long length);
#ifdef __INT64_TYPE__
int cccp_truncate64(const char *path, __INT64_TYPE__ length);
int cccp_ftruncate64(int descriptor, __INT64_TYPE__ length);
#endif
int cccp_fclose(struct _IO_FILE *stream);
int cccp_close(int descriptor);

#ifdef CCCP_OPENS
#define CCCP_OPENS_close
#define CCCP_OPENS_creat
#define CCCP_OPENS_creat64
#define CCCP_OPENS_fclose
#define CCCP_OPENS_fopen
#define CCCP_OPENS_fopen64
#define CCCP_OPENS_freopen
#define CCCP_OPENS_freopen64
#define CCCP_OPENS_ftruncate
#define CCCP_OPENS_ftruncate64
#define CCCP_OPENS_link
#define CCCP_OPENS_linkat
#define CCCP_OPENS_mkdir
#define CCCP_OPENS_mkdirat
#define CCCP_OPENS_mkdtemp
#define CCCP_OPENS_mkfifo
#define CCCP_OPENS_mkfifoat
#define CCCP_OPENS_mkostemp
#define CCCP_OPENS_mkostemp64
#define CCCP_OPENS_mkostemps
#define CCCP_OPENS_mkostemps64
#define CCCP_OPENS_mkstemp
#define CCCP_OPENS_mkstemp64
#define CCCP_OPENS_mkstemps
#define CCCP_OPENS_mkstemps64
#define CCCP_OPENS_open
#define CCCP_OPENS_open64
#define CCCP_OPENS_openat
#define CCCP_OPENS_openat64
#define CCCP_OPENS_remove
#define CCCP_OPENS_rename
#define CCCP_OPENS_renameat
#define CCCP_OPENS_rmdir
#define CCCP_OPENS_symlink
#define CCCP_OPENS_symlinkat
#define CCCP_OPENS_truncate
#define CCCP_OPENS_truncate64
#define CCCP_OPENS_unlink
#define CCCP_OPENS_unlinkat
#endif

/* The value 2: in the file itself the name is ours, in the headers that it includes it is none that is called. */
#define CCCP_OPENS_JOINED(name, level) name##level
#define CCCP_OPENS_HERE(name, level) CCCP_OPENS_JOINED(name, level)
#define cccp_fopen_0 cccp_fopen
#define cccp_freopen_0 cccp_freopen
#define cccp_open_0 cccp_open
#define cccp_openat_0 cccp_openat
#define cccp_creat_0 cccp_creat
#define cccp_rename_0 cccp_rename
#define cccp_unlink_0 cccp_unlink
#define cccp_remove_0 cccp_remove
#define cccp_mkdir_0 cccp_mkdir
#define cccp_mkstemp_0 cccp_mkstemp
#define cccp_mkstemps_0 cccp_mkstemps
#define cccp_mkostemp_0 cccp_mkostemp
#define cccp_mkostemps_0 cccp_mkostemps
#define cccp_truncate_0 cccp_truncate64
#define cccp_ftruncate_0 cccp_ftruncate64

/* What checks the arguments of open and openat (_FORTIFY_SOURCE) would call the C library's. */
#if defined(CCCP_OPENS_open) || defined(CCCP_OPENS_openat) || defined(CCCP_OPENS_open64) || defined(CCCP_OPENS_openat64)
#undef _FORTIFY_SOURCE
#endif
#ifdef CCCP_OPENS_creat
#if CCCP_OPENS_creat + 0 == 2
#define creat CCCP_OPENS_HERE(cccp_creat_, __INCLUDE_LEVEL__)
#else
#define creat cccp_creat
#endif
#endif
#ifdef CCCP_OPENS_creat64
#if CCCP_OPENS_creat64 + 0 == 2
#define creat64 CCCP_OPENS_HERE(cccp_creat_, __INCLUDE_LEVEL__)
#else
#define creat64 cccp_creat
#endif
#endif
#ifdef CCCP_OPENS_fopen
#if CCCP_OPENS_fopen + 0 == 2
#define fopen CCCP_OPENS_HERE(cccp_fopen_, __INCLUDE_LEVEL__)
#else
#define fopen cccp_fopen
#endif
#endif
#ifdef CCCP_OPENS_fopen64
#if CCCP_OPENS_fopen64 + 0 == 2
#define fopen64 CCCP_OPENS_HERE(cccp_fopen_, __INCLUDE_LEVEL__)
#else
#define fopen64 cccp_fopen
#endif
#endif
#ifdef CCCP_OPENS_freopen
#if CCCP_OPENS_freopen + 0 == 2
#define freopen CCCP_OPENS_HERE(cccp_freopen_, __INCLUDE_LEVEL__)
#else
#define freopen cccp_freopen
#endif
#endif
#ifdef CCCP_OPENS_freopen64
#if CCCP_OPENS_freopen64 + 0 == 2
#define freopen64 CCCP_OPENS_HERE(cccp_freopen_, __INCLUDE_LEVEL__)
#else
#define freopen64 cccp_freopen
#endif
#endif
#ifdef CCCP_OPENS_open
#if CCCP_OPENS_open + 0 == 2
#define open CCCP_OPENS_HERE(cccp_open_, __INCLUDE_LEVEL__)
#else
#define open cccp_open
#endif
#endif
#ifdef CCCP_OPENS_open64
#if CCCP_OPENS_open64 + 0 == 2
#define open64 CCCP_OPENS_HERE(cccp_open_, __INCLUDE_LEVEL__)
#else
#define open64 cccp_open
#endif
#endif
#ifdef CCCP_OPENS_openat
#if CCCP_OPENS_openat + 0 == 2
#define openat CCCP_OPENS_HERE(cccp_openat_, __INCLUDE_LEVEL__)
#else
#define openat cccp_openat
#endif
#endif
#ifdef CCCP_OPENS_openat64
#if CCCP_OPENS_openat64 + 0 == 2
#define openat64 CCCP_OPENS_HERE(cccp_openat_, __INCLUDE_LEVEL__)
#else
#define openat64 cccp_openat
#endif
#endif
#ifdef CCCP_OPENS_remove
#if CCCP_OPENS_remove + 0 == 2
#define remove CCCP_OPENS_HERE(cccp_remove_, __INCLUDE_LEVEL__)
#else
#define remove cccp_remove
#endif
#endif
#ifdef CCCP_OPENS_rename
#if CCCP_OPENS_rename + 0 == 2
#define rename CCCP_OPENS_HERE(cccp_rename_, __INCLUDE_LEVEL__)
#else
#define rename cccp_rename
#endif
#endif
#ifdef CCCP_OPENS_unlink
#if CCCP_OPENS_unlink + 0 == 2
#define unlink CCCP_OPENS_HERE(cccp_unlink_, __INCLUDE_LEVEL__)
#else
#define unlink cccp_unlink
#endif
#endif

#ifdef CCCP_OPENS_mkdir
#if CCCP_OPENS_mkdir + 0 == 2
#define mkdir CCCP_OPENS_HERE(cccp_mkdir_, __INCLUDE_LEVEL__)
#else
#define mkdir cccp_mkdir
#endif
#endif

#ifdef CCCP_OPENS_link
#define link cccp_link
#endif
#ifdef CCCP_OPENS_linkat
#define linkat cccp_linkat
#endif
#ifdef CCCP_OPENS_mkdirat
#define mkdirat cccp_mkdirat
#endif
#ifdef CCCP_OPENS_mkdtemp
#define mkdtemp cccp_mkdtemp
#endif
#ifdef CCCP_OPENS_mkfifo
#define mkfifo cccp_mkfifo
#endif
#ifdef CCCP_OPENS_mkfifoat
#define mkfifoat cccp_mkfifoat
#endif
#ifdef CCCP_OPENS_renameat
#define renameat cccp_renameat
#endif
#ifdef CCCP_OPENS_rmdir
#define rmdir cccp_rmdir
#endif
#ifdef CCCP_OPENS_symlink
#define symlink cccp_symlink
#endif
#ifdef CCCP_OPENS_symlinkat
#define symlinkat cccp_symlinkat
#endif
#ifdef CCCP_OPENS_unlinkat
#define unlinkat cccp_unlinkat
#endif
#ifdef CCCP_OPENS_mkstemp
#if CCCP_OPENS_mkstemp + 0 == 2
#define mkstemp CCCP_OPENS_HERE(cccp_mkstemp_, __INCLUDE_LEVEL__)
#else
#define mkstemp cccp_mkstemp
#endif
#endif
#ifdef CCCP_OPENS_mkstemp64
#define mkstemp64 cccp_mkstemp
#endif
#ifdef CCCP_OPENS_mkstemps
#if CCCP_OPENS_mkstemps + 0 == 2
#define mkstemps CCCP_OPENS_HERE(cccp_mkstemps_, __INCLUDE_LEVEL__)
#else
#define mkstemps cccp_mkstemps
#endif
#endif
#ifdef CCCP_OPENS_mkstemps64
#define mkstemps64 cccp_mkstemps
#endif
#ifdef CCCP_OPENS_mkostemp
#if CCCP_OPENS_mkostemp + 0 == 2
#define mkostemp CCCP_OPENS_HERE(cccp_mkostemp_, __INCLUDE_LEVEL__)
#else
#define mkostemp cccp_mkostemp
#endif
#endif
#ifdef CCCP_OPENS_mkostemp64
#define mkostemp64 cccp_mkostemp
#endif
#ifdef CCCP_OPENS_mkostemps
#if CCCP_OPENS_mkostemps + 0 == 2
#define mkostemps CCCP_OPENS_HERE(cccp_mkostemps_, __INCLUDE_LEVEL__)
#else
#define mkostemps cccp_mkostemps
#endif
#endif
#ifdef CCCP_OPENS_mkostemps64
#define mkostemps64 cccp_mkostemps
#endif

#ifdef CCCP_OPENS_truncate
#if CCCP_OPENS_truncate + 0 == 2
#define truncate CCCP_OPENS_HERE(cccp_truncate_, __INCLUDE_LEVEL__)
#else
#define truncate cccp_truncate
#endif
#endif
#ifdef CCCP_OPENS_truncate64
#define truncate64 cccp_truncate64
#endif
#ifdef CCCP_OPENS_ftruncate
#if CCCP_OPENS_ftruncate + 0 == 2
#define ftruncate CCCP_OPENS_HERE(cccp_ftruncate_, __INCLUDE_LEVEL__)
#else
#define ftruncate cccp_ftruncate
#endif
#endif
#ifdef CCCP_OPENS_ftruncate64
#define ftruncate64 cccp_ftruncate64
#endif

#ifdef CCCP_OPENS_fclose
#define fclose cccp_fclose
#endif
#ifdef CCCP_OPENS_close
#define close cccp_close
#endif

#endif
