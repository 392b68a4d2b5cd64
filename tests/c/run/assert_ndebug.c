// With NDEBUG assertions vanish, side effects included.
// flags: -DNDEBUG
#include <assert.h>
#include <stdio.h>
int main(void)
{
    int n = 0;
    assert(++n > 100);
    printf("%d\n", n);
    return n;
}
