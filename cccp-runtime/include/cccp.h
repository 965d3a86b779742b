/*
 * cccp.h - the C interface of libcccp, and its manual.
 *
 * Two kinds of users read this file:
 *
 *   1. People who call the library by hand (part 1, names in capitals: CCCP_...).
 *      They register variables, take checkpoints and restore the program after a
 *      restart with a few jumps of their own.
 *   2. The precompiler cccp-pp, which turns `#pragma cccp` directives into the
 *      calls of part 2 (names in small letters: cccp_...). They are not written by
 *      hand; they are documented because precompiled files are meant to be read.
 *
 * It includes nothing but parts of itself (cccp_heap.h, cccp_opens.h, cccp_libraries.h and, where they are wanted, cccp_files.h,
 * cccp_messages.h and cccp_handles.h), so it may stand before everything else in a file.
 * It compiles alone as C99, C11 and C++.
 */
#ifndef CCCP_H
#define CCCP_H

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------- *
 * Part 0: types. A checkpoint knows the shape of everything it holds.
 * ------------------------------------------------------------------------- */

/* A count of elements, an extent, an offset in elements. */
typedef unsigned long long cccp_count;

/* What a scalar is. The numbers are part of the interface, not of the file format. */
enum cccp_kind {
    CCCP_KIND_BOOL = 1,
    CCCP_KIND_CHAR = 2,      /* plain char: text or small numbers */
    CCCP_KIND_SCHAR = 3,
    CCCP_KIND_UCHAR = 4,
    CCCP_KIND_SHORT = 5,
    CCCP_KIND_USHORT = 6,
    CCCP_KIND_INT = 7,       /* also signed enum types */
    CCCP_KIND_UINT = 8,      /* also unsigned enum types */
    CCCP_KIND_LONG = 9,
    CCCP_KIND_ULONG = 10,
    CCCP_KIND_LLONG = 11,
    CCCP_KIND_ULLONG = 12,
    CCCP_KIND_FLOAT = 13,
    CCCP_KIND_DOUBLE = 14,
    CCCP_KIND_LDOUBLE = 15,
    CCCP_KIND_CFLOAT = 16,   /* float _Complex */
    CCCP_KIND_CDOUBLE = 17,
    CCCP_KIND_CLDOUBLE = 18,
    CCCP_KIND_POINTER = 19,  /* to an object */
    CCCP_KIND_FUNCTION = 20, /* pointer to a function, saved by name */
    CCCP_KIND_STRUCT = 21,
    CCCP_KIND_BYTES = 22,    /* a union, or memory whose shape is unknown: copied, never converted */
    CCCP_KIND_HANDLE = 23,   /* MPI_Comm: see cccp_handles.h, or made anew by execute-on-restart; MPI_Request: none on restart */
    CCCP_KIND_STREAM = 24,   /* FILE *: restored open, see CCCP_STREAM; MPI_File, under that name: see cccp_files.h */
    CCCP_KIND_OPTIONAL = 25  /* a handle of a library that the run need not have made: NULL at each checkpoint */
};

struct cccp_member;

/* A type. `size` is sizeof in this program; `name` is how C spells it. */
typedef struct cccp_type {
    int kind;                           /* enum cccp_kind */
    int member_count;                   /* CCCP_KIND_STRUCT; a CCCP_KIND_POINTER may have one member without a name, whose
                                           type is what it points to, or members called "block": it points to nothing but
                                           blocks that hold one element (count 1) or any number (count 0) of their types.
                                           Otherwise 0 */
    unsigned long size;                 /* bytes */
    const char *name;                   /* "double", "struct particle", ... */
    const struct cccp_member *members;  /* as many; otherwise NULL */
} cccp_type;

/* A member of a struct. */
typedef struct cccp_member {
    const char *name;
    const cccp_type *type;   /* of one element */
    unsigned long offset;    /* bytes from the start of the struct; 0 for a bit-field */
    cccp_count count;        /* elements: 1, or the product of the extents of an array; 0 for a flexible array */
    const void *mask;        /* bit-field: an object of the struct type in which exactly the bits of this
                                member are ones; NULL for every other member */
} cccp_member;

