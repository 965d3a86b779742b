/* Declarations that say nothing of parameters: the first call tells. */
void old();
int (*pointer)(double *);
void local(char *line, int n, struct opaque *o)
{
    extern void declared_inside(struct opaque *handle, char **lines);
    long numbers[4];
    declared_inside(o, &line);
    old(numbers, line, n);
    (*old)(numbers, line, n);
    pointer(0);
}
