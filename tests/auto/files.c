/* Files that are read and written step by step, random numbers, and what libraries keep: the locale, a handler. */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static volatile sig_atomic_t asked;
static FILE *journal;

static void on_signal(int number)
{
    (void)number;
    asked = 1;
}

static void note(int step, double value)
{
    if (step % 7 == 0)
        fprintf(journal, "%d %.17g\n", step, value);
}

int main(void)
{
    double value, sum = 0.0;
    int step = 0;
    FILE *numbers = fopen("numbers.txt", "w");

    if (numbers == NULL)
        return 1;
    for (int i = 0; i < 500; i++)
        fprintf(numbers, "%d.%d\n", i * 37 % 101, i % 10);
    fclose(numbers);

    signal(SIGUSR1, on_signal);
    setlocale(LC_NUMERIC, "C");
    srand(7);
    journal = fopen("journal.txt", "w");
    numbers = fopen("numbers.txt", "r");
    if (journal == NULL || numbers == NULL)
        return 1;
    while (!asked && fscanf(numbers, "%lf", &value) == 1) {
        sum = 0.75 * sum + value * (rand() % 5);
        note(++step, sum);
    }
    fclose(numbers);
    fclose(journal);
    printf("%d %.17g\n", step, sum);
    return 0;
}
