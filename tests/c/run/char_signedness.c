// Plain char is signed on this target; the flag makes it unsigned.
// flags: -funsigned-char
#include <limits.h>
#include <stdio.h>
int main(void)
{
    char c = (char)200;
    signed char s = (signed char)200;
    printf("%d %d %d %d\n", c, s, CHAR_MIN, CHAR_MAX);
    char text[] = "\xff\x80 ok";
    int sum = 0;
    for (char *p = text; *p; p++)
        sum += *p;
    printf("%d %d\n", sum, text[0] > 0);
    return c > 0;
}
