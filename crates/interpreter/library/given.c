/* What a process is given, where that is an input of the run: arguments, standard input, files and the environment. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

/* Bytes of standard input that were read so far. */
static long taken;

static bool is_input(int descriptor) { return descriptor == 0 && __covenant_bound(BOUND_INPUT) > 0; }

/* Whether there is another byte is asked before each, so that a run decides no more of its input than it reads. */
static long read_input(char *to, size_t length) {
    long most = __covenant_bound(BOUND_INPUT);
    size_t got = 0;
    while (got < length && taken < most && __covenant_given(GIVEN_INPUT, taken, 0)) {
        to[got++] = (char)__covenant_given(GIVEN_INPUT_BYTE, taken++, 0);
    }
    return (long)got;
}

/* The argument of this number, or NULL: there are no more. */
static char *given_argument(int number) {
    if (!__covenant_given(GIVEN_ARGUMENT, number, 0)) return NULL;
    long length = __covenant_bound(BOUND_ARGUMENT);
    char *text = __lib_alloc((size_t)length + 1);
    if (text == NULL) return NULL;
    for (long i = 0; i < length; i++) text[i] = (char)__covenant_given(GIVEN_ARGUMENT_BYTE, number, i);
    text[length] = '\0';
    return text;
}

int __lib_given_arguments(int argc, char ***argv) {
    long most = __covenant_bound(BOUND_ARGUMENTS);
    char **all = most == 0 ? NULL : __lib_alloc(((size_t)most + 2) * sizeof *all);
    if (all == NULL) return argc;
    all[0] = (*argv)[0];
    for (argc = 1; argc <= most; argc++) {
        all[argc] = given_argument(argc);
        if (all[argc] == NULL) break;
    }
    all[argc] = NULL;
    *argv = all;
    return argc;
}

/* Files and directories. Whether one is there is asked when the program first comes to its name, and each of a file's bytes when that is
 * read. The machine has an empty file in its place, and a descriptor's position. */

struct file {
    bool asked, there, ended;
    /* So many bytes of it are known. */
    long known;
    char *content;
};

/* Something in a directory that has a name of the test's own. The program knows it by that name, which may be any, and the machine by
 * another one, so that no run is about one name only. */
struct entry {
    char name[ENTRY_NAME + 1];
    unsigned char what;
    bool placed;
    struct file file;
};

struct named {
    struct file file;
    /* What is in it, if it is a directory. */
    bool opened;
    long count;
    struct entry *entries;
};

static struct named *all;

static bool has_names(void) { return __covenant_named(0, -1) != NAMED_NOTHING; }

static struct named *named(long number) {
    if (all == NULL) {
        size_t count = 0;
        while (__covenant_named((long)count, -1) != NAMED_NOTHING) count++;
        all = __covenant_alloc(count * sizeof *all, 16, 1);
    }
    return &all[number];
}

static struct file *file_of(long number) {
    if (number < FIRST_ENTRY) return &named(number)->file;
    return &named((number - FIRST_ENTRY) / ENTRIES)->entries[(number - FIRST_ENTRY) % ENTRIES].file;
}

static bool is_directory(long number) { return __covenant_named(number, -1) == NAMED_DIRECTORY; }

/* Whether it is the directory that the program starts in. */
static bool is_top(long number) { return __covenant_named(number, 0) == '.' && __covenant_named(number, 1) == '\0'; }

/* A run sees byte by byte how a path differs from the names of files, so that another can come to one of them. */
static void compare_names(const char *path) {
    for (long number = 0, what; (what = __covenant_named(number, -1)) != NAMED_NOTHING; number++) {
        for (long i = 0; what != NAMED_VARIABLE && !is_top(number); i++) {
            int byte = __covenant_named(number, i);
            if ((unsigned char)path[i] != byte) break;
            if (byte == '\0') return;
        }
    }
}

static void make_content(long number) {
    file_of(number)->content = __covenant_alloc((size_t)__covenant_bound(BOUND_NAMED + (int)number) + 1, 16, 1);
}

/* Whether there is one of this number. */
static bool ask(long number) {
    struct file *file = file_of(number);
    if (file->asked) return file->there;
    file->asked = true;
    file->there = is_top(number) || __covenant_given(GIVEN_NAMED, number, 0);
    if (!file->there || is_top(number)) return file->there;
    if (!is_directory(number)) make_content(number);
    __covenant_file(is_directory(number) ? FILE_IS_DIRECTORY : FILE_IS_THERE, number, NULL);
    return true;
}

