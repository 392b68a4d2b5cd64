// Assembly that gives two values, and a variable with a register of its own.
// function: scaled
// machines: cortex-m arm
static void product(unsigned left, unsigned right, unsigned *low, unsigned *high)
{
    unsigned l, h;
    __asm("umull %0, %1, %2, %3" : "=&r"(l), "=&r"(h) : "r"(left), "r"(right));
    *low = l;
    *high = h;
}
int scaled(unsigned number);
int scaled(unsigned number)
{
    register unsigned word __asm__("r4") = number;
    unsigned low, high;
    __asm volatile("" : "+r"(word));
    if (word == 0)
        return -1;
    product(word, 3, &low, &high);
    if (low == high)
        return 2;
    return high > 1 ? 1 : 0;
}
