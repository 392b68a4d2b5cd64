// Steps of a sequence that goes up and down.
// property: branches
// missed: 0
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uchar();
    int steps = 0;
    while (n > 1 && steps < 30) {
        if (n % 2 == 0)
            n /= 2;
        else
            n = 3 * n + 1;
        steps++;
    }
    if (steps == 30)
        return 1;
    if (steps == 7)
        return 2;
    return 0;
}
