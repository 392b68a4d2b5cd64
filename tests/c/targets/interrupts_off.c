// A critical section, with the assembly that headers for Cortex-M have.
// function: put
// machines: cortex-m arm
#define INLINE __attribute__((always_inline)) static inline
INLINE unsigned interrupts_are_off(void)
{
    unsigned mask;
    __asm volatile("mrs %0, primask" : "=r"(mask));
    return mask;
}
INLINE void interrupts_off(void)
{
    __asm volatile("cpsid i" : : : "memory");
}
INLINE void interrupts_on(void)
{
    __asm volatile("cpsie i" : : : "memory");
}
INLINE unsigned mirrored(unsigned word)
{
    unsigned result;
    __asm("rbit %0, %1" : "=r"(result) : "r"(word));
    return result;
}
static struct {
    unsigned char head, tail, data[8];
} queue;
int put(unsigned char byte);
int put(unsigned char byte)
{
    unsigned before = interrupts_are_off();
    unsigned char next = (unsigned char)((queue.head + 1) % 8);
    int done = 0;
    interrupts_off();
    if (next != queue.tail && queue.head < 8) {
        queue.data[queue.head] = byte;
        queue.head = next;
        done = mirrored(byte) > 7u ? 2 : 1;
    }
    if (!(before & 1))
        interrupts_on();
    return done;
}
