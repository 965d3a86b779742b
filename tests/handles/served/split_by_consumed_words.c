/* What the colour of a communicator is computed from is used up: it is read from words that are struck out. What all ranks compute
   together keeps them in step: a generation that one of them has finished long ago is finished by the others, too. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct environment { int groups; MPI_Comm own; };
struct words { int count; const char **word; };

static int take(struct words *words, int otherwise)
{
    int number = otherwise;
    for (int i = 0; i < words->count; i++)
        if (words->word[i]) {
            number = atoi(words->word[i]);
            words->word[i] = NULL;
        }
    return number;
}

static void split(struct environment *e, struct words *words)
{
    int rank;
    e->groups = take(words, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % e->groups, rank, &e->own);
}

static double sum(const struct environment *e, double value)
{
    double all, most;
    MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, MPI_SUM, e->own);
    MPI_Allreduce(&all, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

int main(int argc, char **argv)
{
    struct environment e;
    struct words words = { 1, malloc(sizeof *words.word) };
    double x = 0;
    int rank;
    MPI_Init(&argc, &argv);
    words.word[0] = argc > 1 ? argv[1] : "2";
    split(&e, &words);
    for (int i = 0; i < 60; i++)
        x += sum(&e, i) / e.groups;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
