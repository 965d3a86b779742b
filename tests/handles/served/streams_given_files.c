/* Standard streams get other files: input in a function that `main` begins with, errors where the loop goes on to the next part, output as
 * an option says that is never given, and a stream that a pointer chooses. */
#include <stdio.h>

static int read_from(const char *from)
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

int main(int argc, char **argv)
{
    double sum = 0, next;
    int count = 0;
    char part[32];
    FILE *log = argc > 8 ? fopen(argv[8], "w") : stderr;

    if (read_from("numbers.txt") != 0 || (argc > 9 && freopen(argv[9], "w", stdout) == NULL))
        return 1;
    while (scanf("%lf", &next) == 1) {
        if (count % 5 == 1) {
            snprintf(part, sizeof part, "part-%d.txt", count);
            if (freopen(part, "w", log) == NULL)
                return 1;
        }
        for (int k = 1; k < 1000; k++)
            sum += next / (k + sum);
        if (count > 0)
            fprintf(log, "%d %.17g\n", count, sum);
        count++;
    }
    printf("%d %.17g\n", count, sum);
    return 0;
}
