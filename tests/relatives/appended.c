/* Files that are closed at the checkpoint: by helper, pointer and struct; cut, linked, in a directory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>
#include <sys/stat.h>
#include <sys/uio.h>
typedef struct { FILE *f; char name[32]; } out;
static void begin(out *o, const char *n, const char *mode) { snprintf(o->name, sizeof o->name, "%s.txt", n); o->f = fopen(o->name, mode); }
static void end(out *o) { fclose(o->f); o->f = NULL; }
static FILE *(*opener)(const char *, const char *) = fopen;
int main(void)
{
    static double x[100]; double s = 0; long size = 0;
    mkdir("sub", 0755);
    for (int i = 0; i < 20; i++) {
        for (int k = 0; k < 1000; k++) s += x[k % 100] += 1.0 / (k + i + 1);
        out o; begin(&o, "a", i ? "a" : "w"); fprintf(o.f, "%d %g\n", i, s); end(&o);
        FILE *f = opener("b.txt", "a+"); fputs("x\n", f); size += ftell(f); fclose(f);
        int fd = open("c.txt", O_RDWR | O_CREAT, 0600); lseek(fd, 0, SEEK_END); dprintf(fd, "%d\n", i);
        if (i == 12) { if (ftruncate(fd, 5)) return 1; }
        close(fd);
        f = fopen("d.txt", "r+"); if (!f) f = fopen("d.txt", "w+"); fseek(f, 8 * (i % 5), SEEK_SET); fprintf(f, "%7d\n", i); fclose(f);
        fd = open("sub/e.txt", O_WRONLY | O_CREAT | O_APPEND, 0600); struct iovec v = {"yy\n", 3}; if (writev(fd, &v, 1) != 3) return 2; close(fd);
        if (i == 9) truncate("a.txt", 3);
        if (i % 6 == 5) { char n[32]; snprintf(n, sizeof n, "sub/old%d.txt", i); link("a.txt", n); unlink("a.txt"); }
        struct stat st; if (!stat("c.txt", &st)) size += st.st_size;
    }
    printf("%g %ld\n", s, size);
    return 0;
}
