// Bits that are set.
// property: branches
// missed: 0
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    int bits = 0;
    while (x != 0) {
        x &= x - 1;
        bits++;
    }
    if (bits == 32)
        return 1;
    if (bits == 1)
        return 2;
    if (bits == 0)
        return 3;
    return 0;
}
