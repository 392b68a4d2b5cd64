/* unistd.h and fcntl.h: system calls on the machine's descriptors, and a process with fixed properties. */
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

int __lib_descriptor(int fd) {
    int count = (int)__covenant_file(FILE_DESCRIPTORS, 0, NULL);
    for (int known = 0; known < count; known++) {
        if (fd == known) return known;
    }
    return fd < 0 ? -1 : count;
}

ssize_t read(int fd, void *to, size_t count) { return __lib_result(__lib_read(__lib_descriptor(fd), to, count)); }
ssize_t write(int fd, const void *from, size_t count) {
    return __lib_result(__covenant_write(__lib_descriptor(fd), from, count));
}
int close(int fd) { return (int)__lib_result(__covenant_close(__lib_descriptor(fd))); }
int unlink(const char *path) {
    if (__lib_fails()) return -1;
    path = __lib_come_to(path);
    return (int)__lib_result(__covenant_unlink(path));
}

/* Whether a standard stream has a position depends on what it leads to. */
off_t lseek(int fd, off_t offset, int whence) {
    long result = __lib_result(__lib_seek(__lib_descriptor(fd), offset, whence));
    return result < 0 && errno == ESPIPE ? __covenant_unsupported("`lseek` on a standard stream", result) : result;
}

off64_t lseek64(int fd, off64_t offset, int whence) { return lseek(fd, offset, whence); }

static int open_file(const char *path, int flags) {
    int wanted = 0;
    int mode = flags & O_ACCMODE;
    if (mode == O_RDONLY || mode == O_RDWR) wanted |= OPEN_READ;
    if (mode == O_WRONLY || mode == O_RDWR) wanted |= OPEN_WRITE;
    if (flags & O_CREAT) wanted |= OPEN_CREATE;
    if (flags & O_TRUNC) wanted |= OPEN_TRUNCATE;
    if (flags & O_APPEND) wanted |= OPEN_APPEND;
    if ((flags & O_CREAT) && (flags & O_EXCL)) wanted |= OPEN_EXCLUSIVE;
    int fd = (int)__lib_result(__lib_open(path, wanted));
    if (fd < 0 || !(flags & O_DIRECTORY)) return fd;
    if (__covenant_file(FILE_KIND, __covenant_file(FILE_NODE_BEHIND, fd, NULL), NULL) == 2) return fd;
    __covenant_close(fd);
    errno = ENOTDIR;
    return -1;
}

int open(const char *path, int flags, ...) { return open_file(path, flags); }
int open64(const char *path, int flags, ...) { return open_file(path, flags); }
int creat(const char *path, mode_t mode) {
    (void)mode;
    return open_file(path, O_WRONLY | O_CREAT | O_TRUNC);
}

/* A descriptor is known to the machine alone; seeking nowhere asks for it without a change. */
static bool is_open(int fd) {
    long place = __covenant_seek(__lib_descriptor(fd), 0, SEEK_CUR);
    if (place >= 0 || place == -ESPIPE) return true;
    errno = EBADF;
    return false;
}

int isatty(int fd) {
    if (is_open(fd)) errno = ENOTTY;
    return 0;
}

int fsync(int fd) { return is_open(fd) ? 0 : -1; }
int fdatasync(int fd) { return is_open(fd) ? 0 : -1; }

int access(const char *path, int mode) {
    path = __lib_come_to(path);
    int kind = __covenant_kind(path);
    if (kind < 0) return (int)__lib_result(kind);
    if (kind == 2 || !(mode & X_OK)) return 0;
    errno = EACCES;
    return -1;
}

pid_t getpid(void) { return 4242; }
pid_t getppid(void) { return 4241; }
uid_t getuid(void) { return 1000; }
uid_t geteuid(void) { return 1000; }
gid_t getgid(void) { return 1000; }
gid_t getegid(void) { return 1000; }

int getpagesize(void) { return 4096; }

long sysconf(int name) {
    switch (name) {
        case _SC_PAGESIZE: return 4096;
        case _SC_NPROCESSORS_CONF:
        case _SC_NPROCESSORS_ONLN: return 1;
        case _SC_CLK_TCK: return 100;
        case _SC_OPEN_MAX: return 1024;
        case _SC_ARG_MAX: return 2097152;
        case _SC_LINE_MAX: return 2048;
        case _SC_PHYS_PAGES: return 262144;
        default: errno = EINVAL; return -1;
    }
}

char *getcwd(char *to, size_t size) {
    if (to != NULL && size < 2) {
        errno = size == 0 ? EINVAL : ERANGE;
        return NULL;
    }
    if (to == NULL) to = malloc(size < 2 ? 2 : size);
    if (to != NULL) memcpy(to, "/", 2);
    return to;
}

/* libgen.h: both may write into the path. */

static char *strip_slashes(char *path) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') path[--length] = '\0';
    return path;
}

char *__xpg_basename(char *path) {
    if (path == NULL || *path == '\0') return ".";
    strip_slashes(path);
    if (path[0] == '/' && path[1] == '\0') return path;
    char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

char *dirname(char *path) {
    if (path == NULL || *path == '\0') return ".";
    char *end = path + strlen(path);
    while (end > path + 1 && end[-1] == '/') end--;
    while (end > path && end[-1] != '/') end--;
    if (end == path) return ".";
    while (end > path + 1 && end[-1] == '/') end--;
    /* Two slashes at the start, and only two, are a name of their own. */
    if (end == path + 1 && path[0] == '/' && path[1] == '/' && path[2] != '/') end++;
    *end = '\0';
    return path;
}
