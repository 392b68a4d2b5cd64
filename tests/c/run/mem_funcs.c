// memcpy, memmove with overlap, memset, memcmp, mempcpy, and the builtins.
// flags: -D_GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <strings.h>

int main(void)
{
    char a[27] = "abcdefghijklmnopqrstuvwxyz";
    char b[27];
    memcpy(b, a, sizeof b);
    memmove(a + 3, a, 10);
    puts(a);
    memmove(b, b + 3, 10);
    puts(b);
    memset(a, '*', 5);
    puts(a);
    printf("%d %d %d\n", memcmp("abc", "abd", 2), memcmp("abc", "abd", 3) < 0, memcmp("\xff", "\x01", 1) > 0);
    int v[6] = {1, 2, 3, 4, 5, 6}, w[6];
    int *end = mempcpy(w, v, 3 * sizeof *v);
    *end = 99;
    printf("%d %d %td\n", w[2], w[3], end - w);
    memset(v, 0xff, sizeof v);
    printf("%d\n", v[5]);
    __builtin_memset(v, 0, sizeof v / 2);
    printf("%d %d\n", v[2], v[3]);
    memmove(v, v, sizeof v);
    memcpy(v, w, 0);
    struct { char c; double d; } s = {'s', 2.5}, t;
    __builtin_memcpy(&t, &s, sizeof t);
    printf("%c %g\n", t.c, t.d);
    char big[5000], copy[5000];
    for (int i = 0; i < 5000; i++)
        big[i] = (char)(i * 31);
    memcpy(copy, big, sizeof copy);
    printf("%d\n", memcmp(copy, big, sizeof big));
    copy[4321]++;
    printf("%d\n", memcmp(copy, big, sizeof big) != 0);
    bzero(big, 100);
    printf("%d %d\n", big[99], big[100]);
    printf("%d\n", memmem("haystack needle", 15, "needle", 6) != NULL);
    return 0;
}
