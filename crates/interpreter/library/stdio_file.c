/* stdio.h: opening, closing, positions, and the files of the machine. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

FILE *__lib_stream_new(int fd, int flags) {
    FILE *stream = __covenant_alloc(sizeof *stream, 16, 1);
    if (stream == NULL) return NULL;
    stream->_fileno = fd;
    stream->_flags = flags;
    __lib_stream_link(stream);
    return stream;
}

int __lib_stream_mode(const char *mode, int *open_flags) {
    int flags;
    switch (*mode) {
        case 'r':
            *open_flags = OPEN_READ;
            flags = STREAM_NO_WRITE;
            break;
        case 'w':
            *open_flags = OPEN_WRITE | OPEN_CREATE | OPEN_TRUNCATE;
            flags = STREAM_NO_READ;
            break;
        case 'a':
            *open_flags = OPEN_WRITE | OPEN_CREATE | OPEN_APPEND;
            flags = STREAM_NO_READ | STREAM_APPEND;
            break;
        default:
            errno = EINVAL;
            return -1;
    }
    /* As glibc: only the next six characters are looked at, and unknown ones mean nothing. */
    for (int i = 1; i < 7 && mode[i] != '\0' && mode[i] != ','; i++) {
        if (mode[i] == '+') {
            *open_flags |= OPEN_READ | OPEN_WRITE;
            flags &= ~(STREAM_NO_READ | STREAM_NO_WRITE);
        }
        if (mode[i] == 'x') *open_flags |= OPEN_EXCLUSIVE;
    }
    return flags;
}

/* A stream that can also be read starts at the beginning all the same. */
static void seek_to_append(int fd, int flags) {
    if (flags & STREAM_NO_READ) __covenant_seek(fd, 0, SEEK_END);
}

FILE *fopen(const char *restrict path, const char *restrict mode) {
    int open_flags;
    int flags = __lib_stream_mode(mode, &open_flags);
    if (flags < 0 || __lib_fails()) return NULL;
    int fd = (int)__lib_result(__lib_open(path, open_flags));
    if (fd < 0) return NULL;
    if (flags & STREAM_APPEND) seek_to_append(fd, flags);
    return __lib_stream_new(fd, flags);
}

FILE *fopen64(const char *restrict path, const char *restrict mode) { return fopen(path, mode); }

FILE *fdopen(int fd, const char *mode) {
    int open_flags;
    int flags = __lib_stream_mode(mode, &open_flags);
    if (flags < 0) return NULL;
    fd = __lib_descriptor(fd);
    if (fd < 0) {
        errno = EBADF;
        return NULL;
    }
    return __lib_stream_new(fd, flags);
}

int fclose(FILE *stream) {
    __lib_stream_unlink(stream);
    int result = __lib_stream_close(stream);
    if (!(stream->_flags & STREAM_STATIC)) __covenant_free(stream);
    return result;
}

/* A mode cannot change without a new opening, so path is needed. */
FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream) {
    __lib_stream_unlink(stream);
    __lib_stream_close(stream);
    int open_flags;
    int flags = __lib_stream_mode(mode, &open_flags);
    if (flags >= 0 && path == NULL) {
        errno = EBADF;
        flags = -1;
    }
    int fd = flags < 0 ? -1 : (int)__lib_result(__lib_open(path, open_flags));
    if (fd < 0) {
        if (!(stream->_flags & STREAM_STATIC)) __covenant_free(stream);
        return NULL;
    }
    if (flags & STREAM_APPEND) seek_to_append(fd, flags);
    stream->_flags = flags | (stream->_flags & STREAM_STATIC);
    if (stream == stderr) stream->_flags |= STREAM_UNBUFFERED;
    stream->_fileno = fd;
    __lib_stream_link(stream);
    return stream;
}

FILE *freopen64(const char *restrict path, const char *restrict mode, FILE *restrict stream) {
    return freopen(path, mode, stream);
}

int fflush(FILE *stream) { return stream == NULL ? __lib_stream_flush_all() : __lib_stream_sync(stream); }
int fflush_unlocked(FILE *stream) { return fflush(stream); }
int fcloseall(void) { return __lib_stream_flush_all(); }

void setbuf(FILE *restrict stream, char *restrict buffer) {
    setvbuf(stream, buffer, buffer != NULL ? _IOFBF : _IONBF, BUFSIZ);
}

void setbuffer(FILE *stream, char *buffer, size_t size) {
    setvbuf(stream, buffer, buffer != NULL ? _IOFBF : _IONBF, size);
}

void setlinebuf(FILE *stream) { setvbuf(stream, NULL, _IOLBF, 0); }

/* Positions. */

