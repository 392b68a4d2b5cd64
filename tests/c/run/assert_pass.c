// Passing assertions, with side effects kept; static assertions.
#include <assert.h>
#include <stdio.h>

static_assert(sizeof(int) == 4, "int is 32 bits");
_Static_assert(1 + 1 == 2, "arithmetic");

struct s {
    int a;
    _Static_assert(sizeof(char) == 1, "in a struct");
    int b;
};

static int calls;
static int check(int n) { calls++; return n > 0; }

int main(void)
{
    assert(1);
    assert(check(5) && "positive");
    assert(check(1) || check(2));
    struct s s = {1, 2};
    assert(s.a < s.b);
    _Static_assert(sizeof(struct s) == 8, "two ints");
    printf("%d\n", calls);
    return calls;
}
