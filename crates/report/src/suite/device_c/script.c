/* Device registers and other volatile objects in tests. What the code does to them is held against what a test says: which one, in which
 * order, and for a write what. A read gets what the test says. How an access is noticed depends on the machine: see below. */
#ifndef COVENANT_EMBEDDED
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdio.h>
#include <stdlib.h>
#endif
#include <stddef.h>

void covenant_device(unsigned long start, unsigned long size);
void covenant_volatile(unsigned long start, unsigned long size);
void covenant_plain(unsigned long start, unsigned long size);
void covenant_device_begin(int ends);
void covenant_device_reads(unsigned long address, unsigned size, unsigned long long value);
void covenant_device_writes(unsigned long address, unsigned size, unsigned long long value);
void covenant_device_writes_any(unsigned long address, unsigned size);
void covenant_device_rest(void);
const char *covenant_device_end(void);

/* Accesses to registers are noticed behind the compiler's back: what the test says is in memory before them, and read after them. */
#define DEVICE_BARRIER() __asm__ volatile("" : : : "memory")

/* What is closed to the code is closed to this file, too: its own variables must lie elsewhere. */
#ifdef COVENANT_EMBEDDED
#define DEVICE_APART __attribute__((aligned(32)))
#else
#define DEVICE_APART __attribute__((aligned(4096)))
#endif

enum { DEVICE_REGIONS = 64, DEVICE_TEXT = 256 };

/* What the code does to a register. */
enum device_way { DEVICE_READ, DEVICE_WRITE, DEVICE_WRITE_ANY };

struct device_access {
    enum device_way way;
    unsigned long address;
    unsigned size;
    unsigned long long value;
    /* Of 8 bytes that a machine of 32 bits accesses one half after the other: those that were. */
    unsigned halves;
    int used;
};

struct device_region {
    unsigned long start, size;
    /* An object of the program. */
    int is_volatile;
};

static struct device_state {
    struct device_region regions[DEVICE_REGIONS];
    size_t region_count;
    /* Bytes that are accessed as if they were not volatile, behind what is told. */
    struct device_region plain[DEVICE_REGIONS];
    size_t plain_count;
    size_t count, next;
    /* Whether another access behind these ends the process. */
    int ends;
    /* Whether volatile objects are memory as any other behind them. */
    int rest;
    /* What went otherwise first; empty: nothing. */
    char wrong[DEVICE_TEXT];
} DEVICE_APART device;

/* For each machine: the accesses that the test tells, with room for so many; what notices them; what cannot go on. */
static struct device_access *device_told(size_t count);
static void device_map(unsigned long start, unsigned long size);
static void device_close(unsigned long start, unsigned long size);
static void device_release(void);
static void device_watch(void);
static void device_unwatch(void);
static void device_stop(const char *why, unsigned long address);

