
/* Cortex-M3, M4, M7: the memory protection unit closes the registers, and what is not there gives a bus fault. The fault's
 * handler does what the instruction would have done, with the test's values in place of the register, and goes on behind it. What else lies
 * in a closed block is passed through. The registers of the core itself (0xE0000000 and above) cannot be closed. */
#define DEVICE_REGISTER(address) (*(volatile unsigned long *)(address))
#define DEVICE_VTOR DEVICE_REGISTER(0xE000ED08UL)
#define DEVICE_SHCSR DEVICE_REGISTER(0xE000ED24UL)
#define DEVICE_CFSR DEVICE_REGISTER(0xE000ED28UL)
#define DEVICE_HFSR DEVICE_REGISTER(0xE000ED2CUL)
#define DEVICE_MPU_TYPE DEVICE_REGISTER(0xE000ED90UL)
#define DEVICE_MPU_CTRL DEVICE_REGISTER(0xE000ED94UL)
#define DEVICE_MPU_RNR DEVICE_REGISTER(0xE000ED98UL)
#define DEVICE_MPU_RBAR DEVICE_REGISTER(0xE000ED9CUL)
#define DEVICE_MPU_RASR DEVICE_REGISTER(0xE000EDA0UL)

enum { DEVICE_VECTORS = 64, DEVICE_HARD_FAULT = 3, DEVICE_MEMORY_FAULT = 4, DEVICE_BUS_FAULT = 5 };

/* In the registers above: both faults have handlers of their own; the unit is on, and lets through what no region names. */
#define DEVICE_FAULTS_ON (3UL << 16)
#define DEVICE_MPU_ON 5UL

static unsigned long device_vectors[DEVICE_VECTORS] __attribute__((aligned(1024)));
static unsigned long device_old_vectors;
/* Regions that are closed: those of devices, and all. */
static unsigned device_closed_devices, device_closed;

static void device_stop(const char *why, unsigned long address)
{
    if (device.wrong[0] == 0)
        snprintf(device.wrong, sizeof device.wrong, "device at %#lx: %.80s", address, why);
}

static struct device_access *device_told(size_t count)
{
    static struct {
        struct device_access all[COVENANT_DEVICE_ROOM];
    } DEVICE_APART told;
    if (count > COVENANT_DEVICE_ROOM)
        covenant_stop("more accesses to devices than there is room for");
    return told.all;
}

static void device_sync(void)
{
    __asm volatile("dsb\n\tisb" ::: "memory");
}

/* Closes the smallest block that the unit can close and that holds these bytes; 0: it cannot. */
static int device_close_block(unsigned long start, unsigned long size)
{
#if __ARM_ARCH == 7
    unsigned bits = 5;
    unsigned long on = DEVICE_MPU_CTRL;
    while (bits < 32 && start >> bits != (start + size - 1) >> bits)
        bits++;
    if (device_closed >= (DEVICE_MPU_TYPE >> 8 & 0xff))
        return 0;
    /* What this file needs to give an answer must stay open. */
    if ((unsigned long)&device >> bits == start >> bits || (unsigned long)device_told(0) >> bits == start >> bits
        || (unsigned long)device_vectors >> bits == start >> bits || (unsigned long)&on >> bits == start >> bits)
        return 0;
    DEVICE_MPU_CTRL = 0;
    DEVICE_MPU_RNR = device_closed++;
    DEVICE_MPU_RBAR = start >> bits << bits;
    DEVICE_MPU_RASR = 1UL << 28 | (bits - 1) << 1 | 1; /* No access, no instructions. */
    DEVICE_MPU_CTRL = on;
    device_sync();
    return 1;
#else
    (void)start; /* The unit of ARMv8-M cannot close anything to the core itself. */
    (void)size;
    return 0;
#endif
}

static void device_map(unsigned long start, unsigned long size)
{
    device_close_block(start, size); /* A bus fault will tell, where nothing is. */
    device_closed_devices = device_closed;
}

static void device_close(unsigned long start, unsigned long size)
{
    if (!device_close_block(start, size))
        device_stop("the memory protection unit cannot close it", start);
    DEVICE_MPU_CTRL = DEVICE_MPU_ON;
    device_sync();
}

/* Volatile objects are the program's own again. */
static void device_release(void)
{
    DEVICE_MPU_CTRL = 0;
    while (device_closed > device_closed_devices) {
        DEVICE_MPU_RNR = --device_closed;
        DEVICE_MPU_RASR = 0;
    }
    device_sync();
}

/* What the core saves when it takes a fault: r0 to r3, r12, lr, pc, xpsr. */
struct device_frame {
    unsigned long low[4], r12, lr, pc, xpsr;
};

