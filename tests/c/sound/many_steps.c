// A run may take longer than ours.
// function: spins
// reachable: 11:26 true
// reachable: 11:26 false
// reachable: 13:9 true
// reachable: 13:9 false
unsigned spins(unsigned n);
unsigned spins(unsigned n)
{
    unsigned x = 1;
    for (unsigned i = 0; i < 20000000u; i++)
        x = x * 69069u + n;
    if (x % 2 == 0)
        return 1;
    return 0;
}
