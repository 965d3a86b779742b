/* Maps, files and directories, read and written where offsets have 64 bits: configure scripts ask for that. */
#define _FILE_OFFSET_BITS 64
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
    FILE *log = fopen("log.txt", "w"), *scratch = tmpfile();
    int raw = open("raw.txt", O_RDWR | O_CREAT | O_TRUNC, 0600);
    char name[] = "temporary-XXXXXX";
    int temporary = mkstemp(name);
    long size = 4096 * 4;
    double *field = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!log || !scratch || raw < 0 || temporary < 0 || field == MAP_FAILED) return 1;
    unlink(name);
    double sum = 0; long total = 0;
    for (int i = 0; i < 10; i++) {
        for (int k = 0; k < size / 8; k++) field[k] += k * 0.5 + i;
        sum += field[i * 7];
        fseeko(log, 0, SEEK_END);
        fprintf(log, "%d %g\n", i, sum);
        total += ftello(log);
        fprintf(scratch, "%d ", i);
        char b[8] = "";
        if (pwrite(raw, "abcdef", 6, i * 3) != 6 || pread(raw, b, 3, i) != 3) return 2;
        total = total * 3 + b[1];
        if (i == 6 && ftruncate(raw, 9)) return 3;
        lseek(temporary, i * 5, SEEK_SET);
        dprintf(temporary, "%05d", i * i);
        struct stat st;
        if (fstat(raw, &st) || stat("log.txt", &st)) return 4;
        total += st.st_size;
        char n[40]; snprintf(n, sizeof n, "dir/%d.txt", i);
        close(open(n, O_WRONLY | O_CREAT, 0600));
        DIR *d = opendir("dir"); struct dirent *e; int files = 0;
        while ((e = readdir(d)) != NULL) files++;
        closedir(d); total += files;
        if (i == 4) { FILE *o = fopen("log.txt", "r"); total += fgetc(o); fclose(o); }
    }
    struct stat st;
    if (fstat(temporary, &st)) return 5;
    rewind(scratch);
    int n, all = 0; while (fscanf(scratch, "%d", &n) == 1) all += n;
    munmap(field, size);
    printf("%g %ld %d %ld\n", sum, total, all, (long)st.st_size);
    return 0;
}
