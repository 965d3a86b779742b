/* A pool of the program's own from which all comes: streams, structs behind `void *`, and texts. For the analysis all of it is one block: which
 * bytes may be those of a pointer is told by what the pointers to them were stored as, and any pointer may point to what the C library keeps of
 * a stream, which no register has to restore. By its types the pool cannot be restored: its units hold other structs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

union unit {
    struct {
        union unit *next;
        size_t units;
    } free;
    long double align;
};

struct pool {
    union unit *free;
};

struct reader {
    FILE *from;
    void *pool, *table;
    char *line;
};

struct entry {
    char *name;
    struct reader *by;
    long count;
};

struct table {
    struct entry **entries;
    int length;
};

static void *take(void *from, size_t bytes)
{
    struct pool *pool = from;
    if (!pool)
        return malloc(bytes);
    size_t units = 1 + (bytes + sizeof(union unit) - 1) / sizeof(union unit);
    union unit **at = &pool->free;
    while (*at && (*at)->free.units < units)
        at = &(*at)->free.next;
    if (!*at) {
        union unit *more = malloc(4096 * sizeof *more);
        if (!more)
            abort();
        more->free.units = 4096;
        more->free.next = NULL;
        *at = more;
    }
    union unit *found = *at;
    if (found->free.units > units + 1) {
        found->free.units -= units;
        found += found->free.units;
        found->free.units = units;
    } else {
        *at = found->free.next;
    }
    return found + 1;
}

static void give(void *to, void *what)
{
    struct pool *pool = to;
    if (!pool) {
        free(what);
        return;
    }
    union unit *unit = (union unit *)what - 1;
    unit->free.next = pool->free;
    pool->free = unit;
}

static char *copied(void *pool, const char *text)
{
    char *copy = take(pool, strlen(text) + 1);
    return strcpy(copy, text);
}

static unsigned hash(const char *text)
{
    unsigned all = 5381;
    while (*text)
        all = all * 33 + (unsigned char)*text++;
    return all % 1000;
}

static void count(struct reader *reader, const char *word)
{
    struct table *table = (struct table *)reader->table;
    unsigned at = hash(word) % table->length;
    while (table->entries[at] && strcmp(table->entries[at]->name, word) != 0)
        at = (at + 1) % table->length;
    struct entry *entry = table->entries[at];
    if (!entry) {
        entry = take(reader->pool, sizeof *entry);
        entry->name = copied(reader->pool, word);
        entry->by = reader;
        entry->count = 0;
        table->entries[at] = entry;
    }
    entry->count += hash(entry->name);
}

static int letters(const char *word, char *into)
{
    int length = 0;
    for (; *word; word++)
        into[length++] = *word >= 'a' && *word <= 'z' ? *word - 32 : *word;
    into[length] = 0;
    return length;
}

int main(void)
{
    struct pool *pool = calloc(1, sizeof *pool);
    struct reader *reader = take(pool, sizeof *reader);
    struct table *table = take(pool, sizeof *table);
    FILE *made = fopen("words.txt", "w");
    for (int word = 0; word < 400; word++)
        fprintf(made, "word%d\n", word * 7 % 31);
    fclose(made);
    table->length = 64;
    table->entries = take(pool, table->length * sizeof *table->entries);
    memset(table->entries, 0, table->length * sizeof *table->entries);
    reader->from = fopen("words.txt", "r");
    reader->pool = pool;
    reader->table = table;
    reader->line = take(pool, 64);
    FILE **others = take(pool, 2 * sizeof *others);
    unsigned long *sums = take(NULL, 8 * sizeof *sums);
    others[0] = fopen("words.txt", "r");
    others[1] = NULL;
    for (int at = 0; at < 8; at++)
        sums[at] = at;
    long sum = 0;
    for (int pass = 0; pass < 400; pass++) {
        if (!fgets(reader->line, 64, reader->from))
            break;
        reader->line[strcspn(reader->line, "\n")] = 0;
        char *upper = take(pool, 64);
        sum += letters(reader->line, upper);
        count(reader, upper);
        give(pool, upper);
        sums[pass % 8] += fgetc(others[0]);
    }
    for (int at = 0; at < table->length; at++)
        if (table->entries[at])
            sum += table->entries[at]->count;
    for (int at = 0; at < 8; at++)
        sum += sums[at] * at;
    printf("%ld\n", sum);
    return 0;
}