int fseek(FILE *stream, long offset, int whence) { return __lib_stream_seek(stream, offset, whence) < 0 ? -1 : 0; }
int fseeko(FILE *stream, off_t offset, int whence) { return __lib_stream_seek(stream, offset, whence) < 0 ? -1 : 0; }
int fseeko64(FILE *stream, off64_t offset, int whence) {
    return __lib_stream_seek(stream, offset, whence) < 0 ? -1 : 0;
}
long ftell(FILE *stream) { return __lib_stream_tell(stream); }
off_t ftello(FILE *stream) { return __lib_stream_tell(stream); }
off64_t ftello64(FILE *stream) { return __lib_stream_tell(stream); }

void rewind(FILE *stream) {
    __lib_stream_seek(stream, 0, SEEK_SET);
    stream->_flags &= ~(STREAM_EOF | STREAM_ERROR);
}

int fgetpos(FILE *restrict stream, fpos_t *restrict position) {
    long place = __lib_stream_tell(stream);
    if (place < 0) return -1;
    memset(position, 0, sizeof *position);
    position->__pos = place;
    return 0;
}

int fsetpos(FILE *stream, const fpos_t *position) {
    return __lib_stream_seek(stream, position->__pos, SEEK_SET) < 0 ? -1 : 0;
}

/* The state of a stream. */

int feof(FILE *stream) { return (stream->_flags & STREAM_EOF) != 0; }
int ferror(FILE *stream) { return (stream->_flags & STREAM_ERROR) != 0; }
void clearerr(FILE *stream) { stream->_flags &= ~(STREAM_EOF | STREAM_ERROR); }
int feof_unlocked(FILE *stream) { return feof(stream); }
int ferror_unlocked(FILE *stream) { return ferror(stream); }
void clearerr_unlocked(FILE *stream) { clearerr(stream); }

int fileno(FILE *stream) {
    if (stream->_freeres_buf == NULL) return stream->_fileno;
    errno = EBADF;
    return -1;
}

int fileno_unlocked(FILE *stream) {
    if (stream->_freeres_buf == NULL) return stream->_fileno;
    errno = EBADF;
    return -1;
}

/* There is one thread: a lock is always free. */
void flockfile(FILE *stream) { (void)stream; }
void funlockfile(FILE *stream) { (void)stream; }
int ftrylockfile(FILE *stream) {
    (void)stream;
    return 0;
}

/* Files by name. */

int remove(const char *path) {
    if (__lib_fails()) return -1;
    path = __lib_come_to(path);
    __lib_has_entries(path);
    int result = __covenant_unlink(path);
    return (int)__lib_result(result == -EISDIR ? __covenant_rmdir(path) : result);
}
int rename(const char *from, const char *to) {
    if (__lib_fails()) return -1;
    from = __lib_come_to(from);
    to = __lib_come_to(to);
    if (__lib_has_entries(from)) {
        return (int)__covenant_unsupported("`rename` of a directory with something in it that is an input", 0);
    }
    __lib_has_entries(to);
    return (int)__lib_result(__covenant_rename(from, to));
}

/* The names are counted, so that two runs see the same ones. */
static void number_name(char *last_six) {
    static unsigned counter;
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    unsigned value = counter++;
    for (int i = 5; i >= 0; i--) {
        last_six[i] = digits[value % 36];
        value /= 36;
    }
}

static int open_unique(char *path, char *last_six) {
    for (int tries = 0; tries < 1000; tries++) {
        number_name(last_six);
        int fd = __covenant_open(path, OPEN_READ | OPEN_WRITE | OPEN_CREATE | OPEN_EXCLUSIVE);
        if (fd != -EEXIST) return (int)__lib_result(fd);
    }
    errno = EEXIST;
    return -1;
}

int mkstemp(char *template) {
    size_t length = strlen(template);
    if (length < 6 || strcmp(template + length - 6, "XXXXXX") != 0) {
        errno = EINVAL;
        return -1;
    }
    return open_unique(template, template + length - 6);
}

int mkstemp64(char *template) { return mkstemp(template); }

FILE *tmpfile(void) {
    if (__lib_fails()) return NULL;
    char path[] = "/tmp/tmpf000000";
    int fd = open_unique(path, path + sizeof path - 7);
    if (fd < 0) return NULL;
    __covenant_unlink(path);
    return __lib_stream_new(fd, 0);
}

FILE *tmpfile64(void) { return tmpfile(); }

char *tmpnam(char *to) {
    static char own[L_tmpnam];
    if (to == NULL) to = own;
    memcpy(to, "/tmp/file000000", sizeof "/tmp/file000000");
    number_name(to + 9);
    return to;
}
