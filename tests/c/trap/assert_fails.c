// expect: trap assertion 8
// native: signal
// A failed assertion in a callee.
#include <assert.h>

static int half(int n)
{
    assert(n % 2 == 0 && "even");
    return n / 2;
}

int main(void)
{
    return half(4) + half(5);
}
