// Conway's life on a torus: a glider and a blinker, printed every few generations.
#include <stdio.h>
#include <string.h>

enum { W = 16, H = 10 };
typedef unsigned char grid[H][W];

static int neighbours(grid g, int y, int x)
{
    int n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dy || dx)
                n += g[(y + dy + H) % H][(x + dx + W) % W];
    return n;
}

static int step(grid g)
{
    grid next;
    int alive = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            int n = neighbours(g, y, x);
            next[y][x] = (unsigned char)(n == 3 || (n == 2 && g[y][x]));
            alive += next[y][x];
        }
    memcpy(g, next, sizeof next);
    return alive;
}

static void show(grid g)
{
    for (int y = 0; y < H; y++) {
        for (int x = 0; x < W; x++)
            putchar(g[y][x] ? '#' : '.');
        putchar('\n');
    }
    putchar('\n');
}

int main(void)
{
    grid g = {{0, 1}, {0, 0, 1}, {1, 1, 1}};
    g[7][10] = g[7][11] = g[7][12] = 1;
    show(g);
    int alive = 0;
    for (int i = 1; i <= 24; i++) {
        alive = step(g);
        if (i % 8 == 0)
            show(g);
    }
    return alive;
}
