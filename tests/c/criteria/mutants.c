// Changed operators and constants; those that can never be told apart are proved equivalent.
// function: clamp
// options: -c mutation
// expect: mutation covered 23 infeasible 6 unknown 0
// expect: infeasible 13:20 > becomes !=
// expect: infeasible 13:20 > becomes >=
// expect: infeasible 13:20 3 becomes 4
// expect: infeasible 13:20 3 becomes 2
// expect: infeasible 13:20 3 becomes 0
// expect: infeasible 13:20 3 becomes -3
int clamp(int x, int y)
{
    if (x > 5 && x > 3)
        return x + y;
    return x * 2 - y;
}
