// A square is never three more than a multiple of four.
// property: branches
// missed: 2
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uchar();
    if (x * x % 4 == 3)
        return 1;
    if (x * x % 4 == 2)
        return 2;
    if (x * x % 4 == 1)
        return 3;
    return 0;
}
