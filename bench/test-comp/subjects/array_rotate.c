// Looks for a number in an array that was rotated.
// property: branches
// missed: 0
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[6] = {2, 3, 5, 7, 11, 13}, b[6];
    unsigned by = __VERIFIER_nondet_uint();
    int wanted = __VERIFIER_nondet_int();
    for (unsigned i = 0; i < 6; i++)
        b[(i + by % 6) % 6] = a[i];
    for (int i = 0; i < 6; i++) {
        if (b[i] == wanted && i == 4)
            return 1;
    }
    return 0;
}
