// Wrappers around vprintf, vsnprintf, vsscanf, vfprintf.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 1, 2))) static char *format(const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    char *s = malloc((size_t)n + 1);
    vsnprintf(s, (size_t)n + 1, fmt, again);
    va_end(again);
    return s;
}

static void say(FILE *to, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fputs("> ", to);
    vfprintf(to, fmt, ap);
    va_end(ap);
    fputc('\n', to);
}

static int parse(const char *s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsscanf(s, fmt, ap);
    va_end(ap);
    return n;
}

int main(void)
{
    char *s = format("%s-%05d-%c-%.3f-%llx", "abc", 42, 'q', 2.0 / 3, 0xdeadbeefcafeULL);
    printf("%s %zu\n", s, strlen(s));
    free(s);
    say(stdout, "%d %s %g", 1, "two", 3.0);
    int a, b;
    char w[10];
    int n = parse("12 word 34", "%d %9s %d", &a, w, &b);
    printf("%d %d %s %d\n", n, a, w, b);
    return 0;
}
