/* refused: cannot restore `table[…]` | no `file(…)` can name it | one of many in allocated memory */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

struct entry { char name[12]; int fd; };

static struct entry *table;
static int used, room;

static void add(const char *name)
{
    if (used == room) {
        room = room ? 2 * room : 1;
        table = realloc(table, room * sizeof *table);
    }
    struct entry *entry = &table[used++];
    snprintf(entry->name, sizeof entry->name, "%s", name);
    entry->fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
}

int main(void)
{
    add("a.txt");
    add("b.txt");
    for (int i = 0; i < 12; i++)
        dprintf(table[i % used].fd, "%s %d\n", table[i % used].name, i);
    return 0;
}
