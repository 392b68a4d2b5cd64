/* Device registers in tests. What the code does to them is held against what a test says: which register, in which order, and for a
 * write what. A read gets what the test says. How an access is noticed depends on the machine: see below. */
#ifndef COVENANT_EMBEDDED
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdio.h>
#include <stdlib.h>
#endif
#include <stddef.h>

void covenant_device(unsigned long start, unsigned long size);
void covenant_device_begin(int ends);
void covenant_device_reads(unsigned long address, unsigned size, unsigned long long value);
void covenant_device_writes(unsigned long address, unsigned size, unsigned long long value);
void covenant_device_writes_any(unsigned long address, unsigned size);
const char *covenant_device_end(void);

/* Accesses to registers are noticed behind the compiler's back: what the test says is in memory before them, and read after them. */
#define DEVICE_BARRIER() __asm__ volatile("" : : : "memory")

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
static size_t device_count, device_next;
/* Whether another access behind these ends the process. */
static int device_ends;
/* What went otherwise first; empty: nothing. */
static char device_wrong[DEVICE_TEXT];

/* For each machine: the accesses that the test tells, with room for so many; what notices them; what cannot go on. */
static struct device_access *device_told(size_t count);
static void device_map(unsigned long start, unsigned long size);
static void device_watch(void);
static void device_unwatch(void);
static void device_stop(const char *why, unsigned long address);

static void device_add(enum device_way way, unsigned long address, unsigned size, unsigned long long value)
{
    struct device_access *access = device_told(device_count + 1) + device_count;
    access->way = way;
    access->address = address;
    access->size = size;
    access->value = value;
    access->used = 0;
    device_count++;
    DEVICE_BARRIER();
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
    struct device_access *told = device_told(device_count);
    size_t i;
    for (i = device_next; i < device_count && told[i].way == DEVICE_READ; i++)
        if (!told[i].used && address - told[i].address < told[i].size)
            return &told[i];
    return NULL;
}

static struct device_access *device_write_of(unsigned long address)
{
    struct device_access *next = device_told(device_count) + device_next;
    int is_it = device_next < device_count && next->way != DEVICE_READ && address - next->address < next->size;
    return is_it ? next : NULL;
}

static void device_use(struct device_access *access)
{
    access->used = 1;
    while (device_next < device_count && device_told(device_count)[device_next].used)
        device_next++;
}

static void device_differs(const char *what, unsigned long address, unsigned long long value)
{
    const struct device_access *next = device_next < device_count ? device_told(device_count) + device_next : NULL;
    const char *word = next == NULL ? "nothing" : next->way == DEVICE_READ ? "a read" : "a write";
    if (device_wrong[0] != 0)
        return;
    snprintf(device_wrong, sizeof device_wrong, "device at %#lx: %s %#llx, expected %s at %#lx %#llx", address, what, value,
             word, next == NULL ? 0 : next->address, next == NULL ? 0 : next->value);
}

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
    device_ends = ends;
    DEVICE_BARRIER();
    device_watch();
}

/* The code has done what it does: what went otherwise, or NULL. */
const char *covenant_device_end(void)
{
    DEVICE_BARRIER();
    device_unwatch();
    if (device_wrong[0] == 0 && device_next < device_count)
        snprintf(device_wrong, sizeof device_wrong, "device: %lu of %lu accesses were made", (unsigned long)device_next,
                 (unsigned long)device_count);
    return device_wrong[0] != 0 ? device_wrong : NULL;
}
