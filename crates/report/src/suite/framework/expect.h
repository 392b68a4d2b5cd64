/* Assertions that name what they compare and show both values. COVENANT_FAIL(text) is the framework's. */
#ifndef COVENANT_EXPECT_H
#define COVENANT_EXPECT_H

/* Code may say that nobody should call it, or how much it has room for: to its callers, not to its tests. */
#if defined(__clang__) || defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Walloc-size-larger-than="
#endif

#ifndef COVENANT_EMBEDDED
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#endif

#if defined(__clang__) || defined(__GNUC__)
#define COVENANT_UNUSED __attribute__((unused))
#else
#define COVENANT_UNUSED
#endif

static COVENANT_UNUSED char covenant_text[1024];

#ifndef COVENANT_EMBEDDED
/* An object from malloc, which the code under test frees; it begins as `content` says, or with zeros. */
static COVENANT_UNUSED void *covenant_heap(const void *content, size_t size)
{
    void *object = malloc(size);
    if (object == NULL)
        abort();
    return content != NULL ? memcpy(object, content, size) : memset(object, 0, size);
}

/* A stream at the start of its content, which can be read and written. */
static COVENANT_UNUSED FILE *covenant_stream(const char *content, size_t size)
{
    FILE *stream = tmpfile();
    if (stream == NULL) {
        stream = fopen("covenant-stream", "w+b");
        remove("covenant-stream");
    }
    if (stream == NULL || fwrite(content, 1, size, stream) != size)
        abort();
    rewind(stream);
    return stream;
}

#define STREAM(content, size) covenant_stream(content, size)
#define HEAP(type, ...) covenant_heap(&(type)__VA_ARGS__, sizeof(type))
#define HEAP_ZEROS(size) covenant_heap(NULL, size)
#endif

/* So much of a text that it fits a line. */
#define COVENANT_SHOWN "%.200s"

static COVENANT_UNUSED int covenant_same_int(const char *what, long long actual, long long expected)
{
    snprintf(covenant_text, sizeof covenant_text, COVENANT_SHOWN ": expected %lld, got %lld", what, expected, actual);
    return actual == expected;
}

static COVENANT_UNUSED int covenant_same_uint(const char *what, unsigned long long actual, unsigned long long expected)
{
    snprintf(covenant_text, sizeof covenant_text, COVENANT_SHOWN ": expected %llu, got %llu", what, expected, actual);
    return actual == expected;
}

/* Bit for bit: 0 and -0 differ. One NaN is as good as another. */
static COVENANT_UNUSED int covenant_same_double(const char *what, double actual, double expected)
{
    snprintf(covenant_text, sizeof covenant_text, COVENANT_SHOWN ": expected %.17g, got %.17g", what, expected, actual);
    return memcmp(&actual, &expected, sizeof actual) == 0 || (actual != actual && expected != expected);
}

static COVENANT_UNUSED int covenant_same_float(const char *what, float actual, float expected)
{
    snprintf(covenant_text, sizeof covenant_text, COVENANT_SHOWN ": expected %.9g, got %.9g", what, (double)expected,
             (double)actual);
    return memcmp(&actual, &expected, sizeof actual) == 0 || (actual != actual && expected != expected);
}

static COVENANT_UNUSED int covenant_same_pointer(const char *what, const volatile void *actual, const char *name,
                                                 const volatile void *expected)
{
    snprintf(covenant_text, sizeof covenant_text, COVENANT_SHOWN ": expected %.80s, which is %p, got %p", what, name,
             (void *)(size_t)expected, (void *)(size_t)actual);
    return actual == expected;
}

static COVENANT_UNUSED int covenant_is_some(const char *what, const volatile void *actual)
{
    snprintf(covenant_text, sizeof covenant_text, COVENANT_SHOWN ": expected an object, got NULL", what);
    return actual != 0;
}

static COVENANT_UNUSED int covenant_same_bytes(const char *what, const volatile void *actual, const char *expected,
                                               size_t size)
{
    const volatile unsigned char *bytes = (const volatile unsigned char *)actual;
    size_t i;
    for (i = 0; i < size && bytes[i] == (unsigned char)expected[i]; i++) {
    }
    if (i < size) {
        snprintf(covenant_text, sizeof covenant_text, COVENANT_SHOWN ", byte %lu: expected %u, got %u", what,
                 (unsigned long)i, (unsigned char)expected[i], bytes[i]);
    }
    return i == size;
}

