/* Of a block in the loop around the checkpoint only the latest execution runs again: what earlier ones have made is lost, unless it
   lies in the same place. */
#include <stdio.h>
#include <stdlib.h>

typedef struct datatype *MPI_Datatype;
int MPI_Type_contiguous(int count, MPI_Datatype oldtype, MPI_Datatype *newtype);
int MPI_Type_size(MPI_Datatype datatype, int *size);
int MPI_Type_free(MPI_Datatype *datatype);
extern MPI_Datatype basic;

int main(void)
{
    MPI_Datatype types[4], others[4], whole[4], one = basic;
    int sum = 0;
    char *letter = NULL;
    for (int i = 0; i < 4; i++)
        MPI_Type_contiguous(i, basic, &whole[i]);
#pragma cccp init
    int step;
#pragma cccp execute on restart
    letter = getenv("LETTERS");
#pragma cccp end execute
#pragma cccp register(step, sum)
    for (step = 0; step < 30; step++) {
        /* must: types missing; others held; whole held; one held */
#pragma cccp checkpoint
        if (step < 4) {
#pragma cccp execute on restart
            MPI_Type_contiguous(step + 1, basic, &types[step]);
            MPI_Type_contiguous(step + 2, basic, &one);
#pragma cccp end execute
#pragma cccp execute on restart each
            MPI_Type_contiguous(step + 3, basic, &others[step]);
#pragma cccp end execute
        }
        sum += *letter;
        /* It steps on once in a restart, however many passes there were. */
#pragma cccp execute on restart
        letter++;
#pragma cccp end execute
        int size;
        MPI_Type_size(types[step % 4], &size);
        sum += size;
        MPI_Type_size(others[step % 4], &size);
        sum += size;
        MPI_Type_size(whole[step % 4], &size);
        sum += size;
        MPI_Type_size(one, &size);
        sum += size;
    }
#pragma cccp shutdown
    printf("%d\n", sum);
    return 0;
}
