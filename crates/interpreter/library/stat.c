/* sys/stat.h: what files and directories are. Their kind and size are known, and for what a test has made the mode. Times, owners and
 * numbers are the world's: a run that goes on by one of them says so, and has another one elsewhere. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

/* What is known of a file or a directory. */
struct seen {
    int kind;
    long node;
    /* The number among the inputs, or -1. */
    long given;
    bool has_name;
};

/* One that is another one each time. */
static long any(long value, long elsewhere) {
    static long asked;
    return __lib_unsure(UNSURE_OTHER, asked++, value, elsewhere);
}

static unsigned mode_of(const struct seen *seen) {
    if (seen->kind == 1 && seen->given >= 0) return S_IFREG | 0644;
    return (seen->kind == 2 ? S_IFDIR : S_IFREG) | ((unsigned)any(0755, 0600) & 0777);
}

static long size_of(const struct seen *seen) {
    if (seen->kind == 2) return any(4096, 60);
    return seen->given >= 0 ? __lib_size_of_given(seen->given) : (long)__covenant_file(FILE_SIZE, seen->node, NULL);
}

/* As early and as late as they can be, at once and one after the other. */
static struct timespec any_time(void) {
    static long asked;
    return (struct timespec){.tv_sec = any(0, 2147000001 + asked++), .tv_nsec = any(0, 999999999)};
}

static long inode_of(const struct seen *seen) {
    long number = __lib_inode(seen->node, seen->given);
    return __lib_unsure_inode(number);
}

/* The two structures have the same members, which may be of other types. */
#define FILL(to, seen)                                                         \
    do {                                                                       \
        memset(to, 0, sizeof *(to));                                           \
        (to)->st_mode = mode_of(seen);                                         \
        (to)->st_size = size_of(seen);                                         \
        (to)->st_dev = (dev_t)__lib_unsure(UNSURE_DEVICE, (seen)->kind, 42, 64769);  \
        (to)->st_ino = (ino_t)inode_of(seen); \
        (to)->st_nlink = (seen)->kind == 1 && (seen)->has_name ? 1 : (nlink_t)any(2, 1); \
        (to)->st_uid = (uid_t)__lib_unsure(UNSURE_OWNER, 0, 1000, 0);                \
        (to)->st_gid = (gid_t)__lib_unsure(UNSURE_OWNER, 1, 1000, 0);                \
        (to)->st_blksize = (blksize_t)any(4096, 65536);                        \
        (to)->st_blocks = (blkcnt_t)any(8, 1);                                 \
        (to)->st_atim = any_time();                                            \
        (to)->st_mtim = any_time();                                            \
        (to)->st_ctim = any_time();                                            \
    } while (0)

/* Of what a path leads to; false: errno says why not. */
static bool see(const char *path, struct seen *seen) {
    path = __lib_come_to(path);
    seen->kind = __covenant_kind(path);
    if (__lib_result(seen->kind) < 0) return false;
    seen->node = (long)__covenant_file(FILE_NODE, 0, path);
    seen->given = (long)__covenant_file(FILE_INPUT, seen->node, NULL);
    seen->has_name = true;
    return true;
}

static bool see_behind(int fd, struct seen *seen) {
    fd = __lib_descriptor(fd);
    seen->node = (long)__covenant_file(FILE_NODE_BEHIND, fd, NULL);
    long place = __covenant_seek(fd, 0, SEEK_CUR);
    if (seen->node < 0 && place < 0 && place != -ESPIPE) {
        __lib_result(place);
        return false;
    }
    seen->kind = seen->node < 0 ? 1 : (int)__covenant_file(FILE_KIND, seen->node, NULL);
    seen->given = (long)__covenant_file(FILE_INPUT, seen->node, NULL);
    seen->has_name = false;
    return true;
}

int stat(const char *restrict path, struct stat *restrict to) {
    struct seen seen;
    if (!see(path, &seen)) return -1;
    if (!LAYOUT_IS_KNOWN) return (int)__covenant_unsupported("`stat` of a file that is there", 0, to);
    FILL(to, &seen);
    return 0;
}

int stat64(const char *restrict path, struct stat64 *restrict to) {
    struct seen seen;
    if (!see(path, &seen)) return -1;
    if (!LAYOUT_IS_KNOWN) return (int)__covenant_unsupported("`stat64` of a file that is there", 0, to);
    FILL(to, &seen);
    return 0;
}

/* There are no links. */
int lstat(const char *restrict path, struct stat *restrict to) { return stat(path, to); }
int lstat64(const char *restrict path, struct stat64 *restrict to) { return stat64(path, to); }

/* What a standard stream is, who starts the program says. */
int fstat(int fd, struct stat *to) {
    struct seen seen;
    if (!see_behind(fd, &seen)) return -1;
    if (!LAYOUT_IS_KNOWN || seen.node < 0) {
        return (int)__covenant_unsupported("`fstat` of what is no file of the test's directory", 0, to);
    }
    FILL(to, &seen);
    return 0;
}

int fstat64(int fd, struct stat64 *to) {
    struct seen seen;
    if (!see_behind(fd, &seen)) return -1;
    if (!LAYOUT_IS_KNOWN || seen.node < 0) {
        return (int)__covenant_unsupported("`fstat64` of what is no file of the test's directory", 0, to);
    }
    FILL(to, &seen);
    return 0;
}