static bool have_one_name(long a, long b) {
    for (long i = 0;; i++) {
        int byte = __covenant_named(a, i);
        if (byte != __covenant_named(b, i)) return false;
        if (byte == '\0') return true;
    }
}

/* The same, where a file and a directory may have one name, and only one of them is there. */
static bool ask_name(long number) {
    for (long other = 0; other < number; other++) {
        bool is_variable = __covenant_named(other, -1) == NAMED_VARIABLE;
        if (!is_variable && have_one_name(other, number) && ask(other)) return false;
    }
    return ask(number);
}

/* Names in directories. What they must be is one decision. */

static int is_same_name(const char *a, const char *b) {
    int same = 1, ended = 0;
    for (int i = 0; i <= ENTRY_NAME; i++) {
        same &= ended | (int)(a[i] == b[i]);
        ended |= (int)(a[i] == '\0');
    }
    return same;
}

static bool is_good_name(long number, const struct entry *entry) {
    const char *name = entry->name;
    int bad = (int)(name[0] == '\0'), ended = 0;
    for (int i = 0; i < ENTRY_NAME; i++) {
        ended |= (int)(name[i] == '\0');
        bad |= (ended ^ 1) & ((int)!is_between((unsigned char)name[i], '!', '~') | (int)(name[i] == '/'));
    }
    bad |= (int)(name[0] == '.') & ((int)(name[1] == '\0') | ((int)(name[1] == '.') & (int)(name[2] == '\0')));
    for (const struct entry *other = named(number)->entries; other != entry; other++) bad |= is_same_name(name, other->name);
    for (long other = 0; is_top(number) && __covenant_named(other, -1) != NAMED_NOTHING; other++) {
        char known[ENTRY_NAME + 1];
        for (int i = 0; i <= ENTRY_NAME; i++) known[i] = (char)__covenant_named(other, i);
        bad |= is_same_name(name, known);
    }
    return bad == 0;
}

/* What is in a directory, which is there. */
static struct named *open_directory(long number) {
    struct named *directory = named(number);
    long most = __covenant_bound(BOUND_NAMED + (int)number);
    if (directory->opened || most == 0) return directory;
    directory->opened = true;
    directory->entries = __covenant_alloc((size_t)most * sizeof *directory->entries, 16, 1);
    for (; directory->count < most; directory->count++) {
        long own = FIRST_ENTRY + number * ENTRIES + directory->count;
        struct entry *entry = &directory->entries[directory->count];
        entry->what = __covenant_given(GIVEN_ENTRY, number, directory->count);
        if (entry->what == 0) break;
        for (long i = 0; i < ENTRY_NAME; i++) entry->name[i] = (char)__covenant_given(GIVEN_ENTRY_BYTE, own, i);
        if (!is_good_name(number, entry)) break;
        __covenant_given(GIVEN_ENTRY_IS_TAKEN, own, 0);
    }
    return directory;
}

/* What the machine knows it by: no name that an entry can have. */
static char *machine_path(long number, long entry, const char *rest) {
    size_t length = 0, at = 0;
    while (rest[length] != '\0') length++;
    while (__covenant_named(number, (long)at) != '\0') at++;
    char *path = __covenant_alloc(at + length + 4, 16, 1);
    for (size_t i = 0; i < at; i++) path[i] = (char)__covenant_named(number, (long)i);
    path[at++] = '/';
    path[at++] = 1;
    path[at++] = (char)('a' + entry);
    for (size_t i = 0; i < length; i++) path[at + i] = rest[i];
    return path;
}

static void place(long number, long place) {
    struct entry *entry = &named(number)->entries[place];
    if (entry->placed) return;
    entry->placed = true;
    bool is_file = entry->what != 2;
    long own = FIRST_ENTRY + number * ENTRIES + place;
    if (is_file) make_content(own);
    __covenant_file(is_file ? FILE_IS_THERE : FILE_IS_DIRECTORY, own, machine_path(number, place, ""));
}

