/* How much is copied, and where that ends. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct head { char id[4]; int size, count; };

struct stream {
    int kind;
    struct head head;
    char name[16];
    int *data;
    pthread_mutex_t lock;
    pthread_cond_t ready;
    int *other;
    char rest[8];
};

static int x, y, z;

/* A constant amount: what lies behind it is not copied. */
static void heads(struct stream *s)
{
    struct stream t; /* should: t.data ↛ x */
    unsigned char *buffer = malloc(64);
    int *read;
    memcpy(buffer, &s->head, sizeof(struct head));
    memcpy(&read, buffer, sizeof read); /* should: read ↛ x */
    memcpy(&t.head, buffer, sizeof t.head);
    free(buffer);
}

/* As much as to the pointer, and with it. */
static void ranges(struct stream *s)
{
    struct stream t; /* must: t.data → y */
    struct stream u; /* must: u.data → y */
    memcpy(&t.name, &s->name, offsetof(struct stream, lock) - offsetof(struct stream, name));
    memcpy(&u, s, offsetof(struct stream, lock));
    x = *t.data + *u.data;
}

/* From anywhere in an array, of a known length: it may reach what is behind it. */
static void shifted(struct stream *s, int i)
{
    struct stream t; /* must: t.data → y */
    memcpy(&t.name[8], &s->name[i], 16);
    x = *t.data;
}

/* Of a length that only the run knows: an array in a struct ends where it ends. */
static void texts(struct stream *s, void *from, size_t n)
{
    char *text = malloc(n);
    int *read;
    memcpy(text, from, n);
    memcpy(&read, text, sizeof read); /* should: read ↛ x, y, z */
    memcpy(s->name, text, n);
    free(text);
}

/* But for the first one, which begins where the struct does, */
struct named { char name[16]; int *data; };

static void copied(void *to, const void *from, size_t n)
{
    memcpy(to, from, n);
}

/* and the last one, which may be as long as its block. */
struct packet { int length; char data[8]; };

static void packed(struct packet *p, size_t n)
{
    int *read;
    memcpy(p->data + n, &(int *){&z}, sizeof(int *));
    memcpy(&read, p->data + n, sizeof read); /* must: read → z */
    x = *read;
}

/* What a library reads and writes of its own is no more than that. */
static void waits(struct stream *s)
{
    pthread_cond_wait(&s->ready, &s->lock); /* should: s.other ↛ y */
}

int main(int argc, char **argv)
{
    struct stream s = {0}; /* must: s.data → y; s.other → z */ /* should: s.data ↛ z; s.other ↛ y */
    struct named a = {"a", &y}, b; /* must: b.data → y */
    struct packet *p = malloc(sizeof *p + 64);
    s.data = &y;
    s.other = &z;
    heads(&s);
    ranges(&s);
    shifted(&s, argc);
    texts(&s, s.name, argc);
    copied(&b, &a, argc * sizeof a);
    packed(p, argc);
    waits(&s);
    free(p);
    return *b.data + *s.other;
}
