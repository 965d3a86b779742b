/* What a datatype says to be numbers brings no pointers: members beside the buffers stay what they are. */
#include <stdio.h>
#include <stdlib.h>

typedef struct communicator *MPI_Comm;
typedef struct datatype *MPI_Datatype;
typedef struct op *MPI_Op;
extern MPI_Comm world;
extern MPI_Datatype MPI_INT;
extern MPI_Op sum;
int MPI_Init(int *argc, char ***argv);
int MPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int MPI_Finalize(void);

struct state {
    long index[4];
    int passed, all;
    int *keys, *sorted;
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct state *state = malloc(sizeof *state);
    state->keys = malloc(100 * sizeof *state->keys);
    state->sorted = malloc(100 * sizeof *state->sorted);
    state->passed = state->all = 0;
    for (int i = 0; i < 4; i++)
        state->index[i] = 3 * i;
    for (int i = 0; i < 100; i++)
        state->keys[i] = state->sorted[i] = i;
    for (int step = 0; step < 1000; step++) { /* before: register(follow(state), step) checkpoint */
        state->keys[state->index[step % 4]] += state->all;
        state->sorted[step % 100] = state->keys[step % 90];
        state->passed++;
        MPI_Allreduce(&state->passed, &state->all, 1, MPI_INT, sum, world);
    }
    printf("%d %d %ld\n", state->all, state->sorted[7], state->index[2]);
    MPI_Finalize();
    return 0;
}
