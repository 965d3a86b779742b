/* `main` begins with giving a standard stream another file: every start does that again, and `init` comes behind it. */
#include <stdio.h>

static int redirect(const char *from)
{
    FILE *numbers = fopen(from, "r");

    if (numbers == NULL) {
        numbers = fopen(from, "w");
        for (int i = 0; i < 16; i++)
            fprintf(numbers, "%d.5\n", i);
    }
    fclose(numbers);
    return freopen(from, "r", stdin) == NULL;
}

int main(void)
{
    double sum = 0, next;
    int count = 0;

    if (redirect("numbers.txt") != 0)
        return 1;
    while (scanf("%lf", &next) == 1) {
        for (int k = 1; k < 1000; k++)
            sum += next / (k + sum);
        count++;
    }
    printf("%d %.17g\n", count, sum);
    return 0;
}
