/* A descriptor that is opened and closed for every line. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

struct output {
    const char *name;
    long bytes;
};

typedef int descriptor;

void put(struct output *output, const char *text)
{
    descriptor to = open(output->name, O_WRONLY | O_APPEND | O_CREAT, 0644);
    if (to >= 0) {
        output->bytes += write(to, text, strlen(text));
        close(to);
    }
}
