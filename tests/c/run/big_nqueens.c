// N queens by backtracking with arrays, and with bit masks; prints the first board.
#include <stdio.h>
#include <stdlib.h>

static int place[12], count;

static int safe(int row, int col)
{
    for (int r = 0; r < row; r++)
        if (place[r] == col || abs(place[r] - col) == row - r)
            return 0;
    return 1;
}

static void solve(int row, int n)
{
    if (row == n) {
        if (count++ == 0)
            for (int r = 0; r < n; r++) {
                for (int c = 0; c < n; c++)
                    putchar(place[r] == c ? 'Q' : '.');
                putchar('\n');
            }
        return;
    }
    for (int c = 0; c < n; c++)
        if (safe(row, c)) {
            place[row] = c;
            solve(row + 1, n);
        }
}

static long bits(unsigned all, unsigned cols, unsigned left, unsigned right)
{
    if (cols == all)
        return 1;
    long n = 0;
    for (unsigned free = all & ~(cols | left | right); free; free &= free - 1) {
        unsigned bit = free & -free;
        n += bits(all, cols | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return n;
}

int main(void)
{
    solve(0, 6);
    printf("%d\n", count);
    for (int n = 1; n <= 8; n++)
        printf("%ld ", bits((1u << n) - 1, 0, 0, 0));
    putchar('\n');
    return count;
}
