// A table in program memory and counts in external memory, which embedded compilers have address spaces for.
// function: count
// infeasible on x86_64 i386 arm aarch64 riscv32 riscv64 cortex-m: 22:40 true
#define __flash __attribute__((address_space(1)))
#define __xdata __attribute__((__address_space__(2)))
static const __flash unsigned char least[4] = { 3, 1, 4, 1 };
static __xdata unsigned char counts[4];
static const __flash unsigned char *const __xdata first = least + 1;
__attribute__((noinline)) static int at(const unsigned char *plain, unsigned place)
{
    return plain[place];
}
int count(const __flash unsigned char *from, __xdata unsigned char *to, unsigned char place);
int count(const __flash unsigned char *from, __xdata unsigned char *to, unsigned char place)
{
    if (place >= 4)
        return -1;
    if (from == 0)
        from = least;
    if (least[place] > 3 && counts[place] < 200)
        counts[place]++;
    if (from == least && place == 2 && from[place] != 4)
        return -2;
    if (to != 0 && from[place] == *first)
        *to = (unsigned char)at((const unsigned char *)from, place);
    return counts[place];
}
