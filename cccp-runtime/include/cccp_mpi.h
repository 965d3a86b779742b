/*
 * cccp_mpi.h - what libcccp_mpi adds to libcccp, for programs that use MPI.
 *
 * Link libcccp_mpi instead of libcccp: it has everything that cccp.h declares, and the functions below. It belongs to
 * the MPI that it was built with. Compile with that MPI's compiler command (mpicc), and start with its mpirun.
 *
 *     MPI_Init(&argc, &argv);
 *     CCCP_Init_MPI(&argc, &argv, MPI_COMM_WORLD);
 *     CCCP_Register_MPI(u, n, MPI_DOUBLE, "u");
 *     ...
 *     CCCP_Shutdown();
 *     MPI_Finalize();
 *
 * The library never starts or ends MPI. A checkpoint needs no communication; at a restart the ranks agree on the
 * newest checkpoint that all of them have.
 *
 * Precompiled programs do not need this header: the directive `init` calls cccp_init_mpi() of cccp.h when the file
 * uses MPI.
 */
#ifndef CCCP_MPI_H
#define CCCP_MPI_H

#include "cccp.h"

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Like CCCP_Init, for all processes of `communicator` together. Call it after MPI_Init. The library keeps a duplicate
 * of the communicator, which MPI_Finalize frees. It is CCCP_ERROR_STATE when MPI is not running, or when every process
 * is a job of its own because the mpirun of another MPI has started it. */
int CCCP_Init_MPI(int *argc, char ***argv, MPI_Comm communicator);

/* Like CCCP_Register, for `count` elements of a datatype of MPI: every basic type of C, the pairs such as
 * MPI_DOUBLE_INT, and what MPI_Type_contiguous and MPI_Type_dup make of them. MPI_BYTE and MPI_PACKED are copied and
 * never converted. Any other datatype is CCCP_ERROR_ARGUMENT; register what it consists of instead. */
int CCCP_Register_MPI(void *address, cccp_count count, MPI_Datatype datatype, const char *name);

/* An `MPI_File`, for CCCP_Register: it is restored open, see cccp_files.h. */
extern const cccp_type cccp_type_mpi_file;
#define CCCP_MPI_FILE (&cccp_type_mpi_file)

/* Handles, for CCCP_Register in programs that define CCCP_HANDLES: they are made again by themselves, see cccp_handles.h. */
extern const cccp_type cccp_type_mpi_comm, cccp_type_mpi_datatype, cccp_type_mpi_group, cccp_type_mpi_op, cccp_type_mpi_request;
#define CCCP_MPI_COMM (&cccp_type_mpi_comm)
#define CCCP_MPI_DATATYPE (&cccp_type_mpi_datatype)
#define CCCP_MPI_GROUP (&cccp_type_mpi_group)
#define CCCP_MPI_OP (&cccp_type_mpi_op)
#define CCCP_MPI_REQUEST (&cccp_type_mpi_request)

#ifdef __cplusplus
}
#endif

#endif
