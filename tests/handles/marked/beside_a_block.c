/* A handle that a block makes stays the block's, with what the block has set; another one in the same struct comes back by itself. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct net {
    MPI_Comm block, own, copy;
};

int main(int argc, char **argv)
{
    static struct net net;
    struct net *far = malloc(sizeof *far);
    double u = 1, v, w;
    int it, rank, returns = 0;
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
#pragma cccp init
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma cccp execute on restart
    MPI_Comm_dup(MPI_COMM_WORLD, &net.block);
    MPI_Comm_set_errhandler(net.block, MPI_ERRORS_RETURN);
#pragma cccp end execute
    MPI_Comm_split(net.block, rank % 2, rank, &net.own);
    net.copy = net.own;
    MPI_Comm_dup(net.own, &far->own);
    MPI_Comm_set_errhandler(far->own, MPI_ERRORS_RETURN);
    far->block = far->copy = MPI_COMM_NULL;
#pragma cccp register(net, far[], it, u, rank)
    for (it = 0; it < 15; it++) {
#pragma cccp checkpoint every(1)
        MPI_Comm_get_errhandler(net.block, &handler);
        returns = handler == MPI_ERRORS_RETURN;
        MPI_Comm_get_errhandler(far->own, &handler);
        returns += handler == MPI_ERRORS_RETURN;
        MPI_Allreduce(&u, &v, 1, MPI_DOUBLE, MPI_SUM, net.block);
        MPI_Allreduce(&v, &w, 1, MPI_DOUBLE, MPI_SUM, far->own);
        MPI_Allreduce(&w, &u, 1, MPI_DOUBLE, MPI_SUM, it % 2 ? net.copy : net.own);
        u = u / 5 + it + returns + (net.copy == net.own) + (far->copy == MPI_COMM_NULL);
    }
    MPI_Reduce(&u, &v, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.17g %d\n", v, returns);
#pragma cccp shutdown
    MPI_Finalize();
    return 0;
}
