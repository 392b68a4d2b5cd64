// Three lines to reach: one of them no input reaches, one has no code.
// function: walk
// options: --point points.c:14 --point points.c:16 --point points.c:2
// expect: point covered 1 infeasible 1 unknown 1
// expect: covered 14:1 reached
// expect: infeasible 16:1 reached
int walk(int n)
{
    int steps = 0;
    while (n > 1) {
        n = n / 2;
        steps++;
        if (steps == 3)
            n = 0;
        if (steps > 4)
            return -1;
    }
    return steps;
}