extern const cccp_type cccp_type_bool, cccp_type_char, cccp_type_schar, cccp_type_uchar, cccp_type_short,
    cccp_type_ushort, cccp_type_int, cccp_type_uint, cccp_type_long, cccp_type_ulong, cccp_type_llong,
    cccp_type_ullong, cccp_type_float, cccp_type_double, cccp_type_ldouble, cccp_type_cfloat,
    cccp_type_cdouble, cccp_type_cldouble, cccp_type_pointer, cccp_type_function, cccp_type_stream;

/* ------------------------------------------------------------------------- *
 * Part 1: by hand. See samples/by-hand for a whole program.
 *
 *     CCCP_Init(&argc, &argv);
 *     CCCP_Register(&step, 1, CCCP_INT, "step");
 *     CCCP_Register(u, n, CCCP_DOUBLE, "u");
 *     if (CCCP_Jump_next()) goto resume;
 *     for (step = 0; step < steps; step++) {
 *         ...
 *     resume:
 *         CCCP_Do_checkpoint(1);
 *     }
 *     CCCP_Shutdown();
 *
 * All functions return CCCP_OK (0) or one of the codes below, and print one line on standard error when it is
 * not CCCP_OK. What makes a restart impossible (a damaged file without an older one, another program, another
 * number of ranks) stops the program with exit status 75 and an explanation, and so does another run in the same
 * directory.
 * ------------------------------------------------------------------------- */

/* When: without any setting a checkpoint is due by time, the first one when its cost can be afforded at 1 % of the run time
 * or after a minute, then as its measured cost and the failures of earlier runs say. The setting `every` counts calls,
 * `interval` seconds. SIGUSR1 asks for one at the next call, SIGTERM for one behind which the run ends with this exit status,
 * and so does the end of the batch job; the same command resumes the run. Handlers of the program are called, too; functions of
 * atexit are not, because this is not the end of the program. SIGUSR2 is answered on standard error with how far the run is, unless the
 * program has a handler for it. With the GNU C library libcccp defines sigaction and signal, which do what the C library's
 * do, so that a handler that is installed later does not take the place of the library's. */
#define CCCP_EXIT_CHECKPOINTED 85

#define CCCP_OK 0
#define CCCP_ERROR_ARGUMENT 1 /* a NULL, an empty name, a type that cannot be saved */
#define CCCP_ERROR_STATE 2    /* not initialised, already shut down */
#define CCCP_ERROR_STORAGE 3  /* the checkpoint could not be written; the old one is kept, the run continues */
#define CCCP_ERROR_INTERNAL 4 /* a defect of the library, caught at its edge */

#define CCCP_BOOL (&cccp_type_bool)
#define CCCP_CHAR (&cccp_type_char)
#define CCCP_SCHAR (&cccp_type_schar)
#define CCCP_UCHAR (&cccp_type_uchar)
#define CCCP_SHORT (&cccp_type_short)
#define CCCP_USHORT (&cccp_type_ushort)
#define CCCP_INT (&cccp_type_int)
#define CCCP_UINT (&cccp_type_uint)
#define CCCP_LONG (&cccp_type_long)
#define CCCP_ULONG (&cccp_type_ulong)
#define CCCP_LLONG (&cccp_type_llong)
#define CCCP_ULLONG (&cccp_type_ullong)
#define CCCP_FLOAT (&cccp_type_float)
#define CCCP_DOUBLE (&cccp_type_double)
#define CCCP_LDOUBLE (&cccp_type_ldouble)
#define CCCP_CFLOAT (&cccp_type_cfloat)
#define CCCP_CDOUBLE (&cccp_type_cdouble)
#define CCCP_CLDOUBLE (&cccp_type_cldouble)
#define CCCP_POINTER (&cccp_type_pointer)

