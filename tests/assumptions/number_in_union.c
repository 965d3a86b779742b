// auto resumes 3 9
// assumes what is read as a number from `union value`, and something is computed from, is no part of a pointer that lies there
#include <stdio.h>
#include <stdlib.h>

enum kind { NUMBER, TEXT };
struct tagged {
    enum kind kind;
    union value {
        long number;
        const char *text;
    } value;
};

static long hash(const struct tagged *one)
{
    return one->kind == NUMBER ? one->value.number * 31 % 1009 : one->value.text[0];
}

int main(void)
{
    struct tagged *all = calloc(20, sizeof *all);
    for (int i = 0; i < 20; i++) {
        all[i].kind = i % 3 ? NUMBER : TEXT;
        if (i % 3)
            all[i].value.number = i * 77;
        else
            all[i].value.text = "text";
    }
    // Tables of names are turned into numbers before the work begins.
    long sum = 0;
    for (int i = 0; i < 20; i++) {
        sum += hash(&all[i]);
        all[i].kind = NUMBER;
        all[i].value.number = i;
    }
    for (int step = 0; step < 12; step++) {
        for (int i = 0; i < 20; i++)
            sum = (sum * 7 + hash(&all[i])) % 100003;
    }
    printf("%ld\n", sum);
    return 0;
}
