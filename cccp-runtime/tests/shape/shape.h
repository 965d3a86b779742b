/*
 * shape.h - the shape that cccp-pp gives to a function, as macros, so that a case says only what is its own.
 *
 * A function has its blocks in an enum-like order from 1, a struct `cccp_s` with the copies of its variables that the
 * library knows, and a label cccp_N per block. LOAD and PUBLISH are functions of the case.
 */
#ifndef SHAPE_H
#define SHAPE_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cccp.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* A parameter or a recorded local: its place in a struct. */
#define VALUE(record, member, kind) {#member, &cccp_type_##kind, offsetof(struct record, member), 0}

/* An item; nothing is known of it before its directive runs. */
#define ITEM(name, line, flags) {name, line, flags, 0, 0, 0, 0, 0, 0}

/* The entry of a function: `descriptor` is its cccp_function. */
#define ENTER(descriptor, the_arguments, the_counters) \
    cccp_frame cccp_f; \
    cccp_f.function = &(descriptor); \
    cccp_f.caller = cccp_calling; \
    cccp_calling = 0; \
    cccp_f.arguments = (the_arguments); \
    cccp_f.instances = (the_counters); \
    cccp_f.trace = 0; \
    cccp_f.block = 0

#define CALL_BEGIN(number) \
    do { \
        cccp_f.block = (number); \
        cccp_f.callee = 0; \
        cccp_calling = &cccp_f; \
    } while (0)

#define CALL_END() \
    do { \
        cccp_f.block = 0; \
        cccp_calling = 0; \
        if (cccp_f.trace) \
            cccp_call_end(&cccp_f); \
        if (cccp_replaying) \
            goto cccp_dispatch; \
    } while (0)

#define REPLAYED() \
    do { \
        if (cccp_replaying) \
            goto cccp_dispatch; \
    } while (0)

/* Where every frame ends up that has nothing more to do on the way. */
#define LOST() \
    do { \
        fprintf(stderr, "%s: no such block\n", __func__); \
        exit(9); \
    } while (0)

#endif
