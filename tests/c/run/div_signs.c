// Division truncates towards zero and the remainder takes the sign of the dividend.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int v[] = {17, -17, 5, -5, 1, -1, 0, 2147483647, -2147483647};
    int d[] = {5, -5, 3, -3, 1, 7, -16};
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
        for (unsigned j = 0; j < sizeof d / sizeof *d; j++)
            printf("%d/%d ", v[i] / d[j], v[i] % d[j]);
        putchar('\n');
    }
    int8_t a = -100, b = 7;
    printf("%d %d\n", a / b, a % b);
    int64_t x = -9223372036854775807LL, y = 10;
    printf("%lld %lld\n", (long long)(x / y), (long long)(x % y));
    printf("%u %u\n", (unsigned)-17 / 5u, (unsigned)-17 % 5u);
    div_t q = div(-17, 5);
    ldiv_t lq = ldiv(17, -5);
    lldiv_t llq = lldiv(-100, -7);
    printf("%d %d %ld %ld %lld %lld\n", q.quot, q.rem, lq.quot, lq.rem, llq.quot, llq.rem);
    return 0;
}
