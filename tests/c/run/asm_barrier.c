// Empty assembly keeps the compiler from looking, and changes nothing: also in a register with a name.
#include <stdio.h>

#if defined __x86_64__ || defined __i386__
#define OWN_REGISTER __asm__("ebx")
#elif defined __arm__
#define OWN_REGISTER __asm__("r5")
#else
#define OWN_REGISTER
#endif

static int hidden(int x)
{
    __asm__ volatile("" : "+r"(x) : : "memory");
    return x;
}

static int held(int x)
{
    register int own OWN_REGISTER = x + 1;
    __asm__ volatile("" : "+r"(own));
    return own;
}

int main(void)
{
    printf("%d %d\n", hidden(41), held(41));
    return 0;
}
