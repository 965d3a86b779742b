/* Files of MPI go on: in variables, in allocated memory, in a function that leads to the checkpoint. Nothing of them is
   repeated, and no request is under way at a checkpoint. */
#include <stdio.h>
#include <stdlib.h>

typedef struct ompi_communicator_t *MPI_Comm;
typedef struct ompi_datatype_t *MPI_Datatype;
typedef struct ompi_file_t *MPI_File;
typedef struct ompi_info_t *MPI_Info;
typedef struct ompi_errhandler_t *MPI_Errhandler;
typedef struct ompi_request_t *MPI_Request;
typedef struct ompi_status_t MPI_Status;
typedef long MPI_Offset;
extern struct ompi_communicator_t ompi_mpi_comm_world;
#define MPI_COMM_WORLD ((MPI_Comm)&ompi_mpi_comm_world)
static MPI_Datatype number;
static MPI_Info none;
static MPI_Errhandler fatal;
int MPI_Init(int *argc, char ***argv);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_File_open(MPI_Comm comm, const char *filename, int amode, MPI_Info info, MPI_File *fh);
int MPI_File_set_view(MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype, const char *datarep,
                      MPI_Info info);
int MPI_File_set_errhandler(MPI_File file, MPI_Errhandler errhandler);
int MPI_File_write_all(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status);
int MPI_File_iwrite_at(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype,
                       MPI_Request *request);
int MPI_Wait(MPI_Request *request, MPI_Status *status);
int MPI_File_close(MPI_File *fh);
int MPI_Finalize(void);

static double run(MPI_File own, int rank)
{
    double u[100] = {0};
    for (int step = 0; step < 1000; step++) { /* before: checkpoint */
        for (int i = 0; i < 100; i++)
            u[i] = 0.5 * u[i] + rank + i;
        MPI_File_write_all(own, u, 100, number, 0);
    }
    return u[99];
}

int main(int argc, char **argv)
{
    int rank;
    double x;
    MPI_File *own = malloc(sizeof *own), other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "own", 5, none, own);
    MPI_File_set_errhandler(*own, fatal);
    MPI_File_set_view(*own, 0, number, number, "native", none);
    x = run(*own, rank);
    MPI_File_close(own);
    free(own);
    MPI_File_open(MPI_COMM_WORLD, "other", 5, none, &other);
    MPI_Request request;
    MPI_File_iwrite_at(other, 0, &x, 1, number, &request);
    for (int step = 1; step < 1000; step++) {
        double y = x;
        for (int i = 0; i < 100; i++)
            y = 0.5 * y + rank + i;
        MPI_Wait(&request, 0);
        x = y; /* before: checkpoint */
        MPI_File_iwrite_at(other, step, &x, 1, number, &request);
    }
    MPI_Wait(&request, 0);
    MPI_File_close(&other);
    printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
