// A staircase: each step is taken by one value only, and most ways end at once.
// function: uniform
// expect: covered 8 infeasible 0 unknown 0

int uniform(int a, int b, int c, int d);
int uniform(int a, int b, int c, int d)
{
    if (a == 5) {
        if (b == 19) {
            if (c == 7) {
                if (d == 4)
                    return 4;
                return 3;
            }
            return 2;
        }
        return 1;
    }
    return 0;
}
