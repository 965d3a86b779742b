/* A long list whose nodes many threads allocate, and on each rank another one: with MPI and with OpenMP when they are
 * there. The number of nodes is the argument. */
#include <stdio.h>
#include <stdlib.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

struct node {
    long key;
    struct node *next, *before;
};

int main(int argc, char **argv)
{
    struct node *head = NULL, **all;
    long count = argc > 1 ? atol(argv[1]) : 1000, sum = 0;
    int step, rank = 0;
#ifdef WITH_MPI
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
#pragma cccp init
#pragma cccp register(step, sum)
    all = malloc(count * sizeof *all);
#pragma omp parallel for
    for (long i = 0; i < count; i++) {
        free(malloc(24));
        all[i] = malloc(sizeof **all);
        all[i]->key = i + rank;
    }
    for (long i = 0; i < count; i++) {
        all[i]->next = head;
        all[i]->before = i > 1 ? all[i / 2] : NULL;
        head = all[i];
    }
    free(all);
#pragma cccp register(follow(head))
    for (step = 0; step < 4; step++) {
        long length = 0;
        for (struct node *at = head; at != NULL; at = at->next) {
            sum += at->key + (at->before != NULL ? at->before->key : 0);
            at->key ^= length++;
        }
        if (length != count)
            return 1;
#pragma cccp checkpoint
    }
#ifdef WITH_MPI
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
#endif
    if (rank == 0)
        printf("%ld\n", sum);
#pragma cccp shutdown
    while (head != NULL) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
#ifdef WITH_MPI
    MPI_Finalize();
#endif
    return 0;
}
