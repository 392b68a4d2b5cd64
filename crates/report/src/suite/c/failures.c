/* Functions of the C library that may fail at any call, and free. The code under test calls these instead, which fail where a test says
 * so and otherwise do what the C library's do. They count the objects that are not freed. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>

/* A suite has its own of those that no run performs. */
#define WEAK __attribute__((weak))

void covenant_fail(const char *function, unsigned long call);
void covenant_fail_nothing(void);
void covenant_count_objects(void);
long covenant_allocated(void);
void covenant_own_free(void *object);

/* The functions, with the number of their calls so far. */
struct failing {
    const char *function;
    unsigned long calls;
};

static struct failing failing[] = {
    { "malloc", 0 }, { "calloc", 0 }, { "realloc", 0 }, { "reallocarray", 0 }, { "aligned_alloc", 0 },
    { "memalign", 0 }, { "posix_memalign", 0 }, { "valloc", 0 }, { "pvalloc", 0 }, { "strdup", 0 },
    { "__strdup", 0 }, { "strndup", 0 }, { "wcsdup", 0 }, { "fopen", 0 }, { "fopen64", 0 }, { "tmpfile", 0 },
    { "tmpfile64", 0 }, { "remove", 0 }, { "rename", 0 }, { "unlink", 0 }, { "mkdir", 0 }, { "rmdir", 0 },
};

enum { FAILING_FUNCTIONS = sizeof failing / sizeof failing[0], FAILING_CALLS = 1024 };

/* Which calls fail: the function, and the number of the call. */
static struct failing failed_calls[FAILING_CALLS];
static size_t failing_calls;

static struct failing *failing_function(const char *function)
{
    size_t i;
    for (i = 0; i < FAILING_FUNCTIONS; i++)
        if (strcmp(failing[i].function, function) == 0)
            return &failing[i];
    fprintf(stderr, "covenant: %s cannot be made to fail\n", function);
    _exit(125);
}

void covenant_fail(const char *function, unsigned long call)
{
    if (failing_calls == FAILING_CALLS) {
        fprintf(stderr, "covenant: more than %d calls are to fail\n", FAILING_CALLS);
        _exit(125);
    }
    failed_calls[failing_calls].function = function;
    /* Calls count from here. */
    failed_calls[failing_calls++].calls = failing_function(function)->calls + call;
}

void covenant_fail_nothing(void)
{
    failing_calls = 0;
}

static int call_fails(const char *function, int error)
{
    unsigned long call = ++failing_function(function)->calls;
    size_t i;
    for (i = 0; i < failing_calls; i++) {
        if (failed_calls[i].calls == call && strcmp(failed_calls[i].function, function) == 0) {
            errno = error;
            return 1;
        }
    }
    return 0;
}

/* --- Objects that the code under test made and has not freed --- */

enum { COUNTED_OBJECTS = 4096 };

static const void *objects[COUNTED_OBJECTS];
static size_t object_count;
/* More than can be remembered: they are not counted any more. */
static int too_many_objects;

void covenant_count_objects(void)
{
    object_count = 0;
    too_many_objects = 0;
}

/* -1: not known. */
long covenant_allocated(void)
{
    return too_many_objects ? -1 : (long)object_count;
}

static void *made(void *object)
{
    if (object != NULL && object_count < COUNTED_OBJECTS)
        objects[object_count++] = object;
    else if (object != NULL)
        too_many_objects = 1;
    return object;
}

/* Where an object stands; behind all of them if it is none: somebody else made it. */
static size_t place_of(const void *object)
{
    size_t i;
    for (i = object_count; object != NULL && i-- > 0;)
        if (objects[i] == object)
            return i;
    return COUNTED_OBJECTS;
}

static void freed(size_t place)
{
    if (place < object_count)
        objects[place] = objects[--object_count];
}

/* The object that stood there is gone, unless there was no memory for its new place. */
static void *moved(size_t place, void *object, size_t size)
{
    if (object != NULL || size == 0)
        freed(place);
    return made(object);
}

