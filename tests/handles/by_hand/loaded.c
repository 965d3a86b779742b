/* refused: `all.library` holds what `dlopen` gave, which is gone after a restart
   | `f` holds what `dlsym` gave, which is gone after a restart */
#include <dlfcn.h>
#include <stdio.h>

typedef double (*function)(double);

struct loaded { void *library; int count; };

static void load(struct loaded *all)
{
    all->library = dlopen("libm.so.6", RTLD_NOW);
    all->count = 1;
}

int main(void)
{
    struct loaded all;
    function f;
    double sum = 0;
    int i;
#pragma cccp init
#ifdef CURED
#pragma cccp execute on restart
    load(&all);
    f = (function)dlsym(all.library, "cos");
#pragma cccp end execute
#pragma cccp register(i, sum)
#else
    load(&all);
    f = (function)dlsym(all.library, "cos");
#pragma cccp register(i, sum, all, f)
#endif
    for (i = 0; i < 12; i++) {
#pragma cccp checkpoint
        sum += f(i) + all.count;
    }
    printf("%.17g\n", sum);
    dlclose(all.library);
#pragma cccp shutdown
    return 0;
}
