#define STEPS 40
