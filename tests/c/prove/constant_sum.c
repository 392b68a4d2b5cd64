// What one side loses the other gains: the sum stays what it was.
// function: pour
// expect: covered 6 infeasible 2 unknown 0
// expect: infeasible 17:9 true
// expect: infeasible 19:9 true
int next(void);

int pour(unsigned n);
int pour(unsigned n)
{
    unsigned left = n;
    unsigned right = 0;
    while (left > 0 && next() != 0) {
        left--;
        right++;
    }
    if (left + right != n)
        return -1;
    if (right > n)
        return -2;
    return right == 3;
}
