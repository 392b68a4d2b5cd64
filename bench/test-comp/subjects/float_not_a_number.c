// What compares with nothing, not even with itself.
// property: branches
// missed: 0
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (x != x)
        return 1;
    if (x - x != 0)
        return 2;
    if (x * 0.5 == x)
        return 3;
    return 0;
}
