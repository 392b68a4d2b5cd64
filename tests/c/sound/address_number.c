// Which number an address is differs from run to run: natively a test may take another way behind a question about it.
// function: hashes
// reachable: 16:9 true
// reachable: 16:9 false
// reachable: 18:9 true
// reachable: 18:9 false
// reachable: 20:9 true
// reachable: 20:9 false
#include <stdint.h>
static char lot[64];
int hashes(signed char key);
int hashes(signed char key)
{
    char local = 0;
    uintptr_t hash = (uintptr_t)&local >> 4;
    if (hash % 8 == 5)
        return 1;
    if (((uintptr_t)lot >> 12) % 2)
        return 2;
    if (key == 9)
        return 3;
    return 0;
}
