// The index of the inner loop stays below that of the outer one, and so below the bound.
// function: triangle
// expect: covered 5 infeasible 1 unknown 0
// expect: infeasible 11:17 true
int triangle(int n);
int triangle(int n)
{
    int odd = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            if (j >= n)
                return -1;
            odd = !odd;
        }
    }
    return odd;
}
