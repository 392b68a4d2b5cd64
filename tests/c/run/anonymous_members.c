// Anonymous structs and unions inside structs; container_of by offset.
#include <stddef.h>
#include <stdio.h>

struct list { struct list *next; };

struct shape {
    int kind;
    union {
        struct { double r; };
        struct { double w, h; };
        double side[2];
    };
    struct list link;
};

#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

static double area(const struct shape *s)
{
    return s->kind == 0 ? 3 * s->r * s->r : s->w * s->h;
}

int main(void)
{
    struct shape a = {.kind = 0, .r = 2}, b = {.kind = 1, .w = 3, .h = 4}, c = {1, .side = {5, 6}, {0}};
    a.link.next = &b.link;
    b.link.next = &c.link;
    double total = 0;
    for (struct list *l = &a.link; l; l = l->next) {
        struct shape *s = container_of(l, struct shape, link);
        printf("%d %g %g\n", s->kind, area(s), s->side[0]);
        total += area(s);
    }
    printf("%g %zu\n", total, offsetof(struct shape, link));
    return (int)total;
}
