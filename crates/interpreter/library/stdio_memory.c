/* stdio.h: streams without a descriptor. fmemopen and open_memstream are two users of fopencookie's seam. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static FILE *open_backend(cookie_io_functions_t io, void *cookie, int flags) {
    struct backend *backend = __lib_alloc(sizeof *backend);
    if (backend == NULL) return NULL;
    backend->io = io;
    backend->cookie = cookie;
    FILE *stream = __lib_stream_new(-1, flags);
    if (stream != NULL) stream->_freeres_buf = backend;
    return stream;
}

FILE *fopencookie(void *restrict cookie, const char *restrict mode, cookie_io_functions_t io) {
    int open_flags;
    int flags = __lib_stream_mode(mode, &open_flags);
    return flags < 0 ? NULL : open_backend(io, cookie, flags);
}

struct memory {
    char *bytes;
    size_t capacity;
    size_t size; /* how much of it is content */
    size_t place;
    bool owned;
    bool append;
    bool binary;
    /* open_memstream: where the program wants to see the result. */
    char **result;
    size_t *result_size;
};

static bool seek_memory(struct memory *memory, off64_t *offset, int whence, size_t limit) {
    long base = 0;
    if (whence == SEEK_CUR) base = (long)memory->place;
    if (whence == SEEK_END) base = (long)memory->size;
    long place;
    if (__builtin_add_overflow(base, *offset, &place) || place < 0 || (size_t)place > limit) {
        errno = EINVAL;
        return false;
    }
    memory->place = (size_t)place;
    *offset = place;
    return true;
}

static ssize_t fixed_read(void *cookie, char *to, size_t length) {
    struct memory *memory = cookie;
    if (memory->place >= memory->size) return 0;
    size_t ready = memory->size - memory->place;
    if (length > ready) length = ready;
    memcpy(to, memory->bytes + memory->place, length);
    memory->place += length;
    return (ssize_t)length;
}

static ssize_t fixed_write(void *cookie, const char *from, size_t length) {
    struct memory *memory = cookie;
    size_t place = memory->append ? memory->size : memory->place;
    bool terminate = !memory->binary && (length == 0 || from[length - 1] != '\0');
    if (place >= memory->capacity || (length > 0 && memory->capacity - place < 1)) {
        errno = ENOSPC;
        return 0;
    }
    size_t room = memory->capacity - place;
    if (length > room) length = room;
    memcpy(memory->bytes + place, from, length);
    memory->place = place + length;
    if (memory->place > memory->size) {
        memory->size = memory->place;
        if (memory->size < memory->capacity && terminate) memory->bytes[memory->size] = '\0';
    }
    return (ssize_t)length;
}

static int fixed_seek(void *cookie, off64_t *offset, int whence) {
    struct memory *memory = cookie;
    return seek_memory(memory, offset, whence, memory->capacity) ? 0 : -1;
}

static int memory_close(void *cookie) {
    struct memory *memory = cookie;
    if (memory->owned) __covenant_free(memory->bytes);
    __covenant_free(memory);
    return 0;
}

FILE *fmemopen(void *bytes, size_t size, const char *mode) {
    int open_flags;
    int flags = __lib_stream_mode(mode, &open_flags);
    if (flags < 0) return NULL;
    struct memory *memory = __covenant_alloc(sizeof *memory, 16, 1);
    if (memory == NULL) return NULL;
    memory->bytes = bytes;
    memory->capacity = size;
    if (bytes == NULL) {
        memory->bytes = __covenant_alloc(size, 16, 1);
        memory->owned = true;
    }
    memory->binary = strchr(mode, 'b') != NULL;
    memory->append = mode[0] == 'a';
    if (mode[0] == 'w' && size > 0) memory->bytes[0] = '\0';
    if (mode[0] == 'r') memory->size = size;
    if (mode[0] == 'a') {
        while (memory->size < size && memory->bytes[memory->size] != '\0') memory->size++;
        memory->place = memory->size;
    }
    cookie_io_functions_t io = {.read = fixed_read, .write = fixed_write, .seek = fixed_seek, .close = memory_close};
    return open_backend(io, memory, flags);
}

/* Room for size bytes and a terminator; what is new is zero. */
static bool grow(struct memory *memory, size_t size) {
    if (size < memory->capacity) return true;
    size_t capacity = 2 * memory->capacity > size ? 2 * memory->capacity : size + 1;
    char *grown = realloc(memory->bytes, capacity);
    if (grown == NULL) return false;
    memset(grown + memory->capacity, 0, capacity - memory->capacity);
    memory->bytes = grown;
    memory->capacity = capacity;
    return true;
}

static void publish(struct memory *memory) {
    *memory->result = memory->bytes;
    *memory->result_size = memory->place < memory->size ? memory->place : memory->size;
}

static ssize_t growing_write(void *cookie, const char *from, size_t length) {
    struct memory *memory = cookie;
    if (!grow(memory, memory->place + length)) return 0;
    memcpy(memory->bytes + memory->place, from, length);
    memory->place += length;
    if (memory->place > memory->size) memory->size = memory->place;
    publish(memory);
    return (ssize_t)length;
}

static int growing_seek(void *cookie, off64_t *offset, int whence) {
    struct memory *memory = cookie;
    if (!seek_memory(memory, offset, whence, PTRDIFF_MAX - 1)) return -1;
    publish(memory);
    return 0;
}

FILE *open_memstream(char **result, size_t *result_size) {
    struct memory *memory = __covenant_alloc(sizeof *memory, 16, 1);
    if (memory == NULL) return NULL;
    memory->result = result;
    memory->result_size = result_size;
    if (!grow(memory, 127)) return NULL;
    publish(memory);
    cookie_io_functions_t io = {.write = growing_write, .seek = growing_seek, .close = memory_close};
    return open_backend(io, memory, STREAM_NO_READ);
}
