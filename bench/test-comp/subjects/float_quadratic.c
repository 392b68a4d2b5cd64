// The roots of an equation.
// property: branches
// missed: 0
extern short __VERIFIER_nondet_short(void);

int main(void)
{
    double a = __VERIFIER_nondet_short(), b = __VERIFIER_nondet_short(), c = __VERIFIER_nondet_short();
    double d = b * b - 4 * a * c;
    if (a == 0)
        return 0;
    if (d < 0)
        return 1;
    if (d == 0)
        return 2;
    if (d == 49)
        return 3;
    return 4;
}
