// Fallthrough, default in the middle, a switch that jumps into a loop.
#include <stdio.h>

static int countdown(int n)
{
    int s = 0;
    switch (n) {
    case 4: s += 4; // fall through
    case 3: s += 3; // fall through
    default: s += 100; // fall through
    case 2: s += 2; // fall through
    case 1: s += 1;
    }
    return s;
}

static void copy(char *to, const char *from, int count)
{
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7:      *to++ = *from++;
    case 6:      *to++ = *from++;
    case 5:      *to++ = *from++;
    case 4:      *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--n > 0);
    }
}

int main(void)
{
    for (int i = 0; i < 6; i++)
        printf("%d ", countdown(i));
    putchar('\n');
    char out[32] = {0};
    copy(out, "an odd device for copying", 25);
    puts(out);
    copy(out, "OVER", 3);
    puts(out);
    int x = 2;
    switch (x) {
        int y;
    case 1:
        y = 1;
        printf("%d\n", y);
        break;
    case 2:
        y = 5;
        printf("%d\n", y * x);
    }
    return countdown(9);
}
