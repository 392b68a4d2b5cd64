#include "unity.h"

int unity_failures;
int unity_tests;
jmp_buf unity_jump;
