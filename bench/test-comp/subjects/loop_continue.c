// Numbers that are passed over.
// property: branches
// missed: 0
extern short __VERIFIER_nondet_short(void);

int main(void)
{
    int kept = 0;
    for (int i = 0; i < 5; i++) {
        short x = __VERIFIER_nondet_short();
        if (x < 0)
            continue;
        if (x == 12345)
            break;
        kept++;
    }
    if (kept == 5)
        return 1;
    if (kept == 2)
        return 2;
    return 0;
}