static void device_add(enum device_way way, unsigned long address, unsigned size, unsigned long long value)
{
    struct device_access *access = device_told(device.count + 1) + device.count;
    access->way = way;
    access->address = address;
    access->size = size;
    access->value = value;
    access->halves = 0;
    access->used = 0;
    device.count++;
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

static int is_among(const struct device_region *regions, size_t count, unsigned long address)
{
    size_t i;
    for (i = 0; i < count; i++)
        if (address - regions[i].start < regions[i].size)
            return 1;
    return 0;
}

static int is_device(unsigned long address)
{
    return is_among(device.regions, device.region_count, address);
}

/* Whether an access that is not told does not count. */
static int is_plain(unsigned long address)
{
    return is_among(device.plain, device.plain_count, address) || (device.rest && device.next == device.count);
}

static int is_at(const struct device_access *access, unsigned long address)
{
    unsigned long inside = address - access->address;
    return !access->used && inside < access->size && (access->halves >> inside / 4 & 1) == 0;
}

/* The read of this register that comes next. In which order the registers of one expression are read is the compiler's choice; a write
 * comes behind all that is before it. */
static struct device_access *device_read_of(unsigned long address)
{
    struct device_access *told = device_told(device.count);
    size_t i;
    for (i = device.next; i < device.count && told[i].way == DEVICE_READ; i++)
        if (is_at(&told[i], address))
            return &told[i];
    return NULL;
}

static struct device_access *device_write_of(unsigned long address)
{
    struct device_access *next = device_told(device.count) + device.next;
    return device.next < device.count && next->way != DEVICE_READ && is_at(next, address) ? next : NULL;
}

static void device_use(struct device_access *access, unsigned long address)
{
    struct device_access *told = device_told(device.count);
    if (access->size > sizeof(long))
        access->halves |= 1U << (address - access->address) / 4;
    access->used = access->size <= sizeof(long) || access->halves == 3;
    while (device.next < device.count && told[device.next].used)
        device.next++;
}

static void device_differs(const char *what, unsigned long address, unsigned long long value)
{
    const struct device_access *next = device.next < device.count ? device_told(device.count) + device.next : NULL;
    const char *word = next == NULL ? "nothing" : next->way == DEVICE_READ ? "a read" : "a write";
    if (device.wrong[0] != 0)
        return;
    snprintf(device.wrong, sizeof device.wrong, "device at %#lx: %s %#llx, expected %s at %#lx %#llx", address, what, value,
             word, next == NULL ? 0 : next->address, next == NULL ? 0 : next->value);
}

static int device_knows(unsigned long start, unsigned long size)
{
    size_t i;
    for (i = 0; i < device.region_count; i++)
        if (device.regions[i].start == start && device.regions[i].size == size)
            return 1;
    if (i == DEVICE_REGIONS)
        device_stop("there are too many devices", start);
    return i == DEVICE_REGIONS;
}

/* There are so many bytes of registers at an address. */
void covenant_device(unsigned long start, unsigned long size)
{
    struct device_region *region = &device.regions[device.region_count];
    if (device_knows(start, size))
        return;
    device_map(start, size);
    region->start = start;
    region->size = size;
    region->is_volatile = 0;
    device.region_count++;
}

/* In this test so many bytes of an object are what somebody else may change. */
void covenant_volatile(unsigned long start, unsigned long size)
{
    struct device_region *region = &device.regions[device.region_count];
    if (device_knows(start, size))
        return;
    region->start = start;
    region->size = size;
    region->is_volatile = 1;
    device.region_count++;
    DEVICE_BARRIER();
    device_close(start, size);
}

/* Behind what is told of them, the code accesses so many bytes of one as if nobody could. */
void covenant_plain(unsigned long start, unsigned long size)
{
    struct device_region *region = &device.plain[device.plain_count];
    if (device.plain_count == DEVICE_REGIONS) {
        device_stop("there are too many volatile objects", start);
        return;
    }
    region->start = start;
    region->size = size;
    device.plain_count++;
}

/* Behind what is told, nobody else changes volatile objects. */
void covenant_device_rest(void)
{
    device.rest = 1;
}

/* What is volatile in one test need not be there in the next. */
static void device_forget(void)
{
    size_t i, kept = 0;
    device_release();
    for (i = 0; i < device.region_count; i++)
        if (!device.regions[i].is_volatile)
            device.regions[kept++] = device.regions[i];
    device.region_count = kept;
    device.plain_count = 0;
}

/* Accesses count from here. `ends`: one behind those that are told ends the process, as it would without a device. */
void covenant_device_begin(int ends)
{
    device_forget();
    device.count = device.next = 0;
    device.wrong[0] = 0;
    device.ends = ends;
    device.rest = 0;
    DEVICE_BARRIER();
    device_watch();
}

/* The code has done what it does: what went otherwise, or NULL. */
const char *covenant_device_end(void)
{
    DEVICE_BARRIER();
    device_forget();
    device_unwatch();
    if (device.wrong[0] == 0 && device.next < device.count)
        snprintf(device.wrong, sizeof device.wrong, "device: %lu of %lu accesses were made", (unsigned long)device.next,
                 (unsigned long)device.count);
    return device.wrong[0] != 0 ? device.wrong : NULL;
}