/* A `FILE *`. A stream that is registered is restored open on the same file: a checkpoint flushes it and notes path,
 * access and place; a restart opens the file as it is, cuts off what was written after the checkpoint, goes to the place,
 * and puts the new stream where the old one was, so that output files end as those of an undisturbed run.
 *   - NULL stays NULL; stdin, stdout and stderr are themselves, with the file that freopen has given them. Two pointers to one
 *     stream are so again.
 *   - A file that was below the working directory is looked for there first: a run can be moved with its files.
 *   - Before anything is changed every rank looks at its files. One that is missing, of another kind or shorter than at the
 *     checkpoint stops the restart. One that is only read and has changed is reported.
 *   - A pipe, a socket and a terminal cannot be restored: the checkpoint warns, and a restart leaves a pointer whose use
 *     stops the program, unless a block opened another stream there. The number of such a descriptor (CCCP_ITEM_FILE)
 *     would be used all the same: the first checkpoint stops the run.
 *   - A file that was removed while it is open (`tmpfile`, `unlink`) is kept in the checkpoint with all its bytes, and a
 *     restart makes one without a name. The setting removed_files says how long it may be; a longer one stops the first
 *     checkpoint. Who has the same open file has it again (`dup`); who has opened the same file has the same file.
 *   - What was overwritten in place after the checkpoint (`r+`, `w+`) stays overwritten: only what was appended is
 *     undone. Without a buffer, or with one for a line, it is so again; buffers have the size that the C library gives.
 *   - Where several ranks write to one file, it is cut off behind what any of them had at its checkpoint.
 *   - An `MPI_File` is restored in the same way, on all ranks that had it open: cccp_files.h has the rules.
 *   - Set the pointer to NULL, or unregister it, when the stream is closed: the checkpoint warns of a pointer to a closed
 *     stream, and C libraries other than GNU's do not tell such a one for certain. */
#define CCCP_STREAM (&cccp_type_stream)

/* Starts the library: reads the settings (--cccp-... words are removed from argc/argv), looks for a published
 * checkpoint of this program and decides between a fresh start and a restart. Both arguments may be NULL. */
int CCCP_Init(int *argc, char ***argv);

/* Registers `count` elements of `type` at `address`. While a restart is in progress the memory is filled from
 * the checkpoint before the call returns. A name that is registered again replaces the old register. */
int CCCP_Register(void *address, cccp_count count, const cccp_type *type, const char *name);

/* Ends a register. An unknown name is CCCP_ERROR_ARGUMENT. */
int CCCP_Unregister(const char *name);

/* A checkpoint, if one is due, at the place with the number `site` (1, 2, ... chosen by the program, one per place in the text).
 * While a restart is in progress nothing is written: at the site where the checkpoint was taken the restart
 * ends, provided that everything in it has been registered again; at any other site the call returns. */
int CCCP_Do_checkpoint(int site);

/* While a restart is in progress: the site of the checkpoint that the program has to reach. Otherwise 0. */
int CCCP_Jump_next(void);

/* Waits for writes in flight and marks the run complete: the next run starts fresh. Registered memory may be gone by then: the
 * setting `final` reads only what is certain to be there, variables and what lies on the stack of the caller. */
int CCCP_Shutdown(void);

/* ------------------------------------------------------------------------- *
 * Part 2: what cccp-pp emits.
 *
 * A client function (one that contains or reaches a directive) has a *frame* per activation. Its *blocks* are
 * numbered from 1 in the order of the text: init, register, execute, call (of a client function), region (a
 * declaration that must be executed to be entered, such as that of a variable-length array), checkpoint and
 * parallel (a parallel region of OpenMP with blocks in it; in it each thread has a frame of its own).
 * What ran on the way is the *trace*; on restart cccp_next() says, frame by frame, which block is due.
 * ------------------------------------------------------------------------- */

enum cccp_block_kind {
    CCCP_BLOCK_INIT = 1,
    CCCP_BLOCK_REGISTER = 2,
    CCCP_BLOCK_EXECUTE = 3,
    CCCP_BLOCK_CALL = 4,
    CCCP_BLOCK_REGION = 5,
    CCCP_BLOCK_CHECKPOINT = 6,
    CCCP_BLOCK_PARALLEL = 7,
    CCCP_BLOCK_EXECUTE_EACH = 8 /* execute, and no execution supersedes an earlier one */
};

/* A scalar (or struct) that the trace keeps: a parameter of a function, or a local that a block reads. It lives
 * at `offset` in the record that is handed over. */
typedef struct cccp_value {
    const char *name;
    const cccp_type *type;
    unsigned long offset;
    int flags; /* CCCP_VALUE_... */
} cccp_value;

/* The value is read by a block, so that even a call that has returned needs it on restart; by nobody after one. */
#define CCCP_VALUE_READ_BY_BLOCKS 1
#define CCCP_VALUE_UNREAD 2

/* A loop that contains blocks. */
typedef struct cccp_loop {
    int parent;   /* number (from 1) of the enclosing loop that contains blocks; 0 = none */
    int counter;  /* index into cccp_frame.instances of the counter that is incremented each time the loop is
                     entered; -1 for a loop that is entered once per activation */
    int prunable; /* no checkpoint can follow the end of this loop: superseded executions may be forgotten */
} cccp_loop;

