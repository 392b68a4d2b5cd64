// How often small numbers come.
// property: branches
// missed: 0
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    int count[4] = {0};
    for (int i = 0; i < 6; i++) {
        unsigned char x = __VERIFIER_nondet_uchar();
        if (x < 4)
            count[x]++;
    }
    if (count[0] == 3)
        return 1;
    if (count[3] == 2 && count[1] == 2)
        return 2;
    return 0;
}
