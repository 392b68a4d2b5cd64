// ctype.h over the whole range of unsigned char, and EOF.
#include <ctype.h>
#include <stdio.h>

int main(void)
{
    int (*const tests[])(int) = {isalnum, isalpha, isblank, iscntrl, isdigit,  isgraph,
                                 islower, isprint, ispunct, isspace, isupper, isxdigit};
    for (unsigned t = 0; t < sizeof tests / sizeof *tests; t++) {
        unsigned count = 0, hash = 0;
        for (int c = -1; c < 256; c++)
            if (tests[t](c)) {
                count++;
                hash = hash * 31 + (unsigned)c;
            }
        printf("%u %u\n", count, hash);
    }
    unsigned up = 0, low = 0;
    for (int c = 0; c < 256; c++) {
        up = up * 33 + (unsigned)toupper(c);
        low = low * 33 + (unsigned)tolower(c);
    }
    printf("%u %u %d\n", up, low, tolower(EOF));
    for (const char *p = "Hello, World 42!"; *p; p++)
        putchar(isalpha((unsigned char)*p) ? (islower((unsigned char)*p) ? toupper(*p) : tolower(*p)) : *p);
    putchar('\n');
    return isdigit('7') && !isdigit('a');
}
