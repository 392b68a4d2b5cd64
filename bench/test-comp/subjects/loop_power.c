// Powers below a bound.
// property: branches
// missed: 0
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned base = __VERIFIER_nondet_uint();
    unsigned long value = 1;
    int power = 0;
    if (base < 2 || base > 100)
        return 0;
    while (value < 10000) {
        value *= base;
        power++;
    }
    if (value == 10000)
        return 1;
    if (power == 14)
        return 2;
    return 3;
}
