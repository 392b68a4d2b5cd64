// Steps of two from an even number stay even, also when the number wraps around.
// function: evens
// expect: covered 3 infeasible 1 unknown 0
// expect: infeasible 11:9 true
int evens(unsigned n);
int evens(unsigned n)
{
    unsigned x = 10;
    for (unsigned i = 0; i < n; i++)
        x += 2;
    if (x & 1)
        return -1;
    return x == 20;
}
