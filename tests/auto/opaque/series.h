/* A type whose members only its own file knows. */
typedef struct series *series;

series series_new(int length, const char *name);
void series_relax(series one, int steps);
double series_sum(series one);
const char *series_name(series one);
