// A number that was cut to its range.
// property: branches
// missed: 2
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < 0)
        x = 0;
    if (x > 255)
        x = 255;
    if (x > 255)
        return 1;
    if (x < 0)
        return 2;
    if (x == 128)
        return 3;
    return 0;
}
