// The function sscanf: widths, suppression, sets, counts, bases, failures, end of input.
#include <stdio.h>

int main(void)
{
    int a = -1, b = -1, n, pos = -1;
    char s[20] = "", t[20] = "";
    n = sscanf("12345", "%2d%3d", &a, &b);
    printf("%d %d %d\n", n, a, b);
    n = sscanf("10 0x10 010", "%i %i %i", &a, &b, &pos);
    printf("%d %d %d %d\n", n, a, b, pos);
    n = sscanf("skip 5 keep 6", "%*s %*d %s %d", s, &a);
    printf("%d %s %d\n", n, s, a);
    n = sscanf("key=value;", "%[^=]=%[^;]", s, t);
    printf("%d %s %s\n", n, s, t);
    n = sscanf("abc]def", "%[]abc]%n", s, &pos);
    printf("%d %s %d\n", n, s, pos);
    n = sscanf("2024-02-30", "%4d-%2d-%2d", &a, &b, &pos);
    printf("%d %d %d %d\n", n, a, b, pos);
    n = sscanf("x", "%d", &a);
    printf("%d\n", n);
    n = sscanf("", "%d", &a);
    printf("%d\n", n);
    n = sscanf("5 x", "%d %d", &a, &b);
    printf("%d %d\n", n, a);
    char c1, c2, c3;
    n = sscanf(" ab", "%c%c%c", &c1, &c2, &c3);
    printf("%d [%c%c%c]\n", n, c1, c2, c3);
    n = sscanf("  z", " %c", &c1);
    printf("%d %c\n", n, c1);
    signed char hh;
    short h;
    long l;
    long long ll;
    unsigned u;
    n = sscanf("-5 300 -70000000000 99 4294967295", "%hhd %hd %ld %lld %u", &hh, &h, &l, &ll, &u);
    printf("%d %d %d %ld %lld %u\n", n, hh, h, l, ll, u);
    float f;
    double d;
    long double ld;
    n = sscanf("1.5 -2e-3 .25", "%f %lf %Lf", &f, &d, &ld);
    printf("%d %g %g %Lg\n", n, f, d, ld);
    unsigned o, x, X;
    n = sscanf("777 fF 0XaB", "%o %x %X", &o, &x, &X);
    printf("%d %u %u %u\n", n, o, x, X);
    n = sscanf("50% done", "%d%% %s", &a, s);
    printf("%d %d %s\n", n, a, s);
    n = sscanf("12abc", "%d%n%s", &a, &pos, s);
    printf("%d %d %d %s\n", n, a, pos, s);
    n = sscanf("a-z", "%[a-c-]", s);
    printf("%d %s\n", n, s);
    return 0;
}