WEAK void covenant_own_free(void *object)
{
    freed(place_of(object));
    free(object);
}

WEAK void *covenant_own_malloc(size_t size)
{
    return call_fails("malloc", ENOMEM) ? NULL : made(malloc(size));
}

WEAK void *covenant_own_calloc(size_t count, size_t size)
{
    return call_fails("calloc", ENOMEM) ? NULL : made(calloc(count, size));
}

WEAK void *covenant_own_realloc(void *object, size_t size)
{
    size_t place = place_of(object);
    return call_fails("realloc", ENOMEM) ? NULL : moved(place, realloc(object, size), size);
}

WEAK void *covenant_own_reallocarray(void *object, size_t count, size_t size)
{
    size_t place = place_of(object);
    /* One that is too large frees nothing. */
    size_t all = size != 0 && count > (size_t)-1 / size ? 1 : count * size;
    return call_fails("reallocarray", ENOMEM) ? NULL : moved(place, reallocarray(object, count, size), all);
}

WEAK void *covenant_own_aligned_alloc(size_t align, size_t size)
{
    return call_fails("aligned_alloc", ENOMEM) ? NULL : made(aligned_alloc(align, size));
}

WEAK void *covenant_own_memalign(size_t align, size_t size)
{
    return call_fails("memalign", ENOMEM) ? NULL : made(memalign(align, size));
}

WEAK int covenant_own_posix_memalign(void **to, size_t align, size_t size)
{
    int before = errno, error;
    if (call_fails("posix_memalign", ENOMEM)) {
        errno = before;
        return ENOMEM;
    }
    error = posix_memalign(to, align, size);
    if (error == 0)
        made(*to);
    return error;
}

WEAK void *covenant_own_valloc(size_t size)
{
    return call_fails("valloc", ENOMEM) ? NULL : made(valloc(size));
}

WEAK void *covenant_own_pvalloc(size_t size)
{
    return call_fails("pvalloc", ENOMEM) ? NULL : made(pvalloc(size));
}

WEAK char *covenant_own_strdup(const char *text)
{
    return call_fails("strdup", ENOMEM) ? NULL : made(strdup(text));
}

WEAK char *covenant_own___strdup(const char *text)
{
    return call_fails("__strdup", ENOMEM) ? NULL : made(strdup(text));
}

WEAK char *covenant_own_strndup(const char *text, size_t limit)
{
    return call_fails("strndup", ENOMEM) ? NULL : made(strndup(text, limit));
}

WEAK wchar_t *covenant_own_wcsdup(const wchar_t *text)
{
    return call_fails("wcsdup", ENOMEM) ? NULL : made(wcsdup(text));
}

WEAK FILE *covenant_own_fopen(const char *path, const char *mode)
{
    return call_fails("fopen", EACCES) ? NULL : fopen(path, mode);
}

WEAK FILE *covenant_own_fopen64(const char *path, const char *mode)
{
    return call_fails("fopen64", EACCES) ? NULL : fopen(path, mode);
}

WEAK FILE *covenant_own_tmpfile(void)
{
    return call_fails("tmpfile", EACCES) ? NULL : tmpfile();
}

WEAK FILE *covenant_own_tmpfile64(void)
{
    return call_fails("tmpfile64", EACCES) ? NULL : tmpfile();
}

WEAK int covenant_own_remove(const char *path)
{
    return call_fails("remove", EACCES) ? -1 : remove(path);
}

WEAK int covenant_own_rename(const char *from, const char *to)
{
    return call_fails("rename", EACCES) ? -1 : rename(from, to);
}

WEAK int covenant_own_unlink(const char *path)
{
    return call_fails("unlink", EACCES) ? -1 : unlink(path);
}

WEAK int covenant_own_mkdir(const char *path, mode_t mode)
{
    return call_fails("mkdir", EACCES) ? -1 : mkdir(path, mode);
}

WEAK int covenant_own_rmdir(const char *path)
{
    return call_fails("rmdir", EACCES) ? -1 : rmdir(path);
}