static const char *skip_here(const char *path) {
    while (path[0] == '.' && path[1] == '/') {
        for (path++; *path == '/'; path++) continue;
    }
    return path;
}

/* What follows the name of a directory and a slash in a path, or NULL. */
static const char *behind(long number, const char *path) {
    path = skip_here(path);
    if (is_top(number)) return *path == '/' ? NULL : path;
    for (long i = 0, byte; (byte = __covenant_named(number, i)) != '\0'; i++, path++) {
        if ((unsigned char)*path != byte) return NULL;
    }
    if (*path != '/') return NULL;
    while (*path == '/') path++;
    return path;
}

/* The path that the machine knows something by that has a name of the test's own, or NULL. */
static const char *path_of_entry(const char *path) {
    for (long number = 0, what; (what = __covenant_named(number, -1)) != NAMED_NOTHING; number++) {
        const char *rest = what == NAMED_DIRECTORY ? behind(number, path) : NULL;
        if (rest == NULL || *rest == '\0' || !ask_name(number)) continue;
        const struct named *directory = open_directory(number);
        for (long k = 0; k < directory->count; k++) {
            const char *name = directory->entries[k].name;
            long i = 0;
            while (name[i] != '\0' && rest[i] == name[i]) i++;
            if (name[i] != '\0' || (rest[i] != '\0' && rest[i] != '/')) continue;
            place(number, k);
            return machine_path(number, k, rest + i);
        }
    }
    return NULL;
}

const char *__lib_come_to(const char *path) {
    if (!has_names() || *path == '\0') return path;
    compare_names(path);
    const char *known = path_of_entry(path);
    if (known != NULL) return known;
    long number = -1;
    do {
        number = (long)__covenant_file(FILE_OF_PATH, number + 1, path);
    } while (number >= 0 && !ask(number));
    return path;
}

/* The number of the directory among the inputs that a path means and that is there, or -1. */
static long directory_of(const char *path) {
    long number = has_names() ? (long)__covenant_file(FILE_OF_PATH, 0, path) : -1;
    while (number >= 0 && !(is_directory(number) && ask(number))) {
        number = (long)__covenant_file(FILE_OF_PATH, number + 1, path);
    }
    return number;
}

bool __lib_has_entries(const char *path) {
    long number = directory_of(path);
    if (number < 0) return false;
    const struct named *directory = open_directory(number);
    for (long k = 0; k < directory->count; k++) place(number, k);
    return directory->count > 0;
}

enum { TYPE_DIRECTORY = 4, TYPE_FILE = 8 };

struct child *__lib_children(const char *path, long *count) {
    long number = directory_of(path), known = 0;
    char name[256];
    /* All that can be in it by a name of its own. */
    for (long other = 0; number >= 0 && is_top(number) && __covenant_named(other, -1) != NAMED_NOTHING; other++) {
        if (__covenant_named(other, -1) != NAMED_VARIABLE) ask_name(other);
    }
    const struct named *directory = number < 0 ? NULL : open_directory(number);
    while (__covenant_child(path, known, name) != 0) known++;
    long most = 2 + known + (directory == NULL ? 0 : directory->count);
    struct child *children = __covenant_alloc((size_t)most * sizeof *children, 16, 1);
    children[0] = (struct child){".", TYPE_DIRECTORY, (long)__covenant_file(FILE_NODE, 0, path)};
    children[1] = (struct child){"..", TYPE_DIRECTORY, -1};
    *count = 2;
    for (long k = 0; k < known; k++) {
        struct child *child = &children[(*count)++];
        child->type = __covenant_child(path, k, name) == 2 ? TYPE_DIRECTORY : TYPE_FILE;
        long length = 0;
        while (name[length] != '\0') length++;
        char *full = __covenant_alloc(strlen(path) + (size_t)length + 2, 16, 1), *own;
        memcpy(full, path, strlen(path));
        full[strlen(path)] = '/';
        own = full + strlen(path) + 1;
        memcpy(own, name, (size_t)length);
        long node = (long)__covenant_file(FILE_NODE, 0, full);
        child->inode = __lib_inode(node, (long)__covenant_file(FILE_INPUT, node, NULL));
        child->name = directory != NULL && own[0] == 1 ? directory->entries[own[1] - 'a'].name : own;
    }
    for (long k = 0; directory != NULL && k < directory->count; k++) {
        const struct entry *entry = &directory->entries[k];
        if (entry->placed) continue;
        int type = TYPE_FILE - (TYPE_FILE - TYPE_DIRECTORY) * (int)(entry->what == 2);
        children[(*count)++] = (struct child){entry->name, type, __lib_inode(-1, FIRST_ENTRY + number * ENTRIES + k)};
    }
    return children;
}

