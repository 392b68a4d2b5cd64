// Products that need more than 32 bits.
// property: branches
// missed: 1
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    unsigned long product = (unsigned long)a * b;
    if (product >> 32 == 0)
        return 1;
    if (a == 65537 && (product & 0xffffffff) == 65537)
        return 2;
    return 0;
}
