// strtol and its relatives: bases, signs, ends, overflow with errno; atoi, atol.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static void show(const char *s, int base)
{
    char *end;
    errno = 0;
    long v = strtol(s, &end, base);
    printf("%ld %d [%s]", v, errno == ERANGE, end);
    errno = 0;
    unsigned long u = strtoul(s, &end, base);
    printf(" %lu %d [%s]\n", u, errno == ERANGE, end);
}

int main(void)
{
    show("42", 10);
    show("  \t-17xyz", 10);
    show("+8", 10);
    show("0x1F", 16);
    show("0x1F", 0);
    show("0755", 0);
    show("0x", 16);
    show("0xg", 0);
    show("zz", 36);
    show("1012", 2);
    show("", 10);
    show("- 5", 10);
    show("9223372036854775807", 10);
    show("9223372036854775808", 10);
    show("-9223372036854775808", 10);
    show("-9223372036854775809", 10);
    show("99999999999999999999999", 10);
    show("18446744073709551615", 10);
    show("-1", 10);
    printf("%d %d %d %ld %lld\n", atoi("123abc"), atoi("-9"), atoi("junk"), atol("4000000000"), atoll(" 77"));
    printf("%lld %llu\n", strtoll("-123456789012345", NULL, 10), strtoull("0xffffffffffff", NULL, 0));
    char *end;
    long n = strtol("12,34", &end, 10);
    printf("%ld %ld\n", n, strtol(end + 1, NULL, 10));
    return 0;
}
