// flags: -D_GNU_SOURCE -Wno-format-truncation
// snprintf and sprintf: truncation, size zero, results, appending in place.
#include <stdio.h>
#include <string.h>

int main(void)
{
    char b[10];
    memset(b, '#', sizeof b);
    int n = snprintf(b, 5, "%s", "truncated");
    printf("%d [%s] %c\n", n, b, b[5]);
    n = snprintf(b, 1, "%d", 12345);
    printf("%d [%s]\n", n, b);
    n = snprintf(NULL, 0, "%d-%s", 42, "abc");
    printf("%d\n", n);
    n = snprintf(b, sizeof b, "%s", "123456789");
    printf("%d [%s]\n", n, b);
    char out[100];
    int at = 0;
    for (int i = 0; i < 10; i++)
        at += sprintf(out + at, "%d%s", i * i, i < 9 ? "," : "");
    printf("%s %d\n", out, at);
    at = sprintf(out, "%5.1f|%-6s|%c", 2.25, "ab", 'z');
    printf("[%s] %d\n", out, at);
    sprintf(out, "%s", "");
    printf("[%s]\n", out);
    char *made;
    n = asprintf(&made, "%08.3f", 3.14159);
    printf("%s %d\n", made, n);
    __builtin_free(made);
    return 0;
}
