// Flexible array members, on the heap and statically initialised.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct msg {
    unsigned short len;
    char kind;
    char data[];
};

struct vec {
    size_t n;
    double v[];
};

static struct msg fixed = {5, 'f', {"fixed"}};

static struct msg *make(char kind, const char *s)
{
    size_t n = strlen(s);
    struct msg *m = malloc(sizeof *m + n + 1);
    m->len = (unsigned short)n;
    m->kind = kind;
    memcpy(m->data, s, n + 1);
    return m;
}

int main(void)
{
    struct msg *m = make('x', "a flexible tail");
    printf("%c %u %s %zu\n", m->kind, m->len, m->data, sizeof *m);
    printf("%c %.*s\n", fixed.kind, fixed.len, fixed.data);
    struct vec *v = malloc(sizeof *v + 4 * sizeof(double));
    v->n = 4;
    double s = 0;
    for (size_t i = 0; i < v->n; i++)
        v->v[i] = (double)i * 1.25;
    v = realloc(v, sizeof *v + 8 * sizeof(double));
    for (; v->n < 8; v->n++)
        v->v[v->n] = 1;
    for (size_t i = 0; i < v->n; i++)
        s += v->v[i];
    printf("%g\n", s);
    free(v);
    free(m);
    return 0;
}
