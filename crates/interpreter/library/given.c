/* What a process is given, where that is an input of the run: arguments, standard input, files and the environment. */
#include <stddef.h>
#include <stdio.h>

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

/* Files. Whether one is there is asked when the program first comes to its name, and each of its bytes when that is read. The machine
 * has an empty file in its place, and a descriptor's position. */

struct file {
    bool asked, ended;
    /* So many bytes of it are known. */
    long known;
    char *content;
};

static struct file *files;

static bool has_names(void) { return __covenant_named(0, -1) != NAMED_NOTHING; }

static struct file *file_of(long number) {
    if (files == NULL) {
        size_t count = 0;
        while (__covenant_named((long)count, -1) != NAMED_NOTHING) count++;
        files = __covenant_alloc(count * sizeof *files, 16, 1);
    }
    return &files[number];
}

/* A run sees byte by byte how a path differs from the names of files, so that another can come to one of them. */
static void compare_names(const char *path) {
    for (long number = 0, what; (what = __covenant_named(number, -1)) != NAMED_NOTHING; number++) {
        for (long i = 0; what == NAMED_FILE; i++) {
            int byte = __covenant_named(number, i);
            if ((unsigned char)path[i] != byte) break;
            if (byte == '\0') return;
        }
    }
}

void __lib_come_to(const char *path) {
    if (!has_names()) return;
    compare_names(path);
    long number = __covenant_file(FILE_OF_PATH, 0, path);
    if (number < 0 || file_of(number)->asked) return;
    struct file *file = file_of(number);
    file->asked = true;
    if (!__covenant_given(GIVEN_NAMED, number, 0)) return;
    file->content = __covenant_alloc((size_t)__covenant_bound(BOUND_NAMED + (int)number) + 1, 16, 1);
    __covenant_file(FILE_IS_THERE, number, NULL);
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
    __lib_come_to(path);
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
