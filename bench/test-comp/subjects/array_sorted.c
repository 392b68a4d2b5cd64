// Whether numbers are in order, and how.
// property: branches
// missed: 0
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[4], up = 1, down = 1;
    for (int i = 0; i < 4; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = 1; i < 4; i++) {
        if (a[i - 1] > a[i])
            up = 0;
        if (a[i - 1] < a[i])
            down = 0;
    }
    if (up && down)
        return 3;
    if (up)
        return 1;
    if (down)
        return 2;
    return 0;
}
