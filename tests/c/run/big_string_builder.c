// A growing string with formatted appending, insertion, replacement and joining.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sb {
    char *s;
    size_t len, cap;
};

static void reserve(struct sb *b, size_t more)
{
    if (b->len + more + 1 <= b->cap)
        return;
    while (b->cap < b->len + more + 1)
        b->cap = b->cap ? b->cap * 2 : 8;
    b->s = realloc(b->s, b->cap);
}

static void insert(struct sb *b, size_t at, const char *text, size_t n)
{
    reserve(b, n);
    memmove(b->s + at + n, b->s + at, b->len - at);
    memcpy(b->s + at, text, n);
    b->len += n;
    b->s[b->len] = 0;
}

static void append(struct sb *b, const char *text) { insert(b, b->len, text, strlen(text)); }

static void appendf(struct sb *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    va_list again;
    va_copy(again, ap);
    size_t n = (size_t)vsnprintf(NULL, 0, fmt, ap);
    reserve(b, n);
    vsnprintf(b->s + b->len, n + 1, fmt, again);
    b->len += n;
    va_end(again);
    va_end(ap);
}

static int replace(struct sb *b, const char *from, const char *to)
{
    int n = 0;
    size_t fl = strlen(from), tl = strlen(to), at = 0;
    for (char *p; (p = strstr(b->s + at, from)); n++) {
        at = (size_t)(p - b->s);
        memmove(p, p + fl, b->len - at - fl + 1);
        b->len -= fl;
        insert(b, at, to, tl);
        at += tl;
    }
    return n;
}

int main(void)
{
    struct sb b = {0};
    append(&b, "");
    for (int i = 0; i < 12; i++)
        appendf(&b, "%s%d:%02x", i ? ", " : "", i * i, i * 17);
    printf("%zu %s\n", b.len, b.s);
    insert(&b, 0, "[", 1);
    append(&b, "]");
    printf("%d\n", replace(&b, ", ", "; "));
    printf("%d\n", replace(&b, ":", " => "));
    printf("%d\n", replace(&b, "absent", ""));
    printf("%d\n", replace(&b, "; ", ""));
    puts(b.s);
    printf("%zu %d\n", strlen(b.s) - b.len, b.cap > b.len);
    free(b.s);
    return 0;
}
