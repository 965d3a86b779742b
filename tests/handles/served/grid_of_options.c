/* Loops that fill what the main loop sends yield to it, though of the main loop nobody knows where its messages go. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank_at(int px, int py, int x, int y)
{
    if (x < 0 || y < 0 || x >= px || y >= py)
        return -1;
    return y * px + x;
}

static void place_of(int rank, int px, int *x, int *y)
{
    int along = rank % (px * 1000);
    *y = along / px;
    *x = along % px > 0 ? along % px : 0;
}

int main(int argc, char **argv)
{
    int me, world, nx = 30, ny = 20, repeats = 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    int px = world, py = 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-nx") == 0) {
            if (i == argc) {
                if (me == 0)
                    fprintf(stderr, "-nx without a value\n");
                exit(-1);
            }
            nx = atoi(argv[i + 1]);
            ++i;
        } else if (strcmp(argv[i], "-ny") == 0) {
            if (i == argc) {
                if (me == 0)
                    fprintf(stderr, "-ny without a value\n");
                exit(-1);
            }
            ny = atoi(argv[i + 1]);
            ++i;
        } else if (strcmp(argv[i], "-px") == 0) {
            if (i == argc) {
                if (me == 0)
                    fprintf(stderr, "-px without a value\n");
                exit(-1);
            }
            px = atoi(argv[i + 1]);
            ++i;
        } else if (strcmp(argv[i], "-py") == 0) {
            if (i == argc) {
                if (me == 0)
                    fprintf(stderr, "-py without a value\n");
                exit(-1);
            }
            py = atoi(argv[i + 1]);
            ++i;
        } else if (strcmp(argv[i], "-repeats") == 0) {
            if (i == argc) {
                if (me == 0)
                    fprintf(stderr, "-repeats without a value\n");
                exit(-1);
            }
            repeats = atoi(argv[i + 1]);
            ++i;
        } else {
            if (me == 0)
                fprintf(stderr, "unknown option: %s\n", argv[i]);
            exit(-1);
        }
    }
    if (me == 0 && argc > 90)
        repeats++;
    if (px * py != world) {
        if (me == 0)
            fprintf(stderr, "%d x %d is not %d\n", px, py, world);
        exit(1);
    }
    int x, y;
    place_of(me, px, &x, &y);
    int right = rank_at(px, py, x + 1, y), left = rank_at(px, py, x - 1, y);
    int up = rank_at(px, py, x, y + 1), down = rank_at(px, py, x, y - 1);
    double *to_x = malloc(2 * ny * sizeof *to_x), *from_x = malloc(2 * ny * sizeof *from_x);
    double *to_z = malloc(nx * ny * sizeof *to_z);
    double *to_y = malloc(2 * nx * sizeof *to_y), *from_y = malloc(2 * nx * sizeof *from_y);
    for (int i = 0; i < 2 * ny; i++)
        to_x[i] = from_x[i] = i;
    for (int i = 0; i < nx * ny; i++)
        to_z[i] = i;
    for (int i = 0; i < 2 * nx; i++)
        to_y[i] = from_y[i] = i * 0.5;
    MPI_Request *requests = malloc(4 * sizeof *requests);
    int count = 0;
    for (int i = 0; i < repeats; ++i) {
        count = 0;
        if (right > -1) {
            MPI_Irecv(from_x, ny, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[count++]);
            MPI_Isend(to_x, ny, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[count++]);
        }
        if (left > -1) {
            MPI_Irecv(from_x + ny, ny, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[count++]);
            MPI_Isend(to_x + ny, ny, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[count++]);
        }
        MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
        count = 0;
        if (up > -1) {
            MPI_Irecv(from_y, nx, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, &requests[count++]);
            MPI_Isend(to_y, nx, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, &requests[count++]);
        }
        if (down > -1) {
            MPI_Irecv(from_y + nx, nx, MPI_DOUBLE, down, 2, MPI_COMM_WORLD, &requests[count++]);
            MPI_Isend(to_y + nx, nx, MPI_DOUBLE, down, 2, MPI_COMM_WORLD, &requests[count++]);
        }
        MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
        to_x[i % (2 * ny)] += 0.5 * from_x[(3 * i) % (2 * ny)] + me;
    }
    double sum = 0, all = 0;
    for (int i = 0; i < 2 * ny; i++)
        sum += to_x[i] * (i + 1);
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0)
        printf("%.17g %g %g\n", all, from_y[3], to_z[5]);
    MPI_Finalize();
    return 0;
}
