/* refused: cannot restore `plugin` | what `dlopen` gave */
#include <dlfcn.h>
#include <stdio.h>

static void *plugin;

static void *load(const char *name) { return dlopen(name, RTLD_NOW); }

int main(void)
{
    double sum = 0;
    plugin = load("libm.so.6");
    for (int i = 0; i < 12; i++) {
        double (*f)(double) = (double (*)(double))dlsym(plugin, i % 2 ? "cos" : "sin");
        sum += f(i);
    }
    printf("%.17g\n", sum);
    dlclose(plugin);
    return 0;
}