typedef struct cccp_block {
    int kind;                 /* enum cccp_block_kind */
    int line;                 /* in the user's file */
    int loop;                 /* number (from 1) of the innermost loop around it; 0 = none */
    int region;               /* number of the innermost REGION block it lies in; 0 = none */
    const char *name;         /* CALL: the callee, or NULL through a pointer; CHECKPOINT: name(...) or NULL */
    int value_count;          /* EXECUTE, REGION: the locals it reads */
    const cccp_value *values;
    unsigned long record_size;   /* bytes of the record with these values */
    unsigned long long passed;   /* CALL: bit k is set when argument k is evaluated anew on restart */
    const char *ranks;           /* CHECKPOINT: the numbers of ranks with which it is taken, "1-4, 8, even"; NULL: all */
    const char *threads;         /* CHECKPOINT: why a restart has the number of threads of OpenMP that is saved, a sentence; "": it may
                                    have another one; NULL: that is not known */
} cccp_block;

/* A number of elements. */
typedef struct cccp_extent {
    const char *text; /* as the user wrote it */
    cccp_count value; /* when it is a constant */
    int constant;
} cccp_extent;

/* What a register directive names. Type and extents stand here too, so that a restart can compare them with those
 * of the checkpoint before anything runs. */
typedef struct cccp_item {
    const char *name; /* as the user wrote it, without extents: "u", "s->f" */
    int line;
    int flags;                  /* CCCP_ITEM_... */
    int block;                  /* the REGISTER block it belongs to; 0 = to none (cccp_reside), or not said */
    const cccp_type *type;      /* of one element; NULL = not said */
    int rank;                   /* how many extents it has */
    int sized;                  /* the extents are handed over on restart too */
    const cccp_extent *extents; /* rank + 1 of them: the elements skipped at the start, then the extents in row-major
                                   order; NULL = not said */
    cccp_count holds;           /* how many elements the object has, or CCCP_HOLDS_BLOCK; 0 = not said */
} cccp_item;

/* BEHIND only: the pointer is NULL or points to the beginning of a block of allocated memory. At each checkpoint the library
 * compares the item with its length, as far as the C library knows it. */
#define CCCP_HOLDS_BLOCK (~0ull)

/* The item is the memory behind a pointer; the address handed over is that of the pointer. Otherwise the item is
 * the object at the address handed over. */
#define CCCP_ITEM_BEHIND 1
/* The object is a local (automatic) object of the function: the register ends with the activation. With INDIRECT: only a
 * local pointer points to it that nothing in the function sets on a restart, and no other item keeps. */
#define CCCP_ITEM_LOCAL 2
/* BEHIND only: the pointer itself is a local of the function. When the activation ends, the register stays with
 * the address that the pointer had last. */
#define CCCP_ITEM_LOCAL_POINTER 4
/* The object lies in memory that a pointer points to (s->f, p[3].x, a flexible array member): it is found again
 * through that pointer and belongs to the same allocation. */
#define CCCP_ITEM_INDIRECT 8
/* In checkpoints only: no item of the program, but what the library keeps for it. */
#define CCCP_ITEM_LIBRARY 16
/* Registers that the library makes of allocated blocks: their elements, one block after the other. Such blocks have the
 * type of the pointers to them. Never the flag of an item. */
#define CCCP_ITEM_HEAP 32
/* The object is a pointer, and the allocated block that it points to at a checkpoint belongs to it (`p[]`). */
#define CCCP_ITEM_WHOLE 64
/* Everything that can be reached from the object through pointers belongs to it (`follow(x)`): every allocated block on
 * the way becomes part of the checkpoint. All pointers on the way say what they point to. */
#define CCCP_ITEM_FOLLOW 128
/* Registers that say how many elements each block of the next register has. Never the flag of an item. */
#define CCCP_ITEM_BLOCKS 256
/* The object is an integer, or integers, with descriptors of open files: `file(fd)`. They are restored open as streams are (see
 * CCCP_STREAM), under the same numbers; one that is taken by then stops the restart. 0, 1 and 2 are themselves,
 * negative numbers are no files. */
#define CCCP_ITEM_FILE 512

