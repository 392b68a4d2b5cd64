// Variable length arrays: size, sizeof, several at once, of structs.
#include <stdio.h>

struct pt {
    int x, y;
};

static int triangle(int n)
{
    int row[n + 1];
    for (int i = 0; i <= n; i++)
        row[i] = 0;
    row[0] = 1;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j > 0; j--)
            row[j] += row[j - 1];
    int best = 0;
    for (int i = 0; i <= n; i++)
        if (row[i] > best)
            best = row[i];
    return best;
}

int main(void)
{
    for (int n = 1; n < 15; n += 3)
        printf("%d ", triangle(n));
    putchar('\n');
    int n = 7;
    struct pt pts[n];
    char text[n * 2];
    for (int i = 0; i < n; i++)
        pts[i] = (struct pt){i, i * i};
    printf("%zu %zu %d\n", sizeof pts, sizeof text, pts[n - 1].y);
    n = 3;
    printf("%zu\n", sizeof pts);
    snprintf(text, sizeof text, "%s", "a long string to be cut");
    puts(text);
    int k = 2;
    int once[k++];
    once[0] = once[1] = k;
    printf("%zu %d\n", sizeof once, once[0] + once[1]);
    return triangle(5);
}
