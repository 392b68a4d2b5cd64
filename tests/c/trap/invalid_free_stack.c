// expect: trap invalid-free 8
// native: address
// free of a local array.
#include <stdlib.h>

static void drop(void *p)
{
    free(p);
}

int main(void)
{
    char buf[10] = "stack";
    drop(buf);
    return buf[0];
}