static long given_file(int fd) { return has_names() ? __covenant_file(FILE_OF_DESCRIPTOR, fd, NULL) : -1; }

static bool has_byte(long number, long place) {
    struct file *file = file_of(number);
    long most = __covenant_bound(BOUND_NAMED + (int)number);
    while (file->known <= place) {
        if (file->ended || file->known >= most || !__covenant_given(GIVEN_NAMED_MORE, number, file->known)) {
            file->ended = true;
            return false;
        }
        file->content[file->known] = (char)__covenant_given(GIVEN_NAMED_BYTE, number, file->known);
        file->known++;
    }
    return true;
}

long __lib_size_of_given(long number) {
    struct file *file = file_of(number);
    while (has_byte(number, file->known)) continue;
    return file->known;
}

static long read_file(int fd, long number, char *to, size_t length) {
    long place = __covenant_seek(fd, 0, SEEK_CUR);
    size_t got = 0;
    for (; got < length && has_byte(number, place + (long)got); got++) {
        to[got] = file_of(number)->content[place + (long)got];
    }
    __covenant_seek(fd, place + (long)got, SEEK_SET);
    return (long)got;
}

/* What is to be written becomes a file as any other. */
static void make_known(int fd, long number) {
    size_t size = (size_t)__lib_size_of_given(number);
    __covenant_file(FILE_IS_KNOWN, fd, NULL);
    if (size > 0) __covenant_write(fd, file_of(number)->content, size);
    __covenant_seek(fd, 0, SEEK_SET);
}

long __lib_open(const char *path, int flags) {
    path = __lib_come_to(path);
    long fd = __covenant_open(path, flags);
    long number = fd < 0 || !(flags & OPEN_WRITE) ? -1 : given_file((int)fd);
    if (number >= 0) make_known((int)fd, number);
    return fd;
}

bool __lib_is_given(int fd) { return is_input(fd) || given_file(fd) >= 0; }

long __lib_read(int fd, void *to, size_t length) {
    if (is_input(fd)) return read_input(to, length);
    long number = given_file(fd);
    return number >= 0 ? read_file(fd, number, to, length) : __covenant_read(fd, to, length);
}

long __lib_seek(int fd, long offset, int whence) {
    long number = whence == SEEK_END ? given_file(fd) : -1;
    return number >= 0 ? __covenant_seek(fd, __lib_size_of_given(number) + offset, SEEK_SET) : __covenant_seek(fd, offset, whence);
}

/* The environment. */

static char *given_variable(long number) {
    size_t length = 0;
    while (__covenant_named(number, (long)length) != '\0') length++;
    long most = __covenant_bound(BOUND_NAMED + (int)number);
    char *text = __lib_alloc(length + (size_t)most + 2);
    if (text == NULL) return NULL;
    for (size_t i = 0; i < length; i++) text[i] = (char)__covenant_named(number, (long)i);
    text[length] = '=';
    for (long i = 0; i < most; i++) text[length + 1 + (size_t)i] = (char)__covenant_given(GIVEN_NAMED_BYTE, number, i);
    text[length + 1 + (size_t)most] = '\0';
    return text;
}

char **__lib_given_environment(char **envp) {
    if (!has_names()) return envp;
    size_t count = 0, known = 0;
    while (envp != NULL && envp[known] != NULL) known++;
    while (__covenant_named((long)count, -1) != NAMED_NOTHING) count++;
    char **all = __lib_alloc((known + count + 1) * sizeof *all);
    if (all == NULL) return envp;
    for (size_t i = 0; i < known; i++) all[i] = envp[i];
    for (size_t i = 0; i < count; i++) {
        if (__covenant_named((long)i, -1) != NAMED_VARIABLE || !__covenant_given(GIVEN_NAMED, (long)i, 0)) continue;
        char *text = given_variable((long)i);
        if (text != NULL) all[known++] = text;
    }
    all[known] = NULL;
    return all;
}
