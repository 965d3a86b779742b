/* Numbers of GMP: in structs on a list, in an array that grows, in locals that an argument leads to, one that stays empty for long, and a
 * text that GMP allocates. */
#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>

struct term {
    mpz_t p, q;
    mpq_t sum;
    struct term *next;
};

struct row {
    mpz_t *terms;
    int count;
    mpz_t empty;
    char *text;
};

static void step(struct term *one, unsigned long k, mpz_ptr scratch)
{
    mpz_mul_ui(one->p, one->p, k);
    mpz_add(one->q, one->q, one->p);
    mpz_fdiv_q_ui(scratch, one->q, 3);
    mpz_powm_ui(scratch, scratch, 5, one->p);
    mpq_set_ui(one->sum, k, k + 1);
    mpq_canonicalize(one->sum);
    mpz_swap(one->p, one->q);
    mpz_mod_ui(scratch, scratch, 1000003);
    mpz_add(one->p, one->p, scratch);
}

static void grow(struct row *row, unsigned long k)
{
    row->terms = realloc(row->terms, (row->count + 1) * sizeof *row->terms);
    mpz_init_set_ui(row->terms[row->count], k);
    for (int i = 0; i < row->count; i++) {
        mpz_mul_ui(row->terms[i], row->terms[i], k + i);
        mpz_add(row->terms[i], row->terms[i], row->terms[row->count]);
    }
    row->count++;
    free(row->text);
    row->text = mpz_get_str(NULL, 10, row->terms[0]);
    if (k == 25)
        mpz_set(row->empty, row->terms[2]);
}

int main(void)
{
    static struct row row;
    struct term *list = NULL;
    mpz_t scratch;
    mpf_t x;
    mpz_init(row.empty);
    for (int i = 0; i < 3; i++) {
        struct term *one = malloc(sizeof *one);
        mpz_init_set_ui(one->p, 7 + i);
        mpz_init(one->q);
        mpq_init(one->sum);
        one->next = list;
        list = one;
    }
    mpz_init(scratch);
    mpf_init2(x, 256);
    mpf_set_ui(x, 2);
    for (unsigned long k = 1; k <= 30; k++) {
        for (struct term *one = list; one; one = one->next)
            step(one, k, scratch);
        grow(&row, k);
        mpf_sqrt(x, x);
        mpf_add_ui(x, x, k);
    }
    for (struct term *one = list; one; one = one->next)
        gmp_printf("%Zd %Zd %Qd\n", one->p, one->q, one->sum);
    for (int i = 0; i < row.count; i++)
        gmp_printf("%Zd\n", row.terms[i]);
    gmp_printf("%.60Ff %Zd %s\n", x, row.empty, row.text);
    return 0;
}
