/* Functions of the C library that may fail at any call. The code under test calls these instead, which fail where a test says so and
 * otherwise do what the C library's do. */
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

void covenant_fail(const char *function, unsigned long call);
void covenant_fail_nothing(void);

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

void *covenant_own_malloc(size_t size)
{
    return call_fails("malloc", ENOMEM) ? NULL : malloc(size);
}

void *covenant_own_calloc(size_t count, size_t size)
{
    return call_fails("calloc", ENOMEM) ? NULL : calloc(count, size);
}

void *covenant_own_realloc(void *object, size_t size)
{
    return call_fails("realloc", ENOMEM) ? NULL : realloc(object, size);
}

void *covenant_own_reallocarray(void *object, size_t count, size_t size)
{
    return call_fails("reallocarray", ENOMEM) ? NULL : reallocarray(object, count, size);
}

void *covenant_own_aligned_alloc(size_t align, size_t size)
{
    return call_fails("aligned_alloc", ENOMEM) ? NULL : aligned_alloc(align, size);
}

void *covenant_own_memalign(size_t align, size_t size)
{
    return call_fails("memalign", ENOMEM) ? NULL : memalign(align, size);
}

int covenant_own_posix_memalign(void **to, size_t align, size_t size)
{
    int before = errno;
    if (call_fails("posix_memalign", ENOMEM)) {
        errno = before;
        return ENOMEM;
    }
    return posix_memalign(to, align, size);
}

void *covenant_own_valloc(size_t size)
{
    return call_fails("valloc", ENOMEM) ? NULL : valloc(size);
}

void *covenant_own_pvalloc(size_t size)
{
    return call_fails("pvalloc", ENOMEM) ? NULL : pvalloc(size);
}

char *covenant_own_strdup(const char *text)
{
    return call_fails("strdup", ENOMEM) ? NULL : strdup(text);
}

char *covenant_own___strdup(const char *text)
{
    return call_fails("__strdup", ENOMEM) ? NULL : strdup(text);
}

char *covenant_own_strndup(const char *text, size_t limit)
{
    return call_fails("strndup", ENOMEM) ? NULL : strndup(text, limit);
}

wchar_t *covenant_own_wcsdup(const wchar_t *text)
{
    return call_fails("wcsdup", ENOMEM) ? NULL : wcsdup(text);
}

FILE *covenant_own_fopen(const char *path, const char *mode)
{
    return call_fails("fopen", EACCES) ? NULL : fopen(path, mode);
}

FILE *covenant_own_fopen64(const char *path, const char *mode)
{
    return call_fails("fopen64", EACCES) ? NULL : fopen(path, mode);
}

FILE *covenant_own_tmpfile(void)
{
    return call_fails("tmpfile", EACCES) ? NULL : tmpfile();
}

FILE *covenant_own_tmpfile64(void)
{
    return call_fails("tmpfile64", EACCES) ? NULL : tmpfile();
}

int covenant_own_remove(const char *path)
{
    return call_fails("remove", EACCES) ? -1 : remove(path);
}

int covenant_own_rename(const char *from, const char *to)
{
    return call_fails("rename", EACCES) ? -1 : rename(from, to);
}

int covenant_own_unlink(const char *path)
{
    return call_fails("unlink", EACCES) ? -1 : unlink(path);
}

int covenant_own_mkdir(const char *path, mode_t mode)
{
    return call_fails("mkdir", EACCES) ? -1 : mkdir(path, mode);
}

int covenant_own_rmdir(const char *path)
{
    return call_fails("rmdir", EACCES) ? -1 : rmdir(path);
}
