/* The functions by which tasks of Test-Comp ask for inputs: each is a line of standard input, and the program ends where there are no
 * more. goal() writes down which marks were passed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void goal(int number)
{
    fprintf(stderr, "goal %d\n", number);
    fflush(stderr);
}

static const char *line(void)
{
    static char text[256];
    if (fgets(text, sizeof text, stdin) == NULL)
        exit(1);
    return text;
}

#define INTEGER(name, type)                                                                                            \
    type __VERIFIER_nondet_##name(void)                                                                                \
    {                                                                                                                  \
        const char *text = line();                                                                                     \
        return (type)(text[0] == '-' ? (unsigned long long)strtoll(text, NULL, 10) : strtoull(text, NULL, 10));        \
    }
INTEGER(bool, _Bool)
INTEGER(char, char)
INTEGER(uchar, unsigned char)
INTEGER(short, short)
INTEGER(ushort, unsigned short)
INTEGER(int, int)
INTEGER(uint, unsigned)
INTEGER(long, long)
INTEGER(ulong, unsigned long)
INTEGER(longlong, long long)
INTEGER(ulonglong, unsigned long long)

double __VERIFIER_nondet_double(void) { return strtod(line(), NULL); }
float __VERIFIER_nondet_float(void) { return strtof(line(), NULL); }

void __VERIFIER_assume(int holds)
{
    if (!holds)
        exit(2);
}