static unsigned long *device_core_register(struct device_frame *frame, unsigned long *high, unsigned number)
{
    if (number < 4)
        return &frame->low[number];
    if (number < 12)
        return &high[number - 4];
    return number == 12 ? &frame->r12 : number == 14 ? &frame->lr : NULL;
}

/* A load or a store, as its instruction says. */
struct device_move {
    int is_load, is_signed, writes_back;
    unsigned size, data, second, base;
    unsigned long address, updated;
};

static int device_decode_short(unsigned code, unsigned long base, unsigned long offset, struct device_move *move)
{
    static const unsigned char sizes[] = { 4, 2, 1, 1, 4, 2, 1, 2 };
    unsigned kind = code >> 9 & 7, amount = code >> 6 & 31;
    move->data = code & 7;
    if (code >> 12 == 5) {
        move->size = sizes[kind];
        move->is_load = kind >= 3;
        move->is_signed = kind == 3 || kind == 7;
        move->address = base + offset;
        return 1;
    }
    if (code >> 13 != 3 && code >> 12 != 8)
        return 0;
    move->size = code >> 12 == 8 ? 2 : code & 0x1000 ? 1 : 4;
    move->is_load = (code & 0x800) != 0;
    move->address = base + amount * move->size;
    return 1;
}

/* With a constant that is added or taken away, before the access or behind it. */
static void device_index(struct device_move *move, unsigned long base, unsigned long amount, int before, int adds, int writes_back)
{
    move->updated = adds ? base + amount : base - amount;
    move->address = before ? move->updated : base;
    move->writes_back = writes_back || !before;
}

static int device_decode_long(unsigned first, unsigned second, unsigned long base, unsigned long offset, struct device_move *move)
{
    move->data = second >> 12;
    if ((first & 0xFE40) == 0xE840 && (first & 0x0120) != 0) {
        move->size = 8;
        move->second = second >> 8 & 15;
        move->is_load = (first & 0x10) != 0;
        device_index(move, base, (second & 0xff) * 4, (first & 0x100) != 0, (first & 0x80) != 0, (first & 0x20) != 0);
        return 1;
    }
    if ((first & 0xFE00) != 0xF800 || (first >> 5 & 3) == 3)
        return 0;
    move->size = 1U << (first >> 5 & 3);
    move->is_load = (first & 0x10) != 0;
    move->is_signed = (first & 0x100) != 0;
    if (first & 0x80)
        move->address = base + (second & 0xfff);
    else if (second & 0x800)
        device_index(move, base, second & 0xff, (second & 0x400) != 0, (second & 0x200) != 0, (second & 0x100) != 0);
    else
        move->address = base + (offset << (second >> 4 & 3));
    return 1;
}

/* Registers that an instruction cannot name here count as 0. */
static unsigned long device_value(struct device_frame *frame, unsigned long *high, unsigned number)
{
    unsigned long *place = device_core_register(frame, high, number);
    return place != NULL ? *place : 0;
}

static int device_decode(struct device_frame *frame, unsigned long *high, struct device_move *move, unsigned *length)
{
    const volatile unsigned short *code = (const volatile unsigned short *)frame->pc;
    unsigned first = code[0];
    memset(move, 0, sizeof *move);
    *length = first >> 11 >= 0x1d ? 4 : 2;
    if (*length == 2) {
        move->base = first >> 3 & 7;
        return device_decode_short(first, device_value(frame, high, move->base), device_value(frame, high, first >> 6 & 7),
                                   move);
    }
    move->base = first & 15;
    return device_core_register(frame, high, move->base) != NULL
           && device_decode_long(first, code[1], device_value(frame, high, move->base), device_value(frame, high, code[1] & 15),
                                 move);
}

/* What is there besides. */
static unsigned long long device_passed(const struct device_move *move, unsigned long long value)
{
    unsigned long on = DEVICE_MPU_CTRL;
    DEVICE_MPU_CTRL = 0;
    device_sync();
    if (move->is_load) {
        value = move->size == 1   ? *(volatile unsigned char *)move->address
                : move->size == 2 ? *(volatile unsigned short *)move->address
                : move->size == 4 ? *(volatile unsigned long *)move->address
                                  : *(volatile unsigned long long *)move->address;
    } else if (move->size == 1) {
        *(volatile unsigned char *)move->address = (unsigned char)value;
    } else if (move->size == 2) {
        *(volatile unsigned short *)move->address = (unsigned short)value;
    } else if (move->size == 4) {
        *(volatile unsigned long *)move->address = (unsigned long)value;
    } else {
        *(volatile unsigned long long *)move->address = value;
    }
    DEVICE_MPU_CTRL = on;
    device_sync();
    return value;
}

static void device_kept(const struct device_move *move, unsigned long long value)
{
    size_t i;
    for (i = 0; i < device.region_count; i++)
        if (device.regions[i].is_volatile && move->address - device.regions[i].start < device.regions[i].size) {
            device_passed(move, value);
            return;
        }
}