/* One more flag of items, in no checkpoint. LOCAL_POINTER only: nothing in the function sets the pointer on a restart. What it
 * holds there is what was on the stack before, and points to no memory of the program. */
#define CCCP_UNSET_POINTER 1024

/* A function whose address the program takes: pointers to it are saved by name. */
typedef struct cccp_function_name {
    const char *name;
    void (*address)(void);
} cccp_function_name;

typedef struct cccp_function {
    const char *name;
    const char *file;
    int line;
    unsigned long long fingerprint; /* of the blocks, items and parameters; another one means another program */
    int block_count, loop_count, item_count, parameter_count, name_count, counter_count;
    const cccp_block *blocks;
    const cccp_loop *loops;
    const cccp_item *items;
    const cccp_value *parameters;
    unsigned long arguments_size;   /* bytes of the record with the parameters */
    const cccp_function_name *names;
} cccp_function;

/* A static object of a function that is an item from `init` on, whether the function is called or not. */
typedef struct cccp_resident {
    const cccp_function *function;
    int item;     /* from 0; its extents are constants */
    void *object;
} cccp_resident;

/* What stands before a pointer to a resident: the linker puts those of a file into one row, and keeps them. */
#if defined __GNUC__ && defined __has_attribute
#if __has_attribute(retain)
#define CCCP_RESIDENT __attribute__((section("cccp_residents"), used, retain))
#endif
#endif
#if defined __GNUC__ && !defined CCCP_RESIDENT
#define CCCP_RESIDENT __attribute__((section("cccp_residents"), used))
#endif

typedef void cccp_code(void);

/* One activation. Lives on the stack of the program. */
typedef struct cccp_frame {
    const cccp_function *function;
    struct cccp_frame *caller; /* NULL: called from code that was not precompiled, or main */
    void *arguments;           /* copies of the parameters as they were at entry */
    unsigned long *instances;  /* the loop counters, function->counter_count of them; may be NULL */
    void *trace;               /* the library's; NULL while nothing is on the way */
    int block;                 /* the CALL block in progress, otherwise 0 */
    cccp_code *callee;         /* what it calls, where that may be a function without a frame; otherwise NULL */
} cccp_frame;

/* Makes the client functions of a file known, before main: the pointers from `first` up to `end`. What is announced
 * can be compared with a checkpoint before anything runs; what is not, is compared when it is called. */
void cccp_announce(const cccp_function *const *first, const cccp_function *const *end);

/* The same for the residents of a file. They are registered when the library starts, and a restart gives them their
 * values before anything else runs; those of a library that is loaded later are registered then. */
void cccp_reside(const cccp_resident *const *first, const cccp_resident *const *end);

/* A restart is in progress: control goes from block to block. */
extern int cccp_replaying;
/* Non-zero when the next checkpoint call has to ask the library: time has passed, or a signal has come. */
extern volatile int cccp_due;
/* How many checkpoints the program has passed, wherever they stand. */
extern volatile unsigned long long cccp_calls;
/* How often the program has met a loop or a condition around a checkpoint, or around a call that may lead to one, a condition that jumps
 * over one, and a checkpoint that comes behind another one. At checkpoints
 * of the same number it is the same on all ranks; where it is not, they passed checkpoints unequally often, and are at different
 * moments. Counted by programs with MPI whose messages are not counted. */
extern unsigned long long cccp_turns;
/* A checkpoint in the text. The program counts its calls, and asks when there are as many as `look`, or when cccp_due is set:
 *     if ((++cccp_calls, (++place.calls >= place.look) | cccp_due) && cccp_tick(&place, every)) ...
 * so that a checkpoint in the innermost loop costs two additions and a branch. */
typedef struct cccp_place {
    unsigned long calls, look;
} cccp_place;
/* The frame that is about to call a client function, otherwise NULL. Taken by the callee at its entry. */
#ifdef CCCP_PARALLEL
#define cccp_calling cccp_thread.calling
#else
extern cccp_frame *cccp_calling;
#endif
/* The caller of `function` at its entry: cccp_calling, unless that frame called something else, which has no frame and calls back. */
#define CCCP_CALLER(function) \
    (cccp_calling && (!cccp_calling->callee || cccp_calling->callee == (function)) ? cccp_calling : 0)

