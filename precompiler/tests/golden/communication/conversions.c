/* Numbers of ranks in other types: operands are brought to one type before they are compared, and a narrow type holds another number. */
#include <mpi.h>

static double u[8];

/* Only rank 0 goes there: (unsigned)-1 is large. */
static void below_zero(int rank, int size)
{
    if ((unsigned)(rank - 1) >= (unsigned)size && size > 1)
        MPI_Send(u, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    u[0] += 1; /* unsafe: may not have been received */
    if (rank == 1)
        MPI_Recv(u, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    u[0] += 2; /* safe for 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 24, 27, 32 */
}

/* The conversion is one that C makes by itself. */
static void mixed(int rank, int size)
{
    unsigned ranks = size;
    if (rank - 1 >= ranks && size > 1)
        MPI_Send(u, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
    u[0] += 1; /* unsafe */
    if (rank == 1)
        MPI_Recv(u, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* 255 and one more is 0. */
static void narrow(int rank, int size)
{
    unsigned char small = rank + 255;
    if (small == 0)
        MPI_Send(u, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
    u[0] += 1; /* unsafe */
    if (rank == 0 && size > 1)
        MPI_Recv(u, 1, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void handed(unsigned char small)
{
    if (small == 0)
        MPI_Send(u, 1, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD);
}

static unsigned char given_back(int rank)
{
    return rank + 255;
}

struct flags {
    unsigned two_bits : 2;
};

/* In a bit-field as well: rank 4 is 0 there. */
static void in_bits(int rank, int size)
{
    struct flags one;
    one.two_bits = rank;
    if (one.two_bits == 0 && rank != 0)
        MPI_Send(u, 1, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD);
    u[0] += 1; /* safe for 1, 2, 3, 4 */
}

/* Two bits are an int before 1 is taken away. */
static void promoted(int rank, int size)
{
    struct flags one;
    one.two_bits = rank != 1;
    if (one.two_bits - 1 < 0)
        MPI_Send(u, 1, MPI_DOUBLE, 0, 6, MPI_COMM_WORLD);
    u[0] += 1; /* unsafe */
    if (rank == 0 && size > 1)
        MPI_Recv(u, 1, MPI_DOUBLE, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    u[0] += 1; /* safe for 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 24, 27, 32 */
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    u[0] = 1;
    below_zero(rank, size);
    mixed(rank, size);
    u[0] += 1; /* safe for 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 24, 27, 32 */
    narrow(rank, size);
    u[0] += 1; /* safe for 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 24, 27, 32 */
    handed(rank + 255);
    u[0] += 1; /* unsafe */
    if (rank == 0 && size > 1)
        MPI_Recv(u, 1, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    u[0] += 1; /* safe for 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 24, 27, 32 */
    if (given_back(rank) == 0)
        MPI_Send(u, 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD);
    u[0] += 1; /* unsafe */
    if (rank == 0 && size > 1)
        MPI_Recv(u, 1, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    u[0] += 1; /* safe for 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 24, 27, 32 */
    promoted(rank, size);
    in_bits(rank, size);
    MPI_Finalize();
    return 0;
}
