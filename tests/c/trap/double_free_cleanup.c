// expect: trap double-free 19
// native: address
// An error path frees what the caller frees again.
#include <stdlib.h>

static int fill(char *buf, int n)
{
    if (n > 10) {
        free(buf);
        return -1;
    }
    return 0;
}

int main(void)
{
    char *buf = malloc(10);
    int rc = fill(buf, 20);
    free(buf);
    return rc;
}
