/*
 * cccp_heap.h - allocated memory: a part of cccp.h, which includes it.
 *
 * Items that bring allocated blocks (`p[]`, `follow(x)`) need to know where each block begins and ends. Every file of
 * such a program that allocates or releases memory calls the functions below instead of those of the C library. They do
 * the same with the same arguments and results, from any thread, and note the block. A block may be released by a
 * library that knows nothing of this, and the other way round; it is not known then.
 *
 * With CCCP_HEAP_<name> the name means the function here, wherever it stands in the file: in calls, as the value of a
 * pointer, and in the declaration of the C library. cccp-pp defines it in front of this header for every name that the
 * file knows and the program does not define itself; with the value 2 where the C library declares the name with another symbol
 * (_FILE_OFFSET_BITS), so that only the file itself is meant. CCCP_HEAP stands for malloc, calloc, realloc and free.
 *
 * So it is with what allocates and frees vectors, matrices, blocks and permutations of GSL: behind this header and in front of GSL's
 * `CCCP_NOTE(gsl_error)`, and `#define gsl_matrix_alloc cccp_gsl_matrix_alloc` and its like.
 */
#ifndef CCCP_HEAP_H
#define CCCP_HEAP_H

/* Says what the block holds that has just been got: elements of this type. The block is the result. For pointers that may lead
 * to several kinds of blocks; where nothing is said, the length of a block has to tell. See cccp_type. */
void *cccp_holds(void *block, const cccp_type *type);
/* The same: bytes in which no address ever lies. A checkpoint does not look for any in such a block of the fixed heap. */
void *cccp_holds_bytes(void *block);

/* For those who call them by these names, and where `-include` brought the C library's declarations first; otherwise these
 * serve. */
#if defined(CCCP_HEAP_PROTOTYPES) || defined(_STDLIB_H) || defined(_STRING_H) || defined(_STDIO_H) || defined(_SYS_MMAN_H)
void *cccp_malloc(__SIZE_TYPE__ size);
void *cccp_calloc(__SIZE_TYPE__ count, __SIZE_TYPE__ size);
void *cccp_realloc(void *block, __SIZE_TYPE__ size);
void *cccp_reallocarray(void *block, __SIZE_TYPE__ count, __SIZE_TYPE__ size);
void cccp_free(void *block);
int cccp_posix_memalign(void **place, __SIZE_TYPE__ alignment, __SIZE_TYPE__ size);
void *cccp_aligned_alloc(__SIZE_TYPE__ alignment, __SIZE_TYPE__ size);
void *cccp_memalign(__SIZE_TYPE__ alignment, __SIZE_TYPE__ size);
void *cccp_valloc(__SIZE_TYPE__ size);
/* what the program asked for: a checkpoint holds no more */
__SIZE_TYPE__ cccp_malloc_usable_size(void *block);
char *cccp_strdup(const char *text);
char *cccp_strndup(const char *text, __SIZE_TYPE__ most);
char *cccp_realpath(const char *path, char *into);
struct _IO_FILE; /* FILE */
long cccp_getline(char **line, __SIZE_TYPE__ *length, struct _IO_FILE *stream);
long cccp_getdelim(char **line, __SIZE_TYPE__ *length, int delimiter, struct _IO_FILE *stream);
/* of POSIX and Linux: what the program maps for itself alone is a block, all else is left to them */
void *cccp_mmap(void *address, __SIZE_TYPE__ length, int protection, int flags, int file, long offset);
int cccp_munmap(void *address, __SIZE_TYPE__ length);
void *cccp_mremap(void *address, __SIZE_TYPE__ length, __SIZE_TYPE__ new_length, int flags, ...);
/* of FFTW: memory that is aligned for it */
void *cccp_fftw_malloc(__SIZE_TYPE__ size);
void *cccp_fftw_alloc_real(__SIZE_TYPE__ count);
void *cccp_fftw_alloc_complex(__SIZE_TYPE__ count);
void cccp_fftw_free(void *block);
void *cccp_fftwf_malloc(__SIZE_TYPE__ size);
void *cccp_fftwf_alloc_real(__SIZE_TYPE__ count);
void *cccp_fftwf_alloc_complex(__SIZE_TYPE__ count);
void cccp_fftwf_free(void *block);
void *cccp_fftwl_malloc(__SIZE_TYPE__ size);
void *cccp_fftwl_alloc_real(__SIZE_TYPE__ count);
void *cccp_fftwl_alloc_complex(__SIZE_TYPE__ count);
void cccp_fftwl_free(void *block);
#ifdef __GNUC__
int cccp_vasprintf(char **text, const char *format, __builtin_va_list arguments);
#endif
#endif
#ifdef CCCP_HEAP
#define CCCP_HEAP_malloc
#define CCCP_HEAP_calloc
#define CCCP_HEAP_realloc
#define CCCP_HEAP_free
#endif

