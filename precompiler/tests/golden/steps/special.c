/* Statement expressions, assembly, gotos, directives, volatile and private variables. */
void *malloc(unsigned long);
void free(void *);
int g;
volatile int flag;
static _Thread_local int own;

int statements(int n, int *p)
{
    int a = ({ int t = n; if (t) g = t; else t = g; t + 1; });
    int b = ({ int s = 0; for (int i = 0; i < n; i++) s += p[i]; s; });
    g = ({ if (n) return a; 5; });
    return b;
}

int jumps(int n)
{
    static void *where[] = { &&one, &&two };
    goto *where[n];
one:
    __asm__("nop" : "=r"(n) : "r"(g));
two:
    switch (n) {
    case 1: g = 2;
    default: flag = n;
    }
    own = n;
    return n;
}

static void drop(int **p) { free(*p); }

int cleaned(int n)
{
    __attribute__((cleanup(drop))) int *p = malloc(n);
    if (n)
        return *p;
    g = 1;
    return 0;
}

double threads(int n, double *a)
{
    int i, j = 0;
    double t, sum = 0;
#pragma omp parallel for private(t) reduction(+:sum) num_threads(g) shared(a, n)
    for (i = 0; i < n; i++) {
        t = a[i];
        sum += t;
        j = i;
    }
    return sum + i + j;
}

double extents(int n, double a[n][g])
{
    double (*b)[n] = (double (*)[n])a;
    return b[1][2] + sizeof(int[g]) + _Generic(a[0][0], double: n, default: g);
}

int main(int argc, char **argv)
{
    double *u = 0;
    int n = argc;
#pragma cccp register(u[n], argc)
#pragma cccp init
    for (;;) {
#pragma cccp checkpoint every(n) if(g > 1)
        u[n] = g;
        if (argv[0]) break;
    }
    return 0;
}
