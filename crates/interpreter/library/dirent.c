/* dirent.h: what is in a directory when it is opened. In which order that is told, the file system says: a run that is told of a file
 * depends on it, and elsewhere it is the other way round. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct __dirstream {
    char *path;
    struct child *children;
    long count, place, changes;
    DIR *next;
    struct dirent now;
    struct dirent64 now64;
};

static DIR *open_ones;

/* A caller's own directory is nothing that anybody knows. */
static bool is_ours(const DIR *directory) {
    for (const DIR *open = open_ones; open != NULL; open = open->next) {
        if (open == directory) return true;
    }
    return false;
}

static void look(DIR *directory) {
    directory->children = __lib_children(directory->path, &directory->count);
    directory->place = 0;
    directory->changes = (long)__covenant_file(FILE_CHANGES, 0, NULL);
}

DIR *opendir(const char *path) {
    path = __lib_come_to(path);
    int kind = __covenant_kind(path);
    if (kind == 1) kind = -ENOTDIR;
    if (__lib_result(kind) < 0) return NULL;
    if (!LAYOUT_IS_KNOWN) return (DIR *)__covenant_unsupported("`opendir` of a directory that is there", 0);
    DIR *directory = __covenant_alloc(sizeof *directory, 16, 1);
    size_t length = strlen(path);
    directory->path = __covenant_alloc(length + 1, 16, 1);
    memcpy(directory->path, path, length + 1);
    look(directory);
    directory->next = open_ones;
    open_ones = directory;
    return directory;
}

/* The next one, or NULL. "." and ".." are the first two of the children. */
static const struct child *next(DIR *directory) {
    if (directory->count > 2 || directory->changes != __covenant_file(FILE_CHANGES, 0, NULL)) {
        __covenant_unsure(UNSURE_ORDER, 0, 0);
    }
    if (directory->place == directory->count) return NULL;
    long place = directory->place++;
    return &directory->children[__covenant_elsewhere() ? directory->count - 1 - place : place];
}

static void copy_name(char *to, const char *from) {
    for (long i = 0; (to[i] = from[i]) != '\0'; i++) continue;
}

#define FILL(to, child)                                                                                               \
    do {                                                                                                              \
        (to)->d_ino = (ino_t)__lib_unsure_inode((child)->inode);                                                    \
        (to)->d_off = (off_t)__lib_unsure(UNSURE_OTHER, -1 - directory->place, directory->place, 7777 * directory->place); \
        (to)->d_reclen = (unsigned short)__lib_unsure(UNSURE_OTHER, -10000 - directory->place, 32, 24);                                    \
        (to)->d_type = (unsigned char)(child)->type;                                                                  \
        copy_name((to)->d_name, (child)->name);                                                                       \
    } while (0)

struct dirent *readdir(DIR *directory) {
    if (!is_ours(directory)) return (struct dirent *)__covenant_unsupported("`readdir` of a directory that the program has not open", 0);
    const struct child *child = next(directory);
    if (child == NULL) return NULL;
    FILL(&directory->now, child);
    return &directory->now;
}

struct dirent64 *readdir64(DIR *directory) {
    if (!is_ours(directory)) return (struct dirent64 *)__covenant_unsupported("`readdir64` of a directory that the program has not open", 0);
    const struct child *child = next(directory);
    if (child == NULL) return NULL;
    FILL(&directory->now64, child);
    return &directory->now64;
}

void rewinddir(DIR *directory) {
    if (!is_ours(directory)) __covenant_unsupported("`rewinddir` of a directory that the program has not open", 0);
    else look(directory);
}

int closedir(DIR *directory) {
    if (!is_ours(directory)) return (int)__covenant_unsupported("`closedir` of a directory that the program has not open", -1);
    DIR **link = &open_ones;
    while (*link != directory) link = &(*link)->next;
    *link = directory->next;
    __covenant_free(directory->path);
    __covenant_free(directory);
    return 0;
}

int alphasort(const struct dirent **a, const struct dirent **b) { return strcoll((*a)->d_name, (*b)->d_name); }

static int give_up(struct dirent **all, int count) {
    while (count > 0) free(all[--count]);
    free(all);
    errno = ENOMEM;
    return -1;
}

int scandir(const char *restrict path, struct dirent ***restrict list, int (*is_wanted)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **)) {
    DIR *directory = opendir(path);
    if (directory == NULL) return -1;
    struct dirent **all = malloc(((size_t)directory->count + 1) * sizeof *all), *entry;
    int count = 0;
    while (all != NULL && (entry = readdir(directory)) != NULL) {
        if (is_wanted != NULL && !is_wanted(entry)) continue;
        all[count] = malloc(sizeof *entry);
        if (all[count] == NULL) {
            give_up(all, count);
            all = NULL;
        } else {
            memcpy(all[count++], entry, sizeof *entry);
        }
    }
    closedir(directory);
    if (all == NULL) {
        errno = ENOMEM;
        return -1;
    }
    if (compare != NULL) qsort(all, (size_t)count, sizeof *all, (int (*)(const void *, const void *))compare);
    *list = all;
    return count;
}
