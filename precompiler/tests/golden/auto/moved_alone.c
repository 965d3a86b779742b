/* A shared pointer that each rank moves for itself cannot come back. */
/* refused: the shared pointer that `MPI_File_write_shared` moves | use `MPI_File_write_ordered` */
#include <stdio.h>

typedef struct ompi_communicator_t *MPI_Comm;
typedef struct ompi_datatype_t *MPI_Datatype;
typedef struct ompi_file_t *MPI_File;
typedef struct ompi_info_t *MPI_Info;
typedef struct ompi_status_t MPI_Status;
extern struct ompi_communicator_t ompi_mpi_comm_world;
#define MPI_COMM_WORLD ((MPI_Comm)&ompi_mpi_comm_world)
static MPI_Datatype number;
static MPI_Info none;
int MPI_Init(int *argc, char ***argv);
int MPI_File_open(MPI_Comm comm, const char *filename, int amode, MPI_Info info, MPI_File *fh);
int MPI_File_write_shared(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status);
int MPI_File_close(MPI_File *fh);
int MPI_Finalize(void);

int main(int argc, char **argv)
{
    double x = 0;
    MPI_File log;
    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_WORLD, "log", 5, none, &log);
    for (int step = 0; step < 1000; step++) {
        for (int i = 0; i < 100; i++)
            x = 0.5 * x + i;
        MPI_File_write_shared(log, &x, 1, number, 0);
    }
    MPI_File_close(&log);
    MPI_Finalize();
    return 0;
}
