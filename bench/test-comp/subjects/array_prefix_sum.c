// Where a running sum comes to a number.
// property: branches
// missed: 0
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    int sum = 0, at = -1;
    for (int i = 0; i < 5; i++) {
        sum += __VERIFIER_nondet_char();
        if (sum == 300)
            at = i;
    }
    if (at == 2)
        return 1;
    if (at == 4)
        return 2;
    return 0;
}
