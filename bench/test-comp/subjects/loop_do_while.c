// Digits of a number, at least one.
// property: branches
// missed: 0
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    int digits = 0, nines = 0;
    do {
        if (x % 10 == 9)
            nines++;
        x /= 10;
        digits++;
    } while (x > 0);
    if (digits == 10)
        return 1;
    if (nines == 4)
        return 2;
    return 0;
}