/* Programs with checkpoints in parallel regions of OpenMP define CCCP_PARALLEL in all of their files. Then every thread counts for
 * itself, and a checkpoint is
 *     if (((int)(++cccp_thread.passed >= cccp_thread.stop) | (int)(++place.calls >= place.look) | (int)(place.region != cccp_thread.region)
 *          | cccp_due) && cccp_pass(&cccp_f, block, &place, every, &cccp_thread)) ...
 * where `place` belongs to one thread. All threads of a team come to the same one: at the n-th that they pass in the region. */
typedef struct cccp_thread_state {
    cccp_frame *calling;          /* as cccp_calling */
    volatile unsigned long passed; /* checkpoints that this thread has passed in the region, or outside of all */
    volatile unsigned long stop;  /* the library is asked when as many were passed */
    unsigned long region;         /* the number of the region that was entered last */
    int number;                   /* of the thread in its team */
    volatile int place;           /* the block of the barrier or lock that it came to last, the frame of that, and its function */
    cccp_frame *volatile frame;
    const cccp_function *volatile function;
    volatile unsigned long barriers;   /* to how many it has come in the region */
    volatile unsigned long constructs; /* how many it has begun that hand out work once, to whichever thread comes */
    unsigned long singles;        /* of these, how many by cccp_single */
    unsigned long saved;          /* not 0: it has gone on behind cccp_save, and its checkpoint may not be taken yet */
    volatile unsigned long waits; /* not 0: it waits for a lock at that place */
} cccp_thread_state;
typedef struct cccp_thread_place {
    unsigned long calls, look, region;
} cccp_thread_place;
/* A parallel region in progress. Lives on the stack of the thread that enters it. */
typedef struct cccp_team {
    cccp_frame *outer;  /* the activation that the region stands in */
    int again;          /* a restart enters the region */
    int threads;        /* of the team, when `again` */
    volatile unsigned long singles; /* how many `single` constructs are given to a thread, in a region inside of another one */
} cccp_team;
#ifdef CCCP_PARALLEL
#ifdef __cplusplus
extern thread_local cccp_thread_state cccp_thread;
#else
__thread cccp_thread_state cccp_thread __attribute__((weak));
#endif
#endif
/* A PARALLEL block: before the region; on restart, in place of that, at its label. */
void cccp_team_begin(cccp_team *team, cccp_frame *outer, int block);
void cccp_team_again(cccp_team *team, cccp_frame *outer, int block);
/* How many threads the region gets: on restart as many as it had, otherwise what OpenMP is set to. */
int cccp_team_threads(const cccp_team *team);
/* First in the region: the frame and the counters of this thread (`count` of them) become those of the activation around.
   Gives its number in the team. */
int cccp_team_join(cccp_team *team, cccp_frame *frame, cccp_thread_state *thread, unsigned long *instances, int count);
/* Last in the region. */
void cccp_team_leave(cccp_team *team, cccp_frame *frame, cccp_thread_state *thread);
/* Behind the region. */
void cccp_team_end(cccp_team *team, cccp_thread_state *thread);
/* Between cccp_team_begin or cccp_team_again and the region: its threads may come to checkpoints unequally often. Then a checkpoint
 * that is due is taken by each thread at its next checkpoint, or before the next barrier, which is a CHECKPOINT block, too. */
void cccp_team_line(cccp_team *team);
/* Before a barrier. */
void cccp_barrier(cccp_frame *frame, int block, cccp_thread_state *thread);
/* Before a statement that takes a lock, which is a CHECKPOINT block, too: a checkpoint that is due is taken there. Where a thread may
 * hold a lock of OpenMP at a checkpoint, all files call cccp_omp_set_lock instead of omp_set_lock, and so on: the library notes who
 * holds which, and a restart lets the same threads take them again. A thread that waits there for one stands before it. In programs with
 * a fixed heap they call cccp_omp_init_lock, cccp_pthread_mutex_init, and so on, too: checkpoints find the locks there that are held,
 * and a restart initialises those of OpenMP again. */
void cccp_lock(cccp_frame *frame, int block, cccp_thread_state *thread);
/* In the place of `single`: whether this thread executes it. In the place of `masked`: whether it is the one of that number. */
int cccp_single(cccp_thread_state *thread);
int cccp_masked(int number);
/* The library is asked at a checkpoint: whether to take it. */
int cccp_pass(cccp_frame *frame, int block, cccp_thread_place *place, cccp_count every, cccp_thread_state *thread);
/* In the place of cccp_checkpoint, where the thread has something to do behind it that changes nothing which the checkpoint saves.
 * With the setting `protocol = nonblocking` it need not wait there for the other threads, and comes to cccp_await before anything
 * else:
 *     if (cccp_thread.saved) cccp_await(&cccp_thread); */
