/* A library that makes its kinds known through pointers to constants. KINDS stands for another build of it. */
#include <kinds.h>
#ifndef KINDS
#define KINDS 3
#endif
static double once(double x) { return x * 1.25 + 1; }
double kind_twice(double x) { return once(once(x)) / KINDS; }
static const struct kind first = {"first", once, 1}, second = {"second", kind_twice, KINDS};
const struct kind *const kind_first = &first;
const struct kind *kind_second = &second;
const struct kind kind_named = {"named", kind_twice, 7};
const char *described(const struct kind *one) { return one->order > 1 ? "of high order" : "low"; }
static char written[16];
char *of_library(void) { return written; }
