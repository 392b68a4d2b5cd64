// Assembly for another machine gives anything, waits for interrupts, and changes what it has the address of.
// function: wait
// options: --cflag=--target=arm-none-eabi --cflag=-mcpu=cortex-m4 --cflag=-mthumb
// reachable: 24:9 true
// reachable: 27:9 true
// reachable: 29:9 true
// reachable: 24:9 false
// reachable: 27:9 false
// reachable: 29:9 false
int ready;
static int level;
void on_tick(void);
void on_tick(void)
{
    ready = 1;
}
int wait(void);
int wait(void)
{
    unsigned mask;
    ready = 0;
    level = 0;
    __asm volatile("mrs %0, primask" : "=r"(mask));
    if (mask == 3)
        return 1;
    __asm volatile("str r0, [%0]" : : "r"(&level) : "memory");
    if (level == 5)
        return 2;
    if (ready)
        return 3;
    return 0;
}
