// Assignment copies whole structs, arrays inside and all; self assignment; through pointers.
#include <stdio.h>
#include <stdlib.h>

struct grid {
    int w, h;
    int cell[3][3];
    struct {
        char tag[4];
    } meta;
};

int main(void)
{
    struct grid a = {3, 3, {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, {"one"}};
    struct grid b = a, c;
    b.cell[1][1] = 50;
    b.meta.tag[0] = 'O';
    c = b;
    c.w = 0;
    printf("%d %d %d %s %s %d\n", a.cell[1][1], b.cell[1][1], c.cell[1][1], a.meta.tag, c.meta.tag, b.w);
    struct grid *p = malloc(2 * sizeof *p);
    p[0] = a;
    p[1] = *p;
    p[1].cell[2][2] = -1;
    *p = p[1];
    *p = *p;
    printf("%d %d\n", p->cell[2][2], (p + 1)->cell[0][0]);
    struct grid d;
    d = c = a;
    printf("%d %d\n", d.cell[0][2], c.w);
    struct grid arr[2] = {b, *p};
    printf("%d %d\n", arr[0].cell[1][1], arr[1].cell[2][2]);
    int pick = 1;
    printf("%s\n", (pick ? b : a).meta.tag);
    free(p);
    return a.cell[2][1];
}
