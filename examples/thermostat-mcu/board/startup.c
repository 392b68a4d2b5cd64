/* A board to run the tests on: Arm's MPS2 with a Cortex-M4 (AN386), as qemu-system-arm has it. A project has its own. */
#include <stdint.h>

#define UART0_DATA (*(volatile uint32_t *)0x40004000u)
#define UART0_STATE (*(volatile uint32_t *)0x40004004u)
#define UART0_CONTROL (*(volatile uint32_t *)0x40004008u)
#define UART0_DIVIDER (*(volatile uint32_t *)0x40004010u)

enum { UART_FULL = 1, UART_SENDS = 1, SLOWEST = 16, EXIT_EXTENDED = 0x20 };

extern uint32_t stack_top[], data_start[], data_end[], data_load[], bss_start[], bss_end[];

int covenant_run(void);
void covenant_putchar(int c);
void start(void);

void covenant_putchar(int c)
{
    while (UART0_STATE & UART_FULL) {
    }
    UART0_DATA = (uint32_t)c;
}

/* Semihosting: qemu ends with this status. On a board without a debugger: wait. */
static void leave(uint32_t status)
{
    const uint32_t block[2] = { 0x20026u, status };
    while (UART0_STATE & UART_FULL) {
    }
    register uint32_t what __asm("r0") = EXIT_EXTENDED;
    register const uint32_t *where __asm("r1") = block;
    __asm volatile("bkpt 0xab" : "+r"(what) : "r"(where) : "memory");
    for (;;) {
    }
}

void start(void)
{
    volatile uint32_t *to = data_start;
    const uint32_t *from = data_load;
    while (to < data_end)
        *to++ = *from++;
    for (to = bss_start; to < bss_end; to++)
        *to = 0;
    UART0_DIVIDER = SLOWEST;
    UART0_CONTROL = UART_SENDS;
    leave(covenant_run() != 0);
}

static void lost(void)
{
    leave(2);
}

__attribute__((section(".vectors"), used)) static void *const vectors[16] = {
    stack_top, (void *)start, (void *)lost, (void *)lost, (void *)lost, (void *)lost, (void *)lost, 0, 0, 0, 0,
    (void *)lost, (void *)lost, 0, (void *)lost, (void *)lost,
};
