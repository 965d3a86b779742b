/* The same by the names that these functions have of their own: mmap64, open64, tmpfile64. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
int main(void)
{
    mkdir("dir", 0755);
    FILE *log = fopen64("log.txt", "w"), *scratch = tmpfile64();
    int raw = open64("raw.txt", O_RDWR | O_CREAT | O_TRUNC, 0600);
    char name[] = "temporary-XXXXXX";
    int temporary = mkstemp64(name);
    long size = 4096 * 4;
    double *field = mmap64(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!log || !scratch || raw < 0 || temporary < 0 || field == MAP_FAILED) return 1;
    unlink(name);
    double sum = 0; long total = 0;
    for (int i = 0; i < 10; i++) {
        for (int k = 0; k < size / 8; k++) field[k] += k * 0.5 + i;
        sum += field[i * 7];
        fseeko64(log, 0, SEEK_END);
        fprintf(log, "%d %g\n", i, sum);
        total += ftello64(log);
        fprintf(scratch, "%d ", i);
        char b[8] = "";
        if (pwrite64(raw, "abcdef", 6, i * 3) != 6 || pread64(raw, b, 3, i) != 3) return 2;
        total = total * 3 + b[1];
        if (i == 6 && ftruncate64(raw, 9)) return 3;
        lseek64(temporary, i * 5, SEEK_SET);
        dprintf(temporary, "%05d", i * i);
        struct stat64 st;
        if (fstat64(raw, &st) || stat64("log.txt", &st)) return 4;
        total += st.st_size;
        char n[40]; snprintf(n, sizeof n, "dir/%d.txt", i);
        close(open64(n, O_WRONLY | O_CREAT, 0600));
        DIR *d = opendir("dir"); struct dirent64 *e; int files = 0;
        while ((e = readdir64(d)) != NULL) files++;
        closedir(d); total += files;
        if (i == 4) { FILE *o = fopen64("log.txt", "r"); total += fgetc(o); fclose(o); }
    }
    struct stat64 st;
    if (fstat64(temporary, &st)) return 5;
    rewind(scratch);
    int n, all = 0; while (fscanf(scratch, "%d", &n) == 1) all += n;
    munmap(field, size);
    printf("%g %ld %d %ld\n", sum, total, all, (long)st.st_size);
    return 0;
}
