// Functions in a table.
// property: branches
// missed: 0
extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);

static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }
static int negative(int x) { return -x; }

int main(void)
{
    int (*const TABLE[3])(int) = {twice, square, negative};
    unsigned char at = __VERIFIER_nondet_uchar();
    int x = __VERIFIER_nondet_int();
    if (at >= 3)
        return 0;
    if (x < -1000 || x > 1000)
        return 1;
    if (TABLE[at](x) == 361)
        return 2;
    return 3;
}
