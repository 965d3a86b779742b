/* A pointer that is registered when a block sets it points to the memory of its register again when all blocks have run: what blocks
   have made of it keeps other memory. A register behind the block keeps the memory that is there. */
#include <stdio.h>
#include <stdlib.h>

static char *early, *late;
int putenv(char *text);

int main(void)
{
#pragma cccp init
    int sum = 0, step;
#pragma cccp register(early[16])
#pragma cccp execute on restart
    early = malloc(16);
    late = malloc(16);
    sprintf(early, "A=1");
    sprintf(late, "B=1");
    putenv(early);
    putenv(late);
#pragma cccp end execute
#pragma cccp register(late[16], sum, step)
    for (step = 0; step < 30; step++) {
#pragma cccp checkpoint
        sum += getenv("A")[0] + getenv("B")[0] + early[0] + late[0];
    }
    printf("%d\n", sum);
#pragma cccp shutdown
    return 0;
}
