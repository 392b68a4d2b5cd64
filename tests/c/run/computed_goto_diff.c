// A static table of label differences, as position independent interpreters use.
#include <stdio.h>

static int walk(const char *s)
{
    static const int offset[] = {&&word - &&word, &&space - &&word, &&digit - &&word, &&end - &&word};
    int words = 0, digits = 0, in = 0;
#define KIND(c) ((c) == 0 ? 3 : (c) == ' ' ? 1 : (c) >= '0' && (c) <= '9' ? 2 : 0)
#define NEXT goto *(&&word + offset[KIND(*s)])
    NEXT;
word:
    if (!in)
        words++;
    in = 1;
    s++;
    NEXT;
space:
    in = 0;
    s++;
    NEXT;
digit:
    digits = digits * 10 + (*s - '0');
    s++;
    NEXT;
end:
    return words * 1000 + digits;
}

int main(void)
{
    printf("%d\n", walk("one two  three 42"));
    printf("%d\n", walk(""));
    printf("%d\n", walk("12 a 3"));
    return 0;
}
