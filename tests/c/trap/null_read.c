// expect: trap null-pointer 8
// native: address
// A null pointer is read.
#include <stddef.h>

static int get(const int *p)
{
    return *p;
}

int main(void)
{
    int x = 1;
    return get(&x) + get(NULL);
}
