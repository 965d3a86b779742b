/* The handles that every MPI has, with their names: constants of C, whatever they are in this MPI. */
#include <mpi.h>
#include <stddef.h>

#define HIDDEN __attribute__((visibility("hidden")))
#define ONE(handle) {#handle, handle}

static const struct { const char *name; MPI_Comm handle; } comms[] = {
    ONE(MPI_COMM_NULL), ONE(MPI_COMM_WORLD), ONE(MPI_COMM_SELF)
};
static const struct { const char *name; MPI_Group handle; } groups[] = {
    ONE(MPI_GROUP_NULL), ONE(MPI_GROUP_EMPTY)
};
static const struct { const char *name; MPI_Op handle; } ops[] = {
    ONE(MPI_OP_NULL), ONE(MPI_MAX), ONE(MPI_MIN), ONE(MPI_SUM), ONE(MPI_PROD), ONE(MPI_LAND), ONE(MPI_BAND), ONE(MPI_LOR),
    ONE(MPI_BOR), ONE(MPI_LXOR), ONE(MPI_BXOR), ONE(MPI_MAXLOC), ONE(MPI_MINLOC), ONE(MPI_REPLACE), ONE(MPI_NO_OP)
};
static const struct { const char *name; MPI_Request handle; } requests[] = {
    ONE(MPI_REQUEST_NULL)
};
static const struct { const char *name; MPI_Datatype handle; } types[] = {
    ONE(MPI_DATATYPE_NULL), ONE(MPI_CHAR), ONE(MPI_SIGNED_CHAR), ONE(MPI_UNSIGNED_CHAR), ONE(MPI_BYTE), ONE(MPI_WCHAR),
    ONE(MPI_SHORT), ONE(MPI_UNSIGNED_SHORT), ONE(MPI_INT), ONE(MPI_UNSIGNED), ONE(MPI_LONG), ONE(MPI_UNSIGNED_LONG),
    ONE(MPI_LONG_LONG), ONE(MPI_UNSIGNED_LONG_LONG), ONE(MPI_FLOAT), ONE(MPI_DOUBLE), ONE(MPI_LONG_DOUBLE),
    ONE(MPI_C_BOOL), ONE(MPI_INT8_T), ONE(MPI_INT16_T), ONE(MPI_INT32_T), ONE(MPI_INT64_T), ONE(MPI_UINT8_T),
    ONE(MPI_UINT16_T), ONE(MPI_UINT32_T), ONE(MPI_UINT64_T), ONE(MPI_AINT), ONE(MPI_COUNT), ONE(MPI_OFFSET),
    ONE(MPI_C_COMPLEX), ONE(MPI_C_DOUBLE_COMPLEX), ONE(MPI_C_LONG_DOUBLE_COMPLEX), ONE(MPI_FLOAT_INT),
    ONE(MPI_DOUBLE_INT), ONE(MPI_LONG_INT), ONE(MPI_2INT), ONE(MPI_SHORT_INT), ONE(MPI_LONG_DOUBLE_INT), ONE(MPI_PACKED)
};

#define ROW(function, type, all)                                                                                            \
    HIDDEN const char *function(int at, type *handle)                                                                       \
    {                                                                                                                       \
        if (at < 0 || (size_t)at >= sizeof all / sizeof *all)                                                               \
            return NULL;                                                                                                    \
        *handle = all[at].handle;                                                                                           \
        return all[at].name;                                                                                                \
    }

/* The name and the handle at a place; NULL behind the last one. */
ROW(predefined_comm_of_mpi, MPI_Comm, comms)
ROW(predefined_group_of_mpi, MPI_Group, groups)
ROW(predefined_op_of_mpi, MPI_Op, ops)
ROW(predefined_request_of_mpi, MPI_Request, requests)
ROW(predefined_type_of_mpi, MPI_Datatype, types)
