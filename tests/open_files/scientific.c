/* Files of HDF5 and netCDF that every step opens to change them, and closes again; made before `init` and in the loop. */
#include <stdio.h>
#include <stdlib.h>

typedef long hid_t;
hid_t H5Fcreate(const char *name, unsigned flags, hid_t creation, hid_t access);
hid_t H5Fopen(const char *name, unsigned flags, hid_t access);
int H5Aread(hid_t file, hid_t type, void *value);
int H5Awrite(hid_t file, hid_t type, const void *value);
int H5Fclose(hid_t file);
int nc_create(const char *name, int mode, int *id);
int nc_open(const char *name, int mode, int *id);
int nc_get_var_int(int id, int variable, int *value);
int nc_put_var_int(int id, int variable, const int *value);
int nc_close(int id);

static int records(const char *name, unsigned flags, int step)
{
    int count = -1;
    hid_t file = flags & 2 ? H5Fcreate(name, flags, 0, 0) : H5Fopen(name, flags, 0);
    if (file < 0 || H5Aread(file, 0, &count) < 0 || flags && H5Awrite(file, 0, &step) < 0)
        exit(1);
    H5Fclose(file);
    return count;
}

int main(void)
{
    double x = 1;
    int id, count, sum = 0;
    records("early.txt", 2, 7);
    if (nc_create("series.txt", 0, &id) != 0 || nc_close(id) != 0)
        return 1;
#pragma cccp init
    for (int step = 0; step < 24; step++) {
#pragma cccp register(x, sum, step)
#pragma cccp checkpoint
        char name[32];
        for (int k = 0; k < 2000; k++)
            x = x * 1.0000001 + 0.5;
        sum = sum * 3 % 10007 + records("early.txt", 1, step);
        if (nc_open("series.txt", 1, &id) != 0 || nc_get_var_int(id, 0, &count) != 0 || nc_put_var_int(id, 0, &step) != 0)
            return 1;
        nc_close(id);
        sum = sum * 3 % 10007 + count;
        snprintf(name, sizeof name, "step%d.txt", step / 5);
        records(name, step % 5 == 0 ? 2 : 1, step);
    }
#pragma cccp shutdown
    printf("%.17g %d %d\n", x, sum, records("early.txt", 0, 0));
    return 0;
}
