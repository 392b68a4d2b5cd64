// GNU case ranges.
#include <stdio.h>

static char kind(int c)
{
    switch (c) {
    case '0' ... '9': return 'd';
    case 'a' ... 'z':
    case 'A' ... 'Z': return 'l';
    case ' ': case '\t': return 's';
    case 128 ... 255: return 'h';
    case -100 ... -1: return 'n';
    default: return '?';
    }
}

static int band(long long v)
{
    switch (v) {
    case 0 ... 999: return 0;
    case 1000 ... 999999: return 1;
    case 1000000 ... 999999999999: return 2;
    }
    return 3;
}

int main(void)
{
    int cs[] = {'0', '9', 'a', 'z', 'M', ' ', '/', ':', 128, 255, 256, -1, -100, -101};
    for (unsigned i = 0; i < sizeof cs / sizeof *cs; i++)
        putchar(kind(cs[i]));
    putchar('\n');
    printf("%d%d%d%d%d%d\n", band(0), band(999), band(1000), band(1000000), band(999999999999), band(1000000000000));
    return kind('q');
}
