/* What a library declares. */
extern int *gadget_status;
extern double gadget_scale;
extern struct gadget {
    int level;
    const double *rows;
} gadget_default;
void gadget_draw(const char *title, double *values, int n);
