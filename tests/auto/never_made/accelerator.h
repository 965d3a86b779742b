struct accelerator;
struct accelerator *accelerator_make(int n);
void accelerator_step(struct accelerator *accelerator, double *x);
