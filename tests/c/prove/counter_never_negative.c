// A counter that goes up beside the index of a loop never gets below zero: it equals the index, which stays below n.
// function: steps
// expect: covered 3 infeasible 1 unknown 0
// expect: infeasible 11:9 true
int steps(int n);
int steps(int n)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        count++;
    if (count < 0)
        return -1;
    return count;
}
