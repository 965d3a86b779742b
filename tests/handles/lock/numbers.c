/* Numbers that are no descriptors of the program; one is that of the library's lock. */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int numbers[7], i, sum = 0;
    for (int k = 0; k < 7; k++) {
        numbers[k] = k + 3;
        close(numbers[k]);
    }
#pragma cccp init
#pragma cccp register(i, sum, file(numbers))
    for (i = 0; i < 6; i++) {
#pragma cccp checkpoint
        sum += numbers[i] * i;
    }
    printf("%d\n", sum);
#pragma cccp shutdown
    return 0;
}