void cccp_save(cccp_frame *frame, int block, cccp_thread_state *thread);
void cccp_await(cccp_thread_state *thread);

/* No directive names the floating-point environment, the blocked signals, errno, and the timers of alarm and setitimer: checkpoints
 * hold them, in a region of OpenMP all but timers for each thread. No directive changes errno. While a
 * checkpoint is taken, and while a restart gives registers their values, signals wait, so that no handler sees values that are half
 * old and half new. A signal that arrives earlier in a restart runs its handler; one that was blocked and waiting at the checkpoint
 * is lost. Timers of timer_create are not restored. */

/* Before init: the program uses these generators of the C library. Every checkpoint holds their state, and after a
 * restart they continue with the numbers of an undisturbed run; no directive names them. Programs that call the library
 * by hand may say it, too. Generators whose state is the program's own (rand_r, erand48) need nothing but a register. */
#define CCCP_GENERATORS_RANDOM 1  /* rand, srand, random, srandom, initstate, setstate; with the GNU C library only */
#define CCCP_GENERATORS_DRAND48 2 /* drand48, lrand48, mrand48, srand48, seed48, lcong48 */
void cccp_generators(int families);

/* Before init: nothing that the program does before init depends on the number of threads of OpenMP. A restart that would have
 * another number of them than the run that wrote the checkpoint then sets that number itself; otherwise it stops. */
void cccp_threads_later(void);

/* Before init: a number of what a file of the program says, comments and lines aside. Every checkpoint holds the sum of all files,
 * so that a restart can tell that a constant has changed. */
void cccp_text(unsigned long long number);

/* Values that may be something else than their type says: each checkpoint looks at them, and is not taken when one of them is.
 * What a program never sets must not look like one: blocks that it allocates, and registered locals, are zero at first. */
typedef struct cccp_suspect {
    const char *type;   /* a struct or union by its name, else a kind of scalar: `long` */
    const char *member; /* of the struct, or the variable of this kind; NULL: all of it, or all of the kind; "": all of the
                         * kind behind pointers */
    int what;           /* CCCP_SUSPECT_… */
} cccp_suspect;
#define CCCP_SUSPECT_NUMBER 1  /* numbers, bytes, arrays of short numbers or unions that may hold a pointer */
#define CCCP_SUSPECT_POINTER 2 /* a pointer to what may be memory of a library, or a number */
#define CCCP_SUSPECT_BEFORE 3  /* a pointer that may lie before its memory, where that of something else ends */
void cccp_suspects(const cccp_suspect *first, cccp_count count);

/* Before the program allocates anything: its blocks come from the fixed heap (`init heap(fixed)`), and lie at the same addresses
 * in every process of it; so do the words of the command line. Every file that allocates or gives back memory has CCCP_HEAP_<name>
 * for what it calls (cccp_heap.h). */
void cccp_fixed_heap(int count, char **words);
/* First in `main` of such a program, if it shall have its stack at the same addresses in every process, too: calls `main` again there
 * and gives 1, with what it returned; on that stack it gives 0: `int r; if (cccp_fixed_stack((cccp_code *)main, &r)) return r;` */
int cccp_fixed_stack(cccp_code *code, int *result);

/* Starts the library from the directive `init`. `frame` is the activation in which it stands. */
void cccp_init(cccp_frame *frame, int block, int *argc, char ***argv);
/* The same for an MPI program (libcccp_mpi only). `communicator` points to an MPI_Comm; NULL is MPI_COMM_WORLD. */
void cccp_init_mpi(cccp_frame *frame, int block, int *argc, char ***argv, const void *communicator);
/* Only libcccp_mpi has it: where an MPI program is linked with libcccp, its name is the linker's message. */
extern const char cccp_an_MPI_program_needs_libcccp_mpi_instead_of_libcccp;
#define cccp_init_mpi(frame, block, argc, argv, communicator) \
    ((void)*(const volatile char *)&cccp_an_MPI_program_needs_libcccp_mpi_instead_of_libcccp, \
     (cccp_init_mpi)(frame, block, argc, argv, communicator))

