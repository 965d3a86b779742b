/* Several statements in one line get blocks of their own, one after the other. */
#include <stdio.h>

typedef struct communicator *MPI_Comm;
typedef struct datatype *MPI_Datatype;
typedef struct op *MPI_Op;
static MPI_Comm world;
static MPI_Datatype number;
static MPI_Op sum;
int MPI_Init(int *argc, char ***argv);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Dims_create(int nnodes, int ndims, int dims[]);
int MPI_Cart_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[], int reorder, MPI_Comm *comm_cart);
int MPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int MPI_Finalize(void);

struct topology { MPI_Comm cart; int dims[2], rank, size; };

static void set_up(struct topology *t)
{
    int periods[2] = {1, 0};
    MPI_Comm_size(world, &t->size); t->dims[0] = t->dims[1] = 0; MPI_Dims_create(t->size, 2, t->dims); /* before: execute on restart */
    MPI_Cart_create(world, 2, t->dims, periods, 1, &t->cart); /* before: execute on restart */
    MPI_Comm_rank(t->cart, &t->rank);
}

int main(int argc, char **argv)
{
    struct topology t;
    double x, all;
    MPI_Init(&argc, &argv);
    set_up(&t);
    x = t.rank;
    for (int step = 0; step < 1000; step++) { /* before: register(x, step) checkpoint */
        MPI_Allreduce(&x, &all, 1, number, sum, t.cart);
        x = 0.5 * all + 1;
    }
    printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
