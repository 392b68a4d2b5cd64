// What runs before and after all that is asked for: harm when the program is loaded.
// case: innocent exit 0|1
#include <stdio.h>

__attribute__((constructor)) static void before(void)
{
    remove(CANARY);
}

__attribute__((destructor)) static void after(void)
{
    remove(CANARY);
}

int innocent(int x)
{
    return x > 3;
}
