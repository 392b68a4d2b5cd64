// The second largest of some numbers.
// property: branches
// missed: 0
extern short __VERIFIER_nondet_short(void);

int main(void)
{
    short a[4];
    int first = -40000, second = -40000;
    for (int i = 0; i < 4; i++)
        a[i] = __VERIFIER_nondet_short();
    for (int i = 0; i < 4; i++) {
        if (a[i] > first) {
            second = first;
            first = a[i];
        } else if (a[i] > second) {
            second = a[i];
        }
    }
    if (first - second == 1000)
        return 1;
    return 0;
}
