// GNU statement expressions, typeof, local labels and __auto_type.
#include <stdio.h>

#define MAX(a, b)                                                                                                      \
    ({                                                                                                                 \
        typeof(a) a_ = (a);                                                                                            \
        typeof(b) b_ = (b);                                                                                            \
        a_ > b_ ? a_ : b_;                                                                                             \
    })
#define SWAP(a, b)                                                                                                     \
    do {                                                                                                               \
        __auto_type t_ = (a);                                                                                          \
        (a) = (b);                                                                                                     \
        (b) = t_;                                                                                                      \
    } while (0)

struct p {
    int x, y;
};

static int find(const int *v, int n, int want)
{
    return ({
        __label__ done;
        int at = -1;
        for (int i = 0; i < n; i++)
            if (v[i] == want) {
                at = i;
                goto done;
            }
    done:
        at;
    });
}

int main(void)
{
    int i = 3;
    int most = MAX(i++, 2);
    printf("%d %d\n", most, i);
    printf("%g\n", MAX(1.5, 2));
    double a = 1, b = 2;
    SWAP(a, b);
    struct p p = {1, 2}, q = {3, 4};
    SWAP(p, q);
    printf("%g %g %d %d\n", a, b, p.x, q.y);
    int v[] = {5, 8, 13, 21};
    printf("%d %d\n", find(v, 4, 13), find(v, 4, 14));
    struct p r = ({ struct p t = p; t.x *= 2; t; });
    printf("%d %d\n", r.x, r.y);
    typeof(int[3]) arr = {1, 2, 3};
    typeof(&arr[0]) ptr = arr + 1;
    printf("%d %zu\n", *ptr, sizeof arr);
    int total = 0;
    for (int k = 0; ({ total += k; k < 5; }); k++)
        ;
    return total;
}
