// Moves of a tower.
// property: branches
// missed: 0
extern unsigned char __VERIFIER_nondet_uchar(void);

static int moves(int height)
{
    if (height == 0)
        return 0;
    return 2 * moves(height - 1) + 1;
}

int main(void)
{
    int height = __VERIFIER_nondet_uchar();
    if (height > 6)
        return 0;
    if (moves(height) == 31)
        return 1;
    return 2;
}
