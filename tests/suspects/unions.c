/* Unions that may hold the address of a text, of a function, of what is a library's: in the run they hold numbers, unless the
 * argument names one of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef union {
    double number;
    const char *text;
} told;
struct term {
    int kind;
    union {
        double number;
        double (*of)(double);
    } as;
};
union place {
    long number;
    char *directory;
};

static double twice(double number)
{
    return 2 * number;
}

static void name(told *one, const char *text)
{
    one->text = text;
}

int main(int count, char **words)
{
    const char *odd = count > 1 ? words[1] : "none";
    told one = {1.5};
    struct term *terms = calloc(3, sizeof *terms);
    static union place places[4];
    if (!strcmp(odd, "text"))
        name(&one, "a text");
    if (!strcmp(odd, "function")) {
        terms[1].kind = 1;
        terms[1].as.of = twice;
    }
    if (!strcmp(odd, "environment"))
        places[2].directory = getenv("PATH");
    double sum = 0;
    for (int step = 0; step < 12; step++) {
        sum += strcmp(odd, "text") ? one.number : one.text[0];
        for (int i = 0; i < 3; i++)
            sum += terms[i].kind ? terms[i].as.of(step) : terms[i].as.number++;
        sum += strcmp(odd, "environment") ? places[2].number++ : places[2].directory[0] * 0.25;
        printf("%d %g\n", step, sum);
    }
    return 0;
}
