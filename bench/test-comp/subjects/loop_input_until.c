// Reads numbers until one says that it is the last.
// property: branches
// missed: 0
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int count = 0, x;
    while ((x = __VERIFIER_nondet_int()) != -1) {
        if (x > 1000)
            count++;
        if (count == 3)
            return 1;
    }
    if (count == 2)
        return 2;
    return 0;
}
