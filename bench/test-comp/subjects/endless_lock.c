// A lock with a code of three digits, tried for ever.
// property: branches
// missed: 0
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    int at = 0, opened = 0;
    while (1) {
        unsigned char digit = __VERIFIER_nondet_uchar();
        if (at == 0 && digit == 4)
            at = 1;
        else if (at == 1 && digit == 7)
            at = 2;
        else if (at == 2 && digit == 1)
            opened = 1;
        else
            at = 0;
        if (opened) {
            opened = 0;
            at = 0;
        }
    }
}