/* The next block of this activation during a restart: 1 ... block_count, or 0 when the activation had returned. */
int cccp_next(cccp_frame *frame);

/* A REGISTER block begins; one cccp_register per item follows. */
void cccp_register_begin(cccp_frame *frame, int block);
/* Item number `item` (from 0). `rank` extents of `type` in row-major order; `first` elements are skipped at the
 * start (`p[lo:n]`). A rank of 0 is a single object. During a restart `extents` is NULL where they
 * are not known yet, and an extent is -1 that alone is not; those of the checkpoint are taken, others that are handed over are a difference that stops the
 * restart, and the item has its value when the call returns. */
void cccp_register(cccp_frame *frame, int item, const cccp_type *type, void *address, cccp_count first, int rank,
                   const cccp_count *extents);
/* Ends the register of `name` made by this activation or, failing that, the nearest caller's or a function's that
 * has returned. */
void cccp_unregister(cccp_frame *frame, const char *name);

/* An EXECUTE or REGION block runs: the trace keeps a copy of `record` (NULL when it reads nothing). */
void cccp_execute(cccp_frame *frame, int block, const void *record);

/* In programs that define CCCP_HANDLES: the statements of an execute block begin, or with 0 end. What they make is made again by
 * them. */
void cccp_in_block(int begins);
/* During a restart: fills `record` with the values that the block due had in the original run. */
void cccp_values(cccp_frame *frame, int block, void *record);

/* During a restart: argument `parameter` (from 0) of the call due, as it was in the original run. */
void *cccp_argument(cccp_frame *frame, int parameter);
/* The same: whether that value is known: a number, or a pointer to what the restart restores. */
int cccp_has_argument(cccp_frame *frame, int parameter);
/* During a restart of a call through a pointer: the function that the original run called. */
cccp_code *cccp_target(cccp_frame *frame);
/* A call of a client function has returned; cheap when the callee left nothing on the way. */
void cccp_call_end(cccp_frame *frame);

/* Is a checkpoint to be taken at this call? `every` is the clause (0 when there is none: by time, unless the setting
 * says otherwise). Says in place->look when to ask again. */
int cccp_tick(cccp_place *place, cccp_count every);
/* Takes a checkpoint here and now. */
void cccp_checkpoint(cccp_frame *frame, int block);
/* During a restart: an execute block has not been left where the original run left it. The restart stops. */
void cccp_stray(cccp_frame *frame, int block);
/* During a restart, at the label of a checkpoint: everything registered gets its value of the checkpoint; the
 * restart ends. */
void cccp_resume(cccp_frame *frame, int block);
/* During a restart, in front of that and of calls: nothing restores this variable. With the setting poison it gets values
 * that show. */
void cccp_poison(void *variable, cccp_count size);
/* Whether the restart ends in the call due: 0 for one that had returned, and is made again for what it registered. */
int cccp_ends(cccp_frame *frame);

/* The directive `shutdown`. */
void cccp_shutdown(cccp_frame *frame);

/* Part 3: allocated memory, which items such as `p[]` need to know. */
#include "cccp_heap.h"

/* Files that are opened, made, renamed and removed, before `init` above all. */
#include "cccp_opens.h"

/* Part 4: counted messages. The program counts its messages; called before main. */
void cccp_count_messages(void);
/* The same: no request is needed at any checkpoint. */
void cccp_drop_requests(void);
/* The same: the program cannot tell a complete send that there is at a checkpoint from MPI_REQUEST_NULL. */
void cccp_drop_sends(void);
/* The same: a complete send that there is at a checkpoint is complete after a restart, too. */
void cccp_remake_sends(void);
#if defined CCCP_FILES || defined CCCP_MESSAGES
#include "cccp_files.h" /* which includes cccp_messages.h when CCCP_MESSAGES is defined */
#endif

/* Part 5: handles of MPI that are made again by themselves. The program's calls that make them are noted; called before main. */
void cccp_note_handles(void);
#ifdef CCCP_HANDLES
#include "cccp_handles.h"
#endif

/* Part 6: objects of libraries that are made again by themselves. Where a function of a library is; called before main. */
void cccp_note_function(const char *name, cccp_code *function);
#include "cccp_libraries.h"
#ifdef __cplusplus
}
#endif

#endif
