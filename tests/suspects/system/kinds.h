struct kind { const char *name; double (*step)(double); int order; };
extern const struct kind *const kind_first;
extern const struct kind *kind_second;
extern const struct kind kind_named;
const char *described(const struct kind *);
char *of_library(void);
