/* A constant in a header. */
#define RATE 0.25
