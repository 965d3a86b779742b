struct noted;

extern char names[][4];
extern int counts[];
extern struct noted noted;

void turn(int step);
void note(struct noted *noted, int value);
long of(const struct noted *noted);
