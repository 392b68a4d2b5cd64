
/* Linux on x86: the pages of registers are mapped and closed, so that each access is seen before it is made. */
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

static void device_stop(const char *why, unsigned long address)
{
    fprintf(stderr, "covenant: the device at %#lx cannot be had here: %s\n", address, why);
    _exit(125);
}

static struct device_access *device_told(size_t count)
{
    static struct device_access *told;
    static size_t room;
    if (count > room) {
        room = 2 * count + 16;
        told = realloc(told, room * sizeof *told);
        if (told == NULL)
            device_stop("no memory", 0);
    }
    return told;
}

#if defined __linux__ && (defined __x86_64__ || defined __i386__)

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

enum { DEVICE_PAGE = 4096, DEVICE_STEP = 0x100, DEVICE_FAULT_WRITES = 2 };

static struct sigaction device_old_fault, device_old_step;
/* The write that the code is about to do. */
static struct device_access *device_pending;

static void device_open(int open)
{
    size_t i;
    for (i = 0; i < device_region_count; i++) {
        unsigned long first = device_regions[i].start / DEVICE_PAGE * DEVICE_PAGE;
        unsigned long size = device_regions[i].start + device_regions[i].size - first;
        mprotect((void *)first, size, open ? PROT_READ | PROT_WRITE : PROT_NONE);
    }
}

static void device_set(const struct device_access *access)
{
    /* All machines that are supported are little-endian. */
    volatile char *to = (volatile char *)access->address;
    const char *from = (const char *)&access->value;
    unsigned i;
    for (i = 0; i < access->size; i++)
        to[i] = from[i];
}

static unsigned long long device_has(const struct device_access *access)
{
    unsigned long long value = 0;
    const volatile char *from = (const volatile char *)access->address;
    char *to = (char *)&value;
    unsigned i;
    for (i = 0; i < access->size; i++)
        to[i] = from[i];
    return value;
}

/* The code accesses a register: the page is opened for this one instruction. */
static void device_fault(int number, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    unsigned long address = (unsigned long)info->si_addr;
    int writes = (registers[REG_ERR] & DEVICE_FAULT_WRITES) != 0;
    struct device_access *access;
    (void)number;
    if (!is_device(address) || (device_ends && device_next == device_count)) {
        /* Not for us: it happens again, for somebody else. */
        sigaction(SIGSEGV, &device_old_fault, NULL);
        return;
    }
    device_open(1);
    registers[REG_EFL] |= DEVICE_STEP;
    access = device_read_of(address);
    /* One instruction may read and write. */
    if (access != NULL && (!writes || device_write_of(address) == NULL)) {
        device_set(access);
        device_use(access);
        if (!writes)
            return;
    }
    device_pending = writes ? device_write_of(address) : NULL;
    if (device_pending == NULL)
        device_differs(writes ? "a write" : "a read", address, 0);
}

/* The instruction is done. */
static void device_step(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    if (device_pending != NULL) {
        if (device_pending->way == DEVICE_WRITE && device_has(device_pending) != device_pending->value)
            device_differs("a write of", device_pending->address, device_has(device_pending));
        device_use(device_pending);
        device_pending = NULL;
    }
    device_open(0);
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)DEVICE_STEP;
}

static void device_handle(int number, void (*handler)(int, siginfo_t *, void *), struct sigaction *old)
{
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    action.sa_sigaction = handler;
    sigaction(number, &action, &before);
    /* A test that has failed may not have come to its end. */
    if (before.sa_sigaction != handler)
        *old = before;
}

static void device_watch(void)
{
    device_pending = NULL;
    device_handle(SIGSEGV, device_fault, &device_old_fault);
    device_handle(SIGTRAP, device_step, &device_old_step);
}

static void device_unwatch(void)
{
    sigaction(SIGSEGV, &device_old_fault, NULL);
    sigaction(SIGTRAP, &device_old_step, NULL);
}

static int has_page(unsigned long page)
{
    size_t i;
    for (i = 0; i < device_region_count; i++)
        if (page + DEVICE_PAGE > device_regions[i].start && page < device_regions[i].start + device_regions[i].size)
            return 1;
    return 0;
}

static void device_map(unsigned long start, unsigned long size)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
    unsigned long page;
    for (page = start / DEVICE_PAGE * DEVICE_PAGE; page < start + size; page += DEVICE_PAGE)
        if (!has_page(page) && mmap((void *)page, DEVICE_PAGE, PROT_NONE, flags, -1, 0) != (void *)page)
            device_stop("something else is there", page);
}

#else

static void device_watch(void)
{
}

static void device_unwatch(void)
{
}

static void device_map(unsigned long start, unsigned long size)
{
    (void)size;
    device_stop("that needs Linux on x86-64", start);
}

#endif
