#include "unity.h"

int unity_failures;
int unity_tests;
jmp_buf unity_jump;

void UnityDefaultTestRun(void (*test)(void), const char *name, int line)
{
    (void)name;
    (void)line;
    RUN_TEST(test);
}
