// Pointers to arrays, arrays of pointers, and functions taking them.
#include <stdio.h>

static int sum_rows(int (*m)[4], int rows)
{
    int s = 0;
    for (int (*r)[4] = m; r < m + rows; r++)
        for (int *p = *r; p < *r + 4; p++)
            s = s * 3 + *p;
    return s;
}

static int (*pick(int (*m)[4], int i))[4]
{
    return &m[i];
}

int main(void)
{
    int m[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
    printf("%d\n", sum_rows(m, 3));
    int (*row)[4] = pick(m, 1);
    printf("%d %d %zu %zu\n", (*row)[2], row[1][0], sizeof *row, sizeof m);
    const char *names[] = {"zero", "one", "two", NULL};
    for (const char **p = names; *p; p++)
        printf("%s:%c ", *p, (*p)[1]);
    putchar('\n');
    int *rows[3] = {m[2], m[0], m[1]};
    for (int i = 0; i < 3; i++)
        printf("%d ", rows[i][i]);
    putchar('\n');
    int (*whole)[3][4] = &m;
    printf("%d %td\n", (*whole)[2][3], (char *)(whole + 1) - (char *)whole);
    int ***deep, **mid, *low = &m[1][1];
    mid = &low;
    deep = &mid;
    ***deep = 66;
    printf("%d\n", m[1][1]);
    return 0;
}
