// expect: trap use-after-return 16
// native: address
// Memory of alloca does not outlive its function.
#include <alloca.h>

static char *make(void)
{
    char *p = alloca(16);
    p[0] = 'a';
    return p;
}

int main(void)
{
    char *p = make();
    p[0] = 'b';
    return 0;
}
