/* As much of HDF5 and netCDF as the program next to it calls: a file is a number of values and the values, changed where it lies. */
#include <fcntl.h>
#include <unistd.h>

typedef long hid_t;

static int make(const char *name, int alone)
{
    int none = 0, file = open(name, O_RDWR | O_CREAT | (alone ? O_EXCL : O_TRUNC), 0666);
    if (file >= 0 && pwrite(file, &none, sizeof none, 0) != sizeof none)
        return -1;
    return file;
}

static int look(int file, int *value)
{
    int count;
    if (pread(file, &count, sizeof count, 0) != sizeof count)
        return -1;
    *value = count;
    return 0;
}

static int add(int file, int value)
{
    int count;
    if (look(file, &count) != 0)
        return -1;
    count++;
    pwrite(file, &value, sizeof value, count * sizeof value);
    pwrite(file, &count, sizeof count, 0);
    return 0;
}

hid_t H5Fcreate(const char *name, unsigned flags, hid_t creation, hid_t access)
{
    return creation == 0 && access == 0 ? make(name, !(flags & 2)) : -1;
}

hid_t H5Fopen(const char *name, unsigned flags, hid_t access)
{
    return access == 0 ? open(name, flags & 1 ? O_RDWR : O_RDONLY) : -1;
}

int H5Aread(hid_t file, hid_t type, void *value)
{
    return type == 0 ? look(file, value) : -1;
}

int H5Awrite(hid_t file, hid_t type, const void *value)
{
    return type == 0 ? add(file, *(const int *)value) : -1;
}

int H5Fclose(hid_t file)
{
    return close(file);
}

int nc_create(const char *name, int mode, int *id)
{
    *id = make(name, mode & 4);
    return *id < 0 ? 2 : 0;
}

int nc_open(const char *name, int mode, int *id)
{
    *id = open(name, mode & 1 ? O_RDWR : O_RDONLY);
    return *id < 0 ? 2 : 0;
}

int nc_get_var_int(int id, int variable, int *value)
{
    return variable == 0 ? look(id, value) : -1;
}

int nc_put_var_int(int id, int variable, const int *value)
{
    return variable == 0 ? add(id, *value) : -1;
}

int nc_close(int id)
{
    return close(id);
}
