// expect: trap unsupported 6
// Inline assembly is executed.
int main(void)
{
    unsigned a = 0, d;
    __asm__ volatile("cpuid" : "+a"(a), "=d"(d) : : "ebx", "ecx");
    return d == 0;
}
