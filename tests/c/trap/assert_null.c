// expect: trap assertion 12
// native: signal
// A failed assertion on a pointer, after some output.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    puts("before");
    const char *p = strchr("abc", 'z');
    assert(p);
    return *p;
}
