// What handles an interrupt cannot be called by its name; functions of nothing but assembly, and assembly outside of functions, stand beside it.
// function: on_tick
// machines: cortex-m arm
static unsigned ticks, late;
__asm(".section .extra, \"a\"\n.word 1\n.text");
__attribute__((naked)) void switch_task(void);
__attribute__((naked)) void switch_task(void)
{
    __asm volatile("push {r4-r7}\n\tpop {r4-r7}\n\tbx lr");
}
void fatal(void);
void fatal(void)
{
    __asm volatile("bkpt 0");
    __builtin_unreachable();
}
__attribute__((interrupt("IRQ"))) void on_tick(void);
__attribute__((interrupt("IRQ"))) void on_tick(void)
{
    if (++ticks > 100) {
        ticks = 0;
        late++;
    }
    if (late > 3)
        __asm volatile("wfi");
}
