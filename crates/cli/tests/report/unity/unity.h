/* Stands in for ThrowTheSwitch's Unity, which Debian does not package: the names that suites use, with Unity's meaning. */
#ifndef UNITY_H
#define UNITY_H
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

void setUp(void);
void tearDown(void);

extern int unity_failures;
extern int unity_tests;
extern jmp_buf unity_jump;

#define UNITY_FAIL_IF_(wrong, what) \
    do { \
        if (wrong) { \
            printf("%s:%d: FAIL: %s\n", __FILE__, __LINE__, what); \
            unity_failures++; \
            longjmp(unity_jump, 1); \
        } \
    } while (0)

#define TEST_ASSERT_EQUAL_INT_MESSAGE(expected, actual, message) \
    UNITY_FAIL_IF_((long long)(expected) != (long long)(actual), message)
#define TEST_FAIL_MESSAGE(message) UNITY_FAIL_IF_(1, message)

#define UNITY_BEGIN() (unity_failures = 0)
#define RUN_TEST(test) \
    do { \
        unity_tests++; \
        setUp(); \
        if (setjmp(unity_jump) == 0) { \
            test(); \
        } \
        tearDown(); \
    } while (0)
/* The same with a name of its own. */
void UnityDefaultTestRun(void (*test)(void), const char *name, int line);
#define UNITY_END() (printf("%d Tests %d Failures 0 Ignored\n", unity_tests, unity_failures), unity_failures)

#endif
