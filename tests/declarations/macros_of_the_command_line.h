#define name "first of all"
#define constructor 2
#define flags(count) ((count) + 4)
