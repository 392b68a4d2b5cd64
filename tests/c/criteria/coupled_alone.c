// A condition that is written twice cannot change alone: the report says so, and what to ask for instead.
// function: either
// options: -c mcdc --mcdc unique-cause
// expect: mcdc covered 0 infeasible 2 unknown 2
int either(int a, int b)
{
    return (a > 0 || b > 0) && (a > 0 || b < 0);
}
