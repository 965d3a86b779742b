/* What libraries allocate, or keep, holds pointers to more of it. */
#define _GNU_SOURCE
#include <dirent.h>
#include <execinfo.h>
#include <glob.h>
#include <locale.h>
#include <net/if.h>
#include <netdb.h>
#include <pwd.h>
#include <sys/socket.h>
#include <wordexp.h>

int main(void)
{
    glob_t found;
    struct dirent **entries;
    struct addrinfo *addresses;
    wordexp_t words;
    void *frames[4];
    glob("/etc/*", 0, 0, &found);
    char *path = found.gl_pathv[0];                             /* must: path → heap@20[] */
    scandir("/etc", &entries, 0, alphasort);
    struct dirent *entry = entries[0];                          /* must: entry → heap@22[] */
    getaddrinfo("localhost", 0, 0, &addresses);
    struct sockaddr *address = addresses->ai_next->ai_addr;     /* must: address → heap@24[].ai_flags */
    wordexp("a b", &words, 0);
    char *word = words.we_wordv[1];                             /* must: word → heap@26[] */
    char *interface = if_nameindex()->if_name;                  /* must: interface → heap@28[].if_index */
    char *frame = backtrace_symbols(frames, 4)[0];              /* must: frame → heap@29[] */
    char *home = getpwuid(0)->pw_dir;                           /* must: home → @databases */
    char *host = gethostbyname("localhost")->h_addr_list[0];    /* must: host → @databases */
    char *point = localeconv()->decimal_point;                  /* must: point → @locale */
    return path && entry && address && word && interface && frame && home && host && point;
}
