// _Generic selects by type; type-generic macros.
#include <stdio.h>

#define NAME(x)                                                                                                        \
    _Generic((x), _Bool: "bool", char: "char", signed char: "schar", int: "int", unsigned: "unsigned", long: "long",    \
        float: "float", double: "double", long double: "ldouble", char *: "string", int *: "int*", default: "other")
#define SQUARE(x) _Generic((x), int: isq, double: dsq, float: dsq)(x)

static int isq(int n) { return n * n; }
static double dsq(double d) { return d * d; }
struct s { int a; };

int main(void)
{
    char c = 'c';
    struct s s = {0};
    int arr[3];
    printf("%s %s %s %s %s\n", NAME(1), NAME(1u), NAME(1L), NAME(c), NAME((signed char)1));
    printf("%s %s %s %s\n", NAME(1.0f), NAME(1.0), NAME(1.0L), NAME((_Bool)1));
    printf("%s %s %s %s\n", NAME("s"), NAME(arr), NAME(s), NAME(&c));
    printf("%d %g\n", SQUARE(5), SQUARE(1.5));
    printf("%s\n", NAME('a' + c));
    const int ci = 3;
    printf("%s\n", NAME(ci));
    return SQUARE(4);
}
