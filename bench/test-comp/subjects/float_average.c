// Marks and their mean.
// property: branches
// missed: 0
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    float sum = 0;
    for (int i = 0; i < 4; i++) {
        unsigned char mark = __VERIFIER_nondet_uchar();
        if (mark < 1 || mark > 6)
            return 0;
        sum += mark;
    }
    if (sum / 4 < 1.5f)
        return 1;
    if (sum / 4 == 3.25f)
        return 2;
    return 3;
}
