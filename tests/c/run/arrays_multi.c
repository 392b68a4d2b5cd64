// Arrays of two, three and four dimensions; partial initialisers; arrays as parameters.
#include <stdio.h>

static int cube[3][4][5];
static const short table[2][2][2][2] = {{{{1, 2}, {3, 4}}, {{5}}}, {[1] = {[1] = {[1] = 9}}}};

static void fill(int c[][4][5], int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 5; k++)
                c[i][j][k] = i * 100 + j * 10 + k;
}

int main(void)
{
    fill(cube, 3);
    printf("%d %d %d\n", cube[2][3][4], cube[1][0][2], cube[0][3][0]);
    int *flat = &cube[0][0][0];
    int s = 0;
    for (int i = 0; i < 3 * 4 * 5; i += 7)
        s += *(flat + i);
    printf("%d\n", s);
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
            for (int c = 0; c < 2; c++)
                printf("%d,%d ", table[a][b][c][0], table[a][b][c][1]);
    putchar('\n');
    double m[3][3] = {{1, 2, 3}, {0, 1, 4}, {5, 6, 0}}, t[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            t[j][i] = m[i][j];
    double det = t[0][0] * (t[1][1] * t[2][2] - t[1][2] * t[2][1]) - t[0][1] * (t[1][0] * t[2][2] - t[1][2] * t[2][0]) +
                 t[0][2] * (t[1][0] * t[2][1] - t[1][1] * t[2][0]);
    printf("%g\n", det);
    char grid[4][6];
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 5; j++)
            grid[i][j] = (char)('a' + i * 5 + j);
        grid[i][5] = 0;
    }
    for (int i = 3; i >= 0; i--)
        puts(grid[i]);
    return cube[1][2][3] % 256;
}
