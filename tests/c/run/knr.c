// flags: -std=gnu89 -Wno-deprecated-non-prototype -Wno-strict-prototypes -Wno-implicit-int
// Old style definitions and declarations without prototypes.
#include <stdio.h>

int add();
double half();
static counter = 3;

int add(a, b)
    int a, b;
{
    return a + b;
}

double half(d)
    double d;
{
    return d / 2;
}

float narrow(f, c, s)
    float f;
    char c;
    short s;
{
    return f * c + s;
}

int length(s)
    char *s;
{
    int n = 0;
    while (*s++)
        n++;
    return n;
}

main()
{
    int (*f)() = add;
    printf("%d %g %g\n", add(2, 3), half(5.0), (double)narrow(1.5f, 2, 3));
    printf("%d %d %d\n", f(40, 2), length("old style"), counter);
    return add(1, 1);
}
