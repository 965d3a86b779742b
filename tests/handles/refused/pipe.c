/* refused: cannot restore `ends` | what `pipe` gave: that is good for this process only */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    long sum = 0;
    if (pipe(ends))
        return 1;
    for (int i = 0; i < 12; i++) {
        int last = 0;
        if (write(ends[1], &i, sizeof i) < 0 || (i && read(ends[0], &last, sizeof last) < 0))
            return 1;
        sum = sum * 3 + last;
    }
    printf("%ld\n", sum);
    return 0;
}
