
#include <setjmp.h>
#if defined __GNUC__ && !defined __clang__
/* Nothing that a test has is changed between setjmp and longjmp but by the code under test, through pointers. */
#pragma GCC diagnostic ignored "-Wclobbered"
#endif

/* A function that does not return goes back to the test that waits for its call. */
static jmp_buf covenant_back;
static int covenant_waits;
static const char *covenant_ended;

static __attribute__((unused, noreturn)) void covenant_ends(const char *name)
{
    if (!covenant_waits) {
        fprintf(stderr, "%s is called, and the test does not expect that\n", name);
        abort();
    }
    covenant_ended = name;
    longjmp(covenant_back, 1);
}

#define EXPECT_END(function, ...) \
    do { \
        covenant_ended = 0; \
        covenant_waits = 1; \
        if (setjmp(covenant_back) == 0) { \
            __VA_ARGS__; \
        } \
        covenant_waits = 0; \
        if (covenant_ended == 0) { \
            COVENANT_FAIL(#__VA_ARGS__ ": expected to end with a call of " function ", but it returned"); \
        } else if (strcmp(covenant_ended, function) != 0) { \
            COVENANT_FAIL(#__VA_ARGS__ ": expected to end with a call of " function ", but it called another"); \
        } \
    } while (0)
