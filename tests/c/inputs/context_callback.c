// A caller is given functions, but never one that only this file knows: the helper has the type, and keeps what its caller passes.
// function: grade
// options: --context callers
// expect: covered 1 infeasible 1 unknown 0
// expect: infeasible 8:12 true
static int grade(int points)
{
    return points > 100 ? -1 : points / 10;
}

int graded(int (*given)(int), int points);
int graded(int (*given)(int), int points)
{
    if (points < 0 || points > 100)
        return given ? given(points) : 0;
    return grade(points);
}
