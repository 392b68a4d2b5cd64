// An array that is turned round in place.
// property: branches
// missed: 0
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[5];
    for (int i = 0; i < 5; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < 2; i++) {
        int t = a[i];
        a[i] = a[4 - i];
        a[4 - i] = t;
    }
    if (a[0] == 17 && a[4] == -3)
        return 1;
    if (a[2] > a[1])
        return 2;
    return 0;
}
