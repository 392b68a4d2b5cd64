
/* Linux on x86: the pages of registers are mapped and closed, so that each access is seen before it is made. Those of volatile objects
 * are closed while a test runs; what else lies there is passed through. */
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

#if defined __linux__ && (defined __x86_64__ || defined __i386__)

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

enum { DEVICE_PAGE = 4096, DEVICE_STEP = 0x100, DEVICE_FAULT_WRITES = 2, DEVICE_STACK = 65536 };

static struct device_host {
    struct sigaction old_fault, old_step;
    /* The write that the code is about to do, and where. */
    struct device_access *pending;
    unsigned long pending_at;
    /* The read that the code is about to do, and what the program has left there. */
    struct device_access *lent;
    unsigned long long kept;
    struct device_access *told;
    size_t room;
    int has_exit, has_stack;
    /* Objects of a test may lie on the stack, and that is closed then. */
    stack_t old_stack;
    char stack[DEVICE_STACK];
} DEVICE_APART host;

static struct device_access *device_told(size_t count)
{
    size_t room = 2 * count + 64;
    struct device_access *more;
    if (count <= host.room)
        return host.told;
    more = mmap(NULL, room * sizeof *more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (more == MAP_FAILED)
        device_stop("no memory", 0);
    if (host.room > 0) {
        memcpy(more, host.told, host.room * sizeof *more);
        munmap(host.told, host.room * sizeof *more);
    }
    host.told = more;
    host.room = room;
    return more;
}

/* mprotect without the library, whose table of functions may lie in a closed page. */
static void device_protect(unsigned long start, unsigned long size, unsigned long how)
{
#ifdef __x86_64__
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(10L), "D"(start), "S"(size), "d"(how) : "rcx", "r11", "memory");
#else
    long result;
    __asm__ volatile("push %%ebx; mov %2, %%ebx; int $0x80; pop %%ebx"
                     : "=a"(result)
                     : "a"(125L), "r"(start), "c"(size), "d"(how)
                     : "memory");
#endif
    (void)result;
}

static void device_open_one(const struct device_region *region, int open)
{
    unsigned long first = region->start / DEVICE_PAGE * DEVICE_PAGE;
    unsigned long end = (region->start + region->size + DEVICE_PAGE - 1) / DEVICE_PAGE * DEVICE_PAGE;
    device_protect(first, end - first, open ? PROT_READ | PROT_WRITE : PROT_NONE);
}

static void device_open(int open)
{
    size_t i;
    for (i = 0; i < device.region_count; i++)
        device_open_one(&device.regions[i], open);
}

static void device_close(unsigned long start, unsigned long size)
{
    struct device_region region = { start, size, 1 };
    device_open_one(&region, 0);
}

/* Volatile objects are the program's own again. */
static void device_release(void)
{
    size_t i;
    for (i = 0; i < device.region_count; i++)
        if (device.regions[i].is_volatile)
            device_open_one(&device.regions[i], 1);
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

static int has_page(unsigned long page)
{
    size_t i;
    for (i = 0; i < device.region_count; i++)
        if (page + DEVICE_PAGE > device.regions[i].start && page < device.regions[i].start + device.regions[i].size)
            return 1;
    return 0;
}

/* One instruction may read and write: then the test tells a read and behind it a write. */
static struct device_access *device_change_of(unsigned long address)
{
    struct device_access *told = device_told(device.count);
    size_t i;
    for (i = device.next; i + 1 < device.count && told[i].way == DEVICE_READ; i++)
        if (is_at(&told[i], address))
            return told[i + 1].way != DEVICE_READ && is_at(&told[i + 1], address) ? &told[i] : NULL;
    return NULL;
}

/* The code accesses a register: what it gives, or what to look at behind it. */
static void device_play(unsigned long address, int writes)
{
    struct device_access *read = writes ? device_change_of(address) : device_read_of(address);
    if (read != NULL) {
        host.lent = writes ? NULL : read;
        host.kept = device_has(read);
        device_set(read);
        device_use(read, address);
    }
    host.pending = writes ? device_write_of(address) : NULL;
    host.pending_at = address;
    if (read == NULL && host.pending == NULL && !is_plain(address))
        device_differs(writes ? "a write" : "a read", address, 0);
}

/* The code accesses a closed page: it is opened for this one instruction. */
static void device_fault(int number, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    unsigned long address = (unsigned long)info->si_addr;
    int writes = (registers[REG_ERR] & DEVICE_FAULT_WRITES) != 0;
    int is_ours = has_page(address / DEVICE_PAGE * DEVICE_PAGE), counts = is_device(address);
    (void)number;
    if (!is_ours || (counts && device.ends && device.next == device.count && !is_plain(address))) {
        /* Not for us: it happens again, for somebody else. */
        device_release();
        sigaction(SIGSEGV, &host.old_fault, NULL);
        return;
    }
    device_open(1);
    registers[REG_EFL] |= DEVICE_STEP;
    if (counts)
        device_play(address, writes);
}

/* Of 8 bytes that are written one half after the other, the half; of others, all. */
static int device_is_written(const struct device_access *access, unsigned long address)
{
    unsigned long long difference = device_has(access) ^ access->value;
    if (access->way == DEVICE_WRITE_ANY)
        return 1;
    if (access->size > sizeof(long))
        return (unsigned)(difference >> (address - access->address) / 4 * 32) == 0;
    return difference == 0;
}

/* The instruction is done. */
static void device_step(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    if (host.lent != NULL) {
        struct device_access back = *host.lent;
        back.value = host.kept;
        device_set(&back);
        host.lent = NULL;
    }
    if (host.pending != NULL) {
        if (!device_is_written(host.pending, host.pending_at))
            device_differs("a write of", host.pending->address, device_has(host.pending));
        device_use(host.pending, host.pending_at);
        host.pending = NULL;
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
    stack_t stack;
    memset(&stack, 0, sizeof stack);
    stack.ss_sp = host.stack;
    stack.ss_size = sizeof host.stack;
    host.pending = host.lent = NULL;
    /* A test that has failed may not have come to its end. */
    if (!host.has_stack)
        sigaltstack(&stack, &host.old_stack);
    host.has_stack = 1;
    device_handle(SIGSEGV, device_fault, &host.old_fault);
    device_handle(SIGTRAP, device_step, &host.old_step);
    /* Who writes files at the end of the process reads them from memory that is open. */
    if (!host.has_exit)
        atexit(device_release);
    host.has_exit = 1;
}

static void device_unwatch(void)
{
    sigaltstack(&host.old_stack, NULL);
    host.has_stack = 0;
    sigaction(SIGSEGV, &host.old_fault, NULL);
    sigaction(SIGTRAP, &host.old_step, NULL);
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

static struct device_access *device_told(size_t count)
{
    static struct device_access none;
    if (count > 0)
        device_stop("that needs Linux on x86", 0);
    return &none;
}

static void device_close(unsigned long start, unsigned long size)
{
    (void)size;
    device_stop("that needs Linux on x86", start);
}

static void device_release(void)
{
}

static void device_watch(void)
{
}

static void device_unwatch(void)
{
}

static void device_map(unsigned long start, unsigned long size)
{
    (void)size;
    device_stop("that needs Linux on x86", start);
}

#endif
