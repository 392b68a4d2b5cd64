// Claims a lock as headers for Cortex-M do: the assembly has an operand in memory, which it reads or writes.
// function: claim
// machines: cortex-m arm
#define INLINE __attribute__((always_inline)) static inline
INLINE unsigned load_exclusive(volatile unsigned *word)
{
    unsigned value;
    __asm volatile("ldrex %0, %1" : "=r"(value) : "Q"(*word));
    return value;
}
INLINE unsigned store_exclusive(unsigned value, unsigned *word)
{
    unsigned failed;
    __asm volatile("strex %0, %2, %1" : "=&r"(failed), "=Q"(*word) : "r"(value));
    return failed;
}
__attribute__((section(".locks"), aligned(16))) static unsigned owner;
int claim(unsigned char me);
int claim(unsigned char me)
{
    if (load_exclusive(&owner) != 0)
        return -1;
    if (store_exclusive(me, &owner) != 0)
        return -2;
    if (owner != me)
        return -3;
    return 0;
}
