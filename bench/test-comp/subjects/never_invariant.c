// What two variables have in common holds in every turn.
// property: branches
// missed: 1
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uchar(), a = 0, b = 0;
    for (unsigned i = 0; i < n; i++) {
        a += 2;
        b += 1;
    }
    if (a != 2 * b)
        return 1;
    if (b == 200)
        return 2;
    return 0;
}
