/* The address of a variable is no number: a call that gives one for the other does not happen. */

static int first, second;
static int *of_c = &first, *of_both = &second;

static int looks(int **where, int index)
{
    int found = **where;            /* must: where → of_c */  /* should: where ↛ of_both */
    return found + index;
}

static int looks_not(int **where, int index)
{
    (void)index;
    return **where;                 /* must: where → of_c, of_both */
}

static int run(int (*function)(int **, int), int is_fortran)
{
    int index = 1;
    if (is_fortran)
        return ((int (*)(void *, void *))function)(&of_both, &index);
    return function(&of_c, index);
}

int main(int argc, char **argv)
{
    return run(looks, argc > 5) + run(looks_not, argc > 5);
}
