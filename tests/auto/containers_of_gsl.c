/* Vectors, matrices, permutations and blocks of GSL: GSL allocates them, the program keeps them in locals, structs and lists, replaces and
 * frees them in the loop. */
#include <gsl/gsl_blas.h>
#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_permutation.h>
#include <gsl/gsl_vector.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 6 };

struct state {
    struct state *next;
    gsl_vector *place;
    gsl_vector_float *weights;
};

struct system {
    gsl_matrix *matrix;
    gsl_matrix *factors;
    gsl_permutation *order;
    gsl_matrix_complex *phases;
    gsl_vector_int *counts;
    gsl_block *history;
    void (*release)(gsl_matrix *);
};

static void give_back(gsl_matrix *matrix)
{
    gsl_matrix_free(matrix);
}

static struct system *start(void)
{
    const size_t n = SIZE;
    struct system *one = malloc(sizeof *one);
    one->matrix = gsl_matrix_alloc(n, n);
    one->factors = gsl_matrix_calloc(n, n);
    one->order = gsl_permutation_calloc(n);
    one->phases = gsl_matrix_complex_calloc(2, 3);
    one->counts = gsl_vector_int_calloc(n);
    one->history = gsl_block_calloc(n);
    one->release = give_back;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            gsl_matrix_set(one->matrix, i, j, i == j ? 4.0 + (double)i : 1.0 / (double)(1 + i + j));
    return one;
}

int main(void)
{
    const size_t n = SIZE;
    struct system *system = start();
    struct state *states = NULL;
    gsl_vector *right = gsl_vector_alloc(n);
    gsl_vector *solution = gsl_vector_calloc(n);
    int sign = 0;
    gsl_vector_set_all(right, 1.0);
    for (int step = 1; step <= 30; step++) {
        gsl_matrix *other = gsl_matrix_alloc(n, n);
        gsl_matrix_memcpy(other, system->matrix);
        gsl_matrix_scale(other, 1.0 + 0.01 * step);
        system->release(system->factors);
        system->factors = other;
        gsl_linalg_LU_decomp(system->factors, system->order, &sign);
        gsl_linalg_LU_solve(system->factors, system->order, right, solution);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                gsl_vector_set(right, i, gsl_vector_get(right, i) + gsl_matrix_get(system->matrix, j, i) * gsl_vector_get(solution, j));
        gsl_vector_scale(right, 0.5);
        gsl_vector_int_set(system->counts, (size_t)step % n, step + sign);
        gsl_matrix_complex_set(system->phases, 1, (size_t)step % 3, gsl_complex_polar(step, 0.1 * step));
        system->history->data[(size_t)step % n] += gsl_blas_dasum(solution);
        if (step % 4 == 0) {
            struct state *one = malloc(sizeof *one);
            one->place = gsl_vector_alloc(n);
            gsl_vector_memcpy(one->place, solution);
            one->weights = gsl_vector_float_calloc(2);
            gsl_vector_float_set(one->weights, 1, (float)step);
            one->next = states;
            states = one;
        }
        if (step % 10 == 9 && states) {
            struct state *first = states;
            states = first->next;
            gsl_vector_free(first->place);
            gsl_vector_float_free(first->weights);
            free(first);
        }
    }
    for (struct state *one = states; one; one = one->next)
        printf("%.17g %g\n", gsl_vector_get(one->place, 2), gsl_vector_float_get(one->weights, 1));
    for (size_t i = 0; i < n; i++)
        printf("%.17g %.17g %d %zu %.17g\n", gsl_vector_get(right, i), gsl_matrix_get(system->factors, i, i),
               gsl_vector_int_get(system->counts, i), gsl_permutation_get(system->order, i), system->history->data[i]);
    for (size_t j = 0; j < 3; j++)
        printf("%.17g\n", gsl_complex_abs(gsl_matrix_complex_get(system->phases, 1, j)));
    gsl_matrix_free(system->matrix);
    gsl_matrix_free(system->factors);
    gsl_permutation_free(system->order);
    gsl_matrix_complex_free(system->phases);
    gsl_vector_int_free(system->counts);
    gsl_block_free(system->history);
    gsl_vector_free(right);
    gsl_vector_free(solution);
    free(system);
    return 0;
}
