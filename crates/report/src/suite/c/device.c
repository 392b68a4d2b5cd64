/* Device registers on a host. Their pages are mapped and closed: each access to one is seen before it is made, a read gets what the
 * test says, and a write is held against what the test expects. That needs Linux on x86-64. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

void covenant_device(unsigned long start, unsigned long size);
void covenant_device_begin(int ends);
void covenant_device_reads(unsigned long address, unsigned size, unsigned long long value);
void covenant_device_writes(unsigned long address, unsigned size, unsigned long long value);
void covenant_device_writes_any(unsigned long address, unsigned size);
const char *covenant_device_end(void);

enum { DEVICE_REGIONS = 64, DEVICE_TEXT = 256 };

/* What the code does to a register. */
enum device_way { DEVICE_READ, DEVICE_WRITE, DEVICE_WRITE_ANY };

struct device_access {
    enum device_way way;
    unsigned long address;
    unsigned size;
    unsigned long long value;
    int used;
};

struct device_region {
    unsigned long start, size;
};

static struct device_region device_regions[DEVICE_REGIONS];
static size_t device_region_count;
static struct device_access *device_accesses;
static size_t device_count, device_room, device_next;
/* Whether another access behind these ends the process. */
static int device_ends;
/* The write that the code is about to do. */
static struct device_access *device_pending;
/* What went otherwise first; empty: nothing. */
static char device_wrong[DEVICE_TEXT];

static void device_stop(const char *why, unsigned long address)
{
    fprintf(stderr, "covenant: the device at %#lx cannot be had here: %s\n", address, why);
    _exit(125);
}

static void device_add(enum device_way way, unsigned long address, unsigned size, unsigned long long value)
{
    struct device_access access;
    access.way = way;
    access.address = address;
    access.size = size;
    access.value = value;
    access.used = 0;
    if (device_count == device_room) {
        device_room = 2 * device_room + 16;
        device_accesses = realloc(device_accesses, device_room * sizeof *device_accesses);
        if (device_accesses == NULL)
            device_stop("no memory", address);
    }
    device_accesses[device_count++] = access;
}

/* The next access of the code is a read, and gives this. */
void covenant_device_reads(unsigned long address, unsigned size, unsigned long long value)
{
    device_add(DEVICE_READ, address, size, value);
}

/* The next access of the code is a write of this. */
void covenant_device_writes(unsigned long address, unsigned size, unsigned long long value)
{
    device_add(DEVICE_WRITE, address, size, value);
}

/* The next access of the code is a write, of something that C leaves open. */
void covenant_device_writes_any(unsigned long address, unsigned size)
{
    device_add(DEVICE_WRITE_ANY, address, size, 0);
}

#if defined __linux__ && (defined __x86_64__ || defined __i386__)

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

enum { DEVICE_PAGE = 4096, DEVICE_STEP = 0x100, DEVICE_FAULT_WRITES = 2 };

static struct sigaction device_old_fault, device_old_step;

static void device_open(int open)
{
    size_t i;
    for (i = 0; i < device_region_count; i++) {
        unsigned long first = device_regions[i].start / DEVICE_PAGE * DEVICE_PAGE;
        unsigned long size = device_regions[i].start + device_regions[i].size - first;
        mprotect((void *)first, size, open ? PROT_READ | PROT_WRITE : PROT_NONE);
    }
}

static int is_device(unsigned long address)
{
    size_t i;
    for (i = 0; i < device_region_count; i++)
        if (address - device_regions[i].start < device_regions[i].size)
            return 1;
    return 0;
}

/* The read of this register that comes next. In which order the registers of one expression are read is the compiler's choice; a write
 * comes behind all that is before it. */
static struct device_access *device_read_of(unsigned long address)
{
    size_t i;
    for (i = device_next; i < device_count && device_accesses[i].way == DEVICE_READ; i++)
        if (!device_accesses[i].used && address - device_accesses[i].address < device_accesses[i].size)
            return &device_accesses[i];
    return NULL;
}

static struct device_access *device_write_of(unsigned long address)
{
    struct device_access *next = &device_accesses[device_next];
    int is_it = device_next < device_count && next->way != DEVICE_READ && address - next->address < next->size;
    return is_it ? next : NULL;
}

static void device_use(struct device_access *access)
{
    access->used = 1;
    while (device_next < device_count && device_accesses[device_next].used)
        device_next++;
}

static void device_differs(const char *what, unsigned long address, unsigned long long value)
{
    const struct device_access *next = device_next < device_count ? &device_accesses[device_next] : NULL;
    const char *word = next == NULL ? "nothing" : next->way == DEVICE_READ ? "a read" : "a write";
    if (device_wrong[0] != 0)
        return;
    snprintf(device_wrong, sizeof device_wrong, "device at %#lx: %s %#llx, expected %s at %#lx %#llx", address, what, value,
             word, next == NULL ? 0 : next->address, next == NULL ? 0 : next->value);
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

/* There are so many bytes of registers at an address. */
void covenant_device(unsigned long start, unsigned long size)
{
    size_t i;
    for (i = 0; i < device_region_count; i++)
        if (device_regions[i].start == start && device_regions[i].size == size)
            return;
    if (i == DEVICE_REGIONS)
        device_stop("there are too many devices", start);
    device_map(start, size);
    device_regions[i].start = start;
    device_regions[i].size = size;
    device_region_count++;
}

/* Accesses count from here. `ends`: one behind those that are told ends the process, as it would without a device. */
void covenant_device_begin(int ends)
{
    device_count = device_next = 0;
    device_wrong[0] = 0;
    device_pending = NULL;
    device_ends = ends;
    device_watch();
}

/* The code has done what it does: what went otherwise, or NULL. */
const char *covenant_device_end(void)
{
    device_unwatch();
    if (device_wrong[0] == 0 && device_next < device_count)
        snprintf(device_wrong, sizeof device_wrong, "device: %lu of %lu accesses were made", (unsigned long)device_next,
                 (unsigned long)device_count);
    return device_wrong[0] != 0 ? device_wrong : NULL;
}
