// Euclid's algorithm: what is divided by is never zero, and neither is the result unless both numbers are.
// function: divisor
// expect: covered 5 infeasible 1 unknown 0
// expect: infeasible 15:9 true
unsigned divisor(unsigned a, unsigned b);
unsigned divisor(unsigned a, unsigned b)
{
    if (a == 0)
        return b;
    while (b != 0) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    if (a == 0)
        return 77;
    return a;
}
