// strtod, strtof, strtold and atof: decimal, exponent, hexadecimal, inf, nan, range.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void show(const char *s)
{
    char *end;
    errno = 0;
    double d = strtod(s, &end);
    printf("%.17g [%s] %d\n", d, end, errno == ERANGE);
}

int main(void)
{
    show("3.14159");
    show("  -0.5e3x");
    show("1e400");
    show("-1e400");
    show("1e-400");
    show("4.9e-324");
    show(".5");
    show("5.");
    show(".");
    show("1e");
    show("1e+");
    show("0x1.8p3");
    show("0x.1");
    show("inf");
    show("-INFINITY!");
    show("abc");
    show("0.1");
    show("123456789012345678901234567890");
    show("2.2250738585072011e-308");
    show("9007199254740993");
    show("1.7976931348623157e308");
    printf("%d %d\n", isnan(strtod("nan", NULL)) != 0, isnan(strtod("NAN(123)", NULL)) != 0);
    printf("%.9g %.9g\n", strtof("0.1", NULL), strtof("16777217", NULL));
    printf("%.20Lg\n", strtold("0.1", NULL));
    printf("%g %g\n", atof("2.5kg"), atof("none"));
    return 0;
}
