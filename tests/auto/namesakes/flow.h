void flow_begin(int cells);
void flow_step(double *u, int step);
void heat_begin(int cells);
void heat_step(double *u, int step);
