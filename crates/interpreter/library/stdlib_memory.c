/* stdlib.h: the heap. Every object comes from the machine, which knows its bounds and its life. */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum { ALIGNMENT = 16 };

static void *allocate(size_t size, size_t align, int zeroed) {
    void *object = __covenant_fails() ? NULL : __covenant_alloc(size, align, zeroed);
    if (object == NULL) errno = ENOMEM;
    return object;
}

void *__lib_alloc(size_t size) { return allocate(size, ALIGNMENT, 0); }

void *malloc(size_t size) { return allocate(size, ALIGNMENT, 0); }

void *calloc(size_t count, size_t size) {
    if (size != 0 && count > PTRDIFF_MAX / size) {
        errno = ENOMEM;
        return NULL;
    }
    return allocate(count * size, ALIGNMENT, 1);
}

void free(void *object) {
    if (object != NULL) __covenant_free(object);
}

/* Always moves: a program that keeps the old pointer is wrong, and the machine can then say so. */
void *realloc(void *object, size_t size) {
    if (object == NULL) return malloc(size);
    size_t old = __covenant_size(object);
    if (size == 0) {
        __covenant_free(object);
        return NULL;
    }
    void *copy = allocate(size, ALIGNMENT, 0);
    if (copy == NULL) return NULL;
    memcpy(copy, object, old < size ? old : size);
    __covenant_free(object);
    return copy;
}

void *reallocarray(void *object, size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / size) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(object, count * size);
}

static bool power_of_two(size_t value) { return value != 0 && (value & (value - 1)) == 0; }

/* glibc rounds an alignment that is no power of two up to the next one, as long as there is one. */
void *memalign(size_t align, size_t size) {
    if (align > SIZE_MAX / 2 + 1) {
        errno = EINVAL;
        return NULL;
    }
    size_t rounded = ALIGNMENT;
    while (rounded < align) rounded *= 2;
    return allocate(size, rounded, 0);
}

void *aligned_alloc(size_t align, size_t size) {
    if (align > SIZE_MAX / 2 + 1) {
        errno = EINVAL;
        return NULL;
    }
    size_t rounded = ALIGNMENT;
    while (rounded < align) rounded *= 2;
    return allocate(size, rounded, 0);
}

int posix_memalign(void **to, size_t align, size_t size) {
    if (!power_of_two(align) || align % sizeof(void *) != 0) return EINVAL;
    void *object = __covenant_fails() ? NULL : __covenant_alloc(size, align < ALIGNMENT ? ALIGNMENT : align, 0);
    if (object == NULL) return ENOMEM;
    *to = object;
    return 0;
}

enum { PAGE = 4096 };

void *valloc(size_t size) { return allocate(size, PAGE, 0); }

void *pvalloc(size_t size) {
    if (size > PTRDIFF_MAX) {
        errno = ENOMEM;
        return NULL;
    }
    return allocate((size + PAGE - 1) / PAGE * PAGE, PAGE, 0);
}

size_t malloc_usable_size(void *object) { return object == NULL ? 0 : __covenant_size(object); }
