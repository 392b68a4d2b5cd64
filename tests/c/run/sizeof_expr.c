// flags: -Wno-unevaluated-expression
// sizeof on types and expressions does not evaluate; except for VLAs.
// machines: x86_64 aarch64 riscv64
#include <stdio.h>

struct s {
    char c;
    long l;
    char d;
};

static int sink(int n[10]) { return (int)sizeof(*n); }

int main(void)
{
    int i = 0;
    size_t n = sizeof(i++);
    printf("%zu %d\n", n, i);
    int a[12];
    printf("%zu %zu %zu\n", sizeof a, sizeof a / sizeof a[0], sizeof(&a));
    printf("%zu %zu %zu\n", sizeof(struct s), sizeof(struct s *), sizeof(((struct s *)0)->l));
    printf("%zu %zu %zu\n", sizeof 'a', sizeof "hello", sizeof(char));
    printf("%zu %zu %zu %zu\n", sizeof 1.0f, sizeof 1.0, sizeof 1.0L, sizeof(_Bool));
    printf("%zu %zu\n", sizeof(int(*)(void)), sizeof(char[3][7]));
    printf("%d\n", sink(a));
    int k = 3;
    size_t v = sizeof(int[++k]);
    printf("%zu %d\n", v, k);
    printf("%zu %zu %zu\n", sizeof(long double), sizeof(__int128), sizeof(double _Complex));
    printf("%zu\n", sizeof(sizeof(int)));
    return (int)sizeof(short);
}