#ifdef CCCP_HEAP_malloc
#define malloc cccp_malloc
#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wattributes" /* __attribute__((malloc)) has become an unknown one */
#endif
#endif
#ifdef CCCP_HEAP_calloc
#define calloc cccp_calloc
#endif
#ifdef CCCP_HEAP_realloc
#define realloc cccp_realloc
#endif
#ifdef CCCP_HEAP_free
#define free cccp_free
#endif
#ifdef CCCP_HEAP_reallocarray
#define reallocarray cccp_reallocarray
#endif
#ifdef CCCP_HEAP_posix_memalign
#define posix_memalign cccp_posix_memalign
#endif
#ifdef CCCP_HEAP_aligned_alloc
#define aligned_alloc cccp_aligned_alloc
#endif
#ifdef CCCP_HEAP_memalign
#define memalign cccp_memalign
#endif
#ifdef CCCP_HEAP_valloc
#define valloc cccp_valloc
#endif
#ifdef CCCP_HEAP_mmap
#if CCCP_HEAP_mmap + 0 == 2 && __SIZEOF_LONG__ == 8
#define CCCP_HEAP_JOINED(name, level) name##level
#define CCCP_HEAP_HERE(name, level) CCCP_HEAP_JOINED(name, level)
#define cccp_mmap_0 cccp_mmap
#define mmap CCCP_HEAP_HERE(cccp_mmap_, __INCLUDE_LEVEL__)
#ifndef CCCP_HEAP_PROTOTYPES /* the declaration of the C library does not become this one */
void *cccp_mmap(void *address, __SIZE_TYPE__ length, int protection, int flags, int file, long offset);
#endif
#elif CCCP_HEAP_mmap + 0 != 2
#define mmap cccp_mmap
#endif
#endif
#if defined(CCCP_HEAP_mmap64) && __SIZEOF_LONG__ == 8 /* otherwise its offsets are wider */
#define mmap64 cccp_mmap
#endif
#ifdef CCCP_HEAP_munmap
#define munmap cccp_munmap
#endif
#ifdef CCCP_HEAP_mremap
#define mremap cccp_mremap
#endif
#ifdef CCCP_HEAP_malloc_usable_size
#define malloc_usable_size cccp_malloc_usable_size
#endif
#ifdef CCCP_HEAP_strdup
#define strdup cccp_strdup
#endif
#ifdef CCCP_HEAP_strndup
#define strndup cccp_strndup
#endif
#ifdef CCCP_HEAP_realpath
#define realpath cccp_realpath
#endif
#ifdef CCCP_HEAP_getline
#define getline cccp_getline
#endif
#ifdef CCCP_HEAP_getdelim
#define getdelim cccp_getdelim
#endif
#if defined(CCCP_HEAP_getline) || defined(CCCP_HEAP_getdelim)
#define __getdelim cccp_getdelim /* what the GNU C library makes of getline */
#endif
/* What gcc and clang know without a declaration; cccp-pp defines CCCP_HEAP_UNDECLARED_<name> where a file has none. */
#if defined(CCCP_HEAP___builtin_malloc) || defined(CCCP_HEAP_UNDECLARED_malloc)
void *cccp_malloc(__SIZE_TYPE__ size);
#endif
#ifdef CCCP_HEAP___builtin_malloc
#define __builtin_malloc cccp_malloc
#endif
#if defined(CCCP_HEAP___builtin_calloc) || defined(CCCP_HEAP_UNDECLARED_calloc)
void *cccp_calloc(__SIZE_TYPE__ count, __SIZE_TYPE__ size);
#endif
#ifdef CCCP_HEAP___builtin_calloc
#define __builtin_calloc cccp_calloc
#endif
#if defined(CCCP_HEAP___builtin_realloc) || defined(CCCP_HEAP_UNDECLARED_realloc)
void *cccp_realloc(void *block, __SIZE_TYPE__ size);
#endif
#ifdef CCCP_HEAP___builtin_realloc
#define __builtin_realloc cccp_realloc
#endif
#if defined(CCCP_HEAP___builtin_free) || defined(CCCP_HEAP_UNDECLARED_free)
void cccp_free(void *block);
#endif
#ifdef CCCP_HEAP___builtin_free
#define __builtin_free cccp_free
#endif
#if defined(CCCP_HEAP___builtin_strdup) || defined(CCCP_HEAP_UNDECLARED_strdup)
char *cccp_strdup(const char *text);
#endif
#ifdef CCCP_HEAP___builtin_strdup
#define __builtin_strdup cccp_strdup
#endif
#if defined(CCCP_HEAP___builtin_strndup) || defined(CCCP_HEAP_UNDECLARED_strndup)
char *cccp_strndup(const char *text, __SIZE_TYPE__ most);
#endif
#ifdef CCCP_HEAP___builtin_strndup
#define __builtin_strndup cccp_strndup
#endif
#ifdef CCCP_HEAP_UNDECLARED_aligned_alloc
void *cccp_aligned_alloc(__SIZE_TYPE__ alignment, __SIZE_TYPE__ size);
#endif
#ifdef CCCP_HEAP_UNDECLARED_posix_memalign
int cccp_posix_memalign(void **place, __SIZE_TYPE__ alignment, __SIZE_TYPE__ size);
#endif
/* Checked variants (_FORTIFY_SOURCE) stay the C library's. */
#if defined(__GNUC__) && !(defined(_FORTIFY_SOURCE) && _FORTIFY_SOURCE > 0)
#ifdef CCCP_HEAP_vasprintf
#define vasprintf cccp_vasprintf
#endif
#ifdef CCCP_HEAP_asprintf
#define asprintf cccp_asprintf
int cccp_vasprintf(char **text, const char *format, __builtin_va_list arguments);
__attribute__((unused)) static int cccp_asprintf(char **text, const char *format, ...)
{
    __builtin_va_list arguments;
    int length;
    __builtin_va_start(arguments, format);
    length = cccp_vasprintf(text, format, arguments);
    __builtin_va_end(arguments);
    return length;
}
#endif
#endif
/* FFTW: aligned memory, which the C library can release, too. Its header makes names of `malloc` and `free`, which may be other ones here:
 * so two of them need declarations. */
