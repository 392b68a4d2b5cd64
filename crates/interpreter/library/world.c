/* The world around a process that has a directory of its own, empty at first, and nothing else: no shell, no other program,
 * nobody to send signals to. What would have to look at more ends the run (see __covenant_unsupported). */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

int mkdir(const char *path, mode_t mode) {
    if (__lib_fails()) return -1;
    (void)mode;
    path = __lib_come_to(path);
    return (int)__lib_result(__covenant_mkdir(path));
}

int rmdir(const char *path) {
    if (__lib_fails()) return -1;
    path = __lib_come_to(path);
    __lib_has_entries(path);
    return (int)__lib_result(__covenant_rmdir(path));
}

int chdir(const char *path) {
    path = __lib_come_to(path);
    int kind = __covenant_kind(path);
    if (kind < 0) return (int)__lib_result(kind);
    if (kind == 2) return (int)__covenant_unsupported("`chdir` to a directory that is there", 0);
    errno = ENOTDIR;
    return -1;
}

/* The shell cannot be started, which POSIX has look as if it had ended with 127. */
int system(const char *command) {
    if (command == NULL) return 0;
    errno = ENOENT;
    return 127 << 8;
}

FILE *popen(const char *command, const char *mode) {
    (void)command;
    bool known = (mode[0] == 'r' || mode[0] == 'w') && (mode[1] == '\0' || (mode[1] == 'e' && mode[2] == '\0'));
    errno = known ? ENOENT : EINVAL;
    return NULL;
}
