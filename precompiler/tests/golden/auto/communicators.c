/* An array of communicators in allocated memory is made again with them: it is no data. */
#include <stdio.h>
#include <stdlib.h>

typedef struct communicator *MPI_Comm;
typedef struct datatype *MPI_Datatype;
typedef struct op *MPI_Op;
static MPI_Comm world;
static MPI_Datatype number;
static MPI_Op sum;
int MPI_Init(int *argc, char ***argv);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm);
int MPI_Comm_free(MPI_Comm *comm);
int MPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int MPI_Finalize(void);

int main(int argc, char **argv)
{
    int rank, levels = argc + 2;
    double x;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    MPI_Comm *groups = malloc(levels * sizeof *groups); /* before: execute on restart */
    for (int level = 0; level < levels; level++) {
        MPI_Comm_split(world, rank >> level, rank, &groups[level]); /* before: execute on restart */
    }
    x = rank;
    for (int step = 0; step < 1000; step++) { /* before: checkpoint messages(counted) */
        for (int level = 0; level < levels; level++) {
            double all;
            MPI_Allreduce(&x, &all, 1, number, sum, groups[level]);
            x = 0.3 * x + 0.1 * all;
        }
    }
    printf("%g\n", x);
    for (int level = 0; level < levels; level++)
        MPI_Comm_free(&groups[level]);
    free(groups);
    MPI_Finalize();
    return 0;
}
