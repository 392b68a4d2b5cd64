// Dense switches: in functions, in loops with break and continue, nested, on char.
#include <stdio.h>

static const char *digit(int n)
{
    switch (n) {
    case 0: return "zero";
    case 1: return "one";
    case 2: return "two";
    case 3: return "three";
    case 4: return "four";
    case 5: return "five";
    case 6: return "six";
    case 7: return "seven";
    case 8: return "eight";
    case 9: return "nine";
    default: return "many";
    }
}

static int nested(int a, int b)
{
    switch (a) {
    case 1:
        switch (b) {
        case 1: return 11;
        case 2: break;
        default: return 19;
        }
        return 12;
    case 2:
        return 20 + b;
    }
    return 0;
}

int main(void)
{
    for (int i = -1; i <= 10; i++)
        printf("%s ", digit(i));
    putchar('\n');
    int vowels = 0, spaces = 0, other = 0;
    for (const char *p = "the quick brown fox jumps"; *p; p++) {
        switch (*p) {
        case 'a': case 'e': case 'i': case 'o': case 'u':
            vowels++;
            break;
        case ' ':
            spaces++;
            continue;
        default:
            other++;
        }
        if (*p == 'x')
            break;
    }
    printf("%d %d %d\n", vowels, spaces, other);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 4; b++)
            printf("%d ", nested(a, b));
    putchar('\n');
    switch (vowels) {
    }
    switch (vowels)
    default:
        puts("only default");
    return nested(2, 2);
}
