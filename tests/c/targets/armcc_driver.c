// A driver as it is written for Arm's older compiler, with its keywords and its command.
// function: receive
// machines: project
// command: armcc --c99 -c --cpu Cortex-M3 -O2 --apcs=interwork -DSIZE=8 --split_sections --depend out.d -o out.o FILE
// infeasible on project: 40:9 true
// infeasible on project: 42:9 true
enum state { IDLE, BUSY, FAILED };
struct __packed frame {
    unsigned char kind;
    unsigned long length;
};
static __align(8) unsigned char ring[SIZE];
static unsigned head, tail;
static volatile unsigned late;
__weak int accepts(const struct frame *frame);
__weak int accepts(const struct frame *frame)
{
    return frame->kind < 4;
}
__irq void on_tick(void);
__irq void on_tick(void)
{
    late++;
}
__attribute__((always_inline)) static __inline unsigned get_primask(void)
{
    unsigned mask;
    __asm volatile("mrs %0, primask" : "=r"(mask));
    return mask;
}
#define __disable_irq() __asm volatile("cpsid i" : : : "memory")
#define __enable_irq() __asm volatile("cpsie i" : : : "memory")
int receive(const struct frame *frame, char sign);
int receive(const struct frame *frame, char sign)
{
    unsigned off, sizes = sizeof(enum state) + sizeof *frame + sizeof L' ';
    if (frame == 0 || !accepts(frame))
        return -1;
    /* Enums of one byte, characters without a sign, wide ones of two bytes. */
    if (sizes != 1 + 5 + 2)
        return -2;
    if (sign < 0)
        return -3;
    off = get_primask();
    __disable_irq();
    if (head - tail < SIZE)
        ring[head++ % SIZE] = (unsigned char)frame->length;
    if (!off)
        __enable_irq();
    return (int)frame->length & 0x7f;
}
