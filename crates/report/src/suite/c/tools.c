/* Streams among the inputs, and the inputs of other tools: those of Test-Comp and SV-COMP, KLEE's and CREST's. These are all weak: a
 * subject may bring its own. */
#define _GNU_SOURCE
#include "covenant.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define WEAK __attribute__((weak))

void *covenant_stream(unsigned long size, const char *content)
{
    char name[] = "covenant-XXXXXX";
    int file = mkstemp(name);
    FILE *stream = file < 0 ? tmpfile() : fdopen(file, "w+");
    if (file >= 0)
        unlink(name);
    if (stream == NULL || fwrite(content, 1, size, stream) != size) {
        fprintf(stderr, "covenant: no file for a stream of %lu bytes\n", size);
        _exit(125);
    }
    rewind(stream);
    return stream;
}

#define ANSWER(type, name)                         \
    WEAK type name(void);                          \
    WEAK type name(void)                           \
    {                                              \
        type result;                               \
        covenant_answer(#name, &result, sizeof result); \
        return result;                             \
    }

ANSWER(_Bool, __VERIFIER_nondet_bool)
ANSWER(char, __VERIFIER_nondet_char)
ANSWER(signed char, __VERIFIER_nondet_schar)
ANSWER(unsigned char, __VERIFIER_nondet_uchar)
ANSWER(short, __VERIFIER_nondet_short)
ANSWER(unsigned short, __VERIFIER_nondet_ushort)
ANSWER(int, __VERIFIER_nondet_int)
ANSWER(unsigned int, __VERIFIER_nondet_uint)
ANSWER(unsigned int, __VERIFIER_nondet_unsigned)
ANSWER(unsigned int, __VERIFIER_nondet_unsigned_int)
ANSWER(long, __VERIFIER_nondet_long)
ANSWER(unsigned long, __VERIFIER_nondet_ulong)
ANSWER(long long, __VERIFIER_nondet_longlong)
ANSWER(unsigned long long, __VERIFIER_nondet_ulonglong)
#ifdef __SIZEOF_INT128__
ANSWER(__int128, __VERIFIER_nondet_int128)
ANSWER(unsigned __int128, __VERIFIER_nondet_uint128)
#endif
ANSWER(float, __VERIFIER_nondet_float)
ANSWER(double, __VERIFIER_nondet_double)
ANSWER(void *, __VERIFIER_nondet_pointer)
ANSWER(size_t, __VERIFIER_nondet_size_t)
ANSWER(uint8_t, __VERIFIER_nondet_u8)
ANSWER(uint16_t, __VERIFIER_nondet_u16)
ANSWER(uint32_t, __VERIFIER_nondet_u32)

WEAK void __VERIFIER_assume(int holds);
WEAK void __VERIFIER_assume(int holds)
{
    covenant_assume(holds, "__VERIFIER_assume");
}

WEAK void __VERIFIER_error(void);
WEAK void __VERIFIER_error(void)
{
    abort();
}

WEAK void reach_error(void);
WEAK void reach_error(void)
{
    abort();
}

WEAK void klee_make_symbolic(void *object, size_t size, const char *name);
WEAK void klee_make_symbolic(void *object, size_t size, const char *name)
{
    (void)name;
    covenant_answer("klee_make_symbolic", object, size);
}

WEAK void klee_assume(uintptr_t holds);
WEAK void klee_assume(uintptr_t holds)
{
    covenant_assume(holds != 0, "klee_assume");
}

WEAK int klee_int(const char *name);
WEAK int klee_int(const char *name)
{
    int result;
    (void)name;
    covenant_answer("klee_int", &result, sizeof result);
    return result;
}

WEAK int klee_range(int from, int to, const char *name);
WEAK int klee_range(int from, int to, const char *name)
{
    int result;
    (void)name;
    covenant_answer("klee_range", &result, sizeof result);
    /* Behind the end of the recording zero may be outside. */
    return result < from || result >= to ? from : result;
}

/* CREST's header turns CREST_int(x) into a call of __CrestInt with the address of x. */
#define CREST(type, macro, name)                   \
    WEAK void name(type *object);                  \
    WEAK void name(type *object)                   \
    {                                              \
        covenant_answer(#name, object, sizeof *object); \
    }                                              \
    WEAK void macro(type *object);                 \
    WEAK void macro(type *object)                  \
    {                                              \
        covenant_answer(#macro, object, sizeof *object); \
    }

CREST(char, CREST_char, __CrestChar)
CREST(unsigned char, CREST_unsigned_char, __CrestUChar)
CREST(short, CREST_short, __CrestShort)
CREST(unsigned short, CREST_unsigned_short, __CrestUShort)
CREST(int, CREST_int, __CrestInt)
CREST(unsigned int, CREST_unsigned_int, __CrestUInt)
