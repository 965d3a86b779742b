/* refused: It is unknown to which rank this goes | messages cannot be counted in the run, because of `zkernel_` | if `zkernel_` does not communicate, give the file that defines it, or say what it does in a file for `--catalog` */
#include <stdio.h>
#include <stdlib.h>

typedef struct communicator *MPI_Comm;
typedef struct datatype *MPI_Datatype;
typedef struct status { int source; } MPI_Status;
static MPI_Comm world;
static MPI_Datatype number;
int MPI_Init(int *argc, char ***argv);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf, int recvcount,
                 MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status);
double zkernel_(double x);
int MPI_Finalize(void);

struct exchange { int left, right; double out[8], in[8]; };

int main(int argc, char **argv)
{
    int rank, size;
    double sum = 0;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    struct exchange *one = malloc(sizeof *one);
    one->left = (rank + size - 1) % size;
    one->right = (rank + 1) % size;
    for (int i = 0; i < 8; i++)
        one->out[i] = rank + i;
    for (int step = 0; step < 1000; step++) {
        MPI_Sendrecv(one->out, 8, number, one->right, 0, one->in, 8, number, one->left, 0, world, &status);
        for (int i = 0; i < 8; i++) {
            one->out[i] = 0.5 * one->out[i] + one->in[7 - i];
            sum += zkernel_(one->out[i]);
        }
    }
    printf("%g\n", sum);
    free(one);
    MPI_Finalize();
    return 0;
}