#ifdef CCCP_HEAP_fftw_malloc
#define fftw_malloc cccp_fftw_malloc
void *cccp_fftw_malloc(__SIZE_TYPE__ size);
#endif
#ifdef CCCP_HEAP_fftw_alloc_real
#define fftw_alloc_real cccp_fftw_alloc_real
#endif
#ifdef CCCP_HEAP_fftw_alloc_complex
#define fftw_alloc_complex cccp_fftw_alloc_complex
#endif
#ifdef CCCP_HEAP_fftw_free
#define fftw_free cccp_fftw_free
void cccp_fftw_free(void *block);
#endif
#ifdef CCCP_HEAP_fftwf_malloc
#define fftwf_malloc cccp_fftwf_malloc
void *cccp_fftwf_malloc(__SIZE_TYPE__ size);
#endif
#ifdef CCCP_HEAP_fftwf_alloc_real
#define fftwf_alloc_real cccp_fftwf_alloc_real
#endif
#ifdef CCCP_HEAP_fftwf_alloc_complex
#define fftwf_alloc_complex cccp_fftwf_alloc_complex
#endif
#ifdef CCCP_HEAP_fftwf_free
#define fftwf_free cccp_fftwf_free
void cccp_fftwf_free(void *block);
#endif
#ifdef CCCP_HEAP_fftwl_malloc
#define fftwl_malloc cccp_fftwl_malloc
void *cccp_fftwl_malloc(__SIZE_TYPE__ size);
#endif
#ifdef CCCP_HEAP_fftwl_alloc_real
#define fftwl_alloc_real cccp_fftwl_alloc_real
#endif
#ifdef CCCP_HEAP_fftwl_alloc_complex
#define fftwl_alloc_complex cccp_fftwl_alloc_complex
#endif
#ifdef CCCP_HEAP_fftwl_free
#define fftwl_free cccp_fftwl_free
void cccp_fftwl_free(void *block);
#endif

#endif
