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

#define TEST_ASSERT_EQUAL_INT(expected, actual) UNITY_FAIL_IF_((long long)(expected) != (long long)(actual), #actual)
#define TEST_ASSERT_TRUE(condition) UNITY_FAIL_IF_(!(condition), #condition)
#define TEST_ASSERT_NULL(pointer) UNITY_FAIL_IF_((pointer) != NULL, #pointer)
#define TEST_ASSERT_EQUAL_PTR(expected, actual) \
    UNITY_FAIL_IF_((const void *)(expected) != (const void *)(actual), #actual)
#define TEST_ASSERT_EQUAL_MEMORY(expected, actual, count) \
    UNITY_FAIL_IF_(memcmp((expected), (actual), (count)) != 0, #actual)

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
#define UNITY_END() (printf("%d Tests %d Failures 0 Ignored\n", unity_tests, unity_failures), unity_failures)

#endif
