// One loop in another, and a way out of both.
// property: branches
// missed: 0
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char rows = __VERIFIER_nondet_uchar(), columns = __VERIFIER_nondet_uchar();
    int cells = 0;
    if (rows > 5 || columns > 5)
        return 0;
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < columns; k++) {
            if (i * 5 + k == 18)
                goto out;
            cells++;
        }
    }
    if (cells == 12)
        return 1;
    return 2;
out:
    return 3;
}
