// Counts events for ever.
// property: branches
// missed: 0
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    int count = 0;
    for (;;) {
        unsigned char event = __VERIFIER_nondet_uchar();
        if (event == 3)
            count++;
        if (count == 4)
            count = 0;
    }
}
