/* Of macros_of_allocators.c and its other file. */
#ifndef free
#define free release
#endif
#define calloc(n, size) cleared((n) * (size))

extern long released;
void release(void *block);
void *cleared(unsigned long n);
