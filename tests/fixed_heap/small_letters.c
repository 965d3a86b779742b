/* Words are made of small letters as the inline `tolower` of <ctype.h> does it, by a table of the C library: what is read there is a
   number, so that the words and what the same function allocates for other data hold no pointer into the library. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
    char *text;
    struct word *next;
};

static void *aligned(size_t size)
{
    union {
        void *pointer;
        unsigned long number;
    } place;
    place.pointer = malloc(size + 16);
    place.number += 15;
    place.number &= ~15ul;
    return place.pointer;
}

static int small(int c)
{
    return c >= -128 && c < 256 ? (*__ctype_tolower_loc())[c] : c;
}

static struct word *added(struct word *first, const char *text)
{
    struct word *word = aligned(sizeof *word);
    word->text = aligned(strlen(text) + 1);
    strcpy(word->text, text);
    for (char *at = word->text; *at != '\0'; at++)
        *at = (char)small(*at);
    word->next = first;
    return word;
}

int main(void)
{
    enum { ROWS = 8, STEPS = 60 };
    struct word *first = NULL;
    double **rows = aligned(ROWS * sizeof *rows), sum = 0;
    for (int i = 0; i < ROWS; i++) {
        rows[i] = aligned(ROWS * sizeof **rows);
        for (int k = 0; k < ROWS; k++)
            rows[i][k] = i * k;
    }
    first = added(added(added(first, "-Solver"), "GMRES"), "-MaxIter");
    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i < ROWS; i++)
            for (int k = 0; k < ROWS; k++)
                sum += rows[i][k] = 0.5 * rows[i][k] + step;
        for (struct word *word = first; word != NULL; word = word->next) {
            size_t length = strlen(word->text);
            char *at = &word->text[step % length];
            sum += *at;
            *at = (char)(step % 3 ? small('A' + (*at + step) % 26) : 'A' + step % 26);
        }
    }
    printf("%.17g", sum);
    for (; first != NULL; first = first->next)
        printf(" %s", first->text);
    printf("\n");
    return 0;
}