/* What a register of the device gives, or takes. */
static unsigned long long device_played(const struct device_move *move, unsigned long long value)
{
    struct device_access *access = move->is_load ? device_read_of(move->address) : device_write_of(move->address);
    unsigned long long told;
    if (access == NULL && is_plain(move->address))
        return device_passed(move, value);
    if (access == NULL) {
        device_differs(move->is_load ? "a read" : "a write of", move->address, value);
        return 0;
    }
    told = access->value >> 8 * (move->address - access->address);
    if (move->size < 8)
        told &= (1ULL << 8 * move->size) - 1;
    if (!move->is_load && access->way == DEVICE_WRITE && (told != value || (access->size != move->size && access->size < 8)))
        device_differs("a write of", move->address, value);
    if (move->size == 8)
        access->halves = 2;
    device_use(access, move->address);
    /* A variable keeps what the program writes. */
    if (!move->is_load)
        device_kept(move, value);
    return told;
}

/* Behind the instruction, with what is left of a block of conditional ones. */
static void device_skip(struct device_frame *frame, unsigned length)
{
    unsigned long state = (frame->xpsr >> 25 & 3) | (frame->xpsr >> 8 & 0xfc);
    state = (state & 7) == 0 ? 0 : (state & 0xe0) | (state << 1 & 0x1f);
    frame->xpsr = (frame->xpsr & ~(3UL << 25 | 0xfcUL << 8)) | (state & 3) << 25 | (state & 0xfc) << 8;
    frame->pc += length;
}

static __attribute__((used)) void covenant_device_fault(struct device_frame *frame, unsigned long *high)
{
    struct device_move move;
    unsigned length;
    unsigned long long value;
    unsigned long *place;
    DEVICE_CFSR = DEVICE_CFSR;
    DEVICE_HFSR = DEVICE_HFSR;
    if (!device_decode(frame, high, &move, &length))
        covenant_stop("a fault that is no access to a device");
    value = device_value(frame, high, move.data);
    if (move.size == 8)
        value |= (unsigned long long)device_value(frame, high, move.second) << 32;
    else if (move.size < 4)
        value &= move.size == 1 ? 0xff : 0xffff;
    if (is_device(move.address))
        value = device_played(&move, value);
    else if (device_closed > 0)
        value = device_passed(&move, value);
    else
        covenant_stop("a fault that is no access to a device");
    place = device_core_register(frame, high, move.base);
    if (move.writes_back && place != NULL)
        *place = move.updated;
    place = device_core_register(frame, high, move.data);
    if (move.is_load && place != NULL) {
        *place = (unsigned long)value;
        if (move.is_signed)
            *place = move.size == 1 ? (unsigned long)(long)(signed char)value : (unsigned long)(long)(short)value;
        else if (move.size < 4)
            *place = (unsigned long)value & (move.size == 1 ? 0xff : 0xffff);
        place = device_core_register(frame, high, move.second);
        if (move.size == 8 && place != NULL)
            *place = (unsigned long)(value >> 32);
    }
    device_skip(frame, length);
}

static __attribute__((naked, used)) void covenant_device_trap(void)
{
    __asm volatile("tst lr, #4\n\t"
                   "ite eq\n\t"
                   "mrseq r0, msp\n\t"
                   "mrsne r0, psp\n\t"
                   "push {r3-r11, lr}\n\t"
                   "add r1, sp, #4\n\t"
                   "bl covenant_device_fault\n\t"
                   "pop {r3-r11, lr}\n\t"
                   "bx lr");
}

static void device_watch(void)
{
    const volatile unsigned long *old = (const volatile unsigned long *)DEVICE_VTOR;
    unsigned i;
    if (DEVICE_VTOR == (unsigned long)device_vectors)
        return; /* A test that has failed may not have come to its end. */
    device_old_vectors = (unsigned long)old;
    for (i = 0; i < DEVICE_VECTORS; i++)
        device_vectors[i] = old[i];
    device_vectors[DEVICE_HARD_FAULT] = (unsigned long)covenant_device_trap;
    device_vectors[DEVICE_MEMORY_FAULT] = (unsigned long)covenant_device_trap;
    device_vectors[DEVICE_BUS_FAULT] = (unsigned long)covenant_device_trap;
    DEVICE_VTOR = (unsigned long)device_vectors;
    DEVICE_SHCSR |= DEVICE_FAULTS_ON;
    if (device_closed > 0)
        DEVICE_MPU_CTRL = DEVICE_MPU_ON;
    device_sync();
}

static void device_unwatch(void)
{
    if (device_closed > 0)
        DEVICE_MPU_CTRL = 0;
    DEVICE_VTOR = device_old_vectors;
    device_sync();
}
