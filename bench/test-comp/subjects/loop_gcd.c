// The greatest common divisor of two numbers.
// property: branches
// missed: 0
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
    while (b != 0) {
        unsigned t = a % b;
        a = b;
        b = t;
    }
    if (a == 7)
        return 1;
    if (a == 0)
        return 2;
    return 0;
}