/* No more is read of it than the text that is expected has. */
static COVENANT_UNUSED int covenant_same_text(const char *what, const char *actual, const char *expected)
{
    size_t size = strlen(expected) + 1, i;
    if (actual == 0) {
        snprintf(covenant_text, sizeof covenant_text, COVENANT_SHOWN ": expected \"" COVENANT_SHOWN "\", got NULL", what,
                 expected);
        return 0;
    }
    for (i = 0; i < size && actual[i] == expected[i]; i++) {
    }
    if (i < size) {
        snprintf(covenant_text, sizeof covenant_text, COVENANT_SHOWN ": expected \"" COVENANT_SHOWN "\", got \"%.*s\"%s",
                 what, expected, (int)(i + 1 < 200 ? i + 1 : 200), actual, actual[i] != 0 ? "..." : "");
    }
    return i == size;
}

/* `test: result` */
static COVENANT_UNUSED const char *covenant_of(const char *test, const char *what)
{
    static char text[200];
    snprintf(text, sizeof text, "%.120s: %.70s", test, what);
    return text;
}

#define COVENANT_HOLDS(check) \
    do { \
        if (!(check)) { \
            COVENANT_FAIL(covenant_text); \
        } \
    } while (0)

#define EXPECT_INT(actual, expected) COVENANT_HOLDS(covenant_same_int(#actual, (long long)(actual), (long long)(expected)))
#define EXPECT_UINT(actual, expected) \
    COVENANT_HOLDS(covenant_same_uint(#actual, (unsigned long long)(actual), (unsigned long long)(expected)))
#define EXPECT_DOUBLE(actual, expected) COVENANT_HOLDS(covenant_same_double(#actual, (actual), (expected)))
#define EXPECT_FLOAT(actual, expected) COVENANT_HOLDS(covenant_same_float(#actual, (actual), (expected)))
/* The same for a row of a table. */
#define EXPECT_INT_OF(test, actual, expected) \
    COVENANT_HOLDS(covenant_same_int(covenant_of(test, #actual), (long long)(actual), (long long)(expected)))
#define EXPECT_UINT_OF(test, actual, expected) \
    COVENANT_HOLDS(covenant_same_uint(covenant_of(test, #actual), (unsigned long long)(actual), (unsigned long long)(expected)))
#define EXPECT_DOUBLE_OF(test, actual, expected) \
    COVENANT_HOLDS(covenant_same_double(covenant_of(test, #actual), (actual), (expected)))
#define EXPECT_FLOAT_OF(test, actual, expected) \
    COVENANT_HOLDS(covenant_same_float(covenant_of(test, #actual), (actual), (expected)))
#define EXPECT_PTR(actual, expected) COVENANT_HOLDS(covenant_same_pointer(#actual, (actual), #expected, (expected)))
#define EXPECT_SOME(actual) COVENANT_HOLDS(covenant_is_some(#actual, (actual)))
#define EXPECT_FUNCTION(actual, expected) \
    COVENANT_HOLDS(covenant_same_bytes(#actual, (void (*[1])(void)){ (void (*)(void))(actual) }, \
                                       (const char *)(void (*[1])(void)){ (void (*)(void))(expected) }, sizeof(void (*)(void))))
/* -1: there are more than are counted. */
#define EXPECT_ALLOCATED(expected) \
    COVENANT_HOLDS(covenant_allocated() < 0 \
                   || covenant_same_int("objects still allocated", covenant_allocated(), (long long)(expected)))
#define EXPECT_DEVICE() \
    do { \
        const char *covenant_wrong = covenant_device_end(); \
        if (covenant_wrong != 0) { \
            COVENANT_FAIL(covenant_wrong); \
        } \
    } while (0)
#define EXPECT_TEXT(actual, expected) COVENANT_HOLDS(covenant_same_text(#actual, (const char *)(actual), expected))
#define EXPECT_BYTES(actual, expected, size) COVENANT_HOLDS(covenant_same_bytes(#actual, (actual), expected, size))

#endif
