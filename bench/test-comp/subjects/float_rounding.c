// Whole numbers and those beside them.
// property: branches
// missed: 0
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (!(x > -1000.0 && x < 1000.0))
        return 0;
    int whole = (int)x;
    if (x == whole) {
        if (whole == -7)
            return 1;
        return 2;
    }
    if (x - whole > 0.75)
        return 3;
    return 4;
}
