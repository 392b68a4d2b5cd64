// Variably modified parameters and two-dimensional VLAs.
#include <stdio.h>
#include <stdlib.h>

static void mul(int n, int m, int p, double a[n][m], double b[m][p], double c[n][p])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < p; j++) {
            c[i][j] = 0;
            for (int k = 0; k < m; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

int main(void)
{
    int n = 2, m = 3, p = 4;
    double a[n][m], b[m][p];
    double(*c)[p] = malloc(sizeof(double[n][p]));
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            a[i][k] = i + k;
    for (int k = 0; k < m; k++)
        for (int j = 0; j < p; j++)
            b[k][j] = k - j * 0.5;
    mul(n, m, p, a, b, c);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < p; j++)
            printf("%g ", c[i][j]);
        putchar('\n');
    }
    printf("%zu %zu %zu\n", sizeof a, sizeof a[0], sizeof *c);
    double(*row)[m] = &a[1];
    printf("%g %d\n", (*row)[2], (int)((char *)row - (char *)a));
    free(c);
    return 0;
}
